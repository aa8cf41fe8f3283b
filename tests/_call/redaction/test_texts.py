"""Texts and fields of errors: whatever the service sends, no error shows a secret."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pytest
from attrs import field, frozen

from cometchat_rest import ApiError, CometChatError, Drift, RequestTimeoutError, TransportError, UnexpectedResponse
from cometchat_rest.testing import Simulator

from ...described_calls import plain
from ...support import OPERATIONS, WITH_BODY, AnyClient, WireServer
from .canaries import (
    ACTIONS,
    CREDENTIAL,
    DELETE,
    EACH_OPERATION,
    KEY,
    TOKEN,
    Action,
    Echo,
    RecordCollector,
    all_views,
    assert_hidden,
    assert_sent,
    assert_silent,
    each_action,
    leaks,
    outcome_of,
    representations,
    secret_client,
)


@frozen
class Failure:
    """A fault of the service, the settings of the client, and the expected error."""

    fault: Mapping[str, Any]
    raises: type[CometChatError] = UnexpectedResponse
    settings: Mapping[str, Any] = field(factory=dict)
    # Whether the error repeats text of the service.
    echoes: bool = True
    # Whether the call may time out before the request arrives, on a busy machine.
    hasty: bool = False
    attempts: int = 1


def failures(echo: Echo) -> Iterator[tuple[str, Failure]]:
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
    yield "200, data of another type", Failure({"body": {"data": echo.text, "meta": echo.text}, **headers})
    for encoding in ("gzip", "br"):
        packed = {**echo.headers, "Content-Encoding": encoding}
        yield f"200, not {encoding}", Failure({"body": echo.text, "headers": packed})
    yield "200, too large", Failure({"body": echo.text * 9, **headers}, settings={"max_response_bytes": 4000})
    again = {"body": echo.error, "headers": {**echo.headers, "Retry-After": "0"}}
    yield "429, refused", Failure({"status": 429, **again}, ApiError, {"max_retries": 0})

    cuts: dict[str, dict[str, Any]] = {
        "before the headers": {"cut": "before_headers"},
        "in the headers": {"cut": "in_headers", **error},
        "in the body": {"cut": "in_body", **error},
        "after processing": {"cut": "after_processing"},
    }
    for name, fault in cuts.items():
        yield f"cut {name}", Failure(fault, TransportError, echoes=False)
    late: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "no response in time": ({"delay": 60.0}, {"timeout": 0.05}),
        "no response before the deadline": ({"delay": 60.0}, {"deadline": 0.05}),
        "no complete response before the deadline": ({**error, "trickle": (99, 0.02)}, {"deadline": 0.1}),
    }
    for name, (fault, settings) in late.items():
        yield name, Failure(fault, RequestTimeoutError, settings, echoes=False, hasty=True)


#: All failures of a call with a token; for the other calls, the quick run has one failure with each kind of error.
FOR_EACH_ACTION = ("404", "200, a string", "cut in the body")


@pytest.mark.parametrize(
    ("action", "failure"),
    [
        pytest.param(
            action,
            failure,
            id=f"{failure}-{action.name}",
            marks=() if action == DELETE or failure in FOR_EACH_ACTION else pytest.mark.deep,
        )
        for action in EACH_OPERATION
        for failure in dict(failures(Echo(DELETE)))
    ],
)
def test_no_failure_shows_a_secret(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector, action: Action, failure: str
) -> None:
    """Whatever the response is, and wherever it breaks off, no error, traceback, pickle or log record shows the key,
    a token, or a header value of the caller, even if the service repeats them."""
    expected = dict(failures(Echo(action)))[failure]
    simulator.fail(**expected.fault, times=None)
    error = outcome_of(any_client, action.act, secret_client(any_client, **expected.settings))
    assert isinstance(error, expected.raises), error
    assert error.attempts == expected.attempts
    if not expected.hasty:
        assert len(simulator.requests) == expected.attempts
        assert_sent(simulator.requests[-1], action)
    if expected.echoes:
        assert "[redacted]" in repr(vars(error))
    assert_silent(error)
    assert "cometchat_rest" in {record.name for record in records.taken}
    assert_hidden(records.seen)


@pytest.mark.parametrize("failure", dict(failures(Echo(DELETE))))
def test_no_outcome_of_many_revocations_shows_a_secret(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector, failure: str
) -> None:
    """The outcomes of many revocations show no token, whatever happened to each token."""
    expected = dict(failures(Echo(DELETE)))[failure]
    fault = dict(expected.fault)
    if fault.get("status") == 429:
        # Longer than the client waits. Otherwise only the deadline would end the attempts, in either of two ways.
        fault["headers"] = {**fault["headers"], "Retry-After": "3600"}
    simulator.fail(**fault, times=None)
    tokens = [("alice", TOKEN)] * 2
    outcomes = outcome_of(
        any_client, lambda chat: chat.auth_tokens.revoke_all(tokens), secret_client(any_client, **expected.settings)
    )
    assert [type(each.error) for each in outcomes] == [type(outcomes[0].error)] * 2
    assert isinstance(outcomes[0].error, expected.raises)
    for outcome in outcomes:
        assert_silent(outcome.error)
    assert_hidden(("an outcome", text) for text in representations(outcomes))
    assert_hidden(records.seen)


@pytest.mark.parametrize("success", [False, None])
def test_failed_revocation_shows_no_secret(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector, success: Any
) -> None:
    """If the service reports no success and repeats the token, no error and no frame shows the token."""
    echo = Echo(DELETE)
    simulator.fail(body={"data": {"success": success, "message": echo.text}}, headers=echo.headers, times=None)
    chat = secret_client(any_client)
    error = outcome_of(any_client, lambda chat: chat.auth_tokens.revoke("alice", TOKEN), chat)
    (outcome,) = outcome_of(any_client, lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)]), chat)
    for each in (error, outcome.error):
        assert isinstance(each, UnexpectedResponse)
        assert "[redacted]" in each.body
        assert_silent(each)
    assert_hidden(records.seen)


INVALID_HTTP: dict[str, Callable[[bytes], bytes]] = {
    "status": lambda sent: sent,
    "version": lambda sent: b"HTTP/" + sent,
    "header": lambda sent: b"HTTP/1.1 200 OK\r\n" + sent,
    "chunk": lambda sent: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + sent,
}


@pytest.mark.parametrize("wire", INVALID_HTTP.values(), ids=INVALID_HTTP.keys())
@each_action
def test_invalid_http_shows_no_secret(
    any_client: AnyClient, records: RecordCollector, action: Action, wire: Callable[[bytes], bytes]
) -> None:
    """An error quotes invalid HTTP without the secrets in it."""

    def respond(received: bytes) -> Iterable[bytes]:
        line, *headers = received.split(b"\r\n")
        (key,) = (header for header in headers if header.lower().startswith(b"apikey:"))
        assert key.endswith(KEY.encode())
        yield wire(key[8:] + b" " + line) + b"\r\n\r\n"

    with WireServer(respond) as server:
        error = outcome_of(any_client, action.act, secret_client(any_client, base_url=server.base_url))
    if action.token:
        assert quote(action.token, safe="").encode() in server.received[0]
    assert type(error) is TransportError
    assert "[redacted]" in str(error)
    assert "[redacted]" in str(error.__cause__)
    assert_silent(error)
    assert_hidden(records.seen)


@each_action
def test_refused_connection_shows_no_secret(any_client: AnyClient, records: RecordCollector, action: Action) -> None:
    """If the service does not listen, no error and no record of any attempt shows a secret."""
    with WireServer(lambda _: []) as server:
        address = server.base_url
    error = outcome_of(any_client, action.act, secret_client(any_client, base_url=address))
    assert (type(error), error.kind, error.attempts) == (TransportError, "connect", 1)
    assert_silent(error)
    assert_hidden(records.seen)


def with_differences(value: Any, echo: str) -> Any:
    """A response with a wrong value in each place, and an unknown field in each object."""
    if isinstance(value, dict):
        return {**{name: with_differences(each, echo) for name, each in value.items()}, echo: echo, KEY: CREDENTIAL}
    if isinstance(value, list):
        return [*(with_differences(each, echo) for each in value), echo]
    return [echo] if isinstance(value, str) else echo


BY_NAME = {each.name: Action(each.name, each.act) for each in OPERATIONS} | {each.name: each for each in ACTIONS}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda operation: operation.name)
def test_differences_show_no_secret(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector, operation: Any, *, strict: bool
) -> None:
    """If a response differs from the description, the place is reported, but no value that was found there."""
    action = BY_NAME[operation.name]
    echo = Echo(action)
    data = [{}] if isinstance(operation.success["data"], list) else operation.success["data"]
    body = with_differences({**operation.success, "data": data}, echo.text)
    simulator.fail(status=operation.status, body=body, headers=echo.headers)
    drifts: list[Drift] = []
    result = outcome_of(any_client, action.act, secret_client(any_client, strict=strict, on_drift=drifts.append))
    assert_sent(simulator.requests[-1], action)
    if strict:
        assert isinstance(result, UnexpectedResponse)
        assert result.pointer
        assert_silent(result)
    else:
        assert leaks(repr(plain(result))), "the response holds no secret"
        assert drifts
        assert {vars(record)["event_name"] for record in records.named("cometchat_rest._call.drift")} == {
            "contract.drift"
        }
    assert_hidden(("a drift", text) for drift in drifts for text in representations(drift))
    assert_hidden(records.seen)


def test_property_with_a_key_is_hidden(any_client: AnyClient, simulator: Simulator) -> None:
    """The value of a property `apiKey` in an error body is hidden, also if it is the key of another app."""
    simulator.fail(status=403, body={"error": {"code": "ERR"}, "keys": [{"apiKey": "0123456789abcdef", "name": "a"}]})
    error = outcome_of(any_client, lambda chat: chat.roles.list(), secret_client(any_client))
    assert '{"apiKey": "[redacted]", "name": "a"}' in error.body
    assert "0123456789abcdef" not in "".join(text for _, text in all_views(error))


def test_errors_about_a_token_keep_their_words(any_client: AnyClient, simulator: Simulator) -> None:
    """Redaction hides the token, and keeps the uid with which it begins, the code and all other words."""
    uid = "customer-000-481516"
    token = f"{uid}_{TOKEN}"
    refusal = {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": f"{uid} has no token {token}, but others."}
    simulator.fail(status=404, body={"error": refusal})
    error = outcome_of(any_client, lambda chat: chat.auth_tokens.delete(uid, token), secret_client(any_client))
    assert error.message == f"{uid} has no token {uid}[redacted], but others."
    assert error.code == "ERR_AUTH_TOKEN_NOT_FOUND"
    assert_silent(error)


@pytest.mark.parametrize("code", [f"ERR_{KEY}", f"ERR_{KEY.upper()}_X", f"ERR_{TOKEN}"], ids=["key", "upper", "token"])
def test_code_with_a_secret_is_hidden(any_client: AnyClient, simulator: Simulator, code: str) -> None:
    """An error code that repeats the complete key or token is redacted like every other text of the service."""
    simulator.fail(status=404, body={"error": {"code": code, "message": "no"}})
    error = outcome_of(any_client, DELETE.act, secret_client(any_client))
    assert error.code.startswith("ERR_[redacted]")
    assert_silent(error)
