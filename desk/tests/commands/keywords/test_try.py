"""`cometchat-desk keywords try`: output formats, categories, and bad input."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.lists.workbooks import to_workbook
from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, tried

RULES = "the service does not document how it matches."


def test_known_answers(cli: CommandLine, simulator: Simulator) -> None:
    """On a generated history, the live list comes from the service, and the counts are the known
    answers."""
    simulator.reviewed_messages = []
    history = simulator.add_history(days=14, end=datetime(2026, 11, 22, tzinfo=UTC))
    live: Any = simulator.keyword_lists[history.keyword_list_id]
    kept = [term for term in live["searchTerms"] if term not in history.false_positive_terms]
    cli.write("new.txt", "\n".join([*kept, *history.unlisted_terms]))
    assert cli("reviewed", "export", "--output", "all.jsonl", "--limit", "1000").code == 0
    done = cli("keywords", "try", history.keyword_list_id, "new.txt", "--records", "all.jsonl")
    (result,) = [json.loads(line) for line in done.out.splitlines()]
    assert result["messages"] == history.messages
    terms = {each["term"]: each for each in result["terms"]}
    assert {
        term: terms[term]["affected"] for term in history.unlisted_terms
    } == history.by_unlisted_term
    removed = {
        term: (terms[term]["affected"], terms[term]["approved"])
        for term in history.false_positive_terms
    }
    assert removed == {
        term: (history.by_term[term], history.approved_by_term[term]) for term in removed
    }
    assert RULES in done.err
    assert "Note: an export holds only messages that a rule has found already;" in done.err


def test_table(cli: CommandLine, chat_log: Path) -> None:
    """The table shows totals with rounded shares, each changed term with an example, and the
    rules of matching."""
    chat_log.write_text(f"{chat_log.read_text()}hello\nhello\n")
    done = tried(cli, "--records", str(chat_log), "--format", "table")
    assert (done.code, RULES in done.line) == (0, True)
    assert done.out.startswith(
        "now: profanity-list, word, 2 entries\nnew: new.txt, word, 2 entries\n"
    )
    assert "7 messages, 1 matched by both lists" in done.out
    assert "+ 1 newly matched (14.3%)" in done.out
    assert "- 1 no longer matched (14.3%)" in done.out
    assert "no moderation status" in done.out
    (row,) = [line.split() for line in done.out.splitlines() if line.startswith("phishing")]
    assert row == ["phishing", "+1", "?", "phishing,", "phishing"]
    cli.write("new.txt", "spam\nscam\nno\n")
    row = tried(cli, "--records", str(chat_log), "--format", "table").out.splitlines()[-2:]
    assert (
        " ".join(" ".join(row).split()) == "no +0 ? 1 message contains it; other entries match it"
    )


def test_csv(cli: CommandLine, chat_log: Path) -> None:
    """CSV has a row for each changed term."""
    rows = list(
        csv.DictReader(io.StringIO(tried(cli, "--records", str(chat_log), "--format", "csv").out))
    )
    found = [(row["term"], row["change"], row["affected"]) for row in rows]
    assert found == [("phishing", "added", "1"), ("scam", "removed", "1")]


def test_category_of_the_lists(cli: CommandLine) -> None:
    """The new list has the category of its file, of the live list, or the one that was given."""
    cli.write("new.txt", r"\d{4}" + "\n(?=x)\n")
    cli.write("chat.txt", "1234\n")
    done = cli("keywords", "try", "scam-patterns", "new.txt", "--records", "chat.txt")
    result = json.loads(done.out)
    assert (result["category"], result["new_category"], result["newly_matched"]) == (
        "pattern",
        "pattern",
        1,
    )
    assert result["unsupported"] == ["(?=x)"]
    shown = cli(
        "keywords", "try", "scam-patterns", "new.txt", "--records", "chat.txt", "--format", "table"
    ).out
    assert "! 1 pattern was not used, because RE2 does not compile it: (?=x)\n" in shown
    cli.write("new.json", '{"category": "sentence-similarity", "terms": ["Go away."]}')
    result = json.loads(
        cli("keywords", "try", "profanity-list", "new.json", "--records", "chat.txt").out
    )
    assert (result["new_category"], result["sentences"]) == ("sentence-similarity", 1)
    assert tried(cli, "--against", "new.txt", "--records", "chat.txt", "--category", "x").code == 2


def test_category_of_a_text_file(cli: CommandLine) -> None:
    """The settings beside a file name its category."""
    cli.write("patterns/old.txt", r"\d{4}" + "\n")
    cli.write("chat.txt", "1234\n")
    arguments = (
        "keywords",
        "try",
        "any",
        "patterns/old.txt",
        "--against",
        "patterns/old.txt",
        "--records",
        "chat.txt",
    )
    cli.write("patterns/cometchat-lint.toml", '[categories]\n"*" = "pattern"\n')
    done = cli(*arguments)
    assert (json.loads(done.out)["category"], json.loads(done.out)["matched_by_both"]) == (
        "pattern",
        1,
    )


def test_additions(cli: CommandLine, chat_log: Path) -> None:
    """A file is the whole new list; with --additions, its entries are added to the list."""
    cli.write("new.txt", "phishing\n")
    done = tried(cli, "--records", str(chat_log))
    assert json.loads(done.out)["no_longer_matched"] == 2
    done = tried(cli, "--records", str(chat_log), "--additions")
    result = json.loads(done.out)
    assert (result["newly_matched"], result["no_longer_matched"]) == (1, 0)


def test_list_from_standard_input(cli: CommandLine, chat_log: Path) -> None:
    """The new list can come from standard input."""
    arguments = (
        "keywords",
        "try",
        "any",
        "-",
        "--against",
        "old.txt",
        "--records",
        "old.txt",
        "--records",
    )
    done = cli(*arguments, str(chat_log), stdin="phishing\n")
    assert (json.loads(done.out)["new_terms"], json.loads(done.out)["newly_matched"]) == (1, 1)


def test_text(cli: CommandLine, chat_log: Path) -> None:
    """A text shows which entries of the list it contains; with --records, it is a new entry of
    the list."""
    done = cli("keywords", "try", "profanity-list", "Free coins, no SPAM!", "--format", "csv")
    assert (done.code, done.out.split("\n")) == (
        0,
        ["app,list,term,start,end", f",{LIST},free coins,0,10", f",{LIST},spam,15,19", ""],
    )
    assert done.err.startswith("The text contains entries of profanity-list: free coins, spam.\n")
    done = cli("keywords", "try", "profanity-list", "hello", "--format", "table")
    assert (done.code, RULES in done.line) == (0, True)
    assert done.out == "The text contains no entry of profanity-list.\n"
    assert (
        "entries of any: spam." in cli("keywords", "try", "any", "spam", "--against", "old.txt").err
    )
    result = json.loads(
        cli("keywords", "try", "profanity-list", "phishing", "--records", str(chat_log)).out
    )
    assert [(term["term"], term["change"], term["affected"]) for term in result["terms"]] == [
        ("phishing", "added", 1)
    ]
    assert cli("keywords", "try", "profanity-list", "gone.txt").code == 2
    done = cli(
        "keywords", "try", "profanity-list", "scam", "--records", str(chat_log), "--format", "table"
    )
    assert (
        "already has all these entries" in done.err,
        "\nnew: scam, word, 6 entries\n" in done.out,
    ) == (
        True,
        True,
    )
    answer = "no entry of threat-sentences. But 3 sentences were not matched.\n"
    assert answer in cli("keywords", "try", "threat-sentences", "I know where you live").err


def test_since(cli: CommandLine, simulator: Simulator) -> None:
    """--since leaves out older messages, and needs messages with times."""
    simulator.add_reviewed_message("phishing now", sender="erin", status="approved")
    cli.write("new.txt", "phishing\n")
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    arguments = ("keywords", "try", "profanity-list", "new.txt", "--records", "all.jsonl")
    done = cli(*arguments, "--since", "2100-01-01")
    assert (done.code, done.out, "no message since 2100-01-01 has a text" in done.line) == (
        2,
        "",
        True,
    )
    assert json.loads(cli(*arguments, "--since", "2020-01-01").out)["newly_matched"] == 1
    assert cli(*arguments, "--since", "soon").code == 2
    assert (
        cli(
            "keywords", "try", "profanity-list", "new.txt", "--records", "new.txt", "--since", "7d"
        ).code
        == 2
    )


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (("gone-list", "new.txt", "--records", "chat.txt"), 5, "gone-list"),
        (("profanity-list", "new.txt", "--records", "gone.jsonl"), 11, "gone.jsonl"),
        (
            ("profanity-list", "new.txt", "--records", "new.pdf"),
            2,
            "in a .jsonl, .jsonl.gz or .csv file",
        ),
        (("profanity-list", "new.txt", "--records", "empty.txt"), 2, "no message has a text"),
        (("profanity-list", "new.txt"), 2, "--records"),
    ],
)
def test_bad_input(
    cli: CommandLine, chat_log: Path, arguments: tuple[str, ...], code: int, fault: str
) -> None:
    """Each mistake gives one line that names it, and its exit code."""
    assert chat_log.exists()
    cli.write("empty.txt", "\n\n")
    cli.write("new.pdf", "x")
    done = cli("keywords", "try", *arguments)
    assert (done.code, done.out) == (code, "")
    assert fault in done.line


def test_long_lists_of_terms(cli: CommandLine) -> None:
    """The table shows the first 50 terms, and CSV all of them."""
    terms = [f"term{number}" for number in range(60)]
    cli.write("new.txt", "\n".join(terms))
    cli.write("old.txt", "other\n")
    cli.write("chat.txt", "\n".join(terms))
    out = tried(cli, "--records", "chat.txt", "--format", "table").out
    assert out.count("+1") == 50
    assert "... and 10 more entries; --format csv shows them" in out
    assert len(tried(cli, "--records", "chat.txt", "--format", "csv").out.splitlines()) == 61


def test_text_in_all_lists(cli: CommandLine, simulator: Simulator) -> None:
    """A text alone is tried on all lists that are known here, and a note says so."""
    simulator.keyword_lists["scam-patterns"]["searchTerms"] = ["fr[e3]e c"]
    for keyword_id in ("profanity-list", "scam-patterns"):
        assert cli("keywords", "add", keyword_id, "entry", "--yes").code == 0
    done = cli("keywords", "try", "Free coins! fr3e c", "--format", "csv")
    rows = [(row["list"], row["term"]) for row in csv.DictReader(io.StringIO(done.out))]
    assert ("profanity-list", "free coins") in rows
    assert ("scam-patterns", "fr[e3]e c") in rows
    assert "only lists that are known here were tried" in done.err
    assert "the service cannot name its lists" in done.err


def test_gate(cli: CommandLine, chat_log: Path) -> None:
    """With --fail-above, a share of newly matched messages above the limit is exit code 1, with
    one sentence; the result is shown in any case."""
    done = tried(cli, "--records", str(chat_log), "--fail-above", "19.9%")
    assert (done.code, json.loads(done.out)["newly_matched"]) == (1, 1)
    assert "newly matches 20% of the messages, and --fail-above allows 19.9%" in done.err
    done = tried(cli, "--records", str(chat_log), "--fail-above", "20%")
    assert (done.code, "--fail-above" in done.err) == (0, False)
    assert tried(cli, "--records", str(chat_log), "--fail-above", "20").code == 2
    without_messages = cli("keywords", "try", LIST, "phishing", "--fail-above", "20%")
    assert (without_messages.code, "name the messages" in without_messages.line) == (2, True)


def test_newly_matched_messages(cli: CommandLine, simulator: Simulator, chat_log: Path) -> None:
    """The newly matched messages go to a file, or as plain lines to another program."""
    done = tried(cli, "--records", str(chat_log), "--output", "-")
    assert (done.code, done.out) == (0, "phishing, phishing\n")
    assert tried(cli, "--records", str(chat_log), "--output", "hits.txt").code == 0
    assert Path("hits.txt").read_text("utf-8") == "phishing, phishing\n"
    assert tried(cli, "--records", str(chat_log), "--output", "hits.txt").code == 2
    simulator.add_reviewed_message("=phishing", sender="erin")
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    done = tried(cli, "--records", "all.jsonl", "--output", "hits.csv", "--yes")
    assert done.code == 0
    (row,) = csv.DictReader(io.StringIO(Path("hits.csv").read_text("utf-8-sig")))
    assert (row["sender"], row["text"]) == ("erin", "'=phishing")
    assert tried(cli, "--records", str(chat_log), "--output", "hits.pdf").code == 2


@pytest.mark.usefixtures("chat_log")
def test_chat_log_with_a_named_column(cli: CommandLine) -> None:
    """A chat log in CSV or JSON Lines names its texts with --column, as the list has no columns."""
    cli.write("log.csv", "who;body\nann;phishing\nbob;hello\n")
    cli.write("log.jsonl", '{"who": "ann", "body": "phishing"}\n{"body": "hello"}\n')
    for name in ("log.csv", "log.jsonl"):
        done = tried(cli, "--records", name, "--column", "body")
        result = json.loads(done.out)
        assert (result["messages"], result["newly_matched"]) == (2, 1)
    assert "--messages-column" in tried(cli, "--records", "log.csv").line
    done = tried(cli, "--records", "log.csv", "--column", "bdoy", "--fail-above", "100%")
    assert (done.code, "has no column 'bdoy'" in done.line) == (2, True)


@pytest.mark.parametrize("name", ["lst.csv", "lst.json", "lst.xlsx"])
def test_columns_of_list_and_messages(cli: CommandLine, name: str) -> None:
    """A list and its messages may have columns with different names."""
    cli.write("lst.csv", "Nr;Word\n1;phishing\n")
    cli.write("lst.json", '[{"Nr": 1, "Word": "phishing"}]')
    Path("lst.xlsx").write_bytes(to_workbook([["Nr", "Word"], ["1", "phishing"]]))
    for text in ("old.txt", "new.txt"):
        cli.write(text, "spam\n")
    cli.write("chat.csv", "who,body\nann,phishing\nbob,hello\n")
    words = ("keywords", "try", LIST, name, "--column", "Word")
    command = (*words, "--records", "chat.csv", "--against", "old.txt")
    result = json.loads(cli(*command, "--messages-column", "body").out)
    assert (result["new_terms"], result["messages"], result["newly_matched"]) == (1, 2, 1)
    assert "name the column of the messages with --messages-column" in cli(*command).line
    done = tried(cli, "--records", "chat.csv", "--column", "Word", "--messages-column", "body")
    assert (done.code, "--column: the list has no columns" in done.line) == (2, True)


def test_text_that_ends_in_the_name_of_a_file(cli: CommandLine) -> None:
    """A text with a space that is not a file is a message."""
    done = cli("keywords", "try", LIST, "no spam, please read readme.txt")
    assert (done.code, "entries of profanity-list: spam." in done.err) == (0, True)
    cli.write("new words.txt", "spam\n")
    assert "name the messages" in cli("keywords", "try", LIST, "new words.txt").line


def test_entries_as_plain_lines(cli: CommandLine) -> None:
    """`get --output -` writes the entries of a list as plain lines, and nothing else."""
    done = cli("keywords", "get", LIST, "--output", "-")
    assert (done.code, done.out.splitlines(), done.err) == (0, BEFORE, "")


def test_list_that_is_not_active(cli: CommandLine, simulator: Simulator) -> None:
    """An answer says if a list with the entry is not active, so that it blocks nothing."""
    simulator.keyword_lists["profanity-list"]["active"] = False
    found = cli("keywords", "try", "profanity-list", "a scam")
    assert "But this list is not active, so it blocks nothing now." in found.err
    assert "not active" not in cli("keywords", "try", "profanity-list", "nothing").err


def test_live_list_on_messages(cli: CommandLine) -> None:
    """Without a new list, the live list is tried on the messages; a file in the place of the text
    is not taken as a text."""
    cli.write("chat.csv", "time,body\n1,you scam\n2,hello\n")
    messages = ("--records", "chat.csv", "--messages-column", "body")
    done = cli("keywords", "try", "profanity-list", *messages, "--output", "-")
    assert (done.code, done.out) == (0, "you scam\n")
    assert (
        "profanity-list, word, 6 entries"
        in cli("keywords", "try", "profanity-list", *messages, "--format", "table").out
    )
    refused = cli("keywords", "try", "chat.csv")
    assert (refused.code, "chat.csv is a file: name the LIST first" in refused.line) == (2, True)
