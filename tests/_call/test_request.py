"""Requests: headers of every call, query parameters, and forms that nothing can break out of."""

import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cometchat_openapi.api.keywords.update_keyword_list import prepare
from cometchat_openapi.models import KeywordListForm
from cometchat_openapi.types import File
from cometchat_rest import (
    ApiError,
    InvalidRequestError,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest.keyword_input import CsvFile
from cometchat_rest.testing import Simulator

from ..sent import Part, form_of, path_of
from ..support import (
    LIST_ID,
    OPERATIONS,
    PUT,
    AnyClient,
    EitherClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
    unused_transport,
)
from .call_support import RETRY_AT_ONCE
from .hostile import BASE_URL, HOSTILE_PIECES, examples


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_every_call_sends_each_header_once(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """Each operation sends the key once, accepts JSON and at most gzip, and repeats no header. A GET or a DELETE has
    neither a body nor a Content-Length."""
    any_client.call(operation.act)
    (request,) = simulator.requests
    names = [name for name, _ in request.headers]
    with_body = operation.method not in ("GET", "DELETE")
    assert ("content-length" in names, bool(request.body)) == (with_body, with_body)
    assert request.header("apikey") == simulator.api_key
    assert request.header("accept") == "application/json"
    # Servers disagree about the format of "deflate".
    assert request.header("accept-encoding") == "gzip"
    assert len(names) == len(set(names))


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_cookies_are_ignored(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """A cookie that the service sets is never sent back."""
    client = any_client.client()
    simulator.fail(headers={"Set-Cookie": "session=1; Path=/"})
    any_client.call(lambda chat: chat.roles.list(), client)
    any_client.call(operation.act, client)
    assert [request.header("cookie") for request in simulator.requests] == [None, None]


def test_retried_update_sends_the_same_bytes(any_client: AnyClient, simulator: Simulator) -> None:
    """A retried update sends the same bytes, including the boundary between its parts."""
    new = WordListInput(name="приве́т", file=bytes(range(1, 256)) * 100)
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
    first, second = ((request.header("content-type") or "").partition("boundary=")[2] for request in simulator.requests)
    assert first != second
    assert len(first) >= 16


def test_query_value_stays_one_value(any_client: AnyClient) -> None:
    """Whatever is given for a query parameter is sent as the value of that parameter, and nothing else."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    text = st.one_of(
        st.lists(st.sampled_from([*HOSTILE_PIECES, "&perPage=1", "+", "%26"]), max_size=6).map("".join),
        st.text(max_size=10),
        st.integers(),
    )

    def send(act: Callable[[EitherClient], Any], path: str, expected: list[tuple[str, Any]]) -> None:
        stub.requests.clear()
        error = error_from(any_client, act, client)
        if isinstance(error, InvalidRequestError):
            assert stub.requests == []
            assert any(re.search("[\ud800-\udfff]", str(value)) for _, value in expected)
            return
        assert isinstance(error, ApiError), error
        (request,) = stub.requests
        assert path_of(request) == f"/chat/v3{path}"
        query = parse_qsl(request.url.query.decode("ascii"), keep_blank_values=True, errors="strict")
        assert query == [(name, str(value)) for name, value in expected]

    @examples(150)
    @given(text, text)
    def check(one: Any, two: Any) -> None:
        query = {"page": one, "perPage": two}
        send(lambda chat: chat.request("GET", "/roles", query=query), "/roles", list(query.items()))

    check()


FORM_ATOMS = [
    *("\r\n--+++", "\r\n--+++--", "\r\n--+++--\r\n", "--", "\r\n--", "\r\n----", "\r\n\r\n", "\r\n", "\n--", "\r"),
    *("--" + "0" * 32, "\r\n--" + "f" * 32, "\r\n--" + "f" * 32 + "--\r\n", "--boundary", "\r\n--boundary--\r\n"),
    'Content-Disposition: form-data; name="category"\r\n\r\npattern',
    '\r\n--+++\r\nContent-Disposition: form-data; name="category"\r\n\r\npattern\r\n--+++--\r\n',
    *('"', '"; name="category', '"; filename="x', "\\", '\\"', "%22", "%0d%0a", ";", "=", "&", "'", "\t", " "),
    *("\0", "\x1a", "\x7f", "é", "字", "👩🏽‍🚀", "\u2028", "\ufeff", "\u202e", "a", "category", "word", "x" * 100),
]


def texts() -> st.SearchStrategy[str]:
    """Text that could end a part, begin a part, or be read as a header. It is never blank: blank text is refused."""
    wild = st.one_of(
        st.lists(st.sampled_from(FORM_ATOMS), max_size=6).map("".join),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    )
    return wild.map(lambda text: text if text.strip() else f"x{text}")


def term_texts() -> st.SearchStrategy[str]:
    """The same text without commas and line breaks, which would split a term."""
    return texts().map(lambda text: "x" + "".join(re.sub(",", "", text).splitlines()))


def files() -> st.SearchStrategy[CsvFile]:
    content = st.one_of(texts().map(str.encode), st.binary(min_size=1, max_size=50))
    return st.builds(CsvFile, texts(), content)


def inputs() -> st.SearchStrategy[KeywordListInput]:
    common: dict[str, Any] = dict.fromkeys(("id", "name", "description"), st.none() | texts())
    search_terms = st.lists(term_texts(), min_size=1, max_size=4) | texts()
    by_terms = [st.builds(cls, search_terms=search_terms, **common) for cls in (WordListInput, PatternListInput)]
    by_file = [st.builds(cls, file=files(), **common) for cls in (WordListInput, PatternListInput)]
    sentences = st.builds(
        SentenceSimilarityListInput,
        disallowed_sentences=st.lists(texts(), min_size=1, max_size=4),
        file=st.none() | files(),
        **common,
    )
    return st.one_of(*by_terms, *by_file, sentences)


def expected_of(new: KeywordListInput) -> list[Part]:
    """The parts of an update according to the contract, independent of the client."""
    fields = [("category", new.category), ("id", new.id), ("name", new.name), ("description", new.description)]
    if isinstance(new, SentenceSimilarityListInput):
        fields += [("disallowedSentences", sentence) for sentence in new.disallowed_sentences]
    else:
        terms = new.search_terms
        fields.append(("searchTerms", terms if isinstance(terms, str) else ",".join(terms)))
    parts = [Part(name, value.encode()) for name, value in fields if value is not None]
    if new.file is not None:
        # Quotes are sent as %22, as in HTML, so both spellings are the same.
        parts.append(Part("file", new.file.content, new.file.name.replace("%22", '"'), "text/csv"))
    return parts


def check_form(request: Any, new: KeywordListInput) -> None:
    """Check that the form equals the input, part by part. The parts of one field keep their order."""
    sent, expected = form_of(request), expected_of(new)
    assert sorted(sent, key=lambda part: part.name) == sorted(expected, key=lambda part: part.name)
    assert [part.content for part in sent if part.name == "category"] == [new.category.encode()]


@examples(200)
@example(WordListInput(search_terms='x\r\n--+++\r\nContent-Disposition: form-data; name="category"\r\n\r\npattern'))
@example(WordListInput(file=b"x\r\n--+++--\r\n"))
@given(inputs())
def test_form_equals_its_input(any_client: AnyClient, simulator: Simulator, new: KeywordListInput) -> None:
    """No value, file or file name can end a part, add a field or change the category: everything arrives unchanged."""
    client = any_client.client(max_retries=0)
    error = error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
    assert isinstance(error, ApiError | None), error
    request = simulator.requests[-1]
    check_form(request, new)
    assert (request.operation, request.header("content-length")) == ("update_keyword_list", str(len(request.body)))
    any_client.close(client)


@examples(200)
@given(texts(), texts(), texts(), st.binary(max_size=50))
def test_form_of_the_generated_code(
    any_client: AnyClient, text: str, file_name: str, mime_type: str, payload: bytes
) -> None:
    """Nothing can break out of a form that is made for the generated code: it is sent unchanged, or refused."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub)
    file = File(payload, file_name, mime_type)
    form = KeywordListForm(category="sentence-similarity", disallowed_sentences=[text, text], file=file)
    form.id = form.name = text
    error = error_from(any_client, lambda chat: chat.api.send(prepare(LIST_ID, body=form)), client)
    any_client.close(client)
    if isinstance(error, InvalidRequestError):
        assert stub.requests == []
        assert not mime_type.isprintable() or not mime_type.isascii()
        return
    sent = form_of(stub.requests[0])
    assert sorted((part.name, part.content) for part in sent if part.filename is None) == sorted(
        [
            ("category", b"sentence-similarity"),
            *((name, text.encode()) for name in ("id", "name")),
            *[("disallowedSentences", text.encode())] * 2,
        ]
    )
    assert [part.content for part in sent if part.filename is not None] == [payload]


BROKEN_FORMS = {
    "a text": KeywordListForm(category="word", search_terms="spam\ud800"),
    "a sentence": KeywordListForm(category="sentence-similarity", disallowed_sentences=["fine", "\udfff"]),
    "a name": KeywordListForm(category="word", search_terms="spam", name="\ud800"),
    "a file name": KeywordListForm(category="word", search_terms="", file=File(b"spam", "\ud800.csv", "text/csv")),
}


@pytest.mark.parametrize("form", BROKEN_FORMS.values(), ids=BROKEN_FORMS)
def test_form_with_a_lone_surrogate_is_refused(any_client: AnyClient, form: Any) -> None:
    """A form of the generated code with a lone surrogate is refused, and no connection is opened."""
    client = stub_client(any_client, unused_transport())
    with pytest.raises(InvalidRequestError, match=r"update_keyword_list: .*lone surrogate"):
        any_client.call(lambda chat: chat.api.send(prepare(LIST_ID, body=form)), client)


@pytest.mark.parametrize(
    "value", [5, ["spam"], {"spam": 1}, io.BytesIO(b"spam")], ids=lambda value: type(value).__name__
)
def test_form_value_that_is_not_text_is_refused(any_client: AnyClient, value: Any) -> None:
    """A form of the generated code with a value that is not text is refused, and the error names the field."""
    call = prepare(LIST_ID, body=KeywordListForm(category="word", search_terms=value))
    client = stub_client(any_client, unused_transport())
    with pytest.raises(InvalidRequestError, match=f"searchTerms .*{type(value).__name__}"):
        any_client.call(lambda chat: chat.api.send(call), client)
