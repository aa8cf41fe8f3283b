"""The house rules for `openapi.yaml`: each a function from the document to a list of complaints.

They hold what a valid OpenAPI document may leave open, but a reader, the generator or a tester relies on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from tools.deviations import complaints, read
from tools.openapi_diff.document import Document, Operation, escaped, nodes, operations, resolved

from .description import validator

Rule: TypeAlias = Callable[[Document], list[str]]

LEDGER = read()
FORM = "multipart/form-data"
JSON = "application/json"


# Ways through the document.


def below(schema: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A schema and those written inside it; what a `$ref` points to is not followed."""
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
    """Every parameter, where it is written out."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and {"name", "in", "schema"} <= node.keys():
            yield pointer, node


def media(document: Document) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every body of a request or an answer: pointer, media type, what is said of it."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and isinstance(node.get("content"), dict):
            for kind, each in node["content"].items():
                yield f"{pointer}/content/{escaped(kind)}", kind, each


def schemas(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema written anywhere."""
    for name, schema in document["components"]["schemas"].items():
        yield from below(schema, f"/components/schemas/{name}")
    for pointer, parameter in parameters(document):
        yield from below(parameter["schema"], f"{pointer}/schema")
    for pointer, _, each in media(document):
        yield from below(each["schema"], f"{pointer}/schema")


def told(node: Mapping[str, Any], word: str) -> str:
    """What a node says under a word; blanks say nothing."""
    return (node.get(word) or "").strip()


def successes(document: Document, operation: Operation) -> Iterator[Mapping[str, Any]]:
    """The answers of an operation that mean success."""
    for status, response in operation.node["responses"].items():
        if status.startswith("2"):
            yield resolved(document, response)


def answer_schemas(document: Document) -> dict[str, Mapping[str, Any]]:
    """Every schema an answer can be made of, by pointer, whichever way it is reached."""
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


def variants(document: Document, schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The variants of a form, by pointer."""
    choices = [choice for part in resolved(document, schema).get("allOf", ()) for choice in part.get("oneOf", ())]
    return {choice["$ref"].removeprefix("#"): resolved(document, choice) for choice in choices}


# Rules.


def operations_have_names(document: Document) -> list[str]:
    """Each operationId is lowerCamelCase and unique: functions and modules are named after them."""
    named = [(operation.pointer, operation.node.get("operationId", "")) for operation in operations(document)]
    times = Counter(name for _, name in named)
    return [
        f"{pointer}: operationId {name!r} is {'not lowerCamelCase' if times[name] == 1 else 'not unique'}"
        for pointer, name in named
        if times[name] > 1 or not re.fullmatch("[a-z]+([A-Z][a-z0-9]*)*", name)
    ]


def operations_have_one_declared_tag(document: Document) -> list[str]:
    """Each operation has one tag, a declared one: the tag is the resource it belongs to."""
    declared = {tag["name"] for tag in document.get("tags", ())}
    found = {operation.pointer: operation.node.get("tags", []) for operation in operations(document)}
    used = {tag for tags in found.values() for tag in tags}
    return [f"{p}: tags {tags}" for p, tags in found.items() if len(tags) != 1 or tags[0] not in declared] + [
        f"/tags: {tag!r} is not used" for tag in declared - used
    ]


def operations_need_the_key(document: Document) -> list[str]:
    """Each operation needs the key, in the header `apikey`."""
    scheme = document["components"]["securitySchemes"].get("apikey", {})
    complaints = [
        f"{operation.pointer}: security {operation.node.get('security')}"
        for operation in operations(document)
        if operation.node.get("security") != [{"apikey": []}]
    ]
    if (scheme.get("type"), scheme.get("in"), scheme.get("name")) != ("apiKey", "header", "apikey"):
        complaints.append("/components/securitySchemes/apikey: not the header apikey")
    return complaints


def everything_is_described(document: Document) -> list[str]:
    """Operations, parameters, properties and all that has a name have a description: it is the reference."""
    places: list[tuple[str, Any]] = []
    for operation in operations(document):
        places.append((operation.pointer, operation.node))
        if not told(operation.node, "summary"):
            places.append((f"{operation.pointer}/summary", {}))
        if "requestBody" in operation.node:
            places.append((f"{operation.pointer}/requestBody", operation.node["requestBody"]))
        for status, response in operation.node["responses"].items():
            places.append((f"{operation.pointer}/responses/{status}", resolved(document, response)))
    for pointer, schema in schemas(document):
        for name, each in schema.get("properties", {}).items():
            places.append((f"{pointer}/properties/{name}", each))
    for kind in ("schemas", "responses", "parameters", "securitySchemes"):
        for name, each in document["components"].get(kind, {}).items():
            places.append((f"/components/{kind}/{name}", each))
    places += parameters(document)
    places += ((f"{pointer}/schema", parameter["schema"]) for pointer, parameter in parameters(document))
    places += ((f"/tags/{tag['name']}", tag) for tag in document["tags"])
    for server in document["servers"]:
        places.append(("/servers", server))
        places += server.get("variables", {}).items()
    return sorted({f"{pointer}: no description" for pointer, each in places if not told(each, "description")})


def answers_have_examples(document: Document) -> list[str]:
    """Each answer has an example, a refusal as well: it says in one glance what a table of fields does not."""
    return [
        f"{operation.pointer}/responses/{status}: no example"
        for operation in operations(document)
        for status, response in operation.node["responses"].items()
        for each in resolved(document, response).get("content", {}).values()
        if not (each.get("examples") or "example" in each)
    ]


def examples_fit(document: Document) -> list[str]:
    """Each example fits its schema; one that does not is a lie that people copy."""
    found: list[tuple[str, Mapping[str, Any], Any]] = []
    for place, holder in (*parameters(document), *((place, each) for place, _, each in media(document))):
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


def properties_have_examples(document: Document) -> list[str]:
    """Each property that is no object, array of objects or file has an example: a type alone says little."""
    return [
        f"{pointer}/properties/{name}: no example"
        for pointer, schema in schemas(document)
        for name, each in schema.get("properties", {}).items()
        if "type" in each and each.get("format") != "binary" and "$ref" not in each.get("items", {})
        if not each.get("examples")
    ]


def form_variants_exclude_each_other(document: Document) -> list[str]:
    """Each variant of a form is told by a constant of its own, so that no body can fit two."""
    complaints = []
    for pointer, kind, each in media(document):
        form = resolved(document, each["schema"])
        choices = variants(document, form)
        if kind != FORM or not choices:
            continue
        by = next(part["discriminator"] for part in form["allOf"] if "discriminator" in part)
        constants = {}
        for place, variant in choices.items():
            told = variant["properties"].get(by["propertyName"], {})
            constants[told.get("const")] = f"#{place}"
            if "const" not in told or by["propertyName"] not in variant.get("required", ()):
                complaints.append(f"{place}: {by['propertyName']} is not a required constant")
            if variant.get("additionalProperties") is not False:
                complaints.append(f"{place}: takes fields of other variants")
            complaints += [
                f"{place}: {name} is not in the form's own properties"
                for name in variant["properties"].keys() - form.get("properties", {}).keys()
            ]
        if len(constants) < len(choices) or constants != by.get("mapping"):
            complaints.append(f"{pointer}: the discriminator's mapping is not one constant per variant")
    return complaints


def forms_have_properties(document: Document) -> list[str]:
    """A form's schema has properties of its own: of a bare union the generator makes an empty form, silently."""
    return [
        f"{pointer}: a form needs properties, and no union beside them"
        for pointer, kind, each in media(document)
        if kind == FORM
        for form in [resolved(document, each["schema"])]
        if not form.get("properties") or {"oneOf", "anyOf"} & form.keys()
    ]


def objects_are_components(document: Document) -> list[str]:
    """Each object is a named component, or the generator invents a name; a title would rename its class."""
    complaints = []
    for pointer, schema in schemas(document):
        inside = not re.fullmatch("/components/schemas/[^/]+", pointer)
        if inside and (schema.get("type") == "object" or "properties" in schema):
            complaints.append(f"{pointer}: an object without a name")
        if "title" in schema:
            complaints.append(f"{pointer}: has a title")
    return complaints


def successes_carry_data(document: Document) -> list[str]:
    """Each success is an object with `data`, required, that is an object or an array (service.md, section 4)."""
    complaints = []
    for operation in operations(document):
        for response in successes(document, operation):
            for each in response.get("content", {}).values():
                envelope = resolved(document, each["schema"])
                data = resolved(document, envelope.get("properties", {}).get("data", {}))
                if "data" not in envelope.get("required", ()) or data.get("type") not in ("object", "array"):
                    complaints.append(f"{operation.pointer}: no data that is always there")
    return complaints


def answers_are_json(document: Document) -> list[str]:
    """Each operation has one success, every answer is JSON and nothing else, and refusals are described."""
    complaints = []
    for operation in operations(document):
        if len(list(successes(document, operation))) != 1:
            complaints.append(f"{operation.pointer}: needs exactly one success")
        for status, response in operation.node["responses"].items():
            if list(resolved(document, response).get("content", {})) != [JSON]:
                complaints.append(f"{operation.pointer}/responses/{status}: not JSON alone")
        complaints += [
            f"{operation.pointer}: {status} is not described"
            for status in ("4XX", "5XX")
            if status not in operation.node["responses"]
        ]
    return complaints


def answers_know_no_null(document: Document) -> list[str]:
    """No answer is described as nullable: what the service leaves out is absent."""
    return [
        f"{pointer}: null is no value of an answer"
        for pointer, schema in answer_schemas(document).items()
        if "nullable" in schema or isinstance(schema.get("type"), list) or schema.get("type") == "null"
    ]


def answers_are_open(document: Document) -> list[str]:
    """No answer is closed to what the service adds: neither to a field nor to a value of a set."""
    found = answer_schemas(document)
    # An enum is no limit where any string will do as well.
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
    return complaints(LEDGER, document)


RULES: tuple[Rule, ...] = (
    operations_have_names,
    operations_have_one_declared_tag,
    operations_need_the_key,
    everything_is_described,
    answers_have_examples,
    examples_fit,
    properties_have_examples,
    form_variants_exclude_each_other,
    forms_have_properties,
    objects_are_components,
    successes_carry_data,
    answers_are_json,
    answers_know_no_null,
    answers_are_open,
    evidence_is_in_the_ledger,
)
