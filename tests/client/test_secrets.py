"""A canary in place of each secret: whatever goes wrong, it shows nowhere."""

from __future__ import annotations

import asyncio
import gc
import html
import io
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
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import httpx
import pytest
from anyio.from_thread import BlockingPortal
from attrs import field, frozen
from rich.console import Console
from rich.pretty import pretty_repr
from rich.traceback import Traceback

import cometchat_rest
from cometchat_openapi import Operation as Described
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import KeywordListForm
from cometchat_rest import (
    ApiError,
    AsyncClient,
    Client,
    CometChatError,
    ConfigurationError,
    Drift,
    InvalidRequestError,
    PatternListInput,
    RequestTimeoutError,
    SentenceSimilarityListInput,
    TransportError,
    UnexpectedResponse,
    WordListInput,
)
from cometchat_rest._call.request import prepare
from cometchat_rest._call.response import Answer
from cometchat_rest.testing import ReceivedRequest, Simulator

from .support import LIST_ID, OPERATIONS, UPDATE, Stub, WireServer, answer

if TYPE_CHECKING:
    from conftest import AnyClient

# None of them has eight characters in a row in common with anything else.
KEY = "c7b1e94f02d8a65e31f7094bd2c86a5310ef7b94"
TOKEN = "6b56f4487c759fae24c1d6213733017c0576d6ff"
#: Every character in it that some way of writing text changes.
ODD = "njyyIgRA + + + éàü \"3H'I&I<jaf3>Lqs%mDHVq=A0Dc-Z9w_k0w5Zバカ"
CREDENTIAL = "rQ2+9vT/xW5k/Yb8s+Nf0uJc/3hGd7Lp+Zm1aEo4"
PASSWORD = "hU8w/jB1nX+4tE6aVo=2dMe9 gCi5Kz7OpS"
BASIC = b64encode(f"me:{PASSWORD}".encode()).decode()
SECRETS = (KEY, TOKEN, ODD, CREDENTIAL, PASSWORD, BASIC)

# The ways in which somebody may write one of them.
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda secret: quote(secret, safe=""),
    lambda secret: quote(quote(secret, safe=""), safe=""),
    quote_plus,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: repr(secret.encode())[2:-1],
    html.escape,
)
#: So many characters of one are too many.
SHOWN = 12
NEEDLES = {
    written[start : start + SHOWN]
    for secret in SECRETS
    for written in (spell(secret).lower() for spell in SPELLINGS)
    for start in range(len(written) - SHOWN + 1)
}

OURS = tuple(str(Path(each.__file__ or "").parent) for each in (cometchat_rest, sys.modules["cometchat_openapi"]))
TESTS = str(Path(__file__).parents[1])


def leaks(text: str) -> set[str]:
    """What a text shows of the secrets."""
    # A NUL after each letter, as in UTF-16, hides nothing from a reader.
    lowered = text.lower().replace("\0", "").replace("\\x00", "")
    return NEEDLES.intersection(lowered[start : start + SHOWN] for start in range(len(lowered) - SHOWN + 1))


def looks(value: object) -> Iterator[str]:
    """A value as those see it who report errors: Sentry, Django and pytest take `repr`, rich and pprint look inside."""
    yield repr(value)
    yield str(value)
    yield pretty_repr(value)
    yield pformat(value)


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error with whatever led to it."""
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


def below_the_test(begin: TracebackType | None) -> TracebackType | None:
    """A traceback from the first frame on that is no test's: those hold the secrets, as they are the ones who call."""
    while begin is not None and begin.tb_frame.f_code.co_filename.startswith(TESTS):
        begin = begin.tb_next
    return begin


def frames(error: BaseException) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Where an error passed, and what was there."""
    for each in chain(error):
        begin = below_the_test(each.__traceback__)
        for frame, line in traceback.walk_tb(begin):
            yield f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}", frame.f_locals


def views(error: BaseException) -> Iterator[tuple[str, str]]:
    """Everything that can be learned from an error, and how."""
    for each in chain(error):
        for what, value in (
            ("the error", each),
            ("its arguments", each.args),
            ("its attributes", {name: getattr(each, name) for name in vars(each)}),
            ("its notes", getattr(each, "__notes__", [])),
        ):
            for text in looks(value):
                yield what, text
    for place, held in frames(error):
        for name, value in held.items():
            for text in looks(value):
                yield f"{name} at {place}", text
    begin = below_the_test(error.__traceback__)
    told = traceback.TracebackException(type(error), error, begin, capture_locals=True)
    yield "the formatted traceback", "".join(told.format())
    limits: dict[str, Any] = {"locals_hide_dunder": False, "locals_max_length": None, "locals_max_string": None}
    for stack in Traceback.extract(type(error), error, begin, show_locals=True, **limits).stacks:
        for each_frame in stack.frames:
            for name, node in (each_frame.locals or {}).items():
                yield f"{name} in rich's traceback", str(node)


def assert_hidden(found: Iterable[tuple[str, str]]) -> None:
    places = {text: place for place, text in found}
    shown = {place: leaks(text) for text, place in places.items()}
    assert {place: which for place, which in shown.items() if which} == {}


def assert_silent(error: BaseException) -> None:
    """Nothing about an error shows a secret, and its cause holds nothing else that could."""
    assert_hidden(views(error))
    assert isinstance(error, CometChatError), error
    assert error.__context__ is None
    if error.__cause__ is not None:
        assert [error.__cause__.__traceback__, error.__cause__.__cause__, error.__cause__.__context__] == [None] * 3
    stored = pickle.dumps(error)
    assert_hidden([("the pickle", stored.decode("utf-8", "replace"))])
    copy = pickle.loads(stored)  # noqa: S301 - its own
    assert (type(copy), str(copy), copy.args, vars(copy)) == (type(error), str(error), error.args, vars(error))


class Records(logging.Handler):
    """Takes every record of every logger, with all that is attached to it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.taken: list[logging.LogRecord] = []
        self.seen: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        # The simulator runs in this process, and says what a service would.
        if record.threadName == "cometchat-simulator":
            return
        self.taken.append(record)
        self.seen.append((f"a record of {record.name}", logging.Formatter().format(record)))
        self.seen.append((f"the attributes of a record of {record.name}", repr(vars(record))))

    def named(self, name: str) -> list[logging.LogRecord]:
        return [record for record in self.taken if record.name.split(".")[: name.count(".") + 1] == name.split(".")]


@pytest.fixture
def records() -> Iterator[Records]:
    """Every log record from here on; nothing is too unimportant."""
    root, records = logging.getLogger(), Records()
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    root.setLevel(level)


@pytest.fixture(scope="module")
def running_simulator() -> Iterator[Simulator]:
    with Simulator(api_key=KEY) as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Simulator:
    """The simulator, whose secrets are the canaries."""
    running_simulator.reset()
    running_simulator.auth_tokens["alice"] += [TOKEN, ODD]
    return running_simulator


@pytest.fixture(autouse=True)
def nothing_reported_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other tests met, a deviation is news."""
    monkeypatch.setattr("cometchat_rest._call.drift._reported", {})


def client(any_client: AnyClient, **settings: Any) -> Any:
    """A client with all the secrets, which does not try again unless told to."""
    settings = {"api_key": KEY, "max_retries": 0, **settings}
    return any_client.client(**settings).with_options(headers={"Authorization": f"Bearer {CREDENTIAL}"})


def attempt(any_client: AnyClient, action: Callable[[Any], Any], chat: Any) -> Any:
    """What becomes of a call: its result or what it raises, caught as close to it as can be."""

    def blocking(chat: Any) -> Any:
        try:
            result = action(chat)
            return list(result) if isinstance(result, Iterator) else result
        except BaseException as error:  # noqa: BLE001 - looked at by whoever asks
            return error

    async def awaited(chat: Any) -> Any:
        try:
            result = action(chat)
            return [each async for each in result] if isinstance(result, AsyncIterator) else await result
        except BaseException as error:  # noqa: BLE001 - as above
            return error

    return any_client.call(blocking if any_client.kind == "sync" else awaited, chat)


def generated(chat: Any) -> Any:
    """The layer below, as its users call it."""
    function: Any = delete_auth_token.sync if isinstance(chat, Client) else delete_auth_token.asyncio
    return function("alice", TOKEN, client=chat.api)


@frozen
class Action:
    """A call, and the token in it if there is one."""

    name: str
    act: Callable[[Any], Any]
    token: str | None = None


ACTIONS = (
    Action("get_keyword_list", lambda chat: chat.keywords.get(LIST_ID)),
    Action("update_keyword_list", lambda chat: chat.keywords.update(LIST_ID, UPDATE)),
    Action("list_reviewed_messages", lambda chat: chat.reviewed_messages.list(limit=1)),
    Action("list_roles", lambda chat: chat.roles.list(per_page=1)),
    Action("iter_roles", lambda chat: chat.roles.iter()),
    Action("delete_auth_token", lambda chat: chat.auth_tokens.delete("alice", TOKEN), TOKEN),
    Action("delete_odd_token", lambda chat: chat.auth_tokens.delete("alice", ODD), ODD),
    Action("delete_generated", generated, TOKEN),
    Action("revoke_token", lambda chat: chat.auth_tokens.revoke("alice", TOKEN), TOKEN),
)
DELETE = ACTIONS[5]
each_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
each_operation = pytest.mark.parametrize("action", [*ACTIONS[:4], *ACTIONS[5:7]], ids=lambda action: action.name)
each_delete = pytest.mark.parametrize("action", ACTIONS[5:], ids=lambda action: action.name)


def assert_sent(request: ReceivedRequest, action: Action) -> None:
    """The secrets really were on their way, so that it means something that they are not seen."""
    assert (request.header("apikey"), request.header("authorization")) == (KEY, f"Bearer {CREDENTIAL}")
    if action.token:
        assert request.path.endswith(f"/users/alice/auth_tokens/{quote(action.token, safe='')}")


class Echo:
    """What a service may say of the secrets it was sent: whole, shortened, shouted, encoded."""

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
        yield secret[:SHOWN]
        yield secret[-SHOWN:]
        yield f"{secret[:SHOWN]}...{secret[-SHOWN:]}"


@frozen
class Failure:
    """Something that goes wrong, and what a client is told so that it does."""

    fault: Mapping[str, Any]
    raises: type[CometChatError] = UnexpectedResponse
    settings: Mapping[str, Any] = field(factory=dict)
    # Whether the error holds what the service said.
    echoes: bool = True
    # Whether time may be up before the request has arrived, on a machine that is busy.
    hasty: bool = False
    attempts: int = 1


def _failures(echo: Echo) -> Iterator[tuple[str, Failure]]:
    headers = {"headers": echo.headers}
    error = {"body": echo.error, **headers}
    for status in (400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 520):
        yield f"{status}", Failure({"status": status, **error}, ApiError)
    for status in (201, 302, 307, 999):
        yield f"{status}", Failure({"status": status, **error})
    for status, raises in ((200, UnexpectedResponse), (404, ApiError), (502, ApiError)):
        yield f"{status}, a page", Failure({"status": status, "body": echo.page, **headers}, raises)
    yield "401, a string", Failure({"status": 401, "body": json.dumps(echo.text).encode(), **headers}, ApiError)
    for encoding in ("utf-16", "utf-16-le", "utf-32-be"):
        yield f"401, {encoding}", Failure({"status": 401, "body": echo.page.encode(encoding), **headers}, ApiError)
    yield "401, nothing", Failure({"status": 401, "body": b"", **headers}, ApiError)
    whole = json.dumps(echo.error).encode()
    for name, body in (
        ("nothing", b""),
        ("null", b"null"),
        ("a string", json.dumps(echo.text)),
        ("a part", whole[:-9]),
    ):
        yield f"200, {name}", Failure({"status": 200, "body": body, **headers})
    yield "200, data of another kind", Failure({"body": {"data": echo.text, "meta": echo.text}, **headers})
    for encoding in ("gzip", "br"):
        packed = {**echo.headers, "Content-Encoding": encoding}
        yield f"200, not {encoding}", Failure({"body": echo.text, "headers": packed})
    yield "200, too large", Failure({"body": echo.text * 9, **headers}, settings={"max_response_bytes": 4000})
    again = {"body": echo.error, "headers": {**echo.headers, "Retry-After": "0"}}
    yield "429, twice", Failure({"status": 429, **again}, ApiError, {"max_retries": 1}, attempts=2)

    cuts: dict[str, dict[str, Any]] = {
        "before the headers": {"cut": "before_headers"},
        "in the headers": {"cut": "in_headers", **error},
        "in the body": {"cut": "in_body", **error},
        "after processing": {"cut": "after_processing"},
    }
    for name, fault in cuts.items():
        yield f"cut {name}", Failure(fault, TransportError, echoes=False)
    late: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "no answer in time": ({"delay": 60.0}, {"timeout": 0.05}),
        "no answer before the deadline": ({"delay": 60.0}, {"deadline": 0.05}),
        "no end before the deadline": ({**error, "trickle": (99, 0.02)}, {"deadline": 0.1}),
    }
    for name, (fault, settings) in late.items():
        yield name, Failure(fault, RequestTimeoutError, settings, echoes=False, hasty=True)


@each_operation
@pytest.mark.parametrize("failure", dict(_failures(Echo(DELETE))))
def test_no_failure_shows_a_secret(
    any_client: AnyClient, simulator: Simulator, records: Records, action: Action, failure: str
) -> None:
    """Whatever the service answers, and wherever its answer breaks off: no error, traceback, pickle or log shows
    the key, a token, or what is in a header of the user's own, not even when the service repeats them."""
    expected = dict(_failures(Echo(action)))[failure]
    simulator.fail(**expected.fault, times=None)
    error = attempt(any_client, action.act, client(any_client, **expected.settings))
    assert isinstance(error, expected.raises), error
    assert error.attempts == expected.attempts
    if not expected.hasty:
        assert len(simulator.requests) == expected.attempts
        assert_sent(simulator.requests[-1], action)
    if expected.echoes:
        assert "[redacted]" in repr(vars(error))
    assert_silent(error)
    assert {"cometchat_rest", "httpcore.http11"} <= {record.name for record in records.taken}
    assert_hidden(records.seen)


@pytest.mark.parametrize("failure", dict(_failures(Echo(DELETE))))
def test_no_outcome_of_many_shows_a_secret(
    any_client: AnyClient, simulator: Simulator, records: Records, failure: str
) -> None:
    """What is returned for each of many tokens shows none of them, whatever became of it."""
    expected = dict(_failures(Echo(DELETE)))[failure]
    simulator.fail(**expected.fault, times=None)
    tokens = [("alice", TOKEN)] * 2
    outcomes = attempt(
        any_client, lambda chat: chat.auth_tokens.revoke_all(tokens), client(any_client, **expected.settings)
    )
    assert [type(each.error) for each in outcomes] == [type(outcomes[0].error)] * 2
    assert isinstance(outcomes[0].error, expected.raises)
    for outcome in outcomes:
        assert_silent(outcome.error)
    assert_hidden(("an outcome", text) for text in looks(outcomes))
    assert_hidden(records.seen)


@pytest.mark.parametrize("success", [False, None])
def test_a_token_that_stays_shows_no_secret(
    any_client: AnyClient, simulator: Simulator, records: Records, success: Any
) -> None:
    """A revocation that is answered without success, and with the token, shows it in no error and no frame."""
    echo = Echo(DELETE)
    simulator.fail(body={"data": {"success": success, "message": echo.text}}, headers=echo.headers, times=None)
    chat = client(any_client)
    error = attempt(any_client, lambda chat: chat.auth_tokens.revoke("alice", TOKEN), chat)
    (outcome,) = attempt(any_client, lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)]), chat)
    for each in (error, outcome.error):
        assert isinstance(each, UnexpectedResponse)
        assert "[redacted]" in each.body
        assert_silent(each)
    assert_hidden(records.seen)


@pytest.mark.parametrize("tokens", [[("alice", TOKEN), TOKEN], [(TOKEN,)]], ids=["later", "short"])
def test_many_tokens_that_are_refused_show_no_secret(any_client: AnyClient, tokens: Any) -> None:
    """Tokens that cannot be revoked for their form are in no frame of the refusal."""
    error = attempt(any_client, lambda chat: chat.auth_tokens.revoke_all(tokens), client(any_client))
    assert isinstance(error, InvalidRequestError)
    assert_silent(error)


# What a socket may bring that no server of a sound service would send.

WIRES: dict[str, Callable[[bytes], bytes]] = {
    "status": lambda sent: sent,
    "version": lambda sent: b"HTTP/" + sent,
    "header": lambda sent: b"HTTP/1.1 200 OK\r\n" + sent,
    "chunk": lambda sent: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + sent,
}


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES.keys())
@each_action
def test_what_is_no_answer_shows_no_secret(
    any_client: AnyClient, records: Records, action: Action, wire: Callable[[bytes], bytes]
) -> None:
    """Bytes that are no HTTP are quoted in an error, without the secrets that are in them."""

    def respond(received: bytes) -> Iterable[bytes]:
        line, *headers = received.split(b"\r\n")
        (key,) = (header for header in headers if header.lower().startswith(b"apikey:"))
        assert key.endswith(KEY.encode())
        yield wire(key[8:] + b" " + line) + b"\r\n\r\n"

    with WireServer(respond) as server:
        error = attempt(any_client, action.act, client(any_client, base_url=server.base_url))
    if action.token:
        assert quote(action.token, safe="").encode() in server.received[0]
    assert type(error) is TransportError
    assert "[redacted]" in str(error)
    assert "[redacted]" in str(error.__cause__)
    assert_silent(error)
    assert_hidden(records.seen)


@each_action
def test_a_service_that_is_not_there(any_client: AnyClient, records: Records, action: Action) -> None:
    """Where nobody listens, no error and no record of any attempt shows a secret."""
    with WireServer(lambda _: []) as server:
        address = server.base_url
    error = attempt(any_client, action.act, client(any_client, base_url=address))
    assert (type(error), error.kind, error.attempts) == (TransportError, "connect", 1)
    assert_silent(error)
    assert_hidden(records.seen)


# Answers that are read all the same.


def departures(value: Any, echo: str) -> Any:
    """An answer with something else in each place, and something more in each object."""
    if isinstance(value, dict):
        return {**{name: departures(each, echo) for name, each in value.items()}, echo: echo, KEY: CREDENTIAL}
    if isinstance(value, list):
        return [*(departures(each, echo) for each in value), echo]
    return [echo] if isinstance(value, str) else echo


BY_NAME = {each.name: Action(each.name, each.act) for each in OPERATIONS} | {each.name: each for each in ACTIONS}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_departures_show_no_secret(
    any_client: AnyClient, simulator: Simulator, records: Records, operation: Any, *, strict: bool
) -> None:
    """Where an answer departs from the description, the place is told, and nothing of what was found there."""
    action = BY_NAME[operation.name]
    echo = Echo(action)
    data = [{}] if isinstance(operation.success["data"], list) else operation.success["data"]
    body = departures({**operation.success, "data": data}, echo.text)
    simulator.fail(body=body, headers=echo.headers)
    drifts: list[Drift] = []
    result = attempt(any_client, action.act, client(any_client, strict=strict, on_drift=drifts.append))
    assert_sent(simulator.requests[-1], action)
    if strict:
        assert isinstance(result, UnexpectedResponse)
        assert result.pointer
        assert_silent(result)
    else:
        assert leaks(repr(result.to_dict())), "the answer was to hold a secret"
        assert drifts
        assert {vars(record)["event"] for record in records.named("cometchat_rest._call.drift")} == {"contract.drift"}
    assert_hidden(("a drift", text) for drift in drifts for text in looks(drift))
    assert_hidden(records.seen)


# Calls that are refused before anything is sent.

REFUSED: dict[str, Callable[[Any], Any]] = {
    "a token that leads elsewhere": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}/.."),
    "a token that is decoded to lead elsewhere": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}%2f"),
    "a token with a line break": lambda chat: chat.auth_tokens.delete("alice", f"{ODD}\r\n{KEY}: 1"),
    "a token too long": lambda chat: chat.auth_tokens.delete("alice", TOKEN * 40),
    "a token of bytes": lambda chat: chat.auth_tokens.delete("alice", TOKEN.encode()),
    "a token in a list": lambda chat: chat.auth_tokens.delete("alice", [ODD]),
    "half a surrogate pair": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}\ud800"),
    "a token for nobody": lambda chat: chat.auth_tokens.delete("", TOKEN),
    "another operation": lambda chat: chat.api.send(elsewhere()),
    "a header of the client's": lambda chat: chat.with_options(headers={"A": CREDENTIAL, "apikey": KEY}),
    "a header with a line break": lambda chat: chat.with_options(headers={"Authorization": f"{CREDENTIAL}\n"}),
    "a header of no name": lambda chat: chat.with_options(headers={"A": CREDENTIAL, "": KEY}),
    "a header of bytes": lambda chat: chat.with_options(headers={"A": CREDENTIAL.encode()}),
    "headers in a list": lambda chat: chat.with_options(headers=[("Authorization", CREDENTIAL)]),
    "headers beside what is refused": lambda chat: chat.with_options(headers={"A": CREDENTIAL}, on_behalf_of=""),
}


def elsewhere() -> Any:
    """A call whose template itself leads elsewhere."""
    call = delete_auth_token.prepare("alice", TOKEN)
    described = call.operation
    return type(call)(
        Described(
            described.name,
            described.method,
            "/users/{uid}/auth_tokens/../{auth_token}",
            described.success,
            described.result,
            described.parse,
        ),
        path_values=call.path_values,
    )


@pytest.mark.parametrize("action", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_shows_no_secret(any_client: AnyClient, records: Records, action: Callable[[Any], Any]) -> None:
    """A call or an option that is refused is not repeated in the error, nor kept in the frames it came through."""
    stub = Stub(lambda _: answer(500))
    error = attempt(any_client, action, client(any_client, base_url="http://127.0.0.1:1/v3", transport=stub))
    assert isinstance(error, InvalidRequestError), error
    assert stub.requests == []
    assert_silent(error)
    assert_hidden(records.seen)


@pytest.mark.parametrize(
    "action",
    [
        lambda chat: chat.keywords.get(KEY),
        lambda chat: chat.auth_tokens.delete(KEY, TOKEN),
        lambda chat: chat.auth_tokens.delete("alice", KEY),
    ],
    ids=["list", "user", "token"],
)
def test_the_key_in_place_of_an_identifier(any_client: AnyClient, action: Callable[[Any], Any]) -> None:
    """A key that was pasted where an identifier belongs is not sent, and the error does not repeat it."""
    stub = Stub(lambda _: answer(500))
    error = attempt(any_client, action, client(any_client, base_url="http://127.0.0.1:1/v3", transport=stub))
    assert isinstance(error, InvalidRequestError), error
    assert stub.requests == []
    assert_hidden([("the error", f"{error} {error!r}")])


def test_the_last_check_of_an_address_shows_no_secret(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should an address ever not match its template, it is refused, and not kept in a frame of the error."""
    monkeypatch.setattr("cometchat_rest._call.request.matches", lambda _template, _path: False)
    error = attempt(any_client, DELETE.act, client(any_client))
    assert isinstance(error, InvalidRequestError)
    assert "elsewhere" in str(error)
    assert_silent(error)


@pytest.mark.parametrize(
    "options", [{"timeout": -1}, {"max_retries": -1}, {"deadline": 0}, {"on_behalf_of": "\n"}], ids=str
)
def test_headers_beside_other_options_stay_hidden(any_client: AnyClient, options: dict[str, Any]) -> None:
    """When another option is refused, the error's frames do not hold the headers that came with it."""
    chat = client(any_client)
    error = attempt(any_client, lambda chat: chat.with_options(headers={"Authorization": CREDENTIAL}, **options), chat)
    assert isinstance(error, ConfigurationError | InvalidRequestError)
    assert_silent(error)


@each_action
def test_a_closed_client_shows_no_secret(any_client: AnyClient, records: Records, action: Action) -> None:
    """The error of a client that is closed says so, and nothing of what was asked for."""
    owner = any_client.client(api_key=KEY)
    any_client.close(owner)
    error = attempt(any_client, action.act, owner.with_options(headers={"Authorization": CREDENTIAL}))
    assert isinstance(error, InvalidRequestError)
    assert "closed" in str(error)
    assert_silent(error)
    assert_hidden(records.seen)


LOCAL = "http://127.0.0.1:1/v3"


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": f"{KEY}\x00", "base_url": LOCAL},
        {"api_key": f"{KEY}é", "base_url": LOCAL},
        {"api_key": f"{KEY}\n{KEY}", "base_url": LOCAL},
        {"api_key": KEY.encode(), "base_url": LOCAL},
        {"api_key": KEY},
        {"api_key": KEY, "app_id": "no.app"},
        {"api_key": KEY, "app_id": "app", "region": "mars"},
        {"api_key": KEY, "base_url": f"https://admin:{CREDENTIAL}@chat.example/v3"},
        {"api_key": KEY, "base_url": f"https://chat.example/v3?token={quote(TOKEN)}"},
        {"api_key": KEY, "base_url": LOCAL, "timeout": 0},
        {"api_key": KEY, "base_url": LOCAL, "on_behalf_of": "\n"},
        {"api_key": KEY, "base_url": LOCAL, "max_retries": -1},
        {"base_url": LOCAL},
        {"app_id": "app"},
    ],
    ids=lambda settings: ", ".join(f"{name}: {len(str(value))}" for name, value in settings.items()),
)
def test_a_client_that_cannot_be_made_shows_no_secret(
    monkeypatch: pytest.MonkeyPatch, make: Any, settings: dict[str, Any]
) -> None:
    """Settings that are refused, from arguments or from the environment, are not shown in the error or its frames."""
    monkeypatch.setenv("COMETCHAT_API_KEY", f"{KEY}\x7f")

    def act() -> Any:
        try:
            return make(**settings)
        except BaseException as error:  # noqa: BLE001 - its class is what is asked for below
            return error

    error = act()
    assert isinstance(error, ConfigurationError)
    assert_silent(error)


# A proxy, whose address in the environment holds a password.


@pytest.fixture
def no_proxies_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


QUOTED = quote(PASSWORD, safe="")
UNUSABLE_PROXIES = {
    "another scheme": f"gopher://me:{QUOTED}@x",
    "no port": f"http://me:{QUOTED}@x:y",
    "not quoted": f"http://me:{PASSWORD}@x",
    "half a bracket": f"http://me:{QUOTED}@[x",
    "no host": f"http://me:{QUOTED}@",
    "another alphabet": f"http://me:{QUOTED}@\u00e9",
    "too long": f"socks5://me:{QUOTED * 20}@x",
}


@pytest.mark.usefixtures("no_proxies_from_outside")
@pytest.mark.parametrize("proxy", UNUSABLE_PROXIES.values(), ids=UNUSABLE_PROXIES)
def test_a_proxy_that_cannot_be_used_shows_no_secret(
    monkeypatch: pytest.MonkeyPatch, portal: BlockingPortal, proxy: str
) -> None:
    """An address of a proxy that is none is not shown in the error, nor kept in its frames or in what led to it."""
    monkeypatch.setenv("https_proxy", proxy)
    for make in (Client, AsyncClient):
        try:
            made = make(app_id="app", api_key=KEY)
        except BaseException as error:  # noqa: BLE001 - looked at below
            found = error
        else:
            if isinstance(made, Client):
                made.close()
            else:
                portal.call(made.aclose)
            pytest.fail("this was to be refused")
        assert isinstance(found, ConfigurationError)
        assert_silent(found)


@pytest.mark.usefixtures("no_proxies_from_outside")
def test_the_password_of_a_proxy_at_rest(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that goes by way of a proxy shows its password no more than it shows the key, and is not pickled."""
    for scheme in ("http", "https", "socks5"):
        monkeypatch.setenv("https_proxy", f"{scheme}://me:{QUOTED}@127.0.0.1:1")
        chat = client(any_client, app_id="app")
        assert chat.api.settings.proxy.password.reveal() == PASSWORD
        proxied = {**things(chat), "proxy": chat.api.settings.proxy, "pool": vars(chat.api.connection.lines)}
        for name, thing in proxied.items():
            assert_hidden((name, text) for text in (*looks(thing), f"{thing}"))
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(chat.api.settings.proxy)


def refuse(received: bytes) -> Iterator[bytes]:
    """A proxy that says what it was told."""
    (told,) = (line for line in received.split(b"\r\n") if line.lower().startswith(b"proxy-authorization:"))
    assert told.endswith(BASIC.encode())
    spoken = f"{told.decode()}; {PASSWORD}; {QUOTED}".encode()
    yield b"HTTP/1.1 407 Not with %b\r\nX-Echo: %b\r\nContent-Length: 0\r\n\r\n" % (spoken, spoken)


def garble(received: bytes) -> Iterator[bytes]:
    yield b"HTTP/" + b"".join(refuse(received))


@pytest.mark.usefixtures("no_proxies_from_outside")
@pytest.mark.parametrize("respond", [refuse, garble])
@each_action
def test_a_proxy_that_repeats_its_password(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    records: Records,
    action: Action,
    respond: Callable[[bytes], Iterator[bytes]],
) -> None:
    """Where a proxy refuses, or answers with no HTTP, and repeats what it was told: no error and no log shows it."""
    with WireServer(respond) as proxy:
        address = proxy.address.replace("http://", f"http://me:{QUOTED}@")
        monkeypatch.setenv("https_proxy", address)
        error = attempt(any_client, action.act, client(any_client, app_id="app"))
    assert type(error) is TransportError
    assert "[redacted]" in str(error)
    assert_silent(error)
    assert any(record.name.startswith("httpcore") for record in records.taken)
    assert_hidden(records.seen)


@pytest.mark.usefixtures("no_proxies_from_outside")
@each_delete
def test_what_is_logged_of_socks(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, records: Records, action: Action
) -> None:
    """httpcore logs what it tells a SOCKS proxy; the password is taken out of that, too."""
    with WireServer(lambda _: [b"\5\xff"], read=lambda connection: connection.recv(3)) as proxy:
        address = proxy.address.replace("http://", f"socks5://me:{QUOTED}@")
        monkeypatch.setenv("https_proxy", address)
        error = attempt(any_client, action.act, client(any_client, app_id="app"))
    assert type(error) is TransportError
    assert_silent(error)
    (told,) = [text for _, text in records.seen if text.startswith("setup_socks5_connection.started")]
    assert "[redacted]" in told
    assert_hidden(records.seen)


# Exceptions that are nobody's failure, and pass through a call.

PASSING: dict[str, Callable[[], BaseException]] = {
    "interrupted": KeyboardInterrupt,
    "cancelled": asyncio.CancelledError,
    "exiting": SystemExit,
    "loop closed": lambda: RuntimeError("Event loop is closed"),
    "several": lambda: BaseExceptionGroup("several", [KeyboardInterrupt(), RuntimeError()]),
}
each_passing = pytest.mark.parametrize("passing", PASSING.values(), ids=PASSING.keys())


def assert_passes(error: Any, passing: BaseException) -> None:
    assert error is passing
    places = [place for place, _ in frames(error)]
    assert any(place.startswith(OURS) for place in places), "where it happened was to be told"
    assert_hidden(views(error))


@each_passing
@each_action
def test_what_passes_through_a_callers_transport(
    any_client: AnyClient, records: Records, action: Action, passing: Callable[[], BaseException]
) -> None:
    """An interruption, a cancellation, or a fault in a transport of one's own passes, and no frame on its way holds
    a secret."""
    raised = passing()

    def respond(request: httpx.Request) -> httpx.Response:
        assert leaks(str(request.headers["apikey"]))
        raise raised

    error = attempt(any_client, action.act, client(any_client, base_url=LOCAL, transport=Stub(respond)))
    assert_passes(error, raised)
    assert_hidden(records.seen)


@each_passing
@pytest.mark.parametrize("method", ["read", "write"])
@each_delete
def test_what_passes_through_the_pool(
    any_client: AnyClient,
    simulator: Simulator,
    monkeypatch: pytest.MonkeyPatch,
    records: Records,
    action: Action,
    method: str,
    passing: Callable[[], BaseException],
) -> None:
    """The same holds for the pool of the client's own, whose connections keep whole requests in their frames."""
    raised = passing()
    sent: list[bytes] = []

    def note(arguments: tuple[Any, ...]) -> None:
        sent.extend(each for each in arguments if isinstance(each, bytes))
        if method == "write":
            assert leaks(sent[0].decode())
        raise raised

    def blocking(*arguments: Any, **_: Any) -> Any:
        note(arguments)

    async def awaited(*arguments: Any, **_: Any) -> Any:
        note(arguments)

    class Wire:
        def settimeout(self, seconds: float) -> None:
            pass

        def send(self, content: memoryview) -> None:
            note((bytes(content),))

    if any_client.kind == "async":
        monkeypatch.setattr(f"httpcore._backends.anyio.AnyIOStream.{method}", awaited)
    elif method == "read":
        monkeypatch.setattr("httpcore._backends.sync.SyncStream.read", blocking)
    else:
        known = {"socket": Wire()}
        monkeypatch.setattr("httpcore._backends.sync.SyncStream.get_extra_info", lambda _, info: known.get(info))
    error = attempt(any_client, action.act, client(any_client))
    assert_passes(error, raised)
    assert_hidden(records.seen)
    monkeypatch.undo()
    assert attempt(any_client, lambda chat: chat.roles.list(per_page=1), client(any_client)).data, (
        "calls go on as before"
    )
    assert simulator.damage == []


@pytest.mark.parametrize(
    ("any_client", "passing"),
    # An event loop itself ends when one of its tasks is interrupted.
    [*(("sync", each) for each in PASSING), ("async", "loop closed")],
    indirect=["any_client"],
)
def test_what_passes_through_many_revocations(any_client: AnyClient, passing: str) -> None:
    """The same holds where many tokens are revoked at a time."""
    raised = PASSING[passing]()

    def respond(_: httpx.Request) -> httpx.Response:
        raise raised

    chat = client(any_client, base_url=LOCAL, transport=Stub(respond))
    error = attempt(any_client, lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)]), chat)
    assert_passes(error, raised)


@pytest.mark.parametrize("how", ["cause", "context", "member"])
def test_what_led_to_what_passes(any_client: AnyClient, how: str) -> None:
    """The frames of whatever led to an exception that passes are emptied as well."""

    def deeper(request: httpx.Request) -> None:
        address = str(request.url)
        raise LookupError(len(address))

    def respond(request: httpx.Request) -> httpx.Response:
        led = LookupError()
        try:
            deeper(request)
        except LookupError as error:
            if how == "context":
                raise RuntimeError from None
            led = error
        if how == "cause":
            raise RuntimeError from led
        raise ExceptionGroup("several", [led])

    error = attempt(any_client, DELETE.act, client(any_client, base_url=LOCAL, transport=Stub(respond)))
    (led,) = (each for each in chain(error) if isinstance(each, LookupError))
    held = {frame.f_code.co_name: frame.f_locals for frame, _ in traceback.walk_tb(led.__traceback__)}
    assert held == {"respond": {}, "deeper": {}}


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_a_timeout_around_a_call(any_client: AnyClient, simulator: Simulator, records: Records) -> None:
    """`asyncio.timeout` around a call keeps the cancellation it stems from, and no frame of that holds a secret."""
    simulator.fail(delay=60.0)

    async def within(chat: Any) -> Any:
        async with asyncio.timeout(0.05):
            await chat.auth_tokens.delete("alice", TOKEN)

    error = attempt(any_client, within, client(any_client))
    assert type(error) is TimeoutError
    # The first releases of Python 3.11 have it as context only.
    assert isinstance(error.__cause__ or error.__context__, asyncio.CancelledError)
    assert any("api.py" in place for place, _ in frames(error))
    assert_hidden(views(error))
    assert_hidden(records.seen)


def test_a_callback_that_raises(any_client: AnyClient, simulator: Simulator) -> None:
    """What `on_drift` raises reaches the caller, and no frame on its way holds a secret."""
    simulator.fail(body={"data": {"success": KEY, "message": TOKEN}}, headers=Echo(DELETE).headers)

    def refuse(drift: Drift) -> None:
        raise LookupError(drift.pointer)

    error = attempt(any_client, DELETE.act, client(any_client, on_drift=refuse))
    assert (type(error), error.args) == (LookupError, ("/data/success",))
    assert "refuse" in "".join(traceback.format_exception(error))
    assert_hidden(views(error))


def test_frames_of_the_caller_keep_what_they_hold(any_client: AnyClient) -> None:
    """An exception that the caller was handling when a call broke off keeps its locals, for whoever debugs it."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    def mine() -> None:
        precious = "kept"
        raise LookupError(precious[0])

    def blocking(chat: Any) -> None:
        try:
            mine()
        except LookupError:
            chat.roles.list()

    async def awaited(chat: Any) -> None:
        try:
            mine()
        except LookupError:
            await chat.roles.list()

    chat = client(any_client, base_url=LOCAL, transport=Stub(respond))
    error = attempt(any_client, blocking if any_client.kind == "sync" else awaited, chat)
    assert type(error) is KeyboardInterrupt
    context = error.__context__
    assert isinstance(context, LookupError)
    assert [frame.f_locals.get("precious") for frame, _ in traceback.walk_tb(context.__traceback__)][-1] == "kept"


# What is there before anything goes wrong.


def things(chat: Any) -> dict[str, Any]:
    """What a user can put into a log line."""
    inputs = (
        WordListInput(search_terms=["a"], file=None),
        PatternListInput(file=b"a\n"),
        SentenceSimilarityListInput(disallowed_sentences=["a"]),
    )
    return {
        "client": chat,
        "derived": chat.with_options(headers={"X-Other": CREDENTIAL}, on_behalf_of="alice"),
        "api": chat.api,
        "settings": chat.api.settings,
        "connection": chat.api.connection,
        "state": vars(chat),
        **{name: getattr(chat, name) for name in ("keywords", "reviewed_messages", "roles", "auth_tokens")},
        **{f"resource {name}": vars(getattr(chat, name)) for name in ("keywords", "roles", "auth_tokens")},
        **{type(each).__name__: each for each in inputs},
        "get call": get_keyword_list.prepare(LIST_ID),
        "update call": update_keyword_list.prepare(LIST_ID, body=KeywordListForm(category="word", search_terms="a")),
        "messages call": list_reviewed_messages.prepare(),
        "roles call": list_roles.prepare(),
        "delete call": (call := delete_auth_token.prepare("alice", TOKEN)),
        "request": prepare(call, chat.api.settings),
        "answer": Answer(401, {"x-echo": KEY}, TOKEN.encode()),
    }


PICKLED = {"WordListInput", "PatternListInput", "SentenceSimilarityListInput"}
#: What holds the key, or a connection over which it goes.
HOLDERS = {
    "client",
    "derived",
    "api",
    "settings",
    "keywords",
    "reviewed_messages",
    "roles",
    "auth_tokens",
    "delete call",
}


@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
def test_nothing_shows_a_secret_at_rest(any_client: AnyClient, simulator: Simulator, *, used: bool) -> None:
    """No client, resource, input, call or request shows a secret when it is printed, formatted, or looked into as rich
    looks into the locals of a frame."""
    chat = client(any_client)
    if used:
        simulator.fail(status=401, body=Echo(DELETE).error, headers=Echo(DELETE).headers)
        assert isinstance(attempt(any_client, DELETE.act, chat), ApiError)
        assert attempt(any_client, DELETE.act, chat).success
    assert chat.api.settings.api_key.reveal() == KEY
    for name, thing in things(chat).items():
        assert_hidden((name, text) for text in (*looks(thing), f"{thing}"))


def _no_answer(_: httpx.Request) -> httpx.Response:
    raise AssertionError("nothing was to be sent")


def test_what_holds_a_key_cannot_be_pickled(any_client: AnyClient) -> None:
    """Clients, their parts and calls refuse to be pickled with a TypeError; inputs come back as they were."""
    for chat in (client(any_client), client(any_client, base_url=LOCAL, transport=Stub(_no_answer))):
        for name, thing in things(chat).items():
            if name in PICKLED:
                assert pickle.loads(pickle.dumps(thing)) == thing  # noqa: S301 - its own
            elif name in HOLDERS:
                with pytest.raises(TypeError, match="a client holds" if name in ("client", "derived") else "pickle"):
                    pickle.dumps(thing)


@each_delete
def test_rich_renders_errors_without_secrets(any_client: AnyClient, simulator: Simulator, action: Action) -> None:
    """A traceback with locals, as rich prints it to a terminal, shows the uid and what happened, and no secret."""
    message = f"The token {Echo(action).text} of alice is unknown."
    simulator.fail(status=404, body={"error": {"code": "ERR", "message": message}})
    error = attempt(any_client, action.act, client(any_client))
    shown = io.StringIO()
    trace = Traceback.from_exception(
        type(error), error, below_the_test(error.__traceback__), show_locals=True, width=200, locals_max_string=9999
    )
    Console(file=shown, width=200).print(trace)
    assert "delete_auth_token was answered with 404: ERR: The token [redacted]" in shown.getvalue()
    assert "'alice'" in shown.getvalue() or action.act is generated
    assert_hidden([("rich's traceback", shown.getvalue())])


# And yet it is good for something.


def test_errors_still_name_the_user(any_client: AnyClient, simulator: Simulator) -> None:
    """What is no secret stays: the uid, although the token begins with it, the code, and all other words."""
    uid = "customer-000-481516"
    token = f"{uid}_{TOKEN}"
    told = {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": f"{uid} has no token {token}, but others."}
    simulator.fail(status=404, body={"error": told})
    error = attempt(any_client, lambda chat: chat.auth_tokens.delete(uid, token), client(any_client))
    assert error.message == f"{uid} has no token customer-000[redacted], but others."
    assert error.code == "ERR_AUTH_TOKEN_NOT_FOUND"
    assert_silent(error)


@pytest.mark.parametrize(("own", "hidden"), [("en", False), ("2024-01", False), ("2024-01-", True)])
def test_short_headers_are_no_secrets(any_client: AnyClient, simulator: Simulator, own: str, *, hidden: bool) -> None:
    """A header's value of fewer than eight characters, such as a language, is struck from no error."""
    text = "When 2024-01-31 had been agreed on, nothing was sent."
    simulator.fail(status=409, body={"error": {"code": "ERR_SENT", "message": text}})
    error = attempt(any_client, DELETE.act, client(any_client).with_options(headers={"X-Own": own}))
    assert error.code == "ERR_SENT"
    assert error.message == (text.replace(own, "[redacted]") if hidden else text)


def test_our_records_say_what_happened(any_client: AnyClient, simulator: Simulator, records: Records) -> None:
    """Each attempt is a record with operation, template, status, duration, number and size; each retry is one, too."""
    simulator.fail(status=429, headers={"Retry-After": "0"})
    assert attempt(any_client, ACTIONS[1].act, client(any_client, max_retries=1)).id == LIST_ID
    first, retry, second = records.named("cometchat_rest")
    path = "/moderation/keywords/{keyword_id}"
    assert first.getMessage().startswith(f"PUT {path}: 429 in ")
    assert second.getMessage().startswith(f"PUT {path}: 200 in ")
    for number, status, record in ((1, 429, first), (2, 200, second)):
        told = vars(record)
        assert (told["event"], told["operation"], told["path"]) == ("attempt", "update_keyword_list", path)
        assert (told["attempt"], told["status"], record.levelname) == (number, status, "DEBUG")
        assert told["duration"] > 0
        assert told["request_size"] == len(simulator.requests[0].body)
    told = vars(retry)
    assert (told["event"], told["operation"], told["attempt"]) == ("retry", "update_keyword_list", 1)
    assert (told["pause"], retry.levelname) == (0.0, "INFO")


def test_records_of_the_wire_reach_users_without_secrets(
    any_client: AnyClient, simulator: Simulator, records: Records
) -> None:
    """httpcore's own records come through, with status and headers, and with the secrets taken out."""
    simulator.fail(status=404, headers=Echo(DELETE).headers)
    assert isinstance(attempt(any_client, DELETE.act, client(any_client)), ApiError)
    wire = [record.getMessage() for record in records.named("httpcore")]
    assert any(text.startswith("connect_tcp.started host='127.0.0.1'") for text in wire)
    (head,) = [text for text in wire if text.startswith("receive_response_headers.complete")]
    assert "404, b'Not Found'" in head
    assert "application/json" in head
    assert "[redacted]" in head
    assert_hidden(records.seen)


class Relay(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends through another client, as one would for the sake of its hooks."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
            return other.send(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
            return await other.send(request)


def test_records_of_httpx_reach_users_without_secrets(
    any_client: AnyClient, simulator: Simulator, records: Records
) -> None:
    """A transport of one's own may send through httpx, whose line for each request comes through without the token."""
    assert isinstance(attempt(any_client, DELETE.act, client(any_client, transport=Relay())), ApiError)
    (record,) = records.named("httpx")
    assert record.getMessage() == (
        f'HTTP Request: DELETE {simulator.base_url}/users/alice/auth_tokens/[redacted] "HTTP/1.1 404 Not Found"'
    )
    assert_hidden(records.seen)


@pytest.mark.parametrize("name", ["httpx", "httpcore.connection"])
def test_records_of_the_wire_come_without_tracebacks(any_client: AnyClient, records: Records, name: str) -> None:
    """Where the layer below logs an exception, the record tells of it without its traceback, which holds requests."""

    def respond(_: httpx.Request) -> httpx.Response:
        logging.getLogger(name).error("no connection", exc_info=LookupError(KEY))
        return answer(404)

    assert isinstance(
        attempt(any_client, DELETE.act, client(any_client, base_url=LOCAL, transport=Stub(respond))), ApiError
    )
    (record,) = [record for record in records.named(name) if record.levelno == logging.ERROR]
    assert (record.getMessage(), record.exc_info) == ("no connection", None)
    assert_hidden(records.seen)


def test_the_address_of_a_deletion_is_not_remembered(any_client: AnyClient) -> None:
    """With a transport of the caller's own, the address that holds a token is forgotten when the call is over."""
    token = f"{TOKEN}-to-be-forgotten"
    stub = Stub(lambda _: answer(200, {"data": {"success": True, "message": "gone"}}))
    chat = client(any_client, base_url=LOCAL, transport=stub)
    assert attempt(any_client, lambda chat: chat.auth_tokens.delete("alice", token), chat).success
    assert token in str(stub.requests.pop().url)
    gc.collect()
    assert [each for each in gc.get_objects() if type(each) is httpx.URL and token in str(each)] == []


def test_records_of_other_clients_stay_as_they_are(
    any_client: AnyClient, simulator: Simulator, records: Records
) -> None:
    """What httpx and httpcore log of other people's requests in the same process is not touched."""
    chat = client(any_client)
    assert attempt(any_client, DELETE.act, chat).success
    before = len(records.taken)
    address = f"{simulator.base_url}/users/alice/auth_tokens/{TOKEN}"
    with httpx.Client(trust_env=False) as other:
        other.delete(address, headers={"apikey": KEY})
    theirs = records.taken[before:]
    (line,) = [record for record in theirs if record.name == "httpx" and record.levelno == logging.INFO]
    assert line.args
    assert line.getMessage() == f'HTTP Request: DELETE {address} "HTTP/1.1 404 Not Found"'
    assert {"httpcore.connection", "httpcore.http11"} <= {record.name for record in theirs}
    assert not any("[redacted]" in record.getMessage() for record in theirs)
