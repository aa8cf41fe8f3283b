"""Why no right client can be made from a description: each reason is one sentence with its place
and the next step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.schema import OpenAPI
from pydantic import BaseModel, ValidationError

from tools.description import Document, escaped, followed, found_at, operations, read, reference

from .component_rules import faults_of_document
from .operation_rules import faults_of_operation
from .schema_rules import Usage, faults_of_schema
from .schemas import PLACE, objects_of
from .yaml_rules import ambiguous_values

#: Words of the generator about its own work.
_NOISE = (
    r"WARNING parsing ",
    r"Endpoint will not be generated\.",
    r"Unable to parse this part of your OpenAPI document:",
    r", response will be omitted.*",
    r"Failure to process schema has resulted in.*",
    # <openapi_python_client.schema.Reference object at 0x7f3c>
    r"<[^<>]* object at \w+>",
)


def checked(description: Path) -> Document:
    """Read a description.

    Raises:
        ValueError: it is not an OpenAPI document, or no client can be made from it; one line for
            each reason.
    """
    document = read(description)
    _stop(description, ambiguous_values(description.read_text("utf-8-sig")))
    for check in (_unfit_references, _invalid, faults):
        _stop(description, check(document))
    return document


def _stop(description: Path, reasons: Iterator[str]) -> None:
    lines = [f"{description.name}: {reason}" for reason in reasons]
    if lines:
        raise ValueError("\n".join(lines))


def _unfit_references(document: Document) -> Iterator[str]:
    targets = [reference(node) for _, node in objects_of(document)]
    for target in dict.fromkeys(targets):
        if target is None:
            continue
        if found_at(document, target) is None:
            yield f"$ref {target!r} has no target; add it, or correct the reference"
        try:
            followed(document, {"$ref": target})
        except RecursionError:
            yield f"$ref {target!r} leads back to itself; describe the object in one of the places"


def _invalid(document: Document) -> Iterator[str]:
    """Yield each place that the generator cannot read."""
    try:
        OpenAPI.model_validate(document)
    except ValidationError as error:
        # A place with alternatives has a fault for each of them.
        texts: dict[str, str] = {}
        for fault in error.errors():
            place = _pointer(document, fault["loc"])
            is_missing = fault["type"] == "missing"
            text = f"{fault['loc'][-1]} is missing" if is_missing else fault["msg"]
            texts.setdefault(place, text)
        for place, text in texts.items():
            yield f"{place or '/'}: {text}; correct this place"


def _pointer(node: Any, location: tuple[int | str, ...]) -> str:
    """The JSON pointer of a location, without the names of alternatives, which are not keys of
    the document."""
    pointer = ""
    for part in location:
        with suppress(LookupError, TypeError):
            node = node[part]
            pointer += f"/{escaped(part)}"
    return pointer


def faults(document: Document) -> Iterator[str]:
    """Yield each reason why no client can be generated from a document."""
    described = [*operations(document)]
    for operation in described:
        for text in faults_of_operation(operation):
            yield f"{operation.title}: {text}"
    yield from faults_of_document(document, described)
    usage = Usage.of(document, described)
    for pointer, node in objects_of(document):
        for text in faults_of_schema(document, usage, node):
            yield pointer + text


def unsupported(error: GeneratorError) -> str:
    """An error of the generator in one line, with its place."""
    text = " ".join(f"{error.header} {error.detail or ''}".split())
    text = re.sub(r" within \w+\.", ":", text)
    for noise in _NOISE:
        text = re.sub(noise, "", text)
    words = text.split()
    data = getattr(error, "data", None)
    if isinstance(data, BaseModel) and data.model_extra is not None and PLACE in data.model_extra:
        words.insert(0, f"{data.model_extra[PLACE]}:")
    return f"{' '.join(words)}; the generator does not support it, so describe it differently"
