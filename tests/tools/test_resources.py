"""The methods that follow from a description, and the faults of a description that has none."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from cometchat_rest import AsyncClient, Client
from tools.description import ROOT, found_at
from tools.resources import ATTRIBUTES, faults, resources

Change: TypeAlias = Callable[[Any], object]


def operation(name: str, tag: str = "Chat Users", **more: Any) -> dict[str, Any]:
    response = {"description": "x", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/One"}}}}
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


USERS: Any = "#/paths/~1users/get"


def users(**more: Any) -> Change:
    return lambda document: found_at(document, USERS).update(more)


def body(*kinds: str) -> dict[str, Any]:
    return {"content": {kind: {"schema": {"type": "object"}} for kind in kinds}}


#: Faults of the description, and the line for each.
FAULTS: dict[str, tuple[Change, str]] = {
    "the same method twice": (
        lambda d: d["paths"]["/ban"]["post"].update(operationId="listChatUser"),
        "POST /ban: the method list of the tag Chat Users is also the method of GET /users; change one operationId",
    ),
    "a tag that is no name": (
        users(tags=["1st"]),
        "GET /users: the tag '1st' is no Python name; give the operation a tag such as Roles",
    ),
    "a tag that is a keyword": (
        users(tags=["Import"]),
        "GET /users: the tag 'Import' is no Python name; give the operation a tag such as Roles",
    ),
    "a tag that is taken": (
        users(tags=["Rate Limit"]),
        "GET /users: the tag 'Rate Limit' is taken; give the operation a tag such as Roles",
    ),
    "no tag": (users(tags=[]), "GET /users: no tag; give the operation a tag such as Roles"),
    "no operationId": (users(operationId=None), "GET /users: no operationId; add it"),
    "a path above the address of the service": (
        lambda d: d["paths"].update({"/../ban": d["paths"].pop("/ban")}),
        "POST /../ban: the path must begin with one slash, and have no empty segment, no '.' or '..' and no query",
    ),
    "a name in the path without a parameter": (
        lambda d: d["paths"].update({"/ban/{uid}": d["paths"].pop("/ban")}),
        "POST /ban/{uid}: the names in the path and the parameters in: path are not the same; describe each name once",
    ),
    "a method that is no name": (
        users(**{"x-method": "1st"}),
        "GET /users: the method '1st' is no Python name; change the operationId, or x-method",
    ),
    "a page without a size": (
        users(parameters=[query("page")]),
        "GET /users: the parameter page without perPage; describe both, or give page another name",
    ),
    "two kinds of body": (
        users(requestBody=body("multipart/form-data", "application/json")),
        "GET /users: the body has the media types multipart/form-data, application/json; describe only one of them",
    ),
    "a cookie": (
        users(parameters=[query("session", **{"in": "cookie"})]),
        "GET /users: the parameter session is in a cookie, and the client sends no cookies; remove it",
    ),
    "a secret outside of the path": (
        users(parameters=[query("code", **{"x-secret": True})]),
        "GET /users: the parameter code is a secret outside of the path, and only the path hides one; remove x-secret",
    ),
    "a notation": (
        users(parameters=[query("filter", style="deepObject")]),
        "GET /users: the parameter filter has a notation that the client cannot write; use style: form",
    ),
    "an array in one text": (
        users(parameters=[query("tags", schema={"type": "array"}, explode=False)]),
        "GET /users: the parameter tags is an array in one text; describe it as a string",
    ),
    "a schema with the name of a resource": (
        lambda d: d["components"]["schemas"].update(ChatUsers={}),
        "/components/schemas/ChatUsers: a tag or the client has a class of this name; rename the schema",
    ),
}


@pytest.mark.parametrize(("change", "line"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_one_line_with_its_place(change: Change, line: str) -> None:
    """A description without a method for each operation is refused with the place and the next step."""
    document = small()
    assert list(faults(document)) == []
    change(document)
    assert list(faults(document)) == [line]


def test_all_faults_are_reported_before_anything_is_written(tmp_path: Path) -> None:
    """`make generate` prints every fault of a description at once, and writes nothing."""
    for name in ("tools", "generator-templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "generator-config.yaml", tmp_path)
    document = small()
    users(tags=[])(document)
    document["paths"]["/ban"]["post"]["requestBody"] = body("application/json", "text/csv")
    (tmp_path / "openapi.yaml").write_text(yaml.safe_dump(document), "utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, tmp_path / "tools" / "generate.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 2)
    assert all(line.startswith("openapi.yaml: ") for line in done.stderr.splitlines())
    assert not (tmp_path / "generated").exists()


def test_a_vanished_attribute_stops_the_generator(tmp_path: Path) -> None:
    """If a new version of the generator renames an attribute that a template reads, generation fails and names it."""
    for name in ("tools", "generator-templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("generator-config.yaml", "openapi.yaml"):
        shutil.copy(ROOT / name, tmp_path)
    template = tmp_path / "generator-templates" / "model.py.jinja"
    template.write_text(template.read_text("utf-8").replace("model.is_multipart_body", "model.is_form"), "utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, tmp_path / "tools" / "generate.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "has no attribute 'is_form'" in done.stderr
    assert not (tmp_path / "generated").exists()


def test_no_resource_hides_an_attribute_of_a_client() -> None:
    """Every attribute of a client is a resource, or a name that no tag can have."""
    names = {name for client in (Client, AsyncClient) for name in dir(client) if not name.startswith("_")}
    document = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    assert names - resources(document).keys() == ATTRIBUTES


#: Operations, the tag of each, and the name of the method.
NAMES = [
    ("getChatUser", "Chat Users", "get"),
    ("listChatUsers", "Chat Users", "list"),
    ("listCategories", "Category", "list"),
    ("banUser", "Chat Users", "ban_user"),
    ("import", "Chat Users", "import_"),
    ("importChatUsers", "Chat Users", "import_"),
]


@pytest.mark.parametrize(("name", "tag", "method"), NAMES)
def test_name_of_a_method(name: str, tag: str, method: str) -> None:
    """A method has the verb of its operation if the rest names the tag, and else the whole name."""
    document = {**small(), "paths": {"/x": {"get": operation(name, tag)}}}
    (resource,) = resources(document).values()
    assert [each.name for each in resource.methods.values()] == [method]


#: Descriptions of a deprecated operation, and the text of its warning.
DEPRECATED = [
    ("Lists users. Deprecated: use the search instead.", "use the search instead."),
    ("Lists users. This operation is deprecated. Use the search instead.", "Use the search instead."),
    ("Lists users. This operation is deprecated.", "This operation is deprecated."),
    ("Lists users.", "Lists users."),
]


@pytest.mark.parametrize(("description", "text"), DEPRECATED)
def test_text_about_a_deprecated_method(description: str, text: str) -> None:
    """A deprecated method says what replaces it, in the words of the description."""
    document = small()
    users(description=description, deprecated=True)(document)
    assert resources(document)["chat_users"].methods["list_chat_users"].deprecated == text
