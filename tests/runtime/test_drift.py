"""Responses that differ from the description: logged once, given to the callback each time, and
still usable."""

import logging
from typing import Any

import pytest

from cometchat_rest import Client, Drift
from cometchat_runtime.drift import deviations
from cometchat_testing import Simulator

from ..support import GET, LIST_ID, PUT, TOKEN, AnyClient
from .call_support import events

VALUE = "what-the-service-sent-instead"
ROLES = {"data": [VALUE, [VALUE]], "meta": {"pagination": VALUE}, VALUE: VALUE}
#: Where `ROLES` differs from the description, and the expected values.
DRIFTS = [
    Drift("list_roles", "/data/0", "an object"),
    Drift("list_roles", "/data/1", "an object"),
    Drift("list_roles", "/meta/pagination", "an object"),
]


def test_each_place_is_logged_once(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning names operation and place once for a client and its derived clients, however many
    records or calls have that difference."""
    simulator.fail(body=ROLES, times=None)
    client = any_client.client()
    clients = (client, client, client.with_options(timeout=5))
    pages = [any_client.call(lambda chat: chat.roles.list(), each) for each in clients]
    assert [page.to_dict() for page in pages] == [ROLES] * 3
    found = [(r.levelname, r.name, r.operation, r.pointer) for r in events(caplog, "drift")]
    assert found == [
        ("WARNING", "cometchat_rest", "list_roles", pointer)
        for pointer in ("/data/0", "/meta/pagination")
    ]
    first = events(caplog, "drift")[0].getMessage()
    assert (
        first
        == "drift: the response to list_roles differs from the description at /data/0: not an object"
    )


def test_callback_is_called_each_time(any_client: AnyClient, simulator: Simulator) -> None:
    """`on_drift` is called with operation, pointer and expectation for every difference in every
    response, in order."""
    simulator.fail(body=ROLES, times=2)
    drifts: list[Drift] = []
    client = any_client.client(on_drift=drifts.append)
    for each in (client, client.with_options(timeout=5)):
        any_client.call(lambda chat: chat.roles.list(), each)
    assert drifts == 2 * DRIFTS
    any_client.call(lambda chat: chat.roles.list(), client)
    assert drifts == 2 * DRIFTS


def test_operations_are_reported_separately(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """The same place in the responses of two operations counts as two places."""
    simulator.fail(body={"data": {"id": LIST_ID, "name": None}}, times=None)
    client = any_client.client()
    any_client.call(GET.act, client)
    any_client.call(PUT.act, client)
    names = [
        record.operation for record in events(caplog, "drift") if record.pointer == "/data/name"
    ]
    assert names == ["get_keyword_list", "update_keyword_list"]


def test_unexpected_value_is_never_reported(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a record nor a `Drift` holds the unexpected value, or the name of an undescribed
    field."""
    simulator.fail(body=ROLES)
    drifts: list[Drift] = []
    with caplog.at_level(logging.DEBUG):
        result = any_client.call(
            lambda chat: chat.roles.list(), any_client.client(on_drift=drifts.append)
        )
    assert VALUE in str(result.to_dict())
    assert len(events(caplog, "drift")) == 2
    assert VALUE not in "".join(str(vars(record)) for record in caplog.records)
    assert VALUE not in repr(drifts)


def test_strict_raises_instead_of_reporting(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """With `strict=True` a difference is an error. It is neither logged nor given to the
    callback."""
    simulator.fail(body=ROLES)
    drifts: list[Drift] = []
    with pytest.raises(Exception, match="/data/0 is not an object"):
        any_client.call(
            lambda chat: chat.roles.list(), any_client.client(strict=True, on_drift=drifts.append)
        )
    assert (drifts, events(caplog, "drift")) == ([], [])


def test_exception_of_the_callback_is_raised(any_client: AnyClient, simulator: Simulator) -> None:
    """An exception of the callback reaches the caller unchanged. The client stays usable, and a
    completed change stays completed."""
    simulator.fail(body=ROLES)

    def refuse(drift: Drift) -> None:
        raise LookupError(drift.pointer)

    client = any_client.client(on_drift=refuse)
    with pytest.raises(LookupError, match="/data/0") as caught:
        any_client.call(lambda chat: chat.roles.list(), client)
    assert caught.value.__cause__ is caught.value.__context__ is None
    assert (
        any_client.call(lambda chat: chat.roles.list(per_page=1), client).data[0].role == "default"
    )
    assert any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client).success
    assert TOKEN not in simulator.auth_tokens["alice"]


@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_callback_may_use_the_client(any_client: AnyClient, simulator: Simulator) -> None:
    """The callback of a blocking client may use that client: no lock is held while it runs."""
    simulator.fail(body=ROLES)
    found: list[Any] = []
    client: Client = any_client.client(
        on_drift=lambda drift: found.append((drift.pointer, client.roles.list(per_page=1)))
    )
    client.roles.list()
    assert [(pointer, len(page.data)) for pointer, page in found] == [
        (drift.pointer, 1) for drift in DRIFTS
    ]


@pytest.mark.parametrize("expected", [int | list[int], list[int] | int], ids=str)
def test_value_of_several_types(expected: Any) -> None:
    """If a value matches none of several types, the difference is reported for the type that
    matches most of it."""
    assert list(deviations(expected, [1, "x"])) == [("/1", "an integer")]
    assert list(deviations(expected, [1, 2])) == list(deviations(expected, 5)) == []
