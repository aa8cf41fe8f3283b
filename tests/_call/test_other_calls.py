"""`request`: calls that openapi.yaml does not describe, under the same rules; and query parameters that it lacks."""

from typing import Any

import pytest

from cometchat_rest import CometChatError, InvalidRequestError, NotFoundError
from cometchat_rest.testing import Simulator

from ..conftest import AnyClient
from ..support import TOKEN, error_from

TOKEN_PATH = "/users/{uid}/auth_tokens/{token}"


def test_response_has_status_headers_and_json(any_client: AnyClient, simulator: Simulator) -> None:
    """A response to any call has its status, its headers and its JSON."""
    response = any_client.call(lambda chat: chat.request("GET", "/moderation/reviewed-messages", query={"limit": "2"}))
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.parsed["data"] == simulator.reviewed_messages[:2]
    assert simulator.requests[-1].query == "limit=2"


@pytest.mark.parametrize(
    ("body", "content_type", "sent"),
    [
        ({"json": {"name": "Ünï"}}, "application/json", '{"name": "Ünï"}'.encode()),
        (
            {"form": {"name": "a b", "on": [True, 1], "off": None}},
            "application/x-www-form-urlencoded",
            b"name=a+b&on=true&on=1",
        ),
        ({}, None, b""),
    ],
    ids=["json", "form", "none"],
)
def test_bodies(
    any_client: AnyClient, simulator: Simulator, body: dict[str, Any], content_type: str | None, sent: bytes
) -> None:
    """A body is sent as JSON or as a URL-encoded form, and an empty response is read as `None`."""
    simulator.fail(status=204)
    response = any_client.call(lambda chat: chat.request("POST", "/groups", **body))
    (request,) = simulator.requests
    assert (request.method, request.path, request.body) == ("POST", "/v3/groups", sent)
    assert request.header("content-type") == content_type
    assert response.parsed is None


@pytest.mark.parametrize("value", ["", ".", "..", "a/b", "%2e%2e", "a\\b", " "])
def test_values_stay_one_segment(any_client: AnyClient, simulator: Simulator, value: str) -> None:
    """A value that is not exactly one segment of the path is refused, so that no other path can be reached."""
    values = {"uid": "alice", "token": value}
    error = error_from(
        any_client, lambda chat: chat.request("DELETE", TOKEN_PATH, path_values=values), any_client.client()
    )
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, simulator.requests) == ("token", [])


@pytest.mark.parametrize(
    "path",
    [
        *(
            "roles",
            "",
            "/",
            "//example.com/x",
            "/roles/",
            "/users//x",
            "/../v2/roles",
            "/./roles",
            "/roles?x=1",
            "/a b",
            5,
        ),
        *("https://example.com/v3/roles", "/roles#x", "/users/%2e%2e", "/v3/roles"),
    ],
)
def test_path_that_leaves_the_base_url(any_client: AnyClient, simulator: Simulator, path: Any) -> None:
    """A path that is not plainly below the base URL is refused before anything is sent."""
    error = error_from(any_client, lambda chat: chat.request("GET", path), any_client.client())
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, simulator.requests) == ("path", [])


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (("HEAD", "/roles", {}), "method"),
        (("get", "/roles", {}), "method"),
        (("GET", "/users/{uid}", {}), "path_values"),
        (("GET", "/roles", {"path_values": {"uid": "alice"}}), "path_values"),
        (("GET", "/roles", {"query": ["page"]}), "query"),
        (("GET", "/roles", {"query": {"page": {}}}), "query"),
        (("GET", "/roles", {"query": {"page": [1, None]}}), "query"),
        (("POST", "/roles", {"json": {}, "form": {}}), "form"),
        (("POST", "/roles", {"form": "a=1"}), "form"),
        (("POST", "/roles", {"form": {"a": object()}}), "form"),
        (("POST", "/roles", {"json": {"a": object()}}), "json"),
        (("POST", "/roles", {"json": [float("nan")]}), "json"),
    ],
)
def test_invalid_arguments(any_client: AnyClient, simulator: Simulator, arguments: Any, argument: str) -> None:
    """An invalid argument is refused before anything is sent, and the error names it."""
    method, path, options = arguments
    error = error_from(any_client, lambda chat: chat.request(method, path, **options), any_client.client())
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, simulator.requests) == (argument, [])


def test_errors_hide_all_values(any_client: AnyClient, simulator: Simulator) -> None:
    """An error shows the template of the path and no value, although the service repeats the value."""
    values = {"uid": "alice", "token": f"{TOKEN}x"}
    error = error_from(
        any_client, lambda chat: chat.request("DELETE", TOKEN_PATH, path_values=values), any_client.client()
    )
    assert isinstance(error, NotFoundError)
    assert error.operation == f"DELETE {TOKEN_PATH}"
    assert TOKEN not in f"{error} {error.to_dict()} {error.body}"
    assert simulator.damage == []


@pytest.mark.parametrize(("method", "attempts"), [("GET", 3), ("POST", 1), ("PATCH", 1), ("DELETE", 1)])
def test_only_a_get_is_retried(any_client: AnyClient, simulator: Simulator, method: str, attempts: int) -> None:
    """After a response that does not prove anything, only a GET is sent again; for others the outcome is unknown."""
    simulator.fail(status=503, headers={"Retry-After": "0"}, times=None)
    error = error_from(any_client, lambda chat: chat.request(method, "/roles"), any_client.client())
    assert isinstance(error, CometChatError)
    assert (error.attempts, error.outcome_unknown) == (attempts, method != "GET")
    assert len(simulator.requests) == attempts


def test_further_query_parameters(any_client: AnyClient, simulator: Simulator) -> None:
    """`with_options(query=...)` adds parameters to typed calls; an argument of the call takes precedence."""
    simulator.fail("list_roles", body={"data": [], "meta": {"pagination": {}}}, times=None)
    client = any_client.client()
    child = client.with_options(query={"sortBy": "name", "page": 7, "on": True})
    any_client.call(lambda chat: chat.roles.list(page=2), child)
    any_client.call(lambda chat: chat.roles.list(), child)
    any_client.call(lambda chat: chat.roles.list(), client)
    any_client.call(lambda chat: chat.roles.list(), child.with_options(query={"page": None, "on": [False, 1]}))
    queries = [request.query for request in simulator.requests]
    assert queries == ["sortBy=name&page=2&on=true", "sortBy=name&page=7&on=true", "", "sortBy=name&on=false&on=1"]
    assert "query=['on', 'page', 'sortBy']" in repr(child)
