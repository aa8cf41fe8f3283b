"""`openapi.yaml` for the contract tests, read without the generator, the generated code or the
client."""

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tools.description import DESCRIPTION, escaped, followed, parse

from ..described import described

#: The same examples on every run and on every machine, even a slow one. All examples of a test
#: share the simulator and the clients on purpose: starting them for each example would take too
#: long.
REPRODUCIBLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def examples(deep: int) -> settings:
    """These settings with so many examples in a deep run, and a seventh of them in a quick one."""
    return settings(REPRODUCIBLE, max_examples=deep * settings().max_examples // 100)


_TEXT = DESCRIPTION.read_text("utf-8")


def load() -> dict[str, Any]:
    """A new copy of the document, which the caller may change."""
    return dict(parse(_TEXT))


def _classes(name: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A schema and the objects directly inside it, with the names of their classes."""
    yield name, schema
    for field, each in schema.get("properties", {}).items():
        if "properties" in each:
            yield from _classes(f"{name}{field[:1].upper()}{field[1:]}", each)


DOCUMENT = load()
#: The schemas of all classes, except those that are directly in an operation.
SCHEMAS: dict[str, Mapping[str, Any]] = {
    name: each
    for component, schema in DOCUMENT["components"]["schemas"].items()
    for name, each in _classes(component, schema)
}


def validator(
    schema: Mapping[str, Any], document: Mapping[str, Any] = DOCUMENT
) -> Draft202012Validator:
    """A validator of values against a schema of the document."""
    return Draft202012Validator({**schema, "components": document["components"]})


@cache
def _readable(schema: str) -> Draft202012Validator:
    """A validator as the client reads: a value may match two alternatives of `oneOf`."""
    text = json.dumps({**json.loads(schema), "components": DOCUMENT["components"]})
    return Draft202012Validator(json.loads(text.replace('"oneOf":', '"anyOf":')))


def is_file(schema: Mapping[str, Any]) -> bool:
    """Whether a schema of a form field is a file."""
    return schema.get("format") == "binary"


OPERATIONS = {operation.name: operation for operation in described(DOCUMENT)}


def deviations(schema: Mapping[str, Any], value: Any) -> list[str]:
    """The sorted JSON pointers of all places where a value does not match a schema, from a JSON
    Schema validator."""
    return list(_deviations(json.dumps(schema), json.dumps(value)))


@lru_cache(maxsize=10_000)
def _deviations(schema: str, value: str) -> tuple[str, ...]:
    """The same for texts. The tests of both clients validate the same responses."""
    errors = _readable(schema).iter_errors(json.loads(value))
    return tuple(sorted({pointer for error in errors for pointer in _places(error)}))


def _places(error: ValidationError) -> list[str]:
    here = "".join(f"/{escaped(part)}" for part in error.absolute_path)
    if error.validator == "required":
        # There is one error for each absent name; only the text of the error contains the name.
        required: Any = error.validator_value
        (absent,) = (
            name for name in required if error.message == f"{name!r} is a required property"
        )
        return [f"{here}/{escaped(absent)}"]
    if error.validator == "anyOf":
        # If a value matches no alternative, report the errors of the alternative that comes
        # closest.
        alternatives: dict[str | int, list[str]] = {}
        for each in error.context or ():
            alternatives.setdefault(each.schema_path[0], []).extend(_places(each))
        return max(alternatives.values(), key=lambda places: max(map(len, places)))
    return [here]


# Values that match a schema. Only the keywords that the document uses are supported; add others
# when a KeyError occurs.

#: Every text that JSON can contain, even single surrogates.
TEXTS = st.text(st.characters(codec=None), max_size=12)
_SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.sampled_from(["word", "1", ""]),
)
_ARRAYS = st.lists(_SCALARS, max_size=2)
#: Any JSON value without deep nesting: the type of a value matters here, not its size.
JSON: st.SearchStrategy[Any] = (
    _SCALARS | _ARRAYS | st.dictionaries(TEXTS, _SCALARS | _ARRAYS, max_size=2)
)


def flat(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema of the document with all that its `allOf` says."""
    schema = followed(DOCUMENT, schema)
    parts = [flat(part) for part in schema.get("allOf", ())]
    if not parts:
        return schema
    merged: dict[str, Any] = {
        key: value for part in (*parts, schema) for key, value in part.items() if key != "allOf"
    }
    merged["properties"] = {
        key: value for part in (*parts, schema) for key, value in part.get("properties", {}).items()
    }
    merged["required"] = [name for part in (*parts, schema) for name in part.get("required", ())]
    return merged


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that match a schema of the document."""
    schema = flat(schema)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return st.one_of([values(choice) for choice in choices])
    if not schema:
        return JSON
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    found = st.one_of([_OF_TYPE[kind](schema) for kind in kinds])
    return found.filter(validator(schema).is_valid) if {"if", "pattern"} & schema.keys() else found


def forms(category: str) -> st.SearchStrategy[Any]:
    """Forms of an update for one category."""
    form = SCHEMAS["KeywordListForm"]
    entries, other = "searchTerms", "disallowedSentences"
    if category == "sentence-similarity":
        entries, other = other, entries
    properties = {**form["properties"], "category": {"const": category}}
    del properties[other]
    return values({**form, "properties": properties, "required": ["category", entries]})


def _strings(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    return st.text(st.characters(codec=None), min_size=schema.get("minLength", 0), max_size=12)


def _integers(schema: Mapping[str, Any]) -> st.SearchStrategy[float]:
    low, high = schema.get("minimum"), schema.get("maximum")
    integers = st.integers(low, high)
    # In JSON Schema, 5.0 is an integer.
    return integers | st.integers(-(2**40) if low is None else low, high or 2**40).map(float)


def _numbers(schema: Mapping[str, Any]) -> st.SearchStrategy[float]:
    low, high = schema.get("minimum"), schema.get("maximum")
    return st.integers(low, high) | st.floats(low, high, allow_nan=False, allow_infinity=False)


def _booleans(_: Mapping[str, Any]) -> st.SearchStrategy[bool]:
    return st.booleans()


def _arrays(schema: Mapping[str, Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(values(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)


def _objects(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    properties = schema.get("properties", {})
    required = {name: values(properties[name]) for name in schema.get("required", ())}
    optional = {name: values(properties[name]) for name in properties if name not in required}
    described = st.fixed_dictionaries(required, optional=optional)
    others = schema.get("additionalProperties", True)
    if others is False:
        return described
    names = TEXTS.filter(lambda name: name not in properties)
    unknown = st.dictionaries(names, JSON if others is True else values(others), max_size=2)
    # Half of the objects have only the described fields.
    return st.builds(lambda known, more: {**more, **known}, described, st.just({}) | unknown)


_OF_TYPE = {
    "null": lambda _: st.none(),
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "boolean": _booleans,
    "array": _arrays,
    "object": _objects,
}
