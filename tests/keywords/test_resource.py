"""Keyword lists: requests, responses and changes."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from cometchat_rest import (
    BadRequestError,
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    KeywordPlan,
    KeywordUpdate,
    NotFoundError,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    keyword_input,
)
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, Part, form_of

if TYPE_CHECKING:
    from ..conftest import AnyClient

SCRIPTS = [
    "naïve façade",
    "приве́т мир",
    "שלום עולם",
    "مرحبا بالعالم",
    "नमस्ते दुनिया",
    "こんにちは世界",
    "你好\uff0c世界",
    "안녕하세요",
    "👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿 e\u0301",
    "\u202eright to left\u202c",
    "\ufeffmarked\u200b\u200d",
    "𝒎𝒂𝒕𝒉 𒀀",
]


@pytest.mark.parametrize(
    "list_id", ["profanity-list", "scam-patterns", "threat-sentences", "default-profanity", "imported-phrases"]
)
def test_get(any_client: AnyClient, simulator: Simulator, list_id: str) -> None:
    """A list of any category arrives completely: typed fields, and the same JSON."""
    record = simulator.keyword_lists[list_id]
    found = any_client.call(lambda chat: chat.keywords.get(list_id))
    assert isinstance(found, KeywordList)
    assert found.to_dict() == record
    assert (found.id, found.category, found.created_at) == (list_id, record["category"], record["createdAt"])
    assert found.search_terms == record.get("searchTerms")
    assert found.additional_properties.get("disallowedSentences") == record.get("disallowedSentences")
    assert found.is_csv is record["isCSV"]
    assert found.default is record.get("default")
    assert found.description == record.get("description")


def test_get_request(any_client: AnyClient, simulator: Simulator) -> None:
    """A request for a list has its path and the key, but no query and no body."""
    any_client.call(lambda chat: chat.keywords.get(LIST_ID))
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == (
        "GET",
        f"/v3/moderation/keywords/{LIST_ID}",
        "",
        b"",
    )
    assert request.header("apikey") == simulator.api_key


@pytest.mark.parametrize("list_id", ["Nope", "a b", "100%", "é", "a.b", "list;v=1", "?page=1", "#x", "a+b"])
def test_get_of_a_missing_list(any_client: AnyClient, simulator: Simulator, list_id: str) -> None:
    """An identifier without a list is a NotFoundError with the code of the service, with any characters."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.get(list_id))
    assert caught.value.code == "ERR_KEYWORD_NOT_FOUND"
    assert caught.value.message == f"The keyword list {list_id} does not exist."
    assert [request.operation for request in simulator.requests] == ["get_keyword_list"]


UPDATES: dict[str, tuple[KeywordListInput, list[Part], dict[str, object]]] = {
    "words": (
        WordListInput(search_terms=["spam", "scam"]),
        [Part("category", b"word"), Part("searchTerms", b"spam,scam")],
        {"category": "word", "searchTerms": ["spam", "scam"], "isCSV": False},
    ),
    "words as one text": (
        WordListInput(search_terms="spam, scam,x"),
        [Part("category", b"word"), Part("searchTerms", b"spam, scam,x")],
        {"category": "word", "searchTerms": ["spam", " scam", "x"], "isCSV": False},
    ),
    "patterns": (
        PatternListInput(search_terms=[r"\d{4}", "(?i)free"], name="Patterns", description="All of them."),
        [
            Part("category", b"pattern"),
            Part("name", b"Patterns"),
            Part("description", b"All of them."),
            Part("searchTerms", rb"\d{4},(?i)free"),
        ],
        {
            "category": "pattern",
            "searchTerms": [r"\d{4}", "(?i)free"],
            "name": "Patterns",
            "description": "All of them.",
        },
    ),
    "sentences": (
        SentenceSimilarityListInput(id=LIST_ID, disallowed_sentences=["Go, now.", "Line\nbreak", "Go, now."]),
        [
            Part("category", b"sentence-similarity"),
            Part("id", LIST_ID.encode()),
            *(Part("disallowedSentences", text) for text in (b"Go, now.", b"Line\nbreak", b"Go, now.")),
        ],
        {"category": "sentence-similarity", "disallowedSentences": ["Go, now.", "Line\nbreak", "Go, now."]},
    ),
    "words in a file": (
        WordListInput(file=b'spam\n"a,b"\r\nscam'),
        [
            Part("category", b"word"),
            Part("searchTerms", b""),
            Part("file", b'spam\n"a,b"\r\nscam', "keywords.csv", "text/csv"),
        ],
        {"category": "word", "searchTerms": ["spam", '"a,b"', "scam"], "isCSV": True},
    ),
    "patterns in a file": (
        PatternListInput(file=b"a{1,3}"),
        [
            Part("category", b"pattern"),
            Part("searchTerms", b""),
            Part("file", b"a{1,3}", "keywords.csv", "text/csv"),
        ],
        {"category": "pattern", "searchTerms": ["a{1,3}"], "isCSV": True},
    ),
    "sentences in a file": (
        SentenceSimilarityListInput(disallowed_sentences=["Go."], file=b"Leave."),
        [
            Part("category", b"sentence-similarity"),
            Part("disallowedSentences", b"Go."),
            Part("file", b"Leave.", "keywords.csv", "text/csv"),
        ],
        {"category": "sentence-similarity", "disallowedSentences": ["Leave."], "isCSV": True},
    ),
}


def by_name(parts: list[Part]) -> list[Part]:
    """Fields have no order, but the parts of one field do."""
    return sorted(parts, key=lambda part: part.name)


@pytest.mark.parametrize(("new", "parts", "outcome"), UPDATES.values(), ids=UPDATES)
def test_update(
    any_client: AnyClient, simulator: Simulator, new: KeywordListInput, parts: list[Part], outcome: dict[str, object]
) -> None:
    """An update of each category sends exactly its input, and returns the list after the update."""
    before = simulator.keyword_lists[LIST_ID]
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, new))
    after = simulator.keyword_lists[LIST_ID]
    assert isinstance(updated, KeywordList)
    assert updated.to_dict() == after
    assert outcome.items() <= after.items()
    assert updated.revision_id == str(before["revisionId"]).removesuffix("_1") + "_2"
    (request,) = simulator.requests
    assert (request.method, request.path, request.query) == ("PUT", f"/v3/moderation/keywords/{LIST_ID}", "")
    assert by_name(form_of(request)) == by_name(parts)


def named(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "bytes": (lambda path: path.read_bytes(), "keywords.csv"),
    "bytearray": (lambda path: bytearray(path.read_bytes()), "keywords.csv"),
    "memoryview": (lambda path: memoryview(path.read_bytes()), "keywords.csv"),
    "str": (str, "Wörter 单词.csv"),
    "Path": (lambda path: path, "Wörter 单词.csv"),
    "BytesIO": (lambda path: io.BytesIO(path.read_bytes()), "keywords.csv"),
}


@pytest.mark.parametrize(("source", "filename"), FILES.values(), ids=FILES)
def test_update_with_any_kind_of_file(
    any_client: AnyClient, simulator: Simulator, tmp_path: Path, source: Callable[[Path], Any], filename: str
) -> None:
    """A file is sent with a filename, whether passed as bytes, as a path or as an open file; every byte is sent, except
    for the byte order mark of a file that is named by its path."""
    content = '\ufeffspam\r\n"x, y"\n\nпривет\n'.encode()  # noqa: RUF001
    path = named(tmp_path, "Wörter 单词.csv", content)
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=source(path))))
    assert updated.search_terms == ["spam", '"x, y"', "привет"]
    sent = content if filename == "keywords.csv" else content.removeprefix(codecs.BOM_UTF8)
    assert Part("file", sent, filename, "text/csv") in form_of(simulator.requests[0])


def test_update_with_an_open_file(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """An open binary file is read when the input is made, so it may be closed before the call."""
    with named(tmp_path, "words.csv", b"skipped\nspam\n").open("rb") as opened:
        opened.readline()
        new = WordListInput(file=opened)
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, new))
    assert updated.search_terms == ["spam"]
    (file,) = (part for part in form_of(simulator.requests[0]) if part.name == "file")
    assert (file.content, file.content_type) == (b"spam\n", "text/csv")
    assert file.filename


def test_update_with_the_largest_file(any_client: AnyClient, simulator: Simulator) -> None:
    """A file of exactly 1 MiB, with bytes of every value, arrives unchanged."""
    # The simulator refuses the file, because it is not UTF-8, but receives it.
    content = bytes(range(256)) * 4096
    with pytest.raises(BadRequestError) as caught:
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=content)))
    assert caught.value.details == {"file": ["must be valid UTF-8"]}
    (file,) = (part for part in form_of(simulator.requests[0]) if part.name == "file")
    assert file.content == content


@pytest.mark.parametrize("text", SCRIPTS, ids=ascii)
def test_update_keeps_every_script(any_client: AnyClient, simulator: Simulator, text: str) -> None:
    """Text in any script is sent and returned unchanged, in every field."""
    words = WordListInput(search_terms=[text, "x"], name=text, description=text)
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, words))
    assert (updated.name, updated.description, updated.search_terms) == (text, text, [text, "x"])
    sentences = SentenceSimilarityListInput(disallowed_sentences=["x", text])
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, sentences))
    assert updated.additional_properties["disallowedSentences"] == ["x", text]
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, PatternListInput(file=text.encode())))
    words_sent, sentences_sent, file_sent = map(form_of, simulator.requests)
    assert {part.content for part in words_sent} == {b"word", text.encode(), f"{text},x".encode()}
    assert [part.content for part in sentences_sent if part.name == "disallowedSentences"] == [
        b"x",
        text.encode(),
    ]
    assert text.encode() in {part.content for part in file_sent}


@pytest.mark.parametrize("list_id", ["profanity-list", "threat-sentences", "imported-phrases"])
def test_update_of_a_fetched_list(any_client: AnyClient, simulator: Simulator, list_id: str) -> None:
    """A fetched list is changed and sent back; only the changed field differs."""
    before: dict[str, object] = {**simulator.keyword_lists[list_id]}
    client = any_client.client()
    fetched = any_client.call(lambda chat: chat.keywords.get(list_id), client)
    new = attrs.evolve(keyword_input.from_keyword_list(fetched), description="Changed.")
    updated = any_client.call(lambda chat: chat.keywords.update(list_id, new), client)
    after = updated.to_dict()
    # Only the necessary quotes of a CSV row are sent.
    moved = {"updatedAt", "revisionId", "description", "isCSV", "searchTerms"}
    assert {key: after[key] for key in after.keys() - moved} == {key: before[key] for key in before.keys() - moved}
    entries = [keyword_input.entries_of(keyword_input.from_keyword_list(each)) for each in (fetched, updated)]
    assert entries[0] == entries[1]
    assert after["description"] == "Changed."


def test_update_of_a_missing_list(any_client: AnyClient) -> None:
    """An update of a missing list is a NotFoundError, and its outcome is known."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.update("nope", WordListInput(search_terms=["x"])))
    assert (caught.value.code, caught.value.outcome_unknown) == ("ERR_KEYWORD_NOT_FOUND", False)


def test_update_that_the_service_refuses(any_client: AnyClient, simulator: Simulator) -> None:
    """An input that only the service can refuse is a BadRequestError that names the field and the reason."""
    with pytest.raises(BadRequestError) as caught:
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(id="other", search_terms=["x" * 101])))
    assert caught.value.code == "ERR_BAD_REQUEST"
    assert caught.value.details == {
        "id": ["must be equal to the id in the path"],
        "searchTerms": ["a term has at most 100 characters"],
    }
    assert caught.value.source == "request"
    assert caught.value.dev_message
    assert simulator.keyword_lists[LIST_ID]["revisionId"] == Simulator().keyword_lists[LIST_ID]["revisionId"]


@pytest.mark.parametrize(
    "new",
    [None, {"category": "word", "searchTerms": "x"}, "spam", b"spam", ["spam", " "], [1], WordListInput, 5],
    ids=repr,
)
def test_update_with_an_invalid_input(any_client: AnyClient, simulator: Simulator, new: Any) -> None:
    """An update with a value that is neither an input nor terms is refused before anything is sent; for a mapping, the
    error names the function that makes an input."""
    with pytest.raises(InvalidRequestError, match=r"keyword_input\.parse" if isinstance(new, dict) else None):
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, new))
    assert simulator.requests == []


def test_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan only reads the list, and lists the added, removed and unchanged entries."""
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, WordListInput(search_terms=["spam", "phishing"])))
    assert isinstance(plan, KeywordPlan)
    assert (plan.added, plan.unchanged) == (("phishing",), ("spam",))
    assert plan.removed == ("scam", "free coins", "Schimpfwort", "malparido", "バカ")
    assert plan.revision_id == simulator.keyword_lists[LIST_ID]["revisionId"]
    assert [request.operation for request in simulator.requests] == ["get_keyword_list"]


def test_apply(any_client: AnyClient, simulator: Simulator) -> None:
    """After a plan is applied, the list is as planned, and the result says so."""
    terms = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]
    client = any_client.client()
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, WordListInput(search_terms=terms)), client)
    update = any_client.call(lambda chat: chat.keywords.apply(plan), client)
    assert isinstance(update, KeywordUpdate)
    assert (update.matches, update.recovered, update.keyword_list.search_terms) == (True, False, terms)
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == terms
