"""The records that every simulator has."""

import re

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import MESSAGES


def test_initial_lists_cover_every_kind(simulator: Simulator) -> None:
    """There is a list of each category, a default list, and a CSV list whose terms keep their
    quotes."""
    lists = simulator.keyword_lists.values()
    assert {record["category"] for record in lists} == {"word", "pattern", "sentence-similarity"}
    assert [record["id"] for record in lists if record.get("default") is True] == [
        "default-profanity"
    ]
    imported = simulator.keyword_lists["imported-phrases"]
    assert imported["isCSV"] is True
    assert '"buy now, pay later"' in imported["searchTerms"]
    assert all(
        re.fullmatch(f"[0-9a-f]{{16}}_{record['id']}_[0-9]+", str(record["revisionId"]))
        for record in lists
    )


def test_reviewed_messages_have_every_shape(http_client: httpx.Client) -> None:
    """The first page contains every shape that the service is known to send."""
    records = http_client.get(MESSAGES).json()["data"]
    data = [record["message"]["data"] for record in records]
    for name in ("blockedAt", "appId"):
        assert {name in record for record in records} == {True, False}
    assert {"muid" in record["message"] for record in records} == {True, False}
    for name in ("text", "resource", "url", "metadata", "attachments"):
        assert {name in item for item in data} == {True, False}
    assert all(("text" in item) != ("url" in item) for item in data)
    assert {type(item["metadata"]["file"]) for item in data if "metadata" in item} == {list, dict}
    moderations = [item["moderation"] for item in data]
    assert {("rule" in each, each["status"] == "pending") for each in moderations} >= {
        (True, False),
        (False, True),
    }
    for name in ("conversationId", "lastActiveAt"):
        assert {name in item["entities"]["sender"]["entity"] for item in data} == {True, False}
    assert all("conversationId" in item["entities"]["receiver"]["entity"] for item in data)
    assert all(
        re.fullmatch("[0-9]{10}[.][0-9]{15}", r["blockedAt"]) for r in records if "blockedAt" in r
    )
    assert {record["message"]["sender"] == record["message"]["receiver"] for record in records} == {
        False
    }


@pytest.mark.parametrize("name", ["metadata", "settings", "updatedAt"])
def test_roles_have_optional_fields(simulator: Simulator, name: str) -> None:
    """Metadata, settings and updatedAt are each present in some roles and absent in others."""
    assert {name in role for role in simulator.roles} == {True, False}
