"""Calls the reading operations of an app, and keeps the outline of each response."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from inspect import signature
from typing import Any
from urllib.parse import urlsplit

from cometchat_rest import Client, __version__

from .client import OPERATIONS, PREPARE, Reply, body_type, send, sent_texts
from .exchanges import KNOWN_CODES, RATE_HEADER, Exchange, Unread
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
    values = {"keyword_id": keyword_id or _USUAL_LIST}
    values.update(path_values or {})
    exchanges = []
    # A list names the identifiers that other operations need, so the operations without path
    # parameters come first.
    in_order = sorted(OPERATIONS.values(), key=lambda operation: "{" in operation.path)
    for name in [operation.name for operation in in_order if operation.method == "GET"]:
        arguments = _arguments(name, values)
        if arguments is None:
            continue
        reply = send(chat, PREPARE[name](**arguments))
        exchanges.append(_exchange(chat, name, reply, values.values()))
        if name == "list_reviewed_messages" and keyword_id is None:
            values["keyword_id"] = next(_named_lists(reply), _USUAL_LIST)
    if revoke:
        # Only letters and digits, so that the path is valid. Nobody has this user and this token.
        absent = f"conformance-{secrets.token_hex(16)}"
        reply = send(chat, PREPARE["delete_auth_token"](absent, absent))
        exchanges.append(_exchange(chat, "delete_auth_token", reply, [absent]))
    return Report(
        service=_place(chat),
        client=__version__,
        date=datetime.now(UTC).date().isoformat(),
        exchanges=tuple(exchanges),
    )


def _arguments(name: str, values: Mapping[str, str]) -> dict[str, str | int] | None:
    """The path values and the page size of a call; `None` if the value of a path parameter is
    missing."""
    described = OPERATIONS[name].parameters
    integers = {parameter.argument for parameter in described if parameter.type == "integer"}
    arguments: dict[str, str | int] = {}
    for argument, parameter in signature(PREPARE[name]).parameters.items():
        if argument in _REPEATED:
            arguments[argument] = _PAGE_SIZE
        elif parameter.default is parameter.empty:
            if argument not in values:
                return None
            text = values[argument]
            # The client refuses a text that is not an integer.
            is_integer = argument in integers and re.fullmatch("[0-9]{1,18}", text)
            arguments[argument] = int(text) if is_integer else text
    return arguments


def _place(chat: Client) -> Service:
    host = urlsplit(chat.base_url).hostname or ""
    if host.endswith(".cometchat.io"):
        return "hosted"
    # A client accepts http for this machine only.
    return "this machine" if chat.base_url.startswith("http:") else "own host"


def _exchange(chat: Client, operation: str, reply: Reply, identifiers: Iterable[str]) -> Exchange:
    """The exchange of a reply. A response may use the identifiers of the request as names."""
    document: object = None
    body: object = None
    unread: Unread | None = None
    try:
        document = json.loads(reply.content)
    except (ValueError, RecursionError):
        unread = "not JSON" if reply.is_complete else "not complete"
    else:
        private = (*sent_texts(chat), *identifiers, *texts(document))
        body = outline(body_type(operation, reply.status), document, private)
    content_type = reply.headers.get("content-type", "")
    media = content_type.partition(";")[0].strip().lower()
    rate_headers = filter(RATE_HEADER.fullmatch, reply.headers)
    return Exchange(
        operation=operation,
        status=reply.status,
        code=reply.code if reply.code in KNOWN_CODES else None,
        json_type=media == "application/json",
        headers=tuple(sorted(rate_headers)),
        parameters=dict(_used(document)),
        body=body,
        unread=unread,
    )


def _used(body: Any) -> Iterator[tuple[str, bool]]:
    """Whether the service used the page size; nothing if the response does not repeat it."""
    for name, (parameter, place) in _REPEATED.items():
        try:
            repeated = body["meta"][place][name]
        except (LookupError, TypeError):
            continue
        if type(repeated) is int:
            yield parameter, repeated == _PAGE_SIZE


def _named_lists(reply: Reply) -> Iterator[str]:
    """The keyword lists that the conditions of reviewed messages name."""
    records = [] if reply.parsed is None else reply.parsed.data
    for record in records:
        condition = record.condition
        if condition is None or condition.is_keywords_reference_present is not True:
            continue
        for value in condition.value or ():
            if isinstance(value, str) and _LIST_ID.fullmatch(value):
                yield value
