"""The report: one HTML file that loads nothing, with numbers that are right and texts that are never markup."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.records import open_records
from cometchat_desk.insight.report.report import write_report
from cometchat_desk.insight.term_stats import term_stats
from cometchat_rest.testing import Simulator

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
in_a_browser = pytest.mark.skipif(CHROMIUM is None or os.name != "posix", reason="Chromium is not installed")
PROBE = Path(__file__).with_name("report_probe.html")
END = datetime(2026, 7, 1, tzinfo=UTC)
NOW = datetime(2026, 7, 2, 12, 30, tzinfo=UTC)
HOSTILE = (
    "<script>alerted = true</script>",
    "</script><script>alerted = true</script>",
    '"><img src=x onerror="alerted = true">',
    "<!--",
    "[link](javascript:alerted=true)",
    "\u202edlrow\u2066 olleh",
    "مرحبا بالعالم",
    "क्‍ष 👨‍👩‍👧‍👦",
    "\x00\x1b[31mred\ud800",
    "needle in the hay",
    "",
    "x" * 200_000,
)


def export(simulator: Simulator, path: Path) -> Path:
    """The records of a simulator as an export."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in simulator.reviewed_messages), "utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report about a history, with hostile texts and names."""
    folder = tmp_path_factory.mktemp("report")
    simulator = Simulator()
    simulator.reviewed_messages = []
    simulator.add_history(days=5, per_day=20, end=END)
    for text in HOSTILE:
        simulator.add_reviewed_message(
            text, sender="<i>eve</i>", rule="<b>Rule</b>", created_at=datetime(2026, 7, 1, 8, tzinfo=UTC)
        )
    lists = {"profanity-list": ListTerms(category="word", terms=("<script>alerted", "needle"))}
    records = open_records(export(simulator, folder / "reviewed.jsonl"))
    terms = term_stats(records, lists)
    write_report(records, folder / "report.html", terms=terms, title="Week <27>", now=NOW)
    return folder / "report.html"


def test_the_page_loads_nothing(report: Path) -> None:
    """The page has no address of an image, style sheet, font or script, and its policy forbids to load them."""
    text = report.read_text("utf-8")
    # The records are data. They come after everything that a browser loads.
    page, _, _ = text.partition('<script type="application/json"')
    loading = r"""\s(?:src|href|action|data|poster|srcset)\s*+=\s*+["']?+(?!#)|url\(|@import|<(?:link|iframe|object)"""
    assert not re.search(loading, page.replace('http-equiv="Content-Security-Policy"', ""))
    assert "default-src 'none'" in page
    assert "'unsafe-inline'" not in page.partition("script-src")[2].partition(";")[0]


def test_the_numbers_are_right(tmp_path: Path) -> None:
    """The figures and the tables have the numbers that the simulated history reports."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    history = simulator.add_history(days=5, per_day=20, end=END)
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    assert write_report(records, tmp_path / "report.html", now=NOW) == history.messages
    text = (tmp_path / "report.html").read_text("utf-8")
    assert f"<dt>Reviewed messages</dt><dd>{history.messages}</dd>" in text
    assert f"<dt>Senders</dt><dd>{len(history.by_sender)}</dd>" in text
    decided = history.by_status["approved"] + history.by_status["disapproved"]
    assert f"<dt>Decided</dt><dd>{decided}</dd>" in text
    assert f"<dd>{history.by_status['approved'] / decided:.1%}</dd>" in text
    for rule, count in history.by_rule.items():
        assert f'<td><bdi>{rule}</bdi></td><td class="number">{count}</td>' in text
    drawn = re.search(r'<svg class="columns".*?</svg>', text)
    assert drawn
    assert sum(map(int, re.findall(r' height="(\d+)"', drawn[0]))) == history.messages
    for day in history.by_day:
        rows = re.findall(rf'<td><bdi>{day}</bdi></td><td><bdi>\w+</bdi></td><td class="number">(\d+)</td>', text)
        assert sum(map(int, rows)) == 20
    assert "Made with cometchat-desk at 2026-07-02 12:30 UTC." in text


def test_likely_false_positives_are_marked(tmp_path: Path) -> None:
    """A rule whose messages a moderator approves is marked with the reason."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    for number in range(20):
        simulator.add_reviewed_message(f"a class {number}", rule="Block ass", status="approved")
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    write_report(records, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    marked = re.findall(r'<tr class="warning">(.*?)</tr>', text)
    assert len(marked) == 1
    assert "Block ass" in marked[0]
    assert "20 of 20" in marked[0]


def test_control_characters_in_names_of_rules(tmp_path: Path) -> None:
    """Control characters and line separators in the name of a rule do not stop the report, and are named."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    simulator.add_reviewed_message("a", rule="a\x1bb\u2028c\u202ed", action="x\x00y")
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    write_report(records, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "a[U+001B]b[U+2028]c[U+202E]d" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\u2028]", text)


def test_report_about_nothing(tmp_path: Path) -> None:
    """Without messages, the report says so."""
    path = tmp_path / "reviewed.jsonl"
    path.write_text("")
    records = open_records(path)
    assert write_report(records, tmp_path / "report.html") == 0
    assert "There are no messages." in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """A report is private, even if it replaces a file that others could read."""
    path = tmp_path / "report.html"
    path.touch(mode=0o644)
    records = open_records(export(Simulator(), tmp_path / "reviewed.jsonl"))
    write_report(records, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_report_that_cannot_be_written(tmp_path: Path) -> None:
    """If the folder does not exist or the name is a folder, one line names the file, and no file is left."""
    (tmp_path / "taken").mkdir()
    records = open_records(export(Simulator(), tmp_path / "reviewed.jsonl"))
    for path in (tmp_path / "missing" / "report.html", tmp_path / "taken"):
        with pytest.raises(OSError, match=path.name) as caught:
            write_report(records, path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["reviewed.jsonl", "taken"]


class Handler(SimpleHTTPRequestHandler):
    """Serves the report and the probe page, and receives the results of the probe page."""

    def __init__(self, folder: Path, results: Queue[bytes], *arguments: Any) -> None:
        self._results = results
        super().__init__(*arguments, directory=str(folder))

    def do_POST(self) -> None:
        self._results.put(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class names it so
        """Log nothing."""


@pytest.fixture(scope="module")
def used(report: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of using the report in Chromium, which can resolve no host."""
    shutil.copy(PROBE, report.with_name("probe.html"))
    results: Queue[bytes] = Queue()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, report.parent, results)) as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
        command = [
            str(CHROMIUM),
            *flags.split(),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            f"--user-data-dir={tmp_path_factory.mktemp('chromium')}",
            f"http://127.0.0.1:{server.server_port}/probe.html",
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:  # noqa: S603
            try:
                seen: dict[str, Any] = json.loads(results.get(timeout=90))
            finally:
                browser.terminate()
                server.shutdown()
    assert "error" not in seen, seen
    return seen


@in_a_browser
def test_texts_are_never_markup(used: dict[str, Any]) -> None:
    """Script tags, event handlers and names with tags are shown as text; nothing runs and nothing is loaded."""
    assert (used["markup"], used["alerted"], used["requests"]) == (0, False, [])
    assert used["isolated"]
    texts = used["first"]["texts"]
    for text in HOSTILE[:5]:
        assert text in texts
    assert "<i>eve</i>" in used["first"]["senders"]


@in_a_browser
def test_texts_cannot_change_the_page_around_them(used: dict[str, Any]) -> None:
    """Characters that change the direction and control characters are named; text in any language is unchanged."""
    texts = used["first"]["texts"]
    assert "[U+202E]dlrow[U+2066] olleh" in texts
    assert "[U+0000][U+001B][31mred[U+D800]" in texts or "[U+0000][U+001B][31mred\\ud800" in texts
    assert {"مرحبا بالعالم", "क्‍ष 👨‍👩‍👧‍👦"} <= set(texts)
    assert "(text)" in texts
    assert any("(200,000 characters)" in text for text in texts)


@in_a_browser
def test_table_is_sorted_searched_and_paged(used: dict[str, Any]) -> None:
    """A reader sees the newest messages first, turns pages, sorts by a column, and searches for several words."""
    assert used["first"]["state"] == "Messages 1 to 50 of 112"
    assert used["second"] == "Messages 51 to 100 of 112"
    assert used["first"]["times"] == sorted(used["first"]["times"], reverse=True)
    assert used["sorted"]["state"] == "ascending"
    assert used["sorted"]["senders"] == sorted(used["sorted"]["senders"])
    assert used["reversed"] == sorted(used["reversed"], reverse=True)
    assert used["searched"] == ["needle in the hay"]
    assert used["empty"] == "No message matches."
    assert used["statuses"] == ["approved"]


@in_a_browser
def test_page_works_with_keyboard_and_screen_reader(used: dict[str, Any]) -> None:
    """Each control has a name and can have the focus, and each head of a table has its scope."""
    assert (used["focused"], used["unnamed"], used["heads"]) == (True, 0, True)


@in_a_browser
def test_page_fits_a_phone(used: dict[str, Any]) -> None:
    """The page needs no horizontal scrolling on a desktop and on a phone, and shows its charts on both."""
    assert used["widths"] == [[1440, True, True], [390, True, True]]


@in_a_browser
def test_page_fits_on_paper(used: dict[str, Any]) -> None:
    """With the rules for paper, all columns of the tables fit on a page."""
    assert used["paper"] == [1, True, True]
