"""The rules for a whole description: its operations together, its components, servers and marks.

Each yields whole lines.
"""

from __future__ import annotations

import re

from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Node, mapping, sequence

from .names import CLASSES
from .operation_rules import Texts
from .resources import Method
from .schema_rules import objects
from .schemas import target

_KEY = {"type": "apiKey", "in": "header", "name": "apikey"}
#: The marks of this project, and the keywords that must stand beside each.
_MARKS = {
    "x-codegen-request-body-name": {"content"},
    "x-evidence": set[str](),
    "x-pages": {"operationId"},
    "x-repeated-at": {"in"},
    "x-secret": {"in"},
}
#: Keywords of objects whose keys are names and not keywords.
_NAMED = ("encoding", "headers", "parameters", "properties", "responses", "schemas")


def faults_of_document(document: Document, methods: list[Method]) -> Texts:
    """Yield the reasons why no client can be made from a description as a whole."""
    if not methods:
        yield "/paths: no operation; describe one"
    yield from _faults_of_methods(methods)
    yield from _faults_of_components(document)
    yield from _faults_of_servers(document)
    yield from _faults_of_marks(document)


def _faults_of_methods(methods: list[Method]) -> Texts:
    """Each operation has its own module and its own method."""
    places_of_ids: dict[str, str] = {}
    places_of_methods: dict[tuple[str, str], str] = {}
    for method in methods:
        place = method.title
        first = places_of_ids.setdefault(method.node.get("operationId") or place, place)
        same = places_of_methods.setdefault((snake_case(method.tag), method.verb), place)
        if first != place:
            yield f"{place}: the operationId is also that of {first}; give one of them another"
        elif same != place:
            yield (
                f"{place}: the method {method.verb} of the tag {method.tag} is also the method of"
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
        if not _KEY.items() <= target(document, scheme).items():
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
    is_class = pascal_case(name) not in CLASSES
    return is_class and len(members) == len(values) and variable["default"] in values


def _faults_of_marks(document: Document) -> Texts:
    """A mark in another place, or with another name, would change nothing."""
    for pointer, node in objects(document):
        *_, parent, key = ["", *pointer.split("/")]
        # A property may have such a name, too.
        if key in _NAMED and parent not in _NAMED:
            continue
        for name in node:
            if name.startswith("x-") and name not in _MARKS:
                yield f"{pointer}: nothing reads {name}; the marks are {', '.join(_MARKS)}"
            elif name in _MARKS and not _MARKS[name] <= node.keys():
                yield f"{pointer}: {name} has no effect here; remove it, or move it"
