"""The operations of a description, with the parts that only tests read."""

from collections.abc import Iterator, Mapping
from typing import Any

from tools.description import (
    Document,
    Node,
    Operation,
    examples,
    followed,
    mapping,
    operations,
    reference,
)


class Described(Operation):
    """One operation of a document, with the body of its request and its successful response."""

    @property
    def response_schema(self) -> Mapping[str, Any]:
        """The schema of the successful response."""
        schema: Mapping[str, Any] = self._success["schema"]
        return schema

    @property
    def example(self) -> Any:
        """The first example of the successful response."""
        return next(examples(self.document, self._success))

    @property
    def status(self) -> int:
        """The status of the successful response; 200 for the range 2XX."""
        return int(
            next(status for status in self.node["responses"] if status.startswith("2")).replace(
                "XX", "00"
            )
        )

    @property
    def body(self) -> tuple[str, Node] | None:
        """The media type of the body of the request, and its schema; `None` if the request has
        no body."""
        media = mapping(followed(self.document, self.node.get("requestBody", {})), "content")
        return next(((kind, each["schema"]) for kind, each in media.items()), None)

    @property
    def body_example(self) -> Any:
        """The first example of the body of the request."""
        (media,) = followed(self.document, self.node["requestBody"])["content"].values()
        return next(examples(self.document, media))

    @property
    def body_class(self) -> str:
        """The name of the class of the body: of its component, or of the operation."""
        assert self.body is not None
        _, schema = self.body
        component = reference(schema)
        if component is None:
            return f"{self.id[:1].upper()}{self.id[1:]}Body"
        return component.rpartition("/")[2]

    @property
    def _success(self) -> Any:
        """The JSON of the successful response; empty values if it has no body."""
        response = next(
            each for status, each in self.node["responses"].items() if status.startswith("2")
        )
        content = mapping(followed(self.document, response), "content")
        return content.get(
            "application/json", {"schema": {}, "examples": {"none": {"value": None}}}
        )


def described(document: Document) -> Iterator[Described]:
    """Yield every operation, in the order of the document."""
    for each in operations(document):
        yield Described(each.document, each.path, each.method, each.node)
