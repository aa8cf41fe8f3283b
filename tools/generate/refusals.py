"""Why no right client can be made from a description: each reason is one sentence with its place
and the next step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.schema import OpenAPI
from openapi_python_client.strings import PythonIdentifier, pascal_case, snake_case
from pydantic import ValidationError

from tools.description import Document, escaped, found_at, mapping, nodes, read, sequence

from .resources import Method, operations, target

#: Attributes of a client that are no resources.
ATTRIBUTES = frozenset(
    {"aclose", "api", "base_url", "close", "rate_limit", "request", "with_options"}
)
#: Classes that the generated modules use beside those of the schemas.
_CLASSES = frozenset(
    {
        "Any",
        "AsyncClient",
        "AsyncPages",
        "Call",
        "ClassVar",
        "Client",
        "File",
        "Iterator",
        "Literal",
    }
    | {
        "Mapping",
        "Model",
        "Operation",
        "Pages",
        "Parameter",
        "Resource",
        "Resources",
        "Secret",
        "Self",
    }
)
#: The name of a header that a parameter may describe; the client sets the others.
_HEADER = (
    "(?i)(?!(accept|accept-encoding|apikey|authorization|connection|content-length|content-type|cookie|host|onbehalfof|"
    "transfer-encoding|upgrade)$)[a-z0-9!#$%&'*+.^_`|~-]+"
)
_ID = "add one of A-Z and a-z with more than one word, such as listRoles"
_ALWAYS = "but the client sends the key with every call"
_KEY = {"type": "apiKey", "in": "header", "name": "apikey"}
_JSON, _MULTIPART, _URLENCODED, _BYTES = _BODIES = (
    *("application/json", "multipart/form-data"),
    *("application/x-www-form-urlencoded", "application/octet-stream"),
)
#: Types that need more than one text.
_NESTED = frozenset({"object", "nested"})
_PATH = r"(?:/(?!\.{1,2}(?:/|$))(?:[A-Za-z0-9._~-]+|\{[^{}/]+\}))+"
_SEGMENTS = (
    "each segment of the path must be text of A-Z, a-z, 0-9 and ._~-, or one name in braces, and"
    " not '.' or '..'; describe any other segment as one parameter, such as {name}"
)
_FILE = (
    "describe a file as type: string and format: binary, directly in the properties of a form or as"
    " a whole body"
)
_CHOICES = ("oneOf", "anyOf", "allOf")
#: Keywords that change nothing for a reader or a sender: they may stand beside a $ref.
_NOTES = frozenset(
    {"$ref", "title", "summary", "description", "default", "deprecated", "example", "examples"}
)
#: Words of the generator about its own work.
_NOISE = re.compile(
    r"WARNING parsing |Endpoint will not be generated\.|Unable to parse this part of your OpenAPI"
    r" document:|"
    r", response will be omitted.*|Failure to process schema has resulted in.*|<[^<>]* object at"
    r" \w+>"
)
#: Places that hold values, conditions, or requests of the service, and not schemas of the client.
_NO_SCHEMAS = re.compile("(?<!/properties)/(callbacks|else|examples?|if|not|then)(/|$)")


def checked(description: Path) -> Document:
    """Read a description.

    Raises:
        ValueError: it is not an OpenAPI document, or no client can be made from it; one line for
            each reason.
    """
    document = read(description)
    targets = dict.fromkeys(
        each["$ref"] for _, each in _objects(document) if isinstance(each.get("$ref"), str)
    )
    absent = [each for each in targets if found_at(document, each) is None]
    reasons = [f"$ref {each!r} has no target; add it, or correct the reference" for each in absent]
    if reasons := reasons or list(_invalid(document)) or list(faults(document)):
        raise ValueError("\n".join(f"{description.name}: {reason}" for reason in reasons))
    return document


def _objects(document: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each object that is not part of a value, such as an example, with its JSON pointer."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and not _NO_SCHEMAS.search(pointer):
            yield pointer, node


def _invalid(document: Document) -> Iterator[str]:
    """Yield each place that the generator cannot read."""
    try:
        OpenAPI.model_validate(document)
    except ValidationError as error:
        # A place with alternatives has an error for each of them.
        texts: dict[str, str] = {}
        for each in error.errors():
            text = f"{each['loc'][-1]} is missing" if each["type"] == "missing" else each["msg"]
            texts.setdefault(_pointer(document, each["loc"]), text)
        yield from (f"{place or '/'}: {text}; correct this place" for place, text in texts.items())


def _pointer(node: Any, location: tuple[int | str, ...]) -> str:
    """The JSON pointer of a location, without the names of alternatives, which are no keys of
    the document."""
    pointer = ""
    for part in location:
        with suppress(LookupError, TypeError):
            node, pointer = node[part], f"{pointer}/{escaped(part)}"
    return pointer


def unsupported(document: Document, error: GeneratorError) -> str:
    """An error of the generator in one line, with its place."""
    data = getattr(error, "data", None)
    dumped = data and data.model_dump(mode="json", by_alias=True, exclude_unset=True)
    places = [f"{pointer}:" for pointer, node in nodes(document) if node == dumped]
    told = re.sub(r" within \w+\.", ":", " ".join(f"{error.header} {error.detail or ''}".split()))
    text = " ".join([*places[:1], *_NOISE.sub("", told).split()])
    return f"{text}; the generator does not support it, so describe it differently"


def faults(document: Document) -> Iterator[str]:
    """Yield each reason why no client can be generated from a document."""
    found = list(operations(document))
    ids: dict[str, str] = {}
    places: dict[tuple[str, str], str] = {}
    for each in found:
        first = ids.setdefault(each.node.get("operationId") or each.place, each.place)
        other = places.setdefault((snake_case(each.tag), each.name), each.place)
        same = f"the method {each.name} of the tag {each.tag} is also the method of {other}"
        checks = (
            (
                first != each.place,
                f"the operationId is also that of {first}; give one of them another",
            ),
            (first == each.place != other, f"{same}; begin one operationId with another verb"),
            *_checks(each),
        )
        yield from (f"{each.place}: {text}" for is_fault, text in checks if is_fault)
        for name, text in (
            (node["name"], text) for node in each.parameters for text in _unsendable(each, node)
        ):
            yield f"{each.place}: the parameter {name} {text}"
    if not found:
        yield "/paths: no operation; describe one"
    yield from _faults_of_components(document, {tag for tag, _ in places})
    yield from _faults_of_schemas(document, found)


def _checks(each: Method) -> Iterator[tuple[bool, str]]:
    """Whether an operation has a fault, and the text of the fault."""
    verb, _, path = each.place.partition(" ")
    kinds = [*each.body]
    is_tag = (
        _is_name(each.tag)
        and snake_case(each.tag) not in ATTRIBUTES
        and pascal_case(each.tag) not in _CLASSES
    )
    has_server = "servers" in each.node or "servers" in each.document["paths"][path]
    arguments = [snake_case(node["name"]) for node in each.parameters]
    bodies = [
        (kind, mapping(media, "schema"), mapping(media, "encoding"))
        for kind, media in each.body.items()
    ]
    fields = [
        (kind, *item)
        for kind, form, _ in bodies
        for item in mapping(each.target(form), "properties").items()
    ]
    types = [_types(each, form) for kind, form, _ in bodies if kind in (_MULTIPART, _URLENCODED)]
    nested = [
        name
        for kind, name, field in fields
        if kind == _URLENCODED and _NESTED & _types(each, field)
    ]
    files = [each.target(schema).get("format") for kind, schema, _ in bodies if kind == _BYTES]
    given = [name for _, name, field in fields if each.target(field).get("format") == "binary"]
    encodings = [item for _, _, encoding in bodies for item in encoding.items()]
    joined = [
        name
        for name, e in encodings
        if e.get("explode") is False or e.get("style", "form") != "form"
    ]
    marked = [
        name for name, e in encodings if {"contentType", "headers"} & e.keys() and name not in given
    ]
    security = each.node.get("security", each.document.get("security"))
    schemes = mapping(mapping(each.document, "components"), "securitySchemes")
    unknown = sorted({name for need in security or () for name in need} - schemes.keys())
    results = {
        json.dumps([mapping(media, "schema") for media in content.values()])
        for content in each.successes
    }
    media = [item for content in each.successes for item in content.items()]
    others = sorted({kind for kind, _ in media} - {_JSON})
    statuses = [
        name
        for name in each.node["responses"] or ()
        if not re.fullmatch(r"[1-5](\d\d|XX)|default", name)
    ]
    yield (
        not _is_name(each.node.get("operationId") or ""),
        f"no operationId that begins with a verb; {_ID}",
    )
    yield (
        not is_tag,
        (
            f"the tag {each.tag!r} cannot be an attribute of a client; give the operation a tag"
            " such as Roles"
        ),
    )
    yield (
        verb in ("HEAD", "OPTIONS", "TRACE"),
        "the client does not send this method; describe a GET",
    )
    yield not re.fullmatch(_PATH, path), _SEGMENTS
    yield (
        security is not None and not any(security),
        f"its security needs no key, {_ALWAYS}; name the key there",
    )
    yield (
        bool(unknown),
        f"its security names {', '.join(unknown)}, which no securityScheme describes; name the key",
    )
    yield (
        has_server,
        "has servers of its own; the client sends all calls to one address, so remove them",
    )
    yield (
        bool(kinds) and "body" in arguments,
        "the parameter body has the name of the argument for the body; rename it",
    )
    yield "requestBody" in each.node and not kinds, "the body has no media type; describe one"
    yield (
        len(kinds) > 1,
        f"the body has the media types {', '.join(kinds)}; describe only one of them",
    )
    yield (
        not {*kinds} <= {*_BODIES},
        f"the client cannot send {', '.join(kinds)}; use {', '.join(_BODIES)}",
    )
    yield (
        types not in ([], [{"object"}]),
        "the form is not an object; describe one with a property for each part",
    )
    yield files not in ([], ["binary"]), f"the body is not a file; {_FILE}"
    yield (
        bool(nested),
        f"{', '.join(nested)} is an object in a URL-encoded form; describe the body as {_JSON}",
    )
    yield (
        bool(joined),
        f"the encoding of {', '.join(joined)} joins values in one text; remove style and explode",
    )
    yield (
        bool(marked),
        f"the client sends no header and no content type for {', '.join(marked)}; remove them",
    )
    yield (
        bool(statuses),
        f"{', '.join(statuses)} is not a status; describe one such as 200, 4XX or default",
    )
    yield (
        len(results) != 1,
        "needs exactly one schema of a successful response; describe it in one status",
    )
    yield (
        bool(others),
        f"has a response that is not JSON ({', '.join(others)}); describe it as {_JSON}",
    )
    yield (
        any("schema" not in node for _, node in media),
        "has a response without a schema; add one, such as {}",
    )


def _is_name(text: str) -> bool:
    """Whether the generator makes a name of a tag or an operationId that reads as the text does."""
    name = PythonIdentifier(text, "")
    return re.fullmatch("[A-Za-z][A-Za-z0-9._ -]*", text) is not None and name == snake_case(text)


def _types(each: Method, schema: Any, levels: int = 9) -> set[str]:
    """The types that a value can have; `nested` for an array that holds more than texts."""
    schema = each.target(schema)
    given = schema.get("type", ())
    found = {given} if isinstance(given, str) else {*given}
    if {"properties", "additionalProperties"} & schema.keys():
        found.add("object")
    if not levels:
        return found
    if (_NESTED | {"array"}) & _types(each, schema.get("items"), levels - 1):
        found.add("nested")
    choices = [choice for key in _CHOICES for choice in sequence(schema, key)]
    return found.union(*(_types(each, choice, levels - 1) for choice in choices))


def _unsendable(each: Method, node: Mapping[str, Any]) -> Iterator[str]:
    """Why the client cannot send a parameter."""
    place, types = node.get("in"), _types(each, mapping(node, "schema"))
    if "schema" not in node and "content" not in node:
        yield "has no schema; add one"
    if place == "cookie":
        yield "is in a cookie, and the client sends no cookies; remove it"
    if {"x-secret", "x-repeated-at"} & node.keys() and (place != "path" or types != {"string"}):
        yield "has x-secret or x-repeated-at, and is not a text in the path; remove it"
    if place == "header" and not re.fullmatch(_HEADER, node["name"]):
        yield "is a header that only the client sets, or that no request can have; remove it"
    if "content" in node or node.get("style") not in (
        None,
        "form" if place == "query" else "simple",
    ):
        yield "has a notation that the client cannot write; use style: form"
    elif "array" in types and (place != "query" or node.get("explode") is False):
        yield "is an array in one text; describe it as a string"
    elif types & _NESTED:
        yield "is an object; describe each of its fields as a parameter"


def _faults_of_components(document: Document, tags: set[str]) -> Iterator[str]:
    components = mapping(document, "components")
    for kind, name in (
        (group, name) for group in components for name in mapping(components, group)
    ):
        if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
            yield (
                f"/components/{kind}/{name}: the name must consist of A-Z, a-z, 0-9 and ._-;"
                " rename it"
            )
    for name, scheme in mapping(components, "securitySchemes").items():
        if {key: target(document, scheme).get(key) for key in _KEY} != _KEY:
            yield (
                f"/components/securitySchemes/{name}: the client sends only a key in the header"
                " apikey; remove it"
            )
    classes = {f"{prefix}{pascal_case(tag)}" for tag in tags for prefix in ("", "Async")} | _CLASSES
    for name, schema in mapping(components, "schemas").items():
        if pascal_case(name) in classes:
            yield (
                f"/components/schemas/{name}: a tag or the client has a class of this name; rename"
                " the schema"
            )
        if pascal_case(schema.get("title", name)) != pascal_case(name):
            yield f"/components/schemas/{name}: the title would rename the class; remove the title"
    for name, variable in mapping(
        next(iter(sequence(document, "servers")), {}), "variables"
    ).items():
        values = sequence(variable, "enum")
        words = {
            snake_case(each) for each in values if re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", each)
        }
        if values and (
            len(words) != len(values)
            or variable["default"] not in values
            or pascal_case(name) in _CLASSES
        ):
            yield (
                f"/servers/0/variables/{name}: no names for the class and its values; use other"
                " words, one as default"
            )


def _faults_of_schemas(document: Document, found: list[Method]) -> Iterator[str]:
    bodies = [
        (kind, mapping(media, "schema")) for each in found for kind, media in each.body.items()
    ]
    forms = [
        mapping(target(document, schema), "properties").values()
        for kind, schema in bodies
        if kind == _MULTIPART
    ]
    files = [
        target(document, each)
        for each in chain((s for kind, s in bodies if kind == _BYTES), *forms)
    ]
    results = [
        mapping(media, "schema")
        for each in found
        for content in each.successes
        for media in content.values()
    ]
    sent, received = (
        {id(each) for each in _below(document, s)} for s in ([s for _, s in bodies], results)
    )
    for pointer, node in _objects({key: document.get(key) for key in ("paths", "components")}):
        choices = [
            target(document, each) for key in ("oneOf", "anyOf") for each in sequence(node, key)
        ]
        if sum(each.get("type") == "array" for each in choices) > 1:
            yield (
                f"{pointer}: two alternatives are arrays; describe one array, whose items are the"
                " alternatives"
            )
        is_place = any(node is each for each in files)
        if (node.get("format") == "binary" and not is_place) or (
            is_place and "contentMediaType" in node
        ):
            yield f"{pointer}: a file that the client cannot send; {_FILE}"
        parts = _parts(document, node)
        required = {name for each in parts for name in sequence(each, "required")}
        for name in required & {name for each in parts for name in mapping(each, "properties")}:
            marks = [target(document, mapping(each, "properties").get(name)) for each in parts]
            if id(node) in sent and any(each.get("readOnly") is True for each in marks):
                yield (
                    f"{pointer}/properties/{name}: readOnly and required in a request; describe"
                    " another schema"
                )
            if id(node) in received and any(each.get("writeOnly") is True for each in marks):
                yield (
                    f"{pointer}/properties/{name}: writeOnly and required in a response; describe"
                    " another schema"
                )
        yield from (f"{pointer}: {text}" for text in _lost(document, node, choices))


def _lost(
    document: Document, node: Mapping[str, Any], choices: list[Mapping[str, Any]]
) -> Iterator[str]:
    """Why the generator would leave out a part of a schema."""
    others = sorted(key for key in node.keys() - _NOTES if not key.startswith("x-"))
    if isinstance(node.get("$ref"), str) and others:
        yield (
            f"{', '.join(others)} beside $ref would be left out; describe it in the schema that"
            " $ref names"
        )
    parts = sequence(node, "allOf")
    is_alias = len(parts) == 1 and "$ref" in parts[0]
    if (choices or is_alias) and ({"properties", "required"} & node.keys()):
        yield (
            "properties or required beside oneOf, anyOf or one allOf would be left out; move them"
            " into an allOf"
        )
    own = [part for part in parts if "$ref" not in part]
    inner = [
        target(document, each) for part in own for key in _CHOICES for each in sequence(part, key)
    ]
    known = {name for each in _parts(document, node) for name in mapping(each, "properties")}
    is_deep = any(mapping(each, "properties").keys() - known for each in inner)
    if is_deep or any(part.get("type", "object") != "object" for part in own):
        yield (
            "a part of allOf is not an object, or has parts of its own; describe its fields"
            " directly"
        )
    if "patternProperties" in node and node.get("additionalProperties") is False:
        yield (
            "fields of patternProperties would be unknown fields; remove additionalProperties:"
            " false"
        )
    name = str(mapping(node, "discriminator").get("propertyName"))
    wholes = [_parts(document, each) for each in choices if "discriminator" in node]
    kinds = [
        [target(document, mapping(part, "properties").get(name)) for part in whole]
        for whole in wholes
    ]
    if not all(any({"const", "enum"} & each.keys() for each in kind) for kind in kinds):
        yield f"the discriminator {name} may have any text in an alternative; give it a const there"


def _parts(document: Document, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [schema, *(target(document, each) for each in sequence(schema, "allOf"))]


def _below(document: Document, waiting: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Every object in some schemas, with all references followed."""
    seen: set[int] = set()
    while waiting:
        for _, node in nodes(waiting.pop()):
            node = target(document, node) if isinstance(node, dict) else node
            if id(node) not in seen:
                seen.add(id(node))
                waiting.append(node)
                yield node
