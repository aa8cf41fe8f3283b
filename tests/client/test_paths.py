"""A request goes where its operation says, with the content it was given, or nowhere."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import httpx
import pytest
from attrs import frozen
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import KeywordListForm
from cometchat_openapi.types import File
from cometchat_rest import (
    ApiError,
    CometChatError,
    InvalidRequestError,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest.keyword_input import CsvFile
from cometchat_rest.testing import ReceivedRequest, Simulator

from .support import (
    LIST_ID,
    UPDATE,
    Chat,
    Part,
    Stub,
    always,
    form_of,
    origin_of,
    path_of,
    raised,
    stub_client,
    untouchable,
    values_in,
)

if TYPE_CHECKING:
    from conftest import AnyClient

BASE_URL = "https://chat.example:8443/chat/v3"


def examples(number: int) -> settings:
    """So many examples, always the same ones; the clients live longer than one of them."""
    return settings(
        max_examples=number,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


# Hostile values for what goes into a path.


class Text(str):
    """A string that says one thing of itself and is another."""

    __slots__ = ()

    def __str__(self) -> str:
        return ".."

    def __format__(self, _: str) -> str:
        return "../.."

    def encode(self, *_: Any, **__: Any) -> bytes:
        return b"../.."


WHOLE: list[Any] = [
    *("", ".", "..", "...", "....", " ", "  ..", ".. ", "\t", "\u00a0..", "..\u3000", "\ufeff..", ".\u200b."),
    *("%2e", "%2E%2e", ".%2e", "%252e%252e", "%25252e%25252e", "%2e%2e%2f", "a%2f..", "..%5c", "%c0%ae", "%uff0e"),
    *("/", "//", "\\", "a/b", "../x", "x/..", "..\\..", "/etc", "//evil.example/", "\\\\evil.example", "a%2Fb"),
    *("..;", ";", "..;x=y", "a;b", ".;/..", ";/../", "..%3b", "%3b", "..%00", "%00", "%0d%0aX:%20y", "%7f"),
    *(
        "?",
        "#",
        "a?b=c",
        "a#b",
        "?apikey=x",
        "a&b",
        "@evil.example",
        "user:x@evil.example",
        ":80",
        "http://evil.example",
    ),
    *("\0", "a\0b", "\r\n", "a\r\nX-Evil: 1", "a\nb", "\x1b[0m", "\x7f", "\x85", "\u2028", "\u2029"),
    *(
        "\ud800",
        "a\udfffb",
        "\udc2e\udc2e",
        "\uff0e\uff0e",
        "\u2025",
        "\u3002\u3002",
        "\uff0f",
        "\uff3c",
        "\uff05\uff12\uff45",
        "\ufb00",
        "\u0130",
        "\u017f",
        "\u212a",
    ),
    *("a" * 10_240, "../" * 5_000, "%2e" * 5_000, "é" * 10_240, "." * 10_240, "a" * 1024, "%25" * 340 + "2e"),
    *(
        "alice",
        "profanity-list",
        "a.b",
        "a b",
        "100%",
        "%",
        "%zz",
        "%2",
        "~",
        "-",
        "_",
        "{uid}",
        "{keyword_id}",
        "auth_tokens",
    ),
    *(
        "приве́т",
        "שלום",
        "你好",
        "👩🏽‍🚀",
        "e\u0301",
        "\u202eabc",
        "a+b",
        "a=b",
        "a,b",
        "a'b",
        'a"b',
        "a<b>",
        "a|b",
        "^`",
    ),
    *(
        b"",
        b"alice",
        b"..",
        bytearray(b"x"),
        memoryview(b"x"),
        None,
        0,
        5,
        -1,
        1.5,
        True,
        [],
        ["a"],
        ("a",),
        {},
        object(),
    ),
    *(Path("alice"), Text("alice"), Text(".."), Text("a/b"), str, lambda: "x"),
]
ATOMS = [
    *(".", "..", "/", "\\", "%", "2e", "2E", "2f", "5c", "25", "%2e", "%2f", "%5c", "%25", "%00", "%0a", ";", "?", "#"),
    *(
        "&",
        "=",
        "@",
        ":",
        " ",
        "\t",
        "\r",
        "\n",
        "\0",
        "\x7f",
        "\u2028",
        "\ud800",
        "\uff0e",
        "\uff0f",
        "é",
        "字",
        "a",
        "x",
        "-",
    ),
]


SOUND = ["alice", "profanity-list", "a.b", "a b", "100%", "...", "é", "你好 שלום", "a+b", "{uid}", "a:b@c", "x" * 1024]


def hostile() -> st.SearchStrategy[Any]:
    """Anything a caller could pass for an id, and some things that no one would."""
    return st.one_of(
        st.sampled_from(SOUND),
        st.sampled_from(WHOLE),
        st.lists(st.sampled_from(ATOMS), max_size=8).map("".join),
        st.text(max_size=20),
        st.text(st.characters(categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), max_size=5),
        st.binary(max_size=8),
        st.integers(),
        st.none(),
    )


@frozen
class Target:
    """An operation with path parameters, called by a function of a client and of these values."""

    name: str
    template: str
    parameters: tuple[str, ...]
    act: Callable[..., Any]


FORM = KeywordListForm(category="word", search_terms="spam")
RESOURCES = (
    Target(
        "get_keyword_list",
        "/moderation/keywords/{keyword_id}",
        ("keyword_id",),
        lambda chat, *values: chat.keywords.get(*values),
    ),
    Target(
        "update_keyword_list",
        "/moderation/keywords/{keyword_id}",
        ("keyword_id",),
        lambda chat, *values: chat.keywords.update(*values, UPDATE),
    ),
    Target(
        "delete_auth_token",
        "/users/{uid}/auth_tokens/{auth_token}",
        ("uid", "auth_token"),
        lambda chat, *values: chat.auth_tokens.delete(*values),
    ),
)
DELETE_TOKEN = RESOURCES[-1]
# The functions of the layer below, two for each client.
GENERATED: dict[str, tuple[Any, dict[str, Any]]] = {
    "get_keyword_list": (get_keyword_list, {}),
    "update_keyword_list": (update_keyword_list, {"body": FORM}),
    "delete_auth_token": (delete_auth_token, {}),
}
FUNCTIONS = {"sync": ("sync", "sync_detailed"), "async": ("asyncio", "asyncio_detailed")}


def below(target: Target, function: str) -> Callable[..., Any]:
    """The same operation, through a function of the generated package and `chat.api`."""
    module, arguments = GENERATED[target.name]
    return lambda chat, *values: getattr(module, function)(*values, client=chat.api, **arguments)


def calling(act: Callable[..., Any], *values: Any) -> Callable[[Chat], Any]:
    """A call with these values, for whichever client."""
    return lambda chat: act(chat, *values)


def judge(requests: list[Any], error: BaseException | None, target: Target, values: tuple[Any, ...]) -> bool:
    """Whether the call was sent; fails unless it went exactly where it should, or nowhere."""
    if isinstance(error, InvalidRequestError):
        assert requests == []
        return False
    assert error is None or isinstance(error, CometChatError), error
    (request,) = requests
    # The values arrived as they were, one in each segment; whatever is no string cannot have been sent.
    found = values_in(target.template, path_of(request)[len(PREFIXES[type(request)]) :])
    assert found == dict(zip(target.parameters, map(str.__str__, values), strict=True))
    assert path_of(request).startswith(PREFIXES[type(request)])
    return True


# What stands before the paths of BASE_URL, and of the simulator.
PREFIXES: dict[type, str] = {httpx.Request: "/chat/v3", ReceivedRequest: "/v3"}


@pytest.mark.parametrize("target", RESOURCES, ids=lambda target: target.name)
def test_a_path_matches_its_template(any_client: AnyClient, target: Target) -> None:
    """Whatever is passed for an id goes out as the one segment it is meant for, on its own host, or not at all."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    sent = 0

    @examples(300)
    @given(st.tuples(*(hostile() for _ in target.parameters)))
    def check(values: tuple[Any, ...]) -> None:
        nonlocal sent
        stub.requests.clear()
        error = raised(any_client, calling(target.act, *values), client)
        if judge(stub.requests, error, target, values):
            sent += 1
            assert origin_of(str(stub.requests[0].url)) == ("https", "chat.example", 8443)
            assert not stub.requests[0].url.query
            assert not stub.requests[0].url.fragment
            assert stub.requests[0].headers.get_list("host") == ["chat.example:8443"]

    check()
    # Were everything refused, there would be nothing to see.
    assert sent > 20


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("target", RESOURCES, ids=lambda target: target.name)
def test_a_path_matches_its_template_in_the_layer_below(any_client: AnyClient, target: Target, which: int) -> None:
    """The functions of the generated package, given `chat.api`, keep the same law."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    act = below(target, FUNCTIONS[any_client.kind][which])
    sent = 0

    @examples(200)
    @given(st.tuples(*(hostile() for _ in target.parameters)))
    def check(values: tuple[Any, ...]) -> None:
        nonlocal sent
        stub.requests.clear()
        error = raised(any_client, calling(act, *values), client)
        if judge(stub.requests, error, target, values):
            sent += 1
            assert origin_of(str(stub.requests[0].url)) == ("https", "chat.example", 8443)

    check()
    assert sent > 15


@pytest.mark.parametrize("target", RESOURCES, ids=lambda target: target.name)
def test_nothing_happens_to_others(any_client: AnyClient, simulator: Simulator, target: Target) -> None:
    """Over real connections no value whatsoever reaches a neighbour, and what is refused does not reach the service."""
    client = any_client.client(max_retries=0)
    careful = stub_client(any_client, stub := Stub(always(404)), base_url=simulator.base_url)
    acts = (target.act, *(below(target, function) for function in FUNCTIONS[any_client.kind]))
    for value in WHOLE:
        # Of the token's own user or another one, a value that is of use and one that is not.
        pairs = [(value,)] if len(target.parameters) == 1 else [(value, "x"), ("alice", value)]
        for act, values in itertools.product(acts, pairs):
            before = len(simulator.requests)
            error = raised(any_client, calling(act, *values), client)
            received = simulator.requests[before:]
            assert isinstance(error, InvalidRequestError | ApiError | None)
            sent = judge(received, error, target, values)
            assert [request.operation for request in received] == [target.name] * sent
            # A transport of the caller's own is no way around, and is not narrower either.
            stub.requests.clear()
            raised(any_client, calling(act, *values), careful)
            assert len(stub.requests) == sent
    assert simulator.damage == []
    assert simulator.users.keys() == Simulator().users.keys()


def test_what_is_refused_touches_nothing(any_client: AnyClient) -> None:
    """A refusal names the parameter and never shows what was passed, and nothing was so much as connected to."""
    client = stub_client(any_client, untouchable())
    refused = [each for each in WHOLE if not isinstance(each, str) or each.strip() in ("", ".", "..") or "/" in each]
    for value in (*refused, "a" * 1025, "a" * 10_240, "\u00e9" * 10_240):
        for parameter, values in (("uid", (value, "x")), ("auth_token", ("alice", value))):
            with pytest.raises(InvalidRequestError, match=parameter) as caught:
                any_client.call(calling(DELETE_TOKEN.act, *values), client)
            error = caught.value
            assert (error.attempts, error.outcome_unknown) == (0, False)
            if isinstance(value, str) and len(value) > 3:
                assert value not in str(error)


def test_a_refusal_says_why(any_client: AnyClient) -> None:
    """A refusal names the argument, as the method and as the layer below call it, and the one thing that is wrong."""
    client = stub_client(any_client, untouchable())
    refused = {
        "..": "'.' or '..'",
        "a/b": "no '/'",
        " ": "empty or blank",
        "a\n": "control character",
        "\udfff": "surrogate",
    }
    for value, fault in refused.items():
        for act in (
            lambda chat, value=value: chat.keywords.get(value),
            lambda chat, value=value: chat.keywords.update(value, UPDATE),
        ):
            with pytest.raises(InvalidRequestError, match=rf"^list_id \(keyword_id\) must .*{re.escape(fault)}"):
                any_client.call(act, client)


@pytest.mark.parametrize("which", [0, 1])
def test_a_query_stays_one(any_client: AnyClient, which: int) -> None:
    """Whatever the layer below is given for a query parameter is the value of that parameter, and nothing else."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    function = FUNCTIONS[any_client.kind][which]
    text = st.one_of(
        st.lists(st.sampled_from([*ATOMS, "&perPage=1", "+", "%26"]), max_size=6).map("".join),
        st.text(max_size=10),
        st.integers(),
    )

    def send(act: Callable[[Chat], Any], path: str, expected: list[tuple[str, Any]]) -> None:
        stub.requests.clear()
        error = raised(any_client, act, client)
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
        roles, messages = getattr(list_roles, function), getattr(list_reviewed_messages, function)
        send(lambda chat: roles(client=chat.api, page=one, per_page=two), "/roles", [("page", one), ("perPage", two)])
        send(lambda chat: messages(client=chat.api, limit=one), "/moderation/reviewed-messages", [("limit", one)])

    check()


# Forms.

FORM_ATOMS = [
    *("\r\n--+++", "\r\n--+++--", "\r\n--+++--\r\n", "--", "\r\n--", "\r\n----", "\r\n\r\n", "\r\n", "\n--", "\r"),
    *("--" + "0" * 32, "\r\n--" + "f" * 32, "\r\n--" + "f" * 32 + "--\r\n", "--boundary", "\r\n--boundary--\r\n"),
    'Content-Disposition: form-data; name="category"\r\n\r\npattern',
    '\r\n--+++\r\nContent-Disposition: form-data; name="category"\r\n\r\npattern\r\n--+++--\r\n',
    *('"', '"; name="category', '"; filename="x', "\\", '\\"', "%22", "%0d%0a", ";", "=", "&", "'", "\t", " "),
    *("\0", "\x1a", "\x7f", "é", "字", "👩🏽‍🚀", "\u2028", "\ufeff", "\u202e", "a", "category", "word", "x" * 100),
]


def texts() -> st.SearchStrategy[str]:
    """Text that could end a part, begin one, or be mistaken for a header; never blank, which is refused."""
    wild = st.one_of(
        st.lists(st.sampled_from(FORM_ATOMS), max_size=6).map("".join),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    )
    return wild.map(lambda text: text if text.strip() else f"x{text}")


def terms() -> st.SearchStrategy[str]:
    """The same without what would make two terms of one."""
    return texts().map(lambda text: "x" + "".join(re.sub(",", "", text).splitlines()))


def files() -> st.SearchStrategy[CsvFile]:
    content = st.one_of(texts().map(str.encode), st.binary(min_size=1, max_size=50))
    return st.builds(CsvFile, texts(), content)


def inputs() -> st.SearchStrategy[KeywordListInput]:
    common: dict[str, Any] = dict.fromkeys(("id", "name", "description"), st.none() | texts())
    search_terms = st.lists(terms(), min_size=1, max_size=4) | texts()
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
    """What an update must consist of, written down from the contract and not from the client."""
    fields = [("category", new.category), ("id", new.id), ("name", new.name), ("description", new.description)]
    if isinstance(new, SentenceSimilarityListInput):
        fields += [("disallowedSentences", sentence) for sentence in new.disallowed_sentences]
    else:
        check_terms = new.search_terms
        fields.append(("searchTerms", check_terms if isinstance(check_terms, str) else ",".join(check_terms)))
    parts = [Part(name, value.encode()) for name, value in fields if value is not None]
    if new.file is not None:
        # Quotes go out as HTML has it, so that these two spellings are one.
        parts.append(Part("file", new.file.content, new.file.name.replace("%22", '"'), "text/csv"))
    return parts


def check_form(request: Any, new: KeywordListInput) -> None:
    """That the form is the input, part by part; the parts of one field keep their order."""
    sent, expected = form_of(request), expected_of(new)
    assert sorted(sent, key=lambda part: part.name) == sorted(expected, key=lambda part: part.name)
    assert [part.content for part in sent if part.name == "category"] == [new.category.encode()]


@examples(200)
@example(WordListInput(search_terms='x\r\n--+++\r\nContent-Disposition: form-data; name="category"\r\n\r\npattern'))
@example(WordListInput(file=b"x\r\n--+++--\r\n"))
@given(inputs())
def test_a_form_is_its_input(any_client: AnyClient, new: KeywordListInput) -> None:
    """No value, file or file name can end a part, add a field or change the category: all arrives as it was given."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub)
    raised(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
    (request,) = stub.requests
    check_form(request, new)
    assert request.headers["content-length"] == str(len(request.content))
    any_client.close(client)


@examples(60)
@given(inputs())
def test_a_form_is_its_input_over_the_network(
    any_client: AnyClient, simulator: Simulator, new: KeywordListInput
) -> None:
    """Over real connections, too, what arrives is what was given."""
    client = any_client.client(max_retries=0)
    error = raised(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
    assert isinstance(error, ApiError | None), error
    check_form(simulator.requests[-1], new)
    assert simulator.requests[-1].operation == "update_keyword_list"
    any_client.close(client)


def test_a_boundary_that_was_seen_before(any_client: AnyClient) -> None:
    """Who saw the boundary of one update can do nothing with it in the next."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub)
    text = "x"

    def update(chat: Chat, new: KeywordListInput) -> Any:
        return chat.keywords.update(LIST_ID, new)

    for _ in range(5):
        new = SentenceSimilarityListInput(disallowed_sentences=[text], name=text, file=text.encode())
        raised(any_client, calling(update, new), client)
        check_form(stub.requests[-1], new)
        boundary = stub.requests[-1].headers["content-type"].partition("boundary=")[2]
        part = f'Content-Disposition: form-data; name="category"\r\n\r\nword\r\n--{boundary}--\r\n'
        text = f"\r\n--{boundary}\r\n{part}\r\n--{boundary}--\r\n"


@pytest.mark.parametrize(
    "name",
    [
        *('a"b.csv', 'a"; name="category.csv', "a\\b.csv", "a;b=c.csv", "a\r\nX-Evil: 1\r\n\r\n.csv", "a\nb.csv"),
        *("приве́т 你好.csv", "%22.csv", "'.csv", " .csv", "\u202ecsv.exe", "a\x1bb.csv", "\u2028.csv", "x" * 250),
    ],
    ids=ascii,
)
def test_a_file_name_stays_one(any_client: AnyClient, simulator: Simulator, tmp_path: Path, name: str) -> None:
    """A file may be called anything that a disk allows: its name stays in its header, and its content arrives."""
    path = tmp_path / name
    path.write_bytes(b"spam")
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=path)))
    sent = form_of(simulator.requests[0])
    assert sorted(part.name for part in sent) == ["category", "file", "searchTerms"]
    (file,) = (part for part in sent if part.filename is not None)
    assert (file.name, file.content, file.content_type) == ("file", b"spam", "text/csv")
    assert file.filename in (name.replace("%22", '"'), "keywords.csv")
    assert not {"\r", "\n"} & set(file.filename or "")


@examples(200)
@given(texts(), texts(), texts(), st.binary(max_size=50))
def test_a_form_of_the_layer_below(
    any_client: AnyClient, text: str, file_name: str, mime_type: str, payload: bytes
) -> None:
    """Forms that are made by hand for the layer below cannot be broken out of either: sent as they are, or refused."""
    stub = Stub(always(404))
    client = stub_client(any_client, stub)
    form = KeywordListForm(
        category="word",
        id=text,
        name=text,
        search_terms=text,
        disallowed_sentences=[text, text],
        file=File(payload, file_name, mime_type),
    )
    function = getattr(update_keyword_list, FUNCTIONS[any_client.kind][0])
    error = raised(any_client, lambda chat: function(LIST_ID, body=form, client=chat.api), client)
    any_client.close(client)
    if isinstance(error, InvalidRequestError):
        assert stub.requests == []
        assert not mime_type.isprintable() or not mime_type.isascii()
        return
    sent = form_of(stub.requests[0])
    assert sorted((part.name, part.content) for part in sent if part.filename is None) == sorted(
        [
            ("category", b"word"),
            *((name, text.encode()) for name in ("id", "name", "searchTerms")),
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


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("form", BROKEN_FORMS.values(), ids=BROKEN_FORMS)
def test_a_form_that_no_request_can_carry(any_client: AnyClient, form: KeywordListForm, which: int) -> None:
    """A form of the layer below with half a surrogate pair anywhere is refused, and nothing is connected to."""
    function = getattr(update_keyword_list, FUNCTIONS[any_client.kind][which])
    client = stub_client(any_client, untouchable())
    with pytest.raises(InvalidRequestError, match="update_keyword_list: a lone surrogate"):
        any_client.call(lambda chat: function(LIST_ID, body=form, client=chat.api), client)


@pytest.mark.parametrize(
    "value", [5, ["spam"], {"spam": 1}, io.BytesIO(b"spam")], ids=lambda value: type(value).__name__
)
def test_a_form_of_other_things_than_text(any_client: AnyClient, value: Any) -> None:
    """A form of the layer below that holds anything but text is refused, by the name of the field."""
    form = KeywordListForm(category="word", search_terms=value)
    client = stub_client(any_client, untouchable())
    function = getattr(update_keyword_list, FUNCTIONS[any_client.kind][0])
    with pytest.raises(InvalidRequestError, match=f"searchTerms: .*{type(value).__name__}"):
        any_client.call(lambda chat: function(LIST_ID, body=form, client=chat.api), client)
