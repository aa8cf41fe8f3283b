"""Compares two descriptions of one operation, as far as users notice on the wire.

No existing tool is used: the tools for OpenAPI 3.1 that the registries have download a program at
installation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, TypeAlias

from tools.description import (
    Node,
    Operation,
    Place,
    is_object,
    mapping,
    reference,
    sequence,
)

from .comparison import Comparison
from .difference import Difference, Effect, names_of, quoted
from .pairs import Pair
from .shapes import Part, Parts, schema_at

#: Keys that are needed together.
Keys: TypeAlias = frozenset[str]
Responses: TypeAlias = Mapping[str, Place]


def differences(pair: Pair) -> list[Difference]:
    """Return every difference between the two descriptions of one operation, each once."""
    old = pair.old
    new = pair.new
    noticed: list[Difference] = []
    pointer = pair.operation.pointer
    requests = Comparison(pair.id, "request", pointer, noticed)
    if old and new:
        _compare_security(requests.below("security"), _keys(old), _keys(new))
    requests.compare(_request(old) if old else None, _request(new) if new else None)
    if old and new:
        responses = Comparison(pair.id, "response", f"{pointer}/responses", noticed)
        _compare_responses(responses, _responses(old), _responses(new))
    return list(dict.fromkeys(noticed))


# Requests.


def _request(operation: Operation) -> Part:
    pointer = operation.pointer
    body_pointer = f"{pointer}/requestBody"
    parts = {
        "addresses": _addresses(_servers(operation)),
        "parameters": Part("parameters", pointer, parts=_parameters(operation)),
        "body": Part("request body", body_pointer, parts=_body(operation)),
    }
    deprecation = _stated(operation.node, ["deprecated"])
    return Part("operation", pointer, keywords=deprecation, parts=parts)


def _addresses(servers: list[Node]) -> Part:
    """The addresses of an operation; the first one is the default."""
    urls = [url for server in servers for url in _urls(server)]
    addresses = {url: Part(f"address {quoted(url)}") for url in urls}
    default = {"default": urls[0]} if urls else {}
    return Part("addresses", "/servers", keywords=default, parts=addresses)


def _urls(server: Node) -> list[str]:
    """The addresses of a server; a variable with a list of values gives one address for each
    value, and the default first."""
    urls = [str(server.get("url"))]
    for name, variable in mapping(server, "variables").items():
        default = variable.get("default")
        values = sorted(sequence(variable, "enum"), key=lambda value: value != default)
        # The default of a variable without values is a placeholder.
        pairs = product(urls, values or [f"{{{name}}}"])
        urls = [url.replace(f"{{{name}}}", str(value)) for url, value in pairs]
    return urls


def _servers(operation: Operation) -> list[Node]:
    """The servers of the operation, else of its path, else of the document."""
    document = Place(operation.document, "", operation.document)
    for holder in (operation.place, operation.item, document):
        servers = holder.listed("servers")
        if servers:
            return [server.node for server in servers]
    return []


def _parameters(operation: Operation) -> Parts:
    """The parameters: path parameters by position, headers without regard to case, the others by
    name."""
    places = operation.item.listed("parameters")
    places += operation.place.listed("parameters")
    parameters = {}
    for place in places:
        parameter = place.followed()
        subject = _subject(parameter.node, operation.path)
        is_header = parameter.node.get("in") == "header"
        parameters[subject.lower() if is_header else subject] = Part(
            subject,
            parameter.pointer,
            presence=_presence(parameter, "optional"),
            keywords=_notation(parameter.node),
            schema=schema_at("schema", [parameter]),
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
    names = ("style", "explode", "deprecated", "allowReserved", "allowEmptyValue")
    keywords = _stated(parameter, names)
    if parameter.get("in") == "query":
        return {"style": "form", "explode": True, **keywords}
    return keywords


def _body(operation: Operation) -> Parts:
    if "requestBody" not in operation.node:
        return {}
    body = operation.place.inner("requestBody").followed()
    part = Part(
        "body",
        body.pointer,
        presence=_presence(body, "optional"),
        parts=_contents("body", body),
        dangling=reference(body.node),
    )
    return {"body": part}


# Responses.


def _responses(operation: Operation) -> Responses:
    return operation.place.named("responses")


def _compare_responses(comparison: Comparison, old: Responses, new: Responses) -> None:
    """Compare the responses for each status that one of the operations names."""
    for status in names_of(old, new):
        before = applying(status, old)
        after = applying(status, new)
        if before and after:
            comparison.compare(_response(status, before), _response(status, after))
        else:
            _compare_presence(comparison, status, old, new)


def applying(status: str, responses: Responses) -> Place | None:
    """Return the response for a status, else for its range; an error can also have the default
    response."""
    own = responses.get(status) or responses.get(f"{status[:1]}XX")
    if own or status.startswith("2"):
        return own
    return responses.get("default")


def json_body(response: Place) -> Place:
    """Return the media type of a response in JSON; an empty one if it has none."""
    return response.followed().inner("content").inner("application/json")


def _compare_presence(
    comparison: Comparison,
    status: str,
    old: Responses,
    new: Responses,
) -> None:
    subject = f"response {status}"
    before = "present" if status in old else None
    after = "present" if status in new else None
    if after and status.startswith("2"):
        # Readers raise an error for a success that they do not know.
        comparison.record(subject, before, after, Effect.WIDER)
    elif status == "default" and before and _has_errors(new):
        # Errors are still described, by their statuses.
        comparison.record(subject, before, after, Effect.SAME)
    else:
        comparison.presence(subject, before, after)


def _has_errors(responses: Responses) -> bool:
    return any(status.startswith(("4", "5")) for status in responses)


def _response(status: str, place: Place) -> Part:
    response = place.followed()
    subject = f"response {status}"
    headers = {}
    for name, holder in response.named("headers").items():
        header = holder.followed()
        headers[name.lower()] = Part(
            f"{subject} header {quoted(name)}",
            presence=_presence(header, "present"),
            schema=schema_at("schema", [header]),
        )
    return Part(
        subject,
        response.pointer,
        parts=headers | _contents(subject, response),
        dangling=reference(response.node),
    )


# Both.


def _contents(subject: str, holder: Place) -> dict[str, Part]:
    """The media types of a body. Their character set is left out: JSON has only one, and every
    reader of a text looks at it."""
    contents = {}
    for kind, media in holder.named("content").items():
        name = re.sub(r"\s*;\s*charset=[^;]*", "", kind.lower())
        pointer = f"{media.pointer}/encoding"
        encoding = Part("encoding", pointer, keywords=_encodings(media))
        contents[f"as {name}"] = Part(
            f"{subject} as {name}",
            schema=schema_at("schema", [media]),
            parts={"encoding": encoding},
        )
    return contents


def _encodings(media: Place) -> Node:
    keywords = {}
    for name, encoding in media.named("encoding").items():
        for keyword, value in _stated(encoding.node, encoding.node).items():
            if not keyword.startswith("x-"):
                keywords[f"encoding of {quoted(name)}: {keyword}"] = value
    return keywords


def _stated(node: Node, names: Iterable[str]) -> Node:
    """The values of keywords. False equals an absent keyword, except for `explode`."""
    stated = {}
    for name in names:
        value = node.get(name)
        is_false = value is False and name != "explode"
        if value is not None and not is_false:
            stated[name] = value
    return stated


def _presence(place: Place, otherwise: str) -> str:
    if "$ref" in place.node:
        return "a reference without a target"
    is_required = place.node.get("required") is True
    return "required" if is_required else otherwise


# Keys.


def _compare_security(comparison: Comparison, old: set[Keys], new: set[Keys]) -> None:
    if old == new:
        return
    # A caller sends the keys of an older choice.
    sent = old or {Keys()}
    refused = [keys for keys in sent if not _accepts(new, keys)]
    effect = Effect.NARROWER if refused else Effect.WIDER
    comparison.record("security", _key_text(old), _key_text(new), effect)


def _accepts(choices: set[Keys], sent: Keys) -> bool:
    return not choices or any(needed <= sent for needed in choices)


def _keys(operation: Operation) -> set[Keys]:
    """The choices of keys for an operation, with the place of each key; names of schemes are
    ignored."""
    components = operation.document.get("components")
    schemes = mapping(components, "securitySchemes")
    has_own = "security" in operation.node
    holder = operation.node if has_own else operation.document
    choices = set()
    for choice in filter(is_object, sequence(holder, "security")):
        keys = set()
        for name in choice:
            scopes = sequence(choice, name)
            keys.add(_key(name, mapping(schemes, name), scopes))
        choices.add(Keys(keys))
    return choices


def _key(name: str, scheme: Node, scopes: list[Any]) -> str:
    """A key as text, such as `header apikey` or `http login`."""
    if not scheme:
        return f"{name} without a scheme"
    where = scheme.get("in", scheme.get("type"))
    public_name = scheme.get("name", name)
    return " ".join(map(str, [where, public_name, *scopes]))


def _key_text(choices: set[Keys]) -> str | None:
    texts = [" and ".join(sorted(keys)) or "no key" for keys in choices]
    return " or ".join(sorted(texts)) or None
