"""Changes of the description that must work without a line of Python, by kinds, and the program
that calls them with both clients.

All changes are parts of one description. `python -m tests.tools.accepted_changes` calls each with
both clients of the package on its path, and prints the faults of each change as JSON.
"""

import asyncio
import copy
import inspect
import json
import pickle
import threading
import warnings
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from attrs import evolve, frozen

from cometchat_openapi import models
from cometchat_rest import AsyncClient, Client, CometChatError, File

Node: TypeAlias = dict[str, Any]


@frozen
class Outcome:
    """What a call led to: its result or its error, its requests, and its warnings."""

    result: Any
    error: Exception | None
    requests: list[tuple[str, str, bytes]]
    warnings: list[str]

    @property
    def path(self) -> str:
        return self.requests[-1][1]

    @property
    def sent(self) -> Any:
        return json.loads(self.requests[-1][2])

    @property
    def body(self) -> bytes:
        return self.requests[-1][2]


@frozen(kw_only=True)
class Trial:
    """A call with a client and the module of models, the responses, and what must be true then.

    With `each`, the result is the list of all items that a loop yields.
    """

    call: Callable[[Any, Any], Any]
    replies: tuple[Any, ...]
    check: Callable[[Outcome], object]
    each: bool
    strict: bool


@frozen(kw_only=True)
class Accepted:
    """A change: an operation of its own, the schemas that it adds, and calls of it."""

    operation: Node
    path: str
    verb: str
    schemas: Node
    trials: tuple[Trial, ...]


TEXT, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
NULLABLE = {"type": ["string", "null"]}
TEXTS = {"type": "array", "items": TEXT}
FILE = {"type": "string", "format": "binary"}
CHANGES: dict[str, Accepted] = {}


def ref(name: str) -> Node:
    return {"$ref": f"#/components/schemas/{name}"}


def fields(*required: str, **properties: Any) -> Node:
    return {"type": "object", "required": [*required], "properties": properties}


def listed(item: Node) -> Node:
    return {"type": "array", "items": item}


def query(name: str, **schema: Any) -> Node:
    return {"name": name, "in": "query", "schema": schema or TEXT}


def in_path(name: str, **more: Any) -> Node:
    return {"name": name, "in": "path", "required": True, "schema": TEXT, **more}


def body(kind: str, schema: Node, **more: Any) -> Node:
    return {"required": True, "content": {kind: {"schema": schema}}, **more}


def trial(
    call: Callable[[Any, Any], Any],
    check: Callable[[Outcome], object],
    *replies: Any,
    each: bool = False,
    strict: bool = False,
) -> Trial:
    return Trial(call=call, replies=replies or ({},), check=check, each=each, strict=strict)


def change(
    kind: str,
    verb_and_path: str,
    response: Node | None,
    *trials: Trial,
    schemas: Node | None = None,
    **operation: Any,
) -> None:
    """Add a change; its operation is the method of its verb, of the resource with its number."""
    verb, _, path = verb_and_path.partition(" ")
    number = len(CHANGES)
    success: Node = {"description": "Done."}
    if response is not None:
        success["content"] = {"application/json": {"schema": response}}
    node = {
        "operationId": f"{verb}Kind{number}",
        "tags": [f"Kind {number}"],
        "summary": kind,
        "security": [{"apikey": []}],
        "responses": {"200" if response is not None else "204": success},
        **operation,
    }
    CHANGES[kind] = Accepted(
        operation=node, path=f"/k{number}{path}", verb=verb, schemas=schemas or {}, trials=trials
    )


ANY: Node = {}
DATA = fields("data", data=fields("id", id=TEXT))

# Names, paths and parameters.

change(
    "an operation of a new tag",
    "get /things",
    DATA,
    trial(lambda c, _: c.get(), lambda o: o.result.id == "a", {"data": {"id": "a"}}),
)
change(
    "a value in the path",
    "get /things/{thingId}",
    ANY,
    trial(lambda c, _: c.get("ä b"), lambda o: o.path.endswith("/things/%C3%A4%20b")),
    trial(lambda c, _: c.get(".."), lambda o: o.error is not None and not o.requests),
    parameters=[in_path("thingId")],
)
change(
    "a number in the path",
    "get /things/{number}/parts",
    ANY,
    trial(lambda c, _: c.get(7), lambda o: o.path.endswith("/things/7/parts")),
    parameters=[{**in_path("number"), "schema": INTEGER}],
)
change(
    "a secret in the path",
    "delete /codes/{code}",
    None,
    trial(
        lambda c, _: c.delete("hidden-code"),
        lambda o: o.path.endswith("/codes/hidden-code") and o.result is None,
    ),
    trial(
        lambda c, _: c.delete("a/b-hidden"),
        lambda o: o.error is not None and "b-hidden" not in repr(o.error),
    ),
    parameters=[in_path("code", **{"x-secret": True})],
)
change(
    "a value that the response repeats",
    "get /things/{thingId}/own",
    DATA,
    trial(lambda c, _: c.get("a"), lambda o: o.result.id == "a", {"data": {"id": "a"}}),
    trial(lambda c, _: c.get("a"), lambda o: o.error is not None, {"data": {"id": "b"}}),
    parameters=[in_path("thingId", **{"x-repeated-at": "/data/id"})],
)
change(
    "an integer in the query, with limits",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(size=5), lambda o: o.path.endswith("?size=5")),
    trial(lambda c, _: c.get(size=10), lambda o: o.error is not None and not o.requests),
    parameters=[query("size", type="integer", minimum=1, maximum=9)],
)
change(
    "a boolean in the query",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(only_active=False), lambda o: o.path.endswith("?onlyActive=false")),
    trial(lambda c, _: c.get(), lambda o: o.path.endswith("/things")),
    parameters=[query("onlyActive", type="boolean")],
)
change(
    "texts in the query",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(words=["a", "b"]), lambda o: o.path.endswith("?words=a&words=b")),
    parameters=[query("words", **TEXTS)],
)
change(
    "a set of values in the query",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(state="on"), lambda o: o.path.endswith("?state=on")),
    trial(lambda c, _: c.get(state="no"), lambda o: o.error is not None and not o.requests),
    parameters=[query("state", type="string", enum=["on", "off"])],
)
change(
    "a required value in the query",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(text="a&b"), lambda o: o.path.endswith("?text=a%26b")),
    parameters=[{**query("text"), "required": True}],
)
change(
    "a nullable value in the query",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(size=None), lambda o: o.path.endswith("/things")),
    parameters=[query("size", type=["integer", "null"])],
)
change(
    "names that Python reserves",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(from_="a", class_="b"), lambda o: o.path.endswith("?from=a&class=b")),
    parameters=[query("from"), query("class")],
)
change(
    "a header",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(x_trace="t"), lambda o: o.path.endswith("/things")),
    parameters=[{"name": "X-Trace", "in": "header", "schema": TEXT}],
)
change(
    "a deprecated operation",
    "get /things",
    ANY,
    trial(
        lambda c, _: c.get(),
        lambda o: len(o.warnings) == 1 and o.warnings[0].endswith("deprecated: use another."),
    ),
    description="Deprecated: use another.",
    deprecated=True,
)
change(
    "a description with signs",
    "get /things",
    ANY,
    trial(lambda c, _: c.get(), lambda o: o.error is None),
    description='Quotes """, a \\ and {braces}.',
)

# Bodies. A null that was set is sent, and an attribute that was set is sent.

PROFILE = fields(
    nick=NULLABLE, age=INTEGER, tags=TEXTS, notes={"type": ["array", "null"], "items": TEXT}
)


def after_reading(profile: Any, **values: Any) -> Any:
    for name, value in values.items():
        setattr(profile, name, value)
    return profile


def pickled(model: Any) -> Any:
    return pickle.loads(pickle.dumps(model))


def patch_with_a_copy(function: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda c, m: c.patch(function(m.Profile(age=3)))


change(
    "an object as a body",
    "patch /profile",
    ANY,
    trial(lambda c, m: c.patch(m.Profile(age=3)), lambda o: o.sent == {"age": 3}),
    trial(lambda c, m: c.patch(m.Profile()), lambda o: o.sent == {}),
    trial(lambda c, m: c.patch(m.Profile(nick=None)), lambda o: o.sent == {"nick": None}),
    trial(lambda c, m: c.patch(m.Profile(age=None)), lambda o: o.sent == {}),
    trial(
        lambda c, m: c.patch(after_reading(m.Profile(), nick=None, notes=None)),
        lambda o: o.sent == {"nick": None, "notes": None},
    ),
    trial(
        lambda c, m: c.patch(after_reading(m.Profile(nick="a"), nick="b")),
        lambda o: o.sent == {"nick": "b"},
    ),
    *(
        # A copy sends no null that nobody has set.
        trial(patch_with_a_copy(function), lambda o: o.sent == {"age": 3})
        for function in (copy.copy, copy.deepcopy, evolve, pickled)
    ),
    schemas={"Profile": PROFILE},
    requestBody=body("application/json", ref("Profile")),
)
change(
    "an object that was read, with a null",
    "put /profile",
    ANY,
    trial(
        lambda c, m: c.put(m.Second.from_dict({"nick": None, "age": None, "x": None})),
        lambda o: o.sent == {"nick": None, "age": None, "x": None},
    ),
    trial(
        lambda c, m: c.put(after_reading(m.Second.from_dict({"age": None}), age=5)),
        lambda o: o.sent == {"age": 5},
    ),
    trial(
        lambda c, m: c.put(after_reading(m.Second.from_dict({"tags": "x"}), tags=["t"])),
        lambda o: o.sent == {"tags": ["t"]},
    ),
    trial(
        lambda c, m: c.put(after_reading(m.Second.from_dict({"x": 1}), tags=[])),
        lambda o: o.sent == {"tags": [], "x": 1},
    ),
    trial(
        lambda c, m: c.put(m.Second.from_dict({"tags": "x", "notes": 5})),
        lambda o: o.sent == {"tags": "x", "notes": 5},
    ),
    schemas={"Second": PROFILE},
    requestBody=body("application/json", ref("Second")),
)
change(
    "a nullable object in a body",
    "put /owner",
    ANY,
    trial(lambda c, m: c.put(m.Owned(owner=None)), lambda o: o.sent == {"owner": None}),
    trial(lambda c, m: c.put(m.Owned()), lambda o: o.sent == {}),
    trial(
        lambda c, m: c.put(m.Owned(owner=m.Owner(uid="a"))),
        lambda o: o.sent == {"owner": {"uid": "a"}},
    ),
    trial(
        lambda c, m: c.put(m.Owned.from_dict({"owner": {"uid": "a"}})),
        lambda o: o.sent == {"owner": {"uid": "a"}},
    ),
    schemas={
        "Owner": fields("uid", uid=TEXT),
        "Owned": fields(owner={"anyOf": [ref("Owner"), {"type": "null"}]}),
    },
    requestBody=body("application/json", ref("Owned")),
)
change(
    "a field whose schema has a name that ends in Types",
    "get /room",
    fields("types", types=ref("RoomTypes")),
    trial(lambda c, _: c.get(), lambda o: o.result.types.main == "a", {"types": {"main": "a"}}),
    schemas={"RoomTypes": fields("main", main=TEXT)},
)
change(
    "a required null in a body",
    "put /end",
    ANY,
    trial(lambda c, m: c.put(m.Ending(at=None)), lambda o: o.sent == {"at": None}),
    schemas={"Ending": fields("at", at={"type": ["integer", "null"]})},
    requestBody=body("application/json", ref("Ending")),
)
change(
    "an optional body",
    "post /things",
    ANY,
    trial(lambda c, _: c.post(), lambda o: o.body == b""),
    trial(lambda c, m: c.post(body=m.Optional(a="x")), lambda o: o.sent == {"a": "x"}),
    schemas={"Optional": fields(a=TEXT)},
    requestBody=body("application/json", ref("Optional"), required=False),
)
change(
    "an array as a body",
    "post /things",
    ANY,
    trial(lambda c, _: c.post(["a", "b"]), lambda o: o.sent == ["a", "b"]),
    requestBody=body("application/json", TEXTS),
)
change(
    "another name for the body",
    "post /things",
    ANY,
    trial(lambda c, m: c.post(new=m.Renamed(a="x")), lambda o: o.sent == {"a": "x"}),
    schemas={"Renamed": fields(a=TEXT)},
    requestBody=body("application/json", ref("Renamed"), **{"x-codegen-request-body-name": "new"}),
)
change(
    "a form with a text, a boolean, a number and a file",
    "post /picture",
    ANY,
    trial(
        lambda c, m: c.post(
            m.Picture(title="t", public=False, size=5, file=File(b"x"), words=["a", "b"])
        ),
        lambda o: (
            all(
                part in o.body
                for part in (
                    b"\r\n\r\nt\r\n",
                    b"\r\n\r\nfalse\r\n",
                    b"\r\n\r\n5\r\n",
                    b"\r\n\r\nx\r\n",
                )
            )
            and o.body.count(b'name="words"') == 2
        ),
    ),
    schemas={"Picture": fields(title=TEXT, public=BOOLEAN, size=INTEGER, file=FILE, words=TEXTS)},
    requestBody=body("multipart/form-data", ref("Picture")),
)
change(
    "a URL-encoded form",
    "post /login",
    ANY,
    trial(lambda c, m: c.post(m.Login(uid="a b")), lambda o: o.body == b"uid=a+b"),
    schemas={"Login": fields("uid", uid=TEXT)},
    requestBody=body("application/x-www-form-urlencoded", ref("Login")),
)
change(
    "bytes as a body",
    "put /raw",
    ANY,
    trial(lambda c, _: c.put(File(b"raw")), lambda o: o.body == b"raw"),
    requestBody=body("application/octet-stream", FILE),
)

# Responses.

change(
    "a response without a body",
    "delete /things",
    None,
    trial(lambda c, _: c.delete(), lambda o: o.error is None and o.result is None),
)
change(
    "an array as a response",
    "get /words",
    TEXTS,
    trial(lambda c, _: c.get(), lambda o: o.result == ["a"], ["a"]),
)
change(
    "a map as a response",
    "get /counts",
    {"type": "object", "additionalProperties": INTEGER},
    trial(lambda c, _: c.get(), lambda o: o.result.to_dict() == {"a": 1}, {"a": 1}),
)
change(
    "a list without pages",
    "get /things",
    fields("data", data=listed(fields("id", id=TEXT))),
    trial(
        lambda c, _: c.get(), lambda o: [x.id for x in o.result] == ["a"], {"data": [{"id": "a"}]}
    ),
)
change(
    "a set of values in a response",
    "get /state",
    fields(state={"type": "string", "enum": ["on", "off"]}),
    trial(lambda c, _: c.get(), lambda o: o.result.state == "new", {"state": "new"}),
    trial(lambda c, _: c.get(), lambda o: o.error is not None, {"state": "new"}, strict=True),
)
change(
    "a missing required field",
    "get /thing",
    fields("id", id=TEXT),
    trial(lambda c, _: c.get(), lambda o: o.result.id is None and o.result.to_dict() == {}, {}),
    trial(lambda c, _: c.get(), lambda o: o.error is not None, {}, strict=True),
)
change(
    "a null that is described",
    "get /thing",
    fields(a=NULLABLE),
    trial(
        lambda c, _: c.get(),
        lambda o: o.result.a is None and o.result.to_dict() == {"a": None},
        {"a": None},
        strict=True,
    ),
    trial(lambda c, _: c.get(), lambda o: o.result.to_dict() == {}, {}, strict=True),
)
change(
    "a field of any type",
    "get /thing",
    fields(a={}),
    trial(lambda c, _: c.get(), lambda o: o.result.a == [1, None], {"a": [1, None]}, strict=True),
    trial(
        lambda c, _: c.get(), lambda o: o.result.to_dict() == {"a": None}, {"a": None}, strict=True
    ),
)
change(
    "a number or a text",
    "get /thing",
    fields(a={"type": ["string", "integer"]}),
    trial(lambda c, _: c.get(), lambda o: o.result.a == 5, {"a": 5}, strict=True),
    trial(lambda c, _: c.get(), lambda o: o.result.a == "b", {"a": "b"}, strict=True),
)
change(
    "a number without a fraction",
    "get /thing",
    fields(a={"type": "number"}),
    trial(lambda c, _: c.get(), lambda o: o.result.a == 5, {"a": 5}, strict=True),
)
change(
    "a date",
    "get /thing",
    fields(at={"type": "string", "format": "date-time"}),
    trial(lambda c, _: c.get(), lambda o: o.result.at == "2031-01-01", {"at": "2031-01-01"}),
)
change(
    "one of two objects",
    "get /pet",
    {
        "oneOf": [ref("Cat"), ref("Dog")],
        "discriminator": {"propertyName": "kind"},
    },
    trial(lambda c, _: c.get(), lambda o: type(o.result).__name__ == "Dog", {"kind": "dog"}),
    schemas={
        name: fields("kind", kind={"type": "string", "const": name.lower()})
        for name in ("Cat", "Dog")
    },
)
change(
    "an object with the fields of another",
    "get /thing",
    {"allOf": [ref("Parent"), fields(b=INTEGER)]},
    trial(lambda c, _: c.get(), lambda o: (o.result.a, o.result.b) == ("x", 1), {"a": "x", "b": 1}),
    schemas={"Parent": fields(a=TEXT)},
)
change(
    "an object that holds itself",
    "get /tree",
    ref("Tree"),
    trial(
        lambda c, _: c.get(),
        lambda o: o.result.children[0].name == "b",
        {"name": "a", "children": [{"name": "b"}]},
    ),
    schemas={"Tree": fields(name=TEXT, children=listed(ref("Tree")))},
)
change(
    "fields with names of methods, and of Python",
    "get /thing",
    fields(keys=TEXT, to_dict=TEXT, **{"class": TEXT, "read": NULLABLE, "extra": NULLABLE}),
    trial(
        lambda c, _: c.get(),
        lambda o: (
            (o.result.keys_, o.result.class_, o.result.read, o.result.extra)
            == ("a", "b", None, "c")
        ),
        {"keys": "a", "class": "b", "read": None, "extra": "c"},
    ),
)
change(
    "names that begin like a mark",
    "get /thing",
    fields(**{"x-field": TEXT}),
    trial(lambda c, _: c.get(), lambda o: o.result.x_field == "a", {"x-field": "a"}),
    parameters=[query("x-word")],
)
change(
    "a field with a sign beyond U+FFFF",
    "get /thing",
    fields("\U0001f600mood", **{"\U0001f600mood": TEXT}),
    trial(
        lambda c, _: c.get(),
        lambda o: o.result.mood == "a" and o.result.to_dict() == {"\U0001f600mood": "a"},
        {"\U0001f600mood": "a"},
        strict=True,
    ),
)
change(
    "a letter that Python reads as two",
    "get /thing",
    {"type": "object", "required": ["\ufb01t"], "properties": {"\ufb01t": TEXT}},
    trial(
        lambda c, _: c.get(),
        lambda o: o.result.fit == "a" and o.result.to_dict() == {"\ufb01t": "a"},
        {"\ufb01t": "a"},
        strict=True,
    ),
)
change(
    "fields that differ in their case",
    "get /thing",
    fields(aB=TEXT, a_b=TEXT),
    trial(
        lambda c, _: c.get(),
        lambda o: (o.result.aB, o.result.a_b) == ("x", "y"),
        {"aB": "x", "a_b": "y"},
    ),
)
change(
    "the words yes, no, on and off",
    "get /thing",
    fields(no=INTEGER, on={"type": "string", "enum": ["yes", "no"]}),
    trial(
        lambda c, _: c.get(),
        lambda o: (o.result.no, o.result.on) == (1, "yes"),
        {"no": 1, "on": "yes"},
    ),
)
change(
    "an unknown field",
    "get /thing",
    fields(a=TEXT),
    trial(lambda c, _: c.get(), lambda o: o.result.additional_properties == {"new": 1}, {"new": 1}),
)
change(
    "two statuses of one success",
    "put /thing",
    fields(a=TEXT),
    trial(lambda c, _: c.put(), lambda o: o.result.a == "x", {"a": "x"}),
    responses={
        status: {"description": "x", "content": {"application/json": {"schema": fields(a=TEXT)}}}
        for status in ("200", "201")
    },
)

# Lists with pages.


def pages(page: str = "current_page", count: str = "total_pages", total: str = "total") -> Node:
    numbers = {page: INTEGER, count: INTEGER, total: INTEGER, "per_page": INTEGER}
    return fields("pagination", pagination=fields(**numbers))


def paged(meta: Node, item: Node | None = None) -> Node:
    return fields("data", "meta", data=listed(item or fields("id", id=TEXT)), meta=meta)


def replies(*pages_of_items: list[Any], names: tuple[str, ...] = ()) -> list[Any]:
    page, count, total = names or ("current_page", "total_pages", "total")
    number = sum(map(len, pages_of_items))
    return [
        {
            "data": items,
            "meta": {
                "pagination": {
                    page: place,
                    count: len(pages_of_items),
                    total: number,
                    "per_page": 2,
                }
            },
        }
        for place, items in enumerate(pages_of_items, 1)
    ]


PAGE, SIZE = query("page", type="integer"), query("perPage", type="integer", default=2)
MEMBERS = [[{"scope": "a", "uid": "x"}, {"scope": "a", "uid": "y"}], [{"scope": "b", "uid": "z"}]]
MEMBER = fields("scope", "uid", scope=TEXT, uid=TEXT)
THINGS = [[{"id": "a"}, {"id": "b"}], [{"id": "c"}]]


def ids(*expected: str) -> Callable[[Outcome], object]:
    return lambda o: [item.id for item in o.result] == [*expected]


change(
    "pages of items whose first field is shared",
    "list /members",
    paged(pages(), MEMBER),
    trial(
        lambda c, _: c.list(),
        lambda o: [x.uid for x in o.result] == ["x", "y", "z"],
        *replies(*MEMBERS),
        each=True,
    ),
    parameters=[PAGE, SIZE],
)
change(
    "pages with per_page",
    "list /things",
    paged(pages()),
    trial(lambda c, _: c.list(), ids("a", "b", "c"), *replies(*THINGS), each=True),
    trial(
        lambda c, _: c.list(per_page=2),
        lambda o: o.path.endswith("?page=2&per_page=2"),
        *replies(*THINGS),
        each=True,
    ),
    parameters=[PAGE, query("per_page", type="integer", default=2)],
)
CAMEL = ("currentPage", "totalPages", "totalCount")
change(
    "pages with other usual names",
    "list /things",
    paged(pages(*CAMEL)),
    trial(lambda c, _: c.list(), ids("a", "b", "c"), *replies(*THINGS, names=CAMEL), each=True),
    parameters=[query("pageNumber", type="integer"), query("limit", type="integer", default=2)],
)
change(
    "pages without a size",
    "list /things",
    paged(pages()),
    trial(lambda c, _: c.list(), ids("a", "b", "c"), *replies(*THINGS), each=True),
    parameters=[PAGE],
)
ODD = ("at", "of", "all")
change(
    "pages with names that a mark states",
    "list /things",
    paged(pages(*ODD)),
    trial(lambda c, _: c.list(), ids("a", "b", "c"), *replies(*THINGS, names=ODD), each=True),
    parameters=[query("sheet", type="integer"), query("most", type="integer", default=2)],
    **{
        "x-pages": {
            "page": "sheet",
            "size": "most",
            "pagination": "pagination",
            "current": "at",
            "pages": "of",
            "total": "all",
        }
    },
)
SHIFTED = [[{"id": "a", "n": 1}, {"id": "b", "n": 1}], [{"id": "b", "n": 2}, {"id": "c", "n": 1}]]
SHIFTED_ITEM = fields("id", id=TEXT, n=INTEGER)
change(
    "pages that overlap, with an identity",
    "list /things",
    paged(pages(), SHIFTED_ITEM),
    trial(
        lambda c, _: c.list(),
        ids("a", "b", "c"),
        *[
            {**each, "meta": {"pagination": {**each["meta"]["pagination"], "total": 3}}}
            for each in replies(*SHIFTED)
        ],
        each=True,
    ),
    parameters=[PAGE, SIZE],
    **{"x-pages": {"identity": "id"}},
)
change(
    "pages whose items are parts of an allOf",
    "list /things",
    {"allOf": [paged(pages())]},
    trial(lambda c, _: c.list(), ids("a", "b", "c"), *replies(*THINGS), each=True),
    parameters=[PAGE, SIZE],
)
NO_PAGES: Node = {"x-pages": False}
ONE_PART = trial(
    lambda c, _: c.list(),
    lambda o: [item.id for item in o.result.data] == ["a", "b"] and o.result.__iter__ is None,
    replies(*THINGS)[0],
)
change(
    "pages that a mark excludes",
    "list /things",
    paged(pages()),
    ONE_PART,
    parameters=[PAGE, SIZE],
    **NO_PAGES,
)
change(
    "a part of a list, with limit and offset",
    "list /things",
    paged(fields("pagination", pagination=fields(total=INTEGER, limit=INTEGER))),
    ONE_PART,
    parameters=[query("limit", type="integer"), query("offset", type="integer")],
)
change(
    "a part of a list, with a total beside it",
    "list /things",
    paged(fields("cursors", cursors=fields(total_count=INTEGER, after=TEXT))),
    ONE_PART,
    parameters=[query("after")],
)
change(
    "a list with a size, and no total",
    "list /things",
    paged(fields("current", current=fields(limit=INTEGER, count=INTEGER))),
    trial(lambda c, _: c.list(), ids("a", "b"), replies(*THINGS)[0]),
    parameters=[query("limit", type="integer")],
)


def describe(document: Any) -> None:
    """Add all changes to a description."""
    for each in CHANGES.values():
        verb = "get" if each.verb == "list" else each.verb
        document["paths"][each.path] = {verb: each.operation}
        document["components"]["schemas"].update(each.schemas)


# The program.


class Service:
    """A service on this machine that gives some responses in turn, and then the last one again."""

    def __init__(self) -> None:
        service = self
        self.requests: list[tuple[str, str, bytes]] = []
        self.replies: list[Any] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - as the base class
                """Print nothing."""

            def do(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                service.requests.append((self.command, self.path, self.rfile.read(size)))
                several = len(service.replies) > 1
                reply = service.replies.pop(0) if several else service.replies[0]
                content = b"" if self.command == "DELETE" else json.dumps(reply).encode()
                self.send_response(200 if content else 204)
                self.send_header("content-type", "application/json")
                if content:
                    self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do  # noqa: N815 - as http.server asks

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def begin(self, replies: tuple[Any, ...]) -> None:
        self.requests = []
        self.replies = [*replies]


def faults(service: Service) -> Iterator[tuple[str, str]]:
    """Call each change with both clients, and yield its faults."""
    for number, (name, each) in enumerate(CHANGES.items()):
        for place, one_trial in enumerate(each.trials):
            for call in (_called, lambda *given: asyncio.run(_awaited(*given))):
                service.begin(one_trial.replies)
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", DeprecationWarning)
                    outcome = _outcome(call, service, number, one_trial, caught)
                fault = _fault(one_trial, outcome)
                if fault:
                    yield name, f"call {place}: {fault} {outcome}"


def _outcome(call: Any, service: Service, number: int, one_trial: Trial, caught: Any) -> Outcome:

    result = error = None
    try:
        result = call(service, f"kind_{number}", one_trial)
    except CometChatError as raised:
        error = raised
    told = [str(each.message) for each in caught if each.filename == __file__]
    return Outcome(result, error, service.requests, told)


def _fault(one_trial: Trial, outcome: Outcome) -> str:
    try:
        return "" if one_trial.check(outcome) else "not as expected"
    except Exception as error:  # noqa: BLE001 - the fault is told
        return repr(error)


def _settings(service: Service, one_trial: Trial) -> dict[str, Any]:
    base_url = f"http://127.0.0.1:{service.server.server_port}/v3"
    return {"base_url": base_url, "api_key": "key", "max_retries": 0, "strict": one_trial.strict}


def _called(service: Service, resource: str, one_trial: Trial) -> Any:

    with Client(**_settings(service, one_trial)) as chat:
        result = one_trial.call(getattr(chat, resource), models)
        return [*result] if one_trial.each else result


async def _awaited(service: Service, resource: str, one_trial: Trial) -> Any:

    async with AsyncClient(**_settings(service, one_trial)) as chat:
        result = one_trial.call(getattr(chat, resource), models)
        if one_trial.each:
            return [item async for item in result]
        return await result if inspect.isawaitable(result) else result


if __name__ == "__main__":
    told: dict[str, list[str]] = {}
    for name, fault in faults(Service()):
        told.setdefault(name, []).append(fault)
    print(json.dumps(told))
