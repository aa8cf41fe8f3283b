"""Reading a description: any valid style is read, and what cannot be used is refused in one
line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tools.description import parse, read

from ..described import described

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
    """The example of an inline body is found beside its schema and in it, in the singular and in
    the plural."""
    content = {"content": {"application/json": media}}
    operation = {"operationId": "addThing", "requestBody": content, "responses": {"200": content}}
    components = {"examples": {"One": {"value": {"a": 1}}}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/things": {"post": operation}},
        "components": components,
    }
    (add_thing,) = described(parse(json.dumps(document)))
    assert add_thing.example == {"a": 1}
    assert add_thing.body_example == {"a": 1}
    assert add_thing.body_class == "AddThingBody"


#: Files that are not a description, and the beginning of the line for each.
UNREADABLE: dict[str, tuple[str, str]] = {
    "no mapping": ("[]", "not an OpenAPI document; give a document of version 3.0 or 3.1"),
    "no paths": ("openapi: 3.1.0", "not an OpenAPI document"),
    "an old version": ('{"swagger": "2.0", "paths": {}}', "Swagger 2.0 is not supported"),
    "invalid YAML": ("a: [", "neither JSON nor YAML: while parsing a flow node"),
    "invalid JSON": ('{"a": ', "neither JSON nor YAML: Expecting value: line 1"),
    "a cycle": ("paths: &a\n  b: *a", "not a document that JSON can hold: Circular"),
    "a key that is there twice": (
        "paths: {}\ninfo: {a: 1, b: 2, a: 3}",
        "neither JSON nor YAML: the key 'a' is there twice",
    ),
    "paths that are no object": ("paths: []", "/paths: not an object; correct this place"),
    "a path that is no object": ("paths: {/a: [], x-note: no}", "/paths/~1a: not an object"),
    "an operation that is no object": ("paths: {/a: {get: 3}}", "/paths/~1a/get: not an object"),
    "another file": (
        "paths: {/a: {$ref: other.yaml}}",
        "refers to 'other.yaml', which is not read; first merge",
    ),
    "a key that is no text": (
        "paths: {2026-01-31: x}",
        "not a document that JSON can hold: keys must be",
    ),
}


@pytest.mark.parametrize(("content", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_invalid_description_is_one_line(tmp_path: Path, content: str, line: str) -> None:
    """A file that is not a description, or in several parts, is refused in one line that names
    the file."""
    path = tmp_path / "vendor.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(ValueError, match=f"^vendor.yaml: {re.escape(line)}") as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_unreadable_file_is_one_line(tmp_path: Path) -> None:
    """A missing file, and bytes that are not UTF-8, are refused in one line."""
    path = tmp_path / "vendor.yaml"
    with pytest.raises(ValueError, match=r"^vendor.yaml: No such file"):
        read(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"^vendor.yaml: not a text in UTF-8; save"):
        read(path)
