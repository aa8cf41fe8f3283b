"""`cometchat-desk keywords get`."""

import json
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, records


def test_get_shows_the_record(cli: CommandLine, simulator: Simulator) -> None:
    """Without a terminal, `get` writes the record as the service sent it, as one line of JSON."""
    done = cli("keywords", "get", LIST)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert json.loads(done.out) == simulator.keyword_lists[LIST]


def test_get_as_csv(cli: CommandLine) -> None:
    """As CSV, a list has a row for each entry below a title."""
    assert cli("keywords", "get", LIST, "--format", "csv").out.splitlines() == ["entry", *BEFORE]


MARKED = ["well, -5 said 'hello'", "-foo", "'-foo'", "=1+1", "'quoted'", "007", "'007", "1e5", "12"]


@pytest.mark.parametrize("command", ["get LIST --format csv", "get LIST --output list.csv"])
def test_csv_of_entries_that_a_spreadsheet_changes(
    cli: CommandLine, simulator: Simulator, command: str
) -> None:
    """A list that is written as CSV and applied again is the same list."""
    simulator.keyword_lists[LIST]["searchTerms"] = MARKED
    done = cli("keywords", *command.replace("LIST", LIST).split())
    assert done.code == 0
    if done.out:
        assert {"-foo", "=1+1", "007"}.isdisjoint(done.out.splitlines())
        cli.write("list.csv", done.out)
    title = ("--header",) if done.out else ()
    planned = cli("keywords", "apply", LIST, "list.csv", "--dry-run", *title)
    record = json.loads(planned.out)
    assert (record["outcome"], record["added"], record["removed"]) == ("unchanged", [], [])


@pytest.mark.parametrize("form", ["csv", "jsonl", "table"])
def test_get_of_a_lone_surrogate(cli: CommandLine, simulator: Simulator, form: str) -> None:
    """Half of a surrogate pair, which JSON can hold and a file cannot, is shown as an escape."""
    record = {**simulator.keyword_lists[LIST], "searchTerms": ["a\ud800"]}
    simulator.fail("get_keyword_list", status=200, body=json.dumps({"data": record}))
    done = cli("keywords", "get", LIST, "--format", form)
    assert (done.code, done.err) == (0, "")
    assert "\\ud800" in done.out


@pytest.fixture
def hidden(cli: CommandLine, simulator: Simulator) -> CommandLine:
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    cli.write("list.txt", "I know where you live\n")
    return cli


def test_get(hidden: CommandLine) -> None:
    """The table says that the entries are not shown; CSV and `dump` end with 10 and write
    nothing."""
    hidden_text = "the service does not show the entries of this list"
    done = hidden("keywords", "get", "threat-sentences", "--format", "table")
    assert (done.code, hidden_text in done.out, "0 entries" in done.out) == (0, True, False)
    done = hidden("keywords", "get", "threat-sentences", "--format", "csv")
    assert (done.code, done.out, done.line) == (
        10,
        "",
        f"cometchat-desk: threat-sentences: {hidden_text}",
    )
    assert hidden("keywords", "get", "threat-sentences", "--output", "kept.txt") == done
    assert not Path("kept.txt").exists()


def test_output_of_another_format(cli: CommandLine, simulator: Simulator) -> None:
    """A file whose suffix names no format is refused before the list is read."""
    done = cli("keywords", "get", LIST, "--output", "backup")
    assert (
        done.code,
        "backup: the suffix must be one of .txt" in done.line,
        simulator.requests,
    ) == (2, True, [])


def names_in(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_all_lists(two: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """One command writes all known lists to a folder for sync, and asks before it replaces a
    different file."""
    assert two("keywords", "add", "default-profanity", "new", "--app", "shop", "--yes").code == 0
    done = two("keywords", "get", "--all-lists", "--app", "shop", "--output", "lists")
    assert (done.code, "the service cannot name its lists" in done.err) == (0, True)
    named = {
        name for record in simulator.reviewed_messages for name in record["condition"]["value"]
    }
    wanted = {"default-profanity", *(name for name in named if name in simulator.keyword_lists)}
    assert names_in("lists") == [*sorted(f"{name}.txt" for name in wanted)]
    synced = two("keywords", "sync", "lists", "--app", "shop")
    assert {record["outcome"] for record in records(synced)} == {"unchanged"}
    two.write("lists/notes.md", "ours\n")
    assert two("keywords", "get", "--all", "--app", "shop", "--output", "lists").code == 0
    two.write(f"lists/{LIST}.txt", "ours\n")
    done = two("keywords", "get", "--all", "--app", "shop", "--output", "lists")
    assert (done.code, f"Replace lists/{LIST}.txt? Standard input" in done.err) == (2, True)
    forum.keyword_lists[LIST]["searchTerms"] = ["theirs"]
    assert two("keywords", "get", "--all", "--all-apps", "--output", "backup").code == 0
    assert Path(f"backup/forum/{LIST}.txt").read_text("utf-8") == "theirs\n"


def test_several_lists(cli: CommandLine, simulator: Simulator) -> None:
    """Named lists go to a folder; a list that fails has an error, and stops no other list."""
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    done = cli("keywords", "get", "gone", "threat-sentences", LIST, "--output", "lists")
    assert (done.code, names_in("lists")) == (5, [f"{LIST}.txt"])
    assert 'There is no list "gone"' in done.err
    assert "the service does not show the entries" in done.err
    wrong = (LIST, "gone"), ("--all",), (LIST, "gone", "--output", "lists.txt"), (LIST, "--all"), ()
    refused = [cli("keywords", "get", *typed) for typed in wrong]
    assert {(done.code, "--output FOLDER" in done.line) for done in refused} == {(2, True)}


def test_empty_list(cli: CommandLine, simulator: Simulator) -> None:
    """No file is written for an empty list: a note says so, and it stops no other list."""
    simulator.keyword_lists["default-profanity"]["searchTerms"] = []
    done = cli("keywords", "get", "default-profanity", "--output", "words.txt")
    note = "Note: the service shows default-profanity as empty, so {}."
    assert (done.code, done.line) == (0, note.format("words.txt was not written"))
    done = cli("keywords", "get", "default-profanity", LIST, "--output", "lists")
    assert (done.code, names_in("lists")) == (0, [f"{LIST}.txt"])
    assert note.format("lists/default-profanity.txt was not written") in done.err
    done = cli("keywords", "get", "default-profanity", "--output", "-")
    assert (done.code, done.out) == (0, "")


def test_file_of_a_list_that_is_now_empty(cli: CommandLine, simulator: Simulator) -> None:
    """The file of a list that is now empty stays, and a note says so."""
    simulator.keyword_lists[LIST]["searchTerms"] = []
    for options in (("--output", "words.txt"), ("default-profanity", "--output", ".")):
        file = cli.write("words.txt" if len(options) == 2 else f"{LIST}.txt", "ours\n")
        done = cli("keywords", "get", LIST, *options)
        kept = f"so {file.name} was not written and keeps its old content."
        assert (done.code, kept in done.err, file.read_text("utf-8")) == (0, True, "ours\n")


def test_no_list_is_known(cli: CommandLine, simulator: Simulator) -> None:
    """If no list was updated here and no rule names one, the message asks for names."""
    simulator.reviewed_messages = []
    for typed in (["get", "--all", "--output", "lists"], ["search", "spam"], ["status"]):
        done = cli("keywords", *typed)
        assert (done.code, "no list of this app is known here: name the lists" in done.err) == (
            2,
            True,
        )
    assert not Path("lists").exists()
