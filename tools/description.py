"""Reads an OpenAPI document as plain data, and finds places in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard
from urllib.parse import urlsplit

import yaml
from attrs import field, frozen

#: An object of a document, as JSON has it, and a whole document.
Node: TypeAlias = Mapping[str, Any]
Document: TypeAlias = Node

METHODS = (
    "get",
    "put",
    "post",
    "delete",
    "options",
    "head",
    "patch",
    "trace",
)
ROOT = Path(__file__).parents[1]
#: The one description of the service.
DESCRIPTION = ROOT / "openapi.yaml"


def parse(text: str) -> Document:
    """Parse a document in JSON or YAML, and resolve the references of its path items.

    YAML anchors are copied, so that no two places share a node. Every key becomes text. No other
    file is read.

    Raises:
        ValueError: the text is not an OpenAPI document of version 3, or refers to another document.
    """
    content = _loaded(text)
    if not isinstance(content, dict) or "paths" not in content:
        raise ValueError(
            "not an OpenAPI document; give a document of version 3.0 or 3.1 in JSON or YAML"
        )
    if "swagger" in content:
        raise ValueError(
            f"Swagger {content['swagger']} is not supported; give a document of OpenAPI 3.0 or 3.1"
        )
    document = _copied(content)
    _check_references(document)
    _check_objects("", document, ("info", "paths"))
    paths = {}
    for path, item in document["paths"].items():
        if not path.startswith("x-"):
            try:
                paths[path] = Place(document, "", item).followed().node
            except RecursionError as error:
                raise ValueError(
                    f"/paths/{escaped(path)}: its $ref leads back to itself; describe the path here"
                ) from error
            _check_objects("/paths", paths, (path,))
            _check_objects(f"/paths/{escaped(path)}", paths[path], METHODS)
    return {**document, "paths": paths}


def read(path: Path) -> Document:
    """Read the document in a file; a ValueError names the file."""
    try:
        return parse(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: not a text in UTF-8; save the document as UTF-8") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


class _Loader(yaml.CSafeLoader):
    """Refuses a key that an object has twice: only the last value would count."""

    def construct_mapping(self, node: Any, *arguments: Any, **options: Any) -> Any:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {name!r} is there twice", problem_mark=node.start_mark
                )
        return super().construct_mapping(node, *arguments, **options)


def _loaded(text: str) -> Any:
    try:
        if text.lstrip().startswith("{"):
            return json.loads(text)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except (ValueError, yaml.YAMLError) as error:
        line = " ".join(str(error).split())
        raise ValueError(f"neither JSON nor YAML: {line}; correct this place") from error


def _copied(content: Any) -> Document:
    try:
        text = json.dumps(content, default=str)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"not a document that JSON can hold: {error}; correct this place"
        ) from error
    document: Document = json.loads(text)
    return document


def _check_objects(pointer: str, node: Node, keys: Iterable[str]) -> None:
    for key in keys:
        if key in node and not is_object(node[key]):
            raise ValueError(f"{pointer}/{escaped(key)}: not an object; correct this place")


def _check_references(document: Document) -> None:
    for _, node in nodes(document):
        target = reference(node)
        if target is not None and not target.startswith("#"):
            raise ValueError(
                f"refers to {target!r}, which is not read; first merge all files into one document"
            )


def escaped(part: str | int) -> str:
    """Escape one part of a JSON pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")


def at(node: Any, pointer: str) -> Any:
    """Return the node at a JSON pointer; raise LookupError, TypeError or ValueError if there is
    no such node."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        node = node[int(key)] if isinstance(node, list) else node[key]
    return node


def nodes(node: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every object and array, with its JSON pointer."""
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    else:
        return
    yield pointer, node
    for key, value in items:
        yield from nodes(value, f"{pointer}/{escaped(key)}")


def is_object(node: Any) -> TypeGuard[Node]:
    """Whether a node is an object."""
    return isinstance(node, Mapping)


def mapping(node: Any, key: str) -> Node:
    """Return the object under a key, else an empty one."""
    value = node.get(key) if is_object(node) else None
    return value if is_object(value) else {}


def sequence(node: Any, key: str) -> list[Any]:
    """Return the array under a key, else an empty one."""
    value = node.get(key) if is_object(node) else None
    return value if isinstance(value, list) else []


def reference(node: Any) -> str | None:
    """Return the `$ref` of a node, if it has one."""
    target = node.get("$ref") if is_object(node) else None
    return target if isinstance(target, str) else None


def found_at(document: Document, target: str) -> Any:
    """Return the node that a reference names; `None` if it is missing or in another document."""
    if not target.startswith("#"):
        return None
    try:
        return at(document, target.removeprefix("#"))
    except (LookupError, TypeError, ValueError):
        return None


def followed(document: Document, node: Any) -> Node:
    """Return a node, or the object that its `$ref` names; an empty one in place of a schema that is
    only true or false."""
    end = Place(document, "", node).followed().node
    return end if is_object(end) else {}


def choices(
    document: Document, schema: Node, keywords: Iterable[str] = ("oneOf", "anyOf")
) -> list[Node]:
    """Return the schemas of which a value fits one."""
    return [followed(document, choice) for key in keywords for choice in sequence(schema, key)]


def parts(document: Document, schema: Node) -> list[Node]:
    """Return a schema, and the schemas of its allOf."""
    return [schema, *choices(document, schema, ["allOf"])]


def fields(document: Document, schema: Node) -> list[tuple[str, Node]]:
    """Return each field of an object, and what one part of its allOf says about it."""
    return [
        (name, followed(document, node))
        for part in parts(document, schema)
        for name, node in mapping(part, "properties").items()
    ]


def required(document: Document, schema: Node) -> set[str]:
    """Return the names of the fields that an object must have."""
    return {name for part in parts(document, schema) for name in sequence(part, "required")}


@frozen
class Place:
    """A node of a document, and its JSON pointer."""

    document: Document = field(repr=False, eq=False)
    pointer: str
    node: Any

    def below(self, *parts: str | int) -> Place:
        """Return a node inside this one."""
        path = "".join(f"/{escaped(part)}" for part in parts)
        node = at(self.node, path)
        return Place(self.document, self.pointer + path, node)

    def inner(self, key: str) -> Place:
        """Return the object under a key, else an empty one."""
        pointer = f"{self.pointer}/{escaped(key)}"
        return Place(self.document, pointer, mapping(self.node, key))

    def named(self, key: str) -> dict[str, Place]:
        """Return the objects in the object under a key, by name."""
        holder = self.inner(key)
        names = [name for name in holder.node if is_object(holder.node[name])]
        return {name: holder.inner(name) for name in names}

    def listed(self, key: str) -> list[Place]:
        """Return the objects in the array under a key."""
        places = []
        for index, element in enumerate(sequence(self.node, key)):
            if is_object(element):
                places.append(self.below(key, index))
        return places

    def target(self) -> Place | None:
        """Return the object that the `$ref` of this node names; `None` without such an object."""
        target = reference(self.node) or ""
        node = found_at(self.document, target)
        if not is_object(node):
            return None
        return Place(self.document, target.removeprefix("#"), node)

    def followed(self) -> Place:
        """Follow the `$ref` of this node as far as there are targets.

        Raises:
            RecursionError: a circle of references has no end.
        """
        target = self.target()
        return self if target is None else target.followed()


@frozen
class Operation:
    """One operation of a document."""

    document: Document
    path: str
    method: str
    node: Node

    @property
    def pointer(self) -> str:
        """The JSON pointer of this operation."""
        return f"/paths/{escaped(self.path)}/{self.method}"

    @property
    def place(self) -> Place:
        """The place of this operation."""
        return Place(self.document, self.pointer, self.node)

    @property
    def item(self) -> Place:
        """The place of the path item that has this operation."""
        node = self.document["paths"][self.path]
        return Place(self.document, f"/paths/{escaped(self.path)}", node)

    @property
    def parameters(self) -> tuple[Node, ...]:
        """The parameters of this operation, after those of the path; one with the same name and
        place replaces it."""
        parameters = {}
        for holder in (self.item.node, self.node):
            for each in sequence(holder, "parameters"):
                parameter = followed(self.document, each)
                key = (parameter.get("in"), parameter.get("name"))
                parameters[key] = parameter
        return tuple(parameters.values())

    @property
    def id(self) -> str:
        """The operationId."""
        name: str = self.node["operationId"]
        return name

    @property
    def name(self) -> str:
        """The operationId in snake case, as in the generated code and in the simulator."""
        return snake_case(self.id)

    @property
    def title(self) -> str:
        """Method and path, for messages."""
        return f"{self.method.upper()} {self.path}"

    @property
    def tag(self) -> str:
        """The first tag; an empty text without tags."""
        return next(iter(sequence(self.node, "tags")), "")

    @property
    def deprecated(self) -> str | None:
        """The hint after the word in the description; `None` if the operation is not deprecated."""
        if self.node.get("deprecated") is not True:
            return None
        description = self.node.get("description") or self.node.get("summary") or ""
        text = " ".join(description.split())
        start = text.lower().rfind("deprecated")
        hint = text[start + len("deprecated") :].lstrip(" .:,;-") if start >= 0 else ""
        return hint or "the description names no replacement."

    @property
    def successes(self) -> list[Node]:
        """The content of each successful response, by media type."""
        return [
            mapping(followed(self.document, response), "content")
            for status, response in mapping(self.node, "responses").items()
            if status.startswith("2")
        ]

    @property
    def success_schema(self) -> Node:
        """The schema of a successful response; empty if the response has no body."""
        content = next(iter(self.successes), {})
        return mapping(mapping(content, "application/json"), "schema")

    @property
    def success_fields(self) -> dict[str, Node]:
        """The fields of the object that a successful response holds."""
        return self.fields(self.success_schema)

    @property
    def request_body(self) -> Node:
        """The body of the request; an empty object without a body."""
        return followed(self.document, mapping(self.node, "requestBody"))

    def fields(self, schema: Node) -> dict[str, Node]:
        """Return the fields of an object, with those of the parts of its allOf."""
        return dict(fields(self.document, followed(self.document, schema)))


def examples(document: Document, media: Node) -> Iterator[Any]:
    """Yield the examples of a media type, and then those of its schema."""
    place = Place(document, "", media)
    schema = place.inner("schema").followed()
    for holder in (place, schema):
        if "example" in holder.node:
            yield holder.node["example"]
        for named in holder.named("examples").values():
            example = named.followed().node
            if "value" in example:
                yield example["value"]
        yield from sequence(holder.node, "examples")


def snake_case(name: str) -> str:
    """Convert a camel-case name to snake case."""
    return re.sub("([A-Z])", r"_\1", name).lower()


def base_path(document: Document) -> str:
    """The path that every address of the service ends in; without a server, an empty text."""
    servers = sequence(document, "servers")
    address = servers[0]["url"] if servers else ""
    return urlsplit(address).path.rstrip("/")


def operations(document: Document) -> Iterator[Operation]:
    """Yield every operation, in the order of the document."""
    for path, item in mapping(document, "paths").items():
        for method in METHODS:
            if mapping(item, method):
                yield Operation(document, path, method, item[method])
