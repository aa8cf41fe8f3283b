"""Calls the reading operations of an app, and keeps the outline of each response."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from cometchat_openapi import Call
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.api.keywords import get_keyword_list
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.types import Response
from cometchat_rest.client import Client
from cometchat_rest.errors import BODY_SAMPLE, ApiError, CometChatError, UnexpectedResponse
from cometchat_rest.secrets import Secret
from cometchat_rest.version import __version__

from .exchanges import KNOWN_CODES, RATE_HEADER, Exchange, Unread, body_type
from .outline import outline, texts
from .reports import Report, Service

# An unusual page size: if the response repeats it, the service has used the parameter.
_PAGE_SIZE = 99
# The name of a list that many apps have.
_USUAL_LIST = "profanity-list"
_LIST_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def probe(chat: Client, *, keyword_id: str | None = None, revoke: bool = False) -> Report:
    """Compare the responses of the service with the description. The calls only read.

    Three calls are made: list reviewed messages, list roles, get a keyword list. An operation that the service refuses
    is part of the report; the other operations are called anyway.

    Args:
        chat: a client without `strict=True`, which would end each call at its first difference.
        keyword_id: the keyword list to get; by default one that a reviewed message names, else `profanity-list`.
        revoke: whether to call the deletion of an auth token as well, for a user and a token that do not exist.

    Returns:
        The report. It contains no value of a response, no identifier and no key.

    Raises:
        InvalidRequestError: `keyword_id` cannot be sent.
        CometChatError: no response arrived.
    """
    reviewed = _attempt(chat, list_reviewed_messages.prepare(limit=_PAGE_SIZE))
    roles = _attempt(chat, list_roles.prepare(per_page=_PAGE_SIZE))
    limit = reviewed.parsed.meta.current.limit if isinstance(reviewed, Response) else None
    per_page = roles.parsed.meta.pagination.per_page if isinstance(roles, Response) else None
    exchanges = [
        _exchange(chat, "list_reviewed_messages", reviewed, _used("limit", limit)),
        _exchange(chat, "list_roles", roles, _used("perPage", per_page)),
    ]
    named = keyword_id or next(_named_lists(reviewed), _USUAL_LIST)
    exchanges.append(_exchange(chat, "get_keyword_list", _attempt(chat, get_keyword_list.prepare(named)), {}, named))
    if revoke:
        # Only letters and digits, so that the path is valid. Nobody has this user and this token.
        absent = f"conformance-{secrets.token_hex(16)}"
        deletion = _attempt(chat, delete_auth_token.prepare(absent, absent))
        exchanges.append(_exchange(chat, "delete_auth_token", deletion, {}))
    today = datetime.now(UTC).date().isoformat()
    return Report(service=_place(chat), client=__version__, date=today, exchanges=tuple(exchanges))


def _place(chat: Client) -> Service:
    host = urlsplit(chat.base_url).hostname or ""
    if host.endswith(".cometchat.io"):
        return "hosted"
    # A client accepts http for this machine only.
    return "this machine" if chat.base_url.startswith("http:") else "own host"


def _attempt(chat: Client, call: Call[Any]) -> Response[Any] | ApiError | UnexpectedResponse:
    outcome = chat.api.run(chat.api.steps(call))
    if isinstance(outcome, CometChatError) and not isinstance(outcome, ApiError | UnexpectedResponse):
        raise outcome
    return outcome


def _exchange(
    chat: Client,
    operation: str,
    outcome: Response[Any] | ApiError | UnexpectedResponse,
    parameters: Mapping[str, bool],
    *sent: str,
) -> Exchange:
    """The exchange of an outcome; `sent` are the identifiers of the request, which a response may use as names."""
    status, code, unread = outcome.status_code or 0, None, None
    content: str | bytes = outcome.content if isinstance(outcome, Response) else outcome.body
    body: object = None
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        unread = _reason(content)
    else:
        body = outline(body_type(operation, status), document, (*_identifiers(chat), *sent, *texts(document)))
    if isinstance(outcome, ApiError) and outcome.code in KNOWN_CODES:
        code = outcome.code
    return Exchange(
        operation=operation,
        status=status,
        code=code,
        json_type=outcome.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json",
        headers=tuple(sorted(name for name in outcome.headers if RATE_HEADER.fullmatch(name))),
        parameters=parameters,
        body=body,
        unread=unread,
    )


def _identifiers(chat: Client) -> Iterator[str]:
    """The values that each request contains: the app's identifier, the key, the user, and your own headers."""
    options = chat.api.options
    # The app's identifier is a part of the address.
    yield from (urlsplit(chat.base_url).hostname or "").split(".")
    secrets = (secret.reveal() for secret in (*options.secrets, *map(Secret, options.headers.values())))
    yield from (*secrets, options.on_behalf_of or "")


def _reason(content: str | bytes) -> Unread:
    """Why a body is not JSON; an error keeps only the beginning of a long body."""
    return "not complete" if isinstance(content, str) and len(content) >= BODY_SAMPLE else "not JSON"


def _used(parameter: str, size: object) -> dict[str, bool]:
    """Whether the service used the page size; empty if the response does not repeat it."""
    return {parameter: size == _PAGE_SIZE} if type(size) is int else {}


def _named_lists(outcome: object) -> Iterator[str]:
    """The keyword lists that the conditions of reviewed messages name."""
    for record in outcome.parsed.data if isinstance(outcome, Response) else ():
        condition = record.condition
        if condition is not None and condition.is_keywords_reference_present is True:
            yield from (each for each in condition.value or () if isinstance(each, str) and _LIST_ID.fullmatch(each))
