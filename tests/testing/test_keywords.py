"""The update of a keyword list."""

from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import LIST, TERMS, WORD, Form, client_of, code, form

SENTENCES = "/moderation/keywords/threat-sentences"
SIMILAR = ("category", "sentence-similarity")


@pytest.mark.parametrize("category", ["word", "pattern"])
def test_terms_are_replaced(http_client: httpx.Client, category: str) -> None:
    """An update splits the terms at commas and replaces the old terms; name and description are
    kept."""
    before = http_client.get(LIST).json()["data"]
    response = http_client.put(
        LIST, files=form(("category", category), ("searchTerms", 'ein,zwei drei,バカ,"q"'))
    )
    after = response.json()["data"]
    assert after["searchTerms"] == ["ein", "zwei drei", "バカ", '"q"']
    assert after["category"] == category
    assert (after["name"], after["description"]) == (before["name"], before["description"])
    assert http_client.get(LIST).json()["data"] == after


def test_every_update_changes_time_and_revision(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """An update sets `updatedAt` to its time, or to a second after the update before;
    `revisionId` counts updates."""
    simulator.now = datetime(2030, 1, 1, tzinfo=UTC)
    records = [http_client.get(LIST).json()["data"]]
    records += [http_client.put(LIST, files=form(WORD, TERMS)).json()["data"] for _ in range(3)]
    now = int(simulator.now.timestamp())
    assert [record["updatedAt"] for record in records[1:]] == [now, now + 1, now + 2]
    stems, numbers = zip(*(record["revisionId"].rsplit("_", 1) for record in records), strict=True)
    assert (len(set(stems)), numbers) == (1, ("1", "2", "3", "4"))
    assert len({(record["createdAt"], record["active"]) for record in records}) == 1
    for odd in ("7", "a_b", "_7"):
        simulator.keyword_lists[LIST.rpartition("/")[2]]["revisionId"] = odd
        record = http_client.put(LIST, files=form(WORD, TERMS)).json()["data"]
        assert record["revisionId"].endswith("_1")


def test_file_replaces_terms_of_the_form(http_client: httpx.Client) -> None:
    """Each line of a file is one term with its quotes; the list is a CSV list then, and other
    terms are ignored."""
    for terms in ("", "ignored"):
        fields = form(WORD, ("searchTerms", terms), file=b'\xef\xbb\xbf"a, b"\r\n\r\nplain\nlast')
        record = http_client.put(LIST, files=fields).json()["data"]
        assert (record["searchTerms"], record["isCSV"]) == (['"a, b"', "plain", "last"], True)
    assert http_client.put(LIST, files=form(WORD, TERMS)).json()["data"]["isCSV"] is False


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
    record = http_client.put(LIST, files=form(WORD, ("searchTerms", ""), file=file)).json()["data"]
    assert record["searchTerms"] == rows


@pytest.fixture(scope="module")
def strict_service() -> Iterator[httpx.Client]:
    """A simulator with the limits of the vendor's pages."""
    with Simulator(vendor_limits=True) as simulator, client_of(simulator) as service:
        yield service


def invalid_fields(response: httpx.Response) -> list[str]:
    return list(response.json().get("error", {}).get("details", []))


UNBOUNDED = ["a*", "a+?", "a{2,}", "(a|b)+", r"\\*", "[*]+", r"\[a*\]", "a{,}", "(?:a?)*", "*"]
BOUNDED = [
    r"\*\+",
    "[*+]",
    "[]*]",
    r"[\]*]",
    "[^]+]",
    "a?",
    "a??",
    "a{2}",
    "a{2,3}?",
    "(?:a|b)",
    "(?i)a",
    "{",
    "a{b}",
]


@pytest.mark.parametrize(
    ("category", "pattern", "wrong"),
    [
        *(("pattern", pattern, ["file"]) for pattern in UNBOUNDED),
        *(("pattern", pattern, []) for pattern in BOUNDED),
        ("word", "a*", []),
    ],
)
def test_unbounded_patterns_are_refused(
    strict_service: httpx.Client, category: str, pattern: str, wrong: list[str]
) -> None:
    """With the vendor's limits, a pattern must not be unbounded. An escaped character is not a
    quantifier."""
    fields = form(("category", category), ("searchTerms", ""), file=f'"{pattern}"'.encode())
    assert invalid_fields(strict_service.put(LIST, files=fields)) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        (form(WORD, ("searchTerms", ""), file=b"b" * 101), ["file"]),
        (form(WORD, TERMS, ("id", "profanity list")), ["id"]),
        (form(WORD, TERMS, ("id", "i" * 101)), ["id"]),
        (form(WORD, ("searchTerms", ""), ("id", "i" * 100), file=b"b" * 100 + b"\na" * 2**10), []),
    ],
)
def test_limits_of_the_vendor_apply_on_request(
    http_client: httpx.Client, strict_service: httpx.Client, fields: Form, wrong: list[str]
) -> None:
    """A simulator with `vendor_limits` refuses texts beyond the limits of the vendor's pages;
    without it, none."""
    response = strict_service.put(LIST, files=fields)
    assert invalid_fields(response) == wrong
    assert response.status_code == (400 if wrong else 200)
    assert http_client.put(LIST, files=fields).status_code == 200


def test_sentences_are_replaced(http_client: httpx.Client) -> None:
    """Sentences are sent as repeated parts, may contain commas, and are returned as
    `disallowedSentences`."""
    fields = form(SIMILAR, ("disallowedSentences", "One, two."), ("disallowedSentences", "Three?"))
    record = http_client.put(SENTENCES, files=fields).json()["data"]
    assert record["disallowedSentences"] == ["One, two.", "Three?"]
    assert "searchTerms" not in record


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        (form(TERMS), {"category"}),
        (form(("category", "words"), TERMS), {"category"}),
        (form(WORD, ("searchTerms", " , ")), {"searchTerms"}),
        ([*form(WORD, TERMS, file=b"a"), *form(file=b"a")], {"file"}),
        (form(SIMILAR, ("disallowedSentences", "")), {"disallowedSentences.0"}),
        (form(SIMILAR, TERMS), {"disallowedSentences"}),
        (form(WORD, WORD, TERMS), {"category"}),
        (form(WORD, TERMS, ("name", "a"), ("name", "b")), {"name"}),
        (form(WORD, TERMS, ("disallowedSentences[]", "a")), {"disallowedSentences[]"}),
        (form(WORD, ("searchTerms", b"caf\xe9")), {"searchTerms"}),
        ([*form(WORD), ("searchTerms", ("terms.txt", b"a"))], {"searchTerms"}),
        (
            [*form(WORD), ("searchTerms", (None, b"a", "text/plain; charset=latin-1"))],
            {"searchTerms"},
        ),
        (form(("category", "wrong"), ("name", "")), {"category", "name"}),
    ],
)
def test_invalid_form_is_refused(
    simulator: Simulator, http_client: httpx.Client, fields: Form, wrong: set[str]
) -> None:
    """A form that the description does not allow gets 400 with the invalid fields, and nothing
    changes."""
    before = dict(simulator.keyword_lists)
    response = http_client.put(LIST, files=fields)
    assert code(response) == (400, "ERR_BAD_REQUEST")
    assert wrong <= set(response.json()["error"]["details"])
    assert simulator.keyword_lists == before
