"""An OpenAPI document as plain data: reading one, and ways through it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from attrs import frozen

#: A whole document, as JSON has it.
Document: TypeAlias = Mapping[str, Any]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
ROOT = Path(__file__).parent.parent
#: The one description of the service.
DESCRIPTION = ROOT / "openapi.yaml"


def parse(text: str) -> Document:
    """A document from JSON or YAML, its paths written out.

    No two places share what YAML anchors made them share, and every key is text.

    Raises:
        ValueError: it is no OpenAPI document, or one of a version before 3.0.
    """
    found = json.loads(text) if text.lstrip().startswith("{") else yaml.load(text, Loader=yaml.CSafeLoader)
    if not isinstance(found, dict) or "paths" not in found:
        raise ValueError("no OpenAPI document")
    if "swagger" in found:
        raise ValueError(f"Swagger {found['swagger']}, which says things otherwise than OpenAPI 3.0 and 3.1")
    document: Document = json.loads(json.dumps(found, default=str))
    paths = {path: Place("", item).followed(document).node for path, item in mapping(document, "paths").items()}
    return {**document, "paths": paths}


def read(path: Path) -> Document:
    """The document in a file."""
    return parse(path.read_text("utf-8-sig"))


def escaped(part: str | int) -> str:
    """One part of a JSON pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")


def at(node: Any, pointer: str) -> Any:
    """What a JSON pointer leads to; raises LookupError, TypeError or ValueError where it leads nowhere."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        node = node[int(key)] if isinstance(node, list) else node[key]
    return node


def nodes(node: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every object and array, with its JSON pointer."""
    if isinstance(node, dict | list):
        yield pointer, node
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from nodes(value, f"{pointer}/{escaped(key)}")


def mapping(node: Any, key: str) -> Mapping[str, Any]:
    """What a node holds under a name, if that is an object."""
    found = node.get(key) if isinstance(node, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def found_at(document: Document, reference: str) -> Any:
    """What a reference leads to; `None` where that is nothing, or not in this document."""
    try:
        return at(document, reference.removeprefix("#")) if reference.startswith("#") else None
    except (LookupError, TypeError, ValueError):
        return None


def resolved(document: Document, node: Any) -> Any:
    """What a node says, following its `$ref` if it has one; what stands beside the `$ref` comes first."""
    if not (isinstance(node, dict) and "$ref" in node):
        return node
    target = resolved(document, at(document, node["$ref"].removeprefix("#")))
    return {**target, **{key: value for key, value in node.items() if key != "$ref"}}


@frozen
class Place:
    """A node of a document, and where it is."""

    pointer: str
    node: Any

    def below(self, *parts: str | int) -> Place:
        """A node inside this one."""
        way = "".join(f"/{escaped(part)}" for part in parts)
        return Place(f"{self.pointer}{way}", at(self.node, way))

    def followed(self, document: Document) -> Place:
        """What its `$ref` leads to, if it has one and that leads somewhere; in a circle, one node of it."""
        place, seen = self, set[str]()
        while isinstance(place.node, Mapping) and isinstance(target := place.node.get("$ref"), str):
            found = found_at(document, target)
            if found is None or target in seen:
                break
            seen.add(target)
            place = Place(target.removeprefix("#"), found)
        return place


@frozen
class Operation:
    """One operation of a document."""

    document: Document
    path: str
    method: str
    node: Mapping[str, Any]

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"/paths/{escaped(self.path)}/{self.method}"

    @property
    def parameters(self) -> tuple[Mapping[str, Any], ...]:
        """Its parameters, those it takes over from its path first."""
        above = self.document["paths"][self.path].get("parameters", ())
        return tuple(resolved(self.document, each) for each in (*above, *self.node.get("parameters", ())))

    @property
    def id(self) -> str:
        """Its operationId."""
        name: str = self.node["operationId"]
        return name

    @property
    def name(self) -> str:
        """Its operationId as Python writes it, which is what the simulator calls it too."""
        return snake_case(self.id)

    @property
    def answer(self) -> Mapping[str, Any]:
        """The schema of its success."""
        schema: Mapping[str, Any] = self._success["schema"]
        return schema

    @property
    def example(self) -> Any:
        """The first example of its success."""
        return next(iter(self._success["examples"].values()))["value"]

    @property
    def form(self) -> Mapping[str, Any]:
        """The schema of its form."""
        schema: Mapping[str, Any] = self.node["requestBody"]["content"]["multipart/form-data"]["schema"]
        return schema

    @property
    def _success(self) -> Any:
        return resolved(self.document, self.node["responses"]["200"])["content"]["application/json"]


def snake_case(name: str) -> str:
    """A name of the description as Python writes it."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def operations(document: Document) -> Iterator[Operation]:
    """Every operation, in the order of the document."""
    for path, item in mapping(document, "paths").items():
        for method in METHODS:
            if mapping(item, method):
                yield Operation(document, path, method, item[method])
