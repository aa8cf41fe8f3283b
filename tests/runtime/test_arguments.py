"""Arguments, checked before anything is sent: those of described operations, and those of
`Client.request`."""

import math
from enum import Enum
from typing import Any

import pytest
from attrs import evolve

from cometchat_openapi.api.roles.list_roles import OPERATION
from cometchat_rest import CometChatError, InvalidRequestError
from cometchat_runtime.operation import Call, Parameter
from cometchat_testing import Simulator

from ..support import (
    AnyClient,
    StubTransport,
    always_respond,
    error_from,
    stub_client,
    unused_transport,
)

NUMBER = Parameter("x", "x", type="number")
RANGE = Parameter("x", "x", type="number", minimum=0.5, maximum=2)
INTEGER = Parameter("x", "x", type="integer", minimum=1, maximum=50)
CHOICE = Parameter("x", "x", type="string", choices=("asc", "desc"))


class Size(int, Enum):
    TEN = 10


REFUSED: list[tuple[Parameter, Any, str]] = [
    *(
        (NUMBER, value, "must be a number, not ")
        for value in (True, "1", math.nan, math.inf, -math.inf)
    ),
    (NUMBER, 10**400, "must be a number"),
    (RANGE, 0.4, "must be a number of at least 0.5 and at most 2, not 0.4"),
    (RANGE, 2.1, "must be a number of at least 0.5 and at most 2, not 2.1"),
    (Parameter("x", "x", type="number", maximum=2), 3, "must be a number of at most 2, not 3"),
    *(
        (INTEGER, value, "must be an integer of at least 1 and at most 50, not ")
        for value in (0, 51, 1.0, True, "1")
    ),
    (Parameter("x", "x", type="boolean"), 1, "must be True or False, not 1"),
    (Parameter("x", "x", type="string"), 1, "must be a str, not 1"),
    (Parameter("x", "x", type="array"), "ab", "must be a list, not str"),
    (CHOICE, "up", "must be one of 'asc', 'desc', not 'up'"),
]
ACCEPTED: list[tuple[Parameter, Any, str]] = [
    (NUMBER, -1e300, "-1e%2B300"),
    (RANGE, 0.5, "0.5"),
    (RANGE, 2, "2"),
    (INTEGER, 50, "50"),
    # Also if `str` of the value is its name.
    (INTEGER, Size.TEN, "10"),
    (Parameter("x", "x", type="boolean"), False, "false"),
    (Parameter("x", "x"), "anything", "anything"),
    (CHOICE, "asc", "asc"),
]


def call_with(parameter: Parameter, value: object) -> Call[Any]:
    return Call(evolve(OPERATION, parameters=(parameter,)), query={"x": value})


@pytest.mark.parametrize(("parameter", "value", "text"), REFUSED)
def test_argument_that_does_not_fit_is_refused(
    any_client: AnyClient, parameter: Parameter, value: Any, text: str
) -> None:
    """An argument of another type or outside of its limits is an error that names it and says
    what fits."""
    chat = stub_client(any_client, unused_transport())
    error = error_from(any_client, lambda chat: chat.api.send(call_with(parameter, value)), chat)
    assert isinstance(error, InvalidRequestError)
    assert error.argument == "x"
    assert error.reason.startswith(text)


@pytest.mark.parametrize(("parameter", "value", "sent"), ACCEPTED)
def test_argument_that_fits_is_sent(
    any_client: AnyClient, parameter: Parameter, value: Any, sent: str
) -> None:
    """An argument within its limits goes out as text."""
    stub = StubTransport(always_respond(200, {"data": [], "meta": {}}))
    any_client.call(
        lambda chat: chat.api.send(call_with(parameter, value)), stub_client(any_client, stub)
    )
    assert stub.requests[0].url.query.decode() == f"x={sent}"


@pytest.mark.parametrize(
    ("value", "path"), [(7, "/v3/bans/7"), (-1, None), ("7", None), (True, None), (None, None)]
)
def test_number_in_a_path(any_client: AnyClient, value: Any, path: str | None) -> None:
    """A number within its limits becomes a segment of the path, and every other value is
    refused."""
    number = Parameter("banNo", "ban_no", type="integer", minimum=1)
    operation = evolve(OPERATION, path="/bans/{ban_no}", parameters=(number,))
    stub = StubTransport(always_respond(200, {"data": [], "meta": {}}))
    call: Call[Any] = Call(operation, path_values={"ban_no": value})
    error = error_from(any_client, lambda chat: chat.api.send(call), stub_client(any_client, stub))
    assert [request.url.path for request in stub.requests] == ([] if path is None else [path])
    if path is None:
        assert isinstance(error, InvalidRequestError)
        assert error.argument == "ban_no"


# `request`: calls that openapi.yaml does not describe.

TOKEN_PATH = "/users/{uid}/auth_tokens/{token}"


def test_response_has_status_headers_and_json(any_client: AnyClient, simulator: Simulator) -> None:
    """A response to any call has its status, its headers and its JSON."""
    response = any_client.call(
        lambda chat: chat.request("GET", "/moderation/reviewed-messages", query={"limit": "2"})
    )
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.parsed["data"] == simulator.reviewed_messages[:2]
    assert simulator.requests[-1].query == "limit=2"


@pytest.mark.parametrize(
    ("body", "content_type", "sent"),
    [
        ({"json": {"name": "Ünï"}}, "application/json", '{"name": "Ünï"}'.encode()),
        ({}, None, b""),
    ],
    ids=["json", "none"],
)
def test_bodies(
    any_client: AnyClient,
    simulator: Simulator,
    body: dict[str, Any],
    content_type: str | None,
    sent: bytes,
) -> None:
    """A body is sent as JSON, and an empty response is read as `None`."""
    simulator.fail(status=204)
    response = any_client.call(lambda chat: chat.request("POST", "/groups", **body))
    (request,) = simulator.requests
    assert (request.method, request.path, request.body) == ("POST", "/v3/groups", sent)
    assert request.header("content-type") == content_type
    assert response.parsed is None


#: A path that is not plainly below the base URL.
OTHER_PATHS: list[Any] = [
    "roles",
    "",
    "/",
    "//example.com/x",
    "/roles/",
    "/users//x",
    "/../v2/roles",
    "/./roles",
    "/roles?x=1",
    "/a b",
    "https://example.com/v3/roles",
    "/roles#x",
    "/users/%2e%2e",
    "/v3/roles",
    5,
]


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        *((("GET", path, {}), "path") for path in OTHER_PATHS),
        # No value can reach another path.
        *(
            (("DELETE", TOKEN_PATH, {"path_values": {"uid": "alice", "token": value}}), "token")
            for value in ("", ".", "..", "a/b", "%2e%2e", "a\\b", " ")
        ),
        (("HEAD", "/roles", {}), "method"),
        (("get", "/roles", {}), "method"),
        (("GET", "/users/{uid}", {}), "path_values"),
        (("GET", "/roles", {"path_values": {"uid": "alice"}}), "path_values"),
        (("GET", "/roles", {"query": ["page"]}), "query"),
        (("GET", "/roles", {"query": {"page": {}}}), "query"),
        (("GET", "/roles", {"query": {"page": [1, None]}}), "query"),
        (("POST", "/roles", {"json": {"a": object()}}), "json"),
        (("POST", "/roles", {"json": [float("nan")]}), "json"),
    ],
)
def test_invalid_arguments_of_request(
    any_client: AnyClient, simulator: Simulator, arguments: Any, argument: str
) -> None:
    """An invalid argument of `request` is refused before anything is sent, and the error names
    it."""
    method, path, options = arguments
    error = error_from(
        any_client, lambda chat: chat.request(method, path, **options), any_client.client()
    )
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, simulator.requests) == (argument, [])


@pytest.mark.parametrize(
    ("method", "attempts"), [("GET", 3), ("POST", 1), ("PATCH", 1), ("DELETE", 1)]
)
def test_only_a_get_is_retried(
    any_client: AnyClient, simulator: Simulator, method: str, attempts: int
) -> None:
    """After a response that does not prove anything, only a GET is sent again; for others the
    outcome is unknown."""
    simulator.fail(status=503, headers={"Retry-After": "0"}, times=None)
    error = error_from(any_client, lambda chat: chat.request(method, "/roles"), any_client.client())
    assert isinstance(error, CometChatError)
    assert (error.attempts, error.outcome_unknown) == (attempts, method != "GET")
    assert len(simulator.requests) == attempts
