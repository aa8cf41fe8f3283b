"""Reviewed messages: every kind of record, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cometchat_rest import BadRequestError, InvalidRequestError, ReviewedMessage, ReviewedMessageList
from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from conftest import Face


def test_list(face: Face, simulator: Simulator) -> None:
    """Without a limit the service's own number of records arrives, newest first, and no query is sent."""
    found = face.call(lambda chat: chat.reviewed_messages.list())
    assert isinstance(found, ReviewedMessageList)
    assert [record.to_dict() for record in found.data] == simulator.reviewed_messages[:50]
    assert (found.meta.current.limit, found.meta.current.count) == (50, 50)
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == (
        "GET",
        "/v3/moderation/reviewed-messages",
        "",
        b"",
    )


@pytest.mark.parametrize("limit", [1, 7, 300, 1000])
def test_list_with_a_limit(face: Face, simulator: Simulator, limit: int) -> None:
    """A limit is sent as it is, and the answer tells what was asked for and how many came."""
    found = face.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    expected = simulator.reviewed_messages[:limit]
    assert [record.to_dict() for record in found.data] == expected
    assert (found.meta.current.limit, found.meta.current.count) == (limit, len(expected))
    assert simulator.requests[0].query == f"limit={limit}"


def test_list_types_every_record(face: Face, simulator: Simulator) -> None:
    """Records of every kind have the same typed fields, with None for what the service left out."""
    found = face.call(lambda chat: chat.reviewed_messages.list(limit=300))
    kinds = set()
    for record, raw in zip(found.data, simulator.reviewed_messages, strict=True):
        told: Any = raw
        assert isinstance(record, ReviewedMessage)
        assert (record.rule_id, record.action, record.app_id) == (raw["ruleId"], raw["action"], raw.get("appId"))
        assert record.blocked_at == raw.get("blockedAt")
        condition, data = record.condition, record.message.data
        assert condition is not None
        assert condition.value == told["condition"]["value"]
        assert record.message.muid == told["message"].get("muid")
        assert data is not None
        assert data.text == told["message"]["data"].get("text")
        moderation = data.moderation
        assert moderation is not None
        assert (moderation.rule is None) == (moderation.status in ("pending", "approved"))
        kinds.add((record.message.type_, moderation.status, record.blocked_at is None))
    assert {kind for kind, _, _ in kinds} == {"text", "image", "video"}
    assert {status for _, status, _ in kinds} == {"pending", "approved", "disapproved", "unmoderated"}
    assert {blocked for _, _, blocked in kinds} == {True, False}


def test_list_of_nothing(face: Face, simulator: Simulator) -> None:
    """An app without reviewed messages gives an empty list, not an error."""
    simulator.reviewed_messages = []
    found = face.call(lambda chat: chat.reviewed_messages.list())
    assert (found.data, found.meta.current.count) == ([], 0)


@pytest.mark.parametrize("limit", [0, -1, True, False, 1.0, "5", b"5", [5], float("nan"), 2**53 + 1], ids=repr)
def test_list_with_a_limit_that_is_none(face: Face, simulator: Simulator, limit: Any) -> None:
    """A limit that is no whole number from 1 up is refused by name before anything is sent."""
    with pytest.raises(InvalidRequestError, match="limit"):
        face.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    assert simulator.requests == []


def test_list_with_a_limit_that_the_service_refuses(face: Face) -> None:
    """A limit over the service's own maximum, which is not documented, is the service's to refuse."""
    with pytest.raises(BadRequestError) as caught:
        face.call(lambda chat: chat.reviewed_messages.list(limit=1001))
    assert caught.value.details == {"limit": ["must be an integer from 1 to 1000"]}
