"""`cometchat-desk keywords diff`: files and folders."""

from pathlib import Path

import pytest

from ...conftest import CommandLine
from .conftest import records


@pytest.fixture
def folders(bare_cli: CommandLine) -> CommandLine:
    for name, text in {
        "old/changed.txt": "spam\nscam\n",
        "old/same.txt": "a1\n",
        "old/gone.txt": "b1\n",
        "new/changed.csv": "spam\nphishing\n",
        "new/same.txt": "a1\n",
        "new/fresh.txt": "c1\n",
    }.items():
        bare_cli.write(name, text)
    return bare_cli


def test_folders(folders: CommandLine) -> None:
    """Folders are compared without a key: JSON has a record for each list, and a table its
    entries."""
    done = folders("keywords", "diff", "old", "new")
    statuses = {"changed": "changed", "fresh": "new", "gone": "deleted", "same": "unchanged"}
    differences = records(done)
    assert {row["keyword_id"]: row["status"] for row in differences} == statuses
    assert [differences[0][name] for name in ("added", "removed", "unchanged")] == [
        ["phishing"],
        ["scam"],
        1,
    ]
    done = folders("keywords", "diff", "old", "new", "--format", "table")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("# changed (changed)\n- scam\n+ phishing\n1 added, 1 removed")
    assert "\n# gone (deleted: the apps keep their list)\n- b1\n" in done.out
    assert done.out.endswith("# same (unchanged)\n0 added, 0 removed, 1 unchanged\n")


def test_files(folders: CommandLine) -> None:
    """Two files are compared; the name of the list is that of the new file."""
    done = folders("keywords", "diff", "old/changed.txt", "new/changed.csv", "--format", "table")
    assert done.code == 0
    assert (
        done.out
        == "# changed (changed)\n- scam\n+ phishing\n1 added, 1 removed (50.0% of 2), 1 unchanged\n"
    )


def test_changed_fields(bare_cli: CommandLine) -> None:
    """A changed category or name of a JSON file is a difference."""
    bare_cli.write("old.json", '{"category": "word", "terms": ["a1"], "name": "Old"}')
    bare_cli.write("new.json", '{"category": "pattern", "terms": ["a1"], "name": "New"}')
    done = bare_cli("keywords", "diff", "old.json", "new.json", "--format", "table")
    assert done.code == 0
    assert "\n~ category\n~ name\n0 added, 0 removed, 1 unchanged\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (("old", "new/same.txt"), 2, "OLD and NEW must be two files or two folders"),
        (("old", "missing"), 11, "missing: cannot be read"),
        (("missing.txt", "new/same.txt"), 11, "missing.txt"),
        (("old/same.txt", "words.xlsx"), 2, "words.xlsx"),
        (("old/same.txt",), 2, "Missing argument 'NEW'"),
        (
            ("my-list", "old/same.txt"),
            11,
            "my-list: cannot be read: No such file or directory",
        ),
        (("old/same.txt", "latin.txt"), 2, "is not UTF-8"),
    ],
)
def test_bad_arguments(
    folders: CommandLine, arguments: tuple[str, ...], code: int, fault: str
) -> None:
    """Files and folders that cannot be compared give one line."""
    folders.write("words.xlsx", "PK")
    Path(folders.folder, "latin.txt").write_bytes(b"Stra\xdfe\n")
    done = folders("keywords", "diff", *arguments)
    assert (done.code, done.out) == (code, "")
    assert fault in done.line


def test_files_of_spreadsheets(folders: CommandLine) -> None:
    """Columns and encodings are chosen with the options of all commands that read files, which
    the refusals name."""
    for name, text in (("a.csv", "1;Straße\n"), ("b.csv", "1;Straße\n2;Gasse\n")):
        Path(folders.folder, name).write_bytes(text.encode("cp1252"))
    assert "--encoding cp1252" in folders("keywords", "diff", "a.csv", "b.csv").line
    done = folders("keywords", "diff", "a.csv", "b.csv", "--encoding", "cp1252", "--column", "2")
    assert [(each["added"], each["unchanged"]) for each in records(done)] == [(["Gasse"], 1)]


def test_invalid_file_in_a_folder(folders: CommandLine) -> None:
    """An invalid file is an error line, and the other lists are compared."""
    (folders.folder / "old" / "gone.txt").write_bytes(b"Stra\xdfe\n")
    done = folders("keywords", "diff", "old", "new")
    assert [each["keyword_id"] for each in records(done)] == ["changed", "fresh", "same"]
    assert (done.code, "gone.txt" in done.line) == (2, True)
