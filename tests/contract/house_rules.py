"""The house rules for `openapi.yaml`: each is a function from the document to a list of errors.

A valid OpenAPI document may break these rules, but a reader, the generator or a test depends on
them.
"""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from tools.contract.deviations import places, read_ledger
from tools.description import Document, followed, operations

from .description import is_file
from .example_rules import EXAMPLE_RULES
from .matrix import contract_part
from .parts import media, parameters, response_schemas, schemas, text_of

Rule: TypeAlias = Callable[[Document], list[str]]

LEDGER = read_ledger()
FORM = "multipart/form-data"
JSON = "application/json"


def operations_have_one_declared_tag(document: Document) -> list[str]:
    """Each operation has exactly one tag, which is declared: the tag is the resource of the
    operation."""
    declared = {tag["name"] for tag in document.get("tags", ())}
    found = {
        operation.pointer: operation.node.get("tags", []) for operation in operations(document)
    }
    used = {tag for tags in found.values() for tag in tags}
    return [
        f"{p}: tags {tags}"
        for p, tags in found.items()
        if len(tags) != 1 or tags[0] not in declared
    ] + [f"/tags: {tag!r} is not used" for tag in declared - used]


def everything_is_described(document: Document) -> list[str]:
    """Every operation, parameter, property and component has a description: it is the reference.

    A property that refers to a schema can leave its description to the schema.
    """
    places: list[tuple[str, Any]] = []
    for operation in operations(document):
        places.append((operation.pointer, operation.node))
        if not text_of(operation.node, "summary"):
            places.append((f"{operation.pointer}/summary", {}))
        if "requestBody" in operation.node:
            places.append((f"{operation.pointer}/requestBody", operation.node["requestBody"]))
        for status, response in operation.node["responses"].items():
            places.append((f"{operation.pointer}/responses/{status}", followed(document, response)))
    for pointer, schema in schemas(document):
        for name, each in schema.get("properties", {}).items():
            places.append((f"{pointer}/properties/{name}", followed(document, each)))
    for kind in ("schemas", "responses", "parameters", "headers", "securitySchemes"):
        for name, each in document["components"].get(kind, {}).items():
            places.append((f"/components/{kind}/{name}", each))
    places += parameters(document)
    places += ((f"/tags/{tag['name']}", tag) for tag in document["tags"])
    for server in document["servers"]:
        places.append(("/servers", server))
        places += server.get("variables", {}).items()
    return sorted(
        {
            f"{pointer}: no description"
            for pointer, each in places
            if not text_of(each, "description")
        }
    )


#: The words that say that a set of values is open, and the schemas or fields whose text has them.
_OPEN = re.compile(r"(?<!no )\bnew (values|codes) are possible|may contain any text", re.IGNORECASE)
OPEN_SETS = {
    "Condition",
    "ErrorBody",
    "KeywordList.category",
    "Moderation.status",
    "ReceiverEntity.type",
    "ReviewedMessage.action",
    "RoleSettings",
}


def open_sets_are_named(document: Document) -> list[str]:
    """The description of each open set of the contract says so: readers must not depend on the
    values of today."""
    schemas = contract_part(document)["components"]["schemas"]
    texts = {name: schema["description"] for name, schema in schemas.items()}
    for name, schema in schemas.items():
        texts |= {
            f"{name}.{field}": each.get("description", "")
            for field, each in schema.get("properties", {}).items()
        }
    named = {
        place
        for place, text in texts.items()
        if _OPEN.search(text) and not re.search(r"\bno new\b", text, re.IGNORECASE)
    }
    return sorted(
        f"{place}: says nothing about new values, or too much" for place in named ^ OPEN_SETS
    )


def forms_have_encodings(document: Document) -> list[str]:
    """Each array and each file of a form has an encoding: without it, some tools join arrays or
    send a file as text."""
    problems = []
    for pointer, kind, each in media(document):
        fields = followed(document, each["schema"]).get("properties", {}) if kind == FORM else {}
        for name, schema in fields.items():
            encoding = each.get("encoding", {}).get(name, {})
            if "items" in schema and encoding.get("explode") is not True:
                problems.append(f"{pointer}/encoding: {name} needs explode: true")
            if is_file(schema) and "contentType" not in encoding:
                problems.append(f"{pointer}/encoding: {name} needs a contentType")
    return problems


def forms_have_properties(document: Document) -> list[str]:
    """The schema of a form has properties: from a union alone, the generator makes an empty form
    without a warning."""
    return [
        f"{pointer}: a form must have properties, and no union next to them"
        for pointer, kind, each in media(document)
        if kind == FORM
        for form in [followed(document, each["schema"])]
        if not form.get("properties") or {"oneOf", "anyOf"} & form.keys()
    ]


def schemas_have_no_title(document: Document) -> list[str]:
    """No schema of the contract has a title, which would rename its class."""
    return [
        f"{pointer}: has a title"
        for pointer, schema in schemas(contract_part(document))
        if "title" in schema
    ]


def responses_have_their_own_names(document: Document) -> list[str]:
    """No response has the name of a schema: some generators make one class for each name."""
    shared = document["components"]["responses"].keys() & document["components"]["schemas"].keys()
    return [f"/components/responses/{name}: is the name of a schema" for name in sorted(shared)]


def limits_of_requests_are_described(document: Document) -> list[str]:
    """Each operation describes the status 429 with `Retry-After`, and the headers of the rate
    limit."""
    problems = []
    for operation in operations(document):
        responses = {
            status: followed(document, each) for status, each in operation.node["responses"].items()
        }
        for status, response in {"429": {}, **responses}.items():
            expected = {"X-Rate-Limit", "X-Rate-Limit-Remaining"}
            expected |= {"X-Rate-Limit-Reset", "Retry-After"} if status == "429" else set()
            absent = expected - response.get("headers", {}).keys()
            problems += [
                f"{operation.pointer}/responses/{status}: no header {name}"
                for name in sorted(absent)
            ]
    return problems


def errors_are_described(document: Document) -> list[str]:
    """Each operation describes its errors, in JSON."""
    return [
        f"{operation.pointer}: {status} is not described in JSON"
        for operation in operations(document)
        for status in ("429", "4XX", "5XX")
        if [*followed(document, operation.node["responses"].get(status, {})).get("content", {})]
        != [JSON]
    ]


def responses_have_no_null(document: Document) -> list[str]:
    """No response of the contract is nullable: the service leaves out a field that has no value."""
    return [
        f"{pointer}: null is not allowed in a response"
        for pointer, schema in response_schemas(contract_part(document)).items()
        if "nullable" in schema
        or isinstance(schema.get("type"), list)
        or schema.get("type") == "null"
    ]


def responses_are_open(document: Document) -> list[str]:
    """Every response of the contract allows new fields and new values, because the service may
    add them."""
    found = response_schemas(contract_part(document))
    # An enum does not exclude a value if any string is allowed as well.
    harmless = {
        choice.get("$ref", f"#{pointer}/anyOf/{index}").removeprefix("#")
        for pointer, schema in found.items()
        if {"type": "string"} in schema.get("anyOf", ())
        for index, choice in enumerate(schema["anyOf"])
    }
    return [
        f"{pointer}: closed"
        for pointer, schema in found.items()
        if schema.get("additionalProperties") is False
        or ({"enum", "const"} & schema.keys() and pointer not in harmless)
    ]


def evidence_is_in_the_ledger(document: Document) -> list[str]:
    """Each `x-evidence` names an entry of deviations.yaml, and each entry is named."""
    named = {
        name: f"openapi.yaml{pointers[-1]}/x-evidence: {name!r} is not in the ledger"
        for name, pointers in places(document).items()
    }
    unused = [
        f"deviations.yaml: {name!r} is unused: no x-evidence names it"
        for name in LEDGER
        if name not in named
    ]
    return [*(line for name, line in named.items() if name not in LEDGER), *unused]


RULES: tuple[Rule, ...] = (
    *EXAMPLE_RULES,
    operations_have_one_declared_tag,
    everything_is_described,
    open_sets_are_named,
    forms_have_encodings,
    forms_have_properties,
    schemas_have_no_title,
    responses_have_their_own_names,
    limits_of_requests_are_described,
    errors_are_described,
    responses_have_no_null,
    responses_are_open,
    evidence_is_in_the_ledger,
)
