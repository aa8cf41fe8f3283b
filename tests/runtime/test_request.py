"""Requests: headers of every call, query parameters, and forms that nothing can break out of."""

import io
import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from cometchat_openapi.api.keywords.update_keyword_list import prepare
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import KeywordListForm
from cometchat_rest import (
    ApiError,
    InvalidRequestError,
    SentenceSimilarityListInput,
    WordListInput,
    __version__,
)
from cometchat_rest.keyword_input import CsvFile
from cometchat_runtime.model import File
from cometchat_testing import Simulator

from ..sent import Part, form_of, path_of
from ..support import (
    LIST_ID,
    OPERATIONS,
    PUT,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
    unused_transport,
)
from .call_support import RETRY_AT_ONCE
from .hostile import HOSTILE_PIECES, examples


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_every_call_sends_each_header_once(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """Each operation sends the key once, names the package and its version, accepts JSON and at
    most gzip, and repeats no header. A GET or a DELETE has neither a body nor a Content-Length."""
    any_client.call(operation.act)
    (request,) = simulator.requests
    names = [name for name, _ in request.headers]
    with_body = operation.method not in ("GET", "DELETE")
    assert ("content-length" in names, bool(request.body)) == (with_body, with_body)
    assert request.operation == operation.name
    assert request.header("apikey") == simulator.api_key
    assert request.header("user-agent") == f"cometchat-rest/{__version__}"
    assert request.header("accept") == "application/json"
    # Servers disagree about the format of "deflate".
    assert request.header("accept-encoding") == "gzip"
    assert len(names) == len(set(names))


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_cookies_are_ignored(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """A cookie that the service sets is never sent back."""
    client = any_client.client()
    simulator.fail(headers={"Set-Cookie": "session=1; Path=/"})
    any_client.call(lambda chat: chat.roles.list(), client)
    any_client.call(operation.act, client)
    assert [request.header("cookie") for request in simulator.requests] == [None, None]


def test_retried_update_sends_the_same_bytes(any_client: AnyClient, simulator: Simulator) -> None:
    """A retried update sends the same bytes, including the boundary between its parts."""
    new = WordListInput(name="приве́т", file=bytes(range(1, 128)) * 100)
    simulator.fail(status=429, headers=RETRY_AT_ONCE)
    simulator.fail(status=200, body=PUT.body)
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, new))
    first, second = simulator.requests
    assert (first.body, first.headers, first.path) == (second.body, second.headers, second.path)
    assert {part.name for part in form_of(first)} == {"category", "name", "searchTerms", "file"}


def test_each_update_has_a_random_boundary(any_client: AnyClient, simulator: Simulator) -> None:
    """Each update has its own random boundary, so that no value can contain it on purpose."""
    any_client.call(PUT.act)
    any_client.call(PUT.act)
    first, second = (
        (request.header("content-type") or "").partition("boundary=")[2]
        for request in simulator.requests
    )
    assert first != second
    assert len(first) >= 16


QUERY_VALUES = st.one_of(
    st.lists(st.sampled_from([*HOSTILE_PIECES, "&perPage=1", "+", "%26"]), max_size=6).map("".join),
    st.text(max_size=10),
    st.integers(),
)


@examples(150)
@given(QUERY_VALUES, QUERY_VALUES)
def test_query_value_stays_one_value(any_client: AnyClient, one: str | int, two: str | int) -> None:
    """Whatever is given for a query parameter is sent as the value of that parameter, and
    nothing else."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub, base_url="https://chat.example/chat/v3")
    error = error_from(
        any_client,
        lambda chat: chat.request("GET", "/roles", query={"page": one, "perPage": two}),
        client,
    )
    any_client.close(client)
    if isinstance(error, InvalidRequestError):
        assert stub.requests == []
        assert re.search("[\ud800-\udfff]", f"{one}{two}")
        return
    assert isinstance(error, ApiError), error
    (request,) = stub.requests
    assert path_of(request) == "/chat/v3/roles"
    query = parse_qsl(request.url.query.decode("ascii"), keep_blank_values=True, errors="strict")
    assert query == [("page", str(one)), ("perPage", str(two))]


#: Texts that could end a part, begin a part, or be read as a header.
BREAKOUTS = [
    "\r\n--+++",
    "\r\n--+++--",
    "\r\n--+++--\r\n",
    "--",
    "\r\n--",
    "\r\n----",
    "\r\n\r\n",
    "\r\n",
    "\n--",
    "\r",
    "--" + "0" * 32,
    "\r\n--" + "f" * 32,
    "\r\n--" + "f" * 32 + "--\r\n",
    "--boundary",
    "\r\n--boundary--\r\n",
    'Content-Disposition: form-data; name="category"\r\n\r\npattern',
    '\r\n--+++\r\nContent-Disposition: form-data; name="category"\r\n\r\npattern\r\n--+++--\r\n',
    '"',
    '"; name="category',
    '"; filename="x',
    "\\",
    '\\"',
    "%0d%0a",
    ";",
    "=",
    "&",
    "'",
    "\t",
    " ",
    "\0",
    "\x1a",
    "\x7f",
    "é",
    "字",
    "👩🏽‍🚀",
    "\u2028",
    "\ufeff",
    "\u202e",
    "category",
    "word",
    "x" * 100,
]


@pytest.mark.parametrize("text", BREAKOUTS)
def test_form_equals_its_input(any_client: AnyClient, simulator: Simulator, text: str) -> None:
    """No value, file or file name can end a part, add a field or change the category: everything
    arrives unchanged."""
    # Blank text would be refused.
    text = f"x{text}"
    file = CsvFile(text, text.encode())
    new = SentenceSimilarityListInput(
        name=text, description=text, disallowed_sentences=[text, "fine", text], file=file
    )
    error = error_from(
        any_client, lambda chat: chat.keywords.update(LIST_ID, new), any_client.client()
    )
    assert isinstance(error, ApiError | None), error
    (request,) = simulator.requests
    sent = text.encode()
    assert sorted(form_of(request), key=lambda part: part.name) == [
        Part("category", b"sentence-similarity"),
        Part("description", sent),
        *(Part("disallowedSentences", sentence) for sentence in (sent, b"fine", sent)),
        Part("file", sent, file.name, "text/csv"),
        Part("name", sent),
    ]


def sentences(sentence: str, **file: str) -> KeywordListForm:
    """A form of the generated code, with a file of this name and type."""
    csv = File(b"spam", **{"file_name": "terms.csv", "mime_type": "text/csv", **file})
    return KeywordListForm(
        category="sentence-similarity", disallowed_sentences=["fine", sentence], file=csv
    )


def terms(value: Any, name: str | None = None) -> KeywordListForm:
    return KeywordListForm(category="word", search_terms=value, name=name)


@pytest.mark.parametrize("text", BREAKOUTS)
def test_form_of_the_generated_code(any_client: AnyClient, simulator: Simulator, text: str) -> None:
    """No sentence and no file name in a form of the generated code can end a part or add a
    field."""
    call = prepare(LIST_ID, new=sentences(f"x{text}", file_name=text))
    error_from(any_client, lambda chat: chat.api.send(call), any_client.client())
    (request,) = simulator.requests
    assert sorted((part.name, part.content) for part in form_of(request)) == [
        ("category", b"sentence-similarity"),
        *(("disallowedSentences", sentence) for sentence in sorted([b"fine", f"x{text}".encode()])),
        ("file", b"spam"),
    ]


SURROGATE = "update_keyword_list: .*lone surrogate"
#: Forms that cannot be sent, and the beginning of the error.
BROKEN_FORMS: dict[str, tuple[KeywordListForm, str]] = {
    "surrogate in a text": (terms("spam\ud800"), SURROGATE),
    "surrogate in a name": (terms("spam", name="\ud800"), SURROGATE),
    "surrogate in a sentence": (sentences("\udfff"), SURROGATE),
    "surrogate in a file name": (sentences("spam", file_name="\ud800.csv"), SURROGATE),
    "line break in a type": (
        sentences("spam", mime_type="text/csv\r\nX-Evil: 1"),
        "file: the content type",
    ),
    "number": (terms(5), "searchTerms must be str or bytes, not int"),
    "list": (terms(["spam"]), "searchTerms must be str or bytes, not list"),
    "mapping": (terms({"spam": 1}), "searchTerms must be str or bytes, not dict"),
    "stream": (terms(io.BytesIO(b"spam")), "searchTerms must be str or bytes, not BytesIO"),
}


@pytest.mark.parametrize(("form", "fault"), BROKEN_FORMS.values(), ids=BROKEN_FORMS)
def test_broken_form_is_refused(any_client: AnyClient, form: KeywordListForm, fault: str) -> None:
    """A form of the generated code that cannot be sent as it is, is refused, and no connection
    is opened."""
    client = stub_client(any_client, unused_transport())
    with pytest.raises(InvalidRequestError, match=f"^{fault}"):
        any_client.call(lambda chat: chat.api.send(prepare(LIST_ID, new=form)), client)


def test_header_of_one_call(any_client: AnyClient, simulator: Simulator) -> None:
    """A header of one call is sent once, in place of the client's own."""
    call = evolve(list_roles.prepare(), headers={"User-Agent": "mine", "X-A": "0", "x-a": "1"})
    any_client.call(lambda chat: chat.api.send(call), any_client.client(headers={"x-a": "2"}))
    (request,) = simulator.requests
    sent = [
        (name.lower(), value)
        for name, value in request.headers
        if name.lower() in ("user-agent", "x-a")
    ]
    assert sorted(sent) == [("user-agent", "mine"), ("x-a", "1")]
