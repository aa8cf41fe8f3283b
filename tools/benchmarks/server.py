"""A minimal server with responses in memory, so that the benchmarks measure the client."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

HERE = Path(__file__).parent
RECORDS = 1000
KEYWORD_LIST = (HERE / "keyword_list.json").read_bytes()
TERMS = json.loads(KEYWORD_LIST)["data"]["searchTerms"]


def _records() -> bytes:
    record = json.loads((HERE / "record.json").read_bytes())
    data = [{**record, "createdAt": 1757955951 + number} for number in range(RECORDS)]
    meta = {"current": {"limit": RECORDS, "count": RECORDS}}
    return json.dumps({"data": data, "meta": meta}).encode()


class Canned(BaseHTTPRequestHandler):
    """Responds according to the path; the body of the request is ignored."""

    protocol_version = "HTTP/1.1"
    # One packet for each response, sent at once.
    wbufsize = -1
    disable_nagle_algorithm = True
    records = _records()

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = self.records if "/reviewed-messages" in self.path else KEYWORD_LIST
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Rate-Limit", "20000")
        self.send_header("X-Rate-Limit-Remaining", "19999")
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_GET  # noqa: N815 - the name is that of the standard library

    def log_message(self, *_: object) -> None:
        """Write no log."""


class Server(ThreadingHTTPServer):
    """Accepts as many connections at a time as the contenders open."""

    request_queue_size = 100


def start() -> str:
    """Serve until the process ends; return the base URL."""
    server = Server(("127.0.0.1", 0), Canned)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v3"
