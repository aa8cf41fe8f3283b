"""The client against the description: valid responses are read completely, and mismatches are
reported."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_openapi import models
from cometchat_rest import UnexpectedResponse
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..described import Described
from ..described_calls import plain
from .calls import CALLS
from .description import JSON, OPERATIONS, SCHEMAS, deviations, examples, values
from .reading import Reader, confirm_the_call, each_operation, text

#: A mismatch at these pointers makes a response unusable. Nobody should read another list than the
#: one that was named.
ESSENTIAL = {
    name: {"", "/data", *(["/data/id"] if name == "get_keyword_list" else [])}
    for name in OPERATIONS
}


def holds(model: Any, source: dict[str, Any]) -> bool:
    """Whether each value of a JSON object is in its attribute, or else in
    `additional_properties`."""
    names: dict[str, str] = dict(model.JSON_NAMES)
    absent = [getattr(model, names[name]) for name in names.keys() - source.keys()]
    # An absent required object or array is replaced by an empty one.
    empty = all(
        each is None or each == [] or not text(each.to_dict()).strip("{}[]") for each in absent
    )
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
    """Values with one node changed to another value or null, or removed; most of them are
    invalid."""
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
    any_client: AnyClient, simulator: Simulator, operation: Described
) -> None:
    """Every value of a valid response is in its attribute, and `to_dict` returns the same
    response."""
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


def check_both_readings(read: Reader, operation: Described, body: Any) -> str:
    """Read a response leniently and strictly, and compare the results with a JSON Schema
    validator."""
    confirm_the_call(body)
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
    any_client: AnyClient, simulator: Simulator, operation: Described
) -> None:
    """A response with a mismatch is read completely and the place is reported; with
    `strict=True` it is refused."""
    read = Reader(any_client, simulator, operation)
    seen: Counter[str] = Counter()

    @examples(60)
    @given(damaged(operation.response_schema))
    def check(body: Any) -> None:
        seen[check_both_readings(read, operation, body)] += 1

    check()
    # Few bodies are valid by chance, and which of them depends on every field.
    assert min(seen["mismatch"], seen["unusable"]) > 0, seen


@pytest.mark.parametrize("status", [201, 202, 203, 206, 226, 299])
@each_operation
def test_undescribed_status_is_no_success(
    any_client: AnyClient, simulator: Simulator, operation: Described, status: int
) -> None:
    """Only the described status is a success, even if another one comes with a valid body."""
    name: Any = operation.name
    status += status == operation.status
    simulator.fail(operation=name, status=status, body=operation.example)
    with pytest.raises(UnexpectedResponse, match=str(status)):
        any_client.call(CALLS[name], any_client.client())


#: The schemas of forms.
FORMS = {
    each.body_class
    for each in OPERATIONS.values()
    if each.body and each.body[0] == "multipart/form-data"
}


@pytest.mark.parametrize(
    "name", [name for name in SCHEMAS if hasattr(getattr(models, name, None), "JSON_NAMES")]
)
def test_generated_classes_lose_nothing(name: str) -> None:
    """`from_dict` reads any object and reports a mismatch exactly if there is one; `to_dict`
    returns the object."""
    cls, schema = getattr(models, name), SCHEMAS[name]

    @examples(60)
    @given((values(schema) | damaged(schema)).filter(lambda body: isinstance(body, dict)))
    def check(body: dict[str, Any]) -> None:
        before = text(body)
        model = cls.from_dict(body)
        assert text(model.to_dict()) == before
        assert holds(model, body)
        assert text(body) == before
        mismatches: list[type] = []
        cls.from_dict(json.loads(before), mismatches)
        # In JSON Schema, 5.0 is an integer. The class of a form does not check the limits of its
        # fields.
        wrong = bool(deviations(schema, body))
        expected = {wrong, False} if name in FORMS else {wrong}
        assert bool(mismatches) in expected or ".0" in before or "e+" in before

    check()
