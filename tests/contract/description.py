"""`openapi.yaml` as the contract tests read it: without the generator, the generated code or the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tools.openapi_diff.document import DESCRIPTION, escaped, operations, parse, resolved

#: The same examples on every run and machine, however slow it is. The simulator and the clients outlive an example on
#: purpose: starting them anew for each would take longer than everything else.
REPRODUCIBLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


_TEXT = DESCRIPTION.read_text("utf-8")


def load() -> dict[str, Any]:
    """A copy of the document of one's own."""
    return dict(parse(_TEXT))


DOCUMENT = load()
SCHEMAS: dict[str, dict[str, Any]] = DOCUMENT["components"]["schemas"]


def validator(schema: Mapping[str, Any], document: Mapping[str, Any] = DOCUMENT) -> Draft202012Validator:
    """What judges values by a schema of the document."""
    return Draft202012Validator({**schema, "components": document["components"]})


OPERATIONS = {operation.name: operation for operation in operations(DOCUMENT)}


def deviations(schema: Mapping[str, Any], value: Any) -> list[str]:
    """JSON pointers to where a value departs from a schema, as a JSON Schema validator sees it, sorted."""
    return sorted({pointer for error in validator(schema).iter_errors(value) for pointer in _places(error)})


def _places(error: ValidationError) -> list[str]:
    here = "".join(f"/{escaped(part)}" for part in error.absolute_path)
    if error.validator == "required":
        # There is one error for each absent name, and only its text says which.
        required: Any = error.validator_value
        (absent,) = (name for name in required if error.message == f"{name!r} is a required property")
        return [f"{here}/{escaped(absent)}"]
    if error.validator == "anyOf":
        # A value that fits no alternative is blamed for what keeps it from the one it came closest to.
        alternatives: dict[str | int, list[str]] = {}
        for each in error.context or ():
            alternatives.setdefault(each.schema_path[0], []).extend(_places(each))
        return max(alternatives.values(), key=lambda places: max(map(len, places)))
    return [here]


# Values that fit a schema. Only what the document uses is known; anything else is a KeyError and wants adding.

#: What JSON can carry as text, half surrogate pairs included.
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
#: Any JSON value, though none that is deep: what a value is matters here, not how large it is.
JSON: st.SearchStrategy[Any] = _SCALARS | _ARRAYS | st.dictionaries(TEXTS, _SCALARS | _ARRAYS, max_size=2)


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema of the document."""
    schema = resolved(DOCUMENT, schema)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(choice) for choice in schema["anyOf"]])
    return _OF_TYPE[schema["type"]](schema)


def _strings(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    return st.text(st.characters(codec=None), min_size=schema.get("minLength", 0), max_size=12)


def _integers(schema: Mapping[str, Any]) -> st.SearchStrategy[float]:
    low, high = schema.get("minimum"), schema.get("maximum")
    whole = st.integers(low, high)
    # To JSON Schema, 5.0 is an integer like any other.
    return whole | st.integers(-(2**40) if low is None else low, high or 2**40).map(float)


def _numbers(_: Mapping[str, Any]) -> st.SearchStrategy[float]:
    return st.integers() | st.floats(allow_nan=False, allow_infinity=False)


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
    # Half of the objects come as described and no more.
    return st.builds(lambda known, more: {**more, **known}, described, st.just({}) | unknown)


_OF_TYPE = {
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "boolean": _booleans,
    "array": _arrays,
    "object": _objects,
}
