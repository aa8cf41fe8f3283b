"""Compares two descriptions of one operation, as far as users notice on the wire.

No existing tool is used: the tools for OpenAPI 3.1 that the registries have download a program at
installation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from tools.description import Node, Operation, Place, is_object, mapping, reference, sequence

from .difference import Difference, Effect, Recorder, names_of, quoted
from .pairs import Pair
from .schemas import Schemas
from .shapes import Schema

#: Keys that are needed together.
Keys: TypeAlias = frozenset[str]


@frozen
class Part:
    """A part of a request or of a response: a parameter, a body, a header, or a content."""

    subject: str
    pointer: str
    presence: str = "present"
    keywords: Node = field(factory=dict)
    schema: Schema = ()
    parts: Mapping[str, Part] = field(factory=dict)
    #: A reference without a target.
    dangling: str | None = None


def differences(pair: Pair) -> list[Difference]:
    """Return every difference between the two descriptions of one operation, each once."""
    old = pair.old
    new = pair.new
    noticed: list[Difference] = []
    recorder = Recorder(pair.id, "request", pair.operation.pointer, noticed)
    if old is None or new is None:
        before = "present" if old else None
        after = "present" if new else None
        recorder.presence("operation", before, after)
        return noticed
    _compare_security(recorder.at(f"{new.pointer}/security"), _keys(old), _keys(new))
    requests = _Comparison(recorder)
    requests.compare(new.pointer, _request(old), _request(new))
    responses = _Comparison(evolve(recorder, side="response"))
    responses.compare_responses(old, new)
    return list(dict.fromkeys(noticed))


@frozen
class _Comparison:
    """Compares the parts of one side of an operation."""

    recorder: Recorder
    schemas: Schemas = field(factory=Schemas, init=False)

    def compare(self, holder: str, old: Part | None, new: Part | None) -> None:
        """Compare two parts; the pointer of their holder is the place of an absent part."""
        subject = new.subject if new else old.subject if old else ""
        before = old.presence if old else None
        after = new.presence if new else None
        recorder = self.recorder.at(new.pointer if new else holder)
        recorder.presence(subject, before, after)
        if old and new:
            self._compare_inner(recorder, old, new)

    def _compare_inner(self, recorder: Recorder, old: Part, new: Part) -> None:
        if old.dangling or new.dangling:
            recorder.missing_target(old.dangling, new.dangling)
            return
        recorder.keywords(old.keywords, new.keywords)
        for key in names_of(old.parts, new.parts):
            self.compare(new.pointer, old.parts.get(key), new.parts.get(key))
        self.schemas.compare(recorder, old.schema, new.schema)

    def compare_responses(self, old: Operation, new: Operation) -> None:
        """Compare the responses for each status that one of the operations names."""
        older = old.place.named("responses")
        newer = new.place.named("responses")
        for status in names_of(older, newer):
            before = applying(status, older)
            after = applying(status, newer)
            if before and after:
                self.compare("", _response(status, before), _response(status, after))
            else:
                recorder = self.recorder.at(f"{new.pointer}/responses")
                _record_status(recorder, status, older, newer)


def applying(status: str, responses: Mapping[str, Place]) -> Place | None:
    """Return the response for a status, else for its range; an error can also have the default
    response."""
    own = responses.get(status) or responses.get(f"{status[:1]}XX")
    if own or status.startswith("2"):
        return own
    return responses.get("default")


def _record_status(
    recorder: Recorder, status: str, old: Mapping[str, Place], new: Mapping[str, Place]
) -> None:
    subject = f"response {status}"
    has_errors = any(name.startswith(("4", "5")) for name in new)
    if status not in old and status.startswith("2"):
        # Readers raise an error for a success that they do not know.
        recorder.record(subject, None, "present", Effect.WIDER)
    elif status == "default" and status in old and has_errors:
        # Errors are still described, by their statuses.
        recorder.record(subject, "present", None, Effect.SAME)
    else:
        before = "present" if status in old else None
        after = "present" if status in new else None
        recorder.presence(subject, before, after)


# Requests.


def _request(operation: Operation) -> Part:
    pointer = operation.pointer
    deprecation = _stated(operation.node, ("deprecated",))
    parts = {
        "addresses": Part("addresses", "/servers", parts=_addresses(operation)),
        "parameters": Part("parameters", pointer, parts=_parameters(operation)),
        "body": Part("request body", f"{pointer}/requestBody", parts=_body(operation)),
    }
    return Part("request", pointer, keywords=deprecation, parts=parts)


def _addresses(operation: Operation) -> dict[str, Part]:
    """The addresses of an operation; a variable with a list of values gives one address for each
    value."""
    addresses = {}
    for server in _servers(operation):
        variables = mapping(server, "variables")
        # The defaults of the other variables are placeholders.
        lists = {name: sequence(variables[name], "enum") for name in variables}
        choices = {name: values for name, values in lists.items() if values}
        for values in product(*choices.values()):
            address = str(server.get("url"))
            for name, value in zip(choices, values, strict=True):
                address = address.replace(f"{{{name}}}", str(value))
            addresses[address] = Part(f"address {quoted(address)}", "/servers")
    return addresses


def _servers(operation: Operation) -> list[Node]:
    """The servers of the operation, else of its path, else of the document."""
    document = Place(operation.document, "", operation.document)
    for holder in (operation.place, operation.item, document):
        servers = [server.node for server in holder.listed("servers")]
        if servers:
            return servers
    return []


def _parameters(operation: Operation) -> dict[str, Part]:
    """The parameters: path parameters by position, headers without regard to case, the others by
    name."""
    parameters = {}
    for place in (*operation.item.listed("parameters"), *operation.place.listed("parameters")):
        parameter = place.followed()
        subject = _subject(parameter.node, operation.path)
        key = subject.lower() if parameter.node.get("in") == "header" else subject
        parameters[key] = Part(
            subject,
            parameter.pointer,
            presence=_presence(parameter, "optional"),
            keywords=_notation(parameter.node),
            schema=_schema(parameter),
        )
    return parameters


def _subject(parameter: Node, path: str) -> str:
    if "$ref" in parameter:
        return f"parameter {parameter['$ref']}"
    where = parameter.get("in")
    name = str(parameter.get("name"))
    if where != "path":
        return f"{where} parameter {quoted(name)}"
    names = re.findall(r"\{([^}]*)\}", path)
    position = names.index(name) + 1 if name in names else name
    return f"path parameter {position}"


def _notation(parameter: Node) -> Node:
    """How the value of a parameter is written. Only a query has defaults."""
    defaults = {"explode": True, "style": "form"} if parameter.get("in") == "query" else {}
    names = ("style", "explode", "deprecated", "allowReserved", "allowEmptyValue")
    return _stated({**defaults, **parameter}, names)


def _body(operation: Operation) -> dict[str, Part]:
    body = operation.place.inner("requestBody").followed()
    if not body.node:
        return {}
    presence = _presence(body, "optional")
    dangling = reference(body.node)
    contents = _contents("body", body)
    return {"body": Part("body", body.pointer, presence, parts=contents, dangling=dangling)}


# Responses.


def _response(status: str, place: Place) -> Part:
    subject = f"response {status}"
    response = place.followed()
    parts = {}
    for name, holder in response.named("headers").items():
        header = holder.followed()
        parts[name.lower()] = Part(
            f"{subject} header {quoted(name)}",
            response.pointer,
            presence=_presence(header, "present"),
            schema=_schema(header),
        )
    parts |= _contents(subject, response)
    return Part(subject, response.pointer, parts=parts, dangling=reference(response.node))


# Both.


def _contents(subject: str, holder: Place) -> dict[str, Part]:
    """The media types of a body. Their character set is left out: JSON has only one, and every
    reader of a text looks at it."""
    contents = {}
    for kind, media in holder.named("content").items():
        name = re.sub(r"\s*;\s*charset=[^;]*", "", kind.lower())
        encoding = Part("encoding", f"{media.pointer}/encoding", keywords=_encodings(media))
        contents[f"as {name}"] = Part(
            f"{subject} as {name}",
            holder.pointer,
            schema=_schema(media),
            parts={"encoding": encoding},
        )
    return contents


def _encodings(media: Place) -> Node:
    keywords = {}
    for name, encoding in media.named("encoding").items():
        standard = [keyword for keyword in encoding.node if not keyword.startswith("x-")]
        for keyword, value in _stated(encoding.node, standard).items():
            keywords[f"encoding of {quoted(name)}: {keyword}"] = value
    return keywords


def _stated(node: Node, names: Iterable[str]) -> Node:
    """The values of keywords. False equals an absent keyword, except for `explode`."""
    return {
        name: node[name]
        for name in names
        if name in node and (node[name] is not False or name == "explode")
    }


def _schema(place: Place) -> Schema:
    schema = place.inner("schema")
    return ((schema,),) if schema.node else ()


def _presence(place: Place, otherwise: str) -> str:
    if "$ref" in place.node:
        return "a reference without a target"
    return "required" if place.node.get("required") is True else otherwise


# Keys.


def _compare_security(recorder: Recorder, old: set[Keys], new: set[Keys]) -> None:
    if old == new:
        return
    # A caller sends the keys of an older choice. One of the newer choices must need no other key.
    sent = old or {Keys()}
    accepted = all(any(needed <= keys for needed in new) for keys in sent)
    effect = Effect.WIDER if accepted or not new else Effect.NARROWER
    recorder.record("security", _key_text(old), _key_text(new), effect)


def _keys(operation: Operation) -> set[Keys]:
    """The choices of keys for an operation, with the place of each key; names of schemes are
    ignored."""
    schemes = mapping(operation.document.get("components"), "securitySchemes")
    holder = operation.node if "security" in operation.node else operation.document
    choices = filter(is_object, sequence(holder, "security"))
    return {
        Keys(_key(name, mapping(schemes, name), sequence(choice, name)) for name in choice)
        for choice in choices
    }


def _key(name: str, scheme: Node, scopes: list[Any]) -> str:
    """A key as text, such as `header apikey` or `http login`."""
    if not scheme:
        return f"{name} without a scheme"
    where = scheme.get("in", scheme.get("type"))
    return " ".join(map(str, [where, scheme.get("name", name), *scopes]))


def _key_text(choices: set[Keys]) -> str | None:
    texts = [" and ".join(sorted(keys)) or "no key" for keys in choices]
    return " or ".join(sorted(texts)) or None
