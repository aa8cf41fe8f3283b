"""The comparison with a vendor document that is written in another way, or that is invalid."""

import json
from typing import Any

import pytest

from tools.description import parse

from .test_compare import (
    KEYWORDS,
    KNOWN,
    Change,
    findings,
    lines,
    reference,
    role,
    roles,
    text,
    vendor,
)


def moved(document: dict[str, Any]) -> None:
    """The same document with other paths and names."""
    document["paths"] = {
        f"/api/v3{path}".replace("{uid}", "{userId}"): item
        for path, item in document["paths"].items()
    }
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter.get("name") == "uid":
                    parameter["name"] = "userId"


def in_a_newer_version(document: dict[str, Any]) -> None:
    """The same document in OpenAPI 3.1, with a discriminator mapping for its forms."""
    document["openapi"] = "3.1.0"
    schemas = document["components"]["schemas"]
    names = {"word": "Words", "pattern": "Patterns", "sentence-similarity": "Sentences"}
    schemas["Form"]["discriminator"]["mapping"] = {
        key: f"#/components/schemas/{name}" for key, name in names.items()
    }
    schemas["Form"]["oneOf"].reverse()
    schemas["Common"]["properties"]["file"] = {
        "type": "string",
        "contentMediaType": "application/octet-stream",
    }


def behind_references(document: dict[str, Any]) -> None:
    """The same document with references to its path items."""
    document["components"]["pathItems"] = {
        str(index): item for index, item in enumerate(document["paths"].values())
    }
    document["paths"] = {
        path: reference(str(index), "pathItems") for index, path in enumerate(document["paths"])
    }


def in_another_order(document: dict[str, Any]) -> None:
    """The same document with the variants of the form in another order."""
    document["components"]["schemas"]["Form"]["oneOf"].reverse()


@pytest.mark.parametrize(
    "change",
    [moved, in_a_newer_version, behind_references, in_another_order],
    ids=lambda change: change.__name__,
)
def test_an_equivalent_document_has_no_new_difference(change: Change) -> None:
    """Path prefixes, path references, parameter names, the OpenAPI version and the order of
    variants are ignored."""
    document = vendor()
    change(document)
    document = dict(parse(json.dumps(document)))
    assert lines(document) == KNOWN


def circular(document: dict[str, Any]) -> None:
    """Circular references of schemas."""
    schemas = document["components"]["schemas"]
    schemas["loop"] = reference("loop")
    schemas["one"] = {"allOf": [reference("other")]}
    schemas["other"] = {"anyOf": [reference("one"), text()]}
    role(document).update(name=reference("loop"), metadata=reference("other"))
    schemas["role"]["additionalProperties"] = reference("role")


def nonsense(document: dict[str, Any]) -> None:
    """Invalid schemas, references to other files, and missing parts."""
    role(document).update(
        name=None, metadata=[], settings=True, createdAt={"type": 5, "enum": "x", "required": True}
    )
    role(document)["updatedAt"] = {"$ref": "other.yaml#/x", "oneOf": "x", "properties": 3}
    role(document)["description"] = {"$ref": "#/components/schemas/role/properties/description/x"}
    document["components"]["schemas"]["Form"]["discriminator"] = None
    document["components"]["schemas"]["Words"]["discriminator"] = "x"
    roles(document)["responses"]["200"] = reference("gone", "responses")
    roles(document)["parameters"][0]["schema"].update(maximum="many", minimum=[], pattern=5)
    roles(document)["parameters"] += [None, "x", {}]
    document["paths"][KEYWORDS]["get"].update(responses=None, security=None)
    document["paths"]["/users/{uid}/auth_tokens/{authToken}"]["delete"]["responses"]["200"][
        "content"
    ] = "x"
    document["paths"]["/x"] = None
    document["paths"]["/roles"]["parameters"] = 1.5
    document["paths"]["/moderation/reviewed-messages"]["get"].update(
        security=[{"apiKey": 5}, "x"], servers=True
    )
    document["paths"]["/moderation/reviewed-messages"]["get"]["responses"][""] = {
        "$ref": "#/openapi"
    }
    document["components"]["schemas"]["hook"]["properties"]["id"] = {
        "type": ["string", None, {}],
        "enum": [{}],
    }
    document["components"]["schemas"]["hook"]["properties"]["name"] = {"type": [None]}
    document["servers"] = ["x", {"variables": {"region": {"enum": True}}}]


@pytest.mark.parametrize("change", [circular, nonsense], ids=lambda change: change.__name__)
def test_an_invalid_document_is_compared(change: Change) -> None:
    """An invalid document is compared, and the comparison ends."""
    document = vendor()
    change(document)
    assert findings(document)
