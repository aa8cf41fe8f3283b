"""The rules for a whole description, its components and its schemas."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from attrs import frozen
from openapi_python_client.strings import PythonIdentifier, pascal_case, snake_case

from tools.description import ROOT, Document, Node, mapping, nodes, reference, sequence

from .operation_rules import BYTES, CHOICES, CLASSES, FILE, MULTIPART, Texts
from .resources import Method, target

Methods: TypeAlias = list[Method]
#: A rule that yields whole lines.
ComponentRule: TypeAlias = Callable[[Document, Methods], Texts]

_KEY = {"type": "apiKey", "in": "header", "name": "apikey"}
#: Keywords that change nothing for a reader or a sender: they may stand beside a $ref.
_NOTES = frozenset(
    {"$ref", "title", "summary", "description", "default", "deprecated", "example", "examples"}
)
#: The marks of this project, and the keywords that each place of a mark has.
_MARKS = {
    "x-codegen-request-body-name": ("content",),
    "x-evidence": (),
    "x-pages": ("operationId",),
    "x-repeated-at": ("in",),
    "x-secret": ("in",),
}
#: Keywords whose content has names of its own.
_NAMED = ("encoding", "headers", "parameters", "properties", "responses", "schemas")
#: Keywords whose content is a value, a condition or a request of the service, and not a schema of
#: the client. They are keywords unless they are the name of a property.
_NO_SCHEMAS = re.compile(
    r"""
    (?<! /properties)
    / (
        callbacks
        | else
        | examples?     # example, examples
        | if
        | not
        | then
    )
    (/ | $)             # /example/data, /example
    """,
    re.VERBOSE,
)


def objects(document: Any) -> Iterator[tuple[str, Node]]:
    """Yield each object that is not part of a value, such as an example, with its JSON pointer."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and not _NO_SCHEMAS.search(pointer):
            yield pointer, node


# The whole description. These rules yield whole lines.


def names_of_methods_differ(_: Document, methods: Methods) -> Texts:
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


def there_is_an_operation(_: Document, methods: Methods) -> Texts:
    """A client without a method is of no use."""
    if not methods:
        yield "/paths: no operation; describe one"


def components_have_plain_names(document: Document, _: Methods) -> Texts:
    """OpenAPI allows only these letters, and a class has the name of its component."""
    components = mapping(document, "components")
    for kind in components:
        for name in mapping(components, kind):
            if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
                yield (
                    f"/components/{kind}/{name}: the name must consist of A-Z, a-z, 0-9 and ._-;"
                    " rename it"
                )


def security_is_the_key(document: Document, _: Methods) -> Texts:
    """The client sends its key in one header."""
    for name, scheme in mapping(mapping(document, "components"), "securitySchemes").items():
        described = target(document, scheme)
        if {key: described.get(key) for key in _KEY} != _KEY:
            yield (
                f"/components/securitySchemes/{name}: the client sends only a key in the header"
                " apikey; remove it"
            )


def there_is_one_server(document: Document, _: Methods) -> Texts:
    """A client has one address; its parts can vary."""
    if len(sequence(document, "servers")) > 1:
        yield "/servers/1: the client has one address; remove it, or describe a variable"


def marks_have_an_effect(document: Document, _: Methods) -> Texts:
    """A mark in another place, or with another name, would change nothing."""
    parts = {key: document.get(key) for key in ("paths", "components")}
    for pointer, node in objects(parts):
        if pointer.rpartition("/")[2] in _NAMED:
            continue
        for name in node:
            if name.startswith("x-") and name not in _MARKS:
                yield f"{pointer}: nothing reads {name}; the marks are {', '.join(_MARKS)}"
            elif name in _MARKS and not {*_MARKS[name]} <= node.keys():
                yield f"{pointer}: {name} has no effect here; remove it, or move it"


def schemas_have_classes_of_their_own(document: Document, methods: Methods) -> Texts:
    """The class of a schema, and its module, have a name that nothing else has."""
    schemas = _schemas(document)
    places = [(pascal_case(name), f"/components/schemas/{name}") for name in schemas]
    yield from classes_in_the_way(places, methods)


def classes_in_the_way(places: Iterable[tuple[str, str]], methods: Methods) -> Texts:
    """Yield a line for each class, with its place, whose name or module something else has."""
    resources = {pascal_case(method.tag) for method in methods}
    taken = {*CLASSES, *resources, *(f"Async{name}" for name in resources)}
    public = public_names()
    modules: dict[str, str] = {}
    for name, place in places:
        module = snake_case(name)
        first = modules.setdefault(module, name)
        if name in taken:
            yield f"{place}: a tag or the client has a class of this name; rename the schema"
        elif name in public:
            yield f"{place}: {name} would hide cometchat_rest.{name}; rename the schema"
        elif first != name:
            yield f"{place}: {name} and {first} have one module, {module}; rename one of them"


def public_names() -> set[str]:
    """The names that users can import from the client, without those of the models."""
    folder = ROOT / "overlays" / "cometchat_rest"
    paths = (folder / "__init__.py", folder / "errors.py")
    return {
        node.name
        for path in paths
        if path.exists()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.alias | ast.ClassDef | ast.FunctionDef)
    }


def schemas_have_no_other_title(document: Document, _: Methods) -> Texts:
    """The generator names a class after the title."""
    for name, schema in _schemas(document).items():
        if pascal_case(schema.get("title", name)) != pascal_case(name):
            yield f"/components/schemas/{name}: the title would rename the class; remove the title"


def _schemas(document: Document) -> Node:
    return mapping(mapping(document, "components"), "schemas")


def variables_of_the_address_have_names(document: Document, _: Methods) -> Texts:
    """A variable with a list of values becomes an enum, such as `Region`."""
    servers = sequence(document, "servers")
    variables = mapping(servers[0], "variables") if servers else {}
    for name, variable in variables.items():
        values = sequence(variable, "enum")
        words = [value for value in values if re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", value)]
        members = {snake_case(word) for word in words}
        if values and (
            len(members) != len(values)
            or variable["default"] not in values
            or pascal_case(name) in CLASSES
        ):
            yield (
                f"/servers/0/variables/{name}: no names for the class and its values; use other"
                " words, one as default"
            )


COMPONENT_RULES: tuple[ComponentRule, ...] = (
    names_of_methods_differ,
    there_is_an_operation,
    components_have_plain_names,
    security_is_the_key,
    there_is_one_server,
    marks_have_an_effect,
    schemas_have_classes_of_their_own,
    schemas_have_no_other_title,
    variables_of_the_address_have_names,
)


# Single schemas. These rules yield a text that follows the place of the schema.


@frozen
class Usage:
    """Where a document uses its objects. They are compared by identity."""

    document: Document
    #: Schemas of files that the client can send.
    files: frozenset[int]
    #: All objects in requests, and in successful responses.
    sent: frozenset[int]
    received: frozenset[int]

    @classmethod
    def of(cls, document: Document, methods: Methods) -> Usage:
        """Find the uses in some operations."""
        sent: list[Any] = []
        received: list[Any] = []
        files: list[Any] = []
        for method in methods:
            for kind, media in method.body.items():
                schema = mapping(media, "schema")
                sent.append(schema)
                if kind == BYTES:
                    files.append(schema)
                if kind == MULTIPART:
                    files += mapping(method.target(schema), "properties").values()
            for content in method.successes:
                received += [mapping(media, "schema") for media in content.values()]
        ids = frozenset(id(target(document, schema)) for schema in files)
        return cls(document, ids, _ids_below(document, sent), _ids_below(document, received))

    def is_file(self, node: Node) -> bool:
        """Whether a client can send a file there."""
        return id(node) in self.files

    def target(self, node: Any) -> Node:
        """A node, or the one that it refers to."""
        return target(self.document, node)

    def choices(self, node: Node, keywords: Iterable[str] = ("oneOf", "anyOf")) -> list[Node]:
        """The schemas of which a value fits one."""
        return [self.target(choice) for key in keywords for choice in sequence(node, key)]

    def parts(self, node: Node) -> list[Node]:
        """A schema, and the schemas of its allOf."""
        return [node, *self.choices(node, ["allOf"])]

    def fields(self, node: Node, name: str) -> list[Node]:
        """What each part of a schema says about a field."""
        return [self.target(mapping(part, "properties").get(name)) for part in self.parts(node)]


SchemaRule: TypeAlias = Callable[[Usage, Node], Texts]


def _ids_below(document: Document, schemas: list[Any]) -> frozenset[int]:
    """The ids of every object in some schemas, with all references followed."""
    seen = set[int]()
    waiting = [*schemas]
    while waiting:
        for _, each in nodes(waiting.pop()):
            node = target(document, each) if isinstance(each, dict) else each
            if id(node) not in seen:
                seen.add(id(node))
                waiting.append(node)
    return frozenset(seen)


def one_alternative_is_an_array(usage: Usage, node: Node) -> Texts:
    """The generated code cannot tell two arrays apart."""
    arrays = [choice for choice in usage.choices(node) if choice.get("type") == "array"]
    if len(arrays) > 1:
        yield (
            ": two alternatives are arrays; describe one array, whose items are the alternatives"
        )


def files_can_be_sent(usage: Usage, node: Node) -> Texts:
    """A file is a part of a form, or a whole body, and the generator knows one notation."""
    is_misplaced = node.get("format") == "binary" and not usage.is_file(node)
    is_misread = "contentMediaType" in node and usage.is_file(node)
    if is_misplaced or is_misread:
        yield f": a file that the client cannot send; {FILE}"


def required_fields_can_be_exchanged(usage: Usage, node: Node) -> Texts:
    """A field that only the other side has cannot be required."""
    sides = (("readOnly", "request", usage.sent), ("writeOnly", "response", usage.received))
    for mark, place, used in sides:
        for name in _required_with_mark(usage, node, mark) if id(node) in used else ():
            yield f"/properties/{name}: {mark} and required in a {place}; describe another schema"


def _required_with_mark(usage: Usage, node: Node, mark: str) -> Iterator[str]:
    """The required fields that have a mark in some part of a schema."""
    parts = usage.parts(node)
    required = {name for part in parts for name in sequence(part, "required")}
    described = {name for part in parts for name in mapping(part, "properties")}
    for name in sorted(required & described):
        if any(field.get(mark) is True for field in usage.fields(node, name)):
            yield name


def reference_stands_alone(_: Usage, node: Node) -> Texts:
    """The generator reads nothing beside a $ref."""
    keywords = [key for key in node.keys() - _NOTES if not key.startswith("x-")]
    if reference(node) is not None and keywords:
        names = ", ".join(sorted(keywords))
        yield f": {names} beside $ref would be left out; describe it in the schema that $ref names"


def union_stands_alone(usage: Usage, node: Node) -> Texts:
    """The generator reads a union, and an allOf with one reference, as nothing else."""
    parts = sequence(node, "allOf")
    is_alias = len(parts) == 1 and "$ref" in parts[0]
    has_fields = "properties" in node or "required" in node
    if has_fields and (is_alias or usage.choices(node)):
        yield (
            ": properties or required beside oneOf, anyOf or one allOf would be left out; move them"
            " into an allOf"
        )


def parts_of_all_of_are_objects(usage: Usage, node: Node) -> Texts:
    """The generator reads only the properties of each part."""
    names = {name for part in usage.parts(node) for name in mapping(part, "properties")}

    def is_lost(part: Node) -> bool:
        inner = usage.choices(part, CHOICES)
        has_fields_below = any(mapping(each, "properties").keys() - names for each in inner)
        return has_fields_below or part.get("type", "object") != "object"

    if any(is_lost(part) for part in sequence(node, "allOf") if "$ref" not in part):
        yield (
            ": a part of allOf is not an object, or has parts of its own; describe its fields"
            " directly"
        )


def pattern_properties_are_open(_: Usage, node: Node) -> Texts:
    """The generator reads no patternProperties."""
    if "patternProperties" in node and node.get("additionalProperties") is False:
        yield (
            ": fields of patternProperties would be unknown fields; remove additionalProperties:"
            " false"
        )


def attributes_differ(usage: Usage, node: Node) -> Texts:
    """Each field has an attribute of its own."""
    names = dict.fromkeys(
        name for part in usage.parts(node) for name in mapping(part, "properties")
    )
    attributes: dict[str, str] = {}
    for name in names:
        # The spelling that the generator uses if two names differ only in their case.
        first = attributes.setdefault(PythonIdentifier(name, "field_", skip_snake_case=True), name)
        if first != name:
            yield f": the fields {first} and {name} have one attribute; rename one of them"


def null_is_a_type(_: Usage, node: Node) -> Texts:
    """OpenAPI 3.1 has no keyword for it."""
    if isinstance(node.get("nullable"), bool):
        yield (
            ": OpenAPI 3.1 has no nullable; write type: [string, 'null'], and null among the values"
            " of a set"
        )


def discriminator_has_constants(usage: Usage, node: Node) -> Texts:
    """Without a constant, the generated code cannot choose a class."""
    if "discriminator" not in node:
        return
    name = str(mapping(node, "discriminator").get("propertyName"))
    for choice in usage.choices(node):
        fields = usage.fields(choice, name)
        if not any("const" in field or "enum" in field for field in fields):
            yield (
                f": the discriminator {name} may have any text in an alternative; give it a const"
                " there"
            )
            return


SCHEMA_RULES: tuple[SchemaRule, ...] = (
    one_alternative_is_an_array,
    files_can_be_sent,
    required_fields_can_be_exchanged,
    reference_stands_alone,
    union_stands_alone,
    parts_of_all_of_are_objects,
    pattern_properties_are_open,
    attributes_differ,
    null_is_a_type,
    discriminator_has_constants,
)
