"""Recognisable secrets (canaries), calls that carry them, and checks that nothing shows them."""

import html
import json
import logging
import pickle
import sys
import traceback
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from pprint import pformat
from types import TracebackType
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from ahocorasick_rs import AhoCorasick
from attrs import frozen
from rich.pretty import pretty_repr
from rich.traceback import Traceback

import cometchat_rest
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import WordListForm
from cometchat_rest import Client, CometChatError, PatternListInput, SentenceSimilarityListInput, WordListInput
from cometchat_rest._call.request import prepare
from cometchat_rest._call.response import RawResponse
from cometchat_rest.testing import ReceivedRequest

from ...support import LIST_ID, UPDATE, AnyClient

# No other text in the tests has eight characters in a row in common with these secrets.
KEY = "c7b1e94f02d8a65e31f7094bd2c86a5310ef7b94"
TOKEN = "6b56f4487c759fae24c1d6213733017c0576d6ff"
#: It holds every character that some encoding changes.
SPECIAL_TOKEN = "njyyIgRA + + + éàü \"3H'I&I<jaf3>Lqs%mDHVq=A0Dc-Z9w_k0w5Zバカ"
CREDENTIAL = "rQ2+9vT/xW5k/Yb8s+Nf0uJc/3hGd7Lp+Zm1aEo4"
PASSWORD = "hU8w/jB1nX+4tE6aVo=2dMe9 gCi5Kz7OpS"
BASIC = b64encode(f"me:{PASSWORD}".encode()).decode()
SECRETS = (KEY, TOKEN, SPECIAL_TOKEN, CREDENTIAL, PASSWORD, BASIC)

# The encodings in which a text may hold a secret.
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda secret: quote(secret, safe=""),
    lambda secret: quote(quote(secret, safe=""), safe=""),
    quote_plus,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: repr(secret.encode())[2:-1],
    html.escape,
)
#: A text that shows this many characters of a secret is a leak.
RUN = 12
PIECES = AhoCorasick(
    {
        written[start : start + RUN]
        for secret in SECRETS
        for written in (spell(secret).lower() for spell in SPELLINGS)
        for start in range(len(written) - RUN + 1)
    }
)

OURS = tuple(str(Path(each.__file__ or "").parent) for each in (cometchat_rest, sys.modules["cometchat_openapi"]))
TESTS = str(Path(__file__).parents[2])


def leaks(text: str) -> set[str]:
    """The pieces of secrets in a text."""
    # UTF-16 puts a NUL after each letter. A reader can still read it.
    lowered = text.lower().replace("\0", "").replace("\\x00", "")
    return set(PIECES.find_matches_as_strings(lowered, overlapping=True))


def representations(value: object) -> Iterator[str]:
    """A value as error reports show it: Sentry, Django and pytest use `repr`; rich and pprint look inside."""
    yield repr(value)
    yield str(value)
    yield pretty_repr(value)
    yield pformat(value)


def error_chain(error: BaseException) -> Iterator[BaseException]:
    """An error with all its causes, contexts and members."""
    pending: list[BaseException | None] = [error]
    seen: list[BaseException] = []
    while pending:
        each = pending.pop()
        if each is None or any(each is other for other in seen):
            continue
        seen.append(each)
        yield each
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


def without_test_frames(begin: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of the tests at its start: these frames hold the secrets that they pass."""
    while begin is not None and begin.tb_frame.f_code.co_filename.startswith(TESTS):
        begin = begin.tb_next
    return begin


def frames_of(error: BaseException) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The frames of an error: place and local variables."""
    for each in error_chain(error):
        begin = without_test_frames(each.__traceback__)
        for frame, line in traceback.walk_tb(begin):
            yield f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}", frame.f_locals


def all_views(error: BaseException) -> Iterator[tuple[str, str]]:
    """All texts that an error can be shown as, each with its place."""
    for each in error_chain(error):
        for what, value in (
            ("the error", each),
            ("its arguments", each.args),
            ("its attributes", {name: getattr(each, name) for name in vars(each)}),
            ("its notes", getattr(each, "__notes__", [])),
        ):
            for text in representations(value):
                yield what, text
    for place, held in frames_of(error):
        for name, value in held.items():
            for text in representations(value):
                yield f"{name} at {place}", text
    begin = without_test_frames(error.__traceback__)
    formatted = traceback.TracebackException(type(error), error, begin, capture_locals=True)
    yield "the formatted traceback", "".join(formatted.format())
    limits: dict[str, Any] = {"locals_hide_dunder": False, "locals_max_length": None, "locals_max_string": None}
    for stack in Traceback.extract(type(error), error, begin, show_locals=True, **limits).stacks:
        for each_frame in stack.frames:
            for name, node in (each_frame.locals or {}).items():
                yield f"{name} in rich's traceback", str(node)


def assert_hidden(found: Iterable[tuple[str, str]]) -> None:
    """Check that none of these pairs of place and text shows a secret."""
    places = {text: place for place, text in found}
    shown = {place: leaks(text) for text, place in places.items()}
    assert {place: which for place, which in shown.items() if which} == {}


def assert_silent(error: BaseException) -> None:
    """Check that no view of an error shows a secret, and that its cause has no traceback, cause or context."""
    assert_hidden(all_views(error))
    assert isinstance(error, CometChatError), error
    assert_hidden([("the error as JSON", json.dumps(error.to_dict(), ensure_ascii=False))])
    assert error.__context__ is None
    if error.__cause__ is not None:
        assert [error.__cause__.__traceback__, error.__cause__.__cause__, error.__cause__.__context__] == [None] * 3
    stored = pickle.dumps(error)
    assert_hidden([("the pickle", stored.decode("utf-8", "replace"))])
    copy = pickle.loads(stored)  # noqa: S301 - our own pickle
    assert (type(copy), str(copy), copy.args, vars(copy)) == (type(error), str(error), error.args, vars(error))


class RecordCollector(logging.Handler):
    """Collects every record of every logger, with all its attributes."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.taken: list[logging.LogRecord] = []
        self.seen: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        # The simulator runs in this process. Its records are the records of a service.
        if record.threadName == "cometchat-simulator":
            return
        self.taken.append(record)
        self.seen.append((f"a record of {record.name}", logging.Formatter().format(record)))
        self.seen.append((f"the attributes of a record of {record.name}", repr(vars(record))))

    def named(self, name: str) -> list[logging.LogRecord]:
        return [record for record in self.taken if record.name.split(".")[: name.count(".") + 1] == name.split(".")]


def secret_client(any_client: AnyClient, **settings: Any) -> Any:
    """A client that holds all secrets. By default it does not retry."""
    settings = {"api_key": KEY, "max_retries": 0, **settings}
    return any_client.client(**settings).with_options(headers={"Authorization": f"Bearer {CREDENTIAL}"})


def outcome_of(any_client: AnyClient, action: Callable[[Any], Any], chat: Any) -> Any:
    """The result of a call, or its exception, caught as close to the call as possible."""

    def blocking(chat: Any) -> Any:
        try:
            result = action(chat)
            return list(result) if isinstance(result, Iterator) else result
        except BaseException as error:  # noqa: BLE001 - the caller checks it
            return error

    async def awaited(chat: Any) -> Any:
        try:
            result = action(chat)
            return [each async for each in result] if isinstance(result, AsyncIterator) else await result
        except BaseException as error:  # noqa: BLE001 - as above
            return error

    return any_client.call(blocking if any_client.kind == "sync" else awaited, chat)


def generated_delete(chat: Any) -> Any:
    """Delete a token through the generated code."""
    function: Any = delete_auth_token.sync if isinstance(chat, Client) else delete_auth_token.asyncio
    return function("alice", TOKEN, client=chat.api)


@frozen
class Action:
    """A call, and its token if it has one."""

    name: str
    act: Callable[[Any], Any]
    token: str | None = None


ACTIONS = (
    Action("get_keyword_list", lambda chat: chat.keywords.get(LIST_ID)),
    Action("update_keyword_list", lambda chat: chat.keywords.update(LIST_ID, UPDATE)),
    Action("list_reviewed_messages", lambda chat: chat.reviewed_messages.list(limit=1)),
    Action("list_roles", lambda chat: chat.roles.list(per_page=1)),
    Action("iter_roles", lambda chat: chat.roles.list()),
    Action("delete_auth_token", lambda chat: chat.auth_tokens.delete("alice", TOKEN), TOKEN),
    Action("delete_special_token", lambda chat: chat.auth_tokens.delete("alice", SPECIAL_TOKEN), SPECIAL_TOKEN),
    Action("delete_generated", generated_delete, TOKEN),
    Action("revoke_token", lambda chat: chat.auth_tokens.revoke("alice", TOKEN), TOKEN),
)
DELETE = ACTIONS[5]
each_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
EACH_OPERATION = (*ACTIONS[:4], *ACTIONS[5:7])
each_operation = pytest.mark.parametrize("action", EACH_OPERATION, ids=lambda action: action.name)
each_delete = pytest.mark.parametrize("action", ACTIONS[5:], ids=lambda action: action.name)


def assert_sent(request: ReceivedRequest, action: Action) -> None:
    """Check that the request carried the secrets: otherwise a test that looks for leaks means nothing."""
    assert (request.header("apikey"), request.header("authorization")) == (KEY, f"Bearer {CREDENTIAL}")
    if action.token:
        assert request.path.endswith(f"/users/alice/auth_tokens/{quote(action.token, safe='')}")


class Echo:
    """A response that repeats the secrets of a request: complete, shortened, in capitals, encoded."""

    def __init__(self, action: Action) -> None:
        secrets = [KEY, CREDENTIAL, *([action.token] if action.token else [])]
        self.text = " | ".join(variant for secret in secrets for variant in self._variants(secret))
        in_headers = "".join(character for character in self.text if " " <= character <= "~")
        self.headers = {
            "Location": f"https://elsewhere.example/{'/'.join(quote(each, safe='') for each in secrets)}?{in_headers}",
            "X-Echo": in_headers,
            f"X-{KEY}": "1",
            "X-Rate-Limit": KEY,
        }
        self.error = {
            "error": {
                **dict.fromkeys(("code", "message", "devMessage", "source"), self.text),
                "details": {self.text: [self.text, KEY], KEY: CREDENTIAL},
            },
            self.text: self.text,
        }
        self.page = f"<!DOCTYPE html><title>{self.text}</title><a href='/{quote(KEY)}'>{html.escape(CREDENTIAL)}</a>"

    @staticmethod
    def _variants(secret: str) -> Iterator[str]:
        for spell in SPELLINGS:
            yield spell(secret)
            yield spell(secret).lower()
        yield secret.upper()
        yield secret[:RUN]
        yield secret[-RUN:]
        yield f"{secret[:RUN]}...{secret[-RUN:]}"


LOCAL_URL = "http://127.0.0.1:1/v3"
QUOTED_PASSWORD = quote(PASSWORD, safe="")


def objects_of(chat: Any) -> dict[str, Any]:
    """Objects that a user can put into a log line, by name."""
    inputs = (
        WordListInput(search_terms=["a"], file=None),
        PatternListInput(file=b"a\n"),
        SentenceSimilarityListInput(disallowed_sentences=["a"]),
    )
    return {
        "client": chat,
        "derived": chat.with_options(headers={"X-Other": CREDENTIAL}, on_behalf_of="alice"),
        "mistaken": chat.with_options(headers={KEY: "a"}, query={KEY: "b"}, on_behalf_of=KEY),
        "api": chat.api,
        "settings": chat.api.settings,
        "shared state": chat.api.state,
        "state": vars(chat),
        **{name: getattr(chat, name) for name in ("keywords", "reviewed_messages", "roles", "auth_tokens")},
        **{f"resource {name}": vars(getattr(chat, name)) for name in ("keywords", "roles", "auth_tokens")},
        **{type(each).__name__: each for each in inputs},
        "get call": get_keyword_list.prepare(LIST_ID),
        "update call": update_keyword_list.prepare(LIST_ID, body=WordListForm(search_terms="a")),
        "messages call": list_reviewed_messages.prepare(),
        "roles call": list_roles.prepare(),
        "delete call": (call := delete_auth_token.prepare("alice", TOKEN)),
        "request": prepare(call, chat.api.settings),
        "response": RawResponse(401, {"x-echo": KEY}, TOKEN.encode()),
    }
