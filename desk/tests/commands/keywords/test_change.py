"""`cometchat-desk keywords add` and `remove`: single entries of a list, in one app or in several
apps."""

from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
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
    assert done.out == (
        f"{LIST} updated: 4 removed (scam, free coins, Schimpfwort, malparido). Undo:\n"
        f"  cometchat-desk keywords undo {LIST} 1\n"
    )


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
        '{"category": "word", "terms": ["two words", "last"]}'
        if name.endswith("json")
        else "two words\nlast\n"
    )
    if name != "-":
        cli.write(name, content)
    done = cli(
        "keywords", "add", LIST, "--from", name, "--no-header", "--yes", "one", stdin=content
    )
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "one", "two words", "last"])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Schimpfwörter\nidiot\n", "header-row"),
        ("- idiot\n- moron\n", "list-item"),
        ("“idiot”\n“moron”\n“clown”\n", "quotes"),
    ],
)
def test_findings_about_a_file(cli: CommandLine, text: str, rule: str) -> None:
    """Additions from a file have the findings that the file has alone."""
    cli.write("words.txt", text)
    done = cli("keywords", "add", LIST, "new", "--from", "words.txt", "--yes")
    assert (done.code, f" {rule}: " in done.err, f"--accept {rule}" in done.err) == (2, True, True)


def test_errors_name_their_rules(cli: CommandLine) -> None:
    """Each error has a line with its rule, and the last line says how to accept all of them."""
    done = cli("keywords", "add", LIST, " new", "scam\u200bmer", " old", "--yes")
    assert (
        done.err.count("! error spaces: "),
        done.err.count("! error invisible-character: "),
    ) == (2, 1)
    assert "3 errors in the new entries (spaces, invisible-character)." in done.err
    assert done.err.endswith(
        "as they are, add --accept spaces --accept invisible-character. No update was sent.\n"
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
        ((LIST,), 2, "no entry was given: write each ENTRY after the LIST"),
        ((LIST, "--from", "pattern.json", "--from", "word.json"), 2, "the files have the categories pattern, word: use"),
        ((LIST, "spam", "--app", "shop,forum"), 3, "no app is named 'shop,forum'"),
        ((LIST, "-spam-"), 2, "No such option: -s"),
        ((LIST, "spam", "--dry"), 2, "No such option: --dry"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("command", ["add", "remove"])
def test_invalid_arguments(
    two: CommandLine,
    simulator: Simulator,
    command: str,
    typed: tuple[str, ...],
    code: int,
    fault: str,
) -> None:
    """Invalid arguments are refused in one line, before anything is sent."""
    for category in ("pattern", "word"):
        two.write(f"{category}.json", f'{{"category": "{category}", "terms": ["spam"]}}')
    done = two("keywords", command, *typed, "--yes")
    assert (done.code, done.out, simulator.requests) == (code, "", [])
    assert fault in done.line


def test_replace(cli: CommandLine, simulator: Simulator) -> None:
    """One update replaces an entry, and one undo takes it back."""
    done = cli("keywords", "replace", LIST, "scam", "scams", "--yes", "--format", "table")
    expected = f"{LIST} updated: 1 added (scams), 1 removed (scam). Undo:\n"
    assert (done.code, done.out.startswith(expected)) == (0, True)
    assert (updates(simulator), terms(simulator)) == (
        1,
        [*(entry for entry in BEFORE if entry != "scam"), "scams"],
    )
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert (updates(simulator), terms(simulator)) == (2, BEFORE)


def test_replace_in_several_apps(two: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """Each app keeps its other entries, also if the list has no other entry."""
    forum.keyword_lists[LIST]["searchTerms"] = ["scam"]
    done = two("keywords", "replace", LIST, "scam", "scams", "--all-apps", "--yes")
    assert (done.code, terms(forum), terms(simulator)[-1]) == (0, ["scams"], "scams")


def test_replace_where_the_entry_is(
    two: CommandLine, simulator: Simulator, forum: Simulator
) -> None:
    """An app whose list does not have the old entry does not get the new one."""
    forum.keyword_lists[LIST]["searchTerms"] = ["spam"]
    typed = ("keywords", "replace", LIST, "scam", "scams", "--all-apps", "--yes")
    done = two(*typed, "--format", "table")
    assert (done.code, terms(forum), terms(simulator)[-1]) == (0, ["spam"], "scams")
    assert f"forum: {LIST} does not have scam: no update was sent." in done.out


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("sacm", "scam"), 0, "1 entry to add is already in the list"),
        (("scam", "scam"), 0, "0 added, 0 removed"),
    ],
)
def test_replace_without_effect(
    cli: CommandLine, simulator: Simulator, words: tuple[str, str], code: int, text: str
) -> None:
    """A list as requested is not updated."""
    done = cli("keywords", "replace", LIST, *words, "--yes")
    assert (done.code, updates(simulator), terms(simulator)) == (code, 0, BEFORE)
    assert text in done.err


def test_several_files(cli: CommandLine, simulator: Simulator) -> None:
    """Each --from adds the entries of one more file."""
    cli.write("a.txt", "one\n")
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>two</t></is></c></row>'
    (cli.folder / "b.xlsx").write_bytes(workbook({**PARTS, FIRST: sheet(row)}))
    files = ("--from", "a.txt", "--from", "b.xlsx")
    assert cli("keywords", "add", LIST, *files, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "one", "two"]
    assert cli("keywords", "remove", LIST, *files, "--yes").code == 0
    assert terms(simulator) == BEFORE


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
    assert "6 of 7 entries (85.7%) would be removed; by default, --max-removed allows" in done.err
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


@pytest.mark.parametrize("typed", [("remove", LIST, "scam"), ("replace", LIST, "scam", "scams")])
def test_empty_list(cli: CommandLine, simulator: Simulator, typed: tuple[str, ...]) -> None:
    """An empty list has no entry to remove or to replace: the result names the entry, and nothing
    is sent."""
    simulator.keyword_lists[LIST]["searchTerms"] = []
    done = cli("keywords", *typed, "--yes")
    (record,) = records(done)
    assert (done.code, record["outcome"], record["absent"]) == (0, "unchanged", ["scam"])
    done = cli("keywords", *typed, "--yes", "--format", "table")
    assert done.out == f"{LIST} does not have scam: no update was sent.\n"
    assert updates(simulator) == 0


def test_entry_with_a_byte_order_mark(cli: CommandLine, simulator: Simulator) -> None:
    """A list whose first entry has the mark of a file can be changed, restored and saved; the plan
    shows the mark when the entry is removed."""
    polluted = ["\ufeffspam", "\u200b", "scam"]
    simulator.keyword_lists[LIST]["searchTerms"] = polluted
    assert cli("keywords", "add", LIST, "phishing", "--yes").code == 0
    assert terms(simulator) == [*polluted, "phishing"]
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert cli("keywords", "get", LIST, "--output", "list.txt").code == 0
    removed = cli("keywords", "remove", LIST, "\ufeffspam", "--yes")
    assert (removed.code, "- '\\ufeffspam'" in removed.err) == (0, True)
    assert terms(simulator) == polluted[1:]
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert cli("keywords", "undo", LIST, "--to", "0", "--yes").code == 0
    assert terms(simulator) == polluted


def test_hidden_entries(cli: CommandLine, simulator: Simulator) -> None:
    """If the service does not show the entries, nothing is sent."""
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    done = cli("keywords", "add", "threat-sentences", "Go.", "--yes")
    assert done.code == 2
    assert "the service does not show the entries" in done.line
    assert updates(simulator) == 0


@pytest.mark.parametrize("command", ["add", "remove"])
def test_list_of_another_category(cli: CommandLine, simulator: Simulator, command: str) -> None:
    """For a list whose category no update can send, the error says so, and advises no other
    command."""
    prompt: Any = simulator.keyword_lists[LIST]
    prompt.update(category="open-ai", searchTerms=[])
    done = cli("keywords", command, LIST, "spam", "--yes")
    assert (done.code, updates(simulator)) == (2, 0)
    assert "the list has category 'open-ai'; only lists of category word, " in done.line
    assert "keywords apply" not in done.line


def test_list_that_changes_in_between(
    cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If somebody changes the list after the plan, no update is sent, and the message says
    so."""
    change_between(simulator, monkeypatch, "theirs")
    done = cli("keywords", "add", LIST, "mine", "--yes")
    assert (done.code, updates(simulator), terms(simulator)) == (6, 0, [*BEFORE, "theirs"])
    assert "the list has changed since the plan was made" in done.err
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


def test_one_undo_for_several_apps(
    two: CommandLine, simulator: Simulator, forum: Simulator
) -> None:
    """After updates of several apps, a note names the one command that undoes all of them."""
    done = two("keywords", "add", LIST, "phishing", "--all-apps", "--yes")
    assert (
        "Note: to undo these 2 updates together: cometchat-desk keywords undo --command "
        in done.err
    )
    number = done.err.split()[-1]
    assert two("keywords", "undo", "--command", number, "--yes").code == 0
    assert terms(simulator) == terms(forum) == BEFORE


@pytest.mark.parametrize("typed", [("add", LIST, ""), ("replace", LIST, "spam", " ")])
def test_blank_entry(cli: CommandLine, simulator: Simulator, typed: tuple[str, ...]) -> None:
    """A blank entry, for example an empty variable, is refused before any request."""
    done = cli("keywords", *typed, "--yes")
    assert (done.code, simulator.requests) == (2, [])
    assert "an entry is blank: write at least one letter or sign" in done.line
