"""A minimal server with responses in memory, so that the benchmarks measure the client.

python tools/benchmarks/server.py        prints its port, and serves until its standard input ends
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

RECORDS = 1000
TERMS = ["spam", "scam", "phishing"]
KEYWORD_LIST = {
    "id": "profanity-list",
    "name": "Profanity",
    "category": "word",
    "isCSV": False,
    "searchTerms": TERMS,
    "createdAt": 1729597101,
    "updatedAt": 1729597102,
    "revisionId": "0a1b2c3d4e5f6071_profanity-list_2",
    "active": True,
}


def _records() -> dict[str, object]:
    record = json.loads(Path(__file__).with_name("record.json").read_text("utf-8"))
    data = [{**record, "createdAt": 1757955951 + number} for number in range(RECORDS)]
    return {"data": data, "meta": {"current": {"limit": RECORDS, "count": RECORDS}}}


class Canned(BaseHTTPRequestHandler):
    """Responds according to the path; the body of the request is ignored."""

    protocol_version = "HTTP/1.1"
    # One packet for each response, sent at once.
    wbufsize = -1
    disable_nagle_algorithm = True
    records = json.dumps(_records()).encode()
    keyword_list = json.dumps({"data": KEYWORD_LIST}).encode()

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = self.records if "/reviewed-messages" in self.path else self.keyword_list
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


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Canned)
    Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
