"""The service as an ASGI application: it checks a request, carries out its operation, and makes the response.

`openapi.yaml` leaves some cases open. These rules are the simulator's own; the service may differ:

- The key is checked before the path, and the path before the rest of the request.
- A key with the scope authOnly is refused with the status 403 and the code `AUTH_ERR_NO_ACCESS`.
- A list, a user or a token that does not exist gets 404 (see `unknown_token`), and a token of another user 403.
- Unknown query parameters and form fields are refused, and so is a body if the operation has no body.
- Empty segments and dot segments are removed from the path, as many front servers do. This is the strictest
  assumption: if a client sends such a segment, the request reaches a neighbouring operation.
- A known path with a wrong method gets the status 405 with `Allow`, in the shape of every other error.
- `limit` of the reviewed messages is at least 1, because no maximum is documented; the default is 50.
- A page of roles after the last one is empty, and its pagination shows the number of pages.
- Uids are compared in lower case; tokens and list ids are compared unchanged.

See `keywords` for the update of a keyword list.
"""

import asyncio
import contextlib
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from attrs import evolve, frozen
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from .described import DescribedOperation, operations
from .errors import RefusalError, bad_request, not_found
from .faults import Fault, deliver
from .form import FormError, parse
from .keywords import OpenQuestions, read_update, updated
from .state import ReceivedRequest, State, copy_for_trial

_Query = Mapping[str, Any]


@frozen
class _Route:
    """An operation, its method and its path; `None` in `path` is a parameter."""

    operation: str
    method: str
    path: tuple[str | None, ...]
    takes_body: bool = False

    def matches(self, segments: tuple[str, ...]) -> bool:
        """Whether this route has this path; the method is ignored."""
        return len(segments) == len(self.path) and all(
            own in (None, sent) for own, sent in zip(self.path, segments, strict=True)
        )


_STATEFUL = (
    _Route("get_keyword_list", "GET", ("v3", "moderation", "keywords", None)),
    _Route("update_keyword_list", "PUT", ("v3", "moderation", "keywords", None), takes_body=True),
    _Route("list_reviewed_messages", "GET", ("v3", "moderation", "reviewed-messages")),
    _Route("list_roles", "GET", ("v3", "roles")),
    _Route("delete_auth_token", "DELETE", ("v3", "users", None, "auth_tokens", None)),
)
_NEIGHBOURS = (
    # The client must never reach them by mistake, and tests must notice if it does.
    _Route("delete_auth_tokens", "DELETE", ("v3", "users", None, "auth_tokens")),
    _Route("delete_user", "DELETE", ("v3", "users", None)),
)


@cache
def _described() -> Mapping[str, DescribedOperation]:
    """The operations of openapi.yaml, by name."""
    return {operation.name: operation for operation in operations()}


@cache
def routes() -> tuple[_Route, ...]:
    """All operations. A neighbour goes as soon as the description has its method and path."""
    known = {route.operation for route in _STATEFUL}
    described = [
        _Route(operation.name, operation.method, operation.path)
        for operation in _described().values()
        if operation.name not in known
    ]
    places = {(route.method, route.path) for route in described}
    return (*_STATEFUL, *described, *(route for route in _NEIGHBOURS if (route.method, route.path) not in places))


@frozen(eq=False)
class Service:
    """The ASGI application, for callers with `api_key`; `auth_only_key` is known, but every operation refuses it."""

    _state: State
    _api_key: str
    _auth_only_key: str
    _answers: OpenQuestions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. Raises ConnectionCutError for a cut if there is no connection to close."""
        if scope["type"] != "http":
            raise RuntimeError(f"the simulator supports HTTP only, not {scope['type']}")
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
        if fault.apply_after:
            response = self._handle_late(request, fault.apply_after)
        elif fault.apply_after is None and (fault.cut == "before_headers" or fault.replaces):
            response = None
        else:
            response = self._handle(request)
        if fault.cut in ("before_headers", "after_processing"):
            return None
        if response is None or fault.replaces:
            response = fault.response()
        response.headers.update(fault.headers)
        return response

    def _handle(self, request: ReceivedRequest, *, trial: bool = False) -> Response:
        """Carry out a request; a trial makes the same response but changes nothing."""
        refused, headers = self._state.spend()
        try:
            self._check_key(request.header("apikey"), refused=refused)
            with self._state.lock:
                service = evolve(self, state=copy_for_trial(self._state)) if trial else self
                response = service.run_operation(request)
        except RefusalError as refusal:
            response = refusal.response()
        response.headers.update(headers)
        return response

    def _handle_late(self, request: ReceivedRequest, seconds: float) -> Response:
        """Make the response now and apply the change after `seconds`; a request that is refused changes nothing."""
        start = self._state.start
        response = self._handle(request, trial=True)
        if response.status_code == 200:
            asyncio.get_running_loop().call_later(seconds, self._apply, request, start)
        return response

    def _apply(self, request: ReceivedRequest, start: object) -> None:
        with self._state.lock:
            # A change from before a reset must not appear in the next test.
            if self._state.start is start:
                # By now the service may refuse the change, for example because another request deleted the token.
                with contextlib.suppress(RefusalError):
                    self.run_operation(request)

    def _check_key(self, key: str | None, *, refused: bool) -> None:
        if refused:
            raise RefusalError(429, "ERR_TOO_MANY_REQUESTS", "Too many requests.")
        if not key:
            raise RefusalError(401, "AUTH_ERR_EMPTY_APIKEY", "The header apikey is missing or empty.")
        if key == self._auth_only_key:
            raise RefusalError(403, "AUTH_ERR_NO_ACCESS", "The key needs the scope fullAccess.")
        if key != self._api_key:
            raise RefusalError(401, "AUTH_ERR_APIKEY_NOT_FOUND", f"The key {key[: len(key) // 2]}... is not known.")

    def run_operation(self, request: ReceivedRequest) -> Response:
        """Find the operation of a request and carry it out; raises RefusalError."""
        segments = _segments(request.path)
        route = _route(request.method, segments)
        arguments = [sent for own, sent in zip(route.path, segments, strict=True) if own is None]
        query: _Query = {}
        described = _described().get(route.operation)
        if described is not None:
            query = described.read(request, arguments, with_body=not route.takes_body)
            if route not in _STATEFUL:
                return described.example()
        elif unknown := [*request.parameters, *(["body"] if request.body else [])]:
            raise bad_request({name: ["is not allowed in this operation"] for name in unknown})
        handle: Callable[..., Response] = getattr(self, f"_{route.operation}")
        response = handle(request if route.takes_body else query, arguments)
        if route in _NEIGHBOURS and set(matching := _matching(segments)) - set(_NEIGHBOURS):
            # It is done, so that tests notice it, and denied: the description has this path without this method.
            raise _without_method(matching)
        return response

    def _get_keyword_list(self, _query: _Query, arguments: list[str]) -> Response:
        (keyword_id,) = arguments
        record = self._state.keyword_lists.get(keyword_id)
        if record is None:
            raise not_found("ERR_KEYWORD_NOT_FOUND", "keyword list", keyword_id)
        return JSONResponse({"data": record})

    def _update_keyword_list(self, request: ReceivedRequest, arguments: list[str]) -> Response:
        (keyword_id,) = arguments
        current = self._state.keyword_lists.get(keyword_id)
        if current is None:
            raise not_found("ERR_KEYWORD_NOT_FOUND", "keyword list", keyword_id)
        try:
            parts = parse(request.header("content-type") or "", request.body)
        except FormError as error:
            raise bad_request({"body": [str(error)]}) from error
        fields = _described()["update_keyword_list"].form_fields()
        change = read_update(parts, fields, self._answers)
        record = updated(current, change, keyword_id, self._state.now.timestamp())
        self._state.keyword_lists[keyword_id] = record
        return JSONResponse({"data": record})

    def _list_reviewed_messages(self, query: _Query, _arguments: list[str]) -> Response:
        limit = query.get("limit", 50)
        records = self._state.reviewed_messages[:limit]
        return JSONResponse({"data": records, "meta": {"current": {"limit": limit, "count": len(records)}}})

    def _list_roles(self, query: _Query, _arguments: list[str]) -> Response:
        page = query["page"] if self._answers.page_parameter == "page" else 1
        per_page = query["perPage"]
        total = len(self._state.roles)
        records = self._state.roles[(page - 1) * per_page : page * per_page]
        pagination = {
            "total": total,
            "count": len(records),
            "per_page": per_page,
            "current_page": page,
            "total_pages": math.ceil(total / per_page),
        }
        return JSONResponse({"data": records, "meta": {"pagination": pagination}})

    def _delete_auth_token(self, _query: _Query, arguments: list[str]) -> Response:
        uid, token = self._user(arguments[0]), arguments[1]
        tokens = self._state.auth_tokens
        if token not in tokens.get(uid, ()):
            if any(token in others for others in tokens.values()):
                raise RefusalError(403, "ERR_AUTHTOKEN_NOT_ACCESSIBLE", "The auth token belongs to another user.")
            if self._answers.unknown_token == "error":
                raise not_found("ERR_AUTH_TOKEN_NOT_FOUND", "auth token", token)
        tokens[uid] = [other for other in tokens.get(uid, ()) if other != token]
        return _deleted(f"The auth token {token} of the user {uid} was deleted.")

    def _delete_auth_tokens(self, _query: _Query, arguments: list[str]) -> Response:
        uid = self._user(arguments[0])
        self._state.damage.append(("delete_auth_tokens", uid))
        self._state.auth_tokens[uid] = []
        return _deleted(f"All auth tokens of the user {uid} were deleted.")

    def _delete_user(self, _query: _Query, arguments: list[str]) -> Response:
        uid = self._user(arguments[0])
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
    raw_path: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    path = raw_path.decode("latin-1")
    segments = _segments(path)
    return ReceivedRequest(
        method=scope["method"],
        path=path,
        query=scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]),
        body=body,
        operation=next((r.operation for r in routes() if r.method == scope["method"] and r.matches(segments)), None),
    )


def _route(method: str, segments: tuple[str, ...]) -> _Route:
    """The route of a path and a method; raises RefusalError with the status 404 or 405."""
    matching = _matching(segments)
    if not matching:
        raise RefusalError(404, "ERR_API_NOT_FOUND", "The path does not exist.")
    route = next((route for route in matching if route.method == method), None)
    if route is None:
        raise _without_method(matching)
    return route


def _matching(segments: tuple[str, ...]) -> list[_Route]:
    return [route for route in routes() if route.matches(segments)]


def _without_method(matching: list[_Route]) -> RefusalError:
    # A neighbour is not part of the description, so no response advertises it beside a described operation.
    described = [route.method for route in matching if route not in _NEIGHBOURS]
    headers = {"Allow": ", ".join(sorted(described or (route.method for route in matching)))}
    return RefusalError(405, "ERR_API_NOT_FOUND", "The path does not have this method.", headers=headers)


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
