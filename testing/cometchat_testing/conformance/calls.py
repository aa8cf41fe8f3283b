"""Calls the reading operations of an app, and keeps the outline of each response."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from inspect import signature
from typing import Any
from urllib.parse import urlsplit

from cometchat_rest.client import Client
from cometchat_rest.version import __version__
from cometchat_runtime.errors import BODY_SAMPLE, ApiError, CometChatError, UnexpectedResponse
from cometchat_runtime.operation import Call, Response
from cometchat_runtime.secrets import Secret

from .exchanges import KNOWN_CODES, OPERATIONS, PREPARE, RATE_HEADER, Exchange, Unread, body_type
from .outline import outline, texts
from .reports import Report, Service

# An unusual page size: if the response repeats it, the service has used the parameter.
_PAGE_SIZE = 99
# The parameters with this size: the name in a report, and the place in the response.
_REPEATED = {"limit": ("limit", "current"), "per_page": ("perPage", "pagination")}
# The name of a list that many apps have.
_USUAL_LIST = "profanity-list"
_LIST_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def probe(
    chat: Client,
    *,
    keyword_id: str | None = None,
    path_values: Mapping[str, str] | None = None,
    revoke: bool = False,
) -> Report:
    """Compare the responses of the service with the description. The calls only read.

    Each GET of the description is called, if there is a value for each of its path parameters. An
    operation that the service refuses is part of the report; the other operations are called
    anyway.

    Args:
        chat: a client without `strict=True`, which would end each call at its first difference.
        keyword_id: the keyword list to get; by default one that a reviewed message names, else
            `profanity-list`.
        path_values: values of further path parameters, by their names in Python.
        revoke: whether to call the deletion of an auth token as well, for a user and a token that
            do not exist.

    Returns:
        The report. It contains no value of a response, no identifier and no key.

    Raises:
        InvalidRequestError: a path value cannot be sent.
        CometChatError: no response arrived.
    """
    values = {"keyword_id": keyword_id or _USUAL_LIST, **(path_values or {})}
    exchanges = []
    # A list names the identifiers that other operations need, so the operations without path
    # parameters come first.
    for name in sorted(PREPARE, key=lambda name: "{" in OPERATIONS[name].path):
        parameters = signature(PREPARE[name]).parameters
        needed = [
            each for each, parameter in parameters.items() if parameter.default is parameter.empty
        ]
        if OPERATIONS[name].method != "GET" or not values.keys() >= set(needed):
            continue
        sizes = {each: _PAGE_SIZE for each in _REPEATED if each in parameters}
        numbers = {each.argument for each in OPERATIONS[name].parameters if each.type == "integer"}
        arguments = {
            each: _typed(values[each]) if each in numbers else values[each] for each in needed
        }
        outcome = _attempt(chat, PREPARE[name](**arguments, **sizes))
        exchanges.append(_exchange(chat, name, outcome, *(values[each] for each in needed)))
        if name == "list_reviewed_messages" and keyword_id is None:
            values["keyword_id"] = next(_named_lists(outcome), _USUAL_LIST)
    if revoke:
        # Only letters and digits, so that the path is valid. Nobody has this user and this token.
        absent = f"conformance-{secrets.token_hex(16)}"
        deletion = _attempt(chat, PREPARE["delete_auth_token"](absent, absent))
        exchanges.append(_exchange(chat, "delete_auth_token", deletion))
    today = datetime.now(UTC).date().isoformat()
    return Report(service=_place(chat), client=__version__, date=today, exchanges=tuple(exchanges))


def _typed(text: str) -> str | int:
    """The integer that a text stands for. The client refuses any other text, so it stays as it
    is."""
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else text


def _place(chat: Client) -> Service:
    host = urlsplit(chat.base_url).hostname or ""
    if host.endswith(".cometchat.io"):
        return "hosted"
    # A client accepts http for this machine only.
    return "this machine" if chat.base_url.startswith("http:") else "own host"


def _attempt(chat: Client, call: Call[Any]) -> Response[Any] | ApiError | UnexpectedResponse:
    outcome = chat.api.run(chat.api.steps(call))
    if isinstance(outcome, CometChatError) and not isinstance(
        outcome, ApiError | UnexpectedResponse
    ):
        raise outcome
    return outcome


def _exchange(
    chat: Client,
    operation: str,
    outcome: Response[Any] | ApiError | UnexpectedResponse,
    *sent: str,
) -> Exchange:
    """The exchange of an outcome; `sent` are the identifiers of the request, which a response
    may use as names."""
    status, code, unread = outcome.status_code or 0, None, None
    content: str | bytes = outcome.content if isinstance(outcome, Response) else outcome.body
    body: object = None
    document: object = None
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        unread = _reason(content)
    else:
        body = outline(
            body_type(operation, status), document, (*_identifiers(chat), *sent, *texts(document))
        )
    if isinstance(outcome, ApiError) and outcome.code in KNOWN_CODES:
        code = outcome.code
    return Exchange(
        operation=operation,
        status=status,
        code=code,
        json_type=outcome.headers.get("content-type", "").partition(";")[0].strip().lower()
        == "application/json",
        headers=tuple(sorted(name for name in outcome.headers if RATE_HEADER.fullmatch(name))),
        parameters=dict(_used(document)),
        body=body,
        unread=unread,
    )


def _identifiers(chat: Client) -> Iterator[str]:
    """The values that each request contains: the app's identifier, the key, the user, and your
    own headers."""
    options = chat.api.options
    # The app's identifier is a part of the address.
    yield from (urlsplit(chat.base_url).hostname or "").split(".")
    secrets = (
        secret.reveal() for secret in (*options.secrets, *map(Secret, options.headers.values()))
    )
    yield from (*secrets, options.on_behalf_of or "")


def _reason(content: str | bytes) -> Unread:
    """Why a body is not JSON; an error keeps only the beginning of a long body."""
    return (
        "not complete" if isinstance(content, str) and len(content) >= BODY_SAMPLE else "not JSON"
    )


def _used(body: Any) -> Iterator[tuple[str, bool]]:
    """Whether the service used the page size; nothing if the response does not repeat it."""
    meta = body.get("meta") if isinstance(body, dict) else None
    for name, (parameter, place) in _REPEATED.items():
        held = meta.get(place) if isinstance(meta, dict) else None
        if isinstance(held, dict) and type(held.get(name)) is int:
            yield parameter, held[name] == _PAGE_SIZE


def _named_lists(outcome: object) -> Iterator[str]:
    """The keyword lists that the conditions of reviewed messages name."""
    for record in outcome.parsed.data if isinstance(outcome, Response) else ():
        condition = record.condition
        if condition is not None and condition.is_keywords_reference_present is True:
            yield from (
                each
                for each in condition.value or ()
                if isinstance(each, str) and _LIST_ID.fullmatch(each)
            )
