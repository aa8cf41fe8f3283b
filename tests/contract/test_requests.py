"""The client against the description: it sends what the description allows, where it allows it, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.api.keywords import update_keyword_list
from cometchat_openapi.models import KeywordListForm
from cometchat_openapi.types import File as GeneratedFile
from cometchat_rest import InvalidRequestError, PatternListInput, SentenceSimilarityListInput, WordListInput
from cometchat_rest.testing import ReceivedRequest, Simulator

from . import wire
from .calls import CALLS
from .description import DOCUMENT, OPERATIONS, REPRODUCIBLE, SCHEMAS, values
from .house_rules import variants

if TYPE_CHECKING:
    from conftest import AnyClient

#: Each operation with path parameters.
BY_PATH = {name: call for name, call in CALLS.items() if "{" in OPERATIONS[name].path}
HONEST = st.from_regex("[A-Za-z0-9_-]{1,100}", fullmatch=True)
#: What could make a path another one, somewhere between here and the service.
NASTY = st.lists(
    st.sampled_from([".", "..", "/", "%2e", "%2F", "%252e", "\\", ";", "?", "#", "a", " ", "é", "\0"]), max_size=4
)
ANY_ID = HONEST | NASTY | st.text(st.characters(codec=None), max_size=20)
NUMBERS = st.none() | st.integers(-2, 1002) | st.integers() | st.sampled_from([True, 1.0, "1"])


class Sender:
    """Makes a client send, and reads what arrives."""

    def __init__(self, any_client: AnyClient, simulator: Simulator, **settings: Any) -> None:
        for operation in OPERATIONS.values():
            name: Any = operation.name
            simulator.fail(operation=name, status=200, body=operation.example, times=None)
        self._face, self._simulator = any_client, simulator
        self._client = any_client.client(**settings)
        self.seen: Counter[str] = Counter()

    def __call__(self, action: Callable[[Any], Any]) -> wire.Reading | None:
        """What arrived, in order with the description; `None` if the client refused and nothing arrived."""
        before = len(self._simulator.requests)
        try:
            self._face.call(action, self._client)
        except InvalidRequestError:
            assert len(self._simulator.requests) == before
            self.seen["refused"] += 1
            return None
        (request,) = self._simulator.requests[before:]
        reading = wire.read(request, self._simulator.api_key)
        assert reading.complaints == []
        self.seen["sent"] += 1
        return reading


@pytest.mark.parametrize("name", BY_PATH)
def test_a_request_goes_where_its_operation_says_or_nowhere(
    any_client: AnyClient, simulator: Simulator, name: str
) -> None:
    """Whatever is given as an identifier arrives as that identifier at that operation, or is refused unsent."""
    send = Sender(any_client, simulator)
    names = [each["name"] for each in OPERATIONS[name].parameters]

    @settings(REPRODUCIBLE, max_examples=150)
    @given(st.tuples(*[ANY_ID for _ in names]))
    @example(tuple(".." for _ in names))
    @example(tuple("" for _ in names))
    def check(ids: tuple[str, ...]) -> None:
        reading = send(lambda chat: BY_PATH[name](chat, *ids))
        if reading is not None:
            assert reading.operation == name
            assert reading.parameters == dict(zip(names, ids, strict=True))

    check()
    assert min(send.seen["sent"], send.seen["refused"]) > 10, send.seen


@pytest.mark.parametrize("name", BY_PATH)
def test_identifiers_of_the_service_are_never_refused(any_client: AnyClient, simulator: Simulator, name: str) -> None:
    """Every identifier made of letters, digits, hyphens and underscores can be sent."""
    send = Sender(any_client, simulator)
    names = [each["name"] for each in OPERATIONS[name].parameters]

    @settings(REPRODUCIBLE, max_examples=50)
    @given(st.tuples(*[HONEST for _ in names]))
    def check(ids: tuple[str, ...]) -> None:
        reading = send(lambda chat: BY_PATH[name](chat, *ids))
        assert reading is not None
        assert reading.parameters == dict(zip(names, ids, strict=True))

    check()


def described(name: str, parameter: str, value: Any) -> bool:
    """Whether the description allows a value for a query parameter, a number that nothing on the way rounds."""
    if value is None:
        return True
    (schema,) = (each["schema"] for each in OPERATIONS[name].parameters if each["name"] == parameter)
    # What is no whole number in Python would be another text on the wire.
    return type(value) is int and schema["minimum"] <= value <= schema.get("maximum", 2**53)


def test_a_page_of_roles_is_asked_for_as_described(any_client: AnyClient, simulator: Simulator) -> None:
    """Page and page size are sent under their names if the description allows them, and refused unsent if not."""
    send = Sender(any_client, simulator)

    @settings(REPRODUCIBLE, max_examples=150)
    @given(NUMBERS, NUMBERS)
    @example(None, 1000)
    @example(None, 1001)
    @example(0, None)
    def check(page: Any, per_page: Any) -> None:
        reading = send(lambda chat: chat.roles.list(page=page, per_page=per_page))
        if reading is None:
            assert not (described("list_roles", "page", page) and described("list_roles", "perPage", per_page))
        else:
            given_ones = {"page": page, "perPage": per_page}.items()
            assert reading.parameters == {key: value for key, value in given_ones if value is not None}

    check()
    assert min(send.seen["sent"], send.seen["refused"]) > 10, send.seen


def test_reviewed_messages_are_asked_for_as_described(any_client: AnyClient, simulator: Simulator) -> None:
    """The limit is sent if the description allows it, and refused unsent if not."""
    send = Sender(any_client, simulator)

    @settings(REPRODUCIBLE, max_examples=100)
    @given(NUMBERS)
    def check(limit: Any) -> None:
        reading = send(lambda chat: chat.reviewed_messages.list(limit=limit))
        if reading is None:
            assert not described("list_reviewed_messages", "limit", limit)
        else:
            assert reading.parameters == ({} if limit is None else {"limit": limit})

    check()
    assert min(send.seen["sent"], send.seen["refused"]) > 10, send.seen


@pytest.mark.parametrize("per_page", [1, 7, 25, 1000])
def test_every_page_of_an_iteration_is_asked_for_as_described(
    any_client: AnyClient, simulator: Simulator, per_page: int
) -> None:
    """Going through all roles asks for one page after the other, from the first, each of the size wanted."""
    roles = any_client.call(lambda chat: chat.roles.iter(per_page=per_page))
    assert [role.to_dict() for role in roles] == simulator.roles
    readings = [wire.read(request, simulator.api_key) for request in simulator.requests]
    assert [reading.complaints for reading in readings] == [[]] * len(readings)
    assert [reading.parameters for reading in readings] == [
        {"page": number, "perPage": per_page} for number in range(1, len(readings) + 1)
    ]
    assert len(readings) == -(-len(roles) // per_page)


# Forms.

SAMPLES = st.sampled_from(
    ["a,b", 'say "hi"', "a\r\nb", "--", "naïve 👋🏽", " x ", "%22", "\\", r"\d{3}-\d{4}", "[^a]+"]
)
GOOD = SAMPLES | st.text(min_size=1, max_size=20).filter(str.strip)
#: Mostly what can be sent; now and then a blank, half a character, a comma in the wrong place.
TEXT = st.one_of(*[GOOD] * 7, st.text(st.characters(codec=None), max_size=3))
TERM = GOOD.filter(lambda term: "," not in term and len(term.splitlines()) == 1)
FILE = st.binary(min_size=1, max_size=60)
COMMON = {
    "id": st.none() | TEXT,
    "name": st.none() | TEXT,
    "description": st.none() | TEXT,
}
TERMS_INPUT = st.one_of(
    st.fixed_dictionaries({**COMMON, "search_terms": st.lists(TERM, min_size=2, max_size=4) | TEXT}),
    st.fixed_dictionaries({**COMMON, "file": FILE}),
    st.fixed_dictionaries(COMMON, optional={"search_terms": st.lists(TEXT, max_size=4), "file": FILE | st.just(b"")}),
)
SENTENCES_INPUT = st.fixed_dictionaries(
    {**COMMON, "disallowed_sentences": st.lists(TEXT, max_size=4), "file": st.none() | FILE}
)
#: For each category, the class of its inputs and what can be tried to make one of.
INPUTS: dict[str, tuple[Callable[..., Any], st.SearchStrategy[dict[str, Any]]]] = {
    "word": (WordListInput, TERMS_INPUT),
    "pattern": (PatternListInput, TERMS_INPUT),
    "sentence-similarity": (SentenceSimilarityListInput, SENTENCES_INPUT),
}


def on_the_wire(category: str, given_ones: dict[str, Any]) -> dict[str, Any]:
    """What has to arrive, from what was given."""
    form = {"category": category, **given_ones}
    if category == "sentence-similarity":
        form["disallowedSentences"] = form.pop("disallowed_sentences")
    else:
        terms = form.pop("search_terms", "")
        form["searchTerms"] = terms if isinstance(terms, str) else ",".join(terms)
    return {name: value for name, value in form.items() if value is not None}


@pytest.mark.parametrize("category", INPUTS)
def test_a_form_arrives_as_it_was_given(any_client: AnyClient, simulator: Simulator, category: str) -> None:
    """Every input that can be made arrives as the form of its category, each value as it was, and nothing else."""
    send = Sender(any_client, simulator)
    kind, inputs = INPUTS[category]

    @settings(REPRODUCIBLE, max_examples=200)
    @given(inputs)
    def check(fields: dict[str, Any]) -> None:
        reading = send(lambda chat: chat.keywords.update("profanity-list", kind(**fields)))
        if reading is None:
            return
        expected = on_the_wire(category, fields)
        entries = fields.get("search_terms", fields.get("disallowed_sentences"))
        if isinstance(entries, list) and len(entries) > 1:
            send.seen["several"] += 1
        if "file" in expected:
            send.seen["file"] += 1
            file = reading.form["file"]
            assert file.content == expected["file"]
            assert file.name
            assert file.content_type.partition(";")[0] == "text/csv"
            expected["file"] = file
        assert reading.form == expected

    check()
    assert min(send.seen[each] for each in ("sent", "refused", "several", "file")) > 10, send.seen


VARIANTS = variants(DOCUMENT, SCHEMAS["KeywordListForm"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_form_of_the_contract_can_be_sent(any_client: AnyClient, simulator: Simulator, variant: str) -> None:
    """Whatever the description allows as a form goes through the layer below just as it is."""
    send = Sender(any_client, simulator)
    encodable = values(VARIANTS[variant]).filter(lambda form: not has_surrogates(form))

    @settings(REPRODUCIBLE, max_examples=100)
    @given(encodable)
    def check(form: dict[str, Any]) -> None:
        body = KeywordListForm.from_dict(form)
        if "file" in form:
            body.file = GeneratedFile(form["file"].encode(), "terms.csv", "text/csv")
        function = update_keyword_list.sync if any_client.kind == "sync" else update_keyword_list.asyncio
        reading = send(lambda chat: function("profanity-list", client=chat.api, body=body))
        assert reading is not None
        arrived = {
            name: each.content.decode() if isinstance(each, wire.File) else each for name, each in reading.form.items()
        }
        assert arrived == form

    check()


def has_surrogates(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(has_surrogates, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


# Headers.


@pytest.mark.parametrize("name", OPERATIONS)
def test_acting_on_behalf_of_a_user_changes_one_header_alone(
    any_client: AnyClient, simulator: Simulator, name: str
) -> None:
    """Every operation carries the key, once and nowhere else; `on_behalf_of` adds its header and nothing more."""
    plain, acting = Sender(any_client, simulator), Sender(any_client, simulator, on_behalf_of="bob")
    assert plain(CALLS[name]) == acting(CALLS[name])
    without, with_it = simulator.requests
    assert (without.header("onbehalfof"), with_it.header("onbehalfof")) == (None, "bob")
    # A form's boundary is another one each time.
    own = {"onbehalfof", "content-type"}
    assert [each for each in with_it.headers if each[0] not in own] == [
        each for each in without.headers if each[0] not in own
    ]


# The reader of requests itself.

KEY = "4d1f0b7a92c85e36"
BOUNDARY = {"content-type": "multipart/form-data; boundary=b"}


def multipart(*parts: tuple[str, str]) -> bytes:
    return (
        b"".join(f"--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{value}\r\n".encode() for head, value in parts)
        + b"--b--\r\n"
    )


def request(
    method: str,
    path: str,
    *,
    query: str = "",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
) -> ReceivedRequest:
    own = {"apikey": KEY} | (headers or {})
    return ReceivedRequest(method, path, query, tuple(own.items()), body, None)


LIST = "/v3/moderation/keywords/a"
TOKEN = "/v3/users/alice/auth_tokens"
WORDS = (('name="category"', "word"), ('name="searchTerms"', "spam"))


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (request("GET", "/v3/roles", headers={"apikey": "other"}), "key"),
        (request("GET", "/v3/roles", headers={"apikey": f"{KEY}, {KEY}"}), "key"),
        (request("GET", "/v3/roles", headers={"referer": KEY}), "outside"),
        (request("GET", "/v3/roles", query=f"page={KEY}"), "outside"),
        (request("POST", "/v3/roles"), "no operation"),
        (request("GET", "/v3/roles/"), "no operation"),
        (request("GET", "/roles"), "no operation"),
        (request("DELETE", TOKEN), "no operation"),
        (request("DELETE", f"{TOKEN}/"), "no operation"),
        (request("DELETE", "/v3/users/alice"), "no operation"),
        (request("DELETE", f"{TOKEN}/a b"), "no operation"),
        (request("DELETE", f"{TOKEN}/a%2"), "no operation"),
        (request("GET", "/v3/roles", query="perPage=1001"), "maximum"),
        (request("GET", "/v3/roles", query="perPage=0"), "minimum"),
        (request("GET", "/v3/roles", query="page=1.0"), "type"),
        (request("GET", "/v3/roles", query="page=1&page=1"), "twice"),
        (request("GET", "/v3/roles", query="per_page=1"), "not described"),
        (request("GET", LIST, query="page=1"), "not described"),
        (request("GET", LIST, body=b"{}"), "none is described"),
        (request("GET", LIST, headers={"content-type": "application/json"}), "none is described"),
        (request("PUT", LIST, body=b"{}", headers={"content-type": "application/json"}), "not described"),
        (request("PUT", LIST), "no content type"),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart()), "'category' is a required"),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart(WORDS[0])), "not valid under any"),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, *WORDS)), "twice"),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, ('name="x"', "1"))), "'x' was unexpected"),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, ('name="file"', "1"))), "no file"),
        (
            request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, ('name="name"; filename="a"', "1"))),
            "not one file",
        ),
        (
            request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, ('name="disallowedSentences"', "a"))),
            "not valid under any",
        ),
        (request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS)[:-8]), "Invalid form-data"),
    ],
)
def test_a_request_outside_the_description_is_noticed(sent: ReceivedRequest, complaint: str) -> None:
    """What the tests above hold requests against does tell a wrong request from a right one."""
    complaints = wire.read(sent, KEY).complaints
    assert any(complaint in each for each in complaints), complaints


@pytest.mark.parametrize(
    "sent",
    [
        request("GET", "/v3/roles", query="page=1&perPage=1000"),
        request("GET", LIST),
        request("DELETE", f"{TOKEN}/a%2Fb"),
        request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS)),
        request("PUT", LIST, headers=BOUNDARY, body=multipart(*WORDS, ('name="file"; filename="a"', "1"))),
    ],
)
def test_a_request_of_the_description_is_right(sent: ReceivedRequest) -> None:
    """What the tests above hold requests against finds no fault with a right request."""
    assert wire.read(sent, KEY).complaints == []
