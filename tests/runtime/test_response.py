"""Every status and every body is the result or the right error; redirects are not followed."""

import itertools
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from attrs import evolve

from cometchat_openapi.api.roles.list_roles import OPERATION
from cometchat_rest import Role, RoleList, UnexpectedResponse, WordListInput
from cometchat_runtime.operation import Call
from cometchat_testing import Simulator

from ..servers import WireServer
from ..support import (
    DELETE,
    GET,
    LIST_ID,
    OPERATIONS,
    PUT,
    WITH_BODY,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)
from .error_checks import CLASS_BY_STATUS, VALID_ERROR, check_error

BODIES: dict[str, bytes] = {
    "valid error": json.dumps({"error": VALID_ERROR}).encode(),
    "html": b"<!DOCTYPE html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>" * 100,
    "empty": b"",
    "blank": b" \r\n\t",
    "null": b"null",
    "string": b'"no"',
    "number": b"42",
    "float": b"1e400",
    "nan": b"NaN",
    "true": b"true",
    "array": b"[]",
    "array of errors": b'[{"error": {"code": "X"}}]',
    "empty object": b"{}",
    "data null": b'{"data": null}',
    "data of another type": b'{"data": "x", "meta": 5}',
    "error null": b'{"error": null}',
    "error string": b'{"error": "no"}',
    "error array": b'{"error": []}',
    "error of wrong types": b'{"error": {"code": 5, "message": ["a"], "devMessage": {}, "details": "x"}}',
    "error with invalid details": b'{"error": {"details": {"a": 1, "b": null, "c": [1, {"d": []}], "": ["x"]}}}',
    "error with a lone surrogate": rb'{"error": {"code": "\ud800", "message": "\udfff\u0000"}}',
    "very long error": json.dumps({"error": {"code": "C" * 9999, "message": "M" * 10**6}}).encode(),
    "truncated": b'{"data": {"id": "profanity-li',
    "truncated escape": rb'{"error": {"message": "\u12',
    "two documents": b'{"data": null}{"data": null}',
    "wrong charset": '{"error": {"message": "Größe"}}'.encode("latin-1"),
    "not text": bytes(range(256)) * 40,
    "utf-16": '{"error": {"message": "x"}}'.encode("utf-16"),
    "utf-32": '{"error": {"message": "x"}}'.encode("utf-32-le"),
    "marked": b'\xef\xbb\xbf{"error": {"message": "x"}}',
    "nested arrays": b"[" * 100_000,
    "nested arrays, closed": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"error":' * 100_000,
    "900 nested arrays": b"[" * 900 + b"]" * 900,
    "900 nested objects": b'{"error":' * 900 + b"1" + b"}" * 900,
    "nested in an error": b'{"error": {"details": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "a number of many digits": b"9" * 100_000,
    "a number of many digits inside": b'{"error": {"code": ' + b"9" * 100_000 + b"}}",
    "nul": b"\0" * 5000,
    "form": b"error=1&message=no",
}
CONTENT_TYPES = (
    "application/json",
    "application/json; charset=utf-8",
    "application/json; charset=klingon",
    "\x7f;;=,",
    "",
    None,
    "text/html; charset=iso-8859-1",
    "text/plain; charset=utf-16",
    "multipart/form-data",
)
# For each class of statuses: named statuses, the first and the last, and unknown statuses.
STATUSES = (
    100,
    101,
    199,
    201,
    204,
    206,
    299,
    300,
    302,
    304,
    399,
    *CLASS_BY_STATUS,
    402,
    405,
    418,
    451,
    499,
)
STATUSES += (500, 502, 503, 504, 520, 599, 600, 700, 999)


#: Each body with a success, a redirect and both kinds of errors, and each status with one body;
#: operations in turn.
RESPONSES = [
    *((status, name) for name in BODIES for status in (200, 302, 404, 503)),
    *((status, "valid error") for status in STATUSES),
    *((operation.status, "empty object") for operation in WITH_BODY),
]
CASES = [
    pytest.param(operation, status, name, content_type, id=f"{status} {name} {operation.name}")
    for (status, name), operation, content_type in zip(
        RESPONSES, itertools.cycle(OPERATIONS), itertools.cycle(CONTENT_TYPES), strict=False
    )
    if not operation.succeeds(status)
]


@pytest.mark.parametrize(("operation", "status", "name", "content_type"), CASES)
def test_every_response_is_an_error_of_its_class(
    any_client: AnyClient, operation: Operation, status: int, name: str, content_type: str | None
) -> None:
    """Each status, with each kind of body and any content type, is an error of the right class, and
    never half a result."""
    headers = {} if content_type is None else {"content-type": content_type}
    stub = StubTransport(always_respond(status, BODIES[name], headers))
    error = check_error(
        error_from(any_client, operation.act, stub_client(any_client, stub)), operation, status
    )
    assert status != 200 or name != "empty" or "empty" in str(error)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308, 399])
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_redirect_is_not_followed(any_client: AnyClient, operation: Operation, status: int) -> None:
    """A redirect is an error that shows its target. Nothing is sent to the target, above all not
    the key."""
    with WireServer(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]) as other:
        target = f"{other.address}/v3/elsewhere"
        head = f"HTTP/1.1 {status} Away\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with WireServer(lambda _: [head.encode()]) as first:
            client = any_client.client(base_url=first.base_url)
            error = check_error(error_from(any_client, operation.act, client), operation, status)
            assert target in str(error)
            assert error.headers["location"] == target
            assert len(first.received) == 1
        assert other.received == []


@pytest.mark.parametrize(
    "location", [None, "", "/v3/users", "//evil.example", "\xff\xfe", "http://[", "javascript:x"]
)
def test_redirect_without_a_usable_target(any_client: AnyClient, location: str | None) -> None:
    """A redirect without a usable target is the same error. Without any target, it is no
    redirect."""
    headers = {} if location is None else {"location": location}
    client = stub_client(any_client, StubTransport(always_respond(302, b"", headers)))
    text = str(check_error(error_from(any_client, GET.act, client), GET, 302))
    assert text.endswith(
        ": a status that openapi.yaml does not describe"
        if location is None
        else f": a redirect to {location}; redirects are not followed, so check base_url"
    )


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        (PUT, {"data": {"id": LIST_ID, "name": 5}}),
        (DELETE, {"data": {"success": True, "message": 5}}),
    ],
    ids=str,
)
def test_change_that_only_strict_refuses_is_not_in_doubt(
    any_client: AnyClient, operation: Operation, body: object
) -> None:
    """A change was certainly made if its success is an error only because the client is strict."""
    stub = StubTransport(always_respond(200, body))
    error = error_from(any_client, operation.act, stub_client(any_client, stub, strict=True))
    any_client.call(operation.act, stub_client(any_client, stub))
    assert isinstance(error, UnexpectedResponse)
    assert error.pointer is not None
    assert error.outcome_unknown is False


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("operation", [PUT, DELETE], ids=operation_name)
def test_change_with_an_unusable_success_is_in_doubt(
    any_client: AnyClient, operation: Operation, *, strict: bool
) -> None:
    """A change may have been made if its success cannot be read at all, whether the client is
    strict or not."""
    stub = StubTransport(always_respond(200, {"data": 5}))
    error = error_from(any_client, operation.act, stub_client(any_client, stub, strict=strict))
    assert isinstance(error, UnexpectedResponse)
    assert error.outcome_unknown is True


def test_first_mismatches_are_reported(any_client: AnyClient) -> None:
    """Of the mismatches of one response, only the first hundred are reported."""
    stub = StubTransport(
        always_respond(
            200, b'{"data":[' + b",".join([b"{}"] * 1000) + b'],"meta":{"pagination":{}}}'
        )
    )
    drifts: list[object] = []
    chat = stub_client(any_client, stub, on_drift=drifts.append)
    assert len(any_client.call(lambda chat: chat.roles.list(), chat).data) == 1000
    assert len(drifts) == 100


class OthersFirst(RoleList):
    """A body whose description begins with another array than `data`."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {"others": "others", "data": "data"}

    others: list[Role] | None = None


def test_unusable_data_is_an_error_after_any_number_of_mismatches(any_client: AnyClient) -> None:
    """`data` of another type is an error, also if the description and the response have many
    mismatches before it."""
    stub = StubTransport(always_respond(200, {"others": [{}] * 1000, "data": 5}))
    call: Call[RoleList] = Call(evolve(OPERATION, result=OthersFirst))
    error = error_from(any_client, lambda chat: chat.api.send(call), stub_client(any_client, stub))
    assert isinstance(error, UnexpectedResponse)
    assert error.pointer == "/data"


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_large_response_is_read_outside_of_the_event_loop(any_client: AnyClient) -> None:
    """While a large response is read, in no thread of the program, the event loop runs other
    tasks, and `on_drift`."""
    body = b'{"data":[' + b",".join([b"{}"] * 100_000) + b'],"meta":{"pagination":{}}}'
    threads: set[int] = set()
    stub = StubTransport(always_respond(200, body))
    chat = stub_client(any_client, stub, on_drift=lambda _: threads.add(threading.get_ident()))

    async def beats_during(chat: Any) -> tuple[int, int]:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                await anyio.lowlevel.checkpoint()
                beats += 1

        of_program = anyio.to_thread.current_default_thread_limiter()
        of_program.total_tokens, number = 1, of_program.total_tokens
        async with of_program, anyio.create_task_group() as tasks:
            tasks.start_soon(beat)
            await chat.roles.list()
            tasks.cancel_scope.cancel()
        of_program.total_tokens = number
        return beats, threading.get_ident()

    beats, loop_thread = any_client.call(beats_during, chat)
    assert (beats > 20, threads) == (True, {loop_thread})


TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]
READS: dict[str, Callable[[Any], Any]] = {
    "get": lambda chat: chat.keywords.get(LIST_ID),
    "plan": lambda chat: chat.keywords.plan(LIST_ID, TERMS),
    "update": lambda chat: chat.keywords.update(LIST_ID, TERMS),
}


@pytest.mark.parametrize(
    "identifier", ["default-profanity", LIST_ID.upper(), None, 5, "absent"], ids=repr
)
@pytest.mark.parametrize("read", READS)
def test_response_about_another_list(
    any_client: AnyClient, simulator: Simulator, read: str, identifier: Any
) -> None:
    """A response about another list, or without the identifier, is refused, strict or not: nobody
    should change a list by the content of an unknown one."""
    data = {**simulator.keyword_lists[LIST_ID], "id": identifier}
    simulator.fail("get_keyword_list", body={"data": {} if identifier == "absent" else data})
    with pytest.raises(UnexpectedResponse, match="/data/id is not 'profanity-list'") as caught:
        any_client.call(READS[read])
    assert (caught.value.pointer, caught.value.outcome_unknown) == ("/data/id", False)


def test_change_of_another_list(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan is not applied by a response about another list, and after such a response to an
    update, its outcome is unknown."""
    other = {"data": simulator.keyword_lists["default-profanity"]}
    plan = any_client.call(READS["plan"])
    simulator.fail("get_keyword_list", body=other)
    with pytest.raises(UnexpectedResponse, match="/data/id") as caught:
        any_client.call(lambda chat: chat.keywords.apply(plan))
    assert caught.value.outcome_unknown is False
    simulator.fail("update_keyword_list", body=other)
    with pytest.raises(UnexpectedResponse) as caught:
        any_client.call(
            lambda chat: chat.keywords.update(LIST_ID, WordListInput(search_terms=TERMS))
        )
    assert caught.value.outcome_unknown is True
