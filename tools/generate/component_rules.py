"""The rules for a whole description: its operations together, its components, servers and marks.

Each yields whole lines.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from typing import Any

from attrs import field, frozen
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Node, Operation, followed, mapping, sequence

from .names import IN_OPERATIONS, RESOURCE_CLASSES
from .operation_rules import Texts
from .resources import verb
from .schemas import objects_of

_KEY = {"type": "apiKey", "in": "header", "name": "apikey"}


def _is_argument(value: Any) -> bool:
    """Whether an argument can have this name."""
    if not isinstance(value, str) or keyword.iskeyword(value):
        return False
    is_name = re.fullmatch("[A-Za-z][A-Za-z0-9_]*", value) is not None
    return is_name and value not in IN_OPERATIONS


def _is_evidence(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) for name in names)


@frozen
class _Mark:
    """A mark of this project.

    Attributes:
        is_valid: whether it can have a value; other rules know more about some values.
        values: the values that it can have, for a message.
        beside: the keyword that must stand beside it.
    """

    is_valid: Callable[[Any], bool]
    values: str
    beside: frozenset[str] = field(factory=frozenset)


_MARKS = {
    "x-codegen-request-body-name": _Mark(
        _is_argument,
        "a name that no keyword and no other name of the generated module is, such as new",
        frozenset({"content"}),
    ),
    "x-evidence": _Mark(_is_evidence, "the id of an entry of the ledger, or an array of them"),
    "x-pages": _Mark(lambda _: True, "an object", frozenset({"operationId"})),
    "x-repeated-at": _Mark(
        lambda value: isinstance(value, str),
        "a place in the response, such as /data/id",
        frozenset({"in"}),
    ),
    "x-secret": _Mark(
        lambda value: isinstance(value, bool),
        "true or false, without quotes",
        frozenset({"in"}),
    ),
}


def faults_of_document(document: Document, operations: list[Operation]) -> Texts:
    """Yield the reasons why no client can be made from a description as a whole."""
    if not operations:
        yield "/paths: no operation; describe one"
    yield from _faults_of_methods(operations)
    yield from _faults_of_components(document)
    yield from _faults_of_servers(document)
    yield from _faults_of_marks(document)


def _faults_of_methods(operations: list[Operation]) -> Texts:
    """Each operation has its own module and its own method."""
    places_of_ids: dict[str, str] = {}
    places_of_methods: dict[tuple[str, str], str] = {}
    for operation in operations:
        place = operation.title
        name = operation.node.get("operationId") or ""
        first = places_of_ids.setdefault(name or place, place)
        method = verb(name)
        same = places_of_methods.setdefault((snake_case(operation.tag), method), place)
        if first != place:
            yield f"{place}: the operationId is also that of {first}; give one of them another"
        elif same != place:
            yield (
                f"{place}: the method {method} of the tag {operation.tag} is also the method of"
                f" {same}; begin one operationId with another verb"
            )


def _faults_of_components(document: Document) -> Texts:
    components = mapping(document, "components")
    for kind in components:
        for name in mapping(components, kind):
            # OpenAPI allows only these letters, and a class has the name of its component.
            if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
                yield (
                    f"/components/{kind}/{name}: the name must consist of A-Z, a-z, 0-9 and ._-;"
                    " rename it"
                )
    for name, scheme in mapping(components, "securitySchemes").items():
        if not _KEY.items() <= followed(document, scheme).items():
            yield (
                f"/components/securitySchemes/{name}: the client sends only a key in the header"
                " apikey; remove it"
            )
    for name, schema in mapping(components, "schemas").items():
        # The generator names a class after the title.
        if pascal_case(schema.get("title", name)) != pascal_case(name):
            yield f"/components/schemas/{name}: the title would rename the class; remove the title"


def _faults_of_servers(document: Document) -> Texts:
    servers = sequence(document, "servers")
    if len(servers) > 1:
        yield "/servers/1: the client has one address; remove it, or describe a variable"
    for server in servers[:1]:
        for name, variable in mapping(server, "variables").items():
            if "enum" in variable and not _has_names(name, variable):
                yield (
                    f"/servers/0/variables/{name}: no names for the class and its values; use"
                    " other words, one as default"
                )


def _has_names(name: str, variable: Node) -> bool:
    """Whether a variable of the address can be an enum, such as `Region`."""
    values = sequence(variable, "enum")
    words = [value for value in values if re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", value)]
    members = {snake_case(word) for word in words}
    is_class = pascal_case(name) not in RESOURCE_CLASSES
    return is_class and len(members) == len(values) and variable["default"] in values


def _faults_of_marks(document: Document) -> Texts:
    """A mark in another place, or with another name or value, would change nothing."""
    for pointer, node in objects_of(document):
        for name, value in node.items():
            if not name.startswith("x-"):
                continue
            mark = _MARKS.get(name)
            if mark is None:
                yield f"{pointer}: nothing reads {name}; the marks are {', '.join(_MARKS)}"
            elif not mark.beside <= node.keys():
                yield f"{pointer}: {name} has no effect here; remove it, or move it"
            elif not mark.is_valid(value):
                yield f"{pointer}: {name} must be {mark.values}; correct it"
