"""The generator: what it refuses, and what it makes of a change of the description."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tools.description import at, parse
from tools.generate.refusals import faults

from ..contract.generation import copied, generate

Change: TypeAlias = Callable[[Any], object]

ONE = {"$ref": "#/components/schemas/One"}
USERS = "/paths/~1users/get"


def operation(name: str, tag: str = "Chat Users", **more: Any) -> dict[str, Any]:
    response = {"description": "x", "content": {"application/json": {"schema": ONE}}}
    return {
        "operationId": name,
        "tags": [tag],
        "summary": name,
        "responses": {"200": response},
        **more,
    }


def query(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer"}, **more}


def small() -> dict[str, Any]:
    """A description of three operations."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Small", "version": "1"},
        "tags": [{"name": "Chat Users", "description": "People."}],
        "paths": {
            "/users": {"get": operation("listChatUsers"), "post": operation("createChatUser")},
            "/ban": {"post": operation("banUser")},
        },
        "components": {
            "schemas": {"One": {"type": "object", "properties": {"data": {"type": "string"}}}}
        },
    }


def users(**more: Any) -> Change:
    """A change of the first operation."""
    return lambda document: at(document, USERS).update(more)


def parameter(name: str, **more: Any) -> Change:
    return users(parameters=[query(name, **more)])


def sent(kind: str, **properties: Any) -> Change:
    """A body of some media type, with these properties."""
    return users(
        requestBody={"content": {kind: {"schema": {"type": "object", "properties": properties}}}}
    )


def schema(name: str, **node: Any) -> Change:
    return lambda document: document["components"]["schemas"].update({name: node})


def moved(path: str) -> Change:
    return lambda document: document["paths"].update({path: document["paths"].pop("/ban")})


INT = {"type": "integer"}
TEXTS, ONES = {"type": "array", "items": {"type": "string"}}, {"type": "array", "items": ONE}
BINARY = {"type": "string", "format": "binary"}
FORM = "multipart/form-data"
LIST, BAN = "GET /users", "POST /ban"
KEY = {"type": "apiKey", "in": "header", "name": "apikey"}
SCHEMAS, SCHEMES = "/components/schemas", "/components/securitySchemes"
IN_FORM, IN_JSON = (
    f"{USERS}/requestBody/content/{kind}/schema/properties"
    for kind in ("multipart~1form-data", "application~1json")
)
SEGMENTS = "describe any other segment as one parameter, such as {name}"


def ban(**more: Any) -> Change:
    """A change of the last operation."""
    return lambda document: document["paths"]["/ban"]["post"].update(more)


def described_twice(document: Any) -> None:
    moved("/{id}.{ext}")(document)
    in_path = [{**query(name), "in": "path", "required": True} for name in ("id", "ext")]
    at(document, "/paths/~1{id}.{ext}/post").update(parameters=in_path)


def form_of(schema: Any, **more: Any) -> Change:
    return users(requestBody={"content": {FORM: {"schema": schema, **more}}})


def read_only(document: Any) -> None:
    schema(
        "One",
        type="object",
        required=["id"],
        properties={"id": {"type": "string", "readOnly": True}},
    )(document)
    form_of(ONE)(document)


def without_a_key(document: Any) -> None:
    document.update(security=[])
    document["paths"] = {"/users": {"get": document["paths"]["/users"]["get"]}}


def responses(**more: Any) -> Change:
    return lambda document: at(document, f"{USERS}/responses").update(more)


def scheme(key: str, **node: Any) -> Change:
    return lambda document: document["components"].update(securitySchemes={key: node})


#: Changes of the description that no right client can be made from; the place and the decisive
#: words of each line.
REFUSALS: dict[str, tuple[Change, str, str]] = {
    "the same method twice": (
        ban(operationId="listBans"),
        BAN,
        "the method list of the tag Chat Users is also",
    ),
    "an operationId twice": (
        ban(operationId="listChatUsers"),
        BAN,
        "the operationId is also that of GET /users",
    ),
    "an operationId in two tags": (
        ban(operationId="listChatUsers", tags=["Bans"]),
        BAN,
        "also that of GET /users",
    ),
    "no operationId": (
        users(operationId=None),
        LIST,
        "no operationId that begins with a verb; add one",
    ),
    "a digit before the verb": (
        users(operationId="1stUsers"),
        LIST,
        "no operationId that begins with a verb",
    ),
    "a keyword as operationId": (
        users(operationId="import"),
        LIST,
        "no operationId that begins with a verb",
    ),
    "no tag": (
        users(tags=[]),
        LIST,
        "the tag '' cannot be an attribute of a client; give the operation a tag",
    ),
    "an invalid tag": (users(tags=["1st"]), LIST, "the tag '1st' cannot be"),
    "a tag that is a keyword": (users(tags=["Import"]), LIST, "the tag 'Import' cannot be"),
    "a tag that is taken": (users(tags=["Rate Limit"]), LIST, "the tag 'Rate Limit' cannot be"),
    "a path above the address": (moved("/../ban"), "POST /../ban", SEGMENTS),
    "a query in the path": (moved("/ban?a=b"), "POST /ban?a=b", SEGMENTS),
    "letters beyond ASCII": (moved("/bän"), "POST /bän", SEGMENTS),
    "two names in a segment": (described_twice, "POST /{id}.{ext}", SEGMENTS),
    "another method": (
        lambda d: d["paths"]["/ban"].update(head=operation("headBan")),
        "HEAD /ban",
        "the client does not send this method",
    ),
    "servers of an operation": (
        users(servers=[{"url": "https://example.com/v3"}]),
        LIST,
        "names servers",
    ),
    "a parameter body beside a body": (
        lambda d: (sent("application/json")(d), parameter("body")(d)),
        LIST,
        "the parameter body has the name of the argument for the body; rename it",
    ),
    "two kinds of body": (
        users(
            requestBody={"content": {kind: {"schema": ONE} for kind in (FORM, "application/json")}}
        ),
        LIST,
        "the body has the media types multipart/form-data, application/json; describe only one of them",
    ),
    "a merge patch": (
        sent("application/merge-patch+json"),
        LIST,
        "cannot send application/merge-patch+json; use ",
    ),
    "a form that is an array": (form_of(TEXTS), LIST, "the form is not an object"),
    "a parameter without a schema": (
        users(parameters=[{"name": "page", "in": "query"}, query("perPage")]),
        LIST,
        "the parameter page has no schema",
    ),
    "an object in a URL-encoded form": (
        sent("application/x-www-form-urlencoded", one=ONE),
        LIST,
        "one is an object in a URL-encoded form; describe the body as application/json",
    ),
    "joined values of a form": (
        form_of({"type": "object", "properties": {"a": TEXTS}}, encoding={"a": {"explode": False}}),
        LIST,
        "the encoding of a joins values in one text; remove style and explode",
    ),
    "two successes": (
        responses(**{"201": {"description": "x"}}),
        LIST,
        "exactly one schema of a successful response",
    ),
    "no success": (
        users(responses={"default": {}}),
        LIST,
        "exactly one schema of a successful response",
    ),
    "a response in HTML": (
        responses(**{"200": {"content": {"text/html": {"schema": {"type": "string"}}}}}),
        LIST,
        "has a response in text/html, and the client reads JSON only; leave the operation out",
    ),
    "a cookie": (
        parameter("session", **{"in": "cookie"}),
        LIST,
        "the parameter session is in a cookie",
    ),
    "a secret outside of the path": (
        parameter("code", **{"x-secret": True}),
        LIST,
        "code has x-secret",
    ),
    "a header of the client": (
        parameter("ApiKey", **{"in": "header"}),
        LIST,
        "a header that only the client sets",
    ),
    "a notation": (
        parameter("filter", style="deepObject"),
        LIST,
        "a notation that the client cannot write",
    ),
    "an array in one text": (
        parameter("tags", schema=TEXTS, explode=False),
        LIST,
        "tags is an array in one text",
    ),
    "an object in a query": (
        parameter("filter", schema=ONE),
        LIST,
        "the parameter filter is an object",
    ),
    "an array of objects in a query": (
        parameter("filter", schema=ONES),
        LIST,
        "the parameter filter is an object",
    ),
    "a component with a letter beyond ASCII": (
        schema("Rôle"),
        f"{SCHEMAS}/Rôle",
        "the name must consist of A-Z",
    ),
    "a call without a key": (users(security=[]), LIST, "its security needs no key"),
    "a call with an empty requirement": (users(security=[{}]), LIST, "its security needs no key"),
    "every call without a key": (without_a_key, LIST, "its security needs no key"),
    "a security that no scheme describes": (
        users(security=[{"bearer": []}]),
        LIST,
        "its security names bearer",
    ),
    "a second key": (
        scheme("app", **{**KEY, "name": "appid"}),
        f"{SCHEMES}/app",
        "the client sends only a key in the header apikey",
    ),
    "another security": (
        scheme("token", type="http", scheme="bearer"),
        f"{SCHEMES}/token",
        "the client sends only a key in the header apikey",
    ),
    "a union of two arrays": (
        schema("Two", oneOf=[TEXTS, ONES]),
        f"{SCHEMAS}/Two",
        "two alternatives are arrays",
    ),
    "an array of files": (
        sent(FORM, files={"type": "array", "items": BINARY}),
        f"{IN_FORM}/files/items",
        "a file that the client cannot send",
    ),
    "a file in JSON": (
        sent("application/json", file=BINARY),
        f"{IN_JSON}/file",
        "a file that the client cannot send; describe a file as type: string and format: binary",
    ),
    "a file as OpenAPI 3.1 describes it": (
        sent(FORM, file={"contentMediaType": "text/csv"}),
        f"{IN_FORM}/file",
        "a file that the client cannot send",
    ),
    "servers of a path": (
        lambda d: d["paths"]["/ban"].update(servers=[{"url": "https://example.com/v3"}]),
        BAN,
        "names servers",
    ),
    "a secret header": (
        parameter("X-Code", **{"in": "header", "x-secret": True}),
        LIST,
        "X-Code has x-secret",
    ),
    "an array in a header": (
        parameter("X-Tags", **{"in": "header"}, schema=TEXTS),
        LIST,
        "is an array in one text",
    ),
    "an object in a header": (
        parameter("X-One", **{"in": "header"}, schema=ONE),
        LIST,
        "X-One is an object",
    ),
    "an array with spaces": (
        parameter("tags", schema=TEXTS, style="spaceDelimited"),
        LIST,
        "a notation that the",
    ),
    "a body in XML": (sent("application/xml"), LIST, "the client cannot send application/xml"),
    "only a redirect": (
        users(responses={"302": {"description": "x"}}),
        LIST,
        "exactly one schema of a successful",
    ),
    "a percent in the path": (moved("/a%20b"), "POST /a%20b", SEGMENTS),
    "an empty segment": (moved("/a//b"), "POST /a//b", SEGMENTS),
    "a slash at the end": (moved("/ban/"), "POST /ban/", SEGMENTS),
    "OAuth": (
        scheme("o", type="oauth2", flows={}),
        f"{SCHEMES}/o",
        "the client sends only a key in the header",
    ),
    "a key in a query": (
        scheme("q", **{**KEY, "in": "query"}),
        f"{SCHEMES}/q",
        "only a key in the header apikey",
    ),
    "readOnly and required": (
        read_only,
        f"{SCHEMAS}/One/properties/id",
        "readOnly and required in a request",
    ),
}


@pytest.mark.parametrize(("change", "place", "words"), REFUSALS.values(), ids=REFUSALS)
def test_each_refusal_is_one_line_with_its_place(change: Change, place: str, words: str) -> None:
    """A description that no right client can be made from is refused with the place and the next
    step."""
    document = small()
    assert list(faults(document)) == []
    change(document)
    (line,) = faults(parse(json.dumps(document)))
    assert line.startswith(f"{place}: ")
    assert words in line


def repository(folder: Path, document: Any) -> Path:
    """A copy of the generator, its templates and the output, with another description."""
    (copied(folder) / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    return folder


def refused(folder: Path) -> list[str]:
    """The lines of a run of the generator that must fail, and leave every file as it was."""
    before = {path: path.read_bytes() for path in (folder / "generated").rglob("*.*")}
    done = generate(folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert {path: path.read_bytes() for path in (folder / "generated").rglob("*.*")} == before
    return done.stderr.splitlines()


def test_all_refusals_are_reported_before_anything_is_written(tmp_path: Path) -> None:
    """`make generate` prints every refusal at once, and leaves every file as it was."""
    document = small()
    users(tags=[])(document)
    document["paths"]["/ban"]["post"]["servers"] = []
    lines = refused(repository(tmp_path, document))
    assert [line.partition(" /")[0] for line in lines] == [
        "openapi.yaml: GET",
        "openapi.yaml: POST",
    ]
