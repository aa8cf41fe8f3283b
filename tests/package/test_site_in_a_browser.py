"""The documentation site in a browser, at the width of a phone and of a desktop."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PROBE = Path(__file__).with_name("probe.html")
#: Seconds that the browser may take for all pages.
SECONDS = 500
axe = pytest.importorskip(
    "axe_core_python", reason="the packages of the pages are not installed: run make docs"
)
AXE = Path(axe.__file__).with_name("axe.min.js")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or os.name != "posix", reason="Chromium is not installed"
)


class Handler(SimpleHTTPRequestHandler):
    """Serves the site and the probe page, and receives the results of the probe page."""

    def __init__(self, site: Path, results: Queue[bytes], *arguments: Any) -> None:
        self._site = site
        self._results = results
        super().__init__(*arguments, directory=str(site))

    def do_GET(self) -> None:
        if self.path.startswith("/probe"):
            self._respond("text/html", PROBE.read_bytes())
        elif self.path == "/axe.min.js":
            self._respond("text/javascript", AXE.read_bytes())
        elif self.path == "/pages":
            names = [
                f"/{page.relative_to(self._site).as_posix()}" for page in self._site.rglob("*.html")
            ]
            self._respond("application/json", json.dumps(names).encode())
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self._results.put(self.rfile.read(int(self.headers["content-length"])))
        self._respond("text/plain", b"")

    def _respond(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class names it so
        """Log nothing."""


@contextmanager
def serve(site: Path) -> Iterator[tuple[str, Queue[bytes]]]:
    """Serve a site on loopback; yield its address, and the results of the probe page."""
    results: Queue[bytes] = Queue()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, site, results)) as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield f"http://127.0.0.1:{server.server_port}", results
        server.shutdown()


def probe(address: str, results: Queue[bytes], profile: Path) -> dict[str, Any]:
    """Return the results of the probe page in Chromium, which can resolve no other host."""
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync"
    )
    command = [
        str(CHROMIUM),
        *flags.split(),
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={profile}",
        address,
    ]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=null, stderr=null, start_new_session=True) as browser:
        try:
            result: dict[str, Any] = json.loads(results.get(timeout=SECONDS))
        finally:
            os.killpg(browser.pid, signal.SIGTERM)
    assert result.get("error") is None
    return result


@pytest.fixture(scope="module")
def probed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with serve(site) as (origin, results):
        return probe(f"{origin}/probe", results, tmp_path_factory.mktemp("chromium")) | {
            "origin": origin
        }


def test_each_page_fits(probed: dict[str, Any], site: Path) -> None:
    """No page is wider than the screen of a phone or of a desktop."""
    assert probed["looked_at"] == 2 * len(list(site.rglob("*.html"))) > 40
    assert probed["too_wide"] == []


def test_the_browser_contacts_no_other_host(probed: dict[str, Any]) -> None:
    """A browser that shows the site sends requests only to the site."""
    assert probed["origins"] == [probed["origin"]]


#: The page that answers a word of users.
ANSWERS = {
    "outcome_unknown": "/how-to/errors/",
    "rollback": "/desk/lists/",
    "spreadsheet": "/desk/lint/",
    "pandas": "/how-to/frameworks/",
    "logging": "/how-to/observe/",
    "proxy": "/how-to/network/",
    "webhook": "/how-to/cookbook/",
    "401": "/how-to/errors/",
    "COMETCHAT_REGION": "/how-to/network/",
}


def test_search_leads_users_to_their_pages(probed: dict[str, Any]) -> None:
    """The search works without another host, answers the words of users first, and leads to no
    page for maintainers."""
    assert {word: next(iter(found), None) for word, found in probed["found"].items()} == ANSWERS
    assert {"/contributing/", "/service/"}.isdisjoint(
        each for found in probed["found"].values() for each in found
    )


@pytest.mark.deep
def test_pages_are_accessible(site: Path, tmp_path: Path) -> None:
    """axe finds no barrier, such as a weak contrast, on a phone and a desktop, in light and in
    dark colours."""
    with serve(site) as (origin, results):
        assert probe(f"{origin}/probe?axe", results, tmp_path) == {
            "violations": [],
            "looked_at": 20,
        }
