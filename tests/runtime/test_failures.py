"""Errors of the service: all their fields, and bounded texts and samples of the body."""

import json

import pytest

from cometchat_testing import Simulator

from ..support import (
    DELETE,
    GET,
    OPERATIONS,
    TOKEN,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)
from .error_checks import LONG, SAMPLE_SIZE, VALID_ERROR, check_error


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_error_has_every_field_of_the_response(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """An error has every field of the response: code, texts, details, headers, rate limit and
    body."""
    simulator.fail(
        status=422,
        body={"error": VALID_ERROR},
        headers={"X-Rate-Limit-Remaining": "7", "X-Odd": "yes"},
    )
    error = check_error(error_from(any_client, operation.act, any_client.client()), operation, 422)
    assert (error.code, error.message) == (VALID_ERROR["code"], VALID_ERROR["message"])
    assert (error.dev_message, error.source) == (VALID_ERROR["devMessage"], VALID_ERROR["source"])
    assert error.details == VALID_ERROR["details"]
    assert error.headers["x-odd"] == "yes"
    assert error.rate_limit.remaining == 7
    assert json.loads(error.body) == {"error": VALID_ERROR}
    text = "ERR_SOMETHING: Something is not as it should be: name: is too long, is odd"
    assert str(error) == f"{operation.name}: the response has status 422: {text}"


def test_missing_fields_of_an_error_are_none(any_client: AnyClient, simulator: Simulator) -> None:
    """A field that is missing in the response is None or empty, and never a missing attribute."""
    simulator.fail(status=404, body=b"")
    error = check_error(error_from(any_client, GET.act, any_client.client()), GET, 404)
    assert (error.code, error.message, error.dev_message, error.source) == (None, None, None, None)
    assert (error.details, error.body) == ({}, "")


#: The reason in each body that is not that of `openapi.yaml`.
REASONS: list[tuple[bytes, str]] = [
    (b'{"message": "No such app."}', "No such app."),
    (b'{"statusCode": 400, "message": ["a is odd", "b"], "error": "Bad Request"}', "a is odd, b"),
    (b'{"error": "no such app"}', "no such app"),
    (b'{"error": {"message": ["a", "b"]}}', "a, b"),
    (b'{"errors": [{"message": "a"}, {"code": 5}, {"detail": "b"}]}', "a, b"),
    (b'{"detail": [{"loc": ["body", "role"], "msg": "Field required"}]}', "Field required"),
    (b'{"Message": "User is not authorized"}', "User is not authorized"),
    (b'{"fault": {"faultstring": "Rate limit exceeded"}}', "Rate limit exceeded"),
    (b'{"error": true, "msg": "No such app"}', "No such app"),
    (b'{"status": "error", "reason": "The app is off"}', "The app is off"),
    (b'{"type": "about:blank", "title": "Forbidden", "detail": "Not from here"}', "Not from here"),
    (b'["a", "b"]', "a, b"),
    (b'"no"', "no"),
    ('{"message": "Größe"}'.encode("latin-1"), "Gr\ufffd\ufffde"),
    (b"<!DOCTYPE html>\n<html><head><TITLE lang=en>\n Access\n denied </title>", "Access denied"),
    (b"\xef\xbb\xbf<html><h1>Smith &amp; Sons</h1>", "Smith & Sons"),
    (b"<?xml version='1.0'?><Error><Code>X</Code><Message>Denied</Message></Error>", "Denied"),
    (b"\r\nupstream\tconnect error\r\nreset", "upstream connect error"),
    # The first title that has words counts, without its tags.
    (b"<title> </title><h1>Blocked by <b>WAF</b></h1>", "Blocked by WAF"),
    (b"<h1>Error <b>502</b> Bad gateway</h1>", "Error 502 Bad gateway"),
    (b"<html><style>" + b"x{}" * 9999 + b"</style><title>Denied</title>", "Denied"),
    (b'{"errorMessage": "Task timed out", "errorType": "E"}', "Task timed out"),
    (b'{"error": {}, "message": "Denied"}', "Denied"),
]


@pytest.mark.parametrize(("body", "reason"), REASONS, ids=str)
def test_reason_of_any_body(any_client: AnyClient, body: bytes, reason: str) -> None:
    """The text of an error has the reason that the body of a refusal gives, whatever its shape, as
    the text of a success that is none does. Only an error of the service has a message."""
    stub = StubTransport(always_respond(400, body))
    error = check_error(error_from(any_client, GET.act, stub_client(any_client, stub)), GET, 400)
    text = reason.removesuffix(".")
    assert str(error) == f"get_keyword_list: the response has status 400: {text}"
    assert error.message is None
    stub = StubTransport(always_respond(200, body))
    error = check_error(error_from(any_client, GET.act, stub_client(any_client, stub)), GET, 200)
    assert str(error).endswith(f": {text}")


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"{}", b'{"data": {"message": "hi"}}', b'{"data": {"id": "x', b"\x1f\x8b\x08\0"],
)
def test_body_without_a_reason(any_client: AnyClient, body: bytes) -> None:
    """Neither data, nor JSON that was cut off, nor bytes that are no text count as a reason."""
    stub = StubTransport(always_respond(400, body))
    error = check_error(error_from(any_client, GET.act, stub_client(any_client, stub)), GET, 400)
    assert error.message is None
    assert str(error) == "get_keyword_list: the response has status 400"


LONG_RESPONSES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "target": (302, {"location": "https://elsewhere.example/" + "y" * LONG}, b""),
    "details": (400, {}, json.dumps({"error": {"details": {"name": ["z" * 100] * 99}}}).encode()),
    "message": (
        404,
        {},
        json.dumps({"error": {"code": "C" * LONG, "message": "M" * LONG}}).encode(),
    ),
}


@pytest.mark.parametrize(("status", "headers", "body"), LONG_RESPONSES.values(), ids=LONG_RESPONSES)
def test_text_of_an_error_is_short(
    any_client: AnyClient, status: int, headers: dict[str, str], body: bytes
) -> None:
    """The text of an error shows only the beginning of a long response, and that there is more."""
    client = stub_client(any_client, StubTransport(always_respond(status, body, headers)))
    error = check_error(error_from(any_client, GET.act, client), GET, status)
    assert "..." in str(error)
    assert len(str(error)) < 1500


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("shown", [1, 7])
def test_secret_at_the_end_of_the_sample_is_hidden(
    any_client: AnyClient, status: int, shown: int
) -> None:
    """If the sample of a body ends in the middle of a token, no part of the token is shown."""
    before = "x" * (SAMPLE_SIZE - shown)
    stub = StubTransport(always_respond(status, f"{before}{TOKEN}{'y' * SAMPLE_SIZE}".encode()))
    error = check_error(
        error_from(any_client, DELETE.act, stub_client(any_client, stub)), DELETE, status
    )
    assert error.body == before + "[redacted]"[:shown]
