"""The faults of the simulator, as an independent HTTP client sees them."""

from typing import Any

import httpx
import pytest

from cometchat_testing import Simulator
from cometchat_testing.faults import Cut

from .service_calls import LIST, TERMS, WORD, code, form, received_bytes, wait_for

# A time that never passes, so that a slow machine does not disturb a test.
NEVER = 3600.0


@pytest.mark.parametrize("status", [200, 204, 299, 302, 400, 503, 599])
def test_status_replaces_the_response(
    simulator: Simulator, http_client: httpx.Client, status: int
) -> None:
    """The status is sent once, the connection stays open, and the operation is not carried out."""
    simulator.fail("update_keyword_list", status=status)
    before = dict(simulator.keyword_lists)
    response = http_client.put(LIST, files=form(WORD, TERMS))
    assert response.status_code == status
    assert "connection" not in response.headers
    assert simulator.keyword_lists == before
    if status >= 400:
        assert set(response.json()["error"]) == {"code", "message"}
    assert http_client.put(LIST, files=form(WORD, TERMS)).status_code == 200


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        (b"\xff\x00", b"\xff\x00"),
        ("<html>", b"<html>"),
        ({"data": [1]}, b'{"data": [1]}'),
        (0, b"0"),
        (b"", b""),
    ],
)
def test_body_replaces_the_response(
    simulator: Simulator,
    http_client: httpx.Client,
    body: bytes | str | int | dict[str, object],
    sent: bytes,
) -> None:
    """Bytes and text are sent unchanged, all other values as JSON; the default status is 200."""
    simulator.fail(body=body)
    response = http_client.get("/roles")
    assert (response.status_code, response.content) == (200, sent)


@pytest.mark.parametrize(
    "fault",
    [*({"status": each} for each in (199, 204, 304, 600)), {"headers": {"Content-Length": "2"}}],
)
def test_response_may_violate_http(simulator: Simulator, fault: dict[str, Any]) -> None:
    """A body is sent even if the status does not allow a body, and the Content-Length may be
    wrong."""
    simulator.fail(body="surprise", **fault)
    response = received_bytes(simulator, "/roles").lower()
    assert response.endswith(b"\r\n\r\nsurprise")
    assert (b"content-length: 2\r\n" in response) == ("headers" in fault)


def test_headers_can_be_set(simulator: Simulator, http_client: httpx.Client) -> None:
    """Headers can be added to the response of the operation and to the response of a fault."""
    simulator.fail(headers={"X-Rate-Limit-Remaining": "0", "Set-Cookie": "a=b"})
    response = http_client.get("/roles")
    assert response.json()["meta"]["pagination"]["total"] == 25
    assert (response.headers["X-Rate-Limit-Remaining"], response.headers["Set-Cookie"]) == (
        "0",
        "a=b",
    )
    simulator.fail(
        status=503, headers={"Retry-After": "7", "Content-Type": "text/html"}, body="<p>"
    )
    response = http_client.get("/roles")
    assert (response.headers["Retry-After"], response.headers["Content-Type"]) == ("7", "text/html")


def test_fault_hits_the_requests_that_it_names(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """A fault waits for its operation; without one it hits the next request, `times` requests,
    or all of them."""
    simulator.fail("list_roles", status=501)
    simulator.fail(status=502)
    assert [http_client.get(path).status_code for path in (LIST, LIST, "/roles", "/roles")] == [
        502,
        200,
        501,
        200,
    ]
    simulator.fail(status=500, times=2)
    simulator.fail(status=503, times=None)
    assert [http_client.get("/roles").status_code for _ in range(6)] == [
        500,
        500,
        503,
        503,
        503,
        503,
    ]


def statuses_of_shares(simulator: Simulator, http_client: httpx.Client) -> list[int]:
    simulator.reset()
    simulator.fail(status=500, times=None, share=0.25)
    simulator.fail(status=503, times=4, share=0.5)
    return [http_client.get("/no/such/path").status_code for _ in range(80)]


def test_fault_hits_a_share_of_the_requests(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """A share of the requests is hit; the others can take the next fault. After a reset the same
    requests are hit."""
    seen = statuses_of_shares(simulator, http_client)
    assert seen == statuses_of_shares(simulator, http_client)
    assert seen.count(503) == 4
    assert 10 <= seen.count(500) <= 30
    assert seen.count(404) == 80 - 4 - seen.count(500)


@pytest.mark.parametrize(
    ("cut", "done"), [("before_headers", []), ("after_processing", [("delete_user", "alice")])]
)
def test_cut_without_a_response(
    simulator: Simulator, http_client: httpx.Client, cut: Cut, done: list[Any]
) -> None:
    """The connection is closed before the first byte; the operation is carried out with
    `after_processing` only."""
    simulator.fail(cut=cut, times=2)
    with pytest.raises(httpx.RemoteProtocolError):
        http_client.delete("/users/alice")
    assert simulator.damage == done
    assert received_bytes(simulator, "/roles") == b""


def test_cut_in_headers(simulator: Simulator) -> None:
    """The connection is closed in the middle of the headers."""
    simulator.fail(cut="in_headers")
    received = received_bytes(simulator, "/roles")
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\n\r\n" not in received


@pytest.mark.parametrize(("body", "sent"), [(b"", b""), ("0123456789", b"01234")])
def test_cut_in_body(
    simulator: Simulator, http_client: httpx.Client, body: bytes | str, sent: bytes
) -> None:
    """The connection is closed after half of the promised length, even if the body is empty;
    faults combine."""
    simulator.fail(cut="in_body", body=body)
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        http_client.get("/roles")
    simulator.fail(
        status=520,
        cut="in_body",
        body=body,
        headers={"X-Unusual": "1"},
        trickle=(1, 0.001),
        delay=0.01,
    )
    head, _, rest = received_bytes(simulator, "/roles").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 520 ")
    assert b"\r\nx-unusual: 1\r\n" in head
    assert b"content-length: %d\r\n" % max(1, len(body)) in head
    assert rest == sent


def test_delay_of_the_response(simulator: Simulator, http_client: httpx.Client) -> None:
    """The operation is carried out before the delay, even if the caller does not wait for the
    response."""
    simulator.fail("update_keyword_list", delay=NEVER)
    with pytest.raises(httpx.ReadTimeout):
        http_client.put(
            LIST, files=form(WORD, ("searchTerms", "late")), timeout=httpx.Timeout(60, read=0.1)
        )
    wait_for(lambda: terms(simulator) == ["late"])


def test_trickle_sends_piece_by_piece(simulator: Simulator, http_client: httpx.Client) -> None:
    """Each piece of the body arrives before the pause, and all pieces together are the complete
    body."""
    simulator.fail(body="0123456789", trickle=(2, NEVER))
    with http_client.stream("GET", "/roles") as response:
        assert next(response.iter_raw()) == b"01"
    simulator.fail(body="0123456789", trickle=(2, 0.001))
    assert http_client.get("/roles").content == b"0123456789"


def terms(simulator: Simulator) -> object:
    return simulator.keyword_lists["profanity-list"]["searchTerms"]


def update_late(http_client: httpx.Client) -> httpx.Response:
    return http_client.put(LIST, files=form(WORD, ("searchTerms", "late")))


@pytest.mark.parametrize(
    "cut", ["before_headers", "in_headers", "in_body", "after_processing", None]
)
def test_change_is_applied_later(
    simulator: Simulator, http_client: httpx.Client, cut: Cut | None
) -> None:
    """With `apply_after`, the usual response or the cut comes first, and a read shows the old
    list until the change."""
    before = terms(simulator)
    for seconds in (NEVER, 0.1):
        simulator.fail(cut=cut, apply_after=seconds)
        # A request that changes nothing does not use the fault.
        assert http_client.get(LIST).json()["data"]["searchTerms"] == before
        if cut is None:
            assert update_late(http_client).json()["data"]["searchTerms"] == ["late"]
        else:
            with pytest.raises(httpx.RemoteProtocolError):
                update_late(http_client)
    wait_for(lambda: terms(simulator) == ["late"])


def test_change_before_an_error_response(simulator: Simulator, http_client: httpx.Client) -> None:
    """With `apply_after=0`, the change is applied before the error response."""
    simulator.fail("update_keyword_list", status=500, apply_after=0)
    assert http_client.put(LIST, files=form(WORD, ("searchTerms", "now"))).status_code == 500
    assert terms(simulator) == ["now"]


def delete_late(
    simulator: Simulator, http_client: httpx.Client, token: str, seconds: float
) -> None:
    simulator.fail("delete_auth_token", status=503, apply_after=seconds)
    assert http_client.delete(f"/users/alice/auth_tokens/{token}").status_code == 503


def test_refused_request_is_not_applied_late(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """A request that the service refuses changes nothing, now or later, and neither does one
    before a reset."""
    before = dict(simulator.keyword_lists)
    simulator.fail("update_keyword_list", status=503, apply_after=0.05)
    assert http_client.put(LIST, files=form(WORD, TERMS)).status_code == 503
    simulator.reset()
    simulator.fail(status=503, apply_after=0.05)
    assert http_client.put(LIST, files=form(WORD)).status_code == 503
    simulator.fail(apply_after=0.05)
    assert code(http_client.put(LIST, files=form(WORD))) == (400, "ERR_BAD_REQUEST")
    # A late change is refused too, if the token does not exist any more.
    first, second, third = simulator.auth_tokens["alice"]
    delete_late(simulator, http_client, first, 0.05)
    simulator.auth_tokens["alice"] = [second, third]
    # The server applies late changes in the order of their times, so all others are done when this
    # one is.
    delete_late(simulator, http_client, second, 0.1)
    wait_for(lambda: simulator.auth_tokens["alice"] == [third])
    assert simulator.keyword_lists == before


# Invalid faults


def test_fault_without_effect_is_refused(simulator: Simulator) -> None:
    """A fault without an effect, or with contradictory arguments, raises ValueError."""
    with pytest.raises(ValueError, match="the fault has no effect"):
        simulator.fail()
    with pytest.raises(ValueError, match="no response is sent"):
        simulator.fail(cut="after_processing", status=500)
    with pytest.raises(ValueError, match=r"^apply_after must be None for list_roles"):
        simulator.fail("list_roles", apply_after=1)


NAN = float("nan")
HEADER_NAMES = ["", "a b", "a:b", "é", b"a"]
HEADER_VALUES = [" lead", "trail ", "a\nb", "a\rb", "a\0b", "é", 5, None]
#: Invalid values of each argument.
INVALID: dict[str, list[Any]] = {
    "body": [object, "\ud800", bytearray(b"a"), {(1,): 1}],
    "headers": [
        *({name: "x"} for name in HEADER_NAMES),
        *({"X": value} for value in HEADER_VALUES),
        [("X", "1")],
        5,
    ],
    "status": [200.0, "200", 99, 1000, True],
    "delay": [NAN, -0.1, "1", None],
    "trickle": [(1.5, 0), (0, 0), (1, NAN), ("1", 0), (1,), 1],
    "times": [0, 1.5, "1"],
    "share": [0, 1.1, NAN, None],
    "operation": ["get_roles", ["list_roles"]],
    "cut": ["sometime", 5],
    "apply_after": [NAN, -0.1, "1"],
}


@pytest.mark.parametrize(
    ("argument", "value"),
    [(argument, value) for argument, values in INVALID.items() for value in values],
    ids=ascii,
)
def test_invalid_fault_is_refused(simulator: Simulator, argument: str, value: Any) -> None:
    """`fail` raises ValueError for an invalid argument and names the argument."""
    settings: dict[str, Any] = {} if argument == "cut" else {"status": 200}
    with pytest.raises(ValueError, match=f"^{argument} must be"):
        simulator.fail(**{**settings, argument: value})
