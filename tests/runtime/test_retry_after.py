"""The header Retry-After: which values are obeyed, and which values end the call; and the end of
the window in its place."""

import math
import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal

from cometchat_rest import AsyncClient, RateLimitError, ServerError

from ..support import (
    GET,
    LIST_ID,
    PUT,
    SOON,
    AnyClient,
    Chunks,
    EitherClient,
    Operation,
    StubTransport,
    error_from,
    operation_name,
    stub_client,
)
from .call_support import RetryRecorder, failing

NO_PAUSE = ["0", "-5", "0.0", " 0 ", "-0", "1e-9"]
PAST = [
    formatdate(0, usegmt=True),
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Wednesday, 21-Oct-15 07:28:00 GMT",
]
PAST += ["Mon, 01 Jan 0000 00:00:00 GMT", "1 Jan 1 00:00:00 -2359"]
TOO_LONG = ["61", "3600", "1e9", "1000000000", "Fri, 31 Dec 2199 23:59:59 GMT"]
INVALID = [
    None,
    "",
    "soon",
    "nan",
    "inf",
    "1 2",
    "9" * 400,
    "0x10",
    "1_0",
    "Wed, 99 Oct 2015",
    "\xb2",
    "1;2",
]
INVALID += ["Mon, 01 Jan 99999 00:00:00 +9999", ", , ,", "()"]


def http_date_in(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


def refusing_client(any_client: AnyClient, value: str | None, **options: Any) -> EitherClient:
    """A client whose first call is refused with this Retry-After."""
    headers = {} if value is None else {"Retry-After": value}
    return stub_client(any_client, failing(1, status=429, headers=headers), **options)


@pytest.mark.parametrize(
    ("operation", "value", "seconds"),
    [
        *((operation, value, 0.0) for operation in (GET, PUT) for value in (*NO_PAUSE, *PAST)),
        *((GET, value, None) for value in INVALID),
    ],
    ids=str,
)
def test_retry_after_without_a_pause(
    any_client: AnyClient,
    retries: RetryRecorder,
    operation: Operation,
    value: str | None,
    seconds: float | None,
) -> None:
    """A Retry-After of zero, less than zero, or in the past does not use up all attempts at once,
    and neither does one that is missing or invalid: the usual pause is made, for reads and for
    changes. The error shows no invalid value."""
    assert (
        error_from(any_client, operation.act, refusing_client(any_client, value, max_retries=1))
        is None
    )
    error = error_from(any_client, operation.act, refusing_client(any_client, value))
    assert isinstance(error, RateLimitError)
    assert error.retry_after == pytest.approx(seconds, abs=1e-6)
    (pause,) = retries.pauses
    assert 0.125 <= pause <= 0.25


@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
@pytest.mark.parametrize(
    ("value", "deadline", "least"),
    [
        *((value, 10**6, 60) for value in TOO_LONG),
        ("30", 5.0, 29),
        ("60", 5.0, 59),
        ("a date", 5.0, 5),
    ],
)
def test_long_retry_after_is_raised(
    any_client: AnyClient, operation: Operation, value: str, deadline: float, least: float
) -> None:
    """A Retry-After of more than a minute, or beyond the deadline, is raised at once, so that
    the caller can plan."""
    value = http_date_in(50) if value == "a date" else value
    error = error_from(
        any_client,
        operation.act,
        refusing_client(any_client, value, max_retries=5, deadline=deadline),
    )
    assert isinstance(error, RateLimitError)
    assert (error.attempts, error.retry_after is not None) == (1, True)
    assert (error.retry_after or 0) > least
    assert f"; retry after {math.ceil(error.retry_after or 0)} s" in str(error)


@pytest.mark.parametrize(
    ("values", "seconds"),
    [
        (["300", "200"], 300),
        (["200", "soon", "300"], 300),
        (["200, 300"], 300),
        (["Fri, 27 Nov 2026 10:05:00 GMT", "200"], 300),
        (["200", "Friday, 27-Nov-26 10:05:00 GMT", "Fri, 27 Nov 2026 10:04:00 GMT"], 300),
    ],
    ids=str,
)
def test_longest_of_several_values_counts(
    any_client: AnyClient, values: list[str], seconds: int
) -> None:
    """If a service and a proxy both name a pause, the longer one counts. A date is measured against
    the time of the response, and may hold commas."""
    lines = [("Date", "Fri, 27 Nov 2026 10:00:00 GMT"), *(("Retry-After", text) for text in values)]
    stub = StubTransport(lambda _: httpx.Response(429, headers=lines, stream=Chunks([b""])))
    error = error_from(any_client, GET.act, stub_client(any_client, stub))
    assert isinstance(error, RateLimitError)
    assert error.retry_after == seconds


NOW = 1_795_773_600  # 27 November 2026, 10:00:00 in UTC


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"X-RateLimit-Reset": str(NOW + 45)}, 45),
        ({"X-Rate-Limit-Reset": str(NOW + 60)}, 60),
        ({"X-RateLimit-Reset": str(NOW + 45), "Retry-After": "7"}, 7),
        ({"X-RateLimit-Reset": str(NOW + 45), "Retry-After": "soon"}, 45),
        ({"X-RateLimit-Reset": str(NOW + 61)}, None),
        ({"X-RateLimit-Reset": str(NOW)}, None),
        ({"X-RateLimit-Reset": "45"}, None),
    ],
    ids=str,
)
def test_end_of_the_window_after_a_429(
    any_client: AnyClient, headers: dict[str, str], seconds: int | None
) -> None:
    """Without Retry-After, a refused call waits until the window of the rate limit ends, by the
    clock of the service, if that is within a minute. Otherwise the usual pause is made."""
    date = {"Date": formatdate(NOW, usegmt=True)}
    stub = failing(1, status=429, headers={**date, **headers})
    error = error_from(any_client, GET.act, stub_client(any_client, stub))
    assert isinstance(error, RateLimitError)
    assert error.retry_after == seconds


def test_end_of_the_window_by_the_clock_of_this_machine(any_client: AnyClient) -> None:
    """If the response has no date, the clock of this machine counts."""
    stub = failing(1, status=429, headers={"X-RateLimit-Reset": str(int(time.time()) + 50)})
    error = error_from(any_client, GET.act, stub_client(any_client, stub))
    assert isinstance(error, RateLimitError)
    assert 50 - SOON < (error.retry_after or 0) <= 50


def test_end_of_the_window_after_another_status(any_client: AnyClient) -> None:
    """Only after a 429 does the end of the window matter."""
    stub = failing(1, headers={"X-RateLimit-Reset": str(int(time.time()) + 50)})
    error = error_from(any_client, GET.act, stub_client(any_client, stub))
    assert isinstance(error, ServerError)
    assert error.retry_after is None


@pytest.fixture(params=["America/New_York", "UTC", "Asia/Tokyo"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The local time zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change its zone")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    "form",
    [
        "%a, %d %b %Y %H:%M:%S GMT",
        "%A, %d-%b-%y %H:%M:%S GMT",
        "%a %b %e %H:%M:%S %Y",
        "%a, %d %b %Y %H:%M:%S",
    ],
)
def test_retry_after_as_a_date_is_in_utc(any_client: AnyClient, form: str) -> None:
    """A date is in UTC in every HTTP date format, with or without a time zone, whatever the
    local time zone."""
    # A date has no fractions of a second, so this is two seconds more than the minimum below.
    value = time.strftime(form, time.gmtime(time.time() + 302))
    error = error_from(any_client, GET.act, refusing_client(any_client, value))
    assert isinstance(error, RateLimitError)
    assert error.retry_after is not None
    assert 300 - SOON < error.retry_after <= 302


@pytest.mark.parametrize(
    ("value", "least", "level"),
    [
        ("4", 4.0, "INFO"),
        ("8", 8.0, "WARNING"),
        ("60", 60.0, "WARNING"),
        ("a date", 20.0, "WARNING"),
    ],
)
def test_retry_after_up_to_a_minute_is_obeyed(
    portal: BlockingPortal, retries: RetryRecorder, value: str, least: float, level: str
) -> None:
    """A Retry-After of up to a minute that fits the deadline is obeyed exactly, in seconds or as a
    date. A wait of more than five seconds is logged as a warning, before the wait."""
    value = http_date_in(55) if value == "a date" else value
    stub = failing(1, status=429, headers={"Retry-After": value})
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=stub)
    # The log record shows the pause, so the test need not wait for a minute.
    waiting = portal.start_task_soon(client.keywords.get, LIST_ID)
    assert retries.announced.wait(timeout=30)
    waiting.cancel()
    portal.call(client.aclose)
    assert len(stub.requests) == 1
    (pause,) = retries.pauses
    assert least <= pause <= 60
    assert retries.levels == [level]
