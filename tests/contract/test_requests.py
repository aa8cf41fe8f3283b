"""The client against the description: every request is valid, and an invalid request is not
sent."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_openapi.api.keywords.update_keyword_list import prepare
from cometchat_openapi.models import KeywordListForm
from cometchat_rest import (
    InvalidRequestError,
    PatternListInput,
    SentenceSimilarityListInput,
    UnexpectedResponse,
    WordListInput,
)
from cometchat_runtime.model import File as GeneratedFile
from cometchat_testing import Simulator
from tools.description import snake_case

from ..conftest import AnyClient
from ..described_calls import LARGEST_PAGE, described_calls, examples_in_path
from . import wire
from .calls import CALLS
from .description import OPERATIONS, examples, forms, validator, values

#: Each operation with path parameters.
BY_PATH = {name: call for name, call in CALLS.items() if "{" in OPERATIONS[name].path}
ORDINARY = st.from_regex("[A-Za-z0-9_-]{1,100}", fullmatch=True)
#: Characters that could change the path between the client and the service.
DANGEROUS = st.lists(
    st.sampled_from(
        [".", "..", "/", "%2e", "%2F", "%252e", "\\", ";", "?", "#", "a", " ", "é", "\0"]
    ),
    max_size=4,
).map("".join)
ANY_ID = ORDINARY | DANGEROUS | st.text(st.characters(codec=None), max_size=20)
EDGES = st.sampled_from([0, 1, LARGEST_PAGE, LARGEST_PAGE + 1])
NUMBERS = (
    st.none()
    | EDGES
    | st.integers(1, LARGEST_PAGE)
    | st.integers()
    | st.sampled_from([True, 1.0, "1"])
)


class Sender:
    """Sends requests with a client, and reads them on arrival."""

    def __init__(self, any_client: AnyClient, simulator: Simulator, **settings: Any) -> None:
        for operation in OPERATIONS.values():
            name: Any = operation.name
            simulator.fail(
                operation=name, status=operation.status, body=operation.example, times=None
            )
        self._any_client, self._simulator = any_client, simulator
        self._client = any_client.client(**settings)
        self.seen: Counter[str] = Counter()

    def __call__(self, action: Callable[[Any], Any]) -> wire.Reading | None:
        """The received request, checked against the description; `None` if the client refused
        the call."""
        before = len(self._simulator.requests)
        try:
            self._any_client.call(action, self._client)
        except InvalidRequestError:
            assert len(self._simulator.requests) == before
            self.seen["refused"] += 1
            return None
        except UnexpectedResponse:
            # The example that answers is about another list than the call.
            self.seen["other"] += 1
        (request,) = self._simulator.requests[before:]
        reading = wire.read(request, self._simulator.api_key)
        assert reading.problems == []
        self.seen["sent"] += 1
        return reading


def in_path(name: str, texts: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Values of an operation's path parameters, in their order: `texts`, and values of the other
    types."""
    schemas = {
        each["name"]: each["schema"] for each in OPERATIONS[name].parameters if each["in"] == "path"
    }
    order = re.findall(r"\{(.*?)\}", OPERATIONS[name].path)
    # In Python, 5.0 is no int; and not every reader of JSON knows larger integers.
    others = {
        key: values({"maximum": 2**53, **schemas[key]}).filter(
            lambda value: type(value) is not float
        )
        for key in order
    }
    choices = [texts if schemas[key].get("type") == "string" else others[key] for key in order]
    return st.tuples(*choices).map(lambda chosen: dict(zip(order, chosen, strict=True)))


@pytest.mark.parametrize("name", BY_PATH)
def test_request_reaches_its_operation_or_is_refused(
    any_client: AnyClient, simulator: Simulator, name: str
) -> None:
    """Every identifier arrives unchanged at its operation, or is refused before a request is sent.
    One of letters, digits, hyphens and underscores is never refused."""
    send = Sender(any_client, simulator)

    @examples(150)
    @given(in_path(name, ANY_ID | st.sampled_from(["..", ""])))
    def check(ids: dict[str, Any]) -> None:
        reading = send(lambda chat: BY_PATH[name](chat, *ids.values()))
        if reading is None:
            assert not all(re.fullmatch("[A-Za-z0-9_-]{1,100}", str(each)) for each in ids.values())
        else:
            assert (reading.operation, reading.parameters) == (name, ids)

    check()
    # A number may have no limit.
    has_text = any(
        each["in"] == "path" and each["schema"]["type"] == "string"
        for each in OPERATIONS[name].parameters
    )
    assert min(send.seen["sent"], send.seen["refused"] if has_text else 2) > 1, send.seen


def is_described(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a schema allows an absent value or an integer, and the value is not too large for
    a float."""
    # A value that is not an int in Python would be another text in the query.
    is_number = type(value) is int and abs(value) <= 2**53
    return value is None or (is_number and validator(schema).is_valid(value))


#: The integers in the query of each operation that has some, by their arguments.
BY_NUMBER = {
    name: found
    for name, each in OPERATIONS.items()
    if (
        found := {
            snake_case(p["name"]): p
            for p in each.parameters
            if p["in"] == "query" and "minimum" in p["schema"]
        }
    )
}


@pytest.mark.parametrize("name", BY_NUMBER)
def test_numbers_match_the_description(
    any_client: AnyClient, simulator: Simulator, name: str
) -> None:
    """Valid numbers are sent under their names; invalid numbers are refused before a request is
    sent."""
    send, numbers, call = Sender(any_client, simulator), BY_NUMBER[name], described_calls()[name]

    @examples(200)
    @given(st.fixed_dictionaries(dict.fromkeys(numbers, NUMBERS)))
    def check(arguments: dict[str, Any]) -> None:
        reading = send(lambda chat: call.act(chat, **arguments))
        if reading is None:
            assert not all(
                is_described(numbers[each]["schema"], value) for each, value in arguments.items()
            )
        else:
            sent = {
                numbers[each]["name"]: value
                for each, value in arguments.items()
                if value is not None
            }
            assert reading.parameters == examples_in_path(call.operation) | sent

    check()
    assert min(send.seen["sent"], send.seen["refused"]) > 1, send.seen


# Forms.

SAMPLES = st.sampled_from(
    ["a,b", 'say "hi"', "a\r\nb", "--", "naïve 👋🏽", " x ", "%22", "\\", r"\d{3}-\d{4}", "[^a]+"]
)
GOOD = SAMPLES | st.text(min_size=1, max_size=20).filter(str.strip)
#: Mostly valid texts; sometimes white space, a single surrogate, or a comma in the wrong place.
TEXT = st.one_of(*[GOOD] * 7, st.text(st.characters(codec=None), max_size=3))
TERM = GOOD.filter(lambda term: "," not in term and len(term.splitlines()) == 1)
#: Mostly UTF-8. A byte order mark would be removed.
FILE = st.one_of(
    *[st.text(min_size=1, max_size=60).filter(lambda text: text[0] != "\ufeff").map(str.encode)]
    * 3,
    st.binary(min_size=1, max_size=60).filter(lambda content: content[:3] != b"\xef\xbb\xbf"),
)
COMMON = {"id": st.none() | TEXT, "name": st.none() | TEXT, "description": st.none() | TEXT}
TERMS_INPUT = st.one_of(
    st.fixed_dictionaries({**COMMON, "search_terms": st.lists(TERM, min_size=2, max_size=4)}),
    st.fixed_dictionaries({**COMMON, "search_terms": TEXT}),
    st.fixed_dictionaries({**COMMON, "file": FILE}),
    st.fixed_dictionaries(
        COMMON, optional={"search_terms": st.lists(TEXT, max_size=4), "file": FILE | st.just(b"")}
    ),
)
SENTENCES_INPUT = st.fixed_dictionaries(
    {**COMMON, "disallowed_sentences": st.lists(TEXT, max_size=4), "file": st.none() | FILE}
)
#: For each category, the class of its inputs and the arguments to try.
INPUTS: dict[str, tuple[Callable[..., Any], st.SearchStrategy[dict[str, Any]]]] = {
    "word": (WordListInput, TERMS_INPUT),
    "pattern": (PatternListInput, TERMS_INPUT),
    "sentence-similarity": (SentenceSimilarityListInput, SENTENCES_INPUT),
}


def on_the_wire(category: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The expected form for these arguments."""
    form = {"category": category, **arguments}
    if category == "sentence-similarity":
        form["disallowedSentences"] = form.pop("disallowed_sentences")
    else:
        terms = form.pop("search_terms", "")
        form["searchTerms"] = terms if isinstance(terms, str) else ",".join(terms)
    return {name: value for name, value in form.items() if value is not None}


@pytest.mark.parametrize("category", INPUTS)
def test_form_arrives_unchanged(any_client: AnyClient, simulator: Simulator, category: str) -> None:
    """Every valid input arrives as the form of its category, with each value unchanged and no
    other fields."""
    send = Sender(any_client, simulator)
    kind, inputs = INPUTS[category]

    @examples(400)
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
    assert min(send.seen[each] for each in ("sent", "refused", "several", "file")) > 1, send.seen


@pytest.mark.parametrize("category", INPUTS)
def test_every_valid_form_can_be_sent(
    any_client: AnyClient, simulator: Simulator, category: str
) -> None:
    """Every valid form can be sent unchanged through the generated code."""
    send = Sender(any_client, simulator)
    encodable = forms(category).filter(lambda form: not has_surrogates(form))

    @examples(100)
    @given(encodable)
    def check(form: dict[str, Any]) -> None:
        body = KeywordListForm.from_dict(form)
        if "file" in form:
            body.file = GeneratedFile(form["file"].encode(), "terms.csv", "text/csv")
        reading = send(lambda chat: chat.api.send(prepare("profanity-list", new=body)))
        assert reading is not None
        arrived = {
            name: each.content.decode() if isinstance(each, wire.File) else each
            for name, each in reading.form.items()
        }
        assert arrived == form

    check()


def has_surrogates(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(has_surrogates, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


# Headers.


@pytest.mark.parametrize("name", OPERATIONS)
def test_on_behalf_of_changes_only_one_header(
    any_client: AnyClient, simulator: Simulator, name: str
) -> None:
    """Every request contains the key exactly once, in its header; `on_behalf_of` adds only its
    own header."""
    plain, acting = Sender(any_client, simulator), Sender(any_client, simulator, on_behalf_of="bob")
    assert plain(CALLS[name]) == acting(CALLS[name])
    without, with_it = simulator.requests
    assert (without.header("onbehalfof"), with_it.header("onbehalfof")) == (None, "bob")
    # The boundary of a form is different each time.
    own = {"onbehalfof", "content-type"}
    assert [each for each in with_it.headers if each[0] not in own] == [
        each for each in without.headers if each[0] not in own
    ]
