"""Check a received request against `openapi.yaml`, with a multipart parser that the client does
not use."""

import json
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import IO, Any
from urllib.parse import parse_qsl, unquote

from attrs import frozen
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

from cometchat_testing import ReceivedRequest
from tools.description import base_path, followed

from ..described import Described
from .description import DOCUMENT, OPERATIONS, is_file, validator

PREFIX = base_path(DOCUMENT)
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+)+")


@frozen
class File:
    """A file of a form."""

    name: str
    content_type: str
    content: bytes


@frozen
class Reading:
    """The content of a request: its operation, its parameters by name, its form or JSON object,
    and its errors."""

    operation: str | None
    parameters: Mapping[str, Any]
    form: Mapping[str, Any]
    problems: list[str]


def read(request: ReceivedRequest, key: str) -> Reading:
    """Read a request with the help of the description; `key` is the API key that its header must
    contain."""
    problems = [*_headers(request, key)]
    found = _operation(request)
    if found is None:
        return Reading(
            None, {}, {}, [*problems, f"no operation has {request.method} {request.path}"]
        )
    operation, parameters = found
    try:
        parameters |= _query(request, operation)
        form = _body(request, operation)
    except ValueError as error:
        return Reading(operation.name, parameters, {}, [*problems, str(error)])
    problems += _parameters(operation, parameters)
    if operation.body is not None and form is not None:
        # For JSON Schema, a file is its content as text.
        plain = {
            name: each.content.decode("latin-1") if isinstance(each, File) else each
            for name, each in form.items()
        }
        problems += [
            f"body: {error.message}" for error in validator(operation.body[1]).iter_errors(plain)
        ]
    return Reading(operation.name, parameters, form or {}, problems)


def _headers(request: ReceivedRequest, key: str) -> Iterator[str]:
    scheme = DOCUMENT["components"]["securitySchemes"]["apikey"]
    assert scheme["in"] == "header"
    if [value for name, value in request.headers if name == scheme["name"]] != [key]:
        yield "the key is not exactly once in its header"
    elsewhere = [
        request.path,
        request.query,
        *(value for name, value in request.headers if name != scheme["name"]),
    ]
    if any(key in text for text in elsewhere) or key.encode() in request.body:
        yield "the key is outside its header"


def _operation(request: ReceivedRequest) -> tuple[Described, dict[str, Any]] | None:
    """The operation of a request, and the parameters in its path."""
    if not _PATH.fullmatch(request.path):
        return None
    # Split before decoding: an encoded slash does not separate segments.
    segments = [unquote(segment, errors="strict") for segment in request.path.split("/")]
    for operation in OPERATIONS.values():
        template = f"{PREFIX}{operation.path}".split("/")
        if request.method != operation.method.upper() or len(template) != len(segments):
            continue
        pairs = list(zip(template, segments, strict=True))
        if all(part == sent or part.startswith("{") for part, sent in pairs):
            schemas = {
                each["name"]: each["schema"]
                for each in operation.parameters
                if each["in"] == "path"
            }
            return operation, {
                part[1:-1]: _typed(sent, schemas[part[1:-1]])
                for part, sent in pairs
                if part.startswith("{")
            }
    return None


def _typed(text: str, schema: Mapping[str, Any]) -> Any:
    """The value that a text in a path or a query stands for; the text itself if it has another
    type."""
    number = r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?"
    # For JSON Schema, 1.0 is an integer.
    pattern = {"integer": number, "number": number, "boolean": "true|false"}
    typed = re.fullmatch(pattern.get(schema.get("type", ""), "(?!)"), text)
    return json.loads(text) if typed else text


def _query(request: ReceivedRequest, operation: Described) -> dict[str, Any]:
    known = {
        each["name"]: followed(DOCUMENT, each["schema"])
        for each in operation.parameters
        if each["in"] == "query"
    }
    sent: dict[str, Any] = {}
    pairs = (
        parse_qsl(request.query, keep_blank_values=True, strict_parsing=True, errors="strict")
        if request.query
        else []
    )
    for name, value in pairs:
        if name not in known:
            raise ValueError(f"query: {name} is not described")
        if known[name].get("type") == "array":
            sent.setdefault(name, []).append(_typed(value, known[name]["items"]))
        elif name in sent:
            raise ValueError(f"query: {name} is sent twice")
        else:
            sent[name] = _typed(value, known[name])
    return sent


def _parameters(operation: Described, sent: Mapping[str, Any]) -> Iterator[str]:
    for each in operation.parameters:
        if each["name"] in sent:
            for error in validator(each["schema"]).iter_errors(sent[each["name"]]):
                yield f"{each['in']}: {each['name']}: {error.message}"
        elif each.get("required"):
            yield f"{each['in']}: {each['name']} is missing"


def _in_memory(*_: object, **__: object) -> IO[bytes]:
    return BytesIO()


def _body(request: ReceivedRequest, operation: Described) -> dict[str, Any] | None:
    kind, options = parse_options_header(request.header("content-type"))
    if operation.body is None:
        if request.body or kind:
            raise ValueError("body: this operation has no body")
        return None
    described, schema = operation.body
    if kind != described:
        raise ValueError(f"body: {kind or 'no content type'} is not described")
    if kind == "application/json":
        return dict(json.loads(request.body))
    fields = followed(DOCUMENT, schema)["properties"]
    # Always in memory, so that no file has to be closed.
    parser = FormDataParser(stream_factory=_in_memory, silent=False)
    _, texts, files = parser.parse(BytesIO(request.body), kind, len(request.body), options)
    form: dict[str, Any] = {}
    for name, sent in texts.lists():
        repeated = "items" in fields.get(name, {})
        if len(sent) > 1 and not repeated:
            raise ValueError(f"body: {name} is sent twice")
        if is_file(fields.get(name, {})):
            raise ValueError(f"body: {name} is not a file")
        form[name] = sent if repeated else _typed(sent[0], followed(DOCUMENT, fields.get(name, {})))
    for name, storages in files.lists():
        if len(storages) > 1 or name in form or not is_file(fields.get(name, {})):
            raise ValueError(f"body: {name} is not one file")
        form[name] = File(
            storages[0].filename or "", storages[0].content_type or "", storages[0].read()
        )
    return form
