"""The house rules for the examples of `openapi.yaml`."""

from collections.abc import Iterator, Mapping
from typing import Any

from tools.description import Document, followed, operations

from .description import is_file, validator
from .matrix import contract_part
from .parts import media, parameters, schemas


def responses_have_examples(document: Document) -> list[str]:
    """Each response has an example, even an error: an example is easier to understand than a
    table of fields."""
    return [
        f"{operation.pointer}/responses/{status}: no example"
        for operation in operations(document)
        for status, response in operation.node["responses"].items()
        for each in followed(document, response).get("content", {}).values()
        if not (each.get("examples") or "example" in each)
    ]


def examples_of(
    document: Document, pointer: str, holder: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The examples of a parameter, a header or a body, in each of the two styles: pointer,
    value."""
    if "example" in holder:
        yield f"{pointer}/example", holder["example"]
    for name, example in holder.get("examples", {}).items():
        yield f"{pointer}/examples/{name}", followed(document, example)["value"]


def examples_of_bodies(document: Document) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Every example of a body: pointer, schema, value."""
    for pointer, _, each in media(document):
        yield from (
            (place, each["schema"], value) for place, value in examples_of(document, pointer, each)
        )


def examples_of_headers(document: Document) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Every example of a header: pointer, schema with the description of the header, value."""
    for name, each in document["components"]["headers"].items():
        schema = {**each["schema"], "description": each["description"]}
        found = examples_of(document, f"/components/headers/{name}", each)
        yield from ((place, schema, value) for place, value in found)


def examples_fit(document: Document) -> list[str]:
    """Each example matches its schema: readers copy examples, so a wrong example causes errors."""
    found = [*examples_of_bodies(document), *examples_of_headers(document)]
    for pointer, each in parameters(document):
        found += (
            (place, each["schema"], value) for place, value in examples_of(document, pointer, each)
        )
    for place, schema in schemas(document):
        found += ((f"{place}/examples", schema, value) for value in schema.get("examples", ()))
    return [
        f"{place}: {error.message}"
        for place, schema, value in found
        for error in validator(schema, document).iter_errors(value)
    ]


def _before(page: Mapping[str, int]) -> int:
    """The number of records on the pages before a page."""
    return (page["current_page"] - 1) * page["per_page"]


def examples_agree_with_their_counts(document: Document) -> list[str]:
    """The numbers of a page in an example agree with its records."""
    problems = []
    for pointer, _, value in examples_of_bodies(document):
        meta, records = value.get("meta", {}), value.get("data")
        current, page = meta.get("current", {}), meta.get("pagination", {})
        numbers = {
            "count": all(each["count"] == len(records) for each in (current, page) if each),
            "limit": not current or current["limit"] >= current["count"],
            "total": not page
            or page["count"] == min(page["per_page"], page["total"] - _before(page)),
            "total_pages": not page or page["total_pages"] == -(-page["total"] // page["per_page"]),
            "current_page": not page or 1 <= page["current_page"] <= page["total_pages"],
        }
        problems += [
            f"{pointer}: {name} does not agree" for name, agrees in numbers.items() if not agrees
        ]
    return problems


def times_in_examples(
    document: Document, schema: Mapping[str, Any], value: Any, pointer: str
) -> Iterator[str]:
    """The places of an example that are a time by their description, but no Unix seconds."""
    schema = followed(document, schema)
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from times_in_examples(
                document, schema.get("items", {}), each, f"{pointer}/{index}"
            )
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from times_in_examples(
                document, schema.get("properties", {}).get(name, {}), each, f"{pointer}/{name}"
            )
    elif "Unix seconds" in schema.get("description", "") and not 10**9 <= float(value) < 10**10:
        yield f"{pointer}: {value} is not a time in Unix seconds"


def times_are_unix_seconds(document: Document) -> list[str]:
    """Each time in an example is in Unix seconds, as its description says."""
    found = [*examples_of_bodies(document), *examples_of_headers(document)]
    return [
        line
        for place, schema, value in found
        for line in times_in_examples(document, schema, value, place)
    ]


def properties_have_examples(document: Document) -> list[str]:
    """Each property of the contract has an example, except objects, arrays of objects and files.

    A form with conditions has whole examples, because examples of its properties would not fit
    together.
    """
    return [
        f"{pointer}/properties/{name}: no example"
        for pointer, schema in schemas(contract_part(document))
        for name, each in schema.get("properties", {}).items()
        if "type" in each
        and "properties" not in each
        and not is_file(each)
        and "$ref" not in each.get("items", {})
        if not each.get("examples") and "if" not in schema
    ]


EXAMPLE_RULES = (
    responses_have_examples,
    examples_fit,
    examples_agree_with_their_counts,
    times_are_unix_seconds,
    properties_have_examples,
)
