"""The rules for an operation and its parameters: what a client can send, and what it can read.

A rule yields the text of each refusal, which follows the place of the operation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from openapi_python_client.strings import PythonIdentifier, pascal_case, snake_case

from tools.description import Node, mapping, sequence

from .paging import faults_of_paging
from .resources import Method

Texts: TypeAlias = Iterator[str]
OperationRule: TypeAlias = Callable[[Method], Texts]
ParameterRule: TypeAlias = Callable[[Method, Node], Texts]

#: Attributes of a client that are not resources.
ATTRIBUTES = frozenset(
    {"aclose", "api", "base_url", "close", "rate_limit", "request", "with_options"}
)
#: Classes that the generated modules use besides those of the schemas.
CLASSES = frozenset(
    {
        "Any",
        "AsyncClient",
        "AsyncPages",
        "Call",
        "ClassVar",
        "Client",
        "File",
        "Iterator",
        "Literal",
        "Mapping",
        "Model",
        "Operation",
        "Pages",
        "Parameter",
        "Resource",
        "Resources",
        "Secret",
        "Self",
    }
)
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


# Names, path and security.


def operation_id_begins_with_a_verb(operation: Method) -> Texts:
    """The first word of the operationId is the name of the method."""
    if not _is_name(operation.node.get("operationId") or ""):
        yield (
            "no operationId that begins with a verb; add one of A-Z and a-z with more than one"
            " word, such as listRoles"
        )


def tag_can_be_an_attribute(operation: Method) -> Texts:
    """The tag is the name of the resource, an attribute of the client."""
    tag = operation.tag
    is_taken = snake_case(tag) in ATTRIBUTES or pascal_case(tag) in CLASSES
    if is_taken or not _is_name(tag):
        yield (
            f"the tag {tag!r} cannot be an attribute of a client; give the operation a tag such as"
            " Roles"
        )


def _is_name(text: str) -> bool:
    """Whether the generator makes a name of a tag or an operationId that reads as the text does."""
    is_ascii = re.fullmatch("[A-Za-z][A-Za-z0-9._ -]*", text) is not None
    return is_ascii and PythonIdentifier(text, "") == snake_case(text)


def method_can_be_sent(operation: Method) -> Texts:
    """The client reads, makes, changes and deletes."""
    if operation.method in ("head", "options", "trace"):
        yield "the client does not send this method; describe a GET"


def path_has_plain_segments(operation: Method) -> Texts:
    """A value is a whole segment, so that it cannot lead a request to another path."""
    start, *segments = operation.path.split("/")
    if start or not segments or not all(map(_is_segment, segments)):
        yield (
            "each segment of the path must be text of A-Z, a-z, 0-9 and ._~-, or one name in"
            " braces, and not '.' or '..'; describe any other segment as one parameter, such as"
            " {name}"
        )


def _is_segment(segment: str) -> bool:
    if segment in (".", ".."):
        return False
    pattern = r"""
        [A-Za-z0-9._~-]+    # auth_tokens
        | \{ [^{}/]+ \}     # {uid}
    """
    return re.fullmatch(pattern, segment, re.VERBOSE) is not None


def security_needs_a_key(operation: Method) -> Texts:
    """The client sends the key with every call."""
    security = _security(operation)
    if security is not None and not any(security):
        yield (
            "its security needs no key, but the client sends the key with every call; name the key"
            " there"
        )


def security_is_described(operation: Method) -> Texts:
    """A security that no scheme describes says nothing about what to send."""
    schemes = mapping(mapping(operation.document, "components"), "securitySchemes")
    names = {name for needed in _security(operation) or () for name in needed}
    unknown = ", ".join(sorted(names - schemes.keys()))
    if unknown:
        yield f"its security names {unknown}, which no securityScheme describes; name the key"


def _security(operation: Method) -> Any:
    return operation.node.get("security", operation.document.get("security"))


def servers_are_shared(operation: Method) -> Texts:
    """A client has one address."""
    item = operation.document["paths"][operation.path]
    if "servers" in operation.node or "servers" in item:
        yield "has servers of its own; the client sends all calls to one address, so remove them"


# The body of the request.


def no_parameter_is_the_body(operation: Method) -> Texts:
    """The argument for the body is called `body`."""
    arguments = [snake_case(parameter["name"]) for parameter in operation.parameters]
    if operation.body and "body" in arguments:
        yield "the parameter body has the name of the argument for the body; rename it"


def body_has_one_media_type(operation: Method) -> Texts:
    """The client does not choose between several."""
    if "requestBody" in operation.node and not operation.body:
        yield "the body has no media type; describe one"
    if len(operation.body) > 1:
        yield f"the body has the media types {', '.join(operation.body)}; describe only one of them"


def body_can_be_sent(operation: Method) -> Texts:
    """The client writes only these media types."""
    if not operation.body.keys() <= {*_BODIES}:
        yield f"the client cannot send {', '.join(operation.body)}; use {', '.join(_BODIES)}"


def form_is_an_object(operation: Method) -> Texts:
    """Each property of a form is a part of it."""
    forms = _body_schemas(operation, MULTIPART, _URLENCODED)
    if any(_types(operation, form) != {"object"} for form in forms):
        yield "the form is not an object; describe one with a property for each part"


def bytes_are_a_file(operation: Method) -> Texts:
    """The argument for such a body is a file."""
    bodies = _body_schemas(operation, BYTES)
    if any(operation.target(body).get("format") != "binary" for body in bodies):
        yield f"the body is not a file; {FILE}"


def urlencoded_fields_are_texts(operation: Method) -> Texts:
    """A URL-encoded form has no notation for an object."""
    fields = _form_fields(operation, _URLENCODED)
    names = ", ".join(name for name in fields if _NESTED & _types(operation, fields[name]))
    if names:
        yield f"{names} is an object in a URL-encoded form; describe the body as {_JSON}"


def values_of_a_form_are_separate(operation: Method) -> Texts:
    """The client sends a part for each value of an array."""
    names = ", ".join(
        name
        for name, encoding in _encodings(operation)
        if encoding.get("explode") is False or encoding.get("style", "form") != "form"
    )
    if names:
        yield f"the encoding of {names} joins values in one text; remove style and explode"


def parts_have_no_headers(operation: Method) -> Texts:
    """Only a file has a content type of its own."""
    fields = _form_fields(operation, *operation.body)
    names = ", ".join(
        name
        for name, encoding in _encodings(operation)
        if {"contentType", "headers"} & encoding.keys()
        and operation.target(fields.get(name, {})).get("format") != "binary"
    )
    if names:
        yield f"the client sends no header and no content type for {names}; remove them"


def _body_schemas(operation: Method, *kinds: str) -> list[Node]:
    """The schemas of the body, if it has one of some media types."""
    bodies = operation.body.items()
    return [mapping(media, "schema") for kind, media in bodies if kind in kinds]


def _form_fields(operation: Method, *kinds: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for form in _body_schemas(operation, *kinds):
        fields.update(mapping(operation.target(form), "properties"))
    return fields


def _encodings(operation: Method) -> Iterator[tuple[str, Any]]:
    for media in operation.body.values():
        yield from mapping(media, "encoding").items()


# Responses.


def statuses_are_valid(operation: Method) -> Texts:
    """OpenAPI has statuses, ranges of them and a default."""
    pattern = r"""
        [1-5] (\d\d | XX)   # 200, 4XX
        | default           # the response for all other statuses
    """
    statuses = operation.node["responses"] or ()
    names = ", ".join(each for each in statuses if not re.fullmatch(pattern, each, re.VERBOSE))
    if names:
        yield f"{names} is not a status; describe one such as 200, 4XX or default"


def success_has_one_schema(operation: Method) -> Texts:
    """A method has one type of result."""
    schemas = {
        json.dumps([mapping(media, "schema") for media in content.values()])
        for content in operation.successes
    }
    if len(schemas) != 1:
        yield "needs exactly one schema of a successful response; describe it in one status"


def responses_are_json(operation: Method) -> Texts:
    """The client reads no other media type."""
    kinds = {kind for content in operation.successes for kind in content}
    unreadable = ", ".join(sorted(kinds - {_JSON}))
    if unreadable:
        yield (
            f"has a response in {unreadable}, and the client reads JSON only; leave the operation"
            " out"
        )


def responses_have_schemas(operation: Method) -> Texts:
    """Without a schema, the result of a method has no type."""
    media = [each for content in operation.successes for each in content.values()]
    if any("schema" not in each for each in media):
        yield "has a response without a schema; add one, such as {}"


def pages_can_be_read(operation: Method) -> Texts:
    """A pager reads parameters and fields that the description must have."""
    yield from faults_of_paging(operation)


OPERATION_RULES: tuple[OperationRule, ...] = (
    operation_id_begins_with_a_verb,
    tag_can_be_an_attribute,
    method_can_be_sent,
    path_has_plain_segments,
    security_needs_a_key,
    security_is_described,
    servers_are_shared,
    no_parameter_is_the_body,
    body_has_one_media_type,
    body_can_be_sent,
    form_is_an_object,
    bytes_are_a_file,
    urlencoded_fields_are_texts,
    values_of_a_form_are_separate,
    parts_have_no_headers,
    statuses_are_valid,
    success_has_one_schema,
    responses_are_json,
    responses_have_schemas,
    pages_can_be_read,
)


# Parameters.


def parameter_has_a_schema(_: Method, parameter: Node) -> Texts:
    """Without a schema, the argument has no type."""
    if "schema" not in parameter and "content" not in parameter:
        yield "has no schema; add one"


def parameter_is_not_a_cookie(_: Method, parameter: Node) -> Texts:
    """A client has no cookies."""
    if parameter.get("in") == "cookie":
        yield "is in a cookie, and the client sends no cookies; remove it"


def marked_parameter_is_a_text_of_the_path(operation: Method, parameter: Node) -> Texts:
    """Only a text of the path can be hidden, or compared with the response."""
    is_marked = "x-secret" in parameter or "x-repeated-at" in parameter
    is_text = _types(operation, mapping(parameter, "schema")) == {"string"}
    if is_marked and not (parameter.get("in") == "path" and is_text):
        yield "has x-secret or x-repeated-at, and is not a text in the path; remove it"


def header_can_be_set(_: Method, parameter: Node) -> Texts:
    """The client sets some headers, such as `apikey`."""
    if parameter.get("in") != "header":
        return
    name = parameter["name"]
    is_valid = re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name)
    if name.lower() in _OWN_HEADERS or not is_valid:
        yield "is a header that only the client sets, or that no request can have; remove it"


def parameter_can_be_written(operation: Method, parameter: Node) -> Texts:
    """A value is one text; an array in a query has one for each element."""
    is_in_query = parameter.get("in") == "query"
    styles = (None, "form" if is_in_query else "simple")
    types = _types(operation, mapping(parameter, "schema"))
    if "content" in parameter or parameter.get("style") not in styles:
        yield "has a notation that the client cannot write; use style: form"
    elif "array" in types and not (is_in_query and parameter.get("explode") is not False):
        yield "is an array in one text; describe it as a string"
    elif types & _NESTED:
        yield "is an object; describe each of its fields as a parameter"


def _types(operation: Method, schema: Any, levels: int = 9) -> set[str]:
    """The types that a value can have; `nested` for an array that holds more than texts."""
    schema = operation.target(schema)
    stated = schema.get("type", ())
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


PARAMETER_RULES: tuple[ParameterRule, ...] = (
    parameter_has_a_schema,
    parameter_is_not_a_cookie,
    marked_parameter_is_a_text_of_the_path,
    header_can_be_set,
    parameter_can_be_written,
)
