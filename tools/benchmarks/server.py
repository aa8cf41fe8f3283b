"""A minimal server with responses in memory, so that the benchmarks measure the client.

python tools/benchmarks/server.py        prints its port, and serves until its standard input ends
"""

from __future__ import annotations

import asyncio
import json
import sys
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

RECORDS = 1000


def record(number: int) -> dict[str, Any]:
    """Return one reviewed message, as large as a message of the service."""
    uid, peer = f"user-{number % 97}", f"user-{number % 89}"
    conversation = f"{uid}_user_{peer}"
    person = {
        "avatar": f"https://data.example/avatars/{uid}.png",
        "status": "available",
        "role": "default",
    }
    return {
        "ruleId": "toxic-text",
        "ruleName": "Toxic text",
        "revisionId": f"0a1b2c3d4e5f6071_toxic-text_{number % 7}",
        "condition": {
            "id": number,
            "isKeywordsReferencePresent": False,
            "isMediaPresent": False,
            "entity": "message",
            "operand": "text",
            "category": "toxicity",
            "operator": "contains",
            "value": ["toxicity_greaterThan_70"],
            "message": "The text is more toxic than 70 per cent",
            "weight": 1,
        },
        "message": {
            "id": str(390000 + number),
            "muid": f"web-{number:012x}",
            "conversationId": conversation,
            "sender": uid,
            "receiverType": "user",
            "receiver": peer,
            "category": "message",
            "type": "text",
            "data": {
                "text": (
                    f"Message {number}: you are a fool, and so is whoever taught you to write. " * 2
                ),
                "resource": "WEB-4_0_10-2f0c1b9a",
                "entities": {
                    "sender": {
                        "entity": {"uid": uid, "name": uid.title(), **person},
                        "entityType": "user",
                    },
                    "receiver": {
                        "entity": {
                            "uid": peer,
                            "name": peer.title(),
                            **person,
                            "lastActiveAt": 1757955000 + number,
                            "conversationId": conversation,
                        },
                        "entityType": "user",
                    },
                },
                "moderation": {
                    "status": "disapproved",
                    "rule": {"id": "toxic-text", "name": "Toxic text"},
                },
            },
            "sentAt": 1757955950 + number,
            "updatedAt": 1757955951 + number,
        },
        "action": ["blockMessage"],
        "createdAt": 1757955951 + number,
        "updatedAt": 1757955951 + number,
        "blockedAt": f"{1757955951 + number}.{390000 + number:015d}",
        "appId": "253179cf5f665257",
    }


SEARCH_TERMS = ["spam", "scam", "phishing"]
KEYWORD_LIST = {
    "id": "profanity-list",
    "name": "Profanity",
    "category": "word",
    "isCSV": False,
    "searchTerms": SEARCH_TERMS,
    "createdAt": 1729597101,
    "updatedAt": 1729597102,
    "revisionId": "0a1b2c3d4e5f6071_profanity-list_2",
    "active": True,
}


def reviewed(count: int) -> dict[str, Any]:
    """Return a page of reviewed messages."""
    data = [record(number) for number in range(count)]
    return {"data": data, "meta": {"current": {"limit": count, "count": count}}}


def document(target: str) -> dict[str, Any]:
    """Return the response document for a request target."""
    address = urlsplit(target)
    query = dict(parse_qsl(address.query))
    if address.path.endswith("/reviewed-messages"):
        return reviewed(int(query.get("limit", RECORDS)))
    return {"data": KEYWORD_LIST}


@lru_cache(256)
def response(target: bytes) -> bytes:
    """Return the bytes of the response to a target; they are created once."""
    body = json.dumps(document(target.decode("ascii"))).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    head += (
        "X-Rate-Limit: 20000\r\nX-Rate-Limit-Remaining: 19999\r\nContent-Length:"
        f" {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def content_length(head: bytes) -> int:
    """Return the number of bytes of the body of a request."""
    _, _, value = head.lower().partition(b"content-length:")
    number, _, _ = value.partition(b"\r\n")
    return int(number or 0)


class Canned(asyncio.Protocol):
    """Responds according to the request target; the request body is ignored."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.buffer = bytearray()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while True:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.buffer[:end])
            size = end + 4 + content_length(head)
            if len(self.buffer) < size:
                return
            del self.buffer[:size]
            _, target, _ = head.split(b" ", 2)
            self.transport.write(response(target))


async def main() -> None:
    """Serve on a free port of 127.0.0.1."""
    server = await asyncio.get_running_loop().create_server(Canned, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
