"""The rules for a single schema: what the generator would read wrongly, and what a client cannot
send."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from openapi_python_client.strings import PythonIdentifier

from tools.description import (
    Document,
    Node,
    Operation,
    choices,
    fields,
    followed,
    mapping,
    reference,
    required,
    sequence,
)

from .code import free_name
from .operation_rules import BYTES, CHOICES, FILE, MULTIPART, Texts
from .schemas import objects

#: Keywords that change nothing for a reader or a sender: they may stand beside a $ref.
_NOTES = frozenset(
    {"$ref", "title", "summary", "description", "default", "deprecated", "example", "examples"}
)


@frozen
class Usage:
    """Where a document uses its objects. They are compared by identity."""

    #: Schemas of files that the client can send.
    files: frozenset[int]
    #: All objects in requests, and in successful responses.
    sent: frozenset[int]
    received: frozenset[int]

    @classmethod
    def of(cls, document: Document, operations: list[Operation]) -> Usage:
        """Find the uses in some operations."""
        sent: list[Any] = []
        received: list[Any] = []
        files: list[Any] = []
        for operation in operations:
            for kind, media in mapping(operation.request_body, "content").items():
                schema = mapping(media, "schema")
                sent.append(schema)
                if kind == BYTES:
                    files.append(schema)
                if kind == MULTIPART:
                    files += mapping(followed(document, schema), "properties").values()
            for content in operation.successes:
                received += [mapping(media, "schema") for media in content.values()]
        ids = frozenset(id(followed(document, schema)) for schema in files)
        return cls(ids, _ids_below(document, sent), _ids_below(document, received))


def _ids_below(document: Document, schemas: list[Any]) -> frozenset[int]:
    """The ids of every object in some schemas, with all references followed."""
    seen = set[int]()
    waiting = [*schemas]
    while waiting:
        for _, part in objects(waiting.pop()):
            node = followed(document, part)
            if id(node) not in seen:
                seen.add(id(node))
                waiting.append(node)
    return frozenset(seen)


def faults_of_schema(document: Document, usage: Usage, node: Node) -> Texts:
    """Yield the reasons why a schema would be read wrongly, or cannot be sent; each follows the
    place of the schema."""
    for key in ("type", "enum"):
        if key in node and not node[key]:
            yield f": {key} has no value; give it one, or remove it"
    yield from _lost_keywords(node)
    yield from _lost_fields(document, node)
    yield from _faults_of_parts(document, node)
    yield from _faults_of_choices(document, node)
    yield from _faults_of_attributes(document, node)
    if id(node) in usage.sent:
        yield from _one_sided_fields(document, node, "readOnly", "request")
    if id(node) in usage.received:
        yield from _one_sided_fields(document, node, "writeOnly", "response")
    # A file is a part of a form, or a whole body, and the generator knows one notation.
    is_sent_file = id(node) in usage.files
    is_misplaced = node.get("format") == "binary" and not is_sent_file
    is_misread = "contentMediaType" in node and is_sent_file
    if is_misplaced or is_misread:
        yield f": a file that the client cannot send; {FILE}"


def _lost_keywords(node: Node) -> Texts:
    beside = ", ".join(sorted(key for key in node.keys() - _NOTES if not key.startswith("x-")))
    # The generator reads nothing beside a $ref.
    if reference(node) is not None and beside:
        yield f": {beside} beside $ref would be left out; describe it in the schema that $ref names"
    # It reads no patternProperties.
    if "patternProperties" in node and node.get("additionalProperties") is False:
        yield (
            ": fields of patternProperties would be unknown fields; remove additionalProperties:"
            " false"
        )
    if isinstance(node.get("nullable"), bool):
        yield (
            ": OpenAPI 3.1 has no nullable; write type: [string, 'null'], and null among the values"
            " of a set"
        )


def _lost_fields(document: Document, node: Node) -> Texts:
    """The generator reads a union, and an allOf with one reference, as nothing else."""
    all_of = sequence(node, "allOf")
    is_alias = len(all_of) == 1 and "$ref" in all_of[0]
    has_fields = "properties" in node or "required" in node
    if has_fields and (is_alias or choices(document, node)):
        yield (
            ": properties or required beside oneOf, anyOf or one allOf would be left out; move them"
            " into an allOf"
        )


def _faults_of_parts(document: Document, node: Node) -> Texts:
    """The generator reads only the properties of each part of an allOf."""
    names = {name for name, _ in fields(document, node)}
    for part in sequence(node, "allOf"):
        inner = choices(document, part, CHOICES)
        has_fields_below = any(mapping(choice, "properties").keys() - names for choice in inner)
        is_object = part.get("type", "object") == "object"
        if "$ref" not in part and (has_fields_below or not is_object):
            yield (": a part of allOf is not an object, or has parts; describe its fields directly")
            return


def _faults_of_choices(document: Document, node: Node) -> Texts:
    """The generated code chooses a class by a constant, and cannot tell two arrays apart."""
    types = [choice.get("type") for choice in choices(document, node)]
    if types.count("array") > 1:
        yield (
            ": two alternatives are arrays; describe one array, whose items are the alternatives"
        )
    discriminator = mapping(node, "discriminator").get("propertyName")
    for choice in choices(document, node) if discriminator else ():
        facts = [field for name, field in fields(document, choice) if name == discriminator]
        if not any("const" in field or "enum" in field for field in facts):
            yield (
                f": the discriminator {discriminator} may have any text in an alternative; give it"
                " a const there"
            )
            return


def _faults_of_attributes(document: Document, node: Node) -> Texts:
    """No two fields have the same attribute."""
    attributes: dict[str, str] = {}
    for name, _ in fields(document, node):
        # The spelling that the generator uses if two names differ only in their case.
        attribute = free_name(PythonIdentifier(name, "field_", skip_snake_case=True))
        first = attributes.setdefault(attribute, name)
        if first != name:
            yield f": the fields {first} and {name} have one attribute; rename one of them"


def _one_sided_fields(document: Document, node: Node, mark: str, place: str) -> Texts:
    """A field that only the other side has cannot be required."""
    marked = {name for name, field in fields(document, node) if field.get(mark) is True}
    for name in sorted(required(document, node) & marked):
        yield f"/properties/{name}: {mark} and required in a {place}; describe another schema"
