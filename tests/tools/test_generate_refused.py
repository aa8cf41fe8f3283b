"""The generator: descriptions that are not OpenAPI, that it would read wrongly, or that it does
not support."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools.generate.generate import generate

from .test_generate import (
    INT,
    LIST,
    ONE,
    SCHEMAS,
    TEXTS,
    USERS,
    Change,
    ban,
    form_of,
    moved,
    parameter,
    query,
    responses,
    schema,
    small,
    users,
)

TEXT = {"type": "string"}
ID = {"type": "object", "required": ["id"], "properties": {"id": TEXT}}
BOX, ANSWER, QUERY = (
    f"{SCHEMAS}/Box",
    f"{USERS}/responses/200/content/application~1json/schema",
    f"{USERS}/parameters/0",
)
FIELD = f"{ANSWER}/properties/a"
BYTES = "application/octet-stream"
OWN_PROPERTIES = "beside oneOf, anyOf or one allOf would be left out"


def box(**node: Any) -> Change:
    """A component that a response has."""

    def change(document: Any) -> None:
        schema("Box", **node)(document)
        answer({"$ref": f"#{BOX}"})(document)

    return change


def answer(content: Any) -> Change:
    return responses(
        **{"200": {"description": "x", "content": {"application/json": {"schema": content}}}}
    )


def field(**node: Any) -> Change:
    """A response with one field."""
    return answer({"type": "object", "properties": {"a": node}})


def body(kind: str, **media: Any) -> Change:
    return users(requestBody={"required": True, "content": {kind: media}})


def in_path(path: str, name: str, **more: Any) -> Change:
    def change(document: Any) -> None:
        moved(path)(document)
        document["paths"][path]["post"]["parameters"] = [
            {**query(name, required=True), "in": "path", **more}
        ]

    return change


def pets(**kind: Any) -> Change:
    """A response that is one of two objects, with a discriminator."""

    def change(document: Any) -> None:
        for name in ("Cat", "Dog"):
            schema(name, type="object", required=["kind"], properties={"kind": kind})(document)
        choices = [{"$ref": f"#{SCHEMAS}/{name}"} for name in ("Cat", "Dog")]
        answer({"oneOf": choices, "discriminator": {"propertyName": "kind"}})(document)

    return change


def both(*changes: Change) -> Change:
    return lambda document: [each(document) for each in changes]


def server(**variable: Any) -> Change:
    return lambda document: document.update(
        servers=[{"url": "https://{v}.x/v3", "variables": {"v": variable}}]
    )


def references(kind: str, **second: Any) -> Change:
    """A component that refers to another one."""
    return lambda d: d["components"].update(
        {kind: {"A": {"$ref": f"#/components/{kind}/B"}, "B": second}}
    )


ANY_OR_NULL = {"type": ["array", "null"], "items": TEXT}
#: Changes of a description that are refused; the place and the decisive words of the first line.
REFUSALS: dict[str, tuple[Change, str, str]] = {
    # Read wrongly by the generator, or sent wrongly by the client.
    "fields beside one allOf": (box(allOf=[ONE], properties={"a": INT}), BOX, OWN_PROPERTIES),
    "required beside one allOf": (box(allOf=[ONE], required=["data"]), BOX, OWN_PROPERTIES),
    "fields beside oneOf": (
        box(properties={"a": INT}, oneOf=[{"required": ["a"]}]),
        BOX,
        OWN_PROPERTIES,
    ),
    "allOf in allOf": (
        box(allOf=[ONE, {"allOf": [ID]}]),
        BOX,
        "has parts; describe its fields directly",
    ),
    "allOf of texts": (
        field(allOf=[TEXT, {"maxLength": 3}]),
        FIELD,
        "a part of allOf is not an object",
    ),
    "limits beside a $ref": (
        both(schema("Box", **TEXT), parameter("n", schema={"$ref": f"#{BOX}", "maxLength": 5})),
        f"{QUERY}/schema",
        "maxLength beside $ref would be left out; describe it in the schema that $ref names",
    ),
    "fields beside a $ref": (
        answer({**ONE, "properties": {"a": INT}}),
        ANSWER,
        "properties beside $ref would be left",
    ),
    "an open discriminator": (
        pets(**TEXT),
        ANSWER,
        "the discriminator kind may have any text in an alternative",
    ),
    "no type": (field(type=[]), FIELD, "type has no value; give it one, or remove it"),
    "a type that is null": (
        parameter("a", schema={"type": None}),
        f"{QUERY}/schema",
        "type has no value; give it one",
    ),
    "a set that is null": (
        field(type="string", enum=None),
        FIELD,
        "enum has no value; give it one",
    ),
    "closed patterns": (
        box(patternProperties={"^x": TEXT}, additionalProperties=False),
        BOX,
        "fields of patternProperties would be unknown fields; remove additionalProperties: false",
    ),
    "writeOnly and required": (
        box(required=["a"], properties={"a": {"type": "string", "writeOnly": True}}),
        f"{BOX}/properties/a",
        "writeOnly and required in a response",
    ),
    "readOnly in one part, required in another": (
        both(
            schema(
                "Box",
                allOf=[
                    {"properties": {"a": {"type": "string", "readOnly": True}}},
                    {"required": ["a"]},
                ],
            ),
            body("application/json", schema={"$ref": f"#{BOX}"}),
        ),
        f"{BOX}/properties/a",
        "readOnly and required in a request",
    ),
    "a title": (
        box(type="object", title="Other"),
        BOX,
        "the title would rename the class; remove the title",
    ),
    "an array or null in one text": (
        parameter("a", schema=ANY_OR_NULL, explode=False),
        LIST,
        "a is an array in one",
    ),
    "an array or a text in one text": (
        parameter("a", schema={"anyOf": [TEXT, TEXTS]}, explode=False),
        LIST,
        "the parameter a is an array in one text; describe it as a string",
    ),
    "an array or null in a header": (
        parameter("X-A", **{"in": "header"}, schema=ANY_OR_NULL),
        LIST,
        "an array in one",
    ),
    "an object or null in a query": (
        parameter("a", schema={"type": ["object", "null"]}),
        LIST,
        "a is an object",
    ),
    "a map in a query": (
        parameter("a", schema={"additionalProperties": TEXT}),
        LIST,
        "the parameter a is an object",
    ),
    "a repeated query": (
        parameter("a", **{"x-repeated-at": "/data"}),
        LIST,
        "and is not a text in the path; remove it",
    ),
    "a secret number": (
        in_path("/ban/{a}", "a", **{"x-secret": True}),
        "POST /ban/{a}",
        "not a text in the path",
    ),
    "a header with a space": (
        parameter("X A", **{"in": "header"}),
        LIST,
        "that no request can have; remove it",
    ),
    "a header of the connection": (
        parameter("Transfer-Encoding", **{"in": "header"}),
        LIST,
        "only the client sets",
    ),
    "a body without a kind": (
        users(requestBody={"content": {}}),
        LIST,
        "the body has no media type; describe one",
    ),
    "bytes that are a text": (
        body(BYTES, schema=TEXT),
        LIST,
        "the body is not a file; describe a file as type: string",
    ),
    "bytes without a schema": (
        body(BYTES),
        LIST,
        "the body is not a file; describe a file as type: string",
    ),
    "a form of anything": (form_of({}), LIST, "the form is not an object"),
    "a form or null": (form_of({"type": ["object", "null"]}), LIST, "the form is not an object"),
    "the kind of a part": (
        form_of(
            {"type": "object", "properties": {"a": TEXT}},
            encoding={"a": {"contentType": "text/xml"}},
        ),
        LIST,
        "the client sends no header and no content type for a; remove them",
    ),
    "values with a bar": (
        form_of(
            {"type": "object", "properties": {"a": TEXTS}},
            encoding={"a": {"style": "pipeDelimited"}},
        ),
        LIST,
        "the encoding of a joins values in one text; remove style and explode",
    ),
    "a response without a schema": (
        responses(**{"200": {"description": "x", "content": {"application/json": {}}}}),
        LIST,
        "has a response without a schema; add one, such as {}",
    ),
    "a status of two digits": (
        responses(**{"20": {"description": "x"}}),
        LIST,
        "20 is not a status; describe one such",
    ),
    "a status in small letters": (
        responses(**{"5xx": {"description": "x"}}),
        LIST,
        "5xx is not a status",
    ),
    "a tag that is a class": (
        users(tags=["Resource"]),
        LIST,
        "the tag 'Resource' cannot be an attribute of a client",
    ),
    "a tag that Python has": (
        users(tags=["Type"]),
        LIST,
        "the tag 'Type' cannot be an attribute of a client",
    ),
    "a tag beyond ASCII": (
        users(tags=["Rôles"]),
        LIST,
        "the tag 'Rôles' cannot be an attribute of a client",
    ),
    "a verb beyond ASCII": (
        users(operationId="löschen"),
        LIST,
        "no operationId that begins with a verb; add one",
    ),
    "a verb alone that Python has": (
        users(operationId="list"),
        LIST,
        "with more than one word, such as listRoles",
    ),
    "regions with digits": (
        server(enum=["1", "2"], default="1"),
        "/servers/0/variables/v",
        "use other words",
    ),
    "regions that differ in a sign": (
        server(enum=["a-1", "a_1"], default="a-1"),
        "/servers/0/variables/v",
        "use other",
    ),
    "a region that is no region": (
        server(enum=["us"], default="eu"),
        "/servers/0/variables/v",
        "use other words",
    ),
    "no operation": (lambda d: d["paths"].clear(), "/paths", "no operation; describe one"),
    "a schema with the name of a resource": (
        schema("ChatUsers", **ID),
        f"{SCHEMAS}/ChatUsers",
        "a class of this name",
    ),
    "a schema with the name of a class": (
        schema("Mapping", **ID),
        f"{SCHEMAS}/Mapping",
        "a class of this name",
    ),
    # Not supported by the generator.
    "a set of numbers": (
        field(type="number", enum=[0.5]),
        FIELD,
        "the generator does not support it, so describe it",
    ),
    "a set of several types": (
        field(enum=["a", 1]),
        FIELD,
        "GET /users: Cannot parse response for status code",
    ),
    "an array of nothing": (
        field(type="array"),
        FIELD,
        "type array must have items or prefixItems defined",
    ),
    "an array of itself": (
        box(type="array", items={"$ref": f"#{BOX}"}),
        f"{BOX}/items",
        "circular references are not supported",
    ),
    "a default of another type": (
        parameter("a", schema={**INT, "default": "x"}),
        LIST,
        "Invalid int value: x",
    ),
    "a default outside of its set": (
        parameter("a", schema={"enum": ["a"], "default": "z"}),
        f"{QUERY}/schema",
        "GET /users: cannot parse parameter of endpoint list_chat_users: Value z is not valid for enum",
    ),
    "a $ref into a schema": (
        field(**{"$ref": f"#{SCHEMAS}/One/properties/data"}),
        FIELD,
        "Could not find reference in parsed models",
    ),
    "a $ref to a $ref of a response": (
        both(
            references("responses", description="x"),
            responses(**{"200": {"$ref": "#/components/responses/A"}}),
        ),
        f"{USERS}/responses/200",
        "Top-level $ref inside components/responses is not supported",
    ),
    "a $ref to a $ref of a parameter": (
        references("parameters", **query("a")),
        "/components/parameters/A",
        "Reference parameters are not supported",
    ),
    "a class twice": (
        both(schema("BoxA", **ID), box(type="object", properties={"a": {**ID, "required": []}})),
        f"{BOX}/properties/a",
        'Attempted to generate duplicate models with name "BoxA"',
    ),
    "a parameter twice": (
        users(parameters=[query("a"), query("a")]),
        USERS,
        "Parameters MUST NOT contain duplicates",
    ),
    "an error in XML": (
        responses(**{"4XX": {"description": "x", "content": {"application/xml": {"schema": ONE}}}}),
        f"{USERS}/responses/4XX",
        "Unsupported content_type application/xml",
    ),
    "a name without a parameter": (
        moved("/ban/{uid}"),
        "POST /ban/{uid}",
        "Path parameters do not match with path",
    ),
    "a parameter that the path lacks": (
        parameter("a", **{"in": "path"}, required=True),
        LIST,
        "do not match with path",
    ),
    "a name that begins with a digit": (
        in_path("/ban/{1}", "1"),
        "POST /ban/{1}",
        "do not match with path",
    ),
    "an optional name": (
        in_path("/ban/{a}", "a", required=False),
        "/paths/~1ban~1{a}/post/parameters/0",
        "Path parameter must be required",
    ),
    # Not OpenAPI.
    "no version": (lambda d: d.pop("openapi"), "/", "openapi is missing; correct this place"),
    "a version of the future": (
        lambda d: d.update(openapi="4.0.0"),
        "/openapi",
        "Only OpenAPI versions 3",
    ),
    "no title": (lambda d: d["info"].pop("title"), "/info", "title is missing"),
    "a parameter without a name": (
        users(parameters=[{"in": "query"}]),
        QUERY,
        "name is missing; correct this place",
    ),
    "a parameter in a body": (
        parameter("a", **{"in": "body"}),
        f"{QUERY}/in",
        "Input should be 'query', 'path', 'head",
    ),
    "parameters by name": (
        users(parameters={"a": {}}),
        f"{USERS}/parameters",
        "Input should be a valid list",
    ),
    "an unknown type": (
        field(type="text"),
        f"{FIELD}/type",
        "Input should be 'string', 'number', 'integer'",
    ),
    "a schema that is true": (
        lambda d: d["components"]["schemas"].update(Box=True),
        BOX,
        "Input should be a valid dictionary or instance of Schema; correct this place",
    ),
    "an operationId that is a number": (
        users(operationId=5),
        f"{USERS}/operationId",
        "Input should be a valid string",
    ),
    "an operation without responses": (
        ban(responses=None),
        "/paths/~1ban/post/responses",
        "Input should be a valid",
    ),
    "a reference to itself": (
        box(**{"$ref": f"#{BOX}"}),
        f"$ref '#{BOX}' leads back to itself",
        "describe the object in one of the places",
    ),
    "a circle of references": (
        both(box(**{"$ref": f"#{SCHEMAS}/Bag"}), schema("Bag", **{"$ref": f"#{BOX}"})),
        f"$ref '#{BOX}' leads back to itself",
        "describe the object in one of the places",
    ),
    "a circle of responses": (
        both(
            references("responses", **{"$ref": "#/components/responses/A"}),
            responses(**{"200": {"$ref": "#/components/responses/A"}}),
        ),
        "$ref '#/components/responses/A' leads back to itself",
        "describe the object in one of the places",
    ),
    "a parameter that is a schema": (
        users(parameters=[ONE]),
        LIST,
        "a $ref of its parameters names no parameter; name one of /components/parameters",
    ),
    "a path in another place": (
        lambda d: d["paths"].update({"/roles": {"$ref": "#/components/pathItems/Roles"}}),
        "$ref '#/components/pathItems/Roles' has no target",
        "add it, or correct the reference",
    ),
}


@pytest.mark.parametrize(("change", "place", "words"), REFUSALS.values(), ids=REFUSALS)
def test_each_refusal_names_its_place(
    tmp_path: Path, change: Change, place: str, words: str
) -> None:
    """A description that is not OpenAPI, or would be read wrongly, is refused with the place and
    the next step."""
    document = small()
    change(document)
    (tmp_path / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    with pytest.raises(ValueError, match=r"^openapi\.yaml: ") as caught:
        generate(tmp_path / "code", tmp_path / "openapi.yaml")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"openapi.yaml: {place}")
    assert words in lines[0]
    assert all(";" in line and "object at 0x" not in line for line in lines)
    assert not (tmp_path / "code").exists()
