"""The operations of openapi.yaml: their paths, the checks of their requests, and the examples of
their responses.

The description is read as data. Nothing here comes from the client or from the generated code.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from attrs import frozen
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import best_match
from starlette.responses import JSONResponse, Response

from .description import openapi
from .errors import bad_request
from .form import FormError, parse
from .state import ReceivedRequest
from .yaml_files import read_yaml

# An error of jsonschema repeats the whole value.
_LONGEST_TEXT = 200
_CHECKER = FormatChecker(formats=("date", "email", "ipv4", "ipv6", "uuid"))


# For these two formats, jsonschema would need more packages.
@_CHECKER.checks("date-time", ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@_CHECKER.checks("uri", ValueError)
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or urlsplit(value).scheme != ""


@cache
def description() -> Mapping[str, Any]:
    """The content of openapi.yaml."""
    return read_yaml(openapi())


Problems = defaultdict[str, list[str]]


@frozen
class Call:
    """A request that was checked: the values of its path, of its query with their defaults, and of
    its body.

    The content of a file is text in Latin-1, because JSON Schema has no bytes.
    """

    path: list[str]
    query: Mapping[str, Any]
    body: Any


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

    def matches(self, segments: tuple[str, ...]) -> bool:
        """Whether this operation has this path; the method is ignored."""
        return len(segments) == len(self.path) and all(
            own in (None, sent) for own, sent in zip(self.path, segments, strict=True)
        )

    def read(self, request: ReceivedRequest, segments: tuple[str, ...]) -> Call:
        """Check a request with a path that matches; raises RefusalError."""
        problems: Problems = defaultdict(list)
        path = [sent for own, sent in zip(self.path, segments, strict=True) if own is None]
        self._read_values(
            "path", {name: [text] for name, text in zip(self.names, path, strict=True)}, problems
        )
        query = self._read_values("query", request.parameters, problems)
        names = [parameter["name"] for parameter in self._parameters if parameter["in"] == "header"]
        headers = {
            name: [text for own, text in request.headers if own == name.lower()] for name in names
        }
        self._read_values(
            "header", {name: texts for name, texts in headers.items() if texts}, problems
        )
        body = self._read_body(request, problems)
        if problems:
            raise bad_request(problems)
        return Call(path, query, body)

    def _read_values(
        self, place: str, sent: Mapping[str, list[str]], problems: Problems
    ) -> dict[str, object]:
        known = {
            parameter["name"]: parameter
            for parameter in self._parameters
            if parameter["in"] == place
        }
        values: dict[str, object] = {}
        for name in sent.keys() - known.keys():
            problems[name].append("is not a parameter of this operation")
        for name, parameter in known.items():
            schema = _target(parameter.get("schema", {}))
            if name in sent:
                values[name] = _value(name, sent[name], schema, problems)
                for error in _errors(values[name], schema):
                    problems[name].append(error.message[:_LONGEST_TEXT])
            elif parameter.get("required"):
                problems[name].append("is missing")
            elif "default" in schema:
                values[name] = schema["default"]
        return values

    def _read_body(self, request: ReceivedRequest, problems: Problems) -> object:
        body = _target(self._content.get("requestBody", {}))
        if not request.body:
            if body.get("required"):
                problems["body"].append("is missing")
            return None
        media = (request.header("content-type") or "").partition(";")[0].strip().lower()
        if media not in body.get("content", {}):
            problems["body"].append(
                f"must not have the content type '{media}'" if body else "is not allowed"
            )
            return None
        schema = _target(body["content"][media].get("schema", {}))
        try:
            value = _body_value(media, request, schema, problems)
        except (ValueError, RecursionError) as error:
            problems["body"].append(f"is not valid {media}: {error}"[:_LONGEST_TEXT])
            return None
        for found in _errors(value, schema):
            for place, problem in _explained(found):
                problems[place].append(problem)
        return value

    def example(self) -> Response:
        """The example of the successful response."""
        for status, given in self._content["responses"].items():
            if str(status).startswith("2"):
                code = int(status) if str(status).isdigit() else 200
                media = _target(given).get("content", {}).get("application/json")
                return (
                    Response(status_code=code)
                    if media is None
                    else JSONResponse(_example(media), code)
                )
        raise LookupError(f"{self.name} has no successful response in openapi.yaml; describe one")


def operations(paths: Mapping[str, Any]) -> list[DescribedOperation]:
    """The operations of `paths`; those with literal segments come before those with parameters."""
    described: list[DescribedOperation] = []
    for template, item in paths.items():
        segments = [segment for segment in template.split("/") if segment]
        names = tuple(segment[1:-1] for segment in segments if segment.startswith("{"))
        path = ("v3", *(None if segment.startswith("{") else segment for segment in segments))
        for method in ("get", "put", "post", "delete", "patch"):
            if method in item:
                content = item[method]
                parameters = [*item.get("parameters", ()), *content.get("parameters", ())]
                name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", content["operationId"]).lower()
                described.append(
                    DescribedOperation(
                        name, method.upper(), path, names, content, tuple(map(_target, parameters))
                    )
                )
    return sorted(described, key=lambda operation: operation.path.count(None))


def _target(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node, or the node that it refers to."""
    while "$ref" in node:
        target: Any = description()
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def _value(name: str, texts: list[str], schema: Mapping[str, Any], problems: Problems) -> object:
    """The value that the texts of a parameter or of a field of a form stand for."""
    if "array" in schema.get("type", ()):
        items = _target(schema.get("items", {}))
        return [_typed(text, items) for text in texts]
    if len(texts) > 1:
        problems[name].append("must be sent once")
    return _typed(texts[-1], schema)


def _typed(text: str, schema: Mapping[str, Any]) -> object:
    """The value that a text in a path or a query stands for; the text itself if it has another
    type."""
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


def _body_value(
    media: str, request: ReceivedRequest, schema: Mapping[str, Any], problems: Problems
) -> object:
    if media == "application/json":
        return json.loads(request.body)
    fields = {name: _target(field) for name, field in schema.get("properties", {}).items()}
    texts: defaultdict[str, list[str]] = defaultdict(list)
    if media == "multipart/form-data":
        for part in parse(request.header("content-type") or "", request.body):
            is_file = fields.get(part.name, {}).get("format") == "binary"
            try:
                text = part.data.decode("latin-1") if is_file else part.text
            except FormError as error:
                problems[part.name].append(str(error))
            else:
                texts[part.name].append(text)
    else:
        for name, text in parse_qsl(request.body.decode(), keep_blank_values=True):
            texts[name].append(text)
    return {
        name: _value(name, sent, fields.get(name, {}), problems) for name, sent in texts.items()
    }


def _errors(value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    # References in the schema begin at the top of the document.
    whole = {**schema, "components": description()["components"]}
    return Draft202012Validator(whole, format_checker=_CHECKER).iter_errors(value)


def _explained(error: ValidationError) -> Iterator[tuple[str, str]]:
    """The places in a body that an error is about, each with its problem."""
    # Of several alternatives, the one that fits best.
    error = best_match([error]) or error
    path, sent, rule = (
        [*map(str, error.absolute_path)],
        cast("Any", error.instance),
        cast("Any", error.validator_value),
    )
    if error.validator == "required":
        for name in set(rule) - set(sent):
            yield ".".join([*path, name]), "is missing"
    elif error.validator == "additionalProperties":
        for name in set(sent) - set(cast("Any", error.schema)["properties"]):
            yield ".".join([*path, name]), "is not described"
    else:
        yield ".".join(path) or "body", error.message[:_LONGEST_TEXT]


def _example(media: Mapping[str, Any]) -> object:
    if "example" in media:
        return media["example"]
    for example in media.get("examples", {}).values():
        return _target(example)["value"]
    schema = _target(media.get("schema", {}))
    return schema.get("example", next(iter(schema.get("examples", ())), {}))
