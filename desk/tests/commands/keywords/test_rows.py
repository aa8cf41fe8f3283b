"""Results of updates: in words for people, as records for programs, with an exit code."""

import json
from typing import Any

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, terms


def test_result_that_differs(cli: CommandLine, simulator: Simulator) -> None:
    """If the list that is read back differs from the file, the exit code is 6 and the entries
    are shown."""
    cli.write("list.txt", "\n".join([*BEFORE, "new"]))
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    assert done.code == 6
    assert json.loads(done.out)["missing"] == ["new"]
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = cli("keywords", "apply", LIST, "list.txt", "--yes", "--format", "table")
    assert (
        "was updated, but differs from the request: 1 entry is missing, 0 unexpected. Undo:\n  "
        in done.out
    )
    assert done.out.endswith(f"{LIST} 2\n- new\n")


def test_entries_that_differ(cli: CommandLine, simulator: Simulator) -> None:
    """The table shows fifty differing entries of each kind, and all of them with --all-entries."""
    before: Any = simulator.keyword_lists[LIST]
    cli.write("list.txt", "".join(f"new {number}\n" for number in range(60)))
    simulator.fail("update_keyword_list", status=200, body={"data": before}, times=2)
    typed = (
        "keywords",
        "apply",
        LIST,
        "list.txt",
        "--yes",
        "--max-removed",
        "100%",
        "--format",
        "table",
    )
    missing, unexpected = (
        [f"- new {number}" for number in range(60)],
        [f"+ {term}" for term in before["searchTerms"]],
    )
    first, _, *entries = cli(*typed).out.splitlines()
    assert "60 entries are missing, 6 unexpected" in first
    assert entries == [*missing[:50], "- ... and 10 more", *unexpected]
    _, _, *entries = cli(*typed, "--all-entries").out.splitlines()
    assert entries == [*missing, *unexpected]


def test_entries_with_commas(cli: CommandLine) -> None:
    """The result shows an entry with a comma in quotes, so that it does not look like two."""
    typed = (
        "add",
        LIST,
        "bilge",
        "slick, willy",
        "--yes",
        "--accept",
        "comma",
        "--format",
        "table",
    )
    assert '2 added (bilge, "slick, willy"). Undo:' in cli("keywords", *typed).out


def test_lost_response(cli: CommandLine, simulator: Simulator) -> None:
    """After a lost response, the list is read back: if it shows the update, the outcome is
    known."""
    cli.write("list.txt", "\n".join([*BEFORE, "new"]))
    simulator.fail("update_keyword_list", cut="after_processing")
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    assert (done.code, json.loads(done.out)["recovered"]) == (0, True)


def test_unchanged_list_proves_nothing(cli: CommandLine, simulator: Simulator) -> None:
    """If the list is unchanged after a lost response, the outcome is still unknown: the code is
    12."""
    cli.write("list.txt", "\n".join([*BEFORE, "new"]))
    before = terms(simulator)
    simulator.fail("update_keyword_list", cut="before_headers")
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    record = json.loads(done.out)
    assert (done.code, record["outcome"], record["exit_code"]) == (12, "unknown", 12)
    assert (record["added"], record["removed"], record["revision_id"]) == (["new"], [], None)
    assert "the service may carry out the update later" in done.err
    assert (
        f"look at the list with cometchat-desk keywords get {LIST} before you try"
        in done.err.splitlines()[-1]
    )
    assert "nothing was changed" not in done.err.casefold()
    assert terms(simulator) == before
    assert [request.method for request in simulator.requests].count("PUT") == 1
