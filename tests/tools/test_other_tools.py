"""The table of other tools shows the results of `python -m tools.other_tools`, and one of these tools runs here."""

import re
from pathlib import Path

from tools.openapi_diff.document import ROOT
from tools.other_tools.__main__ import TOOLS
from tools.other_tools.clients import try_openapi_core
from tools.other_tools.results import PAGE, RESULTS, Result, read, show, table, write
from tools.other_tools.workplace import FILES

FOUND = {(each.tool, each.file): each for each in read()}


def test_each_tool_was_tried_with_both_files() -> None:
    """The results have each tool with each description, and nothing of the machine that ran them."""
    assert [*FOUND] == [(name, file.name) for name in TOOLS for file in FILES]
    assert re.search(r"[^\w.-]/(home|tmp|work)|127\.0\.0\.1|localhost", RESULTS.read_text("utf-8")) is None


def test_tools_can_use_the_portable_file() -> None:
    """Each tool makes all calls with the portable file, except the Java client, which cannot send the form."""
    incomplete = {tool for (tool, file), each in FOUND.items() if file == FILES[1].name and each.done < each.calls}
    assert incomplete <= {"openapi-generator java"}
    for name in TOOLS:
        assert FOUND[name, FILES[1].name].done >= FOUND[name, FILES[0].name].done


def test_table_shows_every_result() -> None:
    """The page has one line for each result, with the reason if a call failed."""
    lines = table([Result("Tool", "1.0", "a.yaml", 8, 8), Result("Tool", "1.0", "b.yaml", 1, 8, "a|b")]).splitlines()
    assert lines[2:] == ["| Tool | 1.0 | `a.yaml` | 8 of 8 |  |", "| Tool | 1.0 | `b.yaml` | 1 of 8 | `a\\|b` |"]
    assert len(table([*FOUND.values()]).splitlines()) == len(FOUND) + 2


def test_results_are_stored_as_read(tmp_path: Path) -> None:
    """Writing the results that were read makes the same file and the same page."""
    write([*FOUND.values()], tmp_path / "results.json")
    assert (tmp_path / "results.json").read_bytes() == RESULTS.read_bytes()
    page = tmp_path / "tools.md"
    page.write_text(PAGE.read_text("utf-8").replace("| 8 of 8 |", "| 7 of 8 |"), "utf-8")
    show([*FOUND.values()], page)
    assert page.read_bytes() == PAGE.read_bytes()


def test_openapi_core_accepts_every_request() -> None:
    """An independent validator accepts every request of both clients, with the portable description."""
    # It does not know a form field with several types, which openapi.yaml has.
    result = try_openapi_core(next(path for path in FILES if "portable" in path.name))
    assert (result.done, result.problem) == (result.calls, "")
    assert result.calls == 28


def test_lock_file_of_the_tools_contains_no_registry() -> None:
    """The npm packages can be installed from any registry, in exactly the locked versions."""
    lock = (ROOT / "tools" / "other_tools" / "npm" / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert '"integrity": "sha512-' in lock
