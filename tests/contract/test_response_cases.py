"""The client against the description: the most frequent cases of responses, written by hand."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from cometchat_openapi import models
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..described import Described
from ..described_calls import plain
from .description import OPERATIONS, deviations, flat
from .reading import Reader, each_operation, text


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from objects(each)


def held_models(value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Every model that can be reached through attributes, with its schema."""
    schema = flat(schema)
    if hasattr(value, "JSON_NAMES"):
        yield value, schema
        for name, attribute in value.JSON_NAMES.items():
            yield from held_models(
                getattr(value, attribute), schema.get("properties", {}).get(name, {})
            )
    elif isinstance(value, list):
        for each in value:
            yield from held_models(each, schema.get("items", {}))


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@each_operation
def test_unknown_fields_are_kept_in_every_object(
    any_client: AnyClient, simulator: Simulator, operation: Described, *, strict: bool
) -> None:
    """A field that the service adds to any object is in its `additional_properties`, and is not
    a mismatch."""
    read = Reader(any_client, simulator, operation)
    body = copy.deepcopy(operation.example)
    for each in list(objects(body)):
        each["addedIn2031"] = {"by": ["the", "service"], "at": None}
        # The fields of some objects may only be texts, for example.
        if deviations(operation.response_schema, body):
            del each["addedIn2031"]
    result = read(body, strict=strict)
    extras = [model.additional_properties for model, _ in held_models(result, read.schema)]
    added = [extra["addedIn2031"] for extra in extras if "addedIn2031" in extra]
    assert added == [{"by": ["the", "service"], "at": None}] * text(read.result(body)).count(
        "addedIn2031"
    )
    assert plain(result) == read.result(body)
    assert read.drifts == []


def test_absent_required_field_is_none() -> None:
    """A required field that a response lacks is `None`, or an empty object; the docstring of its
    class says so."""
    empty = models.KeywordListResponse.from_dict({})
    assert {getattr(empty.data, name) for name in ("id", "name", "created_at")} == {None}
    assert empty.to_dict() == {}
    for model in (models.KeywordListResponse, models.KeywordList):
        assert "lacks a required field, its attribute is `None`" in (model.__doc__ or "")
    assert models.Moderation.from_dict({"status": "pending"}).rule is None
    assert "required" not in (models.RoleMetadata.__doc__ or "")


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@each_operation
def test_absent_optional_field_is_none(
    any_client: AnyClient, simulator: Simulator, operation: Described, *, strict: bool
) -> None:
    """An optional field that is not in the response is `None`, and its absence is not a
    mismatch."""
    read = Reader(any_client, simulator, operation)
    body = bare(operation.response_schema, operation.example)
    result = read(body, strict=strict)
    assert plain(result) == read.result(body)
    assert read.drifts == []
    for model, schema in held_models(result, read.schema):
        optional = [
            attribute
            for name, attribute in model.JSON_NAMES.items()
            if name not in schema.get("required", [])
        ]
        assert [getattr(model, attribute) for attribute in optional] == [None] * len(optional)


def bare(schema: Mapping[str, Any], value: Any) -> Any:
    """A value whose objects have only their required fields."""
    schema = flat(schema)
    if isinstance(value, list):
        return [bare(schema["items"], each) for each in value]
    if schema.get("type") != "object":
        return value
    return {
        name: bare(schema["properties"][name], value[name]) for name in schema.get("required", ())
    }


@pytest.mark.parametrize(
    ("name", "inner"), [("list_reviewed_messages", "current"), ("list_roles", "pagination")]
)
@pytest.mark.parametrize(
    ("meta", "pointer"),
    [
        ({}, "/meta"),
        ({"meta": None}, "/meta"),
        ({"meta": {}}, "/meta/{inner}"),
        ({"meta": {"{inner}": None}}, "/meta/{inner}"),
        ({"meta": {"{inner}": 7}}, "/meta/{inner}"),
    ],
    ids=repr,
)
def test_meta_is_always_an_object(
    any_client: AnyClient,
    simulator: Simulator,
    name: str,
    inner: str,
    meta: dict[str, Any],
    pointer: str,
) -> None:
    """If `meta` is absent or invalid, `meta.current.limit` and `meta.pagination.total` are
    `None`."""
    read = Reader(any_client, simulator, OPERATIONS[name])
    body = {"data": [], **json.loads(json.dumps(meta).replace("{inner}", inner))}
    result = read(body)
    found = getattr(result.meta, inner)
    assert [getattr(found, attribute) for attribute in found.JSON_NAMES.values()] == [None] * len(
        found.JSON_NAMES
    )
    assert result.to_dict() == body
    assert [drift.pointer for drift in read.drifts] == [pointer.format(inner=inner)]


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
def test_unknown_category_is_kept(
    any_client: AnyClient, simulator: Simulator, *, strict: bool
) -> None:
    """A list with an unknown category is read like any other list."""
    read = Reader(any_client, simulator, OPERATIONS["get_keyword_list"])
    result = read(
        {"data": {**OPERATIONS["get_keyword_list"].example["data"], "category": "emoji"}},
        strict=strict,
    )
    assert result.category == "emoji"
    assert read.drifts == []


def test_invalid_record_does_not_affect_other_records(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """If one record of a page is invalid, the other records are read."""
    read = Reader(any_client, simulator, OPERATIONS["list_roles"])
    good = OPERATIONS["list_roles"].example["data"]
    body = {
        **OPERATIONS["list_roles"].example,
        "data": [good[0], None, {**good[1], "role": []}, good[1]],
    }
    result = read(body)
    assert [role.role for role in result.data] == ["default", [], "moderator"]
    assert result.to_dict() == body
    assert [drift.pointer for drift in read.drifts] == ["/data/1", "/data/2/role"]


# Shapes of real records, some of them from responses of neighbouring operations.

RECORD = OPERATIONS["list_reviewed_messages"].example["data"][0]


def record(path: str, value: object) -> dict[str, Any]:
    """A reviewed message with one value replaced."""
    changed: dict[str, Any] = copy.deepcopy(RECORD)
    *way, last = path.split("/")
    place = changed
    for key in way:
        place = place[key]
    place[last] = value
    return changed


IMAGE = {
    "url": "https://data.example/media/1.png",
    "metadata": {"file": []},
    "attachments": [{"name": "1.png", "size": 1024}],
    "entities": RECORD["message"]["data"]["entities"],
    "moderation": {"status": "pending"},
}
SENDER = {**IMAGE["entities"]["sender"]["entity"], "conversationId": "alice_user_bob"}
WITHOUT_A_CONVERSATION = {
    name: value
    for name, value in IMAGE["entities"]["receiver"]["entity"].items()
    if name != "conversationId"
}
OPTIONAL_IN_CONDITIONS = ("isKeywordsReferencePresent", "message", "weight")
BARE_CONDITION = {
    name: value for name, value in RECORD["condition"].items() if name not in OPTIONAL_IN_CONDITIONS
} | {"isListReferencePresent": True, "value": []}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize(
    ("shape", "look", "found"),
    [
        (
            record("condition/message", ["Toxic", "above 70"]),
            lambda r: r.condition.message,
            ["Toxic", "above 70"],
        ),
        (record("message/data", IMAGE), lambda r: r.message.data.text, None),
        (
            record("message/data", IMAGE),
            lambda r: r.message.data.to_dict()["metadata"],
            {"file": []},
        ),
        (record("message/data", IMAGE), lambda r: r.message.data.moderation.rule, None),
        (record("message/data", IMAGE), lambda r: r.message.data.moderation.status, "pending"),
        (
            record("message/data/entities/sender/entity", SENDER),
            lambda r: r.message.data.entities.sender.entity.conversation_id,
            "alice_user_bob",
        ),
        (
            record("message/data/entities/receiver/entity", WITHOUT_A_CONVERSATION),
            lambda r: r.message.data.entities.receiver.entity.conversation_id,
            None,
        ),
        (
            record("blockedAt", "1757955951.000000000390079"),
            lambda r: r.blocked_at,
            "1757955951.000000000390079",
        ),
        (record("condition/weight", 0.75), lambda r: r.condition.weight, 0.75),
        (record("condition", BARE_CONDITION), lambda r: r.condition.weight, None),
        (record("condition", BARE_CONDITION), lambda r: r.condition.message, None),
        (
            record("condition", BARE_CONDITION),
            lambda r: (
                r.condition.is_keywords_reference_present,
                r.condition.is_list_reference_present,
            ),
            (None, True),
        ),
        (record("action", []), lambda r: r.action, []),
    ],
)
def test_known_record_shapes_are_read_completely(
    any_client: AnyClient,
    simulator: Simulator,
    shape: dict[str, Any],
    look: Callable[[Any], object],
    found: object,
    *,
    strict: bool,
) -> None:
    """Reviewed messages in every known shape are read completely, without a mismatch."""
    read = Reader(any_client, simulator, OPERATIONS["list_reviewed_messages"])
    body = {"data": [shape], "meta": {"current": {"limit": 50, "count": 1}}}
    result = read(body, strict=strict)
    assert look(result.data[0]) == found
    assert result.to_dict() == body
    assert read.drifts == []


GROUP = {
    "guid": "chess-club",
    "name": "Chess club",
    "icon": "https://data.example/icons/chess-club.png",
    "type": "private",
    "owner": "carol",
    "membersCount": 3,
    "conversationId": "group_chess-club",
    "createdAt": 1757955000,
}


def in_a_group(group: dict[str, Any], **sender: object) -> dict[str, Any]:
    """A page with a message of a user to a group."""
    changed = record("message/data/entities/receiver", {"entity": group, "entityType": "group"})
    changed["message"] |= {"receiverType": "group", "receiver": "chess-club"}
    changed["message"]["data"]["entities"]["sender"]["entity"] |= sender
    return {"data": [changed], "meta": {"current": {"limit": 50, "count": 1}}}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("absent", [(), ("icon", "membersCount", "conversationId")])
def test_message_in_a_group(
    any_client: AnyClient, simulator: Simulator, absent: tuple[str, ...], *, strict: bool
) -> None:
    """The receiver of a message is a user or a group; a group has a guid, a type and an owner
    instead of a uid, a status and a role."""
    read = Reader(any_client, simulator, OPERATIONS["list_reviewed_messages"])
    body = in_a_group({name: value for name, value in GROUP.items() if name not in absent})
    result = read(body, strict=strict)
    receiver = result.data[0].message.data.entities.receiver
    assert (receiver.entity_type, receiver.entity.guid) == ("group", "chess-club")
    assert (receiver.entity.type_, receiver.entity.owner) == ("private", "carol")
    assert (receiver.entity.uid, receiver.entity.status, receiver.entity.role) == (None, None, None)
    assert receiver.entity.additional_properties == {"createdAt": 1757955000}
    assert result.to_dict() == body
    assert read.drifts == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (in_a_group({**GROUP, "guid": 7}), "receiver/entity/guid"),
        (in_a_group({**GROUP, "membersCount": "3"}), "receiver/entity/membersCount"),
        (in_a_group({**GROUP, "name": None}), "receiver/entity/name"),
        (in_a_group(GROUP, uid=None), "sender/entity/uid"),
    ],
)
def test_fields_of_a_sender_and_a_receiver_have_types(
    any_client: AnyClient, simulator: Simulator, body: dict[str, Any], place: str
) -> None:
    """The sender of every message has a uid, every receiver has a name, and the fields of a group
    have one type each."""
    read = Reader(any_client, simulator, OPERATIONS["list_reviewed_messages"])
    assert read(body).to_dict() == body
    found = [drift.pointer for drift in read.drifts]
    assert found == [f"/data/0/message/data/entities/{place}"]


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize(
    "fields",
    [
        {"disallowedSentences": ["Meet me outside, now", "Pay in cash"]},
        {"disallowedSentences": ["Pay in cash"], "searchTerms": [], "revisionId": "0a_own_1"},
        {"category": "open-ai", "searchTerms": [], "prompts": ["Any fraud."], "revisionId": "0a_1"},
        {"category": "word", "searchTerms": ["heck", "darn", "heck", "darn"], "revisionId": "0a_2"},
    ],
)
def test_known_lists_are_read_completely(
    any_client: AnyClient, simulator: Simulator, fields: dict[str, Any], *, strict: bool
) -> None:
    """Keyword lists in every known shape are read completely, without a mismatch: without a
    revision, with prompts, with an entry twice."""
    read = Reader(any_client, simulator, OPERATIONS["get_keyword_list"])
    common = ("id", "name", "isCSV", "createdAt", "updatedAt", "active", "default")
    example = OPERATIONS["get_keyword_list"].example["data"]
    body = {name: example[name] for name in common} | {"category": "sentence-similarity"} | fields
    result = read({"data": body}, strict=strict)
    assert result.revision_id == fields.get("revisionId")
    assert result.to_dict() == body
    assert read.drifts == []


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
def test_role_without_a_description(
    any_client: AnyClient, simulator: Simulator, *, strict: bool
) -> None:
    """The description of a role that has none is `None`."""
    read = Reader(any_client, simulator, OPERATIONS["list_roles"])
    body = copy.deepcopy(OPERATIONS["list_roles"].example)
    del body["data"][1]["description"]
    result = read(body, strict=strict)
    assert [role.description is None for role in result.data] == [False, True]
    assert result.to_dict() == body
    assert read.drifts == []
