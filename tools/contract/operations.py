"""Compares two descriptions of one operation, as far as users notice on the wire.

No existing tool is used: the tools for OpenAPI 3.1 that the registries have download a program at
installation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from attrs import field, frozen

from tools.description import Node, Operation, Place, escaped, mapping, sequence

from .difference import Difference, Effect, Recorder, Side, names_of, quoted, stated
from .pairs import Pair
from .schemas import Schemas
from .shapes import Schema


@frozen
class Part:
    """A part of a request or of a response: a parameter, a body, a header, or a content."""

    subject: str
    pointer: str
    presence: str = "present"
    #: Keywords with their values as text.
    facts: Mapping[str, str] = field(factory=dict)
    schema: Schema = ()
    parts: Mapping[str, Part] = field(factory=dict)
    #: A reference without a target.
    dangling: str | None = None
    #: Where its presence is recorded; by default at its holder.
    place: str | None = None


def differences(pair: Pair) -> list[Difference]:
    """Return every difference between the two descriptions of one operation, each once."""
    noticed: list[Difference] = []
    if pair.old and pair.new:
        comparison = _Comparison(pair.id, pair.old, pair.new, noticed)
        comparison.compare_requests()
        comparison.compare_responses()
    elif pair.new:
        recorder = Recorder(pair.id, "request", pair.new.pointer, noticed)
        recorder.presence("operation", None, "present")
    elif pair.old:
        recorder = Recorder(pair.id, "request", pair.old.pointer, noticed)
        recorder.presence("operation", "present", None)
    return list(dict.fromkeys(noticed))


class _Comparison:
    """Walks through both descriptions of one operation."""

    def __init__(
        self, name: str, old: Operation, new: Operation, noticed: list[Difference]
    ) -> None:
        self.name = name
        self.old = old
        self.new = new
        self.noticed = noticed
        self.schemas = Schemas(old.document, new.document, new.pointer)

    def compare_requests(self) -> None:
        recorder = self._recorder("request", self.new.pointer)
        self._compare(recorder.at("/servers"), _addresses(self.old), _addresses(self.new))
        _compare_security(recorder.at(f"{self.new.pointer}/security"), self.old, self.new)
        self._compare(recorder, _parameters(self.old), _parameters(self.new))
        body = recorder.at(f"{self.new.pointer}/requestBody")
        self._compare(body, _body(self.old), _body(self.new))

    def compare_responses(self) -> None:
        old = _responses(self.old)
        new = _responses(self.new)
        for status in names_of(old, new):
            before = _applying(status, old)
            after = _applying(status, new)
            if before and after:
                older = _response(status, before, self.old)
                newer = _response(status, after, self.new)
                self._compare(self._recorder("response", after.pointer), older, newer)
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
            before = "present" if status in old else None
            after = "present" if status in new else None
            recorder.presence(subject, before, after)

    def _recorder(self, side: Side, pointer: str) -> Recorder:
        return Recorder(self.name, side, pointer, self.noticed)

    def _compare(self, recorder: Recorder, old: Part, new: Part) -> None:
        if old.dangling or new.dangling:
            recorder.missing_target(old.dangling, new.dangling)
            return
        recorder.at(new.pointer).keywords(old.facts, new.facts)
        for key in names_of(old.parts, new.parts):
            self._compare_presence(recorder, old.parts.get(key), new.parts.get(key))
        self.schemas.compare(recorder, old.schema, new.schema)

    def _compare_presence(self, recorder: Recorder, old: Part | None, new: Part | None) -> None:
        part = new or old
        assert part is not None
        before = old.presence if old else None
        after = new.presence if new else None
        place = new.place if new else None
        recorder.at(place or recorder.pointer).presence(part.subject, before, after)
        if old and new:
            self._compare(recorder.at(new.place or recorder.pointer), old, new)


# Requests.


def _parameters(operation: Operation) -> Part:
    """The parameters: path parameters by position, headers without regard to case, the others by
    name."""
    item = operation.document["paths"][operation.path]
    above = Place(f"/paths/{escaped(operation.path)}", item)
    parameters = {}
    for place in (*above.listed("parameters"), *operation.place.listed("parameters")):
        if isinstance(place.node, Mapping):
            parameter = place.followed_object(operation.document)
            subject = _subject(parameter.node, operation.path)
            parameters[subject.lower() if subject.startswith("header ") else subject] = Part(
                subject,
                parameter.pointer,
                presence=_presence(parameter, "optional"),
                facts=_notation(parameter.node),
                schema=_schema(parameter),
                place=parameter.pointer,
            )
    facts = stated(operation.node, ["deprecated"])
    return Part("parameters", operation.pointer, facts=facts, parts=parameters)


def _subject(parameter: Node, path: str) -> str:
    if "$ref" in parameter:
        return f"parameter {parameter['$ref']}"
    where = parameter.get("in")
    name = str(parameter.get("name"))
    if where == "path":
        names = re.findall(r"\{([^}]*)\}", path)
        position = names.index(name) + 1 if name in names else name
        return f"path parameter {position}"
    return f"{where} parameter {quoted(name)}"


def _notation(parameter: Node) -> dict[str, str]:
    """How the value of a parameter is written. Only a query has defaults."""
    defaults = {"explode": True, "style": "form"} if parameter.get("in") == "query" else {}
    keywords = ("style", "explode", "deprecated", "allowReserved", "allowEmptyValue")
    return stated({**defaults, **parameter}, keywords)


def _body(operation: Operation) -> Part:
    parts = {}
    if "requestBody" in operation.node:
        body = operation.place.below("requestBody").followed_object(operation.document)
        parts["body"] = Part(
            "body",
            body.pointer,
            presence=_presence(body, "optional"),
            parts=_contents("body", body),
            dangling=body.node.get("$ref"),
        )
    return Part("request", "", parts=parts)


# Responses.


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


def _response(status: str, response: Place, operation: Operation) -> Part:
    subject = f"response {status}"
    parts = {}
    for name, place in response.named("headers").items():
        header = place.followed_object(operation.document)
        parts[name.lower()] = Part(
            f"{subject} header {quoted(name)}",
            header.pointer,
            presence=_presence(header, "present"),
            schema=_schema(header),
        )
    parts |= _contents(subject, response)
    return Part(subject, response.pointer, parts=parts, dangling=response.node.get("$ref"))


# Both.


def _contents(subject: str, holder: Place) -> dict[str, Part]:
    """The media types of a body. Their character set is left out: JSON has only one, and every
    reader of a text looks at it."""
    contents = {}
    for kind, media in holder.named("content").items():
        name = re.sub(r"\s*;\s*charset=[^;]*", "", kind.lower())
        contents[f"as {name}"] = Part(
            f"{subject} as {name}",
            f"{media.pointer}/encoding",
            facts=_encodings(media.node),
            schema=_schema(media),
        )
    return contents


def _encodings(media: Node) -> dict[str, str]:
    facts = {}
    for name, encoding in mapping(media, "encoding").items():
        if isinstance(encoding, Mapping):
            standard = [keyword for keyword in encoding if not keyword.startswith("x-")]
            for keyword, value in stated(encoding, standard).items():
                facts[f"encoding of {quoted(name)}: {keyword}"] = value
    return facts


def _schema(place: Place) -> Schema:
    """The schema of a parameter, header or body. The description of a parameter also counts for
    its schema."""
    if not mapping(place.node, "schema"):
        return ()
    description = {"description": place.node.get("description")}
    return Place(place.pointer, description), place.below("schema")


def _presence(place: Place, otherwise: str) -> str:
    if "$ref" in place.node:
        return "a reference without a target"
    return "required" if place.node.get("required") is True else otherwise


# Addresses and keys.


def _addresses(operation: Operation) -> Part:
    """The addresses of an operation; a variable with a list of values gives one address for each
    value."""
    addresses = {}
    for server in _servers(operation):
        variables = dict(_variables(server))
        for values in product(*variables.values()):
            address = str(server.get("url"))
            for name, value in zip(variables, values, strict=True):
                address = address.replace(f"{{{name}}}", str(value))
            addresses[address] = Part(f"address {quoted(address)}", "/servers")
    return Part("addresses", "/servers", parts=addresses)


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


def _compare_security(recorder: Recorder, older: Operation, newer: Operation) -> None:
    old = _keys(older)
    new = _keys(newer)
    if old == new:
        return
    # Whoever sends the keys of an older choice must still send all that one of the newer choices
    # needs.
    accepted = all(any(needed <= sent for needed in new) for sent in old or {frozenset()})
    effect = Effect.WIDER if accepted or not new else Effect.NARROWER
    recorder.record("security", _key_text(old), _key_text(new), effect)


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
