"""A service on raw sockets that records what it receives, and fails as a scenario says."""

import json
import re
import socket
import threading
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from attrs import define, field

from ..servers import ScriptedServer, read_request

#: Stands in a script for the response of a service that works.
GOOD = None
#: No response: the connection ends after the request.
CLOSED = b""
#: The responses to the first requests that a script is for; the last one is repeated.
Script = tuple[bytes | None, ...]

_JSON = "Content-Type: application/json"
_ROLES = [
    {"role": "default", "name": "Default", "createdAt": 1636461851},
    {"role": "moderator", "name": "Moderator", "createdAt": 1636461852},
    {"role": "guest", "name": "Guest", "createdAt": 1636461853},
]


def response(status: int, body: str = "", *headers: str) -> bytes:
    """A complete response, after which the connection ends."""
    content = body.encode()
    lines = [f"HTTP/1.1 {status} Status", *headers, "Connection: close"]
    if status != 204:
        lines.append(f"Content-Length: {len(content)}")
    return "\r\n".join([*lines, "", ""]).encode() + content


def good_response(request: bytes, *, changed: bool) -> bytes:
    """The response of a service that works."""
    method, target = request.decode("latin-1").split(" ", 2)[:2]
    address = urlsplit(target)
    if address.path.startswith("/v3/moderation/keywords/"):
        document = _keyword_list(unquote(address.path.rpartition("/")[2]), changed=changed)
    elif address.path == "/v3/moderation/reviewed-messages":
        document = _reviewed_messages()
    elif address.path == "/v3/roles":
        document = _roles(parse_qs(address.query))
    elif method == "DELETE":
        document = {"data": {"success": True, "message": "Auth token deleted."}}
    else:
        document = {"data": ["é", 1, 2.5, None]}
    return response(200, json.dumps(document), _JSON)


def _keyword_list(identifier: str, *, changed: bool) -> dict[str, Any]:
    data = {
        "id": identifier,
        "name": "Profanity",
        "description": "Rude words",
        "category": "word",
        "isCSV": False,
        "searchTerms": ["spam", "scam", "phishing"] if changed else ["spam", "scam"],
        "revisionId": "revision-2" if changed else "revision-1",
        "active": True,
        "default": False,
        "createdAt": 1636461851,
        "updatedAt": 1636461852,
    }
    return {"data": data}


def _reviewed_messages() -> dict[str, Any]:
    record = {
        "ruleId": "toxic-text",
        "ruleName": "Toxic text",
        "revisionId": "toxic-text_3",
        "message": {"id": "390079", "sender": "alice", "data": {"text": "You are a fool"}},
        "action": ["blockMessage"],
        "createdAt": 1757955951,
    }
    return {"data": [record], "meta": {"current": {"limit": 50, "count": 1}}}


def _roles(query: dict[str, list[str]]) -> dict[str, Any]:
    page = int(query.get("page", ["1"])[0])
    size = int(query.get("perPage", ["100"])[0])
    shown = _ROLES[(page - 1) * size : page * size]
    pagination = {
        "total": len(_ROLES),
        "count": len(shown),
        "per_page": size,
        "current_page": page,
        "total_pages": -(-len(_ROLES) // size),
    }
    return {"data": shown, "meta": {"pagination": pagination}}


@define
class Run:
    """One scenario, as the service sees it.

    Attributes:
        struck: the requests that the script is for: those with this method, before or after an
            update; every other request is answered well.
        script: the responses to them.
        carries_out: whether an update changes the list.
        received: the requests, without the mark of the run.
    """

    struck: str
    script: Script
    carries_out: bool = True
    received: list[bytes] = field(factory=list)
    _strikes: int = 0

    def respond(self, request: bytes) -> bytes:
        """Record a request, and choose its response."""
        self.received.append(request)
        updates = [each for each in self.received if each.startswith(b"PUT ")]
        method = request.split(b" ")[0].decode()
        changed = bool(updates) and self.carries_out
        if self.struck != (f"{method} after PUT" if updates and method != "PUT" else method):
            return good_response(request, changed=changed)
        chosen = self.script[min(self._strikes, len(self.script) - 1)]
        self._strikes += 1
        return good_response(request, changed=changed) if chosen is None else chosen


class Service(ScriptedServer):
    """Serves many runs at the same time; the first segment of a path is the number of its run."""

    def __init__(self) -> None:
        super().__init__(self._talk)
        # The usual queue of connections is too short for many calls at the same time.
        self._server.socket.listen(512)
        self._runs: list[Run] = []
        self._lock = threading.Lock()
        self._refusing = socket.socket()
        self._refusing.bind(("127.0.0.1", 0))

    def add(self, run: Run) -> str:
        """Begin a run, and return the base URL for its client."""
        with self._lock:
            self._runs.append(run)
            return f"{self.address}/run-{len(self._runs) - 1}/v3"

    @property
    def refusing_url(self) -> str:
        """A base URL where nobody accepts a connection."""
        return f"http://127.0.0.1:{self._refusing.getsockname()[1]}/v3"

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._refusing.close()

    def _talk(self, connection: socket.socket) -> None:
        request = read_request(connection)
        if (match := re.match(rb"[A-Z]+ /run-([0-9]+)", request)) is None:
            return
        unmarked = request.replace(b"/run-" + match[1], b"", 1)
        connection.sendall(self._runs[int(match[1])].respond(unmarked))
