"""The generator: what it refuses, and what it makes of a change of the description."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tools.description import at, parse
from tools.generate.refusals import faults

from ..contract.generation import copied
from ..contract.generation import generate as run_generator

Change: TypeAlias = Callable[[Any], object]

ONE = {"$ref": "#/components/schemas/One"}
USERS = "/paths/~1users/get"


def operation(name: str, tag: str = "Chat Users", **more: Any) -> dict[str, Any]:
    response = {"description": "x", "content": {"application/json": {"schema": ONE}}}
    return {"operationId": name, "tags": [tag], "summary": name, "responses": {"200": response}, **more}


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
        "components": {"schemas": {"One": {"type": "object", "properties": {"data": {"type": "string"}}}}},
    }


def users(**more: Any) -> Change:
    """A change of the first operation."""
    return lambda document: at(document, USERS).update(more)


def parameter(name: str, **more: Any) -> Change:
    return users(parameters=[query(name, **more)])


def sent(kind: str, **properties: Any) -> Change:
    """A body of some media type, with these properties."""
    return users(requestBody={"content": {kind: {"schema": {"type": "object", "properties": properties}}}})


def schema(name: str, **node: Any) -> Change:
    return lambda document: document["components"]["schemas"].update({name: node})


def moved(path: str) -> Change:
    return lambda document: document["paths"].update({path: document["paths"].pop("/ban")})


TEXTS, ONES = {"type": "array", "items": {"type": "string"}}, {"type": "array", "items": ONE}
BINARY = {"type": "string", "format": "binary"}
FORM = "multipart/form-data"
IN_FORM = f"{USERS}/requestBody/content/multipart~1form-data/schema/properties"
IN_JSON = f"{USERS}/requestBody/content/application~1json/schema/properties"
BODIES = ("application/json", FORM, "application/x-www-form-urlencoded", "application/octet-stream")
SAME_ID = "the operationId is also that of GET /users; give one of them another"
OTHER_VERB = "begin one operationId with another verb"
SEGMENTS = (
    "each segment of the path must be text of A-Z, a-z, 0-9 and ._~-, or one name in braces, and not '.' or '..'; "
    "describe any other segment as one parameter, such as {name}"
)
NAMES = "the names in the path and the parameters in: path are not the same; describe each name once"
FILE = "describe a file as type: string and format: binary, directly in the properties of a form or as a whole body"
TAG = "cannot be an attribute of a client; give the operation a tag such as Roles"

KEYLESS = "GET /users: its security needs no key, but the client sends the key with every call; name the key there"

#: Changes of the description that no right client can be made from, and the lines for each.
REFUSALS: dict[str, tuple[Change, str]] = {
    "the same method twice": (
        lambda d: d["paths"]["/ban"]["post"].update(operationId="listBans"),
        f"POST /ban: the method list of the tag Chat Users is also the method of GET /users; {OTHER_VERB}",
    ),
    "an operationId twice": (
        lambda d: d["paths"]["/ban"]["post"].update(operationId="listChatUsers"),
        f"POST /ban: {SAME_ID}",
    ),
    "an operationId in two tags": (
        lambda d: d["paths"]["/ban"]["post"].update(operationId="listChatUsers", tags=["Bans"]),
        f"POST /ban: {SAME_ID}",
    ),
    "no operationId": (
        users(operationId=None),
        "GET /users: no operationId that begins with a verb; add one, such as listRoles",
    ),
    "a verb that is no name": (
        users(operationId="1stUsers"),
        "GET /users: no operationId that begins with a verb; add one, such as listRoles",
    ),
    "no tag": (users(tags=[]), f"GET /users: the tag '' {TAG}"),
    "a tag that is no name": (users(tags=["1st"]), f"GET /users: the tag '1st' {TAG}"),
    "a tag that is a keyword": (users(tags=["Import"]), f"GET /users: the tag 'Import' {TAG}"),
    "a tag that is taken": (users(tags=["Rate Limit"]), f"GET /users: the tag 'Rate Limit' {TAG}"),
    "a path above the address": (moved("/../ban"), f"POST /../ban: {SEGMENTS}"),
    "a query in the path": (moved("/ban?a=b"), f"POST /ban?a=b: {SEGMENTS}"),
    "letters beyond ASCII": (moved("/bän"), f"POST /bän: {SEGMENTS}"),
    "two names in a segment": (
        lambda d: (
            moved("/{id}.{ext}")(d),
            at(d, "/paths/~1{id}.{ext}/post").update(
                parameters=[{**query(name), "in": "path", "required": True} for name in ("id", "ext")]
            ),
        ),
        f"POST /{{id}}.{{ext}}: {SEGMENTS}",
    ),
    "a name without a parameter": (moved("/ban/{uid}"), f"POST /ban/{{uid}}: {NAMES}"),
    "another method": (
        lambda d: d["paths"]["/ban"].update(head=operation("headBan")),
        "HEAD /ban: the client does not send this method; describe a GET",
    ),
    "servers of an operation": (
        users(servers=[{"url": "https://example.com/v3"}]),
        "GET /users: has servers of its own; the client sends all calls to one address, so remove them",
    ),
    "a page without a size": (
        parameter("page"),
        "GET /users: the parameter page without perPage; describe both, or rename page",
    ),
    "a parameter body beside a body": (
        lambda d: (sent("application/json")(d), parameter("body")(d)),
        "GET /users: the parameter body has the name of the argument for the body; rename it",
    ),
    "two kinds of body": (
        users(requestBody={"content": {kind: {"schema": ONE} for kind in (FORM, "application/json")}}),
        "GET /users: the body has the media types multipart/form-data, application/json; describe only one of them",
    ),
    "a merge patch": (
        sent("application/merge-patch+json"),
        f"GET /users: the client cannot send application/merge-patch+json; use {', '.join(BODIES)}",
    ),
    "a form that is an array": (
        users(requestBody={"content": {FORM: {"schema": TEXTS}}}),
        "GET /users: the form is not an object; describe one with a property for each part",
    ),
    "a parameter without a schema": (
        users(parameters=[{"name": "page", "in": "query"}, query("perPage")]),
        "GET /users: the parameter page has no schema; add one",
    ),
    "an object in a URL-encoded form": (
        sent("application/x-www-form-urlencoded", one=ONE),
        "GET /users: one is an object in a URL-encoded form; describe the body as application/json",
    ),
    "joined values of a form": (
        users(
            requestBody={
                "content": {
                    FORM: {
                        "schema": {"type": "object", "properties": {"a": TEXTS}},
                        "encoding": {"a": {"explode": False}},
                    }
                }
            }
        ),
        "GET /users: the encoding of a joins values in one text; remove explode: false",
    ),
    "two successes": (
        lambda d: at(d, f"{USERS}/responses").update({"201": {"description": "x"}}),
        "GET /users: needs exactly one schema of a successful response",
    ),
    "no success": (
        lambda d: at(d, USERS).update(responses={"default": {"description": "x"}}),
        "GET /users: needs exactly one schema of a successful response",
    ),
    "a response in HTML": (
        lambda d: at(d, f"{USERS}/responses/200").update(content={"text/html": {"schema": {"type": "string"}}}),
        "GET /users: has a response that is not JSON (text/html); describe it as application/json",
    ),
    "a cookie": (
        parameter("session", **{"in": "cookie"}),
        "GET /users: the parameter session is in a cookie, and the client sends no cookies; remove it",
    ),
    "a secret outside of the path": (
        parameter("code", **{"x-secret": True}),
        "GET /users: the parameter code is a secret outside of the path, and only the path hides one; remove x-secret",
    ),
    "a header of the client": (
        parameter("ApiKey", **{"in": "header"}),
        "GET /users: the parameter ApiKey is a header that only the client sets; remove it",
    ),
    "a notation": (
        parameter("filter", style="deepObject"),
        "GET /users: the parameter filter has a notation that the client cannot write; use style: form",
    ),
    "an array in one text": (
        parameter("tags", schema=TEXTS, explode=False),
        "GET /users: the parameter tags is an array in one text; describe it as a string",
    ),
    "an object in a query": (
        parameter("filter", schema=ONE),
        "GET /users: the parameter filter is an object; describe each of its fields as a parameter",
    ),
    "an array of objects in a query": (
        parameter("filter", schema=ONES),
        "GET /users: the parameter filter is an object; describe each of its fields as a parameter",
    ),
    "a component with a letter beyond ASCII": (
        schema("Rôle"),
        "/components/schemas/Rôle: the name must consist of A-Z, a-z, 0-9 and ._-; rename it",
    ),
    "a call without a key": (users(security=[]), KEYLESS),
    "a call with an empty requirement": (users(security=[{}]), KEYLESS),
    "every call without a key": (
        lambda d: (d.update(security=[]), d["paths"].pop("/ban"), d["paths"]["/users"].pop("post")),
        KEYLESS,
    ),
    "a security that no scheme describes": (
        users(security=[{"bearer": []}]),
        "GET /users: its security names bearer, which no securityScheme describes; name the key",
    ),
    "a second key": (
        lambda d: d["components"].update(securitySchemes={"app": {"type": "apiKey", "in": "header", "name": "appid"}}),
        "/components/securitySchemes/app: the client sends only a key in the header apikey; remove it",
    ),
    "another security": (
        lambda d: d["components"].update(securitySchemes={"token": {"type": "http", "scheme": "bearer"}}),
        "/components/securitySchemes/token: the client sends only a key in the header apikey; remove it",
    ),
    "a schema with the name of a resource": (
        schema("ChatUsers"),
        "/components/schemas/ChatUsers: a tag or the client has a class of this name; rename the schema",
    ),
    "a union of two arrays": (
        schema("Two", oneOf=[TEXTS, ONES]),
        "/components/schemas/Two: two alternatives are arrays; describe one array, whose items are the alternatives",
    ),
    "an array of files": (
        sent(FORM, files={"type": "array", "items": BINARY}),
        f"{IN_FORM}/files/items: a file that the client cannot send; {FILE}",
    ),
    "a file in JSON": (
        sent("application/json", file=BINARY),
        f"{IN_JSON}/file: a file that the client cannot send; {FILE}",
    ),
    "a file as OpenAPI 3.1 describes it": (
        sent(FORM, file={"contentMediaType": "text/csv"}),
        f"{IN_FORM}/file: a file that the client cannot send; {FILE}",
    ),
    "readOnly and required": (
        lambda d: (
            schema("One", type="object", required=["id"], properties={"id": {"type": "string", "readOnly": True}})(d),
            users(requestBody={"content": {"application/json": {"schema": ONE}}})(d),
        ),
        "/components/schemas/One/properties/id: readOnly and required in a request; describe another schema",
    ),
}


@pytest.mark.parametrize(("change", "line"), REFUSALS.values(), ids=REFUSALS)
def test_each_refusal_is_one_line_with_its_place(change: Change, line: str) -> None:
    """A description that no right client can be made from is refused with the place and the next step."""
    document = small()
    assert list(faults(document)) == []
    change(document)
    assert list(faults(parse(json.dumps(document)))) == [line]


def repository(folder: Path, document: Any) -> Path:
    """A copy of the generator, its templates and the output, with another description."""
    (copied(folder) / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    return folder


def refused(folder: Path) -> list[str]:
    """The lines of a run of the generator that must fail, and leave every file as it was."""
    before = {path: path.read_bytes() for path in (folder / "generated").rglob("*.*")}
    done = run_generator(folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert {path: path.read_bytes() for path in (folder / "generated").rglob("*.*")} == before
    return done.stderr.splitlines()


def test_all_refusals_are_reported_before_anything_is_written(tmp_path: Path) -> None:
    """`make generate` prints every refusal at once, and leaves every file as it was."""
    document = small()
    users(tags=[])(document)
    document["paths"]["/ban"]["post"]["servers"] = []
    lines = refused(repository(tmp_path, document))
    assert [line.partition(" /")[0] for line in lines] == ["openapi.yaml: GET", "openapi.yaml: POST"]
