"""Updates with an unknown outcome, over real HTTP: the list is read until it shows the update or the time is over."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import pytest

from cometchat_desk.fleet import AsyncFleet, Fleet
from cometchat_rest import (
    AuthenticationError,
    CometChatError,
    InvalidRequestError,
    KeywordUpdate,
    RequestTimeoutError,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, WireServer, read_request, run_concurrently

if TYPE_CHECKING:
    from ..conftest import AnyClient

BEFORE, AFTER = ["spam", "scam"], ["spam", "scam", "phishing"]
ADVICE = "Read the list again before you send the update again."
STATUSES = (500, 502, 503, 504, 520, 522, 524)
# How the response to the update is lost, and the error if the list never shows the update.
LOSSES: dict[str, type[CometChatError]] = {
    "dropped": TransportError,
    "reset": TransportError,
    "cut": TransportError,
    "timeout": RequestTimeoutError,
    "html": UnexpectedResponse,
    **{str(status): ServerError for status in STATUSES},
}


def response(status: int, body: object) -> bytes:
    return http(status, json.dumps(body).encode())


def http(status: int, content: bytes) -> bytes:
    """A response on a connection that is closed afterwards."""
    return b"HTTP/1.1 %d x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (status, len(content), content)


class LateService:
    """A service with one list. It loses the response to an update, and carries the update out later or never.

    Attributes:
        updates: the number of updates received.
        readings: the number of readings received after the first update.
        loss: how the response to an update is lost, one of `LOSSES`.
        base_url: the address for a client.
    """

    def __init__(
        self, loss: str, *, applies: Sequence[str] | None = AFTER, after: float = 0.4, readings: Sequence[bytes] = ()
    ) -> None:
        """Set up the service.

        Args:
            loss: how the response to an update is lost, one of `LOSSES`.
            applies: the entries after the update; `None` if the service never carries it out.
            after: seconds from the update until it is carried out.
            readings: the responses to the first readings after the update, in place of the list; b"" for no response.
        """
        self.updates = self.readings = 0
        self.loss, self._applies, self._after, self._spoiled = loss, applies, after, readings
        self._list = {"id": LIST_ID, "name": "List", "category": "word", "isCSV": False, "createdAt": 1}
        self._list |= {"updatedAt": 1, "revisionId": "r_1", "searchTerms": BEFORE}
        self._timers: list[threading.Timer] = []
        self._server = WireServer(self._respond, self._read)
        self.base_url = self._server.base_url

    def _read(self, connection: socket.socket) -> bytes:
        received = read_request(connection)
        if received.startswith(b"PUT") and self.loss == "reset":
            # Closing the connection then sends a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return received

    def _respond(self, received: bytes) -> Iterator[bytes]:
        if received.startswith(b"PUT"):
            yield from self._update()
            return
        if self.updates:
            self.readings += 1
            if self.readings <= len(self._spoiled):
                yield self._spoiled[self.readings - 1]
                return
        yield response(200, {"data": self._list})

    def _update(self) -> Iterator[bytes]:
        self.updates += 1
        if self._applies is not None:
            changed = {"updatedAt": 2, "revisionId": "r_2", "searchTerms": self._applies}
            self._timers.append(threading.Timer(self._after, self._list.update, [changed]))
            self._timers[-1].start()
            if not self._after:
                self._timers[-1].join()
        if self.loss == "cut":
            yield response(200, {"data": self._list})[:-20]
        elif self.loss == "html":
            yield http(200, b"<html>")
        elif self.loss == "timeout":
            time.sleep(3)
        elif self.loss.isdigit():
            yield response(int(self.loss), {"error": {"code": "ERR_INTERNAL", "message": "No."}})

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *details: object) -> None:
        for timer in self._timers:
            timer.cancel()
        self._server.__exit__(*details)


def apply(any_client: AnyClient, service: LateService, settings: Any = None, **options: Any) -> KeywordUpdate:
    """Plan and apply the update with a client of this service."""
    timeout = 1 if service.loss == "timeout" else 30
    client = any_client.client(base_url=service.base_url, **{"max_retries": 0, "timeout": timeout, **(settings or {})})
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, AFTER), client)
    update: KeywordUpdate = any_client.call(lambda chat: chat.keywords.apply(plan, **options), client)
    return update


def error_of(any_client: AnyClient, service: LateService, settings: Any = None, **options: Any) -> CometChatError:
    """The error of the update. Its outcome is unknown, it says so, and the update was sent once."""
    with pytest.raises(CometChatError) as caught:
        apply(any_client, service, settings, **options)
    assert caught.value.outcome_unknown is True
    assert caught.value.__notes__[-1].endswith(ADVICE)
    assert service.updates == 1
    return caught.value


def for_each_loss(check: Callable[[str], None]) -> None:
    run_concurrently(partial(check, loss) for loss in LOSSES)


def test_an_update_that_is_carried_out_later(any_client: AnyClient) -> None:
    """An update that the service carries out after its response was lost succeeds, and is sent once."""

    def check(loss: str) -> None:
        # In any case later than the first reading, which a timeout delays by a second.
        with LateService(loss, after=1.4 if loss == "timeout" else 0.4) as service:
            update = apply(any_client, service)
            assert (update.matches, update.recovered, update.keyword_list.search_terms) == (True, True, AFTER), loss
            assert (service.updates, service.readings >= 2) == (1, True), loss

    for_each_loss(check)


def test_an_update_that_is_never_carried_out(any_client: AnyClient) -> None:
    """An unchanged list proves nothing: the error says that the outcome is unknown, and to read the list again."""

    def check(loss: str) -> None:
        with LateService(loss, applies=None) as service:
            error = error_of(any_client, service, settle_within=0.3)
            assert isinstance(error, LOSSES[loss]), loss
            assert "still unchanged, but the service may carry out the update later" in error.__notes__[-1]
            assert service.readings >= 2, loss

    for_each_loss(check)


@pytest.mark.parametrize("after", [0, 0.2])
def test_a_change_by_somebody_else(any_client: AnyClient, after: float) -> None:
    """If the list changes but does not match the update, the outcome stays unknown."""
    with LateService("dropped", applies=["something else"], after=after) as service:
        error = error_of(any_client, service, settle_within=0.6)
        assert "was r_1 and is now r_2, but the list is not known to match the update" in error.__notes__[-1]
        assert service.readings >= 2


def test_no_time_to_settle(any_client: AnyClient) -> None:
    """With `settle_within=0`, the list is read once."""
    with LateService("500") as service:
        error_of(any_client, service, settle_within=0)
        assert service.readings == 1
    with LateService("500", after=0) as service:
        # Carried out before the response, and so before the reading.
        assert apply(any_client, service, settle_within=0).recovered
        assert service.readings == 1


def test_the_last_reading_is_at_the_end(any_client: AnyClient) -> None:
    """The pauses between readings grow, and the list is read once more when the time is over."""
    with LateService("500", after=0.8) as service:
        assert apply(any_client, service, settle_within=1).recovered
        # After 0, about 0.25 and 0.75, and 1 second; the pauses are a little random.
        assert service.readings <= 5


def test_settling_ends_with_the_deadline(any_client: AnyClient) -> None:
    """The list is not read for longer than the deadline of the client."""
    with LateService("500", applies=None) as service:
        began = time.monotonic()
        error_of(any_client, service, settings={"deadline": 1}, settle_within=60)
        assert 1 <= time.monotonic() - began < 10
        assert service.readings >= 2


@pytest.mark.parametrize(
    "reading",
    [b"", response(200, {})[:-1], *(response(status, {}) for status in (429, 500, 503))],
    ids=["dropped", "cut", "429", "500", "503"],
)
def test_a_reading_that_fails_for_a_moment(any_client: AnyClient, reading: bytes) -> None:
    """A reading that fails with a transient error does not end the settling."""
    with LateService("dropped", readings=[reading, reading]) as service:
        assert apply(any_client, service).recovered
        assert (service.updates, service.readings >= 3) == (1, True)


def test_readings_that_fail_until_the_end(any_client: AnyClient) -> None:
    """If the list cannot be read before the time is over, the error of the update is raised and names the other."""
    with LateService("500", readings=[response(503, {})] * 20) as service:
        error = error_of(any_client, service, settle_within=0.3)
        assert isinstance(error, ServerError)
        assert (error.status_code, service.readings >= 2) == (500, True)
        assert re.search("Reading the list failed as well: get_keyword_list .*503", error.__notes__[-1])


@pytest.mark.parametrize("status", [302, 401, 404])
def test_a_reading_that_is_refused(any_client: AnyClient, status: int) -> None:
    """Another error of a reading ends the settling at once: a later reading would fail as well."""
    with LateService("500", readings=[response(status, {})] * 20) as service:
        error = error_of(any_client, service)
        assert not isinstance(error, AuthenticationError)
        assert (service.readings, str(status) in error.__notes__[-1]) == (1, True)


@pytest.mark.parametrize(
    "seconds", [-1, -0.001, float("nan"), float("inf"), 10**7, True, False, None, "5", [5]], ids=repr
)
def test_invalid_settle_within(any_client: AnyClient, simulator: Simulator, seconds: Any) -> None:
    """`settle_within` is a finite number of seconds from 0 up; otherwise nothing is sent."""
    client = any_client.client()
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, ["spam"]), client)
    with pytest.raises(InvalidRequestError, match=r"^settle_within must be a number of seconds from 0 "):
        any_client.call(lambda chat: chat.keywords.apply(plan, max_removed=1, settle_within=seconds), client)
    assert len(simulator.requests) == 1


def test_a_fleet_settles(any_client: AnyClient) -> None:
    """A fleet passes `settle_within` on to each app."""
    fleet_class: Any = Fleet if any_client.kind == "sync" else AsyncFleet
    with LateService("500") as patient, LateService("500") as hasty:
        services = {"patient": patient, "hasty": hasty}
        apps = {name: any_client.client(base_url=each.base_url, max_retries=0) for name, each in services.items()}
        fleet = fleet_class(apps)
        plans = any_client.call(lambda _: fleet.plan(LIST_ID, AFTER), object())
        first = {"hasty": plans["hasty"]}
        outcome = any_client.call(lambda _: fleet.apply(first, settle_within=0), object())["hasty"]
        assert isinstance(outcome.error, ServerError)
        assert (outcome.error.outcome_unknown, hasty.readings) == (True, 1)
        outcome = any_client.call(lambda _: fleet.apply({"patient": plans["patient"]}), object())["patient"]
        assert outcome.unwrap().recovered
