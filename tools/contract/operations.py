"""Compares two descriptions of one operation, as far as users notice on the wire.

No existing tool is used: the tools for OpenAPI 3.1 that the registries have download a program at
installation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from attrs import frozen

from tools.description import Node, Operation, Place, escaped, mapping, sequence

from .difference import Difference, Effect, Recorder, Side, names_of, quoted, text
from .pairs import Pair
from .schemas import Schemas
from .shapes import Schema


def differences(pair: Pair) -> list[Difference]:
    """Return every difference between the two descriptions of one operation, each once."""
    noticed: list[Difference] = []
    if pair.old and pair.new:
        schemas = Schemas(pair.old.document, pair.new.document, pair.new.pointer)
        comparison = _Comparison(pair.id, pair.old, pair.new, schemas, noticed)
        comparison.compare_request()
        comparison.compare_responses()
    elif pair.new:
        recorder = Recorder(pair.id, "request", pair.new.pointer, noticed)
        recorder.presence("operation", None, "present")
    elif pair.old:
        recorder = Recorder(pair.id, "request", pair.old.pointer, noticed)
        recorder.presence("operation", "present", None)
    return list(dict.fromkeys(noticed))


@frozen
class _Comparison:
    """Walks through both descriptions of one operation."""

    id: str
    old: Operation
    new: Operation
    schemas: Schemas
    noticed: list[Difference]

    def _recorder(self, side: Side, pointer: str) -> Recorder:
        return Recorder(self.id, side, pointer, self.noticed)

    # Requests.

    def compare_request(self) -> None:
        recorder = self._recorder("request", self.new.pointer)
        recorder.keywords(self.old.node, self.new.node, ["deprecated"])
        self._compare_addresses(recorder.at("/servers"))
        self._compare_security(recorder.at(f"{self.new.pointer}/security"))
        self._compare_parameters(recorder)
        self._compare_body(recorder.at(f"{self.new.pointer}/requestBody"))

    def _compare_addresses(self, recorder: Recorder) -> None:
        old = _addresses(self.old)
        new = _addresses(self.new)
        for address in names_of(old, new):
            subject = f"address {quoted(address)}"
            recorder.membership(subject, address, old, new)

    def _compare_security(self, recorder: Recorder) -> None:
        old = _keys(self.old)
        new = _keys(self.new)
        if old == new:
            return
        # Whoever sends the keys of an older choice must still send all that one of the newer
        # choices needs.
        accepted = all(any(needed <= sent for needed in new) for sent in old or {frozenset()})
        effect = Effect.WIDER if accepted or not new else Effect.NARROWER
        recorder.record("security", _key_text(old), _key_text(new), effect)

    def _compare_parameters(self, recorder: Recorder) -> None:
        old = _parameters(self.old)
        new = _parameters(self.new)
        for key in names_of(old, new):
            before = old.get(key)
            after = new.get(key)
            pointer = after.pointer if after else self.new.pointer
            subject = _subject(key, after or before)
            recorder.at(pointer).presence(subject, _required(before), _required(after))
            if before and after:
                self._compare_parameter(recorder.at(pointer), before, after)

    def _compare_parameter(self, recorder: Recorder, old: Place, new: Place) -> None:
        for name in ("style", "explode"):
            before = _notation(name, old, new)
            after = _notation(name, new, new)
            if before != after:
                recorder.record(name, before, after, Effect.OTHER)
        marks = ("deprecated", "allowReserved", "allowEmptyValue")
        recorder.keywords(old.node, new.node, marks)
        self.schemas.compare(recorder, _schema(old), _schema(new))

    def _compare_body(self, recorder: Recorder) -> None:
        old = _body(self.old)
        new = _body(self.new)
        recorder.presence("body", _required(old), _required(new))
        if old and new:
            self._compare_content(recorder.at(new.pointer), old, new, "body")

    # Responses.

    def compare_responses(self) -> None:
        old = _responses(self.old)
        new = _responses(self.new)
        for status in names_of(old, new):
            before = _applying(status, old)
            after = _applying(status, new)
            if before and after:
                recorder = self._recorder("response", after.pointer)
                self._compare_headers(recorder, before, after, f"response {status}")
                self._compare_content(recorder, before, after, f"response {status}")
            else:
                self._compare_presence_of_response(status, old, new)

    def _compare_presence_of_response(
        self, status: str, old: Mapping[str, Place], new: Mapping[str, Place]
    ) -> None:
        recorder = self._recorder("response", f"{self.new.pointer}/responses")
        subject = f"response {status}"
        if status not in old and status.startswith("2"):
            # Readers raise an error for a success that they do not know.
            recorder.record(subject, None, "present", Effect.WIDER)
        elif status == "default" and status in old and _has_errors(new):
            # Errors are still described, by their statuses.
            recorder.record(subject, "present", None, Effect.SAME)
        else:
            recorder.membership(subject, status, old, new)

    def _compare_headers(self, recorder: Recorder, old: Place, new: Place, subject: str) -> None:
        old_headers = _headers(old, self.old)
        new_headers = _headers(new, self.new)
        for key, name in {**_header_names(old), **_header_names(new)}.items():
            before = old_headers.get(key)
            after = new_headers.get(key)
            header = f"{subject} header {quoted(name)}"
            recorder.presence(
                header,
                _required(before, otherwise="present"),
                _required(after, otherwise="present"),
            )
            if before and after:
                self.schemas.compare(recorder, _schema(before), _schema(after))

    # Both.

    def _compare_content(self, recorder: Recorder, old: Place, new: Place, subject: str) -> None:
        if "$ref" in old.node or "$ref" in new.node:
            recorder.missing_target(old.node.get("$ref"), new.node.get("$ref"))
            return
        old_media = _media(old)
        new_media = _media(new)
        for kind in names_of(old_media, new_media):
            recorder.membership(f"{subject} as {kind}", kind, old_media, new_media)
            if kind in old_media and kind in new_media:
                before = old_media[kind]
                after = new_media[kind]
                _compare_encodings(recorder.at(f"{after.pointer}/encoding"), before, after)
                self.schemas.compare(recorder, _schema(before), _schema(after))


def _compare_encodings(recorder: Recorder, old: Place, new: Place) -> None:
    before = mapping(old.node, "encoding")
    after = mapping(new.node, "encoding")
    for name in names_of(before, after):
        old_encoding = mapping(before, name)
        new_encoding = mapping(after, name)
        keywords = names_of(old_encoding, new_encoding)
        standard = [keyword for keyword in keywords if not keyword.startswith("x-")]
        prefix = f"encoding of {quoted(name)}: "
        recorder.keywords(old_encoding, new_encoding, standard, prefix)


def _schema(place: Place) -> Schema:
    """The schema of a parameter, header or body. The description of a parameter also counts for
    its schema."""
    if not mapping(place.node, "schema"):
        return ()
    description = {"description": place.node.get("description")}
    return Place(place.pointer, description), place.below("schema")


def _required(place: Place | None, otherwise: str = "optional") -> str | None:
    if place is None:
        return None
    if "$ref" in place.node:
        return "a reference without a target"
    return "required" if place.node.get("required") is True else otherwise


def _parameters(operation: Operation) -> dict[str, Place]:
    """The parameters: path parameters by position, headers without regard to case, the others by
    name."""
    item = operation.document["paths"][operation.path]
    above = Place(f"/paths/{escaped(operation.path)}", item)
    parameters = {}
    for place in (*above.listed("parameters"), *operation.place.listed("parameters")):
        if isinstance(place.node, Mapping):
            parameter = place.followed_object(operation.document)
            parameters[_parameter_key(parameter.node, operation.path)] = parameter
    return parameters


def _parameter_key(parameter: Node, path: str) -> str:
    if "$ref" in parameter:
        return f"parameter {parameter['$ref']}"
    where = parameter.get("in")
    name = str(parameter.get("name"))
    if where == "path":
        names = re.findall(r"\{([^}]*)\}", path)
        position = names.index(name) + 1 if name in names else name
        return f"path parameter {position}"
    if where == "header":
        name = name.lower()
    return f"{where} parameter {quoted(name)}"


def _subject(key: str, parameter: Place | None) -> str:
    """The key of a parameter, in which the name of a header is shown unchanged."""
    if parameter is not None and key.startswith("header "):
        return f"header parameter {quoted(parameter.node['name'])}"
    return key


def _notation(name: str, parameter: Place, newer: Place) -> str | None:
    """How the value of a parameter is written. Only a query has defaults."""
    defaults: dict[str, Any] = {}
    if newer.node.get("in") == "query":
        defaults = {"explode": True, "style": "form"}
    return text(parameter.node.get(name, defaults.get(name)))


def _body(operation: Operation) -> Place | None:
    if "requestBody" not in operation.node:
        return None
    return operation.place.below("requestBody").followed_object(operation.document)


def _media(place: Place) -> dict[str, Place]:
    """The media types of a body. Their character set is left out: JSON has only one, and every
    reader of a text looks at it."""
    return {
        re.sub(r"\s*;\s*charset=[^;]*", "", kind.lower()): media
        for kind, media in place.named("content").items()
    }


def _responses(operation: Operation) -> dict[str, Place]:
    responses = operation.place.named("responses")
    return {
        status: response.followed_object(operation.document)
        for status, response in responses.items()
    }


def _applying(status: str, responses: Mapping[str, Place]) -> Place | None:
    """The response for a status, else the response for its range, else for an error the default
    response."""
    own = responses.get(status) or responses.get(f"{status[:1]}XX")
    if own or status.startswith("2"):
        return own
    return responses.get("default")


def _has_errors(statuses: Iterable[str]) -> bool:
    return any(status.startswith(("4", "5")) for status in statuses)


def _header_names(response: Place) -> dict[str, str]:
    """The names of the headers, by their names in small letters."""
    return {name.lower(): name for name in mapping(response.node, "headers")}


def _headers(response: Place, operation: Operation) -> dict[str, Place]:
    """The headers, by their names in small letters."""
    return {
        name.lower(): header.followed_object(operation.document)
        for name, header in response.named("headers").items()
    }


def _addresses(operation: Operation) -> list[str]:
    """The addresses of an operation; a variable with a list of values gives one address for each
    value."""
    addresses = []
    for server in _servers(operation):
        variables = dict(_variables(server))
        for values in product(*variables.values()):
            address = str(server.get("url"))
            for name, value in zip(variables, values, strict=True):
                address = address.replace(f"{{{name}}}", str(value))
            addresses.append(address)
    return addresses


def _servers(operation: Operation) -> list[Node]:
    """The servers of the operation, else of its path, else of the document."""
    item = operation.document["paths"][operation.path]
    for holder in (operation.node, item, operation.document):
        servers = sequence(holder, "servers")
        if servers:
            return [server for server in servers if isinstance(server, Mapping)]
    return []


def _variables(server: Node) -> Iterator[tuple[str, list[Any]]]:
    """Yield the variables of an address that have a list of values. The defaults of the others
    are placeholders."""
    variables = mapping(server, "variables")
    for name in variables:
        values = sequence(variables[name], "enum")
        if values:
            yield name, values


def _keys(operation: Operation) -> set[frozenset[str]]:
    """The choices of keys for an operation, with the place of each key; names of schemes are
    ignored."""
    schemes = mapping(operation.document.get("components"), "securitySchemes")
    holder = operation.node if "security" in operation.node else operation.document
    return {
        frozenset(_key(name, mapping(schemes, name), sequence(choice, name)) for name in choice)
        for choice in sequence(holder, "security")
        if isinstance(choice, Mapping)
    }


def _key(name: str, scheme: Node, scopes: list[Any]) -> str:
    """A key as text, such as `header apikey` or `http login`."""
    if not scheme:
        return f"{name} without a scheme"
    where = scheme.get("in", scheme.get("type"))
    return " ".join(map(str, [where, scheme.get("name", name), *scopes]))


def _key_text(choices: set[frozenset[str]]) -> str | None:
    texts = [" and ".join(sorted(keys)) or "no key" for keys in choices]
    return " or ".join(sorted(texts)) or None
