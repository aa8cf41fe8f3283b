"""The address of the service and the header with its key, as a template prints them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, base_path, mapping, sequence


@frozen
class Variable:
    """A variable of the address with a closed set of values, which have names."""

    name: str
    class_name: str
    description: str
    values: tuple[tuple[str, str], ...]
    default: str


@frozen
class ServerView:
    """The first server of a description, and the header with the key."""

    address: str
    base_path: str
    key_header: str
    variables: tuple[Variable, ...]


def server_view(document: Document) -> ServerView:
    """The view of the server of a document; without one, requests go to the top of a host."""
    server = next(iter(sequence(document, "servers")), {"url": "/"})
    schemes = mapping(mapping(document, "components"), "securitySchemes").values()
    key_header = next((scheme["name"] for scheme in schemes if "name" in scheme), "")
    return ServerView(
        address=server["url"],
        base_path=base_path(document),
        key_header=key_header,
        variables=tuple(_variables(server)),
    )


def _variables(server: Document) -> Iterator[Variable]:
    for name, variable in mapping(server, "variables").items():
        if "enum" not in variable:
            continue
        yield Variable(
            name=snake_case(name).upper(),
            class_name=pascal_case(name),
            description=variable.get("description") or name,
            values=tuple((_constant(value), value) for value in variable["enum"]),
            default=_constant(variable["default"]),
        )


def _constant(value: str) -> str:
    return snake_case(value).upper()
