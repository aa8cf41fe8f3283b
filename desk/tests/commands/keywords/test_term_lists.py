"""`reviewed stats --by term` and the terms of `reviewed report`."""

import json
from typing import Any

from cometchat_rest.testing import History, Simulator

from ...conftest import CommandLine

PLANTED = {"shot", "crack", "strip"}


def rows(out: str) -> dict[str, dict[str, Any]]:
    return {row["term"]: row for row in map(json.loads, out.splitlines())}


def test_the_planted_false_positives_are_marked(cli: CommandLine, history: History) -> None:
    """The three planted words are marked with a reason, no other term is marked, and all counts are right."""
    done = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "term")
    found = {name: row for name, row in rows(done.out).items() if row["list"] == history.keyword_list_id}
    assert {name for name, row in rows(done.out).items() if row["likely_false_positives"]} == PLANTED
    assert {name: row["records"] for name, row in found.items()} == history.by_term
    assert {name: row["approved"] for name, row in found.items() if row["approved"]} == history.approved_by_term
    assert all("with 95% confidence" in found[name]["reason"] for name in PLANTED)
    assert done.code == 0
    assert "The service does not document how it matches" in done.err


def test_terms_of_the_latest_records(cli: CommandLine, history: History) -> None:
    """Without a file, the latest records of the service are counted."""
    done = cli("reviewed", "stats", "--by", "term")
    assert {name for name, row in rows(done.out).items() if row["likely_false_positives"]} == PLANTED
    assert sum(row["records"] for row in rows(done.out).values()) >= sum(history.by_term.values())


def test_each_list_is_read_once(cli: CommandLine, history: History, simulator: Simulator) -> None:
    """Each list is requested once, and a deleted list is named in a note."""
    del simulator.keyword_lists["scam-patterns"]
    before = len(simulator.requests)
    done = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "term")
    assert [each.operation for each in simulator.requests[before:]] == ["get_keyword_list"] * 2
    assert "scam-patterns are not counted: the service has no list with this identifier" in done.err
    assert (done.code, len(rows(done.out))) == (0, len(history.by_term))


def test_number_of_terms(cli: CommandLine, history: History) -> None:
    """`--top` says how many terms are shown."""
    assert history.messages
    top = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "term", "--top", "2")
    assert len(rows(top.out)) == 2
    assert "more terms are not shown; use --top" in top.err


def test_table_of_terms_fits(cli: CommandLine, history: History) -> None:
    """The table fits on 80 columns, marks the terms, and ends with the rules of matching."""
    assert history.messages
    out = cli("reviewed", "stats", "--records", "history.jsonl", "--by", "term", "--format", "table").out
    assert max(map(len, out.splitlines()[:-1])) <= 80
    assert out.splitlines()[-1].startswith("! The service does not document")
