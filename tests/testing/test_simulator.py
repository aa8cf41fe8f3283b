"""The simulator behaves as documented. These tests use real loopback HTTP and httpx, not the client of this project."""

from __future__ import annotations

import asyncio
import http.client
import importlib
import inspect
import json
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn

from cometchat_rest.testing import ConnectionCutError, Simulator
from cometchat_rest.testing.faults import Cut
from cometchat_rest.testing.rates import RateLimit
from cometchat_rest.testing.records import ReviewedMessageRecord

if TYPE_CHECKING:
    from ..conftest import Start

LIST = "/moderation/keywords/profanity-list"
SENTENCES = "/moderation/keywords/threat-sentences"
MESSAGES = "/moderation/reviewed-messages"

# Created once: nothing here is encrypted, and creating a context takes longer than a test.
TLS = ssl.create_default_context()

Form = list[tuple[str, tuple[str | None, bytes]]]


@pytest.fixture(scope="module")
def running() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def simulator(running: Simulator) -> Simulator:
    running.reset()
    return running


@pytest.fixture
def http_client(simulator: Simulator) -> Iterator[httpx.Client]:
    with client_of(simulator) as client:
        yield client


def client_of(simulator: Simulator) -> httpx.Client:
    headers = {"apikey": simulator.api_key}
    return httpx.Client(base_url=simulator.base_url, headers=headers, trust_env=False, verify=TLS, timeout=10)


def form(*fields: tuple[str, str | bytes], file: bytes | None = None) -> Form:
    parts: Form = [(name, (None, value.encode() if isinstance(value, str) else value)) for name, value in fields]
    return parts if file is None else [*parts, ("file", ("terms.csv", file))]


def raw(simulator: Simulator, method: str, target: str) -> tuple[int, dict[str, object]]:
    """Send `target` unchanged; httpx would normalize it."""
    address = urlsplit(simulator.base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    try:
        connection.request(method, target, headers={"apikey": simulator.api_key})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def received_bytes(simulator: Simulator, path: str) -> bytes:
    """All bytes that the simulator sends before it closes the connection."""
    address = urlsplit(simulator.base_url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(f"GET /v3{path} HTTP/1.1\r\nHost: x\r\napikey: {simulator.api_key}\r\n\r\n".encode())
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


# Keyword lists


def test_keyword_list_is_found_by_its_id(http_client: httpx.Client) -> None:
    """The response contains the keyword list under `data`, with the fields of section 2.1."""
    record = http_client.get(LIST).json()["data"]
    assert record["id"] == "profanity-list"
    assert record["category"] == "word"
    assert record["isCSV"] is False
    assert record["active"] is True
    assert "spam" in record["searchTerms"]
    assert re.fullmatch("[0-9a-f]{16}_profanity-list_[0-9]+", record["revisionId"])
    assert isinstance(record["createdAt"], int)
    assert isinstance(record["updatedAt"], int)


def test_initial_lists_cover_every_kind(simulator: Simulator) -> None:
    """There is a list of each category, a default list, and a CSV list whose terms keep their quotes."""
    lists = simulator.keyword_lists.values()
    assert {record["category"] for record in lists} == {"word", "pattern", "sentence-similarity"}
    assert [record["id"] for record in lists if record.get("default") is True] == ["default-profanity"]
    imported = simulator.keyword_lists["imported-phrases"]
    assert imported["isCSV"] is True
    assert '"buy now, pay later"' in str(imported["searchTerms"])


@pytest.mark.parametrize(
    "list_id", ["nope", "profanity-list%2Fx", "..%2Froles", "%FF", "%2570", "a%20b", "PROFANITY-LIST"]
)
def test_unknown_list_is_not_found(simulator: Simulator, list_id: str) -> None:
    """An unknown list id gets 404, whatever its characters are; an encoded slash is part of the id."""
    for method in ("GET", "PUT"):
        status, body = raw(simulator, method, f"/v3/moderation/keywords/{list_id}")
        assert (status, body["error"]["code"]) == (404, "ERR_KEYWORD_NOT_FOUND")  # type: ignore[index]
    assert [request.operation for request in simulator.requests] == [
        "get_keyword_list",
        "update_keyword_list",
    ]


def test_path_parameters_are_decoded_once(simulator: Simulator) -> None:
    """A percent-encoded id is decoded exactly once."""
    simulator.keyword_lists["50%/ü"] = {"id": "50%/ü"}
    assert raw(simulator, "GET", "/v3/moderation/keywords/50%25%2F%C3%BC") == (200, {"data": {"id": "50%/ü"}})
    assert raw(simulator, "GET", "/v3/moderation/keywords/50%2525%252F%25C3%25BC")[0] == 404


@pytest.mark.parametrize("category", ["word", "pattern"])
def test_terms_are_replaced(http_client: httpx.Client, category: str) -> None:
    """An update splits the terms at commas and replaces the old terms; name and description are kept."""
    before = http_client.get(LIST).json()["data"]
    response = http_client.put(LIST, files=form(("category", category), ("searchTerms", 'ein,zwei drei,バカ,"q"')))
    after = response.json()["data"]
    assert response.status_code == 200
    assert after["searchTerms"] == ["ein", "zwei drei", "バカ", '"q"']
    assert after["category"] == category
    assert after["isCSV"] is False
    assert (after["name"], after["description"]) == (before["name"], before["description"])
    assert http_client.get(LIST).json()["data"] == after


def test_every_update_changes_time_and_revision(http_client: httpx.Client) -> None:
    """Each update increases `updatedAt` and the number in `revisionId`, even within the same second."""
    records = [http_client.get(LIST).json()["data"]]
    for _ in range(3):
        response = http_client.put(LIST, files=form(("category", "word"), ("searchTerms", "a")))
        records.append(response.json()["data"])
    times = [record["updatedAt"] for record in records]
    assert times == sorted(set(times))
    stems, numbers = zip(*(record["revisionId"].rsplit("_", 1) for record in records), strict=True)
    assert len(set(stems)) == 1
    assert [int(number) for number in numbers] == [1, 2, 3, 4]
    assert len({record["createdAt"] for record in records}) == 1


def test_name_and_description_are_stored(http_client: httpx.Client) -> None:
    """The form may contain a name, a description and the id of the list."""
    fields = form(
        ("id", "profanity-list"),
        ("name", "Neu"),
        ("description", "ü" * 255),
        ("category", "word"),
        ("searchTerms", "a"),
    )
    record = http_client.put(LIST, files=fields).json()["data"]
    assert (record["name"], record["description"]) == ("Neu", "ü" * 255)


def test_file_replaces_terms_of_the_form(http_client: httpx.Client) -> None:
    """Each line of a file is one term with its quotes; the list is a CSV list then, and other terms are ignored."""
    file = b'\xef\xbb\xbf"a, b"\r\n\r\nplain\nlast'
    for terms in ("", "ignored"):
        fields = form(("category", "word"), ("searchTerms", terms), file=file)
        record = http_client.put(LIST, files=fields).json()["data"]
        assert record["searchTerms"] == ['"a, b"', "plain", "last"]
        assert record["isCSV"] is True
    again = http_client.put(LIST, files=form(("category", "word"), ("searchTerms", "a"))).json()["data"]
    assert again["isCSV"] is False


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        (b'"two\nlines",x\nplain\n', ['"two\nlines",x', "plain"]),
        (b'"two\r\nlines"\r\nplain\r\n', ['"two\r\nlines"', "plain"]),
        (b'a,"b ""q"" \n\n c"\n"d\n"', ['a,"b ""q"" \n\n c"', '"d\n"']),
        # A quote inside a field, or without a closing quote, is an ordinary character.
        (b'5" wide\n6" wide\n', ['5" wide', '6" wide']),
        (b'"open\nplain', ['"open', "plain"]),
        (b'"closed" too early\nplain', ['"closed" too early', "plain"]),
        (b"\xe2\x80\xa8a\x0bb\rc\n", ["\u2028a\x0bb\rc"]),
    ],
)
def test_rows_of_a_file(http_client: httpx.Client, file: bytes, rows: list[str]) -> None:
    """Only a line feed ends a row, and a line feed inside a field in double quotes does not."""
    record = http_client.put(LIST, files=form(("category", "word"), ("searchTerms", ""), file=file)).json()["data"]
    assert record["searchTerms"] == rows


@pytest.fixture(scope="module")
def strict_service() -> Iterator[httpx.Client]:
    """A simulator with the limits of the vendor's pages, seen by an independent HTTP client."""
    with Simulator(vendor_limits=True) as simulator:
        headers = {"apikey": simulator.api_key}
        with httpx.Client(base_url=simulator.base_url, headers=headers, trust_env=False, timeout=10) as service:
            yield service


@pytest.mark.parametrize("pattern", ["a*", "a+?", "a{2,}", "(a|b)+", r"\\*", "[*]+", r"\[a*\]", "a{,}", "(?:a?)*", "*"])
def test_unbounded_patterns_are_refused(strict_service: httpx.Client, pattern: str) -> None:
    """With the vendor's limits, a pattern must not be unbounded, in the form and in a file; a word is any text."""
    terms = ("searchTerms", "a" if "," in pattern else pattern)
    for fields, wrong in (
        (form(("category", "pattern"), terms), "searchTerms"),
        (form(("category", "pattern"), ("searchTerms", ""), file=f'"{pattern}"'.encode()), "file"),
    ):
        response = strict_service.put(LIST, files=fields)
        if "," in pattern and wrong == "searchTerms":
            assert response.status_code == 200
            continue
        assert response.status_code == 400
        assert list(response.json()["error"]["details"]) == [wrong]
    assert strict_service.put(LIST, files=form(("category", "word"), terms)).status_code == 200


@pytest.mark.parametrize(
    ("fields", "file", "wrong"),
    [
        ([("searchTerms", "a," + "b" * 101)], None, "searchTerms"),
        ([("searchTerms", "")], b"b" * 101, "file"),
        ([("searchTerms", "a"), ("name", "n" * 101)], None, "name"),
        ([("searchTerms", "a"), ("description", "d" * 256)], None, "description"),
        ([("searchTerms", "a"), ("id", "profanity list")], None, "id"),
        ([("searchTerms", "a"), ("id", "i" * 101)], None, "id"),
    ],
)
def test_limits_of_the_vendor_apply_on_request(
    http_client: httpx.Client,
    strict_service: httpx.Client,
    fields: list[tuple[str, str]],
    file: bytes | None,
    wrong: str,
) -> None:
    """A simulator with `vendor_limits` refuses texts beyond the limits of the vendor's pages; without it, none."""
    sent = form(("category", "word"), *fields, file=file)
    response = strict_service.put(LIST, files=sent)
    assert (response.status_code, list(response.json()["error"]["details"])) == (400, [wrong])
    assert http_client.put(LIST, files=sent).status_code == 200


@pytest.mark.parametrize(
    "pattern",
    [r"\*\+", "[*+]", "[]*]", r"[\]*]", "[^]+]", "a?", "a??", "a{2}", "a{2,3}?", "(?:a|b)", "(?i)a", "{", "a{b}"],
)
def test_bounded_patterns_are_accepted(http_client: httpx.Client, pattern: str) -> None:
    """A bounded quantifier is accepted, and so are escaped characters that look like a quantifier."""
    fields = form(("category", "pattern"), ("searchTerms", ""), file=f'"{pattern}"'.encode())
    assert http_client.put(LIST, files=fields).json()["data"]["searchTerms"] == [f'"{pattern}"']


def test_review_adds_new_messages(simulator: Simulator, http_client: httpx.Client) -> None:
    """`review` adds messages to the start of the list; they are the same after every reset."""
    first = http_client.get("/moderation/reviewed-messages", params={"limit": 1}).json()["data"]
    assert simulator.review(2) == simulator.reviewed_messages[:2]
    simulator.review()
    listed = http_client.get("/moderation/reviewed-messages", params={"limit": 4}).json()["data"]
    assert listed == simulator.reviewed_messages[:4]
    assert listed[3:] == first
    times = [record["createdAt"] for record in listed]
    assert times == sorted(set(times), reverse=True)
    messages: list[Any] = [record["message"] for record in simulator.reviewed_messages]
    assert len({message["id"] for message in messages}) == 303
    simulator.reset()
    assert len(simulator.reviewed_messages) == 300
    assert simulator.review(3) == listed[:3]


def test_sentences_are_replaced(http_client: httpx.Client) -> None:
    """Sentences are sent as repeated parts, may contain commas, and are returned as `disallowedSentences`."""
    fields = form(
        ("category", "sentence-similarity"),
        ("disallowedSentences", "One, two."),
        ("disallowedSentences", "Three?"),
    )
    record = http_client.put(SENTENCES, files=fields).json()["data"]
    assert record["disallowedSentences"] == ["One, two.", "Three?"]
    assert "searchTerms" not in record


WORD = ("category", "word")
TERMS = ("searchTerms", "a,b")
SIMILAR = ("category", "sentence-similarity")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        (form(TERMS), {"category"}),
        (form(("category", "words"), TERMS), {"category"}),
        (form(("category", ""), TERMS), {"category"}),
        (form(WORD), {"searchTerms"}),
        (form(("category", "pattern")), {"searchTerms"}),
        (form(WORD, file=b"a"), {"searchTerms"}),
        (form(WORD, ("searchTerms", "")), {"searchTerms"}),
        (form(WORD, ("searchTerms", ""), file=b"a\n" * (2**19 + 1)), {"file"}),
        ([*form(WORD, TERMS, file=b"a"), *form(file=b"a")], {"file"}),
        (form(SIMILAR), {"disallowedSentences"}),
        (form(WORD, ("searchTerms", " , ")), {"searchTerms"}),
        (form(SIMILAR, ("disallowedSentences", "")), {"disallowedSentences"}),
        (form(SIMILAR, TERMS), {"disallowedSentences", "searchTerms"}),
        (form(WORD, TERMS, ("disallowedSentences", "a")), {"disallowedSentences"}),
        (form(WORD, WORD, TERMS), {"category"}),
        (form(WORD, TERMS, TERMS), {"searchTerms"}),
        (form(WORD, TERMS, ("name", "a"), ("name", "b")), {"name"}),
        (form(WORD, TERMS, ("name", "")), {"name"}),
        (form(WORD, TERMS, ("active", "true")), {"active"}),
        (form(WORD, TERMS, ("disallowedSentences[]", "a")), {"disallowedSentences[]"}),
        (form(WORD, ("searchTerms", b"caf\xe9")), {"searchTerms"}),
        ([*form(WORD), ("searchTerms", ("terms.txt", b"a"))], {"searchTerms"}),
        (form(("category", "wrong"), ("name", "")), {"category", "name"}),
    ],
)
def test_invalid_form_is_refused(
    simulator: Simulator, http_client: httpx.Client, fields: Form, wrong: set[str]
) -> None:
    """A form that the description does not allow gets 400 with every invalid field, and nothing changes."""
    before = dict(simulator.keyword_lists)
    response = http_client.put(LIST, files=fields)
    assert code(response) == (400, "ERR_BAD_REQUEST")
    details = response.json()["error"]["details"]
    assert set(details) == wrong
    assert all(isinstance(text, str) for texts in details.values() for text in texts)
    assert simulator.keyword_lists == before


@pytest.mark.parametrize(
    ("content_type", "content"),
    [
        ("application/json", b'{"category": "word", "searchTerms": "a"}'),
        ("application/x-www-form-urlencoded", b"category=word&searchTerms=a"),
        ("multipart/form-data", b"--x--\r\n"),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b"nonsense"),
        ("multipart/form-data; boundary=x", b"--x\r\nno name\r\n\r\nword\r\n--x--\r\n"),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: form-data\r\n\r\nword\r\n--x--\r\n",
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="category"\r\n\r\nword\r\n--x\r\nContent-Disp',
        ),
    ],
)
def test_malformed_body_is_refused(http_client: httpx.Client, content_type: str, content: bytes) -> None:
    """A body that is malformed, incomplete, or not multipart/form-data gets 400."""
    response = http_client.put(LIST, content=content, headers={"Content-Type": content_type})
    assert code(response) == (400, "ERR_BAD_REQUEST")
    assert set(response.json()["error"]["details"]) == {"body"}


# Reviewed messages and roles


def test_limit_of_reviewed_messages(simulator: Simulator, http_client: httpx.Client) -> None:
    """The list contains `limit` records, 50 by default; `meta.current` contains limit and count."""
    response = http_client.get(MESSAGES).json()
    assert (len(response["data"]), response["meta"]) == (50, {"current": {"limit": 50, "count": 50}})
    total = len(simulator.reviewed_messages)
    response = http_client.get(MESSAGES, params={"limit": 1000}).json()
    assert response == {
        "data": simulator.reviewed_messages,
        "meta": {"current": {"limit": 1000, "count": total}},
    }


def test_reviewed_messages_have_every_shape(http_client: httpx.Client) -> None:
    """The first page contains every shape that the service is known to send."""
    records = http_client.get(MESSAGES).json()["data"]
    data = [record["message"]["data"] for record in records]
    for name in ("blockedAt", "appId"):
        assert {name in record for record in records} == {True, False}
    assert {"muid" in record["message"] for record in records} == {True, False}
    for name in ("text", "resource", "url", "metadata", "attachments"):
        assert {name in item for item in data} == {True, False}
    assert all(("text" in item) != ("url" in item) for item in data)
    assert {type(item["metadata"]["file"]) for item in data if "metadata" in item} == {list, dict}
    assert {("rule" in item["moderation"], item["moderation"]["status"] == "pending") for item in data} >= {
        (True, False),
        (False, True),
    }
    for name in ("conversationId", "lastActiveAt"):
        assert {name in item["entities"]["sender"]["entity"] for item in data} == {True, False}
    assert all("conversationId" in item["entities"]["receiver"]["entity"] for item in data)
    assert all(re.fullmatch("[0-9]{10}[.][0-9]{15}", r["blockedAt"]) for r in records if "blockedAt" in r)
    assert {type(record["condition"]["message"]) for record in records} == {str}
    assert {record["message"]["sender"] == record["message"]["receiver"] for record in records} == {False}


def test_roles_are_paged(http_client: httpx.Client) -> None:
    """Pages of ten contain every role once and in order, and the pagination is correct."""
    seen: list[str] = []
    for page, count in ((1, 10), (2, 10), (3, 5), (4, 0)):
        response = http_client.get("/roles", params={"page": page, "perPage": 10}).json()
        seen += [role["role"] for role in response["data"]]
        assert response["meta"] == {
            "pagination": {
                "total": 25,
                "count": count,
                "per_page": 10,
                "current_page": page,
                "total_pages": 3,
            }
        }
    everything = http_client.get("/roles").json()
    assert seen == [role["role"] for role in everything["data"]]
    assert everything["meta"]["pagination"] == {
        "total": 25,
        "count": 25,
        "per_page": 100,
        "current_page": 1,
        "total_pages": 1,
    }


def test_roles_have_optional_fields(simulator: Simulator) -> None:
    """Metadata, settings and updatedAt are each present in some roles and absent in others."""
    for name in ("metadata", "settings", "updatedAt"):
        assert {name in role for role in simulator.roles} == {True, False}


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        ("/roles?page=0", "page"),
        ("/roles?page=-1", "page"),
        ("/roles?page=", "page"),
        ("/roles?page=1.0", "page"),
        ("/roles?page=%D9%A1", "page"),
        ("/roles?page=" + "9" * 5000, "page"),
        ("/roles?page=1&page=1", "page"),
        ("/roles?perPage=0", "perPage"),
        ("/roles?perPage=1001", "perPage"),
        ("/roles?per_page=10", "per_page"),
        (f"{MESSAGES}?limit=0", "limit"),
        (f"{MESSAGES}?limit=ten", "limit"),
        (f"{MESSAGES}?page=1", "page"),
        (f"{LIST}?page=1", "page"),
    ],
)
def test_invalid_query_is_refused(http_client: httpx.Client, target: str, wrong: str) -> None:
    """A parameter that is unknown, repeated, not an integer or out of range gets 400; the error names it."""
    response = http_client.get(target)
    assert code(response) == (400, "ERR_BAD_REQUEST")
    assert set(response.json()["error"]["details"]) == {wrong}


def test_page_number_has_no_maximum(http_client: httpx.Client) -> None:
    """The largest page size is accepted, and a page far after the last one is empty."""
    response = http_client.get("/roles", params={"perPage": 1000, "page": 10**30}).json()
    assert response["data"] == []
    assert response["meta"]["pagination"]["total_pages"] == 1


# Auth tokens


def test_token_can_be_deleted_once(simulator: Simulator, http_client: httpx.Client) -> None:
    """A deletion is confirmed and removes only this token; the second deletion gets 404."""
    first, *others = simulator.auth_tokens["alice"]
    assert re.fullmatch("alice_[0-9]{10}[0-9a-f]{30}", first)
    assert len(others) >= 2
    response = http_client.delete(f"/users/alice/auth_tokens/{first}")
    assert response.status_code == 200
    assert response.json()["data"]["success"] is True
    assert isinstance(response.json()["data"]["message"], str)
    assert simulator.auth_tokens["alice"] == others
    assert code(http_client.delete(f"/users/alice/auth_tokens/{first}")) == (404, "ERR_AUTH_TOKEN_NOT_FOUND")
    assert simulator.damage == []


def test_token_of_another_user_is_refused(simulator: Simulator, http_client: httpx.Client) -> None:
    """A token of another user gets 403, an unknown user gets 404, and no token is deleted."""
    token = simulator.auth_tokens["bob"][0]
    response = http_client.delete(f"/users/alice/auth_tokens/{token}")
    assert code(response) == (403, "ERR_AUTHTOKEN_NOT_ACCESSIBLE")
    assert code(http_client.delete(f"/users/nobody/auth_tokens/{token}")) == (404, "ERR_UID_NOT_FOUND")
    assert token in simulator.auth_tokens["bob"]


def test_case_of_a_uid_is_ignored(simulator: Simulator, http_client: httpx.Client) -> None:
    """A uid in capitals is the same user."""
    token = simulator.auth_tokens["alice"][0]
    assert http_client.delete(f"/users/Alice/auth_tokens/{token}").status_code == 200


@pytest.mark.parametrize(
    "target",
    ["/auth_tokens", "/auth_tokens/", "/auth_tokens/x/..", "/auth_tokens/./", "/x/%2E%2e/auth_tokens"],
)
def test_neighbour_that_deletes_all_tokens(simulator: Simulator, target: str) -> None:
    """A request that reaches the collection deletes all tokens of the user, and `damage` shows it."""
    assert raw(simulator, "DELETE", f"/v3/users/alice{target}")[0] == 200
    assert simulator.damage == [("delete_auth_tokens", "alice")]
    assert simulator.auth_tokens["alice"] == []
    assert simulator.requests[-1].operation == "delete_auth_tokens"


@pytest.mark.parametrize("target", ["", "/", "/auth_tokens/..", "/auth_tokens/%2e%2E/", "//"])
def test_neighbour_that_deletes_the_user(simulator: Simulator, target: str) -> None:
    """A request that reaches the user deletes the user, and `damage` shows it."""
    assert raw(simulator, "DELETE", f"/v3/users/alice{target}")[0] == 200
    assert simulator.damage == [("delete_user", "alice")]
    assert "alice" not in simulator.users
    assert "alice" not in simulator.auth_tokens
    assert simulator.requests[-1].operation == "delete_user"


@pytest.mark.parametrize("token", ["..%2F", "%2F", "x%2F..", "%252e%252e"])
def test_encoded_slash_deletes_nothing_else(simulator: Simulator, token: str) -> None:
    """An encoded slash is part of the token; such a token is not found."""
    assert raw(simulator, "DELETE", f"/v3/users/alice/auth_tokens/{token}")[0] == 404
    assert simulator.damage == []
    assert len(simulator.auth_tokens["alice"]) >= 3


# Key, path, method


@pytest.mark.parametrize("path", [LIST, "/roles", "/no/such/path"])
def test_key_is_checked_first(simulator: Simulator, path: str) -> None:
    """Without the correct key every path gets 401 or 403; the error code gives the reason."""
    url = simulator.base_url + path
    with httpx.Client(trust_env=False, verify=TLS) as client:
        assert code(client.get(url)) == (401, "AUTH_ERR_EMPTY_APIKEY")
        assert code(client.get(url, headers={"apikey": ""})) == (401, "AUTH_ERR_EMPTY_APIKEY")
        assert code(client.get(url, headers={"apikey": simulator.auth_only_key})) == (
            403,
            "AUTH_ERR_NO_ACCESS",
        )
        response = client.get(url, headers={"apikey": "0123456789abcdef"})
        assert code(response) == (401, "AUTH_ERR_APIKEY_NOT_FOUND")
        assert "01234567" in response.json()["error"]["message"]


def test_keys_look_like_keys() -> None:
    """Both keys have 40 hexadecimal digits, and a test can choose the key."""
    simulator = Simulator(api_key="mine")
    assert simulator.api_key == "mine"
    assert all(re.fullmatch("[0-9a-f]{40}", key) for key in (Simulator().api_key, simulator.auth_only_key))


@pytest.mark.parametrize(
    "path", ["/v3", "/v3/", "/", "/v2/roles", "/roles", "/v3/rolesx", "/v3/roles/default/x", "/v3/nothing"]
)
def test_unknown_path_is_not_found(simulator: Simulator, path: str) -> None:
    """An unknown path gets 404, and the received request has no operation."""
    status, body = raw(simulator, "GET", path)
    assert (status, body["error"]["code"]) == (404, "ERR_API_NOT_FOUND")  # type: ignore[index]
    assert simulator.requests[-1].operation is None


@pytest.mark.parametrize(("path", "known"), [(LIST, {"GET", "PUT"}), ("/roles", {"GET"}), ("/users/alice", {"DELETE"})])
def test_wrong_method_is_not_allowed(http_client: httpx.Client, path: str, known: set[str]) -> None:
    """A wrong method gets 405, and `Allow` lists the methods of the path."""
    response = http_client.patch(path)
    assert code(response) == (405, "ERR_API_NOT_FOUND")
    allowed = set(response.headers["Allow"].split(", "))
    assert known <= allowed
    assert "PATCH" not in allowed


def test_unexpected_body_is_refused(http_client: httpx.Client) -> None:
    """A body of an operation without a body gets 400."""
    assert code(http_client.request("GET", "/roles", content=b"{}")) == (400, "ERR_BAD_REQUEST")


def test_unexpected_query_is_refused(simulator: Simulator, http_client: httpx.Client) -> None:
    """A query of an update or a deletion gets 400, and nothing changes."""
    token = simulator.auth_tokens["alice"][0]
    assert code(http_client.delete(f"/users/alice/auth_tokens/{token}?all=1")) == (400, "ERR_BAD_REQUEST")
    assert code(http_client.put(f"{LIST}?x=1", files=form(WORD, TERMS))) == (400, "ERR_BAD_REQUEST")
    assert token in simulator.auth_tokens["alice"]


def test_responses_contain_the_quota(http_client: httpx.Client) -> None:
    """Every response, even an error, contains the rate limit and the number of remaining requests."""
    for path in ("/roles", "/no/such/path"):
        headers = http_client.get(path).headers
        assert int(headers["X-Rate-Limit-Remaining"]) < int(headers["X-Rate-Limit"])


# Received requests and state


def test_requests_are_recorded_unchanged(simulator: Simulator, http_client: httpx.Client) -> None:
    """Each request is recorded in order with its method, raw path, query, headers, body and operation."""
    http_client.get("/roles?page=1&perPage=%31", headers={"X-Twice": "a"})
    http_client.request("POST", "/users/%41lice", content=b"body")
    first, second = simulator.requests
    assert (first.method, first.path, first.query) == ("GET", "/v3/roles", "page=1&perPage=%31")
    assert (first.operation, first.body) == ("list_roles", b"")
    assert (first.header("APIKEY"), first.header("x-twice"), first.header("none")) == (
        simulator.api_key,
        "a",
        None,
    )
    assert (second.method, second.path, second.operation, second.body) == (
        "POST",
        "/v3/users/%41lice",
        None,
        b"body",
    )
    assert simulator.api_key not in repr(first)


def test_state_can_be_set(simulator: Simulator, http_client: httpx.Client) -> None:
    """The responses contain the values that a test has set."""
    simulator.roles = []
    simulator.reviewed_messages[:] = [cast("ReviewedMessageRecord", {"unusual": None})]
    simulator.keyword_lists["profanity-list"]["category"] = "brand-new"
    assert http_client.get("/roles").json()["meta"]["pagination"]["total_pages"] == 0
    assert http_client.get(MESSAGES).json()["data"] == [{"unusual": None}]
    assert http_client.get(LIST).json()["data"]["category"] == "brand-new"


def test_read_records_do_not_change(simulator: Simulator, http_client: httpx.Client) -> None:
    """A record that a test has read does not change later."""
    before = simulator.keyword_lists["profanity-list"]
    tokens = simulator.auth_tokens["alice"]
    number = before["updatedAt"]
    http_client.put(LIST, files=form(WORD, TERMS))
    http_client.delete(f"/users/alice/auth_tokens/{tokens[0]}")
    assert before["updatedAt"] == number
    assert len(tokens) == len(simulator.auth_tokens["alice"]) + 1


def test_reset_restores_the_initial_state(simulator: Simulator, http_client: httpx.Client) -> None:
    """A reset restores the initial state and removes faults, rate limit, damage and requests."""
    http_client.put(LIST, files=form(WORD, TERMS))
    http_client.delete("/users/alice")
    simulator.roles = []
    simulator.fail(status=500, times=None)
    simulator.rate_limit(0)
    simulator.reset()
    fresh = Simulator()
    assert simulator.keyword_lists == fresh.keyword_lists
    assert simulator.reviewed_messages == fresh.reviewed_messages
    assert (simulator.roles, simulator.users) == (fresh.roles, fresh.users)
    assert simulator.auth_tokens == fresh.auth_tokens
    assert (simulator.damage, simulator.requests) == ([], [])
    assert http_client.get("/roles").status_code == 200


# Faults


@pytest.mark.parametrize("status", [200, 204, 299, 302, 304, 400, 429, 500, 503, 520, 599])
def test_status_replaces_the_response(simulator: Simulator, http_client: httpx.Client, status: int) -> None:
    """The status is sent once, the connection stays open, and the operation is not carried out."""
    simulator.fail("update_keyword_list", status=status)
    before = dict(simulator.keyword_lists)
    response = http_client.put(LIST, files=form(WORD, TERMS))
    assert response.status_code == status
    assert "connection" not in response.headers
    assert simulator.keyword_lists == before
    if status >= 400:
        assert set(response.json()["error"]) == {"code", "message"}
    assert http_client.put(LIST, files=form(WORD, TERMS)).status_code == 200


@pytest.mark.parametrize("status", [100, 101, 199, 600, 999])
def test_invalid_status_can_be_sent(simulator: Simulator, status: int) -> None:
    """An invalid status is sent as well; then the connection is closed."""
    simulator.fail(status=status)
    assert received_bytes(simulator, "/roles").startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        (b"\xff\x00", b"\xff\x00"),
        ("<html>", b"<html>"),
        ({"data": [1]}, b'{"data": [1]}'),
        ([], b"[]"),
        (0, b"0"),
        (b"", b""),
        ("null", b"null"),
    ],
)
def test_body_replaces_the_response(
    simulator: Simulator,
    http_client: httpx.Client,
    body: bytes | str | int | dict[str, object] | list[object],
    sent: bytes,
) -> None:
    """Bytes and text are sent unchanged, all other values as JSON; the default status is 200."""
    simulator.fail(body=body)
    response = http_client.get("/roles")
    assert (response.status_code, response.content) == (200, sent)


def test_status_without_body_can_have_a_body(simulator: Simulator) -> None:
    """A body is sent even if the status does not allow a body."""
    simulator.fail(status=204, body="surprise")
    assert received_bytes(simulator, "/roles").endswith(b"\r\n\r\nsurprise")


def test_headers_can_be_set(simulator: Simulator, http_client: httpx.Client) -> None:
    """Headers can be added to the response of the operation and to the response of a fault."""
    simulator.fail(headers={"X-Rate-Limit-Remaining": "0", "Set-Cookie": "a=b"})
    response = http_client.get("/roles")
    assert response.json()["meta"]["pagination"]["total"] == 25
    assert (response.headers["X-Rate-Limit-Remaining"], response.headers["Set-Cookie"]) == ("0", "a=b")
    simulator.fail(status=503, headers={"Retry-After": "7", "Content-Type": "text/html"}, body="<p>")
    response = http_client.get("/roles")
    assert (response.headers["Retry-After"], response.headers["Content-Type"]) == ("7", "text/html")


def test_length_can_be_wrong(simulator: Simulator) -> None:
    """A wrong Content-Length is sent unchanged."""
    simulator.fail(body="abc", headers={"Content-Length": "2"})
    response = received_bytes(simulator, "/roles").lower()
    assert b"content-length: 2\r\n" in response
    assert response.endswith(b"abc")


def test_fault_applies_to_its_operation(simulator: Simulator, http_client: httpx.Client) -> None:
    """A fault for one operation waits for this operation; a fault without an operation hits the next request."""
    simulator.fail("list_roles", status=501)
    simulator.fail(status=502)
    assert http_client.get(LIST).status_code == 502
    assert http_client.get(LIST).status_code == 200
    assert http_client.get("/roles").status_code == 501
    assert http_client.get("/roles").status_code == 200


def test_fault_hits_the_given_number_of_times(simulator: Simulator, http_client: httpx.Client) -> None:
    """A fault hits once, or `times` requests, or all requests until the reset."""
    simulator.fail(status=500, times=2)
    simulator.fail(status=503, times=None)
    assert [http_client.get("/roles").status_code for _ in range(6)] == [500, 500, 503, 503, 503, 503]
    simulator.reset()
    assert http_client.get("/roles").status_code == 200


def test_fault_hits_a_share_of_the_requests(simulator: Simulator, http_client: httpx.Client) -> None:
    """A share of the requests is hit; the others can take the next fault. After a reset the same requests are hit."""
    seen = []
    for _ in range(2):
        simulator.reset()
        simulator.fail(status=500, times=None, share=0.25)
        simulator.fail(status=503, times=4, share=0.5)
        seen.append([http_client.get("/no/such/path").status_code for _ in range(80)])
    assert seen[0] == seen[1]
    assert seen[0].count(503) == 4
    assert 10 <= seen[0].count(500) <= 30
    assert seen[0].count(404) == 80 - 4 - seen[0].count(500)


def test_cut_before_headers(simulator: Simulator, http_client: httpx.Client) -> None:
    """The connection is closed before the first byte, and the operation is not carried out."""
    simulator.fail(cut="before_headers", times=2)
    with pytest.raises(httpx.RemoteProtocolError):
        http_client.delete("/users/alice")
    assert simulator.damage == []
    assert received_bytes(simulator, "/roles") == b""


def test_cut_in_headers(simulator: Simulator, http_client: httpx.Client) -> None:
    """The connection is closed in the middle of the headers."""
    simulator.fail(cut="in_headers")
    received = received_bytes(simulator, "/roles")
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\n\r\n" not in received
    simulator.fail(cut="in_headers", status=503)
    with pytest.raises(httpx.RemoteProtocolError):
        http_client.get("/roles")


@pytest.mark.parametrize("body", [None, b"", "0123456789"])
def test_cut_in_body(simulator: Simulator, http_client: httpx.Client, body: bytes | str | None) -> None:
    """The connection is closed after fewer bytes than Content-Length, even if the body is empty."""
    simulator.fail(cut="in_body", body=body, times=2)
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        http_client.get("/roles")
    head, _, rest = received_bytes(simulator, "/roles").partition(b"\r\n\r\n")
    promised = re.search(rb"content-length: (\d+)", head.lower())
    assert promised is not None
    assert len(rest) < int(promised[1])


def test_cut_after_processing(simulator: Simulator, http_client: httpx.Client) -> None:
    """The operation is carried out, and its response is lost."""
    simulator.fail("update_keyword_list", cut="after_processing")
    with pytest.raises(httpx.RemoteProtocolError):
        http_client.put(LIST, files=form(WORD, ("searchTerms", "lost")))
    assert simulator.keyword_lists["profanity-list"]["searchTerms"] == ["lost"]
    assert http_client.get(LIST).json()["data"]["searchTerms"] == ["lost"]


def test_delay_of_the_response(simulator: Simulator, http_client: httpx.Client) -> None:
    """The response is delayed by this many seconds; the operation is carried out even if the caller does not wait."""
    simulator.fail(delay=0.1)
    started = time.monotonic()
    assert http_client.get("/roles").status_code == 200
    assert time.monotonic() - started >= 0.1
    simulator.fail("update_keyword_list", delay=60)
    with pytest.raises(httpx.ReadTimeout):
        http_client.put(LIST, files=form(WORD, ("searchTerms", "late")), timeout=httpx.Timeout(10, read=0.1))
    assert http_client.get(LIST).json()["data"]["searchTerms"] == ["late"]


def test_trickle_sends_piece_by_piece(simulator: Simulator, http_client: httpx.Client) -> None:
    """The complete body arrives in pieces, not faster than given."""
    simulator.fail(body="0123456789", trickle=(2, 0.02))
    started = time.monotonic()
    with http_client.stream("GET", "/roles") as response:
        pieces = list(response.iter_raw())
    assert time.monotonic() - started >= 0.08
    assert b"".join(pieces) == b"0123456789"
    assert len(pieces) > 1


def test_faults_combine(simulator: Simulator) -> None:
    """Status, headers, trickle, delay and a cut in the body can be combined."""
    simulator.fail(
        status=520, body="x" * 100, headers={"X-Unusual": "1"}, trickle=(10, 0.001), cut="in_body", delay=0.01
    )
    head, _, rest = received_bytes(simulator, "/roles").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 520 ")
    assert b"\r\nx-unusual: 1\r\n" in head
    assert rest == b"x" * 50


# Late changes


def wait_for(condition: Callable[[], bool]) -> float:
    """Wait until the condition is true; returns the time of the monotonic clock then."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true within 10 seconds"
        time.sleep(0.005)
    return time.monotonic()


def terms(simulator: Simulator) -> object:
    return simulator.keyword_lists["profanity-list"]["searchTerms"]


# The first part of these tests uses a time that never passes, so that a slow machine does not disturb it.
NEVER = 3600.0


@pytest.mark.parametrize("cut", ["before_headers", "in_headers", "in_body", "after_processing"])
def test_change_is_applied_after_the_connection_was_closed(
    simulator: Simulator, http_client: httpx.Client, cut: Cut
) -> None:
    """With `apply_after` and a cut, the caller loses the connection first, and the list changes later."""
    before = terms(simulator)
    for seconds in (NEVER, 0.1):
        simulator.fail("update_keyword_list", cut=cut, apply_after=seconds)
        started = time.monotonic()
        with pytest.raises(httpx.RemoteProtocolError):
            http_client.put(LIST, files=form(WORD, ("searchTerms", "late")))
        if seconds == NEVER:
            assert http_client.get(LIST).json()["data"]["searchTerms"] == before
    assert wait_for(lambda: terms(simulator) == ["late"]) - started >= 0.1
    assert [request.operation for request in simulator.requests].count("update_keyword_list") == 2


def test_change_is_applied_after_an_error_response(simulator: Simulator, http_client: httpx.Client) -> None:
    """With `apply_after` and a status, the caller gets the status first, and the token is deleted later."""
    token = simulator.auth_tokens["alice"][0]
    for seconds in (NEVER, 0.1):
        simulator.fail("delete_auth_token", status=503, apply_after=seconds)
        started = time.monotonic()
        assert http_client.delete(f"/users/alice/auth_tokens/{token}").status_code == 503
        if seconds == NEVER:
            assert token in simulator.auth_tokens["alice"]
    assert wait_for(lambda: token not in simulator.auth_tokens["alice"]) - started >= 0.1


def test_success_response_before_the_change(simulator: Simulator, http_client: httpx.Client) -> None:
    """With `apply_after` alone, the usual response is sent first, and a read shows the old list until the change."""
    before = terms(simulator)
    for seconds in (NEVER, 0.1):
        simulator.fail(apply_after=seconds)
        # A request that changes nothing does not use the fault.
        assert http_client.get("/roles").status_code == 200
        response = http_client.put(LIST, files=form(WORD, ("searchTerms", "late")))
        assert response.status_code == 200
        assert response.json()["data"]["searchTerms"] == ["late"]
        if seconds == NEVER:
            assert http_client.get(LIST).json()["data"]["searchTerms"] == before
    wait_for(lambda: terms(simulator) == ["late"])


def test_change_before_an_error_response(simulator: Simulator, http_client: httpx.Client) -> None:
    """With `apply_after=0`, the change is applied before the error response."""
    simulator.fail("update_keyword_list", status=500, apply_after=0)
    assert http_client.put(LIST, files=form(WORD, ("searchTerms", "now"))).status_code == 500
    assert terms(simulator) == ["now"]


def test_refused_request_is_not_applied_late(simulator: Simulator, http_client: httpx.Client) -> None:
    """A request that the service refuses changes nothing, now or later, although it gets the fault."""
    before = dict(simulator.keyword_lists)
    simulator.fail(status=503, apply_after=0.05)
    assert http_client.put(LIST, files=form(WORD)).status_code == 503
    simulator.fail(apply_after=0.05)
    assert code(http_client.put(LIST, files=form(WORD))) == (400, "ERR_BAD_REQUEST")
    simulator.rate_limit(0)
    simulator.fail(apply_after=0.05)
    assert http_client.put(LIST, files=form(WORD, TERMS)).status_code == 429
    time.sleep(0.2)
    assert simulator.keyword_lists == before


def test_late_change_can_be_refused() -> None:
    """A late deletion has no effect if the token no longer exists, and raises no error."""
    simulator = Simulator()
    first, *others = simulator.auth_tokens["alice"]
    errors: list[dict[str, Any]] = []

    async def delete_twice() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        simulator.fail("delete_auth_token", status=503, apply_after=0.5)
        transport = httpx.ASGITransport(app=simulator.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/v3") as client:
            response = await client.delete(f"/users/alice/auth_tokens/{first}", headers={"apikey": simulator.api_key})
        assert response.status_code == 503
        assert first in simulator.auth_tokens["alice"]
        simulator.auth_tokens["alice"] = others
        await asyncio.sleep(0.7)

    asyncio.run(delete_twice())
    assert simulator.auth_tokens["alice"] == others
    assert errors == []


def test_reset_drops_late_changes(simulator: Simulator, http_client: httpx.Client) -> None:
    """A change that is due when the simulator is reset is not applied to the next test."""
    before = dict(simulator.keyword_lists)
    simulator.fail("update_keyword_list", status=503, apply_after=0.1)
    http_client.put(LIST, files=form(WORD, TERMS))
    simulator.reset()
    time.sleep(0.3)
    assert simulator.keyword_lists == before


def test_late_change_of_an_operation_without_changes_is_refused(simulator: Simulator) -> None:
    """`apply_after` for an operation that only reads raises ValueError."""
    with pytest.raises(ValueError, match=r"^apply_after must be None for list_roles"):
        simulator.fail("list_roles", apply_after=1)


# Invalid faults


def test_fault_without_effect_is_refused(simulator: Simulator) -> None:
    """A fault without an effect, or with contradictory arguments, raises ValueError."""
    with pytest.raises(ValueError, match="the fault has no effect"):
        simulator.fail()
    with pytest.raises(ValueError, match="no response is sent"):
        simulator.fail(cut="after_processing", status=500)
    with pytest.raises(ValueError, match="limit"):
        simulator.rate_limit(-1)


ROUND: list[object] = []
ROUND.append(ROUND)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("body", value) for value in (object, {1}, "\ud800", bytearray(b"a"), {"a": object}, {(1,): 1}, ROUND)),
        *(("headers", {name: "x"}) for name in ("", "a b", "a:b", "a\r\nb", "é", b"a", 5)),
        *(
            ("headers", {"X": value})
            for value in (" lead", "trail ", "\tx", " ", "a\nb", "a\rb", "a\0b", "a\vb", "é", 5, None)
        ),
        *(("headers", value) for value in ([("X", "1")], "X: 1", 5)),
        *(("status", value) for value in (200.5, 200.0, "200", 99, 1000, True)),
        *(("delay", value) for value in (float("nan"), -0.1, "1", None, [1])),
        *(
            ("trickle", value)
            for value in ((1.5, 0), (0, 0), (1, -1), (1, float("nan")), ("1", 0), (1, "0"), (1,), (1, 0, 0), 1)
        ),
        *(("times", value) for value in (0, -1, 1.5, "1")),
        *(("share", value) for value in (0, 1.1, float("nan"), "1", None)),
        *(("operation", value) for value in ("get_roles", 5, ["list_roles"])),
        *(("cut", value) for value in ("sometime", 5)),
        *(("apply_after", value) for value in (float("nan"), -0.1, "1", [1])),
    ],
    ids=ascii,
)
def test_invalid_fault_is_refused(simulator: Simulator, argument: str, value: Any) -> None:
    """`fail` raises ValueError for an invalid argument and names the argument."""
    settings: dict[str, Any] = {} if argument == "cut" else {"status": 200}
    with pytest.raises(ValueError, match=f"^{argument} must be"):
        simulator.fail(**{**settings, argument: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("X", ""), ("!#$%&'*+.^_`|~9aZ-", "a"), ("X", "a b\tc"), ("X", "~!\x01\x7f"), ("X", ":"), ("X", "\x1f")],
)
def test_valid_headers_are_sent_unchanged(simulator: Simulator, name: str, value: str) -> None:
    """Every accepted header is sent unchanged, in a valid and in an invalid response."""
    line = f"\r\n{name.lower()}: {value}\r\n".encode()
    for status in (503, 999):
        simulator.fail(status=status, headers={name: value, "Connection": "close"})
        assert line in received_bytes(simulator, "/roles")


def test_later_change_of_a_body_has_no_effect(simulator: Simulator, http_client: httpx.Client) -> None:
    """A change of the body object after `fail` does not change the response."""
    body: dict[str, object] = {"data": 1}
    simulator.fail(body=body)
    body["data"] = object()
    assert http_client.get("/roles").json() == {"data": 1}


# Rate limit


def test_rate_limit_refuses_further_requests(simulator: Simulator, http_client: httpx.Client) -> None:
    """Requests above the limit get 429 with the time to wait, and are not carried out."""
    simulator.rate_limit(2, window=60)
    assert [http_client.get("/roles").headers["X-Rate-Limit-Remaining"] for _ in range(2)] == ["1", "0"]
    response = http_client.delete("/users/alice")
    assert code(response) == (429, "ERR_TOO_MANY_REQUESTS")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert 0 <= int(response.headers["X-Rate-Limit-Reset"]) - time.time() <= 61
    assert response.headers["X-Rate-Limit"] == "2"
    assert response.headers["X-Rate-Limit-Remaining"] == "0"
    assert simulator.damage == []


def test_rate_limit_window_ends() -> None:
    """The next window begins after the announced time; until then every request is refused."""
    limit = RateLimit(1, 10.0, enforced=True)
    assert limit.spend(100.0).wait is None
    late = limit.spend(107.5)
    assert (late.wait, late.headers["Retry-After"], late.headers["X-Rate-Limit-Reset"]) == (2.5, "3", "110")
    assert limit.spend(109.999).wait is not None
    assert limit.spend(110.0).wait is None


# Starting and stopping


def test_start_and_stop_are_fast_and_leave_no_thread() -> None:
    """Start and stop are fast, even with open connections and delayed responses, and leave no thread."""
    threads = threading.active_count()
    simulator = Simulator()
    started = time.monotonic()
    simulator.__enter__()
    ready = time.monotonic()
    address = urlsplit(simulator.base_url)
    with (
        client_of(simulator) as idle,
        socket.create_connection((address.hostname, address.port), timeout=10) as waiting,
    ):
        idle.get("/roles")
        simulator.fail(delay=60)
        waiting.sendall(f"GET /v3/roles HTTP/1.1\r\nHost: x\r\napikey: {simulator.api_key}\r\n\r\n".encode())
        deadline = time.monotonic() + 10
        while len(simulator.requests) < 2 and time.monotonic() < deadline:
            pass
        stopping = time.monotonic()
        simulator.__exit__(None, None, None)
        stopped = time.monotonic()
        assert waiting.recv(1) == b""
        with pytest.raises(httpx.TransportError):
            idle.get("/roles")
    assert ready - started < 0.5
    assert stopped - stopping < 1.5
    assert threading.active_count() == threads
    with pytest.raises(RuntimeError, match="with Simulator"):
        _ = simulator.base_url


def test_responses_are_fast(http_client: httpx.Client) -> None:
    """A response on an open connection takes a few milliseconds, not the 40 ms of a delayed acknowledgement."""
    times = sorted(http_client.get("/roles?perPage=1").elapsed.total_seconds() for _ in range(21))
    assert times[10] < 0.03


def test_simulator_can_be_entered_again() -> None:
    """A stopped simulator can be started again and keeps its state; it cannot be started twice at a time."""
    simulator = Simulator()
    for expected in (25, 0):
        with simulator, client_of(simulator) as client:
            assert client.get("/roles").json()["meta"]["pagination"]["total"] == expected
            simulator.roles = []
            with pytest.raises(RuntimeError, match="already"):
                simulator.__enter__()


@pytest.mark.parametrize(
    ("module", "path"),
    [
        ("uvicorn.protocols.http.h11_impl", "H11Protocol"),
        ("uvicorn.protocols.http.h11_impl", "H11Protocol.connection_made"),
        ("uvicorn.server", "Server.main_loop"),
        ("uvicorn.server", "Server.on_tick"),
    ],
)
def test_uvicorn_has_the_undocumented_name(module: str, path: str) -> None:
    """A uvicorn without a name that the simulator needs makes this test fail, and the message says what to change."""
    found: object = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name, None)
        assert found is not None, (
            f"uvicorn {uvicorn.__version__} has no {module}.{path}: change cometchat_rest/testing/server.py, "
            "which uses this undocumented name"
        )


def test_uvicorn_has_the_undocumented_attributes() -> None:
    """The instances of uvicorn's classes have the undocumented attributes that the simulator needs."""
    server = uvicorn.Server(uvicorn.Config("unused"))
    advice = "change cometchat_rest/testing/server.py, which uses this undocumented attribute"
    assert server.started is False, advice
    assert server.server_state.connections == set(), advice
    protocol = importlib.import_module("uvicorn.protocols.http.h11_impl").H11Protocol
    assert "app_state" in inspect.signature(protocol).parameters, advice


@pytest.mark.parametrize(("seconds", "message"), [(0, "did not start$"), (0.3, "did not start within 0.1 seconds$")])
def test_start_without_the_main_loop_fails(monkeypatch: pytest.MonkeyPatch, seconds: float, message: str) -> None:
    """If uvicorn does not call `main_loop`, the start raises an error instead of waiting for ever."""

    async def serve(*_: object, **__: object) -> None:
        await asyncio.sleep(seconds)

    threads = threading.active_count()
    monkeypatch.setattr(uvicorn.Server, "serve", serve)
    monkeypatch.setattr("cometchat_rest.testing.server.START_SECONDS", 0.1)
    with pytest.raises(RuntimeError, match=message):
        Simulator().__enter__()
    wait_for(lambda: threading.active_count() == threads)


def test_port_can_be_chosen(simulator: Simulator) -> None:
    """The chosen port is used; a port that is in use raises OSError when the simulator is entered."""
    port = urlsplit(simulator.base_url).port
    assert port is not None
    with pytest.raises(OSError, match="in use"), Simulator(port=port):
        pass


def test_many_clients_at_once(simulator: Simulator) -> None:
    """Requests from several threads all get a response and are all recorded."""

    def ask() -> None:
        with client_of(simulator) as client:
            for _ in range(10):
                client.put(LIST, files=form(WORD, TERMS))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(simulator.requests) == 40
    assert str(simulator.keyword_lists["profanity-list"]["revisionId"]).endswith("_41")


async def _in_process(simulator: Simulator, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=simulator.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/v3") as client:
        return await client.get(path, headers={"apikey": simulator.api_key})


def test_application_works_in_process() -> None:
    """The application works without a server, also with an invalid status, and raises an error instead of a cut."""
    simulator = Simulator()
    assert asyncio.run(_in_process(simulator, LIST)).json()["data"]["id"] == "profanity-list"
    assert asyncio.run(_in_process(simulator, "/users%2Falice")).status_code == 404
    simulator.fail(status=999, delay=0.01)
    assert asyncio.run(_in_process(simulator, LIST)).status_code == 999
    for cut in ("before_headers", "in_headers", "in_body", "after_processing"):
        simulator.fail(cut=cut)
        with pytest.raises(ConnectionCutError, match=cut):
            asyncio.run(_in_process(simulator, LIST))


# python -m cometchat_rest.testing


FOREGROUND = (sys.executable, "-W", "error", "-m", "cometchat_rest.testing")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send these signals to one process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_foreground_run(start: Start, number: signal.Signals) -> None:
    """It prints address, key, lists, a working curl command, settings and a token. A signal ends it with code 0."""
    process = start(*FOREGROUND, "--port", "0")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(7)]
    text = "".join(lines)
    url = re.search(r"'(http://127\.0\.0\.1:\d+/v3/moderation/keywords/[^']+)'", text)
    key = re.search("-H 'apikey: ([0-9a-f]{40})'", text)
    assert url is not None
    assert key is not None
    assert [line.split()[0] for line in lines[-4:]] == ["curl", "export", "export", "Press"]
    assert f"ALICE_TOKEN={Simulator().auth_tokens['alice'][0]}\n" in text
    assert all(list_id in text for list_id in Simulator().keyword_lists)
    assert httpx.get(url[1], headers={"apikey": key[1]}, trust_env=False).status_code == 200
    process.send_signal(number)
    rest, errors = process.communicate(timeout=10)
    assert (process.returncode, rest, errors) == (0, "", "")


@pytest.mark.parametrize(("host", "reached"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])  # noqa: S104
def test_all_addresses_include_loopback(host: str, reached: str) -> None:
    """The base URL of a simulator that listens on all addresses is loopback, where a client needs no TLS."""
    with ExitStack() as running:
        try:
            simulator = running.enter_context(Simulator(host=host))
        except OSError as error:
            pytest.skip(f"this machine has no such address: {error}")
        assert simulator.base_url.startswith(f"http://{reached}:")
        with client_of(simulator) as client:
            assert client.get("/roles").status_code == 200


@pytest.mark.parametrize("port", ["abc", "-1", "65536"])
def test_foreground_run_with_an_invalid_port(start: Start, port: str) -> None:
    """An invalid port is reported."""
    process = start(*FOREGROUND, "--port", port)
    output, errors = process.communicate(timeout=10)
    assert (process.returncode, output) == (2, "")
    assert "a port must be a number from 0 to 65535" in errors


def test_foreground_run_on_a_port_in_use(start: Start, simulator: Simulator) -> None:
    """For a port in use, one line is printed to stderr and the exit code is 1."""
    port = urlsplit(simulator.base_url).port
    process = start(*FOREGROUND, "--port", str(port))
    output, errors = process.communicate(timeout=10)
    assert (process.returncode, output) == (1, "")
    assert re.fullmatch(rf"[^\n]*127\.0\.0\.1:{port}[^\n]*in use; use --port 0 for any free port\n", errors)


@pytest.mark.parametrize("missing", ["uvicorn", "starlette", "python_multipart"])
def test_missing_extra_is_named(missing: str) -> None:
    """Without the extra, import and run print one line that says which package to install."""
    hint = "install the extra 'testing'"
    block = f"import runpy, sys; sys.modules[{missing!r}] = None; "
    ask = "\ntry:\n import cometchat_rest.testing\nexcept ImportError as error:\n print(error)"
    imported = subprocess.run([sys.executable, "-c", block + ask], capture_output=True, text=True, check=True)  # noqa: S603
    assert hint in imported.stdout
    assert missing in imported.stdout
    run = block + "runpy._run_module_as_main('cometchat_rest.testing')"
    ran = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)  # noqa: S603
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert hint in ran.stderr


def test_clock(simulator: Simulator, http_client: httpx.Client) -> None:
    """A test sets the time of updates, new records and rate limits, and moves it; a reset restores the real time."""
    assert abs(simulator.now.timestamp() - time.time()) < 60
    simulator.now = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    noon = int(datetime(2026, 7, 1, 10, tzinfo=UTC).timestamp())
    assert (
        http_client.put(LIST, files=form(("category", "word"), ("searchTerms", "a"))).json()["data"]["updatedAt"]
        == noon
    )
    assert simulator.add_reviewed_message("hello").get("createdAt") == noon

    simulator.rate_limit(1, window=3600)
    assert [http_client.get(LIST).status_code for _ in range(2)] == [200, 429]
    simulator.advance(3599)
    assert http_client.get(LIST).headers["Retry-After"] == "1"
    simulator.advance(1)
    assert http_client.get(LIST).status_code == 200
    assert simulator.now.timestamp() == noon + 3600
    simulator.now = datetime(2020, 1, 1, tzinfo=UTC)
    assert http_client.get(LIST).status_code == 200

    simulator.reset()
    simulator.advance(86_400)
    assert simulator.now.timestamp() > time.time() + 86_300
    with pytest.raises(ValueError, match="time zone"):
        simulator.now = datetime(2026, 7, 1)
