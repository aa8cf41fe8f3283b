"""`cometchat-desk reviewed explain`: from the service and from files, in each format, and with
bad input."""

import csv
import io
import json
import re
import unicodedata
from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app, first_text
from ...pseudo_terminal import Terminal, screen_of, text_of

RULES = "the service does not document how it matches."


@pytest.fixture
def blocked(simulator: Simulator) -> str:
    """The identifier of a message that the rule with the list profanity-list blocked."""
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = "👋 FREE coins, no scam"
    return str(record["message"]["id"])


def terms(explained: dict[str, Any]) -> list[str]:
    """The terms that the first list has in the text."""
    return [match["term"] for match in explained["lists"][0]["matches"]]


def test_table(cli: CommandLine, blocked: str) -> None:
    """People see who wrote what to whom, the rule, and the terms with their positions."""
    done = cli("reviewed", "explain", blocked, "--format", "table")
    assert (done.code, RULES in done.line) == (0, True)
    lines = dict(line.split(":", 1) for line in done.out.splitlines() if ": " in line[:12])
    shown = {name: value.strip() for name, value in lines.items()}
    assert shown["From"] == "Alice (alice)"
    assert shown["To"] == "Bob (bob)"
    assert shown["Reviewed"].endswith(" UTC")
    assert shown["Rule"] == "Block word (rule-word)"
    assert shown["Action"] == "blockMessage"
    assert shown["Status"] == "disapproved"
    assert shown["Text"] == "👋 FREE coins, no scam"
    assert shown["List"].startswith("profanity-list, word, revision ")
    assert "free coins  at characters 3-12" in done.out
    assert "scam  at characters 18-21" in done.out


def test_file_of_two_apps(bare_cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """A record is explained with the list of its own app, and --app leaves the records of other
    apps out."""
    with Simulator() as forum:
        bare_cli.profiles(app("shop", simulator) + app("forum", forum))
        forum.reviewed_messages = simulator.reviewed_messages[:1]
        forum.keyword_lists["profanity-list"]["searchTerms"] = ["coins"]
        for name in ("shop", "forum"):
            bare_cli("reviewed", "export", "--output", "both.jsonl", "--app", name)
        explain = ("reviewed", "explain", blocked, "--records", "both.jsonl", "--format", "jsonl")
        found = {each["app"]: each for each in map(json.loads, bare_cli(*explain).out.splitlines())}
        assert terms(found["shop"]) == ["free coins", "scam"]
        assert terms(found["forum"]) == ["coins"]
        assert json.loads(bare_cli(*explain, "--app", "forum").out)["app"] == "forum"
        assert re.findall("^shop|^forum", bare_cli(*explain[:-1], "csv").out, re.MULTILINE) == [
            "shop",
            "forum",
        ]
        done = bare_cli(*explain[:-2], "--app", "forum", "--format", "table")
        assert re.search(r"^App: +forum +$", done.out, re.MULTILINE)


def test_from_a_file(cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """A record from an export is explained like one from the service."""
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    latest = json.loads(cli("reviewed", "explain", blocked).out)
    simulator.reviewed_messages = []
    found = json.loads(cli("reviewed", "explain", blocked, "--records", "all.jsonl").out)
    assert found == latest
    assert terms(found) == ["free coins", "scam"]


def test_formats(cli: CommandLine, blocked: str) -> None:
    """CSV has a row with the terms, JSON has the whole explanation, and both say the rules of
    matching."""
    done = cli("reviewed", "explain", blocked, "--format", "csv")
    assert [row["terms"] for row in csv.DictReader(io.StringIO(done.out))] == ["free coins, scam"]
    assert RULES in done.line
    (explained,) = json.loads(cli("reviewed", "explain", blocked, "--format", "json").out)
    assert explained["message_id"] == blocked
    assert RULES in explained["rules"]


def test_several_rules(cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """A message that two rules found has two explanations."""
    second: Any = json.loads(json.dumps(simulator.reviewed_messages[1]))
    second["message"]["id"] = blocked
    simulator.reviewed_messages.append(second)
    lines = cli("reviewed", "explain", blocked).out.splitlines()
    assert sorted(json.loads(line)["rule_name"] for line in lines) == [
        "Block toxicity",
        "Block word",
    ]


def test_rule_without_a_list(cli: CommandLine) -> None:
    """The rules of matching are shown only if a list was compared."""
    assert (
        cli("reviewed", "explain", "390078").err,
        RULES in cli("reviewed", "explain", "390079").err,
    ) == ("", True)


def test_message_is_not_found(cli: CommandLine, simulator: Simulator) -> None:
    """For an unknown message, one line says what to do."""
    simulator.reviewed_messages = simulator.reviewed_messages[:7]
    done = cli("reviewed", "explain", "12345")
    assert (done.code, done.out) == (5, "")
    assert (
        "latest records only, and message 12345 is not among these 7: search an export" in done.line
    )
    assert "--records FILE" in done.line
    assert "reviewed export" in done.line
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    done = cli("reviewed", "explain", "12345", "--records", "all.jsonl")
    assert (done.code, "message 12345 has no record in all.jsonl" in done.line) == (5, True)


def test_rules_without_terms(cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """A rule without a list, a deleted list, and a message without text are explained as such."""
    others: Any = simulator.reviewed_messages[1:3]
    shown = [
        cli("reviewed", "explain", other["message"]["id"], "--format", "table").out
        for other in others
    ]
    assert ["the rule names no keyword list" in out for out in shown] == [True, True]
    record: Any = simulator.reviewed_messages[0]
    del record["message"]["data"]["text"]
    assert "the message has no text" in cli("reviewed", "explain", blocked, "--format", "table").out
    del simulator.keyword_lists["profanity-list"]
    done = cli("reviewed", "explain", blocked, "--format", "table")
    assert (done.code, "the service has no list with this identifier" in done.out) == (0, True)


def test_text_without_terms(cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """If the text contains no term of the list now, the explanation says so; sentences are not
    compared."""
    changed: Any = simulator.keyword_lists["profanity-list"]
    changed["searchTerms"] = ["other"]
    record: Any = simulator.reviewed_messages[0]
    changed["updatedAt"] = record["createdAt"] + 60
    out = cli("reviewed", "explain", blocked, "--format", "table").out
    assert "the text contains no entry of this list now" in out
    assert "after the review: it may have had other entries" in " ".join(out.split())
    changed |= {"category": "sentence-similarity", "disallowedSentences": ["Go away."]}
    out = cli("reviewed", "explain", blocked, "--format", "table").out
    assert ("1 sentence was not matched" in out, "no entry of this list" in out) == (True, False)


def test_separate_accents(cli: CommandLine, simulator: Simulator) -> None:
    """A text whose accents are separate characters looks like an entry, so a line says why it
    does not match."""
    first_text(simulator, "Mu\u0308ll")
    assert (
        "accents are separate characters"
        in cli("reviewed", "explain", "390079", "--format", "table").out
    )


@pytest.mark.parametrize("columns", [40, 80])
def test_indentation(env: dict[str, str], columns: int) -> None:
    """A terminal shows the continuation of each value below the value."""
    with Terminal(["reviewed", "explain", "390079"], env, columns=columns) as terminal:
        terminal.end()
    shown, _, _ = text_of(screen_of(terminal.output, columns)).partition("\n\n")
    assert all(re.match(r"[A-Z]\w+: +\S| {11}\S", line) for line in shown.splitlines()), shown


def test_without_settings(cli: CommandLine, blocked: str) -> None:
    """Without settings, a record from a file is shown, and the exit code says that the list
    could not be read."""
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    cli.env.delenv("COMETCHAT_BASE_URL")
    done = cli("reviewed", "explain", blocked, "--records", "all.jsonl", "--format", "table")
    assert "Alice (alice)" in done.out
    assert "the list could not be read" in done.out
    assert (done.code, "profanity-list: the list could not be read" in done.err) == (3, True)
    assert cli("reviewed", "explain", blocked).code == 3


def test_service_that_fails(cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """If the list cannot be read, the record is shown, and the exit code is that of the error."""
    simulator.fail("get_keyword_list", status=403)
    done = cli("reviewed", "explain", blocked)
    assert json.loads(done.out)["lists"][0]["problem"].startswith("the list could not be read")
    assert done.code == 4


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_hostile_texts(cli: CommandLine, simulator: Simulator, blocked: str, form: str) -> None:
    """A message cannot move the cursor, set a colour or change the direction of text, and is not
    markup."""
    record: Any = simulator.reviewed_messages[0]
    text = "\x1b[2J scam\u202e [bold]x[/bold] :smile:\r\n next"
    record["message"]["data"]["text"] = text
    record["message"]["data"]["entities"]["sender"]["entity"]["name"] = "\x1b]0;title\x07"
    record["ruleName"] = "[red]rule\n"
    out = cli("reviewed", "explain", blocked, "--format", form).out
    assert {unicodedata.category(each) for each in out.replace("\n", "")} & {"Cc", "Cf"} == set()
    assert r"\u001b[2J scam\u202e [bold]x[/bold] :smile:\r\n next" in out
    assert "[red]rule\\n" in out


def test_terms_of_a_file(bare_cli: CommandLine, simulator: Simulator, blocked: str) -> None:
    """With --list and --records, a message is explained with the entries of a file, without a key
    and without the service."""
    profile = bare_cli.profiles(app("shop", simulator))
    typed = ("reviewed", "export", "--output", "all.jsonl", "--app", "shop")
    assert bare_cli(*typed).code == 0
    profile.unlink()
    sent = len(simulator.requests)
    bare_cli.write("words.txt", "free coins\nother\n")
    explain = ("reviewed", "explain", blocked, "--records", "all.jsonl", "--list", "words.txt")
    done = bare_cli(*explain)
    assert done.code == 0, done.err
    explained = json.loads(done.out)
    assert terms(explained) == ["free coins"]
    assert (explained["lists"][0]["keyword_id"], len(simulator.requests)) == ("words.txt", sent)
    patterns = bare_cli(*explain, "--category", "pattern", "--format", "table")
    assert "the text contains no entry of this list now" in patterns.out
