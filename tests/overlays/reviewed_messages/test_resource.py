"""Listing reviewed messages: every kind of record, and the limit."""

from typing import Any

import pytest

from cometchat_rest import InvalidRequestError, ReviewedMessage, ReviewedMessageList
from cometchat_testing import Simulator

from ...conftest import AnyClient


def test_list(any_client: AnyClient, simulator: Simulator) -> None:
    """Without a limit, no query is sent; the service decides how many records it lists, newest
    first."""
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
    """Records of every kind have the same typed fields; a field that the service left out is
    None."""
    page = any_client.call(lambda chat: chat.reviewed_messages.list(limit=300))
    raw: Any = simulator.reviewed_messages
    statuses = [each.message.data.moderation.status for each in page.data]
    assert {type(each) for each in page.data} == {ReviewedMessage}
    assert {each.message.type_ for each in page.data} == {"text", "image", "video"}
    assert {*statuses} == {"pending", "approved", "disapproved", "unmoderated"}
    assert {each.blocked_at is None for each in page.data} == {True, False}
    assert [
        (each.rule_id, each.action, each.app_id, each.blocked_at, each.message.muid)
        for each in page.data
    ] == [
        (
            each["ruleId"],
            each["action"],
            each.get("appId"),
            each.get("blockedAt"),
            each["message"].get("muid"),
        )
        for each in raw
    ]
    assert [(each.condition.value, each.message.data.text) for each in page.data] == [
        (each["condition"]["value"], each["message"]["data"].get("text")) for each in raw
    ]
    without_rule = [each.message.data.moderation.rule is None for each in page.data]
    assert without_rule == [status in ("pending", "approved") for status in statuses]


def test_list_without_records(any_client: AnyClient, simulator: Simulator) -> None:
    """For an app without reviewed messages, the list is empty; there is no error."""
    simulator.reviewed_messages = []
    page = any_client.call(lambda chat: chat.reviewed_messages.list())
    assert (page.data, page.meta.current.count) == ([], 0)


@pytest.mark.parametrize("limit", [0, -1, True, False, 1.0, "5", b"5", [5], float("nan")], ids=repr)
def test_list_with_an_invalid_limit(
    any_client: AnyClient, simulator: Simulator, limit: Any
) -> None:
    """A limit that is not an integer of at least 1 is refused before anything is sent; the error
    names it."""
    with pytest.raises(InvalidRequestError, match="limit must be an integer of at least 1"):
        any_client.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    assert simulator.requests == []
