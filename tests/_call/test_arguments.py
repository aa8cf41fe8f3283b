"""Arguments of calls: each is checked against its parameter in the description before anything is sent."""

import math
from typing import Any

import pytest
from attrs import evolve

from cometchat_openapi import Call, Parameter
from cometchat_openapi.api.roles.list_roles import OPERATION
from cometchat_rest import InvalidRequestError

from ..support import AnyClient, StubTransport, always_respond, error_from, stub_client, unused_transport

NUMBER = Parameter("x", "x", type="number")
RANGE = Parameter("x", "x", type="number", minimum=0.5, maximum=2)
INTEGER = Parameter("x", "x", type="integer", minimum=1, maximum=50)
CHOICE = Parameter("x", "x", type="string", choices=("asc", "desc"))

REFUSED: list[tuple[Parameter, Any, str]] = [
    *((NUMBER, value, "must be a number, not ") for value in (True, "1", math.nan, math.inf, -math.inf, 10**400)),
    (RANGE, 0.4, "must be a number of at least 0.5 and at most 2, not 0.4"),
    (RANGE, 2.1, "must be a number of at least 0.5 and at most 2, not 2.1"),
    (Parameter("x", "x", type="number", maximum=2), 3, "must be a number of at most 2, not 3"),
    *((INTEGER, value, "must be an integer from 1 to 50, not ") for value in (0, 51, 1.0, True, "1")),
    (Parameter("x", "x", type="boolean"), 1, "must be True or False, not 1"),
    (Parameter("x", "x", type="string"), 1, "must be a str, not int"),
    (Parameter("x", "x", type="array"), "ab", "must be a list, not str"),
    (CHOICE, "up", "must be one of 'asc', 'desc', not 'up'"),
]
ACCEPTED: list[tuple[Parameter, Any, str]] = [
    (NUMBER, -1e300, "-1e%2B300"),
    (RANGE, 0.5, "0.5"),
    (RANGE, 2, "2"),
    (INTEGER, 50, "50"),
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
    """An argument of another type or outside of its limits is an error that names it and says what fits."""
    chat = stub_client(any_client, unused_transport())
    error = error_from(any_client, lambda chat: chat.api.send(call_with(parameter, value)), chat)
    assert isinstance(error, InvalidRequestError)
    assert error.argument == "x"
    assert error.reason.startswith(text)


@pytest.mark.parametrize(("parameter", "value", "sent"), ACCEPTED)
def test_argument_that_fits_is_sent(any_client: AnyClient, parameter: Parameter, value: Any, sent: str) -> None:
    """An argument within its limits goes out as text."""
    stub = StubTransport(always_respond(200, {"data": [], "meta": {}}))
    any_client.call(lambda chat: chat.api.send(call_with(parameter, value)), stub_client(any_client, stub))
    assert stub.requests[0].url.query.decode() == f"x={sent}"


@pytest.mark.parametrize(("value", "path"), [(7, "/v3/bans/7"), (-1, None), ("7", None), (True, None), (None, None)])
def test_number_in_a_path(any_client: AnyClient, value: Any, path: str | None) -> None:
    """A number within its limits becomes a segment of the path, and every other value is refused."""
    number = Parameter("banNo", "ban_no", type="integer", minimum=1)
    operation = evolve(OPERATION, path="/bans/{ban_no}", parameters=(number,))
    stub = StubTransport(always_respond(200, {"data": [], "meta": {}}))
    call: Call[Any] = Call(operation, path_values={"ban_no": value})
    error = error_from(any_client, lambda chat: chat.api.send(call), stub_client(any_client, stub))
    assert [request.url.path for request in stub.requests] == ([] if path is None else [path])
    if path is None:
        assert isinstance(error, InvalidRequestError)
        assert error.argument == "ban_no"
