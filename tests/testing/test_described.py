"""Operations and parameters that the description has and the simulator has no code for."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

import cometchat_testing
from cometchat_testing.conformance import openapi
from cometchat_testing.yaml_files import read_yaml

from .service_calls import LIST, TERMS, WORD, code, form

PACKAGE = Path(cometchat_testing.__file__).parent
STRING = {"type": "string", "minLength": 1}
ZOE = {"data": {"uid": "zoe"}}


def operation(name: str, status: str = "200", **more: Any) -> dict[str, Any]:
    content = {"application/json": {"example": ZOE}}
    return {
        "operationId": name,
        "responses": {status: {"description": "Yes.", "content": content}},
        **more,
    }


FIELDS = {
    "uid": STRING,
    "site": {"format": "uri"},
    "picture": {"type": "string", "format": "binary"},
}
USER = {"schema": {"type": "object", "required": ["uid"], "properties": FIELDS}}
BODY = dict.fromkeys(
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"], USER
)
UID = {"name": "uid", "in": "path", "required": True, "schema": {"maxLength": 5}}
NEW_PATHS = {
    "/users": {
        "get": operation(
            "listUsers",
            parameters=[
                {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 9}},
                {
                    "name": "since",
                    "in": "query",
                    "schema": {"type": "string", "format": "date-time"},
                },
                {"name": "site", "in": "query", "schema": {"type": "string", "format": "uri"}},
                {"name": "X-Size", "in": "header", "schema": {"type": "integer"}},
            ],
        ),
        "post": operation("createUser", "2XX", requestBody={"required": True, "content": BODY}),
    },
    "/users/{uid}": {"get": operation("getUser", parameters=[UID])},
}

NEW_PARAMETERS = [
    {"name": "searchKey", "in": "query", "schema": {"type": "string", "minLength": 2}},
    {"name": "offset", "in": "query", "schema": {"type": ["integer", "null"], "minimum": 0}},
    {"name": "ids", "in": "query", "schema": {"type": "array", "items": STRING}},
    {"name": "all", "in": "query", "schema": {"type": "boolean", "enum": [False]}},
    {"name": "X-Size", "in": "header", "schema": {"type": "integer"}},
]
NEW_FIELDS = {
    "note": STRING,
    "rank": {"type": "integer"},
    "labels": {"type": "array", "items": STRING},
    "picture": {"type": "string", "format": "binary"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A simulator whose description has further operations."""
    folder = tmp_path_factory.mktemp("described")
    package = folder / "cometchat_testing"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    description = read_yaml(openapi())
    description["paths"] |= NEW_PATHS
    description["paths"]["/roles"]["get"]["parameters"] += NEW_PARAMETERS
    description["components"]["schemas"]["KeywordListForm"]["properties"] |= NEW_FIELDS
    (package / "openapi.yaml").write_text(yaml.safe_dump(description), "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [
        sys.executable,
        "-m",
        "cometchat_testing",
        "--port",
        "0",
        "--fault",
        "list_users",
        "status=503",
    ]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        url, key = (process.stdout.readline().split()[-1] for _ in range(2))
        with httpx.Client(
            base_url=url, headers={"apikey": key}, trust_env=False, timeout=10
        ) as client:
            # A fault can name the operation. It ends here, so that no test depends on the order of
            # the tests.
            assert client.get("/users").status_code == 503
            yield client
        process.kill()


def test_new_operation_is_checked_and_answered(service: httpx.Client) -> None:
    """The simulator checks path, query and body against the description, and returns the example
    of the response."""
    assert (
        service.get("/users?limit=9&since=2026-01-31T12:00:00Z&site=https://zoe.example").json()
        == ZOE
    )
    created = service.post("/users", json={"uid": "zoe", "site": 5})
    assert (created.status_code, created.json()) == (200, ZOE)
    files: Any = {"uid": (None, "zoe"), "picture": ("p.png", b"\xff")}
    assert service.post("/users", files=files).json() == ZOE
    assert service.get("/users/zoe").json() == ZOE
    assert code(service.patch("/users")) == (405, "ERR_API_NOT_FOUND")
    # The deletion of a user is not described, so no response advertises it.
    assert service.patch("/users/zoe").headers["allow"] == "GET"


def test_new_parameter_is_checked_and_ignored(service: httpx.Client) -> None:
    """A new optional parameter or field of any operation is checked against its schema, and has
    no other effect."""
    fields = form(WORD, TERMS, ("note", "n"), ("rank", "1"), ("labels", "a"), ("labels", "b"))
    fields.append(("picture", ("p.png", b"\xff")))
    roles = service.get("/roles").json()
    query = "/roles?searchKey=mo&offset=0&ids=a&ids=b&all=false"
    assert service.get(query, headers={"X-Size": "3"}).json() == roles
    assert service.put(LIST, files=fields).json()["data"]["searchTerms"] == ["a", "b"]


@pytest.mark.parametrize(
    ("method", "path", "options", "wrong"),
    [
        ("GET", "/users?limit=10", {}, "limit"),
        ("GET", "/users?limit=1&limit=2", {}, "limit"),
        ("GET", "/users?page=1", {}, "page"),
        ("GET", "/users?since=soon", {}, "since"),
        ("GET", "/users?since=2026-02-31T12:00:00Z", {}, "since"),
        ("GET", "/users?site=zoe", {}, "site"),
        ("GET", "/users", {"headers": {"X-Size": "many"}}, "X-Size"),
        ("GET", "/users/somebody", {}, "uid"),
        ("POST", "/users", {}, "body"),
        ("POST", "/users", {"json": {}}, "uid"),
        ("POST", "/users", {"json": {"uid": ""}}, "uid"),
        ("POST", "/users", {"files": {"uid": (None, "")}}, "uid"),
        ("POST", "/users", {"files": {"uid": (None, b"\xff")}}, "uid"),
        ("POST", "/users", {"data": {"uid": ""}}, "uid"),
        (
            "POST",
            "/users",
            {"content": b"{", "headers": {"Content-Type": "application/json"}},
            "body",
        ),
        ("GET", "/roles?ids=a&ids=", {}, "ids"),
        ("PUT", LIST, {"files": form(WORD, TERMS, ("rank", "high"))}, "rank"),
    ],
)
def test_wrong_request_is_refused(
    service: httpx.Client, method: str, path: str, options: Any, wrong: str
) -> None:
    """A request that does not match the description is refused, and the error names the fault."""
    refused = service.request(method, path, **options)
    assert code(refused) == (400, "ERR_BAD_REQUEST")
    assert list(refused.json()["error"]["details"]) == [wrong]
