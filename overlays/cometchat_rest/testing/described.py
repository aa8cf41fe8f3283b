"""Operations without a handler: requests are checked against openapi.yaml, and answered with its examples.

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
from jsonschema import Draft202012Validator, FormatChecker
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

    def respond(self, request: ReceivedRequest, arguments: list[str]) -> Response:
        """Check a request, and return the example of the successful response; raises RefusalError."""
        problems: dict[str, list[str]] = {}
        path = dict(zip(self.names, arguments, strict=True))
        self._check_values("path", {name: [text] for name, text in path.items()}, problems)
        self._check_values("query", request.parameters, problems)
        names = [parameter["name"] for parameter in self._parameters if parameter["in"] == "header"]
        headers = {name: [text for own, text in request.headers if own == name.lower()] for name in names}
        self._check_values("header", {name: texts for name, texts in headers.items() if texts}, problems)
        self._check_body(request, problems)
        if problems:
            raise bad_request(problems)
        return self._success()

    def _check_values(self, place: str, sent: Mapping[str, list[str]], problems: dict[str, list[str]]) -> None:
        known = {parameter["name"]: parameter for parameter in self._parameters if parameter["in"] == place}
        for name in sent.keys() - known.keys():
            problems[name] = ["is not a parameter of this operation"]
        for name, parameter in known.items():
            schema = _target(parameter.get("schema", {}))
            if name not in sent:
                if parameter.get("required"):
                    problems[name] = ["is missing"]
            elif schema.get("type") == "array":
                items = _target(schema.get("items", {}))
                _check(name, [_typed(text, items) for text in sent[name]], schema, problems)
            elif len(sent[name]) > 1:
                problems[name] = ["must be sent once"]
            else:
                _check(name, _typed(sent[name][0], schema), schema, problems)

    def _check_body(self, request: ReceivedRequest, problems: dict[str, list[str]]) -> None:
        body = _target(self._content.get("requestBody", {}))
        if not request.body:
            if body.get("required"):
                problems["body"] = ["is missing"]
            return
        media = (request.header("content-type") or "").partition(";")[0].strip().lower()
        if media not in body.get("content", {}):
            problems["body"] = [
                f"must not have the content type {media or 'without a name'}" if body else "is not allowed"
            ]
            return
        schema = _target(body["content"][media].get("schema", {}))
        try:
            value = _body_value(media, request, schema)
        except (ValueError, RecursionError):
            problems["body"] = [f"is not valid {media}"]
            return
        _check("body", value, schema, problems)

    def _success(self) -> Response:
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


def query_limits(path: str) -> dict[str, tuple[int, int | None]]:
    """The default and the maximum of each integer in the query of a GET, by name; `None` is no maximum."""
    parameters = map(_target, description()["paths"][path]["get"]["parameters"])
    schemas = {parameter["name"]: parameter["schema"] for parameter in parameters if parameter["in"] == "query"}
    return {name: (schema["default"], schema.get("maximum")) for name, schema in schemas.items()}


def _target(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node, or the node that it refers to."""
    while "$ref" in node:
        target: Any = description()
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def _typed(text: str, schema: Mapping[str, Any]) -> object:
    """The value that a text in a path or a query stands for; the text itself if it has another type."""
    kind = schema.get("type")
    if kind == "integer" and re.fullmatch("-?[0-9]{1,100}", text):
        return int(text)
    if kind == "number" and re.fullmatch(r"-?[0-9]{1,100}(\.[0-9]{1,100})?", text):
        return float(text)
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    return text


def _body_value(media: str, request: ReceivedRequest, schema: Mapping[str, Any]) -> object:
    if media == "application/json":
        return json.loads(request.body)
    properties = schema.get("properties", {})
    if media == "multipart/form-data":
        form = parse(request.header("content-type") or "", request.body)
        parts = [(part.name, part.data.decode()) for part in form]
    else:
        parts = parse_qsl(request.body.decode(), keep_blank_values=True)
    values: dict[str, Any] = {}
    for name, text in parts:
        inner = _target(properties.get(name, {}))
        if inner.get("type") == "array":
            values.setdefault(name, []).append(_typed(text, _target(inner.get("items", {}))))
        else:
            values[name] = _typed(text, inner)
    return values


def _check(name: str, value: Any, schema: Mapping[str, Any], problems: dict[str, list[str]]) -> None:
    # References in the schema begin at the top of the document.
    whole = {**schema, "components": description()["components"]}
    for error in Draft202012Validator(whole, format_checker=_CHECKER).iter_errors(value):
        place = ".".join([name, *map(str, error.absolute_path)])
        problems.setdefault(place, []).append(error.message[:200])


def _example(media: Mapping[str, Any]) -> object:
    if "example" in media:
        return media["example"]
    for example in media.get("examples", {}).values():
        return _target(example)["value"]
    schema = _target(media.get("schema", {}))
    return schema.get("example", next(iter(schema.get("examples", ())), {}))
