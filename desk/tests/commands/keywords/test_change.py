"""`cometchat-desk keywords add` and `remove`: single entries of a list, in one app or in several
apps."""

from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from ...lists.test_workbooks import FIRST, PARTS, sheet, workbook
from .conftest import BEFORE, LIST, records, terms, updates


def change_between(simulator: Simulator, monkeypatch: pytest.MonkeyPatch, added: str) -> None:
    """Let somebody else change the entries after the first plan."""
    receive = simulator.receive

    def meddle(request: Any) -> Any:
        if len(simulator.requests) == 1:
            record = simulator.keyword_lists[LIST]
            simulator.keyword_lists[LIST] = {
                **record,
                "searchTerms": [*BEFORE, added],
                "revisionId": "theirs",
            }
        return receive(request)

    monkeypatch.setattr(simulator, "receive", meddle)


def test_add(cli: CommandLine, simulator: Simulator) -> None:
    """Words are added after the entries that the list has; the plan is on stderr, the result on
    stdout."""
    done = cli("keywords", "add", LIST, "--yes", "--", "phishing", "get rich quick")
    assert done.code == 0
    assert terms(simulator) == [*BEFORE, "phishing", "get rich quick"]
    assert "+ phishing\n+ get rich quick\n2 added, 0 removed, 6 unchanged\n" in done.err
    (record,) = records(done)
    assert (record["outcome"], record["added"], record["removed"]) == (
        "updated",
        ["phishing", "get rich quick"],
        [],
    )
    assert record["previous_revision"].endswith("_1")
    assert record["revision_id"].endswith("_2")
    assert (record["exit_code"], record["error"]) == (0, None)


def test_remove(cli: CommandLine, simulator: Simulator) -> None:
    """Named entries are removed without a limit; the others keep their order."""
    done = cli("keywords", "remove", LIST, "--yes", "--format", "table", "--", *BEFORE[1:5])
    assert (done.code, terms(simulator)) == (0, ["spam", "バカ"])
    assert done.out == f"{LIST} updated: 4 removed. Undo:\n  cometchat-desk keywords undo {LIST}\n"


def test_entries_that_need_no_change(cli: CommandLine, simulator: Simulator) -> None:
    """Entries that are already there, or not there, are shown as warnings. If no others remain,
    nothing is sent."""
    done = cli("keywords", "add", LIST, "--yes", "--", "spam", "new")
    assert "! 1 entry to add is already in the list:\n!   spam\n" in done.err
    done = cli("keywords", "remove", LIST, "--yes", "--", "sapm", "new")
    assert "! 1 entry to remove is not in the list:\n!   sapm\n" in done.err
    sent = updates(simulator)
    done = cli("keywords", "add", LIST, "spam", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")
    done = cli("keywords", "remove", LIST, "sapm")
    assert "! 1 entry to remove is not in the list:\n!   sapm\n" in done.err
    (record,) = records(done)
    assert (done.code, record["outcome"], record["absent"], updates(simulator)) == (
        0,
        "unchanged",
        ["sapm"],
        sent,
    )
    done = cli("keywords", "remove", LIST, "sapm", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} does not have sapm: no update was sent.\n")


@pytest.mark.parametrize("name", ["words.txt", "words.csv", "words.json", "-"])
def test_from_a_file(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """Entries come from a file or from standard input, after those of the arguments."""
    content = (
        '{"category": "word", "terms": ["two words", "b"]}'
        if name.endswith("json")
        else "two words\nb\n"
    )
    if name != "-":
        cli.write(name, content)
    done = cli(
        "keywords", "add", LIST, "--from", name, "--no-header", "--yes", "--", "a", stdin=content
    )
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "a", "two words", "b"])


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("words.txt.csv\nmoron.txt\n", "warning file-name"),
        ("Schimpfwörter\nidiot\n", "error header-row"),
        ("term\nidiot\n", "error header-row"),
        ("- idiot\n- moron\n", "error list-item"),
        ("“idiot”\n“moron”\n“clown”\n", "error quotes"),
    ],
)
def test_findings_about_a_file(cli: CommandLine, text: str, severity: str) -> None:
    """Additions from a file have the findings that the file has alone, and its errors stop them."""
    cli.write("words.txt", text)
    done = cli("keywords", "add", LIST, "new", "--from", "words.txt")
    assert f"! {severity}: " in done.err
    asked_for_confirmation = "Standard input is not a terminal" in done.err
    assert asked_for_confirmation == severity.startswith("warning")


def test_errors_name_their_rules(cli: CommandLine) -> None:
    """Each error has a line with its rule, and the last line says how to accept all of them."""
    done = cli("keywords", "add", LIST, " new", "scam\u200bmer", " old")
    assert (
        done.err.count("! error spaces: "),
        done.err.count("! error invisible-character: "),
    ) == (2, 1)
    assert (
        "3 errors in the new entries (spaces, invisible-character). Correct the entries" in done.err
    )
    assert done.err.endswith(
        "as they are, add --accept spaces --accept invisible-character. No update was sent.\n"
    )
    done = cli("keywords", "add", LIST, "a\tb")
    assert (
        "holds a tab, which begins a column: name one with --column, or put each entry in its own line"
        in done.err
    )
    done = cli("keywords", "add", "scam-patterns", "spam.*")
    assert (
        "! error unbounded-pattern: 'spam.*' has *, + or {n,}; the vendor's dashboard refuses that"
        in done.err
    )


def test_category_of_a_file(cli: CommandLine, simulator: Simulator) -> None:
    """Entries of a JSON file for another category are refused."""
    cli.write("words.json", '{"category": "pattern", "terms": ["a+"]}')
    done = cli("keywords", "add", LIST, "--from", "words.json", "--yes")
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert "is a list of category word, and the file holds entries of category pattern" in done.line


def test_entry_that_looks_like_an_option(cli: CommandLine, simulator: Simulator) -> None:
    """A file may hold any entry."""
    done = cli("keywords", "add", LIST, "--yes", "--from", "-", stdin="--all-apps\n")
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "--all-apps"])


def test_file_with_the_name_of_the_list(cli: CommandLine, simulator: Simulator) -> None:
    """A file beside the user may have the name of the list; the list is meant."""
    assert cli("keywords", "get", LIST, "--output", f"{LIST}.txt").code == 0
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "new"]


@pytest.mark.parametrize(
    ("typed", "code", "fault"),
    [
        ((LIST,), 2, "no entry was given: write TERM arguments, or use --from FILE"),
        ((LIST, "a", " "), 2, "TERM 2 is blank"),
        ((LIST, "a\udcff"), 2, "TERM 1 is not valid UTF-8"),
        ((LIST, "\u2013dry-run", "a"), 2, "\u2013dry-run is not an entry: write --dry-run, before any --"),
        ((LIST, "a", "--", "-b", "--app=shop"), 2, "--app=shop is not an entry: write --app"),
        ((LIST, "a", "yes"), 2, "yes may be meant as --yes: write that. For an entry with this text, write -- before"),
        ((LIST, "a", "help"), 2, "help may be meant as --help"),
        ((LIST, "b"), 2, "--from b.json"),
        ((LIST, "here"), 2, f"keywords COMMAND {LIST} --from here"),
        ((LIST, "*.txt"), 2, "*.txt does not exist: check the name"),
        ((LIST, "home"), 2, "home is the name of a folder: name its files. For an entry with this text, write --"),
        ((LIST, "--from", "b.json", "c.json"), 2, f"keywords COMMAND {LIST} --from b.json --from c.json"),
        ((LIST, "one1,two2"), 2, "one1,two2 has a comma and no space: write a space between two entries, or use"),
        ((LIST, "+phish"), 2, "+phish begins with a plus sign, as in a difference: leave the sign out. For an entry"),
        ((LIST, "a", "/free/i"), 2, "/free/i is a regular expression between slashes: leave the slashes out"),
        ((LIST, "~/words.CSV"), 2, "home/words.CSV does not exist: check the name"),
        ((LIST, "@words.xlsx"), 2, "words.xlsx does not exist"),
        ((LIST, "a", "file:words.tsv"), 2, "words.tsv does not exist"),
        (("words.json", "a.txt"), 2, "words.json does not exist, and the LIST is missing"),
        (("b.json", "a"), 2, "is the name of a file, and the LIST is missing. For an entry with this text"),
        ((LIST, "idiot,", "moron"), 2, "idiot, ends in a comma or a semicolon: write only spaces between entries"),
        ((LIST, "--accept", "spaces", "a", "--config", "b", "--config", "c"), 2, "--config is there twice"),
        ((LIST, "--from", "c.json", "--from", "b.json"), 2, "the files have different categories: pattern, word"),
        ((LIST, "forum", "spam", "--app", "shop"), 2, "use --app shop --app forum. For an entry with this text"),
        ((LIST, "spam", "--app", "shop", "--", "-x-", "forum"), 2, "forum is the name of an app"),
        ((LIST, "shop", "Forum"), 2, "shop, forum are names of apps: for several apps, use --app shop --app forum."),
        ((LIST, "spam", "--app", "shop,forum"), 3, "For several apps, repeat the option: --app shop --app forum."),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("command", ["add", "remove"])
def test_invalid_entries(
    cli: CommandLine,
    simulator: Simulator,
    command: str,
    typed: tuple[str, ...],
    code: int,
    fault: str,
) -> None:
    """What is no entry, or is meant for something else, is refused in one line before anything
    is sent."""
    cli.profiles(app("shop", simulator) + app("forum", simulator))
    cli.write("here", "spam\n")
    for name, category in (("b.json", "pattern"), ("c.json", "word")):
        cli.write(name, f'{{"category": "{category}", "terms": ["spam"]}}')
    done = cli("keywords", command, *typed[:1], "--yes", *typed[1:])
    assert (done.code, done.out) == (code, "")
    assert fault.replace("COMMAND", command) in done.line
    assert simulator.requests == []


@pytest.mark.parametrize("command", ["add", "remove"])
def test_name_of_a_list(cli: CommandLine, simulator: Simulator, command: str) -> None:
    """The name of a list that was updated here is refused as an entry, except after --."""
    assert cli("keywords", "add", "scam-patterns", "spam", "--yes").code == 0
    done = cli("keywords", command, LIST, "scam-patterns", "foo")
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert "scam-patterns is the name of a list: name one at a time." in done.line
    assert cli("keywords", command, LIST, "--yes", "--", "scam-patterns").code == 0


@pytest.mark.parametrize("command", ["add", "remove"])
def test_list_and_word_swapped(cli: CommandLine, command: str) -> None:
    """If there is no such list, the message says that the list stands before the entries."""
    done = cli("keywords", command, "phishing", LIST, "--yes")
    assert done.code == 5
    assert "The LIST stands first, then the entries" in done.err


def test_remarks_before_the_question(cli: CommandLine) -> None:
    """A remark says that words without quotes are single entries."""
    done = cli("keywords", "remove", LIST, "free", "money")
    assert "! each of the 2 words is an entry; a phrase needs quotes: 'free money'" in done.err
    assert "words is an entry" not in cli("keywords", "add", LIST, "free money", "scam").err


def test_several_files(cli: CommandLine, simulator: Simulator) -> None:
    """Each --from adds the entries of one more file, and each --sheet those of one more sheet."""
    cli.write("a.txt", "one\n")
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>{}</t></is></c></row>'
    parts = {
        **PARTS,
        FIRST: sheet(row.format("two")),
        "xl/worksheets/sheet2.xml": sheet(row.format("three")),
    }
    (cli.folder / "b.xlsx").write_bytes(workbook(parts))
    assert cli("keywords", "add", LIST, "--from", "a.txt", "--yes").code == 0
    options = ("--sheet", "Words", "--sheet", "Dates", "--no-header")
    assert cli("keywords", "add", LIST, "--from", "b.xlsx", *options, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "one", "two", "three"]
    cli.write("c.csv", "four\n")
    assert cli("keywords", "remove", LIST, "--from", "a.txt", "--from", "c.csv", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "two", "three"]


def test_removals_of_a_file(cli: CommandLine, simulator: Simulator) -> None:
    """Removals from a file have the limit of apply; entries that the user names have only that
    of --max-removed."""
    before = simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, "phishing"]
    cli.write("words.txt", "\n".join(before[1:]))
    done = cli("keywords", "remove", LIST, "--from", "words.txt", "--yes")
    assert (done.code, terms(simulator)) == (6, before)
    assert (
        cli("keywords", "remove", LIST, "--yes", "--max-removed", "10%", "--", *before[:2]).code
        == 6
    )
    assert (
        "would remove 6 of 7 entries (85.7%), and by default, it may remove a fifth of the entries, or"
        in done.err
    )
    assert (
        cli("keywords", "remove", LIST, "--from", "words.txt", "--yes", "--max-removed", "86%").code
        == 0
    )
    assert terms(simulator) == before[:1]


def test_all_entries_removed(cli: CommandLine, simulator: Simulator) -> None:
    """A list cannot become empty; the message says what to do."""
    done = cli("keywords", "remove", LIST, "--yes", "--", *BEFORE)
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert done.line.endswith("an empty list cannot be sent; keep at least one entry")


def test_hidden_entries(cli: CommandLine, simulator: Simulator) -> None:
    """If the service does not show the entries, nothing is sent."""
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    done = cli("keywords", "add", "threat-sentences", "Go.", "--yes")
    assert done.code == 2
    assert "the service does not show the entries" in done.line
    assert updates(simulator) == 0


def test_list_that_changes_in_between(
    cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If somebody changes the list after the plan, no update is sent, and the message says to
    run the command again."""
    change_between(simulator, monkeypatch, "theirs")
    done = cli("keywords", "add", LIST, "mine", "--yes")
    assert (done.code, updates(simulator), terms(simulator)) == (6, 0, [*BEFORE, "theirs"])
    assert done.err.endswith("Run the command again: it shows the new plan.\n")
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "theirs", "mine"]


def test_unknown_outcome(cli: CommandLine, simulator: Simulator) -> None:
    """If the outcome is unknown, the code is 12, and the advice is to look at the list before
    another attempt."""
    simulator.fail("update_keyword_list", status=504)
    done = cli("keywords", "add", LIST, "mine", "--yes")
    (record,) = records(done)
    assert (done.code, record["outcome"], record["added"]) == (12, "unknown", ["mine"])
    texts = (record["error"], done.err)
    look = f"look at the list with cometchat-desk keywords get {LIST} before you try"
    assert [look in text for text in texts] == [True] * 2
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "mine"]


def test_each_app_keeps_its_entries(
    three: CommandLine, simulator: Simulator, forum: Simulator
) -> None:
    """The same words are added to several apps with one question, and each app keeps its own
    words."""
    done = three(
        "keywords", "add", LIST, "--app", "shop", "--app", "forum", "--yes", "--", "one", "two"
    )
    assert [(each["app"], each["outcome"]) for each in records(done)] == [
        ("shop", "updated"),
        ("forum", "updated"),
    ]
    assert terms(simulator) == [*BEFORE, "one", "two"]
    assert terms(forum) == ["own word", "scam", "one", "two"]
    assert f"# shop ({simulator.base_url})\n" in done.err
    assert f"# forum ({forum.base_url})\n" in done.err
