"""Files as LibreOffice saves them: no damaged term gets into a live list."""

import json
from pathlib import Path

import pytest

from cometchat_desk.lists.reading import read_list
from cometchat_testing import Simulator

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
def test_damaged_files_are_stopped(
    cli: CommandLine, simulator: Simulator, command: str, name: str
) -> None:
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
    planned = json.loads(cli("keywords", "apply", "--dry-run", LIST, str(FOLDER / name)).out)
    assert planned["outcome"] == "unchanged"


#: Files as programs write them that are not installed everywhere, and whether the content is the
#: dumped list.
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


@pytest.mark.parametrize(
    "command", [["apply", "--max-removed=100%"], ["add", "--from"]], ids=["apply", "add"]
)
@pytest.mark.parametrize("name", BY_HAND)
def test_files_of_excel_and_numbers(
    cli: CommandLine, simulator: Simulator, name: str, command: list[str]
) -> None:
    """Excel's text and semicolon files, and files of Numbers, are the same list, or no update is
    sent."""
    content, is_same = BY_HAND[name]
    simulator.keyword_lists[LIST]["searchTerms"] = ["spam", "Grüße"]
    (cli.folder / name).write_bytes(content)
    done = cli("keywords", command[0], LIST, *command[1:], name, "--yes")
    assert done.code == (0 if is_same else 2), done.err
    assert is_same or "UTF-8" in done.err or "own line" in done.err or "column" in done.err
    assert simulator.keyword_lists[LIST].get("searchTerms") == ["spam", "Grüße"]


@pytest.mark.parametrize(
    ("command", "stopped"),
    [
        (["apply", LIST, "words.csv", "--dry-run"], 0),
        (["apply", LIST, "words.csv", "--yes"], 2),
        (["add", LIST, "--from", "words.csv", "--yes"], 2),
        (["lint", "words.csv"], 1),
    ],
    ids=["dry-run", "apply", "add", "lint"],
)
def test_header_of_a_csv_file(
    cli: CommandLine, simulator: Simulator, command: list[str], stopped: int
) -> None:
    """With --header, the title of a CSV file is not an entry, and a note says so."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["spam"]
    cli.write("words.csv", "\ufeffterm\r\nspam\r\n")
    assert cli("keywords", *command).code == stopped
    done = cli("keywords", *command, "--header")
    assert done.code == 0
    assert "Note: words.csv: skipped 'term', the title of the column." in done.err
    assert simulator.keyword_lists[LIST].get("searchTerms") == ["spam"]
