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
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

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


def base_path() -> str:
    """The path that every address of the service ends in."""
    address: str = description()["servers"][0]["url"]
    return urlsplit(address).path


#: The problems of a request, by the parameter or field that has them.
Problems = defaultdict[str, list[str]]
_Node: TypeAlias = Mapping[str, Any]


@frozen
class Call:
    """A request that was checked: the texts of its path in order, the values of its query with
    their defaults, and of its body.

    The content of a file is text in Latin-1, because JSON Schema has no bytes.
    """

    path: tuple[str, ...]
    query: Mapping[str, Any]
    body: Any


@frozen(eq=False)
class DescribedOperation:
    """One operation of the description.

    Attributes:
        name: its `operationId` in snake case.
        method: in capitals.
        path: the segments of its path, such as `v3`, `users`, `{uid}`.
    """

    name: str
    method: str
    path: tuple[str, ...]
    _content: _Node
    _parameters: tuple[_Node, ...]

    def matches(self, segments: tuple[str, ...]) -> bool:
        """Whether this operation has this path; the method is ignored."""
        if len(segments) != len(self.path):
            return False
        pairs = zip(self.path, segments, strict=True)
        return all(described == sent or _is_parameter(described) for described, sent in pairs)

    def read(self, request: ReceivedRequest, segments: tuple[str, ...]) -> Call:
        """Check a request with a path that matches; raises RefusalError."""
        problems: Problems = defaultdict(list)
        pairs = zip(self.path, segments, strict=True)
        path = {described[1:-1]: sent for described, sent in pairs if _is_parameter(described)}
        path_texts = {name: [text] for name, text in path.items()}
        self._read_values("path", path_texts, problems)
        query = self._read_values("query", request.parameters, problems)
        self._read_values("header", self._header_texts(request), problems)
        body = self._read_body(request, problems)
        if problems:
            raise bad_request(problems)
        return Call(tuple(path.values()), query, body)

    def _parameters_in(self, place: str) -> Iterator[tuple[str, _Node]]:
        for parameter in self._parameters:
            if parameter["in"] == place:
                yield parameter["name"], parameter

    def _header_texts(self, request: ReceivedRequest) -> dict[str, list[str]]:
        """The texts of the described headers that the request has."""
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for name, _ in self._parameters_in("header"):
            for key, text in request.headers:
                if key == name.lower():
                    texts[name].append(text)
        return texts

    def _read_values(
        self, place: str, sent: Mapping[str, list[str]], problems: Problems
    ) -> dict[str, object]:
        parameters = dict(self._parameters_in(place))
        values: dict[str, object] = {}
        for name in sent.keys() - parameters.keys():
            problems[name].append("is not a parameter of this operation")
        for name, parameter in parameters.items():
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
        if not body:
            problems["body"].append("is not allowed")
            return None
        content_type = request.header("content-type") or ""
        media = content_type.partition(";")[0].strip().lower()
        if media not in body["content"]:
            problems["body"].append(f"must not have the content type '{media}'")
            return None
        schema = _target(body["content"][media].get("schema", {}))
        try:
            value = _body_value(media, request, schema, problems)
        except (ValueError, RecursionError) as error:
            problems["body"].append(f"is not valid {media}: {error}"[:_LONGEST_TEXT])
            return None
        for schema_error in _errors(value, schema):
            for place, problem in _explained(schema_error):
                problems[place].append(problem)
        return value

    def example(self) -> Response:
        """The example of the successful response."""
        for name, response in self._content["responses"].items():
            status = str(name)
            if status.startswith("2"):
                code = 200 if status == "2XX" else int(status)
                content = _target(response).get("content", {})
                media = content.get("application/json")
                if media is None:
                    return Response(status_code=code)
                return JSONResponse(_example(media), code)
        raise LookupError(f"{self.name} has no successful response in openapi.yaml; describe one")


def operations(paths: _Node) -> list[DescribedOperation]:
    """The operations of `paths`; those with literal segments come before those with parameters."""
    described = [
        _operation(template, item, method)
        for template, item in paths.items()
        for method in ("get", "put", "post", "delete", "patch")
        if method in item
    ]
    return sorted(described, key=_parameter_count)


def _parameter_count(operation: DescribedOperation) -> int:
    return sum(map(_is_parameter, operation.path))


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")


def _operation(template: str, item: _Node, method: str) -> DescribedOperation:
    content = item[method]
    path = tuple(f"{base_path()}{template}".strip("/").split("/"))
    nodes = [*item.get("parameters", ()), *content.get("parameters", ())]
    parameters = tuple(map(_target, nodes))
    # For example listRoles becomes list_roles.
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", content["operationId"]).lower()
    return DescribedOperation(name, method.upper(), path, content, parameters)


def _target(node: _Node) -> _Node:
    """The node, or the node that it refers to."""
    while "$ref" in node:
        target: Any = description()
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def _value(name: str, texts: list[str], schema: _Node, problems: Problems) -> object:
    """The value that the texts of a parameter or of a field of a form stand for."""
    if "array" in schema.get("type", ()):
        items = _target(schema.get("items", {}))
        return [_typed(text, items) for text in texts]
    if len(texts) > 1:
        problems[name].append("must be sent once")
    return _typed(texts[-1], schema)


def _typed(text: str, schema: _Node) -> object:
    """The value that a text in a path or a query stands for; the text itself if it has another
    type."""
    # A name, or a list of names; no name is a part of another one.
    kinds = schema.get("type", ())
    # At most 1000 digits, because Python refuses to read very long integers.
    if "integer" in kinds and re.fullmatch("-?[0-9]{1,1000}", text):
        return int(text)
    if "number" in kinds and re.fullmatch(r"-?[0-9]{1,100}(\.[0-9]{1,100})?", text):
        return float(text)
    if "boolean" in kinds and text in ("true", "false"):
        return text == "true"
    return text


def _body_value(media: str, request: ReceivedRequest, schema: _Node, problems: Problems) -> object:
    if media == "application/json":
        return json.loads(request.body)
    properties = schema.get("properties", {})
    fields = {name: _target(field) for name, field in properties.items()}
    if media == "multipart/form-data":
        texts = _form_texts(request, fields, problems)
    else:
        texts = parse_qs(request.body.decode(), keep_blank_values=True)
    body = {}
    for name, values in texts.items():
        body[name] = _value(name, values, fields.get(name, {}), problems)
    return body


def _form_texts(
    request: ReceivedRequest, fields: _Node, problems: Problems
) -> dict[str, list[str]]:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for part in parse(request.header("content-type") or "", request.body):
        is_file = fields.get(part.name, {}).get("format") == "binary"
        try:
            text = part.data.decode("latin-1") if is_file else part.text
        except FormError as error:
            problems[part.name].append(str(error))
        else:
            texts[part.name].append(text)
    return texts


def _errors(value: Any, schema: _Node) -> Iterator[ValidationError]:
    # References in the schema begin at the top of the document.
    whole = {**schema, "components": description()["components"]}
    return Draft202012Validator(whole, format_checker=_CHECKER).iter_errors(value)


def _explained(error: ValidationError) -> Iterator[tuple[str, str]]:
    """The places in a body that an error is about, each with its problem."""
    # Of several alternatives, the one that fits best.
    error = best_match([error]) or error
    path = [str(part) for part in error.absolute_path]
    # The error that jsonschema yields may be about a value of any type.
    details: Any = error
    if error.validator == "required":
        for name in set(details.validator_value) - set(details.instance):
            yield ".".join([*path, name]), "is missing"
    elif error.validator == "additionalProperties":
        for name in set(details.instance) - set(details.schema["properties"]):
            yield ".".join([*path, name]), "is not described"
    else:
        yield ".".join(path) or "body", error.message[:_LONGEST_TEXT]


def _example(media: _Node) -> object:
    if "example" in media:
        return media["example"]
    for example in media.get("examples", {}).values():
        return _target(example)["value"]
    schema = _target(media.get("schema", {}))
    if "example" in schema:
        return schema["example"]
    return next(iter(schema.get("examples", ())), {})
