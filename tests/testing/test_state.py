"""The state of the simulator: records that a test reads and sets, received requests, the clock,
new messages."""

import time
from datetime import UTC, datetime, timedelta, timezone

import httpx
import pytest

from cometchat_rest import Client
from cometchat_testing import Simulator

from .service_calls import LIST, MESSAGES, TERMS, WORD, form


def test_requests_are_recorded_unchanged(simulator: Simulator, http_client: httpx.Client) -> None:
    """Each request is recorded in order with its method, raw path, query, headers, body and
    operation."""
    http_client.get("/roles?page=1&perPage=%31", headers={"X-Twice": "a"})
    http_client.request("POST", "/users/%41lice", content=b"body")
    first, second = simulator.requests
    assert (first.method, first.path, first.query) == ("GET", "/v3/roles", "page=1&perPage=%31")
    assert (first.operation, first.body, first.parameters) == (
        "list_roles",
        b"",
        {"page": ["1"], "perPage": ["1"]},
    )
    assert first.header("APIKEY") == simulator.api_key
    assert (first.header("x-twice"), first.header("none")) == ("a", None)
    assert (second.method, second.path, second.operation, second.body) == (
        "POST",
        "/v3/users/%41lice",
        None,
        b"body",
    )
    assert simulator.api_key not in repr(first)


def test_reset_restores_the_initial_state(simulator: Simulator, http_client: httpx.Client) -> None:
    """A reset restores the initial state and removes faults, rate limit, damage, requests and
    messages."""
    http_client.put(LIST, files=form(WORD, TERMS))
    http_client.delete("/users/alice")
    simulator.roles = []
    simulator.add_history(days=1, per_day=1)
    with pytest.raises(ValueError, match="at least 1"):
        simulator.add_history(per_day=0)
    simulator.add_reviewed_message("mine")
    simulator.fail(status=500, times=None)
    simulator.rate_limit(0)
    simulator.reset()
    fresh = Simulator()
    assert simulator.keyword_lists == fresh.keyword_lists
    assert simulator.reviewed_messages == fresh.reviewed_messages
    assert (simulator.roles, simulator.users) == (fresh.roles, fresh.users)
    assert simulator.auth_tokens == fresh.auth_tokens
    assert (simulator.damage, simulator.requests) == ([], [])
    assert http_client.get("/roles").status_code == 200


def test_clock(simulator: Simulator, http_client: httpx.Client) -> None:
    """A test sets the time of updates, new records and rate limits, and moves it; a reset
    restores the real time."""
    simulator.now = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    noon = int(datetime(2026, 7, 1, 10, tzinfo=UTC).timestamp())
    assert http_client.put(LIST, files=form(WORD, TERMS)).json()["data"]["updatedAt"] == noon
    assert simulator.add_reviewed_message("hello").get("createdAt") == noon
    simulator.advance(3600)
    assert simulator.now.timestamp() == noon + 3600
    # A clock that is set back begins a new window of the rate limit.
    simulator.rate_limit(1, window=1)
    assert [http_client.get(LIST).status_code for _ in range(2)] == [200, 429]
    simulator.now = datetime(2020, 1, 1, tzinfo=UTC)
    assert http_client.get(LIST).status_code == 200

    simulator.reset()
    simulator.advance(86_400)
    assert simulator.now.timestamp() > time.time() + 86_300
    with pytest.raises(ValueError, match="time zone"):
        simulator.now = datetime(2026, 7, 1)


def test_review_adds_new_messages(simulator: Simulator, http_client: httpx.Client) -> None:
    """`review` adds messages to the start of the list; they are the same after every reset, or
    have your time."""
    oldest = simulator.reviewed_messages[0]
    simulator.review(2)
    simulator.review()
    listed = http_client.get(MESSAGES, params={"limit": 4}).json()["data"]
    assert listed == simulator.reviewed_messages[:4]
    assert listed[3] == oldest
    times = [record["createdAt"] for record in listed]
    assert times == sorted(set(times), reverse=True)
    assert len({record["message"]["id"] for record in simulator.reviewed_messages}) == 303
    simulator.reset()
    assert simulator.review(3) == listed[:3]
    moment = datetime.fromtimestamp(0, UTC)
    simulator.reviewed_messages.append({})
    assert [record["createdAt"] for record in simulator.review(2, created_at=moment)] == [0, 0]
    assert simulator.reviewed_messages[-1] == {}


def test_own_message_is_listed_at_the_place_of_its_time(simulator: Simulator) -> None:
    """A client lists your message with its text, sender, receiver, rule, status, action and
    time, sorted by time."""
    moment = datetime.fromtimestamp(simulator.reviewed_messages[0]["createdAt"], UTC) - timedelta(
        seconds=1
    )
    simulator.add_reviewed_message(
        "<b>hello</b>",
        sender="erin",
        receiver="frank",
        rule="My rule",
        keyword_list="my-list",
        status="approved",
        action="flagMessage",
        created_at=moment,
    )
    simulator.add_reviewed_message("now", keyword_list=None)
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        now, _, mine, *_ = chat.reviewed_messages.list(limit=5).data
    assert (now.message.id, now.message.to_dict()["data"]["text"]) == ("own-2", "now")
    assert now.to_dict()["condition"]["operator"] == "equals"
    assert (mine.rule_name, mine.to_dict()["condition"]["value"]) == ("My rule", ["my-list"])
    assert (mine.action, mine.created_at) == (["flagMessage"], int(moment.timestamp()))
    sent = mine.message.to_dict()
    assert (sent["id"], sent["sender"], sent["receiver"]) == ("own-1", "erin", "frank")
    assert (sent["data"]["text"], sent["data"]["moderation"]["status"]) == (
        "<b>hello</b>",
        "approved",
    )


def test_history_is_as_described() -> None:
    """The records of a history have every field that the description requires."""
    simulator = Simulator()
    simulator.add_history(days=1)
    with (
        simulator,
        Client(base_url=simulator.base_url, api_key=simulator.api_key, strict=True) as chat,
    ):
        assert chat.reviewed_messages.list(limit=100).data
