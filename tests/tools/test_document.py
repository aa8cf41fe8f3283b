"""Reading a description: any valid style is read, and what cannot be used is refused in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools.description import operations, parse, read

CYCLE = "openapi: 3.1.0\npaths: &paths\n  /roles: *paths\n"
LARGE = "openapi: 3.1.0\npaths:\n" + "# one of a million lines\n" * 1_000_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("paths: [", "neither JSON nor YAML"),
        ("- 1", "not an OpenAPI document"),
        (CYCLE, "more than 100 nested levels"),
        (LARGE, "more than 500,000 lines"),
        ("paths: {/roles: {$ref: 'https://example.com/roles.yaml'}}", "which is not read; first merge"),
        ("paths: {/roles: {get: {$ref: 'file:///roles.yaml'}}}", "which is not read; first merge"),
    ],
    ids=["syntax", "no description", "cycle", "a million lines", "URL", "file"],
)
def test_unusable_description_is_reported_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    """A description that cannot be used gives one line with the next step, and no other file is read."""
    path = tmp_path / "openapi.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=problem) as raised:
        read(path)
    assert str(raised.value).startswith("openapi.yaml: ")
    assert "\n" not in str(raised.value)


BODY = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.mark.parametrize(
    "media",
    [
        {"schema": BODY, "example": {"a": 1}},
        {"schema": BODY, "examples": {"one": {"value": {"a": 1}}}},
        {"schema": BODY, "examples": {"one": {"$ref": "#/components/examples/One"}}},
        {"schema": {**BODY, "example": {"a": 1}}},
        {"schema": {**BODY, "examples": [{"a": 1}]}},
    ],
)
def test_each_style_of_an_example_is_read(media: dict[str, Any]) -> None:
    """The example of an inline body is found beside its schema and in it, in the singular and in the plural."""
    content = {"content": {"application/json": media}}
    operation = {"operationId": "addThing", "requestBody": content, "responses": {"200": content}}
    components = {"examples": {"One": {"value": {"a": 1}}}}
    document = {"openapi": "3.1.0", "paths": {"/things": {"post": operation}}, "components": components}
    (found,) = operations(parse(json.dumps(document)))
    assert (found.example, found.body_example, found.body_class) == ({"a": 1}, {"a": 1}, "AddThingBody")
