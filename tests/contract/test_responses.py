"""The client against the description: valid responses are read completely, and mismatches are reported."""

import copy
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_openapi import models
from cometchat_rest import Drift, UnexpectedResponse
from cometchat_rest.testing import Simulator
from tools.description import Operation, escaped, resolved

from ..conftest import AnyClient
from ..described_calls import plain
from .calls import CALLS
from .description import DOCUMENT, JSON, OPERATIONS, SCHEMAS, deviations, examples, flat, values

#: Marks an absent value.
ABSENT = object()
#: A mismatch at these pointers makes a response unusable. Nobody should read another list than the one that was named.
ESSENTIAL = {name: {"", "/data", *(["/data/id"] if name == "get_keyword_list" else [])} for name in OPERATIONS}

# The response 204 has no body.
WITH_A_BODY = {name: operation for name, operation in OPERATIONS.items() if operation.response_schema}
each_operation = pytest.mark.parametrize("operation", WITH_A_BODY.values(), ids=WITH_A_BODY.keys())


class Reader:
    """Reads responses of one operation with a lenient and with a strict client."""

    def __init__(self, any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
        self.drifts: list[Drift] = []
        self._any_client, self._simulator, self._operation = any_client, simulator, operation
        # If a response contains only `data`, the result is the value of `data`.
        self._unwrapped = resolved(DOCUMENT, operation.response_schema)["properties"].keys() == {"data"}
        self._lenient = any_client.client(on_drift=self.drifts.append)
        self._strict = any_client.client(strict=True, on_drift=self.drifts.append)

    def __call__(self, body: object, *, strict: bool = False) -> Any:
        self.drifts.clear()
        _name_the_list(body)
        # As bytes, because the value None would mean no body, not `null`.
        status = self._operation.status
        self._simulator.fail(operation=self._name(), status=status, body=json.dumps(body).encode())
        result = self._any_client.call(CALLS[self._operation.name], self._strict if strict else self._lenient)
        return getattr(result, "page", result)

    def _name(self) -> Any:
        return self._operation.name

    def result(self, body: Any) -> Any:
        """The JSON value that the result of a call must return."""
        if not self._unwrapped:
            return body
        data = body["data"]
        # A result that is a list has no place for a record that is no object. The difference is reported.
        return [each for each in data if isinstance(each, dict)] if isinstance(data, list) else data


def _name_the_list(body: Any) -> None:
    """Put the identifier of the list that the calls name into a response, because another list would be refused."""
    data = body.get("data") if isinstance(body, dict) else None
    if isinstance(data, dict) and isinstance(data.get("id"), str):
        data["id"] = "profanity-list"


def text(value: object) -> str:
    """A JSON value as text, for comparisons: in Python, 1 equals 1.0 and True."""
    return json.dumps(value, sort_keys=True)


def holds(model: Any, source: dict[str, Any]) -> bool:
    """Whether each value of a JSON object is in its attribute, or else in `additional_properties`."""
    names: dict[str, str] = dict(model.JSON_NAMES)
    absent = [getattr(model, names[name]) for name in names.keys() - source.keys()]
    # An absent required object or array is replaced by an empty one.
    empty = all(each is None or each == [] or not text(each.to_dict()).strip("{}[]") for each in absent)
    return empty and all(
        text(model.additional_properties[name]) == text(value)
        if name in model.additional_properties
        else name in names and is_as(getattr(model, names[name]), value)
        for name, value in source.items()
    )


def is_as(held: Any, value: Any) -> bool:
    if hasattr(held, "JSON_NAMES"):
        return isinstance(value, dict) and holds(held, value)
    if isinstance(held, list) and isinstance(value, list):
        return len(held) == len(value) and all(map(is_as, held, value))
    return text(held) == text(value)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of each node of a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*path, key))


def damaged(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values with one node changed to another value or null, or removed; most of them are invalid."""
    valid = values(schema)

    @st.composite
    def damage(draw: st.DrawFn) -> Any:
        body = {"": draw(valid)}
        path: tuple[str | int, ...] = ("", *draw(st.sampled_from(list(places(body[""])))))
        above: Any = body
        for key in path[:-1]:
            above = above[key]
        if len(path) > 1 and draw(st.booleans()):
            del above[path[-1]]
        else:
            above[path[-1]] = draw(st.none() | JSON)
        return body[""]

    return damage()


@each_operation
def test_every_valid_response_is_read_completely(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """Every value of a valid response is in its attribute, and `to_dict` returns the same response."""
    read = Reader(any_client, simulator, operation)

    @examples(50)
    @given(values(operation.response_schema))
    def check(body: Any) -> None:
        for strict in (False, True):
            result = read(body, strict=strict)
            assert text(plain(result)) == text(read.result(body))
            assert is_as(result, read.result(body))
            assert read.drifts == []

    check()


def check_both_readings(read: Reader, operation: Operation, body: Any) -> str:
    """Read a response leniently and strictly, and compare the results with a JSON Schema validator."""
    expected = deviations(operation.response_schema, body)
    unusable = ESSENTIAL[operation.name].intersection(expected)
    if not expected:
        assert text(plain(read(body, strict=True))) == text(read.result(body))
    else:
        with pytest.raises(UnexpectedResponse) as caught:
            read(body, strict=True)
        assert caught.value.pointer in expected
    assert read.drifts == []
    if not unusable:
        result = read(body)
        assert text(plain(result)) == text(read.result(body))
        assert is_as(result, read.result(body))
        assert sorted(drift.pointer for drift in read.drifts) == expected
        assert {drift.operation for drift in read.drifts} <= {operation.name}
        return "mismatch" if expected else "valid"
    with pytest.raises(UnexpectedResponse) as caught:
        read(body)
    assert caught.value.pointer in unusable
    return "unusable"


@each_operation
def test_mismatch_is_reported_and_nothing_is_lost(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """A response with a mismatch is read completely and the place is reported; with `strict=True` it is refused."""
    read = Reader(any_client, simulator, operation)
    seen: Counter[str] = Counter()

    @examples(100)
    @given(damaged(operation.response_schema))
    def check(body: Any) -> None:
        seen[check_both_readings(read, operation, body)] += 1

    check()
    assert min(seen["valid"], seen["mismatch"], seen["unusable"]) > 0, seen


@pytest.mark.parametrize("status", [201, 202, 203, 206, 226, 299])
@each_operation
def test_undescribed_status_is_no_success(
    any_client: AnyClient, simulator: Simulator, operation: Operation, status: int
) -> None:
    """Only the described status is a success, even if another one comes with a valid body."""
    name: Any = operation.name
    status += status == operation.status
    simulator.fail(operation=name, status=status, body=operation.example)
    with pytest.raises(UnexpectedResponse, match=str(status)):
        any_client.call(CALLS[name], any_client.client())


#: Values for a field: most of them are of another type.
OTHERS: tuple[Any, ...] = (None, "text", 7, 0.5, True, [], {}, [{}], {"a": None})


@pytest.mark.parametrize("count", [2, pytest.param(len(OTHERS), marks=pytest.mark.deep)])
@each_operation
def test_mismatch_is_detected_in_every_field(
    any_client: AnyClient, simulator: Simulator, operation: Operation, count: int
) -> None:
    """A missing field, or a value of another type, is reported for every field and never crashes a call."""
    read = Reader(any_client, simulator, operation)
    others = itertools.cycle(OTHERS)
    for path in places(operation.example):
        for value in (ABSENT, *itertools.islice(others, count)):
            body: Any = {"": copy.deepcopy(operation.example)}
            way: tuple[str | int, ...] = ("", *path)
            above: Any = body
            for key in way[:-1]:
                above = above[key]
            if value is not ABSENT:
                above[way[-1]] = value
            elif path:
                del above[path[-1]]
            check_both_readings(read, operation, body[""])


@pytest.mark.parametrize("name", [name for name in models.__all__ if hasattr(getattr(models, name), "JSON_NAMES")])
def test_generated_classes_lose_nothing(name: str) -> None:
    """`from_dict` reads any object and reports a mismatch exactly if there is one; `to_dict` returns the object."""
    cls, schema = getattr(models, name), {"$ref": f"#/components/schemas/{name}"}

    @examples(200)
    @given((values(schema) | damaged(schema)).filter(lambda body: isinstance(body, dict)))
    def check(body: dict[str, Any]) -> None:
        before = text(body)
        model = cls.from_dict(body)
        assert text(model.to_dict()) == before
        assert holds(model, body)
        assert text(body) == before
        mismatches: list[type] = []
        cls.from_dict(json.loads(before), mismatches)
        # In JSON Schema, 5.0 is an integer. The limits of forms are no part of their classes.
        wrong = bool(deviations(schema, body))
        assert bool(mismatches) in {wrong, wrong and "Form" not in name} or ".0" in before or "e+" in before

    check()


# The most frequent cases, written by hand.


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from objects(each)


def held_models(value: Any) -> Iterator[Any]:
    """Every model that can be reached through attributes."""
    if hasattr(value, "JSON_NAMES"):
        yield value
        for attribute in value.JSON_NAMES.values():
            yield from held_models(getattr(value, attribute))
    elif isinstance(value, list):
        for each in value:
            yield from held_models(each)


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@each_operation
def test_unknown_fields_are_kept_in_every_object(
    any_client: AnyClient, simulator: Simulator, operation: Operation, *, strict: bool
) -> None:
    """A field that the service adds to any object is in its `additional_properties`, and is not a mismatch."""
    read = Reader(any_client, simulator, operation)
    body = copy.deepcopy(operation.example)
    for each in list(objects(body)):
        each["addedIn2031"] = {"by": ["the", "service"], "at": None}
        # The fields of some objects may only be texts, for example.
        if deviations(operation.response_schema, body):
            del each["addedIn2031"]
    result = read(body, strict=strict)
    extras = [model.additional_properties for model in held_models(result)]
    added = [extra["addedIn2031"] for extra in extras if "addedIn2031" in extra]
    assert added == [{"by": ["the", "service"], "at": None}] * text(read.result(body)).count("addedIn2031")
    assert plain(result) == read.result(body)
    assert read.drifts == []


#: The classes whose only required field is an object, with the name of this field.
WITH_ONE_OBJECT = [
    (getattr(models, name), schema["required"][0])
    for name, schema in SCHEMAS.items()
    if hasattr(models, name)
    and len(schema.get("required", ())) == 1
    and resolved(DOCUMENT, schema["properties"][schema["required"][0]]).get("type") == "object"
]


@pytest.mark.parametrize(("model", "field"), WITH_ONE_OBJECT)
@pytest.mark.parametrize("values", [[None], ["text"], [[]], []])
def test_wrong_object_is_a_mismatch_of_its_owner(model: Any, field: str, values: list[object]) -> None:
    """If a required object is null, absent or of another type, `from_dict` reports the class that has it, once."""
    mismatches: list[type] = []
    model.from_dict(dict(zip([field], values, strict=False)), mismatches)
    assert mismatches.count(model) == 1


def test_absent_required_field_is_none() -> None:
    """A required field that a response lacks is `None`, or an empty object; the docstring of its class says so."""
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
    any_client: AnyClient, simulator: Simulator, operation: Operation, *, strict: bool
) -> None:
    """An optional field that is not in the response is `None`, and its absence is not a mismatch."""
    read = Reader(any_client, simulator, operation)
    body = bare(operation.response_schema, operation.example)
    result = read(body, strict=strict)
    assert plain(result) == read.result(body)
    assert read.drifts == []
    for model in held_models(result):
        # SCHEMAS has no entry for the class of an inner object.
        required = flat(SCHEMAS.get(type(model).__name__, {})).get("required", [])
        optional = [attribute for name, attribute in model.JSON_NAMES.items() if name not in required]
        assert [getattr(model, attribute) for attribute in optional] == [None] * len(optional)


def bare(schema: Mapping[str, Any], value: Any) -> Any:
    """A value whose objects have only their required fields."""
    schema = flat(schema)
    if isinstance(value, list):
        return [bare(schema["items"], each) for each in value]
    if schema.get("type") != "object":
        return value
    return {name: bare(schema["properties"][name], value[name]) for name in schema.get("required", ())}


@pytest.mark.parametrize(("name", "inner"), [("list_reviewed_messages", "current"), ("list_roles", "pagination")])
@pytest.mark.parametrize(
    ("meta", "pointer"),
    [
        ({}, "/meta"),
        ({"meta": None}, "/meta"),
        ({"meta": []}, "/meta"),
        ({"meta": "none"}, "/meta"),
        ({"meta": {}}, "/meta/{inner}"),
        ({"meta": {"{inner}": None}}, "/meta/{inner}"),
        ({"meta": {"{inner}": [1]}}, "/meta/{inner}"),
        ({"meta": {"{inner}": 7}}, "/meta/{inner}"),
    ],
    ids=repr,
)
def test_meta_is_always_an_object(
    any_client: AnyClient, simulator: Simulator, name: str, inner: str, meta: dict[str, Any], pointer: str
) -> None:
    """If `meta` is absent or invalid, `meta.current.limit` and `meta.pagination.total` are `None`."""
    read = Reader(any_client, simulator, OPERATIONS[name])
    body = {"data": [], **json.loads(json.dumps(meta).replace("{inner}", inner))}
    result = read(body)
    found = getattr(result.meta, inner)
    assert [getattr(found, attribute) for attribute in found.JSON_NAMES.values()] == [None] * len(found.JSON_NAMES)
    assert result.to_dict() == body
    assert [drift.pointer for drift in read.drifts] == [pointer.format(inner=inner)]


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
def test_unknown_category_is_kept(any_client: AnyClient, simulator: Simulator, *, strict: bool) -> None:
    """A list with an unknown category is read like any other list."""
    read = Reader(any_client, simulator, OPERATIONS["get_keyword_list"])
    result = read({"data": {**OPERATIONS["get_keyword_list"].example["data"], "category": "emoji"}}, strict=strict)
    assert result.category == "emoji"
    assert read.drifts == []


def test_invalid_record_does_not_affect_other_records(any_client: AnyClient, simulator: Simulator) -> None:
    """If one record of a page is invalid, the other records are read."""
    read = Reader(any_client, simulator, OPERATIONS["list_roles"])
    good = OPERATIONS["list_roles"].example["data"]
    body = {**OPERATIONS["list_roles"].example, "data": [good[0], None, {**good[1], "role": []}, good[1]]}
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


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize(
    ("shape", "look", "found"),
    [
        (record("condition/message", ["Toxic", "above 70"]), lambda r: r.condition.message, ["Toxic", "above 70"]),
        (record("message/data", IMAGE), lambda r: r.message.data.text, None),
        (record("message/data", IMAGE), lambda r: r.message.data.to_dict()["metadata"], {"file": []}),
        (record("message/data", IMAGE), lambda r: r.message.data.moderation.rule, None),
        (record("message/data", IMAGE), lambda r: r.message.data.moderation.status, "pending"),
        (
            record("message/data/entities/sender/entity", SENDER),
            lambda r: r.message.data.entities.sender.entity.conversation_id,
            "alice_user_bob",
        ),
        (record("blockedAt", "1757955951.000000000390079"), lambda r: r.blocked_at, "1757955951.000000000390079"),
        (record("condition/weight", 0.75), lambda r: r.condition.weight, 0.75),
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


def test_pointers_are_escaped() -> None:
    """A name with a slash or a tilde is one part of a JSON pointer."""
    assert escaped("a/b~c") == "a~1b~0c"
