"""Changes of the description, for the tests of the comparison."""

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

from tools.contract.difference import Difference, differences, pairs
from tools.description import Document

from .service import SERVICE as OLD

Change: TypeAlias = Callable[[dict[str, Any]], object]

TEXT = {"type": "string", "description": "Text.", "examples": ["x"]}


def changed(change: Change) -> tuple[Document, dict[str, Any]]:
    new = copy.deepcopy(dict(OLD))
    change(new)
    return OLD, new


def compare(old: Document, new: Document) -> list[Difference]:
    return [each for pair in pairs(old, new) for each in differences(pair)]


def schema(document: dict[str, Any], name: str) -> Any:
    return document["components"]["schemas"][name]


def field(document: dict[str, Any], name: str) -> Any:
    owner, _, inner = name.partition(".")
    return schema(document, owner)["properties"][inner]


def roles(document: dict[str, Any]) -> Any:
    return document["paths"]["/roles"]["get"]


def update(document: dict[str, Any]) -> Any:
    return document["paths"]["/moderation/keywords/{keywordId}"]["put"]


def media(document: dict[str, Any]) -> Any:
    """The response body of the list of roles."""
    return roles(document)["responses"]["200"]["content"]


def form(document: dict[str, Any]) -> Any:
    return update(document)["requestBody"]["content"]["multipart/form-data"]


def key(document: dict[str, Any]) -> Any:
    return document["components"]["securitySchemes"]["apikey"]


def takes(where: str, name: str) -> Change:
    """Add a parameter to the list of roles."""
    return lambda document: roles(document)["parameters"].append({"name": name, "in": where, "schema": TEXT})


def form_takes(name: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        for each in ("KeywordListForm", "WordListForm"):
            schema(document, each)["properties"][name] = TEXT

    return change


def response_of(schema: object) -> dict[str, Any]:
    return {"description": "Text.", "content": {"text/plain": {"schema": schema}}}


def require(name: str) -> Change:
    owner, _, inner = name.partition(".")
    return lambda document: schema(document, owner)["required"].append(inner)


def limit(**words: Any) -> Change:
    """Change keywords of the page size of roles; `None` removes one."""
    return lambda document: _change(roles(document)["parameters"][1]["schema"], words)


def _change(node: Any, words: dict[str, Any]) -> None:
    node.update(words)
    for word in [word for word, value in words.items() if value is None]:
        del node[word]


def replace(name: str, **words: Any) -> Change:
    """Change keywords of a property; `None` removes one."""
    return lambda document: _change(field(document, name), words)
