"""Why no right client can be made from a description: each reason is one sentence with its place and the next step."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, found_at, mapping, nodes, read, sequence

from .resources import Method, operations, target

#: Attributes of a client that are no resources.
ATTRIBUTES = frozenset({"aclose", "api", "base_url", "close", "rate_limit", "request", "with_options"})
#: Classes that the generated modules use beside those of the schemas.
_CLASSES = frozenset(
    {"Any", "AsyncClient", "AsyncPages", "Call", "ClassVar", "Client", "File", "Iterator", "Literal"}
    | {"Mapping", "Model", "Operation", "Pages", "Parameter", "Resource", "Resources", "Secret", "Self"}
)
_OWNED_HEADERS = ("accept", "apikey", "authorization", "content-length", "content-type", "host")
_KEY = {"type": "apiKey", "in": "header", "name": "apikey"}
_JSON, _MULTIPART, _URLENCODED, _BYTES = _BODIES = (
    *("application/json", "multipart/form-data"),
    *("application/x-www-form-urlencoded", "application/octet-stream"),
)
_FORMS = (_MULTIPART, _URLENCODED)
_PATH = r"(?:/(?!\.{1,2}(?:/|$))(?:[A-Za-z0-9._~-]+|\{[^{}/]+\}))+"
_SEGMENTS = (
    "each segment of the path must be text of A-Z, a-z, 0-9 and ._~-, or one name in braces, and not '.' or '..'; "
    "describe any other segment as one parameter, such as {name}"
)
_FILE = "describe a file as type: string and format: binary, directly in the properties of a form or as a whole body"


def checked(description: Path) -> Document:
    """Read a description.

    Raises:
        ValueError: it is not an OpenAPI document, or no client can be made from it; one line for each reason.
    """
    document = read(description)
    targets = dict.fromkeys(each["$ref"] for _, each in nodes(document) if isinstance(each, dict) and "$ref" in each)
    absent = [each for each in targets if not isinstance(each, str) or found_at(document, each) is None]
    reasons = [f"$ref {each!r} has no target; add it, or correct the reference" for each in absent]
    if reasons := reasons or list(faults(document)):
        raise ValueError("\n".join(f"{description.name}: {reason}" for reason in reasons))
    return document


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
            (first != each.place, f"the operationId is also that of {first}; give one of them another"),
            (first == each.place != other, f"{same}; begin one operationId with another verb"),
            *_checks(each),
            *(
                (True, f"the parameter {node['name']} {text}")
                for node in each.parameters
                for text in _unsendable(each, node)
            ),
        )
        yield from (f"{each.place}: {text}" for is_fault, text in checks if is_fault)
    for path in (path for path, item in document["paths"].items() if "$ref" in item):
        yield f"{path}: the operations are in another place, which is not read; describe them here"
    yield from _faults_of_components(document, {tag for tag, _ in places})
    yield from _faults_of_schemas(document, found)


def _checks(each: Method) -> Iterator[tuple[bool, str]]:
    """Whether an operation has a fault, and the text of the fault."""
    verb, _, path = each.place.partition(" ")
    tag, query, kinds = snake_case(each.tag), each.names("query"), [*each.body]
    is_tag = tag.isidentifier() and not keyword.iskeyword(tag) and tag not in ATTRIBUTES
    in_path = sorted(re.findall(r"\{(.*?)\}", path))
    has_server = "servers" in each.node or "servers" in each.document["paths"][path]
    arguments = [snake_case(node["name"]) for node in each.parameters]
    forms = [
        (kind, media, mapping(each.target(mapping(media, "schema")), "properties")) for kind, media in each.body.items()
    ]
    types = {each.target(mapping(media, "schema")).get("type", "object") for kind, media, _ in forms if kind in _FORMS}
    nested = [name for kind, _, form in forms if kind == _URLENCODED for name in form if not _is_flat(each, form[name])]
    encodings = [(name, each) for _, media, _ in forms for name, each in mapping(media, "encoding").items()]
    joined = [name for name, encoding in encodings if encoding.get("explode") is False]
    security = each.node.get("security", each.document.get("security"))
    schemes = mapping(mapping(each.document, "components"), "securitySchemes")
    unknown = sorted({name for need in security or () for name in need} - schemes.keys())
    results = {json.dumps([mapping(media, "schema") for media in content.values()]) for content in each.successes}
    others = sorted({kind for content in each.successes for kind in content} - {_JSON})
    is_verb = each.name.isidentifier() and not keyword.iskeyword(each.node["operationId"])
    yield not is_verb, "no operationId that begins with a verb; add one, such as listRoles"
    yield not is_tag, f"the tag {each.tag!r} cannot be an attribute of a client; give the operation a tag such as Roles"
    yield verb in ("HEAD", "OPTIONS", "TRACE"), "the client does not send this method; describe a GET"
    yield not re.fullmatch(_PATH, path), _SEGMENTS
    yield (
        in_path != sorted(each.names("path")),
        "the names in the path and the parameters in: path are not the same; describe each name once",
    )
    yield (
        security is not None and not any(security),
        "its security needs no key, but the client sends the key with every call; name the key there",
    )
    yield bool(unknown), f"its security names {', '.join(unknown)}, which no securityScheme describes; name the key"
    yield has_server, "has servers of its own; the client sends all calls to one address, so remove them"
    yield (
        "page" in query and "perPage" not in query,
        "the parameter page without perPage; describe both, or rename page",
    )
    yield bool(kinds) and "body" in arguments, "the parameter body has the name of the argument for the body; rename it"
    yield len(kinds) > 1, f"the body has the media types {', '.join(kinds)}; describe only one of them"
    yield not {*kinds} <= {*_BODIES}, f"the client cannot send {', '.join(kinds)}; use {', '.join(_BODIES)}"
    yield not types <= {"object"}, "the form is not an object; describe one with a property for each part"
    yield bool(nested), f"{', '.join(nested)} is an object in a URL-encoded form; describe the body as {_JSON}"
    yield bool(joined), f"the encoding of {', '.join(joined)} joins values in one text; remove explode: false"
    yield len(results) != 1, "needs exactly one schema of a successful response"
    yield bool(others), f"has a response that is not JSON ({', '.join(others)}); describe it as {_JSON}"


def _is_flat(each: Method, schema: Mapping[str, Any], *, array: bool = True) -> bool:
    """Whether a value is one text, or an array of texts."""
    schema = each.target(schema)
    if schema.get("type") == "array":
        return array and _is_flat(each, mapping(schema, "items"), array=False)
    choices = [choice for key in ("oneOf", "anyOf", "allOf") for choice in sequence(schema, key)]
    return schema.get("type") != "object" and "properties" not in schema and all(_is_flat(each, c) for c in choices)


def _unsendable(each: Method, node: Mapping[str, Any]) -> Iterator[str]:
    """Why the client cannot send a parameter."""
    place, schema = node.get("in"), each.target(mapping(node, "schema"))
    is_array = schema.get("type") == "array"
    if "schema" not in node and "content" not in node:
        yield "has no schema; add one"
    if place == "cookie":
        yield "is in a cookie, and the client sends no cookies; remove it"
    if node.get("x-secret") is True and place != "path":
        yield "is a secret outside of the path, and only the path hides one; remove x-secret"
    if place == "header" and node["name"].lower() in _OWNED_HEADERS:
        yield "is a header that only the client sets; remove it"
    if "content" in node or node.get("style") not in (None, "form" if place == "query" else "simple"):
        yield "has a notation that the client cannot write; use style: form"
    elif is_array and (place != "query" or node.get("explode") is False):
        yield "is an array in one text; describe it as a string"
    elif not _is_flat(each, schema):
        yield "is an object; describe each of its fields as a parameter"


def _faults_of_components(document: Document, tags: set[str]) -> Iterator[str]:
    components = mapping(document, "components")
    for kind, name in ((group, name) for group in components for name in mapping(components, group)):
        if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
            yield f"/components/{kind}/{name}: the name must consist of A-Z, a-z, 0-9 and ._-; rename it"
    for name, scheme in mapping(components, "securitySchemes").items():
        if {key: target(document, scheme).get(key) for key in _KEY} != _KEY:
            yield f"/components/securitySchemes/{name}: the client sends only a key in the header apikey; remove it"
    classes = {f"{prefix}{pascal_case(tag)}" for tag in tags for prefix in ("", "Async")} | _CLASSES
    for name in mapping(components, "schemas"):
        if pascal_case(name) in classes:
            yield f"/components/schemas/{name}: a tag or the client has a class of this name; rename the schema"


def _faults_of_schemas(document: Document, found: list[Method]) -> Iterator[str]:
    bodies = [(kind, mapping(media, "schema")) for each in found for kind, media in each.body.items()]
    forms = [mapping(target(document, schema), "properties") for kind, schema in bodies if kind == _MULTIPART]
    files = [
        *(schema for kind, schema in bodies if kind == _BYTES),
        *(field for form in forms for field in form.values()),
    ]
    sent = {id(node) for node in _below(document, [schema for _, schema in bodies])}
    for pointer, node in nodes({key: document.get(key) for key in ("paths", "components")}):
        if not isinstance(node, dict):
            continue
        choices = [target(document, each) for key in ("oneOf", "anyOf") for each in sequence(node, key)]
        if sum(each.get("type") == "array" for each in choices) > 1:
            yield f"{pointer}: two alternatives are arrays; describe one array, whose items are the alternatives"
        is_place = any(node is target(document, each) for each in files)
        if (node.get("format") == "binary" and not is_place) or (is_place and "contentMediaType" in node):
            yield f"{pointer}: a file that the client cannot send; {_FILE}"
        for name, field in mapping(node, "properties").items() if id(node) in sent else ():
            if name in sequence(node, "required") and target(document, field).get("readOnly") is True:
                yield f"{pointer}/properties/{name}: readOnly and required in a request; describe another schema"


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
