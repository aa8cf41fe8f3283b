"""Tools that take the place of the service for a default client: respx, pytest-httpx and vcrpy."""

from pathlib import Path

import pytest
import respx
import vcr
from pytest_httpx import HTTPXMock, httpx_mock

from cometchat_rest import NotFoundError, WordListInput
from cometchat_testing import Simulator

from ..described_calls import plain
from ..support import (
    DELETE,
    GET,
    KEY,
    LIST_ID,
    OPERATIONS,
    AnyClient,
    Operation,
    error_from,
    operation_name,
)

SERVICE = {"app_id": "abc", "region": "eu", "api_key": KEY, "max_retries": 0}
BASE_URL = "https://abc.api-eu.cometchat.io/v3"

__all__ = ["httpx_mock"]  # the fixture; no test loads the plugins of other tests


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_respx_answers_the_calls(any_client: AnyClient, operation: Operation) -> None:
    """A route of respx gives the response of a call, and the call does not reach the network."""
    with respx.mock() as mock:
        route = mock.request(operation.method, f"{BASE_URL}{operation.path}").respond(
            operation.status, content=operation.body
        )
        any_client.call(operation.act, any_client.client(**SERVICE))
    assert route.call_count == 1
    assert route.calls.last.request.headers["apikey"] == KEY


def test_respx_refuses_what_no_route_expects(any_client: AnyClient) -> None:
    """A call that no route of respx expects does not reach the network, and the assertion of
    respx fails the test."""
    with respx.mock() as mock:
        mock.get(f"{BASE_URL}/roles").respond(404, json={"error": {"code": "ERR_X"}})
        client = any_client.client(**SERVICE)
        assert isinstance(
            error_from(any_client, lambda chat: chat.roles.list(), client), NotFoundError
        )
        assert isinstance(error_from(any_client, DELETE.act, client), AssertionError)


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_pytest_httpx_answers_the_calls(
    any_client: AnyClient, httpx_mock: HTTPXMock, operation: Operation
) -> None:
    """A response of pytest-httpx is the response of a call, and the call does not reach the
    network."""
    httpx_mock.add_response(
        operation.status,
        method=operation.method,
        url=f"{BASE_URL}{operation.path}",
        content=operation.body,
    )
    any_client.call(operation.act, any_client.client(**SERVICE))
    (request,) = httpx_mock.get_requests()
    assert request.headers["apikey"] == KEY


def test_large_upload_is_seen_by_the_tools(any_client: AnyClient, httpx_mock: HTTPXMock) -> None:
    """A tool can read the form of a large upload."""
    content = b"word\n" * 100_000
    httpx_mock.add_response(method="PUT", json=GET.success)
    any_client.call(
        lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=content)),
        any_client.client(**SERVICE),
    )
    (request,) = httpx_mock.get_requests()
    assert content in request.read()
    assert int(request.headers["content-length"]) == len(request.read())


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_vcrpy_records_and_replays_the_calls(
    any_client: AnyClient, simulator: Simulator, tmp_path: Path, operation: Operation
) -> None:
    """vcrpy records a call, and gives the same response again without the service."""
    recorder = vcr.VCR(
        cassette_library_dir=str(tmp_path), filter_headers=["apikey"], record_mode=vcr.mode.ONCE
    )
    with recorder.use_cassette("calls.yaml"):
        recorded = plain(any_client.call(operation.act, any_client.client()))
    with recorder.use_cassette("calls.yaml"):
        assert plain(any_client.call(operation.act, any_client.client())) == recorded
    assert len(simulator.requests) == 1
