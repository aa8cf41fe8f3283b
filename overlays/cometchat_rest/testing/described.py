"""Requests are checked against openapi.yaml, and operations without a handler are answered with its examples.

The description is read as data. Nothing here comes from the client or from the generated code.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import yaml
from attrs import frozen
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from starlette.responses import JSONResponse, Response

from .errors import bad_request
from .form import parse
from .state import ReceivedRequest

# The wheel has the file in the package, and a checkout has it at the top.
_PLACES = (Path(__file__).parents[1] / "openapi.yaml", Path(__file__).parents[3] / "openapi.yaml")

#: Without these patterns, the checks would need more packages.
_FORMATS = {
    "date-time": r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]*",
}
# An error of jsonschema repeats the whole value.
_LONGEST_TEXT = 200
_CHECKER = FormatChecker(formats=("date", "email", "ipv4", "ipv6", "uuid"))


def _is_text_of(name: str, value: object) -> bool:
    if not isinstance(value, str):
        return True
    matches = re.fullmatch(_FORMATS[name], value, re.ASCII) is not None
    if matches and name == "date-time":
        datetime.fromisoformat(value.upper())
    return matches


for _name in _FORMATS:
    _CHECKER.checks(_name, ValueError)(partial(_is_text_of, _name))


@cache
def description() -> Mapping[str, Any]:
    """The content of openapi.yaml."""
    path = next(place for place in _PLACES if place.exists())
    document: dict[str, Any] = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return document


@frozen(eq=False)
class DescribedOperation:
    """One operation of the description.

    Attributes:
        name: its `operationId` in snake case.
        method: in capitals.
        path: its segments after `/v3`; `None` is a parameter.
        names: the names of the path parameters, in order.
    """

    name: str
    method: str
    path: tuple[str | None, ...]
    names: tuple[str, ...]
    _content: Mapping[str, Any]
    _parameters: tuple[Mapping[str, Any], ...]

    def read(self, request: ReceivedRequest, arguments: list[str], *, with_body: bool) -> dict[str, Any]:
        """Check a request, and return the values of its query with their defaults; raises RefusalError."""
        problems: dict[str, list[str]] = {}
        path = dict(zip(self.names, arguments, strict=True))
        self._check_values("path", {name: [text] for name, text in path.items()}, problems)
        query = self._check_values("query", request.parameters, problems)
        names = [parameter["name"] for parameter in self._parameters if parameter["in"] == "header"]
        headers = {name: [text for own, text in request.headers if own == name.lower()] for name in names}
        self._check_values("header", {name: texts for name, texts in headers.items() if texts}, problems)
        if with_body:
            self._check_body(request, problems)
        if problems:
            raise bad_request(problems)
        return query

    def _check_values(
        self, place: str, sent: Mapping[str, list[str]], problems: dict[str, list[str]]
    ) -> dict[str, object]:
        known = {parameter["name"]: parameter for parameter in self._parameters if parameter["in"] == place}
        values: dict[str, object] = {}
        for name in sent.keys() - known.keys():
            problems[name] = ["is not a parameter of this operation"]
        for name, parameter in known.items():
            schema = _target(parameter.get("schema", {}))
            if name in sent:
                values[name] = check_texts(name, sent[name], schema, problems)
            elif parameter.get("required"):
                problems[name] = ["is missing"]
            elif "default" in schema:
                values[name] = schema["default"]
        return values

    def _check_body(self, request: ReceivedRequest, problems: dict[str, list[str]]) -> None:
        body = _target(self._content.get("requestBody", {}))
        if not request.body:
            if body.get("required"):
                problems["body"] = ["is missing"]
            return
        media = (request.header("content-type") or "").partition(";")[0].strip().lower()
        if media not in body.get("content", {}):
            problems["body"] = [f"must not have the content type '{media}'" if body else "is not allowed"]
            return
        schema = _target(body["content"][media].get("schema", {}))
        try:
            value = _body_value(media, request, schema)
        except (ValueError, RecursionError):
            problems["body"] = [f"is not valid {media}"]
            return
        for error in _errors(value, schema):
            place = ".".join(["body", *map(str, error.absolute_path)])
            problems.setdefault(place, []).append(error.message[:_LONGEST_TEXT])

    def form_fields(self) -> Mapping[str, Mapping[str, Any]]:
        """The schema of each field of the form that this operation takes."""
        form = _target(self._content["requestBody"])["content"]["multipart/form-data"]["schema"]
        fields: dict[str, Mapping[str, Any]] = _target(form)["properties"]
        return {name: _target(schema) for name, schema in fields.items()}

    def example(self) -> Response:
        """The example of the successful response."""
        for status, given in self._content["responses"].items():
            if str(status).startswith("2"):
                code = int(status) if str(status).isdigit() else 200
                media = _target(given).get("content", {}).get("application/json")
                return Response(status_code=code) if media is None else JSONResponse(_example(media), code)
        raise LookupError(f"{self.name} has no successful response in openapi.yaml; describe one")


def operations() -> Iterator[DescribedOperation]:
    """Yield the operations of the description; those with literal segments come before those with parameters."""
    described: list[DescribedOperation] = []
    for template, item in description()["paths"].items():
        segments = [segment for segment in template.split("/") if segment]
        names = tuple(segment[1:-1] for segment in segments if segment.startswith("{"))
        path = ("v3", *(None if segment.startswith("{") else segment for segment in segments))
        for method in ("get", "put", "post", "delete", "patch"):
            if method in item:
                content = item[method]
                parameters = [*item.get("parameters", ()), *content.get("parameters", ())]
                name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", content["operationId"]).lower()
                described.append(
                    DescribedOperation(name, method.upper(), path, names, content, tuple(map(_target, parameters)))
                )
    yield from sorted(described, key=lambda operation: operation.path.count(None))


def check_texts(name: str, texts: list[str], schema: Mapping[str, Any], problems: dict[str, list[str]]) -> object:
    """Check the texts of a parameter or of a field of a form, and return the value that they stand for."""
    value = _value(texts, schema)
    errors = [error.message[:_LONGEST_TEXT] for error in _errors(value, schema)]
    if len(texts) > 1 and not isinstance(value, list):
        errors.append("must be sent once")
    if errors:
        problems.setdefault(name, []).extend(errors)
    return value


def _target(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node, or the node that it refers to."""
    while "$ref" in node:
        target: Any = description()
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def _value(texts: list[str], schema: Mapping[str, Any]) -> object:
    if "array" in schema.get("type", ()):
        items = _target(schema.get("items", {}))
        return [_typed(text, items) for text in texts]
    return _typed(texts[-1], schema)


def _typed(text: str, schema: Mapping[str, Any]) -> object:
    """The value that a text in a path or a query stands for; the text itself if it has another type."""
    # One name, or a list of names; no name is a part of another one.
    kinds = schema.get("type", ())
    # At most 1000 digits, because Python refuses to read very long integers.
    if "integer" in kinds and re.fullmatch("-?[0-9]{1,1000}", text):
        return int(text)
    if "number" in kinds and re.fullmatch(r"-?[0-9]{1,100}(\.[0-9]{1,100})?", text):
        return float(text)
    if "boolean" in kinds:
        return {"true": True, "false": False}.get(text, text)
    return text


def _body_value(media: str, request: ReceivedRequest, schema: Mapping[str, Any]) -> object:
    if media == "application/json":
        return json.loads(request.body)
    if media == "multipart/form-data":
        form = parse(request.header("content-type") or "", request.body)
        # A file is a text in JSON Schema. In Latin-1, each byte is a character.
        parts = [(part.name, part.data.decode("utf-8" if part.filename is None else "latin-1")) for part in form]
    else:
        parts = parse_qsl(request.body.decode(), keep_blank_values=True)
    texts: dict[str, list[str]] = {}
    for name, text in parts:
        texts.setdefault(name, []).append(text)
    properties = schema.get("properties", {})
    return {name: _value(sent, _target(properties.get(name, {}))) for name, sent in texts.items()}


def _errors(value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    # References in the schema begin at the top of the document.
    whole = {**schema, "components": description()["components"]}
    return Draft202012Validator(whole, format_checker=_CHECKER).iter_errors(value)


def _example(media: Mapping[str, Any]) -> object:
    if "example" in media:
        return media["example"]
    for example in media.get("examples", {}).values():
        return _target(example)["value"]
    schema = _target(media.get("schema", {}))
    return schema.get("example", next(iter(schema.get("examples", ())), {}))
