"""Listing reviewed messages: every kind of record, and the limit."""

from typing import Any

import pytest

from cometchat_rest import InvalidRequestError, ReviewedMessage, ReviewedMessageList
from cometchat_rest.testing import Simulator

from ..conftest import AnyClient


def test_list(any_client: AnyClient, simulator: Simulator) -> None:
    """Without a limit, no query is sent; the service decides how many records it lists, newest first."""
    page = any_client.call(lambda chat: chat.reviewed_messages.list())
    assert isinstance(page, ReviewedMessageList)
    assert [record.to_dict() for record in page.data] == simulator.reviewed_messages[:50]
    assert (page.meta.current.limit, page.meta.current.count) == (50, 50)
    (request,) = simulator.requests
    assert (request.method, request.path) == ("GET", "/v3/moderation/reviewed-messages")
    assert (request.query, request.body) == ("", b"")


@pytest.mark.parametrize("limit", [1, 7, 300, 1000])
def test_list_with_a_limit(any_client: AnyClient, simulator: Simulator, limit: int) -> None:
    """A limit is sent unchanged; `meta.current` has the limit and the number of records."""
    page = any_client.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    expected = simulator.reviewed_messages[:limit]
    assert [record.to_dict() for record in page.data] == expected
    assert (page.meta.current.limit, page.meta.current.count) == (limit, len(expected))
    assert simulator.requests[0].query == f"limit={limit}"


def test_list_of_every_kind_of_record(any_client: AnyClient, simulator: Simulator) -> None:
    """Records of every kind have the same typed fields; a field that the service left out is None."""
    page = any_client.call(lambda chat: chat.reviewed_messages.list(limit=300))
    kinds = set()
    for record, raw in zip(page.data, simulator.reviewed_messages, strict=True):
        sent: Any = raw
        assert isinstance(record, ReviewedMessage)
        assert (record.rule_id, record.action, record.app_id) == (raw["ruleId"], raw["action"], raw.get("appId"))
        assert record.blocked_at == raw.get("blockedAt")
        condition, data = record.condition, record.message.data
        assert condition is not None
        assert condition.value == sent["condition"]["value"]
        assert record.message.muid == sent["message"].get("muid")
        assert data is not None
        assert data.text == sent["message"]["data"].get("text")
        moderation = data.moderation
        assert moderation is not None
        assert (moderation.rule is None) == (moderation.status in ("pending", "approved"))
        kinds.add((record.message.type_, moderation.status, record.blocked_at is None))
    assert {kind for kind, _, _ in kinds} == {"text", "image", "video"}
    assert {status for _, status, _ in kinds} == {"pending", "approved", "disapproved", "unmoderated"}
    assert {blocked for _, _, blocked in kinds} == {True, False}


def test_list_without_records(any_client: AnyClient, simulator: Simulator) -> None:
    """For an app without reviewed messages, the list is empty; there is no error."""
    simulator.reviewed_messages = []
    page = any_client.call(lambda chat: chat.reviewed_messages.list())
    assert (page.data, page.meta.current.count) == ([], 0)


@pytest.mark.parametrize("limit", [0, -1, True, False, 1.0, "5", b"5", [5], float("nan")], ids=repr)
def test_list_with_an_invalid_limit(any_client: AnyClient, simulator: Simulator, limit: Any) -> None:
    """A limit that is not an integer of at least 1 is refused before anything is sent; the error names it."""
    with pytest.raises(InvalidRequestError, match="limit must be an integer of at least 1"):
        any_client.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    assert simulator.requests == []
