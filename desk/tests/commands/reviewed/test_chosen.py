"""The records that commands read, from files or from the service, and the terms of their lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from cometchat_testing import History, Simulator

from ...conftest import CommandLine, app, exported

PLANTED = {"shot", "crack", "strip"}


@pytest.mark.parametrize("name", ["reviewed.jsonl"])
def test_export_says_whether_records_may_be_missing(cli: CommandLine, name: str) -> None:
    """An export asks for all records; only if the service may have older ones, a note says so,
    without bad advice."""
    added, note = cli("reviewed", "export", "--output", name, "--limit", "2").err.splitlines()
    assert added == f"{name}: 2 added, 0 already there."
    assert "latest 2 records, as many as --limit asks for: older records may be missing" in note
    assert (
        cli("reviewed", "export", "--output", name, "--limit", "2").line
        == f"{name}: 0 added, 2 already there."
    )
    assert (
        cli("reviewed", "export", "--output", name).line == f"{name}: 298 added, 2 already there."
    )


def test_many_records(cli: CommandLine, simulator: Simulator) -> None:
    """All records of an app are asked for in one request, also if they are many."""
    simulator.review(1000)
    rows = map(json.loads, cli("reviewed", "stats", "--by", "day").out.splitlines())
    assert sum(row["records"] for row in rows) == 1300
    assert [request.query for request in simulator.requests] == ["limit=10000"]


def test_service_with_a_largest_number(cli: CommandLine, simulator: Simulator) -> None:
    """If the service refuses to list so many records, its own number is used, and a note says
    what may be missing."""
    simulator.fail("list_reviewed_messages", status=400, times=2)
    done = cli("reviewed", "stats", "--by", "action", "--format", "csv")
    assert (done.code, len(simulator.requests)) == (0, 3)
    assert (
        "latest 50 records, as many as the service gives at once: older records may be missing"
        in done.line
    )
    assert "--limit" not in done.line


def test_records_that_begin_after_since(cli: CommandLine) -> None:
    """If no record is older than --since, each command that reads files says that records may be
    missing."""
    exported(cli)
    cli.write("list.txt", "spam\n")
    commands = [
        "reviewed report --records reviewed.jsonl --output a.html",
        "reviewed export --output a.csv --records reviewed.jsonl",
        "reviewed stats --records a.csv",
        "keywords try profanity-list list.txt --records reviewed.jsonl",
    ]
    errors = {command: cli(*command.split(), "--since", "2020-01-01").err for command in commands}
    assert [
        each for each, text in errors.items() if "Note: the records begin at 2025-09-15 " in text
    ] == commands
    assert "the records begin at 2025-09-15" in Path("a.html").read_text("utf-8").lower()
    sources = [f"{name} --since 2025-09-15T17:05:51" for name in ("reviewed.jsonl", "a.csv")]
    sources += ["a.csv", "a.csv --since 2100-01-01"]
    assert [
        each
        for each in sources
        if "begin" in cli("reviewed", "stats", "--records", *each.split()).err
    ] == []


def test_truncated_export(cli: CommandLine) -> None:
    """A last line that was cut off is skipped, and a note on stderr says so."""
    exported(cli)
    with Path("reviewed.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"ruleId": "r')
    done = cli("reviewed", "stats", "--records", "reviewed.jsonl")
    assert (done.code, done.line) == (0, "Note: 1 line is not a complete record; skipped.")


def rows(out: str) -> dict[str, dict[str, Any]]:
    return {row["entry"]: row for row in map(json.loads, out.splitlines())}


def test_the_planted_false_positives_are_marked(cli: CommandLine, history: History) -> None:
    """The three planted words are marked with a reason, no other term is marked, and all counts
    are right."""
    done = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "entry")
    found = {
        name: row for name, row in rows(done.out).items() if row["list"] == history.keyword_list_id
    }
    assert {
        name for name, row in rows(done.out).items() if row["likely_false_positives"]
    } == PLANTED
    assert {name: row["records"] for name, row in found.items()} == history.by_term
    assert {
        name: row["approved"] for name, row in found.items() if row["approved"]
    } == history.approved_by_term
    assert all("with 95% confidence" in found[name]["reason"] for name in PLANTED)
    assert done.code == 0
    assert "the service does not document how it matches" in done.err


def test_terms_of_the_latest_records(cli: CommandLine, history: History) -> None:
    """Without a file, the latest records of the service are counted."""
    done = cli("reviewed", "stats", "--by", "entry")
    assert {
        name for name, row in rows(done.out).items() if row["likely_false_positives"]
    } == PLANTED
    assert sum(row["records"] for row in rows(done.out).values()) >= sum(history.by_term.values())


def test_each_list_is_read_once(cli: CommandLine, history: History, simulator: Simulator) -> None:
    """Each list is requested once, and a deleted list is named in a note."""
    del simulator.keyword_lists["scam-patterns"]
    before = len(simulator.requests)
    done = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "entry")
    assert [each.operation for each in simulator.requests[before:]] == ["get_keyword_list"] * 2
    assert "scam-patterns are not counted: the service has no list with this identifier" in done.err
    assert (done.code, len(rows(done.out))) == (0, len(history.by_term))


def test_number_of_terms(cli: CommandLine, history: History) -> None:
    """`--top` says how many terms are shown."""
    assert history.messages
    top = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "entry", "--top", "2")
    assert len(rows(top.out)) == 2
    assert "more rows are not shown; --top N" in top.err


def test_table_of_terms_fits(cli: CommandLine, history: History) -> None:
    """The table fits on 80 columns."""
    assert history.messages
    out = cli(
        "reviewed", "stats", "--records", "history.jsonl", "--by", "entry", "--format", "table"
    ).out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    "command",
    [
        "reviewed export --output a.csv --records reviewed.jsonl",
        "reviewed stats --records reviewed.jsonl",
        "reviewed report --records reviewed.jsonl --output a.html",
        "reviewed explain 1 --records reviewed.jsonl",
        "keywords try any list.txt --against list.txt --records reviewed.jsonl",
    ],
)
def test_misspelt_app(cli: CommandLine, simulator: Simulator, command: str) -> None:
    """An app that is not in the profiles is refused, also by a command that reads only files."""
    exported(cli)
    cli.profiles(app("shop", simulator))
    cli.write("list.txt", "spam\n")
    done = cli(*command.split(), "--app", "shpo")
    assert (done.code, "the apps are shop" in done.line) == (3, True)


@pytest.mark.parametrize(
    "command",
    [
        *(f"reviewed {each}" for each in ("export -o a.csv", "stats", "report -o a.html")),
        "keywords try profanity-list crypto",
    ],
)
def test_app_of_a_file(cli: CommandLine, simulator: Simulator, command: str) -> None:
    """--app leaves the records of other apps in a file out, and a note tells their number, and
    how to count them."""
    cli.profiles(app("shop", simulator) + app("forum", simulator))
    for name, limit in (("shop", "5"), ("forum", "3")):
        assert (
            cli(
                "reviewed", "export", "--output", "both.jsonl", "--app", name, "--limit", limit
            ).code
            == 0
        )
    done = cli(*command.split(), "--records", "both.jsonl", "--app", "shop")
    assert (
        "Note: 3 records of other apps are left out; to count all, use --app shop --app forum.\n"
        in done.err
    )
    typed = command.replace(" a.", " b.").split()
    done = cli(*typed, "--records", "both.jsonl", "--app", "shop", "--app", "forum")
    assert (done.code, "left out" in done.err) == (0, False)
    done = cli("reviewed", "stats", "--records", "both.jsonl", "--app", "forum", "--by", "app")
    assert [(row["app"], row["records"]) for row in map(json.loads, done.out.splitlines())] == [
        ("forum", 3)
    ]


def test_lists_of_another_app(cli: CommandLine, simulator: Simulator) -> None:
    """Records of one app are never counted with the lists of another one, such as the default
    app."""
    cli.profiles('default = "shop"\n' + app("shop", simulator) + app("forum", simulator))
    cli.env.delenv("COMETCHAT_BASE_URL")
    assert cli("reviewed", "export", "--output", "forum.jsonl", "--app", "forum").code == 0
    done = cli("reviewed", "stats", "--records", "forum.jsonl", "--by", "entry")
    assert (
        done.code,
        done.out,
        "are not counted: its app was not named; use --app forum." in done.err,
    ) == (
        0,
        "",
        True,
    )
