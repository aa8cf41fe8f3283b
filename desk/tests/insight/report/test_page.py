"""The page: one HTML file that loads nothing, in a browser, with texts that are never markup."""

import json
import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.report.report import write_report
from cometchat_desk.insight.term_stats import ListName, term_stats
from cometchat_testing import Simulator

from .conftest import END, export

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
in_a_browser = pytest.mark.skipif(
    CHROMIUM is None or os.name != "posix", reason="Chromium is not installed"
)
PROBE = Path(__file__).with_name("report_probe.html")
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


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report about a history, with hostile texts and names."""
    folder = tmp_path_factory.mktemp("report")
    simulator = Simulator()
    simulator.reviewed_messages = []
    simulator.add_history(days=5, per_day=20, end=END)
    for text in HOSTILE:
        simulator.add_reviewed_message(
            text,
            sender="<i>eve</i>",
            rule="<b>Rule</b>",
            created_at=datetime(2026, 7, 1, 8, tzinfo=UTC),
        )
    words = ListTerms(category="word", terms=("<script>alerted", "needle"))
    lists: dict[ListName, ListTerms] = {("", "profanity-list"): words}
    records = open_records(export(simulator, folder / "reviewed.jsonl"))
    terms = term_stats(records, lists)
    write_report(records, folder / "report.html", terms=terms, title=f"Week <27> {'x' * 200}")
    return folder / "report.html"


def test_the_page_loads_nothing(report: Path) -> None:
    """The page has no address of an image, style sheet, font or script, and its policy forbids
    to load them."""
    text = report.read_text("utf-8")
    # The records are data. They come after everything that a browser loads.
    page, _, _ = text.partition('<script type="application/json"')
    loading = r"""\s(?:src|href|action|data|poster|srcset)\s*+=\s*+["']?+(?!#)|url\(|@import|<(?:link|iframe|object)"""
    assert not re.search(loading, page.replace('http-equiv="Content-Security-Policy"', ""))
    assert "default-src 'none'" in page
    assert "'unsafe-inline'" not in page.partition("script-src")[2].partition(";")[0]


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
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as browser:
            try:
                seen: dict[str, Any] = json.loads(results.get(timeout=300))
            finally:
                browser.terminate()
                server.shutdown()
    assert "error" not in seen, seen
    return seen


@in_a_browser
def test_texts_are_never_markup(used: dict[str, Any]) -> None:
    """Script tags, event handlers and names with tags are shown as text; nothing runs and
    nothing is loaded."""
    assert (used["markup"], used["alerted"], used["requests"]) == (0, False, [])
    assert used["isolated"]
    texts = used["first"]["texts"]
    assert [text for text in HOSTILE[:5] if text not in texts] == []
    assert "<i>eve</i>" in used["first"]["senders"]


@in_a_browser
def test_texts_cannot_change_the_page_around_them(used: dict[str, Any]) -> None:
    """Characters that change the direction and control characters are escapes; text in any
    language is unchanged."""
    texts = used["first"]["texts"]
    assert r"\u202edlrow\u2066 olleh" in texts
    assert r"\u0000\u001b[31mred\ud800" in texts
    assert {"مرحبا بالعالم", "क्‍ष 👨‍👩‍👧‍👦"} <= set(texts)
    assert "(text)" in texts
    assert any("(200,000 characters)" in text for text in texts)


@in_a_browser
def test_table_is_sorted_searched_and_paged(used: dict[str, Any]) -> None:
    """A reader sees the newest messages first, turns pages, sorts by a column, and searches for
    several words."""
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
    """On a desktop and on a phone, nothing is wider than the page or than its frame, and the
    charts are shown."""
    assert used["widths"] == [[width, True, True, True] for width in (1440, 420, 390)]


@in_a_browser
def test_a_term_leads_to_its_messages(used: dict[str, Any]) -> None:
    """A reader selects a term and sees its messages, and then all messages again."""
    term = used["term"]
    assert (term["name"], term["shown"]) == ("needle", True)
    assert (term["state"], term["texts"]) == ("Messages 1 to 1 of 1", ["needle in the hay"])
    assert used["all"] == ["Messages 1 to 50 of 112", True]


@in_a_browser
def test_page_fits_on_paper(used: dict[str, Any]) -> None:
    """With the rules for paper, all columns of the tables fit on a page."""
    assert used["paper"] == [1, True, True]
