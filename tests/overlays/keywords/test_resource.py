"""Keyword lists: requests, responses and changes."""

import codecs
import logging
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

from cometchat_openapi.models import KeywordListForm
from cometchat_rest import (
    BadRequestError,
    Client,
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    NotFoundError,
    PatternListInput,
    PlanRefusedError,
    SentenceSimilarityListInput,
    WordListInput,
    keyword_input,
)
from cometchat_rest.keyword_input import inputs
from cometchat_runtime.model import File
from cometchat_testing import Simulator

from ...conftest import AnyClient
from ...sent import Part, form_of
from ...support import LIST_ID

LISTS = [
    "profanity-list",
    "scam-patterns",
    "threat-sentences",
    "default-profanity",
    "imported-phrases",
]


@pytest.mark.parametrize("keyword_id", LISTS)
def test_get(any_client: AnyClient, simulator: Simulator, keyword_id: str) -> None:
    """A list of any category arrives completely: typed fields, and the same JSON."""
    record = simulator.keyword_lists[keyword_id]
    found = any_client.call(lambda chat: chat.keywords.get(keyword_id))
    assert isinstance(found, KeywordList)
    assert found.to_dict() == record
    assert (found.id, found.category, found.created_at) == (
        keyword_id,
        record["category"],
        record["createdAt"],
    )
    assert found.search_terms == record.get("searchTerms")
    assert found.additional_properties.get("disallowedSentences") == record.get(
        "disallowedSentences"
    )
    assert found.is_csv is record["isCSV"]
    assert found.default is record.get("default")
    assert found.description == record.get("description")
    (request,) = simulator.requests
    assert (request.method, request.path) == ("GET", f"/v3/moderation/keywords/{keyword_id}")
    assert (request.query, request.body) == ("", b"")


@pytest.mark.parametrize(
    "keyword_id", ["Nope", "a b", "100%", "é", "a.b", "list;v=1", "?page=1", "#x", "a+b"]
)
def test_get_of_a_missing_list(
    any_client: AnyClient, simulator: Simulator, keyword_id: str
) -> None:
    """An identifier without a list is a NotFoundError with the code of the service, with any
    characters."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.get(keyword_id))
    assert caught.value.code == "ERR_KEYWORD_NOT_FOUND"
    assert caught.value.message == f"The keyword list {keyword_id} does not exist."
    assert [request.operation for request in simulator.requests] == ["get_keyword_list"]


def csv(content: bytes) -> Part:
    """The part of a file without a name."""
    return Part("file", content, "keywords.csv", "text/csv")


SENTENCES = ["Go, now.", "Line\nbreak", "Go, now."]
#: An input, its parts after the category, and the fields of the list after the update.
UPDATES: dict[str, tuple[KeywordListInput, list[Part], dict[str, object]]] = {
    "words": (
        WordListInput(search_terms=["spam", "scam"]),
        [Part("searchTerms", b"spam,scam")],
        {"searchTerms": ["spam", "scam"], "isCSV": False},
    ),
    "words as one text": (
        WordListInput(search_terms="spam, scam,x"),
        [Part("searchTerms", b"spam, scam,x")],
        {"searchTerms": ["spam", " scam", "x"], "isCSV": False},
    ),
    "patterns": (
        PatternListInput(search_terms=[r"\d{4}", "(?i)free"], name="Patterns", description="All."),
        [
            Part("name", b"Patterns"),
            Part("description", b"All."),
            Part("searchTerms", rb"\d{4},(?i)free"),
        ],
        {"searchTerms": [r"\d{4}", "(?i)free"], "name": "Patterns", "description": "All."},
    ),
    "sentences": (
        SentenceSimilarityListInput(id=LIST_ID, disallowed_sentences=SENTENCES),
        [
            Part("id", LIST_ID.encode()),
            *(Part("disallowedSentences", text.encode()) for text in SENTENCES),
        ],
        {"disallowedSentences": SENTENCES},
    ),
    "words in a file": (
        WordListInput(file=b'spam\n"a,b"\r\nscam'),
        [Part("searchTerms", b""), csv(b'spam\n"a,b"\r\nscam')],
        {"searchTerms": ["spam", '"a,b"', "scam"], "isCSV": True},
    ),
    "patterns in a file": (
        PatternListInput(file=b"a{1,3}"),
        [Part("searchTerms", b""), csv(b"a{1,3}")],
        {"searchTerms": ["a{1,3}"], "isCSV": True},
    ),
    "sentences in a file": (
        SentenceSimilarityListInput(disallowed_sentences=["Go."], file=b"Leave."),
        [Part("disallowedSentences", b"Go."), csv(b"Leave.")],
        {"disallowedSentences": ["Leave."], "isCSV": True},
    ),
}


def by_name(parts: list[Part]) -> list[Part]:
    """Fields have no order, but the parts of one field do."""
    return sorted(parts, key=lambda part: part.name)


@pytest.mark.parametrize(("new", "parts", "outcome"), UPDATES.values(), ids=UPDATES)
def test_update(
    any_client: AnyClient,
    simulator: Simulator,
    new: KeywordListInput,
    parts: list[Part],
    outcome: dict[str, object],
) -> None:
    """An update of each category sends exactly its input, and returns the list after the update."""
    before = simulator.keyword_lists[LIST_ID]
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, new))
    after = simulator.keyword_lists[LIST_ID]
    assert isinstance(updated, KeywordList)
    assert updated.to_dict() == after
    assert {"category": new.category, **outcome}.items() <= after.items()
    assert updated.revision_id == str(before["revisionId"]).removesuffix("_1") + "_2"
    (request,) = simulator.requests
    assert (request.method, request.path, request.query) == (
        "PUT",
        f"/v3/moderation/keywords/{LIST_ID}",
        "",
    )
    assert by_name(form_of(request)) == by_name([Part("category", new.category.encode()), *parts])


@pytest.mark.parametrize("kind", [str, Path])
def test_update_with_a_path(
    any_client: AnyClient, simulator: Simulator, tmp_path: Path, kind: type
) -> None:
    """A file is sent with its name, and without its byte order mark."""
    content = 'spam\r\n"x, y"\n\nпривет\n'.encode()  # noqa: RUF001
    path = tmp_path / "Wörter 单词.csv"
    path.write_bytes(codecs.BOM_UTF8 + content)
    updated = any_client.call(
        lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=kind(path)))
    )
    assert updated.search_terms == ["spam", '"x, y"', "привет"]
    assert Part("file", content, "Wörter 单词.csv", "text/csv") in form_of(simulator.requests[0])


def test_update_with_the_largest_file(any_client: AnyClient, simulator: Simulator) -> None:
    """A file of exactly 1 MiB, with characters of each length in UTF-8 and control characters,
    arrives unchanged."""
    content = (bytes(range(1, 128)) * 5 + "ÄバЖ😀".encode() * 32).ljust(1024, b".") * 1024
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=content)))
    (file,) = (part for part in form_of(simulator.requests[0]) if part.name == "file")
    assert file.content == content


def test_update_with_terms_and_a_file(any_client: AnyClient, simulator: Simulator) -> None:
    """An input refuses terms together with a file; the generated form sends both to a service
    that takes them."""
    with pytest.raises(
        InvalidRequestError,
        match=r"cannot be combined with file: .* to send both, send a KeywordListForm",
    ):
        WordListInput(search_terms=["spam"], file=b"scam")
    form = KeywordListForm(
        category="word", search_terms="spam", file=File(b"scam", "words.csv", "text/csv")
    )
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, form))
    sent = {part.name: part.content for part in form_of(simulator.requests[0])}
    assert (sent["searchTerms"], sent["file"]) == (b"spam", b"scam")


@pytest.mark.parametrize(
    ("method", "new", "sent"),
    [
        ("update", WordListInput(search_terms=["x"]), "PUT"),
        ("update", ["x"], "GET"),
        ("plan", ["x"], "GET"),
    ],
)
def test_change_of_a_missing_list(
    any_client: AnyClient, simulator: Simulator, method: str, new: Any, sent: str
) -> None:
    """A change of a missing list is a NotFoundError, and its outcome is known. For terms, the
    list is read first."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(methodcaller(method, "nope", new), any_client.client().keywords)
    assert (caught.value.code, caught.value.outcome_unknown) == ("ERR_KEYWORD_NOT_FOUND", False)
    assert [request.method for request in simulator.requests] == [sent]


def test_update_that_the_service_refuses() -> None:
    """An input that only the service can refuse is a BadRequestError that names the field and
    the reason."""
    with Simulator(vendor_limits=True) as strict:
        client = Client(base_url=strict.base_url, api_key=strict.api_key)
        with pytest.raises(BadRequestError) as caught, client as chat:
            chat.keywords.update(LIST_ID, WordListInput(id="o" * 101, search_terms=["x" * 101]))
        assert (
            strict.keyword_lists[LIST_ID]["revisionId"]
            == Simulator().keyword_lists[LIST_ID]["revisionId"]
        )
    assert caught.value.code == "ERR_BAD_REQUEST"
    assert caught.value.details == {
        "id": ["has at most 100 characters"],
        "searchTerms": ["a term has at most 100 characters"],
    }
    assert caught.value.source == "request"
    assert caught.value.dev_message


@pytest.mark.parametrize("method", ["update", "plan"])
@pytest.mark.parametrize(
    "new",
    [
        None,
        "spam",
        b"spam",
        ["spam", " "],
        [1],
        WordListInput,
        5,
        {},
        {"category": "words", "searchTerms": "x"},
        {"category": "word", "disallowedSentences": ["a"]},
        {"category": "word", "searchTerms": ["a,b"]},
        {"category": "0123456789abcdef0123456789abcdef01234567"},
    ],
    ids=repr,
)
def test_invalid_content_is_refused(
    any_client: AnyClient, simulator: Simulator, method: str, new: Any
) -> None:
    """A value that is neither an input nor terms is refused before anything is sent. A dict gets
    the same checks as an input, and the error repeats no long value in place of a category, such as
    a key."""
    with pytest.raises(InvalidRequestError) as caught:
        any_client.call(methodcaller(method, LIST_ID, new), any_client.client().keywords)
    assert "0123456789" not in str(caught.value)
    assert simulator.requests == []


def test_update_with_terms(any_client: AnyClient, simulator: Simulator) -> None:
    """An update with terms reads the list for its category, and then sends the terms like `plan`
    and `apply` do."""
    updated = any_client.call(
        lambda chat: chat.keywords.update("scam-patterns", iter(["a", "x{1,3}"]), max_removed=1.0)
    )
    assert [request.method for request in simulator.requests] == ["GET", "PUT"]
    assert (updated.category, updated.search_terms) == ("pattern", ["a", '"x{1,3}"'])
    assert Part("name", b"Scam patterns") in form_of(simulator.requests[1])
    shown = simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    new = [*shown[1:], "Go, now."]
    any_client.call(lambda chat: chat.keywords.update("threat-sentences", new))
    assert simulator.keyword_lists["threat-sentences"]["disallowedSentences"] == new


@pytest.mark.parametrize("list_id", [LIST_ID, "scam-patterns", "threat-sentences"])
@pytest.mark.parametrize("method", ["plan", "update"])
def test_each_term_is_checked_once(
    simulator: Simulator, monkeypatch: pytest.MonkeyPatch, method: str, list_id: str
) -> None:
    """A plan and an update check each term once, also if the terms become a file."""
    checked: list[object] = []

    fault_in_request = inputs.fault_in_request

    def recorded(value: object) -> str | None:
        checked.append(value)
        return fault_in_request(value)

    monkeypatch.setattr(inputs, "fault_in_request", recorded)
    terms = ["spam", "scam", "x{1,3}"]
    options = {"max_removed": 1.0} if method == "update" else {}
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        getattr(chat.keywords, method)(list_id, terms, **options)
    assert [value for value in checked if value in terms] == terms


def test_update_with_one_term(any_client: AnyClient, simulator: Simulator) -> None:
    """An update with one term does not replace a whole list: it has the limit of `apply`, and the
    error names the rule. `max_removed=1.0` switches it off."""
    before = simulator.keyword_lists[LIST_ID]
    with pytest.raises(
        PlanRefusedError,
        match=r"6 of 6 entries \(100\.0%\) would be removed; by default, max_removed allows 3: ",
    ) as caught:
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, ["phishing"]))
    assert (caught.value.removed, caught.value.outcome_unknown) == (6, False)
    assert simulator.keyword_lists[LIST_ID] == before
    updated = any_client.call(
        lambda chat: chat.keywords.update(LIST_ID, ["phishing"], max_removed=1.0)
    )
    assert updated.search_terms == ["phishing"]


@pytest.mark.parametrize("hidden", ["missing", "empty"])
@pytest.mark.parametrize("keyword_id", ["scam-patterns", "threat-sentences", "imported-phrases"])
def test_update_of_hidden_entries(any_client: AnyClient, hidden: Any, keyword_id: str) -> None:
    """If the service does not show the entries of a list, terms replace it only with
    `max_removed=1.0`; the error says so, and what is then lost."""
    with Simulator(hidden_entries=hidden) as simulator:
        chat = any_client.client(base_url=simulator.base_url, api_key=simulator.api_key)
        before = simulator.keyword_lists[keyword_id]
        with pytest.raises(
            PlanRefusedError, match=r"; only max_removed=1\.0 allows it, and then all entries"
        ):
            any_client.call(lambda chat: chat.keywords.update(keyword_id, ["a"]), chat)
        assert simulator.keyword_lists[keyword_id] == before
        any_client.call(lambda chat: chat.keywords.update(keyword_id, ["a"], max_removed=1.0), chat)
        assert keyword_input.list_entries(
            KeywordList.from_dict(dict(simulator.keyword_lists[keyword_id]))
        ) == ("a",)


def test_first_word_of_an_empty_list(any_client: AnyClient, simulator: Simulator) -> None:
    """A list of words that the service shows as empty takes its first word without a limit."""
    simulator.keyword_lists[LIST_ID]["searchTerms"] = []
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, ["spam"]))
    assert updated.search_terms == ["spam"]


@pytest.mark.parametrize(
    "new", [WordListInput(search_terms=["x"]), KeywordListForm(category="word", search_terms="x")]
)
def test_limit_for_an_input(any_client: AnyClient, simulator: Simulator, new: Any) -> None:
    """An update with an input has no limit, so a caller who asks for one learns it before anything
    is sent."""
    with pytest.raises(InvalidRequestError, match="max_removed limits only an update with terms"):
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, new, max_removed=0.5))
    assert simulator.requests == []
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, new, max_removed=1.0))
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == ["x"]


def test_plan_that_changes_the_category(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan that changes the category of a list needs `change_category=True`."""
    new = PatternListInput(search_terms="spam,scam,free coins,Schimpfwort,malparido,バカ")
    with pytest.raises(InvalidRequestError, match="change_category=True"):
        any_client.call(lambda chat: chat.keywords.plan(LIST_ID, new))
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, new, change_category=True))
    assert any_client.call(lambda chat: chat.keywords.apply(plan)).matches is True
    assert simulator.keyword_lists[LIST_ID]["category"] == "pattern"


def test_entries_that_the_service_splits_differently(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """If the list after an update shows other entries than were sent, a WARNING has their numbers,
    for `update` and for `apply`."""
    caplog.set_level(logging.CRITICAL)  # libraries of the simulator also log
    caplog.set_level(logging.WARNING, "cometchat_rest")
    new = PatternListInput(search_terms=[r"\d{3}", "[a-z]{2}"])
    any_client.call(lambda chat: chat.keywords.update("scam-patterns", new))
    assert caplog.records == []
    shown = simulator.keyword_lists["scam-patterns"]
    joined = {**shown, "searchTerms": [r"\d{3},[a-z]{2}"]}
    simulator.fail("update_keyword_list", body={"data": joined})
    any_client.call(lambda chat: chat.keywords.update("scam-patterns", new))
    simulator.fail("update_keyword_list", body={"data": joined})
    with_file = PatternListInput(file=b"\\d{3}\n[a-z]{2}\n")
    any_client.call(lambda chat: chat.keywords.update("scam-patterns", with_file))
    terms = [r"\d{3,4}", "[a-z]{2}"]  # sent as a file, because one has a comma
    joined_rows = {**shown, "searchTerms": [r"\d{3,4} [a-z]{2}"]}
    simulator.fail("update_keyword_list", body={"data": joined_rows})
    any_client.call(lambda chat: chat.keywords.update("scam-patterns", terms, max_removed=1.0))
    plan = any_client.call(lambda chat: chat.keywords.plan("scam-patterns", new))
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("update_keyword_list", headers={"x": "y"})
    simulator.fail("get_keyword_list", body={"data": joined})
    assert any_client.call(lambda chat: chat.keywords.apply(plan)).matches is False
    for record in caplog.records:
        facts = vars(record)
        assert (record.levelname, facts["event_name"]) == ("WARNING", "entries")
        assert facts["operation"] == "update_keyword_list"
        assert (facts["missing"], facts["unexpected"]) == (2, 1)
    assert len(caplog.records) == 4


@pytest.mark.parametrize(
    ("new", "shown"),
    [
        (WordListInput(search_terms=["a", "b", "a"]), {"searchTerms": ["b", "a"]}),
        (["a, b", "c"], {"searchTerms": ['"a, b"', "c"]}),
        (["a, b", "c"], {"searchTerms": ["a, b", "c"]}),
        (WordListInput(file=b'a\n"b"\n'), {"searchTerms": ["b", "a"]}),
        (WordListInput(file=b"a\n" * 2**17 + b"b"), {"searchTerms": ["c"]}),
        (WordListInput(search_terms=["a"]), {}),
    ],
    ids=[
        "duplicates",
        "rows of a file",
        "entries of a file",
        "a file of the user",
        "a large file",
        "not shown",
    ],
)
def test_entries_that_are_not_known_to_differ(
    any_client: AnyClient,
    simulator: Simulator,
    caplog: pytest.LogCaptureFixture,
    new: KeywordListInput | list[str],
    shown: dict[str, object],
) -> None:
    """The client logs no warning if a response shows the same entries in another order or form, or
    does not show them. It does not compare a file of more than 256 KiB."""
    listed = {"id": LIST_ID, "category": "word", **shown}
    simulator.fail("update_keyword_list", body={"data": listed})
    limit = 1.0 if isinstance(new, list) else None
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, new, max_removed=limit))
    events = [getattr(record, "event_name", None) for record in caplog.records]
    assert "entries" not in events


def test_terms_with_a_mark_that_the_list_has(any_client: AnyClient, simulator: Simulator) -> None:
    """A list keeps its own entry with a byte order mark if a word is added to it; a new entry with
    the mark is refused before the update."""
    simulator.keyword_lists[LIST_ID]["searchTerms"] = ["\ufeffspam", "scam"]
    terms = ["\ufeffspam", "scam", "phishing"]
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, terms))
    assert (plan.added, plan.removed) == (("phishing",), ())
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, terms))
    assert updated.search_terms == terms
    with pytest.raises(InvalidRequestError, match=r"terms\[1\] begins with a byte order mark"):
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, ["scam", "\ufeffphishing"]))
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == terms
