"""A minimal server with responses in memory, so that the benchmarks measure the client.

python tools/benchmarks/server.py        prints its port, and serves until its standard input ends
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

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


def _response(document: object) -> bytes:
    body = json.dumps(document).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    rate = "X-Rate-Limit: 20000\r\nX-Rate-Limit-Remaining: 19999\r\n\r\n"
    return head.encode() + rate.encode() + body


def _records() -> dict[str, object]:
    record = json.loads(Path(__file__).with_name("record.json").read_text("utf-8"))
    data = [{**record, "createdAt": 1757955951 + number} for number in range(RECORDS)]
    return {"data": data, "meta": {"current": {"limit": RECORDS, "count": RECORDS}}}


def _content_length(head: bytes) -> int:
    _, _, value = head.lower().partition(b"content-length:")
    number, _, _ = value.partition(b"\r\n")
    return int(number or 0)


class Canned(asyncio.Protocol):
    """Responds according to the request target; the request body is ignored."""

    records = _response(_records())
    keyword_list = _response({"data": KEYWORD_LIST})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.buffer = bytearray()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self.buffer[:end])
        size = end + 4 + _content_length(head)
        # No client sends a request before the response to the last one.
        if len(self.buffer) == size:
            self.buffer.clear()
            is_for_records = b"/reviewed-messages" in head
            self.transport.write(self.records if is_for_records else self.keyword_list)


async def main() -> None:
    """Serve on a free port of 127.0.0.1."""
    server = await asyncio.get_running_loop().create_server(Canned, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
