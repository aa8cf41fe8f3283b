"""The rules for an operation and its parameters: what a client can send, and what it can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from openapi_python_client.strings import PythonIdentifier, pascal_case, snake_case

from tools.description import Node, Operation, choices, followed, mapping, required, sequence

from .names import ATTRIBUTES, RESOURCE_CLASSES
from .paging import faults_of_paging
from .resources import body_name

#: The reasons of a refusal, each with the next step.
Texts: TypeAlias = Iterator[str]

#: Headers that the client sets.
_OWN_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "apikey",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "onbehalfof",
        "transfer-encoding",
        "upgrade",
    }
)
_JSON = "application/json"
MULTIPART = "multipart/form-data"
_URLENCODED = "application/x-www-form-urlencoded"
BYTES = "application/octet-stream"
_BODIES = (_JSON, MULTIPART, _URLENCODED, BYTES)
#: Types that need more than one text.
_NESTED = frozenset({"object", "nested"})
#: Keywords that combine a schema with others.
CHOICES = ("oneOf", "anyOf", "allOf")
FILE = (
    "describe a file as type: string and format: binary, directly in the properties of a form or as"
    " a whole body"
)
_PATH = re.compile(
    r"""
    (
        /
        (?! \.{1,2} (/ | $))    # not /. and not /..
        (
            [A-Za-z0-9._~-]+    # /auth_tokens
            | \{ [^{}/]+ \}     # /{uid}
        )
    )+
    """,
    re.VERBOSE,
)
_STATUS = re.compile(
    r"""
    [1-5] (\d\d | XX)   # 200, 4XX
    | default           # the response for all other statuses
    """,
    re.VERBOSE,
)


def faults_of_operation(operation: Operation) -> Texts:
    """Yield the reasons why a client cannot have an operation."""
    if not all("name" in parameter for parameter in operation.parameters):
        yield "a $ref of its parameters names no parameter; name one of /components/parameters"
        return
    yield from _faults_of_names(operation)
    yield from _faults_of_address(operation)
    yield from _faults_of_security(operation)
    yield from _faults_of_body(operation)
    yield from _faults_of_form(operation)
    yield from _faults_of_response(operation)
    yield from faults_of_paging(operation)
    for parameter in operation.parameters:
        for text in _faults_of_parameter(operation, parameter):
            yield f"the parameter {parameter['name']} {text}"


def _faults_of_names(operation: Operation) -> Texts:
    # The first word of the operationId is the name of the method.
    if not _is_name(operation.node.get("operationId") or ""):
        yield (
            "no operationId that begins with a verb; add one of A-Z and a-z with more than one"
            " word, such as listRoles"
        )
    # The tag is the name of the resource, an attribute of the client.
    tag = operation.tag
    is_taken = snake_case(tag) in ATTRIBUTES or pascal_case(tag) in RESOURCE_CLASSES
    if is_taken or not _is_name(tag):
        yield (
            f"the tag {tag!r} cannot be an attribute of a client; give the operation a tag such as"
            " Roles"
        )


def _is_name(text: str) -> bool:
    """Whether the generator makes a name of a tag or an operationId that reads as the text does."""
    is_ascii = re.fullmatch("[A-Za-z][A-Za-z0-9._ -]*", text) is not None
    return is_ascii and PythonIdentifier(text, "") == snake_case(text)


def _faults_of_address(operation: Operation) -> Texts:
    if operation.method in ("head", "options", "trace"):
        yield "the client does not send this method; describe a GET"
    # A value is a whole segment, so that it cannot lead a request to another path.
    if not _PATH.fullmatch(operation.path):
        yield (
            "each segment of the path must be text of A-Z, a-z, 0-9 and ._~-, or one name in"
            " braces, and not '.' or '..'; describe any other segment as one parameter, such as"
            " {name}"
        )
    path_item = operation.document["paths"][operation.path]
    if "servers" in operation.node or "servers" in path_item:
        yield "names servers; the client sends all calls to one address, so remove them"


def _faults_of_security(operation: Operation) -> Texts:
    security = operation.node.get("security", operation.document.get("security"))
    if security is None:
        return
    if not any(security):
        yield (
            "its security needs no key, but the client sends the key with every call; name the key"
            " there"
        )
    schemes = mapping(mapping(operation.document, "components"), "securitySchemes")
    names = {name for requirement in security for name in requirement}
    unknown = ", ".join(sorted(names - schemes.keys()))
    if unknown:
        yield f"its security names {unknown}, which no securityScheme describes; name the key"


# The body of the request.


def _faults_of_body(operation: Operation) -> Texts:
    body = mapping(operation.request_body, "content")
    kinds = ", ".join(body)
    if "requestBody" in operation.node and not body:
        yield "the body has no media type; describe one"
    # The client does not choose between several.
    if len(body) > 1:
        yield f"the body has the media types {kinds}; describe only one of them"
    if not body.keys() <= {*_BODIES}:
        yield f"the client cannot send {kinds}; use {', '.join(_BODIES)}"
    name = body_name(operation)
    arguments = [snake_case(parameter["name"]) for parameter in operation.parameters]
    if body and name in arguments:
        yield f"the parameter {name} has the name of the argument for the body; rename it"
    if BYTES in body and not _is_file(operation, mapping(body[BYTES], "schema")):
        yield f"the body is not a file; {FILE}"


def _faults_of_form(operation: Operation) -> Texts:
    for kind, media in mapping(operation.request_body, "content").items():
        if kind not in (MULTIPART, _URLENCODED):
            continue
        form = mapping(media, "schema")
        # Each property of a form is a part of it.
        if _types(operation, form) != {"object"}:
            yield "the form is not an object; describe one with a property for each part"
        absent = (
            required(operation.document, followed(operation.document, form))
            - operation.fields(form).keys()
        )
        for name in sorted(absent):
            yield f"the form requires {name}, but does not describe it; describe this field"
        for name, field in operation.fields(form).items():
            if kind == _URLENCODED and _NESTED & _types(operation, field):
                yield f"{name} is an object in a URL-encoded form; describe the body as {_JSON}"
            encoding = mapping(mapping(media, "encoding"), name)
            yield from _faults_of_encoding(name, encoding, is_file=_is_file(operation, field))


def _faults_of_encoding(name: str, encoding: Node, *, is_file: bool) -> Texts:
    # The client sends a part for each value of an array.
    if encoding.get("explode") is False or encoding.get("style", "form") != "form":
        yield f"the encoding of {name} joins values in one text; remove style and explode"
    # Only a file may name its content type.
    if {"contentType", "headers"} & encoding.keys() and not is_file:
        yield f"the client sends no header and no content type for {name}; remove them"


def _is_file(operation: Operation, schema: Node) -> bool:
    return followed(operation.document, schema).get("format") == "binary"


# Responses.


def _faults_of_response(operation: Operation) -> Texts:
    for status in mapping(operation.node, "responses"):
        if not _STATUS.fullmatch(status):
            yield f"{status} is not a status; describe one such as 200, 4XX or default"
    # A method has one type of result.
    results = {json.dumps(_schemas(content)) for content in operation.successes}
    if len(results) != 1:
        yield "needs exactly one schema of a successful response; describe it in one status"
    for content in operation.successes:
        unreadable = ", ".join(sorted(content.keys() - {_JSON}))
        if unreadable:
            yield (
                f"has a response in {unreadable}, and the client reads JSON only; leave the"
                " operation out"
            )
        if None in _schemas(content):
            yield "has a response without a schema; add one, such as {}"


def _schemas(content: Node) -> list[Node | None]:
    return [media.get("schema") for media in content.values()]


# Parameters. These texts follow the name of the parameter.


def _faults_of_parameter(operation: Operation, parameter: Node) -> Texts:
    place = parameter.get("in")
    types = _types(operation, mapping(parameter, "schema"))
    if "schema" not in parameter and "content" not in parameter:
        yield "has no schema; add one"
    if place == "cookie":
        yield "is in a cookie, and the client sends no cookies; remove it"
    if place == "header" and not _is_free_header(parameter["name"]):
        yield "is a header that only the client sets, or that no request can have; remove it"
    yield from _faults_of_parameter_marks(operation, parameter, types)
    yield from _faults_of_notation(parameter, types)


def _faults_of_parameter_marks(operation: Operation, parameter: Node, types: set[str]) -> Texts:
    # Only a text of the path can be hidden, or compared with the response.
    is_marked = "x-secret" in parameter or "x-repeated-at" in parameter
    if is_marked and not (parameter.get("in") == "path" and types == {"string"}):
        yield "has x-secret or x-repeated-at, and is not a text in the path; remove it"
    pointer = parameter.get("x-repeated-at")
    if isinstance(pointer, str) and not _is_text_at(operation, pointer):
        yield (
            f"has x-repeated-at: {pointer}, and the response has no text there; name the place of"
            " one, such as /data/id"
        )


def _is_text_at(operation: Operation, pointer: str) -> bool:
    """Whether a response has a text at a place, which a client can compare."""
    root, *names = pointer.split("/")
    schemas: list[Node] = [operation.success_schema]
    for name in names:
        fields = [operation.fields(schema) for schema in _alternatives(operation, schemas)]
        schemas = [mapping(each, name) for each in fields if name in each]
    types = [_types(operation, schema) for schema in schemas]
    return not root and any("string" in each for each in types)


def _alternatives(operation: Operation, schemas: list[Node]) -> Iterator[Node]:
    """Some schemas, and those of which their values fit one."""
    for schema in schemas:
        node = followed(operation.document, schema)
        yield node
        yield from choices(operation.document, node)


def _is_free_header(name: str) -> bool:
    is_valid = re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) is not None
    return is_valid and name.lower() not in _OWN_HEADERS


def _faults_of_notation(parameter: Node, types: set[str]) -> Texts:
    # A value is one text; an array in a query has one for each element.
    is_in_query = parameter.get("in") == "query"
    is_separate = is_in_query and parameter.get("explode") is not False
    styles = (None, "form" if is_in_query else "simple")
    if "content" in parameter or parameter.get("style") not in styles:
        yield "has a notation that the client cannot write; use style: form"
    elif "array" in types and not is_separate:
        yield "is an array in one text; describe it as a string"
    elif types & _NESTED:
        yield "is an object; describe each of its fields as a parameter"


def _types(operation: Operation, schema: Any, levels: int = 9) -> set[str]:
    """The types that a value can have; `nested` for an array that holds more than texts."""
    schema = followed(operation.document, schema)
    stated = schema.get("type") or ()
    types = {stated} if isinstance(stated, str) else {*stated}
    if "properties" in schema or "additionalProperties" in schema:
        types.add("object")
    if not levels:
        return types
    if {"array", *_NESTED} & _types(operation, schema.get("items"), levels - 1):
        types.add("nested")
    for key in CHOICES:
        for choice in sequence(schema, key):
            types |= _types(operation, choice, levels - 1)
    return types
