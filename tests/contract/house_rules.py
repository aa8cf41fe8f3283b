"""The house rules for `openapi.yaml`: each is a function from the document to a list of errors.

A valid OpenAPI document may break these rules, but a reader, the generator or a test depends on them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from tools.contract.deviations import contract_part, marks, read
from tools.description import Document, Operation, escaped, nodes, operations, resolved

from .description import is_file, validator

Rule: TypeAlias = Callable[[Document], list[str]]

LEDGER = read()
FORM = "multipart/form-data"
JSON = "application/json"


# Parts of the document.


def below(schema: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A schema and all schemas inside it; a `$ref` is not followed."""
    yield pointer, schema
    for key in ("items", "additionalProperties", "not", "propertyNames", "contains"):
        if isinstance(schema.get(key), dict):
            yield from below(schema[key], f"{pointer}/{key}")
    for key in ("allOf", "oneOf", "anyOf", "prefixItems"):
        for index, each in enumerate(schema.get(key, ())):
            yield from below(each, f"{pointer}/{key}/{index}")
    for key in ("properties", "patternProperties", "$defs"):
        for name, each in schema.get(key, {}).items():
            yield from below(each, f"{pointer}/{key}/{escaped(name)}")


def parameters(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every parameter, except references to a parameter."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and {"name", "in", "schema"} <= node.keys():
            yield pointer, node


def media(document: Document) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every body of a request or a response: pointer, media type, media type object."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and isinstance(node.get("content"), dict):
            for kind, each in node["content"].items():
                yield f"{pointer}/content/{escaped(kind)}", kind, each


def schemas(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema of the document."""
    for name, schema in document["components"]["schemas"].items():
        yield from below(schema, f"/components/schemas/{name}")
    for pointer, parameter in parameters(document):
        yield from below(parameter["schema"], f"{pointer}/schema")
    for pointer, _, each in media(document):
        yield from below(each["schema"], f"{pointer}/schema")


def text_of(node: Mapping[str, Any], key: str) -> str:
    """The text of a key without surrounding white space; an absent key is an empty text."""
    return (node.get(key) or "").strip()


def successes(document: Document, operation: Operation) -> Iterator[Mapping[str, Any]]:
    """The successful responses of an operation."""
    for status, response in operation.node["responses"].items():
        if status.startswith("2"):
            yield resolved(document, response)


def response_schemas(document: Document) -> dict[str, Mapping[str, Any]]:
    """Every schema that a response can contain, by pointer, with all references followed."""
    found: dict[str, Mapping[str, Any]] = {}

    def take(schema: Mapping[str, Any], pointer: str) -> None:
        for place, each in below(schema, pointer):
            found[place] = each
            target = each.get("$ref", "").removeprefix("#")
            if target and target not in found:
                take(resolved(document, {"$ref": f"#{target}"}), target)

    for operation in operations(document):
        for status, response in operation.node["responses"].items():
            for kind, each in resolved(document, response).get("content", {}).items():
                take(each["schema"], f"{operation.pointer}/responses/{status}/content/{escaped(kind)}/schema")
    return found


# Rules.


def operations_have_names(document: Document) -> list[str]:
    """Each operationId is lowerCamelCase and unique: functions and modules get their names from it."""
    named = [(operation.pointer, operation.node.get("operationId", "")) for operation in operations(document)]
    times = Counter(name for _, name in named)
    return [
        f"{pointer}: operationId {name!r} is {'not lowerCamelCase' if times[name] == 1 else 'not unique'}"
        for pointer, name in named
        if times[name] > 1 or not re.fullmatch("[a-z]+([A-Z][a-z0-9]*)*", name)
    ]


def operations_have_one_declared_tag(document: Document) -> list[str]:
    """Each operation has exactly one tag, which is declared: the tag is the resource of the operation."""
    declared = {tag["name"] for tag in document.get("tags", ())}
    found = {operation.pointer: operation.node.get("tags", []) for operation in operations(document)}
    used = {tag for tags in found.values() for tag in tags}
    return [f"{p}: tags {tags}" for p, tags in found.items() if len(tags) != 1 or tags[0] not in declared] + [
        f"/tags: {tag!r} is not used" for tag in declared - used
    ]


def operations_need_the_key(document: Document) -> list[str]:
    """Each operation needs the key, in the header `apikey`."""
    scheme = document["components"]["securitySchemes"].get("apikey", {})
    problems = [
        f"{operation.pointer}: security {operation.node.get('security')}"
        for operation in operations(document)
        if operation.node.get("security") != [{"apikey": []}]
    ]
    if (scheme.get("type"), scheme.get("in"), scheme.get("name")) != ("apiKey", "header", "apikey"):
        problems.append("/components/securitySchemes/apikey: not the header apikey")
    return problems


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
            places.append((f"{operation.pointer}/responses/{status}", resolved(document, response)))
    for pointer, schema in schemas(document):
        for name, each in schema.get("properties", {}).items():
            places.append((f"{pointer}/properties/{name}", resolved(document, each)))
    for kind in ("schemas", "responses", "parameters", "headers", "securitySchemes"):
        for name, each in document["components"].get(kind, {}).items():
            places.append((f"/components/{kind}/{name}", each))
    places += parameters(document)
    places += ((f"/tags/{tag['name']}", tag) for tag in document["tags"])
    for server in document["servers"]:
        places.append(("/servers", server))
        places += server.get("variables", {}).items()
    return sorted({f"{pointer}: no description" for pointer, each in places if not text_of(each, "description")})


def responses_have_examples(document: Document) -> list[str]:
    """Each response has an example, even an error: an example is easier to understand than a table of fields."""
    return [
        f"{operation.pointer}/responses/{status}: no example"
        for operation in operations(document)
        for status, response in operation.node["responses"].items()
        for each in resolved(document, response).get("content", {}).values()
        if not (each.get("examples") or "example" in each)
    ]


def examples_fit(document: Document) -> list[str]:
    """Each example matches its schema: readers copy examples, so a wrong example causes errors."""
    found: list[tuple[str, Mapping[str, Any], Any]] = []
    headers = ((f"/components/headers/{name}", each) for name, each in document["components"]["headers"].items())
    holders = (*parameters(document), *headers, *((place, each) for place, _, each in media(document)))
    for place, holder in holders:
        if "example" in holder:
            found.append((f"{place}/example", holder["schema"], holder["example"]))
        for name, example in holder.get("examples", {}).items():
            value = resolved(document, example)["value"]
            found.append((f"{place}/examples/{name}", holder["schema"], value))
    for place, schema in schemas(document):
        for index, value in enumerate(schema.get("examples", ())):
            found.append((f"{place}/examples/{index}", schema, value))
    return [
        f"{place}: {error.message}"
        for place, schema, value in found
        for error in validator(schema, document).iter_errors(value)
    ]


def examples_of_bodies(document: Document) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Every example of a body: pointer, schema, value."""
    for pointer, _, each in media(document):
        for name, example in each.get("examples", {}).items():
            yield f"{pointer}/examples/{name}", each["schema"], resolved(document, example)["value"]


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
            "total": not page or page["count"] == min(page["per_page"], page["total"] - _before(page)),
            "total_pages": not page or page["total_pages"] == -(-page["total"] // page["per_page"]),
            "current_page": not page or 1 <= page["current_page"] <= page["total_pages"],
        }
        problems += [f"{pointer}: {name} does not agree" for name, agrees in numbers.items() if not agrees]
    return problems


def times_in_examples(document: Document, schema: Mapping[str, Any], value: Any, pointer: str) -> Iterator[str]:
    """The places of an example that are a time by their description, but no Unix seconds."""
    schema = resolved(document, schema)
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from times_in_examples(document, schema.get("items", {}), each, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from times_in_examples(
                document, schema.get("properties", {}).get(name, {}), each, f"{pointer}/{name}"
            )
    elif "Unix seconds" in schema.get("description", "") and not 10**9 <= float(value) < 10**10:
        yield f"{pointer}: {value} is no time in Unix seconds"


def times_are_unix_seconds(document: Document) -> list[str]:
    """Each time in an example is in Unix seconds, as its description says."""
    headers = document["components"]["headers"].items()
    found = [*examples_of_bodies(document)]
    for name, each in headers:
        schema = {**each["schema"], "description": each["description"]}
        found.append((f"/components/headers/{name}", schema, each["example"]))
    return [line for place, schema, value in found for line in times_in_examples(document, schema, value, place)]


#: The words that say that a set of values is open, and the schemas or fields whose text has them.
_OPEN = re.compile(r"(?<!no )\bnew (values|codes) are possible|may contain any text", re.IGNORECASE)
OPEN_SETS = {
    "Condition",
    "ErrorBody",
    "KeywordList.category",
    "Moderation.status",
    "ReviewedMessage.action",
    "RoleSettings",
}


def open_sets_are_named(document: Document) -> list[str]:
    """The description of each open set of the contract says so: readers must not depend on the values of today."""
    schemas = contract_part(document)["components"]["schemas"]
    texts = {name: schema["description"] for name, schema in schemas.items()}
    for name, schema in schemas.items():
        texts |= {
            f"{name}.{field}": each.get("description", "") for field, each in schema.get("properties", {}).items()
        }
    named = {
        place
        for place, text in texts.items()
        if _OPEN.search(text) and not re.search(r"\bno new\b", text, re.IGNORECASE)
    }
    return sorted(f"{place}: says nothing about new values, or too much" for place in named ^ OPEN_SETS)


def properties_have_examples(document: Document) -> list[str]:
    """Each property of the contract has an example, except objects, arrays of objects and files.

    A form with conditions has whole examples, because examples of its properties would not fit together.
    """
    return [
        f"{pointer}/properties/{name}: no example"
        for pointer, schema in schemas(contract_part(document))
        for name, each in schema.get("properties", {}).items()
        if "type" in each and not is_file(each) and "$ref" not in each.get("items", {})
        if not each.get("examples") and "if" not in schema
    ]


def forms_have_encodings(document: Document) -> list[str]:
    """Each array and each file of a form has an encoding: without it, some tools join arrays or send a file as text."""
    problems = []
    for pointer, kind, each in media(document):
        fields = resolved(document, each["schema"]).get("properties", {}) if kind == FORM else {}
        for name, schema in fields.items():
            encoding = each.get("encoding", {}).get(name, {})
            if "items" in schema and encoding.get("explode") is not True:
                problems.append(f"{pointer}/encoding: {name} needs explode: true")
            if is_file(schema) and "contentType" not in encoding:
                problems.append(f"{pointer}/encoding: {name} needs a contentType")
    return problems


def forms_have_properties(document: Document) -> list[str]:
    """The schema of a form has properties: from a union alone, the generator makes an empty form without a warning."""
    return [
        f"{pointer}: a form must have properties, and no union next to them"
        for pointer, kind, each in media(document)
        if kind == FORM
        for form in [resolved(document, each["schema"])]
        if not form.get("properties") or {"oneOf", "anyOf"} & form.keys()
    ]


def schemas_have_no_title(document: Document) -> list[str]:
    """No schema of the contract has a title, which would rename its class."""
    return [f"{pointer}: has a title" for pointer, schema in schemas(contract_part(document)) if "title" in schema]


def responses_have_their_own_names(document: Document) -> list[str]:
    """No response has the name of a schema: some generators make one class for each name."""
    shared = document["components"]["responses"].keys() & document["components"]["schemas"].keys()
    return [f"/components/responses/{name}: is the name of a schema" for name in sorted(shared)]


def limits_of_requests_are_described(document: Document) -> list[str]:
    """Each operation describes the status 429 with `Retry-After`, and the headers of the rate limit."""
    problems = []
    for operation in operations(document):
        responses = {status: resolved(document, each) for status, each in operation.node["responses"].items()}
        for status, response in {"429": {}, **responses}.items():
            expected = {"X-Rate-Limit", "X-Rate-Limit-Remaining"}
            expected |= {"X-Rate-Limit-Reset", "Retry-After"} if status == "429" else set()
            absent = expected - response.get("headers", {}).keys()
            problems += [f"{operation.pointer}/responses/{status}: no header {name}" for name in sorted(absent)]
    return problems


def successes_carry_data(document: Document) -> list[str]:
    """Each success is an object with `data`, required, that is an object or an array (service.md, section 4)."""
    problems = []
    for operation in operations(document):
        for response in successes(document, operation):
            for each in response.get("content", {}).values():
                envelope = resolved(document, each["schema"])
                data = resolved(document, envelope.get("properties", {}).get("data", {}))
                if "data" not in envelope.get("required", ()) or data.get("type") not in ("object", "array"):
                    problems.append(f"{operation.pointer}: data is missing or not required")
    return problems


def responses_are_json(document: Document) -> list[str]:
    """Each operation has one success, responses are JSON or 204 without a body, and errors are described."""
    problems = []
    for operation in operations(document):
        if len(list(successes(document, operation))) != 1:
            problems.append(f"{operation.pointer}: needs exactly one success")
        for status, response in operation.node["responses"].items():
            if list(resolved(document, response).get("content", {})) != ([] if status == "204" else [JSON]):
                problems.append(f"{operation.pointer}/responses/{status}: not only JSON")
        problems += [
            f"{operation.pointer}: {status} is not described"
            for status in ("4XX", "5XX")
            if status not in operation.node["responses"]
        ]
    return problems


def responses_have_no_null(document: Document) -> list[str]:
    """No response of the contract is nullable: the service leaves out a field that has no value."""
    return [
        f"{pointer}: null is not allowed in a response"
        for pointer, schema in response_schemas(contract_part(document)).items()
        if "nullable" in schema or isinstance(schema.get("type"), list) or schema.get("type") == "null"
    ]


def responses_are_open(document: Document) -> list[str]:
    """Every response of the contract allows new fields and new values, because the service may add them."""
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
        name: f"openapi.yaml{pointer}/x-evidence: {name!r} is not in the ledger" for pointer, name in marks(document)
    }
    unused = [f"deviations.yaml: {name!r} is unused: no x-evidence names it" for name in LEDGER if name not in named]
    return [*(line for name, line in named.items() if name not in LEDGER), *unused]


RULES: tuple[Rule, ...] = (
    operations_have_names,
    operations_have_one_declared_tag,
    operations_need_the_key,
    everything_is_described,
    responses_have_examples,
    examples_fit,
    examples_agree_with_their_counts,
    times_are_unix_seconds,
    open_sets_are_named,
    properties_have_examples,
    forms_have_encodings,
    forms_have_properties,
    schemas_have_no_title,
    responses_have_their_own_names,
    limits_of_requests_are_described,
    successes_carry_data,
    responses_are_json,
    responses_have_no_null,
    responses_are_open,
    evidence_is_in_the_ledger,
)
