"""The service with the simulator instead of the real chat service."""

import pytest
from fastapi.testclient import TestClient
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from moderation_service import app


@pytest.fixture
def service(cometchat_simulator, monkeypatch):
    """The running service, connected to the simulator."""
    monkeypatch.setenv("COMETCHAT_BASE_URL", cometchat_simulator.base_url)
    monkeypatch.setenv("COMETCHAT_API_KEY", cometchat_simulator.api_key)
    with TestClient(app) as service:
        yield service


def test_list_is_shown(service):
    """A list has the fields of the chat service."""
    found = service.get("/lists/profanity-list").json()
    assert (found["name"], found["isCSV"]) == ("Profanity", False)


def test_api_is_described(service):
    """The description of the service contains the fields of the chat service."""
    schemas = service.get("/openapi.json").json()["components"]["schemas"]
    assert schemas["KeywordList"]["properties"]["isCSV"]["type"] == "boolean"


def test_unknown_list(service):
    """The error for an unknown list is an object."""
    response = service.get("/lists/other")
    assert response.status_code == 404
    assert response.json()["type"] == "NotFoundError"


def test_entries_are_changed(service, cometchat_simulator):
    """Entries are added and removed; the other entries stay."""
    before = cometchat_simulator.keyword_lists["profanity-list"]["searchTerms"]
    response = service.post(
        "/lists/profanity-list/changes", json={"add": ["phishing"], "remove": ["spam"]}
    )
    assert response.json()["matches"] is True
    after = cometchat_simulator.keyword_lists["profanity-list"]["searchTerms"]
    assert set(after) == {*before, "phishing"} - {"spam"}


def test_every_role_is_shown(service, cometchat_simulator):
    """All pages of roles are read."""
    assert service.get("/roles").json() == cometchat_simulator.roles


def test_tokens_are_revoked(service, cometchat_simulator):
    """The tokens of the request are revoked, and the response does not repeat them."""
    first, second, *others = cometchat_simulator.auth_tokens["alice"]
    response = service.post("/users/alice/log-out", json=[first, second, "gone"])
    assert [each["outcome"] for each in response.json()] == ["revoked", "revoked", "not_found"]
    assert cometchat_simulator.auth_tokens["alice"] == others
    assert first not in response.text


def test_calls_are_traced(service, cometchat_simulator):
    """Each request to the chat service is a span, also if it is repeated, and no span shows a
    token."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    cometchat_simulator.fail("delete_auth_token", status=429, headers={"Retry-After": "0"})
    token = cometchat_simulator.auth_tokens["alice"][0]
    service.post("/users/alice/log-out", json=[token])
    # FastAPI may make spans too.
    spans = [
        span
        for span in exporter.get_finished_spans()
        if span.instrumentation_scope.name == "moderation_service"
    ]
    assert [span.name for span in spans] == ["DELETE /users/{uid}/auth_tokens/{auth_token}"] * 2
    assert [span.attributes["http.response.status_code"] for span in spans] == [429, 200]
    assert token not in "".join(span.to_json() for span in spans)
