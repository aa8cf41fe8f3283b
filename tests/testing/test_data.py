"""The records that every simulator has."""

import re

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import MESSAGES


def test_initial_lists_cover_every_kind(simulator: Simulator) -> None:
    """There is a list of each category, default lists, and a CSV list whose terms keep their
    quotes."""
    lists = simulator.keyword_lists.values()
    assert {record["category"] for record in lists} == {
        "word",
        "pattern",
        "sentence-similarity",
        "open-ai",
    }
    defaults = [record for record in lists if record.get("default") is True]
    assert all(record["id"].startswith("default-") for record in defaults)
    imported = simulator.keyword_lists["imported-phrases"]
    assert imported["isCSV"] is True
    assert '"buy now, pay later"' in imported["searchTerms"]
    assert all(
        re.fullmatch(f"[0-9a-f]{{16}}_{record['id']}_[0-9]+", str(record["revisionId"]))
        for record in lists
        if "revisionId" in record
    )


def test_default_lists_have_odd_shapes(simulator: Simulator) -> None:
    """A default list of sentences has no revision, one of words has entries twice, and one of
    another category has prompts."""
    lists = simulator.keyword_lists
    assert [name for name, record in lists.items() if "revisionId" not in record] == [
        "default-threats"
    ]
    entries = lists["default-insults"]["searchTerms"]
    assert len(entries) > len(set(entries))
    prompts = lists["default-fraud"]
    assert (prompts["category"], prompts["searchTerms"]) == ("open-ai", [])
    assert prompts["prompts"]


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
    receivers = [(record["message"], record["message"]["data"]["entities"]) for record in records]
    assert {message["receiverType"] for message, _ in receivers} == {"user", "group"}
    for message, entities in receivers:
        kind = message["receiverType"]
        receiver = entities["receiver"]["entity"]
        assert (entities["sender"]["entityType"], entities["receiver"]["entityType"]) == (
            "user",
            kind,
        )
        assert message["receiver"] == receiver["guid" if kind == "group" else "uid"]
        for name in ("guid", "icon", "type", "owner", "membersCount"):
            assert (name in receiver) == (kind == "group")
        for name in ("uid", "avatar", "status", "role"):
            assert (name in receiver) == (kind == "user")
    assert {record["message"]["sender"] == record["message"]["receiver"] for record in records} == {
        False
    }


def test_conditions_have_optional_fields(http_client: httpx.Client) -> None:
    """Some conditions have neither message nor weight, and the flag of the list under its other
    name."""
    conditions = [each["condition"] for each in http_client.get(MESSAGES).json()["data"]]
    names = ("message", "weight", "isKeywordsReferencePresent", "isListReferencePresent")
    assert {tuple(name in each for name in names) for each in conditions} == {
        (True, True, True, False),
        (False, False, False, True),
    }


@pytest.mark.parametrize("name", ["description", "metadata", "settings", "updatedAt"])
def test_roles_have_optional_fields(simulator: Simulator, name: str) -> None:
    """Description, metadata, settings and updatedAt are each present in some roles and absent in
    others."""
    assert {name in role for role in simulator.roles} == {True, False}
