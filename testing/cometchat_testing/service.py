"""The service as an ASGI application: it checks a request, carries out its operation, and makes the
response.

`openapi.yaml` leaves some cases open. These rules are the simulator's own; the service may differ:

- The key is checked before the path, and the path before the rest of the request.
- A key with the scope authOnly is refused with the status 403 and the code `AUTH_ERR_NO_ACCESS`.
- A list, a user or a token that does not exist gets 404 (see `unknown_token`), and a token of
  another user 403.
- Unknown query parameters and form fields are refused, and so is a body if the operation has no
  body.
- Empty segments and dot segments are removed from the path, as many front servers do. This is the
  strictest assumption: if a client sends such a segment, the request reaches a neighbouring
  operation.
- A known path with a wrong method gets the status 405 with `Allow`, in the shape of every other
  error.
- `limit` of the reviewed messages is at least 1, because no maximum is documented; the default is
  50.
- A page of roles after the last one is empty, and its pagination shows the number of pages.
- Uids are compared in lower case; tokens and list ids are compared unchanged.

See `keywords` for the update of a keyword list.
"""

import asyncio
import contextlib
import math
from functools import cache
from urllib.parse import quote, unquote

from attrs import evolve, frozen
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from .described import Call, DescribedOperation, description, operations
from .errors import RefusalError, not_found
from .faults import Fault, deliver
from .keywords import OpenQuestions, as_shown, read_update, updated
from .records import KeywordListRecord
from .state import ReceivedRequest, State

_PARAMETERS = [{"name": "uid", "in": "path"}]
#: Operations that the description lacks. The client must never reach them by mistake, and tests
#: must notice if it does.
_NEIGHBOURS = operations(
    {
        "/users/{uid}/auth_tokens": {
            "delete": {"operationId": "deleteAuthTokens", "parameters": _PARAMETERS}
        },
        "/users/{uid}": {"delete": {"operationId": "deleteUser", "parameters": _PARAMETERS}},
    }
)


@cache
def _operations() -> tuple[DescribedOperation, ...]:
    """All operations. A described operation comes before a neighbour with its method and path."""
    return (*operations(description()["paths"]), *_NEIGHBOURS)


def _operation(method: str, segments: tuple[str, ...]) -> DescribedOperation | None:
    for operation in _operations():
        if operation.method == method and operation.matches(segments):
            return operation
    return None


@frozen(eq=False)
class Service:
    """The ASGI application, for callers with `api_key`; `auth_only_key` is known, but every
    operation refuses it."""

    _state: State
    _api_key: str
    _auth_only_key: str
    _answers: OpenQuestions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. Raises ConnectionCutError for a cut if there is no connection
        to close."""
        try:
            request = _received(scope, await Request(scope, receive).body())
        except ClientDisconnect:
            return
        fault = self._state.receive(request)
        response = self._respond(request, fault)
        if fault is not None:
            await deliver(response, fault, scope, receive, send)
        elif response is not None:
            await response(scope, receive, send)

    def _respond(self, request: ReceivedRequest, fault: Fault | None) -> Response | None:
        if fault is None:
            return self._handle(request)
        response = self._handle_with(fault, request)
        if fault.cut in ("before_headers", "after_processing"):
            return None
        if response is None or fault.replaces:
            response = fault.response()
        response.headers.update(fault.headers)
        return response

    def _handle_with(self, fault: Fault, request: ReceivedRequest) -> Response | None:
        """Carry out a request now, later or, with `None` as the response, not at all."""
        if fault.apply_after:
            return self._handle_late(request, fault.apply_after)
        never = fault.cut == "before_headers" or fault.replaces
        if never and fault.apply_after is None:
            return None
        return self._handle(request)

    def _handle(self, request: ReceivedRequest, *, trial: bool = False) -> Response:
        """Carry out a request; a trial makes the same response but changes nothing."""
        refused, headers = self._state.spend()
        try:
            self._check_key(request.header("apikey"), refused=refused)
            with self._state.lock:
                service = evolve(self, state=self._state.for_trial()) if trial else self
                response = service.run_operation(request)
        except RefusalError as refusal:
            response = refusal.response()
        response.headers.update(headers)
        return response

    def _handle_late(self, request: ReceivedRequest, seconds: float) -> Response:
        """Make the response now and apply the change after `seconds`; a request that is refused
        changes nothing."""
        start = self._state.start
        response = self._handle(request, trial=True)
        if response.status_code == 200:
            asyncio.get_running_loop().call_later(seconds, self._apply, request, start)
        return response

    def _apply(self, request: ReceivedRequest, start: object) -> None:
        with self._state.lock:
            # A change from before a reset must not appear in the next test.
            if self._state.start is not start:
                return
            # By now the service may refuse the change, for example because another request deleted
            # the token.
            with contextlib.suppress(RefusalError):
                self.run_operation(request)

    def _check_key(self, key: str | None, *, refused: bool) -> None:
        if refused:
            raise RefusalError(429, "ERR_TOO_MANY_REQUESTS", "Too many requests.")
        if not key:
            raise RefusalError(
                401, "AUTH_ERR_EMPTY_APIKEY", "The header apikey is missing or empty."
            )
        if key == self._auth_only_key:
            raise RefusalError(403, "AUTH_ERR_NO_ACCESS", "The key needs the scope fullAccess.")
        if key != self._api_key:
            beginning = key[: len(key) // 2]
            raise RefusalError(
                401, "AUTH_ERR_APIKEY_NOT_FOUND", f"The key {beginning}... is not known."
            )

    def run_operation(self, request: ReceivedRequest) -> Response:
        """Find the operation of a request and carry it out; raises RefusalError."""
        segments = _segments(request.path)
        matching = [operation for operation in _operations() if operation.matches(segments)]
        if not matching:
            raise RefusalError(404, "ERR_API_NOT_FOUND", "The path does not exist.")
        operation = _operation(request.method, segments)
        if operation is None:
            raise _without_method(matching)
        call = operation.read(request, segments)
        handle = getattr(self, f"_do_{operation.name}", None)
        if handle is None:
            return operation.example()
        response: Response = handle(call)
        if operation in _NEIGHBOURS and _described(matching):
            # It is done, so that tests notice it, and denied: the description has this path without
            # this method.
            raise _without_method(matching)
        return response

    def _do_get_keyword_list(self, call: Call) -> Response:
        (keyword_id,) = call.path
        return self._shown(self._keyword_list(keyword_id))

    def _do_update_keyword_list(self, call: Call) -> Response:
        (keyword_id,) = call.path
        current = self._keyword_list(keyword_id)
        change = read_update(call.body, self._answers)
        now = self._state.now.timestamp()
        record = updated(current, change, keyword_id, now)
        self._state.keyword_lists[keyword_id] = record
        return self._shown(record)

    def _shown(self, record: KeywordListRecord) -> Response:
        return JSONResponse({"data": as_shown(record, self._answers)})

    def _keyword_list(self, keyword_id: str) -> KeywordListRecord:
        record = self._state.keyword_lists.get(keyword_id)
        if record is None:
            raise not_found("ERR_KEYWORD_NOT_FOUND", "keyword list", keyword_id)
        return record

    def _do_list_reviewed_messages(self, call: Call) -> Response:
        limit = call.query.get("limit", 50)
        records = self._state.reviewed_messages[:limit]
        current = {"limit": limit, "count": len(records)}
        return JSONResponse({"data": records, "meta": {"current": current}})

    def _do_list_roles(self, call: Call) -> Response:
        page = call.query["page"] if self._answers.page_parameter == "page" else 1
        per_page = call.query["perPage"]
        total = len(self._state.roles)
        first = (page - 1) * per_page
        records = self._state.roles[first : first + per_page]
        pagination = {
            "total": total,
            "count": len(records),
            "per_page": per_page,
            "current_page": page,
            "total_pages": math.ceil(total / per_page),
        }
        return JSONResponse({"data": records, "meta": {"pagination": pagination}})

    def _do_delete_auth_token(self, call: Call) -> Response:
        sent_uid, token = call.path
        uid = self._user(sent_uid)
        auth_tokens = self._state.auth_tokens
        own_tokens = auth_tokens.get(uid, ())
        if token not in own_tokens:
            if any(token in tokens for tokens in auth_tokens.values()):
                raise RefusalError(
                    403, "ERR_AUTHTOKEN_NOT_ACCESSIBLE", "The auth token belongs to another user."
                )
            if self._answers.unknown_token == "error":
                raise not_found("ERR_AUTH_TOKEN_NOT_FOUND", "auth token", token)
        auth_tokens[uid] = [remaining for remaining in own_tokens if remaining != token]
        return _deleted(f"The auth token {token} of the user {uid} was deleted.")

    def _do_delete_auth_tokens(self, call: Call) -> Response:
        uid = self._user(call.path[0])
        self._state.damage.append(("delete_auth_tokens", uid))
        self._state.auth_tokens[uid] = []
        return _deleted(f"All auth tokens of the user {uid} were deleted.")

    def _do_delete_user(self, call: Call) -> Response:
        uid = self._user(call.path[0])
        self._state.damage.append(("delete_user", uid))
        del self._state.users[uid]
        self._state.auth_tokens.pop(uid, None)
        return _deleted(f"The user {uid} was deleted.")

    def _user(self, sent: str) -> str:
        uid = sent.lower()
        if uid not in self._state.users:
            raise not_found("ERR_UID_NOT_FOUND", "user", sent)
        return uid


def _received(scope: Scope, body: bytes) -> ReceivedRequest:
    raw_path: bytes | None = scope.get("raw_path")
    path = raw_path.decode("latin-1") if raw_path else quote(scope["path"])
    headers = [
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, value in scope["headers"]
    ]
    operation = _operation(scope["method"], _segments(path))
    return ReceivedRequest(
        method=scope["method"],
        path=path,
        query=scope["query_string"].decode("latin-1"),
        headers=tuple(headers),
        body=body,
        operation=None if operation is None else operation.name,
    )


def _described(matching: list[DescribedOperation]) -> list[DescribedOperation]:
    return [operation for operation in matching if operation not in _NEIGHBOURS]


def _without_method(matching: list[DescribedOperation]) -> RefusalError:
    # A neighbour is not part of the description, so no response advertises it beside a described
    # operation.
    advertised = _described(matching) or matching
    methods = sorted(operation.method for operation in advertised)
    return RefusalError(
        405,
        "ERR_API_NOT_FOUND",
        "The path does not have this method.",
        headers={"Allow": ", ".join(methods)},
    )


def _segments(path: str) -> tuple[str, ...]:
    # Split before decoding: an encoded slash does not end a segment. Each segment is decoded once.
    segments: list[str] = []
    for segment in map(unquote, path.split("/")):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    return tuple(segments)


def _deleted(message: str) -> Response:
    return JSONResponse({"data": {"success": True, "message": message}})
