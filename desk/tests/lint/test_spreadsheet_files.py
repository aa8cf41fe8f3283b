"""Files as LibreOffice saves them: no damaged term gets into a live list."""

from pathlib import Path

import pytest

from cometchat_desk.lists.reading import read_list
from cometchat_rest.testing import Simulator

from ..conftest import CommandLine

LIST = "profanity-list"
FOLDER = Path(__file__).with_name("spreadsheets")


def entries(path: Path) -> tuple[str, ...]:
    return read_list(path.read_bytes(), path).entries


DUMPED = entries(FOLDER / "dumped.csv")
UNCHANGED = ("lo-clean.csv", "lo-unchanged.csv")
SAVED = sorted(path.name for path in FOLDER.glob("lo-*.csv"))


def test_files_are_there() -> None:
    """The files of the spreadsheet are part of the tests."""
    assert len(SAVED) > 20
    assert set(UNCHANGED) < set(SAVED)


@pytest.mark.parametrize("command", ["apply", "add"])
@pytest.mark.parametrize("name", [name for name in SAVED if name not in UNCHANGED])
def test_damaged_files_are_stopped(cli: CommandLine, simulator: Simulator, command: str, name: str) -> None:
    """A file that a spreadsheet damaged is stopped, even with --yes; the live list is unchanged."""
    simulator.keyword_lists[LIST]["searchTerms"] = list(DUMPED)
    options = ("--max-removed", "100%") if command == "apply" else ("--from",)
    done = cli("keywords", command, LIST, *options, str(FOLDER / name), "--yes")
    assert done.code == 2, done.err
    assert simulator.keyword_lists[LIST].get("searchTerms") == list(DUMPED)


@pytest.mark.parametrize("name", UNCHANGED)
def test_unchanged_round_trip(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """A dumped list that a spreadsheet saves without a change is the same list."""
    simulator.keyword_lists[LIST]["searchTerms"] = list(entries(FOLDER / name))
    assert cli("keywords", "get", LIST, "--output", "before.csv").code == 0
    before = entries(cli.folder / "before.csv")
    assert entries(FOLDER / name) == before
    assert set(before) < set(DUMPED)
    assert cli("keywords", "plan", LIST, str(FOLDER / name), "--exit-code").code == 0


#: Files as programs write them that are not installed everywhere, and whether the content is the dumped list.
BY_HAND = {
    "excel-unicode.txt": ("spam\tbad\r\nGrüße\tbad\r\n".encode("utf-16"), False),
    "excel-unicode-one-column.txt": ("spam\r\nGrüße\r\n".encode("utf-16"), True),
    "excel-german-ansi.csv": ("spam;böse\r\nGrüße;böse\r\n".encode("cp1252"), False),
    "excel-german-utf8.csv": ("\ufeffspam;böse\r\nGrüße;böse\r\n".encode(), False),
    "excel-german-no-mark.csv": ("spam;böse\r\nGrüße;böse\r\n".encode(), False),
    "excel-german-one-column.csv": ("\ufeffspam\r\nGrüße\r\n".encode(), True),
    "numbers-table.csv": ("Table 1,\nspam,bad\nGrüße,bad\n".encode(), False),
    "numbers.csv": ("spam\r\nGrüße".encode(), True),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_files_of_excel_and_numbers(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """Excel's text and semicolon files, and files of Numbers, are the same list, or no update is sent."""
    content, is_same = BY_HAND[name]
    simulator.keyword_lists[LIST]["searchTerms"] = ["spam", "Grüße"]
    (cli.folder / name).write_bytes(content)
    for command in (["apply", LIST, name, "--max-removed", "100%"], ["add", LIST, "--from", name]):
        done = cli("keywords", *command, "--yes")
        assert done.code == (0 if is_same else 2), done.err
        assert is_same or "UTF-8" in done.err or "own line" in done.err or "column" in done.err
        assert simulator.keyword_lists[LIST].get("searchTerms") == ["spam", "Grüße"]


def test_header_of_a_csv_file(cli: CommandLine, simulator: Simulator) -> None:
    """With --header, or `header` in the settings beside the file, the title of a CSV file is not an entry."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["spam"]
    cli.write("words.csv", "\ufeffterm\r\nspam\r\n")
    commands = {
        "plan": ["plan", LIST, "words.csv", "--exit-code"],
        "apply": ["apply", LIST, "words.csv", "--yes"],
        "add": ["add", LIST, "--from", "words.csv", "--yes"],
        "lint": ["lint", "words.csv"],
    }
    for name, arguments in commands.items():
        assert cli("keywords", *arguments).code == (1 if name in ("plan", "lint") else 2), name
        done = cli("keywords", *arguments, "--header")
        assert (done.code, "skipped-row: the title row 'term' is skipped" in done.out + done.err) == (0, True), name
    assert simulator.keyword_lists[LIST].get("searchTerms") == ["spam"]
    cli.write("cometchat-lint.toml", "header = true\n")
    for name, arguments in commands.items():
        assert cli("keywords", *arguments).code == 0, name
        assert cli("keywords", *arguments, "--no-header").code != 0, name
    assert cli("keywords", "remove", LIST, "--from", "words.csv", "--yes", "--header").code in (0, 2)
    cli.write("cometchat-lint.toml", "[rules]\nheader-row = 'off'\n")
    assert cli("keywords", "plan", LIST, "-", "--input-format", "csv", "--header", stdin="term\nspam\n").code == 0


def test_skipped_entry(cli: CommandLine) -> None:
    """If the first row that --header skips does not look like a title, each plan warns of it."""
    text = "note skipped-row: the first row 'idiot' is skipped, but does not look like a title"
    cli.write(f"lists/{LIST}.csv", "idiot\nspam\n")
    for arguments in (["plan", LIST, f"lists/{LIST}.csv"], ["add", LIST, "--from", f"lists/{LIST}.csv"]):
        assert text in cli("keywords", *arguments, "--header").err
    assert text in cli("keywords", "plan", LIST, "-", "--input-format", "csv", "--header", stdin="idiot\nspam\n").err
