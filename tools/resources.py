"""The facts about operations that the generator does not pass to its templates: names of methods, pages, limits."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen
from openapi_python_client.strings import pascal_case, snake_case

from .description import METHODS, Document, found_at, mapping, sequence

#: Attributes of a client that are no resources.
ATTRIBUTES = frozenset({"aclose", "api", "base_url", "close", "rate_limit", "request", "with_options"})
#: Classes that the generated modules use beside those of the schemas.
CLASSES = frozenset(
    {"Any", "AsyncClient", "AsyncPages", "AsyncResource", "Call", "ClassVar", "Client", "File", "Iterator"}
    | {"JsonObject", "Literal", "Mapping", "Model", "Operation", "Pages", "Parameter", "RequestFiles"}
    | {"Resource", "Resources", "Response", "Secret", "Self"}
)
#: A path below the address of the service.
_PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[^/?#]+)+")


@frozen
class Parameter:
    """One parameter of an operation.

    Attributes:
        name: the name in a request.
        argument: the name of the argument.
        place: `path`, `query` or `header`.
        checks: what its schema says: `type`, `minimum`, `maximum`, `enum` and `default`.
        longest: the largest number of characters; `None` if there is no limit.
        secret: whether its value must never show.
        repeated_at: the place of the same value in a response, as a JSON pointer; `None` if there is no such place.
    """

    name: str
    argument: str
    place: str
    checks: Mapping[str, Any]
    longest: int | None
    secret: bool
    repeated_at: str | None


@frozen
class Method:
    """One operation, as a method of a resource.

    Attributes:
        operation: its `operationId` in snake case, which is also the name of its module.
        place: method and path, for messages.
        tag: the tag of the operation.
        name: the name of the method; empty if an overlay has the method.
        parameters: its parameters without those that are an option of the client.
        pages: whether its response is one page of several.
        item_key: the attribute that identifies an item of a page; `None` if there is no such attribute.
        deprecated: the text about its replacement; `None` if it is not deprecated.
    """

    operation: str
    place: str
    tag: str
    name: str
    parameters: tuple[Parameter, ...]
    pages: bool
    item_key: str | None
    deprecated: str | None


@frozen
class Resource:
    """The methods of one tag.

    Attributes:
        name: the attribute of a client, such as `auth_tokens`.
        class_name: such as `AuthTokens`.
        description: of the tag.
        overlay: whether an overlay adds methods to the class.
        methods: by the name of their operation.
    """

    name: str
    class_name: str
    description: str
    overlay: bool
    methods: dict[str, Method] = field(factory=dict)


def resources(document: Document) -> dict[str, Resource]:
    """The resources of a document, by the name of their attribute."""
    tags = {tag["name"]: tag for tag in sequence(document, "tags")}
    result: dict[str, Resource] = {}
    for method in _methods(document):
        tag = tags.get(method.tag, {})
        name = snake_case(method.tag)
        description = tag.get("description", f"The operations of {method.tag}.")
        resource = Resource(name, pascal_case(method.tag), description, tag.get("x-overlay") is True)
        result.setdefault(name, resource).methods[method.operation] = method
    return result


def faults(document: Document) -> Iterator[str]:
    """Yield each reason why no resources can be generated from a document, with its place."""
    methods: dict[tuple[str, str], str] = {}
    for place, item, operation in _operations(document):
        if nameless := _without_name(operation):
            yield f"{place}: {nameless}"
            continue
        parameters = (*sequence(item, "parameters"), *sequence(operation, "parameters"))
        given = [_target(document, each) for each in parameters]
        reasons = (*_path_faults(place.partition(" ")[2], given), *_unsupported(document, operation, given))
        yield from (f"{place}: {fault}" for fault in reasons)
        (tag, *_) = operation["tags"]
        name = method_name(operation, tag)
        if not name.isidentifier():
            yield f"{place}: the method {name!r} is no Python name; change the operationId, or x-method"
        other = methods.setdefault((snake_case(tag), name), place)
        if other != place:
            yield f"{place}: the method {name} of the tag {tag} is also the method of {other}; change one operationId"
    yield from _taken_names(document, {tag for tag, _ in methods})


def _taken_names(document: Document, tags: set[str]) -> Iterator[str]:
    classes = {f"{prefix}{pascal_case(tag)}" for tag in tags for prefix in ("", "Async")} | CLASSES
    for schema in mapping(document.get("components"), "schemas"):
        if pascal_case(schema) in classes:
            yield f"/components/schemas/{schema}: a tag or the client has a class of this name; rename the schema"


def _without_name(operation: Mapping[str, Any]) -> str | None:
    """Why an operation cannot become a method of a resource."""
    if not isinstance(operation.get("operationId"), str):
        return "no operationId; add it"
    (tag, *_) = operation.get("tags") or [""]
    name = snake_case(tag)
    if name.isidentifier() and not keyword.iskeyword(name) and name not in ATTRIBUTES:
        return None
    reason = "no tag" if not tag else f"the tag {tag!r} is {'taken' if name in ATTRIBUTES else 'no Python name'}"
    return f"{reason}; give the operation a tag such as Roles"


def _path_faults(path: str, given: list[Any]) -> Iterator[str]:
    if not _PATH.fullmatch(path):
        yield "the path must begin with one slash, and have no empty segment, no '.' or '..' and no query"
    if set(re.findall(r"\{([^{}]*)\}", path)) != {each["name"] for each in given if each["in"] == "path"}:
        yield "the names in the path and the parameters in: path are not the same; describe each name once"


def _unsupported(document: Document, operation: Mapping[str, Any], given: list[Any]) -> Iterator[str]:
    """What the client cannot send."""
    kinds = [*mapping(_target(document, mapping(operation, "requestBody")), "content")]
    if len(kinds) > 1:
        yield f"the body has the media types {', '.join(kinds)}; describe only one of them"
    names = {each.get("name") for each in given if each.get("in") == "query"}
    if "page" in names and "perPage" not in names:
        yield "the parameter page without perPage; describe both, or give page another name"
    reasons = ((each["name"], _unsendable(document, each)) for each in given)
    yield from (f"the parameter {name} {reason}" for name, reason in reasons if reason)


def _unsendable(document: Document, parameter: Mapping[str, Any]) -> str | None:
    in_query = parameter["in"] == "query"
    if parameter["in"] == "cookie":
        return "is in a cookie, and the client sends no cookies; remove it"
    if parameter.get("x-secret") is True and parameter["in"] != "path":
        return "is a secret outside of the path, and only the path hides one; remove x-secret"
    if "content" in parameter or (in_query and parameter.get("style", "form") != "form"):
        return "has a notation that the client cannot write; use style: form"
    is_array = _target(document, mapping(parameter, "schema")).get("type") == "array"
    in_one_text = is_array and (not in_query or parameter.get("explode") is False)
    return "is an array in one text; describe it as a string" if in_one_text else None


def _operations(document: Document) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The place, the path item and the content of each operation."""
    for path, item in document["paths"].items():
        for verb in METHODS:
            if isinstance(operation := item.get(verb), dict):
                yield f"{verb.upper()} {path}", item, operation


def _methods(document: Document) -> Iterator[Method]:
    for place, item, operation in _operations(document):
        parameters = tuple(_parameters(document, item, operation))
        names = {parameter.name for parameter in parameters if parameter.place == "query"}
        page = _page(document, operation) if {"page", "perPage"} <= names else {}
        tag = operation["tags"][0]
        yield Method(
            operation=snake_case(operation["operationId"]),
            place=place,
            tag=tag,
            name="" if operation.get("x-overlay") is True else method_name(operation, tag),
            parameters=parameters,
            pages=bool(page),
            item_key=_item_key(document, page),
            deprecated=_deprecation(operation),
        )


def method_name(operation: Mapping[str, Any], tag: str) -> str:
    """The name of the method for an operation.

    It is the verb of the `operationId` if the rest names the tag, in singular or plural; otherwise the whole
    `operationId`.
    """
    if isinstance(named := operation.get("x-method"), str):
        return named
    whole = snake_case(operation["operationId"])
    verb, _, rest = whole.partition("_")
    name = verb if rest and rest in _forms(snake_case(tag)) else whole
    return f"{name}_" if keyword.iskeyword(name) else name


def _forms(noun: str) -> set[str]:
    """A noun in snake case, its singular and its plural."""
    forms = {noun, f"{noun}s", f"{noun}es"}
    for ending, other in (("ies", "y"), ("es", ""), ("s", ""), ("y", "ies")):
        if noun.endswith(ending):
            forms.add(noun.removesuffix(ending) + other)
    return forms


def _deprecation(operation: Mapping[str, Any]) -> str | None:
    if operation.get("deprecated") is not True:
        return None
    # The sentences of the description that name the replacement, or the whole description. The word "deprecated" stands
    # before the result, so a sentence that says nothing else is left out.
    text = " ".join(str(operation.get("description") or operation.get("summary") or "").split())
    sentences = re.split(r"(?<=\.) ", text)
    named = [each for each in sentences if re.search(r"deprecat|instead|replace", each, re.IGNORECASE)]
    told = [each for each in named if not re.fullmatch(r"(\w+ )*deprecated\.?", each, re.IGNORECASE)]
    return re.sub(r"^deprecated\W+", "", " ".join(told or named or sentences), flags=re.IGNORECASE)


def _parameters(document: Document, item: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[Parameter]:
    for given in (*sequence(item, "parameters"), *sequence(operation, "parameters")):
        described = found_at(document, given["$ref"]) if "$ref" in given else given
        if "x-client-option" in described:
            continue
        schema = _target(document, described.get("schema", {}))
        checks = {name: schema[name] for name in ("type", "minimum", "maximum", "enum", "default") if name in schema}
        name = described["name"]
        yield Parameter(
            name,
            snake_case(name),
            described["in"],
            checks,
            schema.get("maxLength"),
            secret=described.get("x-secret") is True,
            repeated_at=described.get("x-repeated-at"),
        )


def _page(document: Document, operation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of the response of a list with pages; empty for every other response."""
    for status, given in mapping(operation, "responses").items():
        if str(status).startswith("2"):
            response = found_at(document, given["$ref"]) if "$ref" in given else given
            schema = mapping(mapping(mapping(response, "content"), "application/json"), "schema")
            body = mapping(_target(document, schema), "properties")
            meta = mapping(_target(document, mapping(body, "meta")), "properties")
            return body if "data" in body and "pagination" in meta else {}
    return {}


def _item_key(document: Document, page: Mapping[str, Any]) -> str | None:
    """The first required property of the items of a page, which is the identifier in the records of this service."""
    item = _target(document, mapping(_target(document, mapping(page, "data")), "items"))
    required = sequence(item, "required")
    return next((snake_case(name) for name in mapping(item, "properties") if name in required), None)


def _target(document: Document, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema, or the one that it refers to."""
    for _ in range(10):
        if "$ref" not in schema:
            break
        schema = found_at(document, schema["$ref"]) or {}
    return schema
