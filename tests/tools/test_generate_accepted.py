"""The generator: changes of the description that work without a line of Python, and names that
it depends on."""

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from cometchat_rest import AsyncClient, Client, InvalidRequestError, NotFoundError
from cometchat_testing import Simulator
from tools.description import DESCRIPTION, parse
from tools.generate.generate import generate
from tools.generate.names import ATTRIBUTES
from tools.generate.resources import resources
from tools.generate.schemas import limits

from .test_generate import ONE, operation, query, refused, repository, small, users

NAME = "accepted_code"
INLINE = {"type": "object", "required": ["data"], "properties": {"data": {"type": "string"}}}


def answer(schema: Any, **media: Any) -> dict[str, Any]:
    return {
        "responses": {
            "200": {
                "description": "x",
                "content": {"application/json": {"schema": schema, **media}},
            }
        }
    }


FILES = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}


def body(kind: str, schema: Any, **more: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {kind: {"schema": schema}}, **more}}


#: Kinds of changes: the content of an operation, the arguments of its call, and the query or the
#: body that arrive.
ACCEPTED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "an absent parameter": ({"parameters": [query("size")]}, {}, ""),
    "a number or null": (
        {"parameters": [query("size", schema={"type": ["integer", "null"], "minimum": 1})]},
        {"size": 5},
        "size=5",
    ),
    "an array or null": (
        {
            "parameters": [
                query("words", schema={"type": ["array", "null"], "items": {"type": "string"}})
            ]
        },
        {"words": ["a", "b"]},
        "words=a&words=b",
    ),
    "a page without a size": ({"parameters": [query("page")]}, {"page": 2}, "page=2"),
    "a parameter call": ({"parameters": [query("call")]}, {"call": 1}, "call=1"),
    "a parameter body without a body": ({"parameters": [query("body")]}, {"body": 1}, "body=1"),
    "a parameter that is an array": (
        {"parameters": [query("words", schema={"type": "array", "items": {"type": "string"}})]},
        {"words": ["a", "b"]},
        "words=a&words=b",
    ),
    "a parameter with the name of a keyword": (
        {"parameters": [query("from")]},
        {"from_": 1},
        "from=1",
    ),
    "a parameter self": ({"parameters": [query("self")]}, {"self_": 1}, "self=1"),
    "names that differ in a sign": (
        {"parameters": [query("a-b"), query("a_b")]},
        {"ab": 1, "a_b": 2},
        "a-b=1&a_b=2",
    ),
    "one name in two places": (
        {"parameters": [query("a"), {**query("a"), "in": "header"}]},
        {"a_query": 1, "a_header": 2},
        "a=1",
    ),
    "a boolean": (
        {"parameters": [query("flag", schema={"type": "boolean"})]},
        {"flag": True},
        "flag=true",
    ),
    "a text of a set": (
        {"parameters": [query("kind", schema={"type": "string", "enum": ["a", "b"]})]},
        {"kind": "a"},
        "kind=a",
    ),
    "a text that looks like a type": (
        {"parameters": [query("kind", schema={"type": "string", "const": "list[a]"})]},
        {"kind": "list[a]"},
        "kind=list%5Ba%5D",
    ),
    "a number or a text": (
        {"parameters": [query("key", schema={"anyOf": [{"type": "integer"}, {"type": "string"}]})]},
        {"key": "a"},
        "key=a",
    ),
    "a time": (
        {"parameters": [query("since", schema={"type": "string", "format": "date"})]},
        {"since": "2031-01-01"},
        "since=2031-01-01",
    ),
    "a parameter without a type": (
        {"parameters": [query("any", schema={})]},
        {"any_": "a"},
        "any=a",
    ),
    "a deprecated parameter": (
        {"parameters": [query("old", deprecated=True)]},
        {"old": 1},
        "old=1",
    ),
    "a request of the service": (
        {"callbacks": {"x": {"{$request.query.u}": {"post": operation("call")}}}},
        {},
        "",
    ),
    "a limit of the path": ({}, {"limit": 5}, "limit=5"),
    "a limit that the operation overrides": (
        {"parameters": [query("limit", schema={"type": "integer", "maximum": 9})]},
        {"limit": 9},
        "limit=9",
    ),
    "a request of the service with a file": (
        {
            "callbacks": {
                "x": {
                    "{$request.query.u}": {
                        "post": operation("call", **body("application/json", FILES))
                    }
                }
            }
        },
        {},
        "",
    ),
    "an example with a $ref": (
        answer(ONE, examples={"a": {"value": {"$ref": "#/nowhere"}}}),
        {},
        "",
    ),
    "a field $ref": (
        answer({**INLINE, "properties": {"data": {}, "$ref": {"type": "string"}}}),
        {},
        "",
    ),
    "a condition of allOf": (
        answer({"allOf": [INLINE, {"oneOf": [{"required": ["data"]}]}]}),
        {},
        "",
    ),
    "a singular example": (answer(ONE, example={"data": "x"}), {}, ""),
    "an inline object in a response": (answer(INLINE), {}, ""),
    "the key as security": ({"security": [{"apikey": []}]}, {}, ""),
    "the key as one of two ways": ({"security": [{"apikey": []}, {}]}, {}, ""),
    "an error that is described": (
        {"responses": {**answer(ONE)["responses"], "4XX": {"description": "x"}}},
        {},
        "",
    ),
    "an optional body": (body("application/json", ONE), {}, ""),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package that is generated from a description with all of these operations."""
    document = small()
    fields = {"one": ONE, "n": {"type": "integer"}, "t": {"type": "string"}}
    document["components"]["schemas"]["Form"] = {"type": "object", "properties": fields}
    document["components"]["securitySchemes"] = {
        "apikey": {"type": "apiKey", "in": "header", "name": "apikey"}
    }
    above = query("limit", schema={"type": "integer", "maximum": 5})
    document["paths"] = {
        f"/kinds/{number}": {
            "parameters": [above],
            "post": operation(f"kind{number}", f"Kind {number}", **content),
        }
        for number, (content, _, _) in enumerate(ACCEPTED.values())
    }
    folder = tmp_path_factory.mktemp("accepted")
    (folder / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    generate(folder / NAME, folder / "openapi.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module(NAME)


@pytest.mark.parametrize("kind", ACCEPTED)
def test_each_accepted_change_is_called(package: ModuleType, kind: str) -> None:
    """A change of the description that is accepted works: its arguments arrive, and its response
    is read."""
    number = [*ACCEPTED].index(kind)
    _, arguments, sent = ACCEPTED[kind]
    module = importlib.import_module(f"{package.__name__}.api.kind_{number}.kind{number}")
    received: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        received.append(request)
        return httpx.Response(200, json={"data": "x"})

    with Client(
        base_url="https://example.com/v3", api_key="key", transport=httpx.MockTransport(respond)
    ) as chat:
        call = module.prepare(**arguments)
        assert chat.api.send(call).status_code == 200
    (request,) = received
    assert (request.method, request.url.path) == ("POST", f"/v3/kinds/{number}")
    assert sent in (request.url.query.decode(), request.content.decode())
    assert call.operation.parse({"data": "x"}, []).data == "x"


def test_a_value_in_a_signature_stays_as_it_is(package: ModuleType) -> None:
    """A method names the values of an argument as the description does, also one that looks like a
    type of Python."""
    number = [*ACCEPTED].index("a text that looks like a type")
    resource = importlib.import_module(f"{package.__name__}.api.kind_{number}")
    method = getattr(getattr(resource, f"Kind{number}"), f"kind{number}")
    assert "Literal['list[a]']" in str(inspect.signature(method).parameters["kind"])


def test_an_object_in_a_form_is_json(package: ModuleType) -> None:
    """An object in a form is sent as a part of JSON, as OpenAPI says; a number and a text are
    plain parts."""
    files = importlib.import_module(f"{package.__name__}.models").Form.from_dict(
        {"one": {"data": "x"}, "n": 5, "t": "x"}
    )
    parts = {name: part[1:] for name, part in files.to_multipart()}
    assert parts == {
        "one": ('{"data": "x"}', "application/json"),
        "n": ("5", None),
        "t": ("x", None),
    }


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("minimum", 1),
        ("exclusiveMaximum", 9),
        ("multipleOf", 2),
        ("maxLength", 9),
        ("pattern", "^a$"),
        ("uniqueItems", True),
    ],
)
def test_a_docstring_names_each_limit(keyword: str, value: object) -> None:
    """The docstring of a method names each limit of an argument, also one that the client does
    not check."""
    assert limits({"type": "string", keyword: value}) == f" ({keyword} {value})"


def test_an_api_without_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A description without schemas and servers is generated; so is one with notes among its
    paths."""
    document = {**small(), "servers": [], "components": {}}
    nothing = {"204": {"description": "x"}}
    document["paths"] = {
        "x-note": "text",
        "/ban": {"post": operation("banUser") | {"responses": nothing}},
    }
    (tmp_path / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    generate(tmp_path / "small_code", tmp_path / "openapi.yaml")
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("small_code.models").__all__ == ()
    assert importlib.import_module("small_code.server").SERVER == "/"


def test_a_renamed_parameter_names_its_value_in_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulator: Simulator
) -> None:
    """An error carries the values of the path under the names of the description, without a line
    of Python."""
    text = DESCRIPTION.read_text("utf-8").replace("keywordId", "vocabularyId")
    (tmp_path / "openapi.yaml").write_text(text, "utf-8")
    generate(tmp_path / "renamed_code", tmp_path / "openapi.yaml")
    monkeypatch.syspath_prepend(tmp_path)
    operation = importlib.import_module("renamed_code.api.keywords.get_keyword_list")
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        with pytest.raises(InvalidRequestError, match="vocabulary_id must not be empty"):
            chat.api.send(operation.prepare(""))
        with pytest.raises(NotFoundError) as caught:
            chat.api.send(operation.prepare("no-such-list"))
    assert caught.value.path_values == {"vocabulary_id": "no-such-list"}


#: Descriptions of a deprecated operation, and the text of its warning.
DEPRECATED = [
    ("Lists users. Deprecated: use the search instead.", "use the search instead."),
    (
        "Lists users. This operation is deprecated. Use the search instead.",
        "Use the search instead.",
    ),
    ("Lists users.", "the description names no replacement."),
]


@pytest.mark.parametrize(("description", "text"), DEPRECATED)
def test_text_about_a_deprecated_method(description: str, text: str) -> None:
    """A deprecated method says what replaces it, in the words of the description."""
    document = small()
    users(description=description, deprecated=True)(document)
    assert resources(document)["chat_users"].methods["list_chat_users"].deprecated == text


def test_no_resource_hides_an_attribute_of_a_client() -> None:
    """Every attribute of a client is a resource, or a name that no tag can have."""
    names = {
        name for client in (Client, AsyncClient) for name in dir(client) if not name.startswith("_")
    }
    assert names - resources(parse(DESCRIPTION.read_text("utf-8"))).keys() == ATTRIBUTES


def test_a_vanished_attribute_stops_the_generator(tmp_path: Path) -> None:
    """If a new version of the generator renames an attribute that a template reads, generation
    fails and names it."""
    template = repository(tmp_path, small()) / "generator-templates" / "model.py.jinja"
    template.write_text(
        template.read_text("utf-8").replace("model.description", "model.text"), "utf-8"
    )
    (line,) = refused(tmp_path)
    assert "has no attribute 'text'" in line
