"""What a reader of the documentation site sees in a browser, at the width of a phone and of a desktop."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PROBE = Path(__file__).with_name("probe.html")
SECONDS = 120

pytestmark = pytest.mark.skipif(CHROMIUM is None or os.name != "posix", reason="there is no Chromium here")


class Handler(SimpleHTTPRequestHandler):
    """Serves the site, and beside it the page that looks at all others; takes what that page tells."""

    def __init__(self, site: Path, told: Queue[bytes], *arguments: Any) -> None:
        self._site = site
        self._told = told
        super().__init__(*arguments, directory=str(site))

    def do_GET(self) -> None:
        if self.path == "/probe":
            self._answer("text/html", PROBE.read_bytes())
        elif self.path == "/pages":
            names = [f"/{page.relative_to(self._site).as_posix()}" for page in self._site.rglob("*.html")]
            self._answer("application/json", json.dumps(names).encode())
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self._told.put(self.rfile.read(int(self.headers["content-length"])))
        self._answer("text/plain", b"")

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name it is called by
        """Nothing: what matters is told."""


@pytest.fixture(scope="module")
def origin_and_told(site: Path) -> Iterator[tuple[str, Queue[bytes]]]:
    told: Queue[bytes] = Queue()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, site, told)) as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield f"http://127.0.0.1:{server.server_port}", told
        server.shutdown()


@pytest.fixture(scope="module")
def seen(origin_and_told: tuple[str, Queue[bytes]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Chromium saw, which knows no host but this one."""
    origin, told = origin_and_told
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync"
    )
    command = [
        str(CHROMIUM),
        *flags.split(),
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={tmp_path_factory.mktemp('chromium')}",
        f"{origin}/probe",
    ]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere, start_new_session=True) as browser:  # noqa: S603
        try:
            result: dict[str, Any] = json.loads(told.get(timeout=SECONDS))
        finally:
            os.killpg(browser.pid, signal.SIGTERM)
    return result | {"origin": origin}


def test_each_page_fits(seen: dict[str, Any], site: Path) -> None:
    """No page is wider than the screen, be it a phone's or a desktop's."""
    assert seen.get("error") is None
    assert seen["looked_at"] == 2 * len(list(site.rglob("*.html"))) > 40
    assert seen["too_wide"] == []


def test_the_browser_asks_no_one_else(seen: dict[str, Any]) -> None:
    """All that a browser fetches while it shows the site comes from where the site is."""
    assert seen["origins"] == [seen["origin"]]


def test_search_works_by_itself(seen: dict[str, Any]) -> None:
    """Searching needs nothing but the site."""
    assert seen["found"] > 0
