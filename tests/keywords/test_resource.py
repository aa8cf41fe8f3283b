"""Keyword lists: requests, responses and changes."""

import codecs
from operator import methodcaller
from pathlib import Path
from typing import Any, Unpack

import pytest
from attrs import evolve

from cometchat_openapi.models import KeywordListForm
from cometchat_openapi.types import File
from cometchat_rest import (
    BadRequestError,
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    NotFoundError,
    PatternListInput,
    PlanRefusedError,
    RevisionConflictError,
    SentenceSimilarityListInput,
    WordListInput,
    keyword_input,
)
from cometchat_rest.testing import Simulator
from cometchat_rest.testing.records import KeywordListRecord

from ..conftest import AnyClient
from ..support import LIST_ID, Part, form_of

TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]
LISTS = ["profanity-list", "scam-patterns", "threat-sentences", "default-profanity", "imported-phrases"]
SCRIPTS = [
    *("naïve façade", "приве́т мир", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया", "こんにちは世界", "안녕하세요"),
    *("你好\uff0c世界", "👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿 e\u0301", "\u202eright to left\u202c", "\ufeffmarked\u200b\u200d", "𝒎𝒂𝒕𝒉 𒀀"),
]


@pytest.mark.parametrize("keyword_id", LISTS)
def test_get(any_client: AnyClient, simulator: Simulator, keyword_id: str) -> None:
    """A list of any category arrives completely: typed fields, and the same JSON."""
    record = simulator.keyword_lists[keyword_id]
    found = any_client.call(lambda chat: chat.keywords.get(keyword_id))
    assert isinstance(found, KeywordList)
    assert found.to_dict() == record
    assert (found.id, found.category, found.created_at) == (keyword_id, record["category"], record["createdAt"])
    assert found.search_terms == record.get("searchTerms")
    assert found.additional_properties.get("disallowedSentences") == record.get("disallowedSentences")
    assert found.is_csv is record["isCSV"]
    assert found.default is record.get("default")
    assert found.description == record.get("description")
    (request,) = simulator.requests
    assert (request.method, request.path) == ("GET", f"/v3/moderation/keywords/{keyword_id}")
    assert (request.query, request.body) == ("", b"")


@pytest.mark.parametrize("keyword_id", ["Nope", "a b", "100%", "é", "a.b", "list;v=1", "?page=1", "#x", "a+b"])
def test_get_of_a_missing_list(any_client: AnyClient, simulator: Simulator, keyword_id: str) -> None:
    """An identifier without a list is a NotFoundError with the code of the service, with any characters."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.get(keyword_id))
    assert caught.value.code == "ERR_KEYWORD_NOT_FOUND"
    assert caught.value.message == f"The keyword list {keyword_id} does not exist."
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
        [Part("category", b"pattern"), Part("searchTerms", b""), Part("file", b"a{1,3}", "keywords.csv", "text/csv")],
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


@pytest.mark.parametrize("kind", [str, Path])
def test_update_with_a_path(any_client: AnyClient, simulator: Simulator, tmp_path: Path, kind: type) -> None:
    """A file is sent with its name, and without the byte order mark of a file that is named by its path."""
    content = 'spam\r\n"x, y"\n\nпривет\n'.encode()  # noqa: RUF001
    path = tmp_path / "Wörter 单词.csv"
    path.write_bytes(codecs.BOM_UTF8 + content)
    updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=kind(path))))
    assert updated.search_terms == ["spam", '"x, y"', "привет"]
    assert Part("file", content, "Wörter 单词.csv", "text/csv") in form_of(simulator.requests[0])


def test_update_with_the_largest_file(any_client: AnyClient, simulator: Simulator) -> None:
    """A file of exactly 1 MiB, with bytes of every value, arrives unchanged."""
    content = bytes(range(256)) * 4096
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=content)))
    (file,) = (part for part in form_of(simulator.requests[0]) if part.name == "file")
    assert file.content == content


def test_update_with_terms_and_a_file(any_client: AnyClient, simulator: Simulator) -> None:
    """An input refuses terms together with a file; the generated form sends both to a service that takes them."""
    with pytest.raises(InvalidRequestError, match=r"excludes file: .* to send both, send a KeywordListForm"):
        WordListInput(search_terms=["spam"], file=b"scam")
    form = KeywordListForm(category="word", search_terms="spam", file=File(b"scam", "words.csv", "text/csv"))
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, form))
    sent = {part.name: part.content for part in form_of(simulator.requests[0])}
    assert (sent["searchTerms"], sent["file"]) == (b"spam", b"scam")


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
    assert [part.content for part in sentences_sent if part.name == "disallowedSentences"] == [b"x", text.encode()]
    assert text.encode() in {part.content for part in file_sent}


@pytest.mark.parametrize(("new", "sent"), [(WordListInput(search_terms=["x"]), "PUT"), (["x"], "GET")], ids=repr)
def test_update_of_a_missing_list(any_client: AnyClient, simulator: Simulator, new: Any, sent: str) -> None:
    """An update of a missing list is a NotFoundError, and its outcome is known. For terms, the list is read first."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.update("nope", new))
    assert (caught.value.code, caught.value.outcome_unknown) == ("ERR_KEYWORD_NOT_FOUND", False)
    assert [request.method for request in simulator.requests] == [sent]


def test_update_that_the_service_refuses() -> None:
    """An input that only the service can refuse is a BadRequestError that names the field and the reason."""
    with Simulator(vendor_limits=True) as strict:
        client = Client(base_url=strict.base_url, api_key=strict.api_key)
        with pytest.raises(BadRequestError) as caught, client as chat:
            chat.keywords.update(LIST_ID, WordListInput(id="o" * 101, search_terms=["x" * 101]))
        assert strict.keyword_lists[LIST_ID]["revisionId"] == Simulator().keyword_lists[LIST_ID]["revisionId"]
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
        *(None, "spam", b"spam", ["spam", " "], [1], WordListInput, 5, {}, {"category": "words", "searchTerms": "x"}),
        *({"category": "word", "disallowedSentences": ["a"]}, {"category": "word", "searchTerms": ["a,b"]}),
        {"category": "0123456789abcdef0123456789abcdef01234567"},
    ],
    ids=repr,
)
def test_invalid_content_is_refused(any_client: AnyClient, simulator: Simulator, method: str, new: Any) -> None:
    """A value that is neither an input nor terms is refused before anything is sent. A dict gets the same checks as an
    input, and the error repeats no long value in place of a category, such as a key."""
    with pytest.raises(InvalidRequestError) as caught:
        any_client.call(methodcaller(method, LIST_ID, new), any_client.client().keywords)
    assert "0123456789" not in str(caught.value)
    assert simulator.requests == []


def test_update_with_terms(any_client: AnyClient, simulator: Simulator) -> None:
    """An update with terms reads the list for its category, and then sends the terms like `plan` and `apply` do."""
    updated = any_client.call(lambda chat: chat.keywords.update("scam-patterns", iter(["a", "x{1,3}"])))
    assert [request.method for request in simulator.requests] == ["GET", "PUT"]
    assert (updated.category, updated.search_terms) == ("pattern", ["a", '"x{1,3}"'])
    any_client.call(lambda chat: chat.keywords.update("threat-sentences", ["Go, now."]))
    assert simulator.keyword_lists["threat-sentences"]["disallowedSentences"] == ["Go, now."]


# Plans.


def made(any_client: AnyClient, new: Any = None, keyword_id: str = LIST_ID) -> Any:
    """A plan; its share of removed entries is small unless `new` makes it large."""
    return any_client.call(lambda chat: chat.keywords.plan(keyword_id, TERMS if new is None else new))


def applied(any_client: AnyClient, plan: Any, client: Any = None, **options: Any) -> Any:
    return any_client.call(lambda chat: chat.keywords.apply(plan, **options), client)


def calls(simulator: Simulator) -> list[str | None]:
    """The requests since the plan was made."""
    short = {"get_keyword_list": "get", "update_keyword_list": "update"}
    return [short.get(str(request.operation)) for request in simulator.requests][1:]


def touch(simulator: Simulator, **fields: Unpack[KeywordListRecord]) -> None:
    """Change the list as somebody else would; `fields` may override the new revision."""
    simulator.keyword_lists[LIST_ID] = {**simulator.keyword_lists[LIST_ID], "revisionId": "moved", **fields}


def test_applying_reads_writes_and_reads(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan is applied by one update between two readings, which sends the content of the plan."""
    plan = made(any_client, WordListInput(search_terms=TERMS, name="New name"))
    update = applied(any_client, plan)
    assert calls(simulator) == ["get", "update", "get"]
    assert {part.name: part.content.decode() for part in form_of(simulator.requests[2])} == {
        "category": "word",
        "name": "New name",
        "searchTerms": ",".join(TERMS),
    }
    assert (update.matches, update.missing, update.unexpected, update.error) == (True, (), (), None)
    assert update.keyword_list.to_dict() == simulator.keyword_lists[LIST_ID]


def test_terms_without_an_input(any_client: AnyClient, simulator: Simulator) -> None:
    """Terms without an input get the category of the list, and become a file if one of them holds a comma."""
    sentences = made(any_client, ["Send me money, now."], "threat-sentences").new
    assert sentences == SentenceSimilarityListInput(disallowed_sentences=["Send me money, now."])
    plan = made(any_client, ["x{1,3}", r"\bfr[e3]{2}\b"], "scam-patterns")
    assert plan.new == PatternListInput(file=b'"x{1,3}"\n\\bfr[e3]{2}\\b\n')
    assert plan.new.file is not None
    update = applied(any_client, plan, max_removed=1)
    assert update.matches is True
    assert (update.keyword_list.is_csv, update.keyword_list.search_terms) == (True, ['"x{1,3}"', r"\bfr[e3]{2}\b"])
    assert simulator.keyword_lists["scam-patterns"]["isCSV"] is True


def test_plan_for_a_missing_list(any_client: AnyClient) -> None:
    """A plan for a list that does not exist is a NotFoundError."""
    with pytest.raises(NotFoundError):
        made(any_client, keyword_id="nope")


@pytest.mark.parametrize(
    ("keyword_id", "new"),
    [
        ("profanity-list", {"category": "word", "searchTerms": ["spam", "scam"], "description": "Bad words"}),
        ("scam-patterns", {"category": "pattern", "searchTerms": "ab?,cd"}),
        ("threat-sentences", {"category": "sentence-similarity", "disallowedSentences": ["I will find you"]}),
    ],
)
def test_update_with_a_plain_dict(any_client: AnyClient, simulator: Simulator, keyword_id: str, new: Any) -> None:
    """`update` and `plan` take a dict with the names of the service, and send the same request as for its input."""
    same = keyword_input.parse(new)
    any_client.call(lambda chat: chat.keywords.update(keyword_id, same))
    any_client.call(lambda chat: chat.keywords.update(keyword_id, new))
    assert any_client.call(lambda chat: chat.keywords.plan(keyword_id, new)).new == same
    assert form_of(simulator.requests[0]) == form_of(simulator.requests[1])


@pytest.mark.parametrize("what", [None, {}, "plan", WordListInput(search_terms=["a"])], ids=repr)
def test_only_a_plan_is_applied(any_client: AnyClient, simulator: Simulator, what: Any) -> None:
    """A value that is not a plan is refused before anything is sent."""
    with pytest.raises(InvalidRequestError, match="must be the result of keywords"):
        applied(any_client, what)
    assert simulator.requests == []


def test_plan_that_removes_too_much(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan that would remove more than the allowed share is not sent."""
    plan = made(any_client, TERMS[:4])
    with pytest.raises(
        PlanRefusedError, match=r"2 of 6 entries \(33\.3%\) would be removed; max_removed allows 20\.0%"
    ):
        applied(any_client, plan)
    with pytest.raises(PlanRefusedError):
        applied(any_client, plan, max_removed=0.33)
    assert calls(simulator) == []
    assert applied(any_client, plan, max_removed=2 / 6).matches is True


def test_list_that_changed_since_the_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """A list that somebody changed since the plan is not updated, and the error has both revisions."""
    plan = made(any_client)
    touch(simulator)
    with pytest.raises(RevisionConflictError, match="_profanity-list_1 and is now moved") as caught:
        applied(any_client, plan)
    assert (caught.value.planned_revision, caught.value.current_revision) == (plan.revision_id, "moved")
    assert caught.value.outcome_unknown is False
    assert calls(simulator) == ["get"]


def test_plan_is_applied_once(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan that was applied does not fit the list any more."""
    plan = made(any_client)
    applied(any_client, plan)
    with pytest.raises(RevisionConflictError):
        applied(any_client, plan)
    assert calls(simulator) == ["get", "update", "get", "get"]


def test_service_keeps_other_entries(any_client: AnyClient, simulator: Simulator) -> None:
    """If the service does not keep the entries as sent, the result lists missing and unexpected entries."""
    plan = made(any_client)
    kept = {**simulator.keyword_lists[LIST_ID], "searchTerms": [*TERMS[:5], "something else"]}
    # The reading before the update works.
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("get_keyword_list", body={"data": kept})
    update = applied(any_client, plan)
    assert (update.matches, update.missing, update.unexpected) == (False, ("phishing",), ("something else",))


def test_term_with_a_line_break(any_client: AnyClient, simulator: Simulator) -> None:
    """A term with a line break is sent in a file, and arrives as one term."""
    update = applied(any_client, made(any_client, [*TERMS[:5], "two\nlines"]))
    assert (update.matches, update.missing, update.unexpected) == (True, (), ())
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == [*TERMS[:5], '"two\nlines"']


@pytest.mark.parametrize("status", [401, 403, 404, 409, 422])
def test_refused_update(any_client: AnyClient, simulator: Simulator, status: int) -> None:
    """After an update that the service refuses, the list is not read."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", status=status)
    with pytest.raises(CometChatError) as caught:
        applied(any_client, plan)
    assert caught.value.outcome_unknown is False
    assert calls(simulator) == ["get", "update"]


def test_confirmed_update_and_failed_reading(any_client: AnyClient, simulator: Simulator) -> None:
    """A confirmed update is not a failure if reading the list fails, but it is not said to match."""
    plan = made(any_client)
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("get_keyword_list", status=404)
    update = applied(any_client, plan)
    assert (update.matches, update.recovered) == (None, False)
    assert isinstance(update.error, NotFoundError)
    assert update.keyword_list.search_terms == TERMS


def test_list_with_hidden_entries(any_client: AnyClient, simulator: Simulator) -> None:
    """If entries are not shown, a plan is applied only with `max_removed=1`, and it is not said to match."""
    shown = simulator.keyword_lists["scam-patterns"]
    hidden = shown.copy()
    del hidden["searchTerms"]
    simulator.keyword_lists["scam-patterns"] = hidden
    plan = made(any_client, ["a"], "scam-patterns")
    assert plan.share_removed is None
    with pytest.raises(PlanRefusedError, match="number of removed entries is unknown"):
        applied(any_client, plan)
    simulator.fail("update_keyword_list", body={"data": hidden})
    assert applied(any_client, plan, max_removed=1).matches is None
    assert calls(simulator) == ["get", "update", "get"]


def test_no_key_in_a_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """Neither a plan nor its result shows the key."""
    plan = made(any_client)
    update = applied(any_client, plan)
    assert simulator.api_key not in f"{plan!r}{plan}{update!r}"


def test_terms_in_csv_quotes(any_client: AnyClient, simulator: Simulator) -> None:
    """Terms in the quotes that a list from CSV shows are the same terms, and lose the quotes."""
    record = simulator.keyword_lists["imported-phrases"]
    record["searchTerms"] = ['"spam"', '"scam"']
    client = any_client.client()
    shown = any_client.call(lambda chat: chat.keywords.get("imported-phrases"), client).search_terms
    plan = any_client.call(lambda chat: chat.keywords.plan("imported-phrases", [*shown, "new"]), client)
    assert (plan.added, plan.removed, plan.unchanged) == (("new",), (), ("spam", "scam"))
    assert any_client.call(lambda chat: chat.keywords.apply(plan), client).matches
    assert simulator.keyword_lists["imported-phrases"]["searchTerms"] == ["spam", "scam", "new"]


def test_quotes_in_an_input(any_client: AnyClient, simulator: Simulator) -> None:
    """Quotes in an input are part of its terms, and the plan shows them as a change."""
    simulator.keyword_lists["imported-phrases"]["searchTerms"] = ['"spam"']
    new = WordListInput(search_terms=['"spam"'])
    plan = any_client.call(lambda chat: chat.keywords.plan("imported-phrases", new), any_client.client())
    assert (plan.added, plan.removed) == (('"spam"',), ("spam",))


def test_plan_of_another_app_is_refused(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan that was made for another app changes nothing: it is refused before anything is sent."""
    plan = made(any_client)
    with Simulator() as other:
        client = any_client.client(base_url=other.base_url, api_key=other.api_key)
        with pytest.raises(InvalidRequestError, match=f"the plan was made for {simulator.base_url}, not for"):
            any_client.call(lambda chat: chat.keywords.apply(plan, max_removed=1), client)
        assert other.requests == []


@pytest.mark.parametrize("keyword_id", LISTS)
def test_fetched_list_sent_back(any_client: AnyClient, simulator: Simulator, keyword_id: str) -> None:
    """If one field of a fetched list is changed and the list is sent back, only this field differs."""
    fetched = any_client.call(lambda chat: chat.keywords.get(keyword_id))
    new = evolve(keyword_input.from_keyword_list(fetched), description="Changed.")
    plan = made(any_client, new, keyword_id)
    assert (plan.changed_fields, plan.added, plan.removed) == (("description",), (), ())
    update = applied(any_client, plan, max_removed=0)
    assert (update.matches, update.recovered) == (True, False)
    assert update.keyword_list.to_dict() == simulator.keyword_lists[keyword_id]
    assert made(any_client, keyword_input.from_keyword_list(update.keyword_list), keyword_id).has_changes is False
