"""`cometchat-desk keywords get` and `apply`."""

import csv
import io
import json
from pathlib import Path

import pytest

from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.writing import write
from cometchat_rest import keyword_input
from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, records, terms, updates


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


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.json"])
def test_dump_edit_plan_apply(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """A list that is dumped, edited and applied has the added entry, and no other change."""
    assert cli("keywords", "get", LIST, "--output", name).code == 0
    before = read_list(Path(name).read_bytes(), name).entries
    changed = keyword_input.from_terms("word", [*before, "phishing"])
    write(Path(name), changed)

    planned = cli("keywords", "apply", "--dry-run", LIST, name)
    assert planned.code == 0
    assert (json.loads(planned.out)["added"], json.loads(planned.out)["removed"]) == (
        ["phishing"],
        [],
    )
    assert terms(simulator) == list(before)

    applied = cli("keywords", "apply", LIST, name, "--yes")
    assert applied.code == 0
    assert "+ phishing\n" in applied.err
    assert json.loads(applied.out)["outcome"] == "updated"
    assert terms(simulator) == [*before, "phishing"]

    again = cli("keywords", "apply", LIST, name)
    assert (again.code, json.loads(again.out)["outcome"]) == (0, "unchanged")


@pytest.fixture
def hidden(cli: CommandLine, simulator: Simulator) -> CommandLine:
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    cli.write("list.txt", "I know where you live\n")
    return cli


def test_get(hidden: CommandLine) -> None:
    """The table says that the entries are not shown; CSV and `dump` end with 10 and write
    nothing."""
    hidden_text = "the service does not show its entries"
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
    assert ('There is no list "gone"' in done.err, "does not show its entries" in done.err) == (
        True,
        True,
    )
    wrong = (LIST, "gone"), ("--all",), (LIST, "gone", "--output", "lists.txt"), (LIST, "--all"), ()
    refused = [cli("keywords", "get", *typed) for typed in wrong]
    assert {(done.code, "--output FOLDER" in done.line) for done in refused} == {(2, True)}


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


def test_plan_as_csv(cli: CommandLine) -> None:
    """As CSV, a plan has a row for each app."""
    cli.write("list.txt", "spam\nnew\n")
    apply = ("keywords", "apply", LIST, "list.txt", "--max-removed", "100%")
    done = cli(*apply, "--dry-run", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert (row["added"], row["removed"]) == (
        "new",
        "scam, free coins, Schimpfwort, malparido, バカ",
    )


@pytest.mark.parametrize("typed", ["apply {} {}.json", "add {} --from {}.json", "sync lists"])
def test_file_of_another_list(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """A file that names another list changes no list."""
    assert cli("keywords", "get", "scam-patterns", "--output", "scam.json").code == 0
    assert cli("keywords", "get", "scam-patterns", "--output", "scam.txt").code == 0
    cli.write(f"lists/{LIST}.json", Path("scam.json").read_text("utf-8"))
    options = [] if "add" in typed else ["--max-removed", "100%"]
    done = cli(
        "keywords", *typed.format(LIST, "scam").split(), "--yes", "--accept", "separator", *options
    )
    assert "the file is of the list scam-patterns: " in done.err
    assert (done.code, terms(simulator), updates(simulator)) == (2, BEFORE, 0)
    assert (
        cli(
            "keywords", "add", "scam-patterns", "--from", "scam.txt", "--from", "scam.json", "--yes"
        ).code
        == 0
    )


def test_apply_the_difference_of_two_files(cli: CommandLine, simulator: Simulator) -> None:
    """With --base, only what changed from the old file to the new one is sent: own entries of the
    list stay, and one undo takes it back."""
    cli.write("old.txt", "spam\nscam\nnwn\nbilge\n")
    cli.write("new.txt", "spam\nphishing\ngrifter\nbilge\n")
    apply = ("keywords", "apply", LIST, "new.txt", "--base", "old.txt")
    done = cli(*apply, "--yes")
    assert (done.code, terms(simulator)) == (
        0,
        [*(entry for entry in BEFORE if entry != "scam"), "phishing", "grifter"],
    )
    assert "! 1 entry to remove is not in the list:\n!   nwn" in done.err
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert sorted(terms(simulator)) == sorted(BEFORE)
    cli.write("new.txt", "spam\nscam\nnwn\nbilge\nthe\n")
    assert cli(*apply, "--yes").code == 2
    assert cli(*apply, "--yes", "--accept", "ordinary-word").code == 0
    assert terms(simulator)[-1] == "the"


def test_download_that_failed(cli: CommandLine, simulator: Simulator) -> None:
    """With --base, a new file that lacks much of the old one changes nothing, although the list has
    many other entries; --max-removed allows it."""
    words = [f"word {number}" for number in range(40)]
    simulator.keyword_lists[LIST]["searchTerms"] = words
    cli.write("old.txt", "\n".join(words[:4]))
    cli.write("new.txt", "404: Not Found")
    apply = ("keywords", "apply", LIST, "new.txt", "--base", "old.txt", "--yes")
    done = cli(*apply)
    assert (done.code, terms(simulator)) == (6, words)
    assert "from OLD to FILE, 4 of 4 entries (100.0%) would be removed" in done.err
    assert cli(*apply, "--max-removed", "100%").code == 0
    assert terms(simulator) == [*words[4:], "404: Not Found"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--base", "gone.txt"), "'--base': File 'gone.txt' does not exist"),
        (("--base", "old.txt", "--category", "pattern"), "holds entries of category pattern"),
    ],
)
def test_base_that_does_not_fit(
    cli: CommandLine, simulator: Simulator, options: tuple[str, ...], fault: str
) -> None:
    """Without the old file, or for a list of another category, nothing is sent."""
    cli.write("old.txt", "spam\n")
    cli.write("new.txt", "spam\nphishing\n")
    done = cli("keywords", "apply", LIST, "new.txt", *options, "--yes")
    assert (done.code != 0, terms(simulator)) == (True, BEFORE)
    assert fault in done.err
