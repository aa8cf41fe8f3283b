"""The latest records of the service."""

from datetime import UTC, datetime

import pytest

from cometchat_desk.insight.latest import read_latest
from cometchat_rest import Client, InvalidRequestError
from cometchat_testing import Simulator


def test_all_that_the_service_gives(chat: Client, simulator: Simulator) -> None:
    """All records that the service gives are asked for, or the given number; a full response may
    lack older ones."""
    latest = read_latest(chat, 5)
    assert (len(latest.records), latest.is_full) == (5, True)
    latest = read_latest(chat)
    assert (len(latest.records), latest.is_full) == (300, False)
    assert [request.query for request in simulator.requests] == ["limit=5", "limit=10000"]
    with pytest.raises(InvalidRequestError, match="limit"):
        read_latest(chat, 0)
    assert len(simulator.requests) == 2


def test_since(chat: Client, simulator: Simulator) -> None:
    """With a time, only the records since then are taken; none is missing if the service listed
    an older one."""
    listed = simulator.reviewed_messages[:20]
    time = sorted({int(record["createdAt"]) for record in listed})[5]
    latest = read_latest(chat, 20).since(datetime.fromtimestamp(time, UTC))
    expected = [{"app": "", **record} for record in reversed(listed) if record["createdAt"] >= time]
    assert (latest.records, latest.is_full) == (expected, False)


@pytest.mark.parametrize(
    ("refused", "queries", "count"),
    [(1, ["limit=10000", "limit=1000"], 300), (2, ["limit=10000", "limit=1000", ""], 50)],
)
def test_a_service_with_a_largest_number(
    chat: Client, simulator: Simulator, refused: int, queries: list[str], count: int
) -> None:
    """If the service refuses a large number, a smaller one is asked for, and its default at the
    end; older records may be missing if the response is full."""
    simulator.fail("list_reviewed_messages", status=400, times=refused)
    latest = read_latest(chat)
    assert (len(latest.records), latest.is_full) == (count, count < 300)
    assert [request.query for request in simulator.requests] == queries
