"""The option `--quotes`: to what the double quotes belong that a list shows around its entries."""

import json
import shlex
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, records, terms, updates

LIST = "imported-phrases"
SHOWN = ['"pay later"', '"guaranteed profit"', "no quotes here"]
MEANT = ["pay later", "guaranteed profit", "no quotes here"]
LITERAL = ("--quotes", "literal")
COMMA = ("--accept", "comma")
ANY_REMOVAL = ("--max-removed", "100%")
REFUSAL = (
    '--quotes must be "csv" or "literal", because the list shows 2 of its entries in double quotes'
)


@pytest.fixture
def lists(cli: CommandLine, simulator: Simulator) -> CommandLine:
    """A folder with the entries of two lists, and one new entry in double quotes for the list
    that shows none."""
    simulator.keyword_lists[LIST]["searchTerms"] = SHOWN
    cli.write(f"lists/{LIST}.txt", "\n".join(SHOWN))
    cli.write("lists/profanity-list.txt", "\n".join([*BEFORE, '"new"']))
    return cli


@pytest.mark.parametrize(
    "arguments",
    [
        ("apply", LIST, f"lists/{LIST}.txt", "--yes", *ANY_REMOVAL, "--accept", "quotes"),
        ("add", LIST, "new", "--yes"),
        ("remove", LIST, SHOWN[1], "--yes"),
        ("sync", "lists", "--dry-run", "--accept", "quotes", *ANY_REMOVAL),
        ("status", "lists"),
        ("get", LIST, "--output", "list.txt", "--yes"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_answer_is_needed(
    lists: CommandLine, simulator: Simulator, arguments: tuple[str, ...]
) -> None:
    """A list that shows entries in double quotes needs `--quotes`, which the refusal names;
    either answer is enough."""
    refused = lists("keywords", *arguments)
    assert (refused.code, updates(simulator)) == (2, 0)
    assert REFUSAL in refused.err
    literal = lists("keywords", *arguments, "--quotes", "literal")
    simulator.keyword_lists[LIST]["searchTerms"] = SHOWN
    csv = lists("keywords", *arguments, "--quotes", "csv")
    assert [(done.code, REFUSAL in done.err) for done in (literal, csv)] == [(0, False)] * 2


@pytest.mark.parametrize(
    ("answer", "after"), [("csv", [MEANT[0], MEANT[2], "new"]), ("literal", [SHOWN[0], "new"])]
)
def test_named_entries(lists: CommandLine, answer: str, after: list[str]) -> None:
    """With csv, entries are named without the quotes that the list shows; with literal, as it
    shows them."""
    named = MEANT[1:2] if answer == "csv" else SHOWN[1:]
    done = lists("keywords", "remove", LIST, "--yes", "--quotes", answer, "--", *named)
    assert (done.code, "not in the list" in done.err) == (0, False)
    done = lists("keywords", "add", LIST, "new", "--yes", "--quotes", answer)
    assert records(done)[0]["added"] == ["new"]
    assert lists("keywords", "get", LIST, "--quotes", answer, "--output", "list.json").code == 0
    assert json.loads((lists.folder / "list.json").read_text("utf-8"))["terms"] == after


@pytest.mark.parametrize(
    "typed", [("sync", "lists", "--yes"), ("get", LIST, "profanity-list", "--output", "backup")]
)
def test_one_of_several_lists(lists: CommandLine, typed: tuple[str, ...]) -> None:
    """With several lists, the refusal names the list that shows the quotes, and the other lists
    are done."""
    done = lists("keywords", *typed, *(["--accept", "quotes"] if "sync" in typed else []))
    assert (done.code, f": {LIST} in the app at " in done.err, REFUSAL in done.err) == (
        2,
        True,
        True,
    )
    assert "1 added" in done.err or Path("backup/profanity-list.txt").exists()


def test_lists_without_quotes(lists: CommandLine, simulator: Simulator) -> None:
    """One answer is for several lists: in a list that shows no quotes, a new entry keeps the
    quotes of its file."""
    lists.write(f"lists/{LIST}.txt", "\n".join(MEANT))
    assert (
        lists("keywords", "sync", "lists", "--yes", "--quotes", "csv", "--accept", "quotes").code
        == 0
    )
    assert terms(simulator)[-1] == '"new"'
    assert terms(simulator, LIST) == SHOWN


def read_back(cli: CommandLine, keyword_id: str) -> set[str]:
    """The entries of a list, as `get` writes them to a file."""
    assert cli("keywords", "get", keyword_id, "--output", "back.txt", "--yes").code == 0
    return {*Path("back.txt").read_text("utf-8").splitlines()}


@pytest.mark.parametrize("answer", ["csv", "literal"])
def test_undo(lists: CommandLine, answer: str) -> None:
    """An undo needs no answer: the journal has the answer of the update. Another answer corrects
    it."""
    done = lists("keywords", "add", LIST, "see, new", "--yes", "--quotes", answer, *COMMA)
    assert records(done)[0]["undo"] == f"cometchat-desk keywords undo {LIST} 1"
    assert lists("keywords", "undo", LIST, "1", "--yes").code == 0
    meant = MEANT if answer == "csv" else SHOWN
    assert read_back(lists, LIST) == {*meant}
    assert lists("keywords", "undo", LIST, "1", "--yes", "--quotes", "csv").code == 0
    assert read_back(lists, LIST) == {*MEANT}


def test_undo_of_literal_quotes(lists: CommandLine, simulator: Simulator) -> None:
    """The printed undo takes back its update also if the update made a CSV file of a list with
    quotes of its own, which stay, even after the change of a colleague."""
    simulator.keyword_lists[LIST]["searchTerms"] = ['"hi there"', "spam"]
    assert lists("keywords", "add", LIST, "one, two", "--yes", *LITERAL, *COMMA).code == 0
    assert terms(simulator, LIST) == ['"""hi there"""', "spam", '"one, two"']
    simulator.keyword_lists[LIST]["searchTerms"].append("of a colleague")
    assert lists("keywords", "undo", LIST, "1", "--yes", *LITERAL).code == 0
    assert terms(simulator, LIST) == ['"hi there"', "spam", "of a colleague"]
    assert lists("keywords", "add", LIST, "one, two", "--yes", *COMMA).code == 0
    removed = lists("keywords", "remove", LIST, "one, two", "--yes")
    (record,) = records(removed)
    assert (record["removed"], terms(simulator, LIST)[0]) == (["one, two"], '"hi there"')
    assert lists(*shlex.split(record["undo"])[1:], "--yes").code == 0
    assert read_back(lists, LIST) == {'"hi there"', "spam", "of a colleague", "one, two"}


def test_literal_quotes_in_a_plan(lists: CommandLine, simulator: Simulator) -> None:
    """A plan says how many entries are sent with the quotes that the list shows, and a repeated
    answer adds no more quotes."""
    typed = ("keywords", "add", LIST, "--yes", *LITERAL, *COMMA)
    warning = "! 2 entries in double quotes would be sent with the quotes, as a part of the entry"
    assert warning in lists(*typed, "see, new").err
    once = terms(simulator, LIST)
    assert lists(*typed, "newer").code == 0
    assert terms(simulator, LIST) == [*once, "newer"]


@pytest.mark.parametrize(("answer", "entry"), [("csv", "see, above"), ("literal", "new")])
def test_answer_is_remembered(
    lists: CommandLine, simulator: Simulator, answer: str, entry: str
) -> None:
    """After a change, the answer is known as long as nobody else changes the list."""
    typed = ("keywords", "add", LIST, entry, "--yes", "--accept", "comma")
    assert [lists(*typed, *options).code for options in ((), ("--quotes", answer))] == [2, 0]
    simulator.keyword_lists[LIST]["searchTerms"].reverse()
    assert lists("keywords", "get", LIST, "--output", f"lists/{LIST}.txt", "--yes").code == 0
    entries = Path(f"lists/{LIST}.txt").read_text("utf-8").splitlines()
    assert {*entries} == {*(MEANT if answer == "csv" else SHOWN), entry}
    plans = (("sync", "lists", "--accept", "quotes"), ("apply", LIST, f"lists/{LIST}.txt"))
    assert [records(lists("keywords", *plan, "--dry-run"))[0]["outcome"] for plan in plans] == [
        "unchanged"
    ] * 2
    named = MEANT if answer == "csv" else SHOWN
    done = lists("keywords", "remove", LIST, named[1], "--yes")
    assert (done.code, 'quotes="csv": ' in done.err, len(terms(simulator, LIST))) == (
        0,
        answer == "csv",
        3,
    )
    assert [lists("keywords", "undo", LIST, "--yes", *to).code for to in ((), ("--to", "1"))] == [
        0,
        0,
    ]
    assert len(terms(simulator, LIST)) == 4
    simulator.keyword_lists[LIST]["searchTerms"].append('"theirs"')
    assert lists("keywords", "add", LIST, "newer", "--yes").code == 2


@pytest.mark.parametrize(
    ("typed", "entry"),
    [
        ("keywords search coins --list scam-patterns", "fr[e3]"),
        ("keywords try scam-patterns 'fr33 coins'", "fr[e3]"),
        ("reviewed explain 390076", "fr[e3]"),
        ("reviewed stats --by entry", "fr[e3]"),
        ("reviewed stats --by entry --unused", "a{1,3}b"),
        ("reviewed report --output report.html --yes", "fr[e3]"),
    ],
)
def test_commands_that_read(two: CommandLine, simulator: Simulator, typed: str, entry: str) -> None:
    """Commands that only read know the answer, too: they match and show patterns without the
    quotes of a CSV file."""
    assert two("keywords", "add", "scam-patterns", "a{1,3}b", "--app", "shop", "--yes").code == 0
    assert terms(simulator, "scam-patterns")[-1] == '"a{1,3}b"'
    done = two(*shlex.split(typed), "--app", "shop")
    shown = Path("report.html").read_text("utf-8") if "report" in typed else done.out
    assert (done.code, entry in shown, '\\"' in shown or "&#34;" in shown) == (0, True, False)


@pytest.mark.parametrize(
    "typed",
    [
        "keywords try scam-patterns 'fr33 coins'",
        "keywords try 'fr33 coins'",
        "reviewed explain 390076",
        "reviewed stats --by entry",
    ],
)
def test_commands_that_read_without_an_answer(
    two: CommandLine, simulator: Simulator, typed: str
) -> None:
    """Where nobody knows the answer, commands that only read leave out the quotes, and say so."""
    shown = [f'"{term}"' for term in terms(simulator, "scam-patterns")]
    simulator.keyword_lists["scam-patterns"]["searchTerms"] = shown
    done = two(*shlex.split(typed), "--app", "shop")
    assert (done.code, "fr[e3]" in done.out) == (0, True)
    note = (
        f"Note: scam-patterns shows {len(shown)} entries in double quotes, which are read without"
    )
    assert note in done.err


def test_history_of_quotes(two: CommandLine) -> None:
    """The history has only the entries that an update changed, not those that the list shows in
    the double quotes of a CSV file."""
    for entry in ("a{1,3}b", "louse"):
        assert two("keywords", "add", "scam-patterns", entry, "--app", "shop", "--yes").code == 0
    (shown,) = records(two("keywords", "history", "scam-patterns", "2", "--app", "shop"))
    assert (shown["added_entries"], shown["removed_entries"]) == (["louse"], [])


def test_entries_with_a_comma(cli: CommandLine, simulator: Simulator) -> None:
    """Entries in double quotes that hold a comma come from a CSV file, so another computer needs
    no answer."""
    simulator.keyword_lists[LIST]["searchTerms"] = ['"quick, loan"', "spam"]
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    assert read_back(cli, LIST) == {"quick, loan", "spam", "new"}
