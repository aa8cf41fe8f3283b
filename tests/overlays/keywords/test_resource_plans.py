"""Planned updates: a plan is applied once, to the list that it was made for, and the list is
read afterwards."""

from operator import methodcaller
from typing import Any, Unpack

import pytest
from attrs import evolve

from cometchat_rest import (
    AttemptRecord,
    CometChatError,
    InvalidRequestError,
    NotFoundError,
    PatternListInput,
    PlanRefusedError,
    RequestTimeoutError,
    RevisionConflictError,
    SentenceSimilarityListInput,
    ServerError,
    TransportError,
    UnexpectedResponse,
    WordListInput,
    keyword_input,
)
from cometchat_testing import Simulator
from cometchat_testing.records import KeywordListRecord

from ...conftest import AnyClient
from ...sent import form_of
from ...support import LIST_ID
from .test_resource import LISTS

TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]


def made(any_client: AnyClient, new: Any = None, keyword_id: str = LIST_ID) -> Any:
    """A plan; its share of removed entries is small unless `new` makes it large."""
    return any_client.call(
        lambda chat: chat.keywords.plan(keyword_id, TERMS if new is None else new)
    )


def applied(any_client: AnyClient, plan: Any, client: Any = None, **options: Any) -> Any:
    return any_client.call(lambda chat: chat.keywords.apply(plan, **options), client)


def calls(simulator: Simulator) -> list[str | None]:
    """The requests since the plan was made."""
    short = {"get_keyword_list": "get", "update_keyword_list": "update"}
    return [short.get(str(request.operation)) for request in simulator.requests][1:]


def touch(simulator: Simulator, **fields: Unpack[KeywordListRecord]) -> None:
    """Change the list as somebody else would; `fields` may override the new revision."""
    simulator.keyword_lists[LIST_ID] = {
        **simulator.keyword_lists[LIST_ID],
        "revisionId": "moved",
        **fields,
    }


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
    """Terms without an input get the category of the list, and become a file if one of them
    holds a comma."""
    sentences = made(any_client, ["Send me money, now."], "threat-sentences").new
    assert sentences == SentenceSimilarityListInput(
        name="Threats", disallowed_sentences=["Send me money, now."]
    )
    plan = made(any_client, ["x{1,3}", "two\nlines"], "scam-patterns")
    assert plan.new == PatternListInput(name="Scam patterns", file=b'"x{1,3}"\n"two\nlines"\n')
    update = applied(any_client, plan, max_removed=1)
    assert (update.matches, update.missing, update.unexpected) == (True, (), ())
    assert simulator.keyword_lists["scam-patterns"]["searchTerms"] == ['"x{1,3}"', '"two\nlines"']


@pytest.mark.parametrize(
    ("keyword_id", "new"),
    [
        (
            "profanity-list",
            {"category": "word", "searchTerms": ["spam", "scam"], "description": "Bad words"},
        ),
        ("scam-patterns", {"category": "pattern", "searchTerms": "ab?,cd"}),
        (
            "threat-sentences",
            {"category": "sentence-similarity", "disallowedSentences": ["I will find you"]},
        ),
    ],
)
def test_update_with_a_plain_dict(
    any_client: AnyClient, simulator: Simulator, keyword_id: str, new: Any
) -> None:
    """`update` and `plan` take a dict with the names of the service, and send the same request
    as for its input."""
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
    plan = made(any_client, ["new"])
    with pytest.raises(
        PlanRefusedError,
        match=r"6 of 6 entries \(100\.0%\) would be removed; by default, max_removed",
    ):
        applied(any_client, plan)
    with pytest.raises(PlanRefusedError, match=r"; max_removed allows 99\.0%"):
        applied(any_client, plan, max_removed=0.99)
    assert calls(simulator) == []
    assert applied(any_client, plan, max_removed=1).matches is True


def test_list_that_changed_since_the_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """A list that somebody changed since the plan is not updated, and the error has both
    revisions."""
    plan = made(any_client)
    touch(simulator)
    with pytest.raises(RevisionConflictError, match="_profanity-list_1 and is now moved") as caught:
        applied(any_client, plan)
    assert (caught.value.planned_revision, caught.value.current_revision) == (
        plan.revision_id,
        "moved",
    )
    assert caught.value.outcome_unknown is False
    assert calls(simulator) == ["get"]


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
    """A confirmed update is not a failure if reading the list fails, but it is not said to
    match."""
    plan = made(any_client)
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("get_keyword_list", status=404)
    update = applied(any_client, plan)
    assert (update.matches, update.recovered) == (None, False)
    assert isinstance(update.error, NotFoundError)
    assert update.keyword_list.search_terms == TERMS


def test_list_with_hidden_entries(any_client: AnyClient, simulator: Simulator) -> None:
    """If entries are not shown, a plan is applied only with `max_removed=1`, and it is not said
    to match."""
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


@pytest.mark.parametrize("method", ["update", "plan"])
def test_list_that_shows_quotes(any_client: AnyClient, simulator: Simulator, method: str) -> None:
    """If a list shows entries in double quotes, terms are not sent before the caller says what
    the quotes belong to."""
    with pytest.raises(
        InvalidRequestError,
        match='quotes must be "csv" or "literal", because the list shows 2 of its',
    ):
        any_client.call(
            methodcaller(method, "imported-phrases", ["new"]), any_client.client().keywords
        )
    assert [request.method for request in simulator.requests] == ["GET"]


@pytest.mark.parametrize("mode", ["shown", "removed"])
@pytest.mark.parametrize(
    ("quotes", "sent"),
    [
        ("csv", ["buy now, pay later", "guaranteed profit", "no quotes here", "new"]),
        ("literal", ['"buy now, pay later"', '"guaranteed profit"', "no quotes here", "new"]),
    ],
)
def test_answers_about_quotes(
    any_client: AnyClient, mode: Any, quotes: keyword_input.Quotes, sent: list[str]
) -> None:
    """With either answer, a plan of shown terms changes only what it says, whatever the service
    shows of a file."""
    with Simulator(quotes=mode) as simulator:
        chat = any_client.client(base_url=simulator.base_url, api_key=simulator.api_key)
        shown = simulator.keyword_lists["imported-phrases"]["searchTerms"]
        plan = any_client.call(
            lambda chat: chat.keywords.plan("imported-phrases", [*shown, "new"], quotes=quotes),
            chat,
        )
        assert (plan.entries, plan.added, plan.removed, plan.quotes) == (
            tuple(sent),
            ("new",),
            (),
            quotes,
        )
        update = any_client.call(lambda chat: chat.keywords.apply(plan), chat)
        assert (update.matches, update.keyword_list.is_csv) == (True, True)
        assert keyword_input.list_entries(
            update.keyword_list, quotes=None if mode == "removed" else "csv"
        ) == tuple(sent)


def test_service_that_clears_omitted_fields(any_client: AnyClient) -> None:
    """Terms keep the name and the description of a list; an input may clear them, and the result
    says so."""
    with Simulator(omitted_fields="cleared") as simulator:
        chat = any_client.client(base_url=simulator.base_url, api_key=simulator.api_key)
        plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, ["spam", "new"]), chat)
        assert applied(any_client, plan, chat, max_removed=1).matches is True
        updated = any_client.call(lambda chat: chat.keywords.update(LIST_ID, ["spam"]), chat)
        assert (updated.name, updated.description) == ("Profanity", "Words nobody wants to read.")
        plan = any_client.call(
            lambda chat: chat.keywords.plan(LIST_ID, WordListInput(search_terms=["spam"])), chat
        )
        update = any_client.call(lambda chat: chat.keywords.apply(plan), chat)
        assert (update.matches, update.differing_fields) == (False, ("name", "description"))


def test_plan_of_another_app_is_refused(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan that was made for another app changes nothing: it is refused before anything is
    sent."""
    plan = made(any_client)
    with Simulator() as other:
        client = any_client.client(base_url=other.base_url, api_key=other.api_key)
        with pytest.raises(
            InvalidRequestError, match=f"the plan was made for {simulator.base_url}, not for"
        ):
            any_client.call(lambda chat: chat.keywords.apply(plan, max_removed=1), client)
        assert other.requests == []


@pytest.mark.parametrize("keyword_id", LISTS)
def test_fetched_list_sent_back(
    any_client: AnyClient, simulator: Simulator, keyword_id: str
) -> None:
    """If one field of a fetched list is changed and the list is sent back, only this field
    differs."""
    fetched = any_client.call(lambda chat: chat.keywords.get(keyword_id))
    new = evolve(keyword_input.from_keyword_list(fetched, quotes="literal"), description="Changed.")
    plan = made(any_client, new, keyword_id)
    assert (plan.changed_fields, plan.added, plan.removed) == (("description",), (), ())
    update = applied(any_client, plan, max_removed=0)
    assert (update.matches, update.recovered) == (True, False)
    assert update.keyword_list.to_dict() == simulator.keyword_lists[keyword_id]


#: How the response to the update is lost, and the error if the list never shows the update.
LOSSES: dict[str, tuple[dict[str, Any], type[CometChatError]]] = {
    **{
        cut: ({"cut": cut}, TransportError) for cut in ("after_processing", "in_headers", "in_body")
    },
    "timeout": ({"delay": 20}, RequestTimeoutError),
    "html": ({"body": "<html>"}, UnexpectedResponse),
    **{
        str(status): ({"status": status}, ServerError)
        for status in (500, 502, 503, 504, 520, 522, 524)
    },
}


@pytest.mark.parametrize(("loss", "_"), LOSSES.values(), ids=LOSSES)
def test_update_that_was_carried_out(
    any_client: AnyClient, simulator: Simulator, loss: Any, _: object
) -> None:
    """An update whose response was lost has succeeded if the list shows it; the update is sent
    once."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", **loss, apply_after=0)
    update = applied(any_client, plan, any_client.client(max_retries=0, timeout=3))
    assert (update.matches, update.recovered, update.keyword_list.search_terms) == (
        True,
        True,
        TERMS,
    )
    assert calls(simulator) == ["get", "update", "get"]


def check_unknown(
    any_client: AnyClient, simulator: Simulator, plan: Any, note: str, **options: Any
) -> CometChatError:
    """The error of the update: its outcome is unknown, its note says why, and the update was
    sent once."""
    with pytest.raises(CometChatError) as caught:
        applied(any_client, plan, any_client.client(max_retries=0, timeout=3, **options))
    assert caught.value.outcome_unknown is True
    assert note in caught.value.__notes__[-1]
    assert caught.value.__notes__[-1].endswith(
        "Read the list again before you send the update again."
    )
    assert calls(simulator) == ["get", "update", "get"]
    return caught.value


@pytest.mark.parametrize(("loss", "kind"), LOSSES.values(), ids=LOSSES)
def test_update_that_is_not_carried_out_yet(
    any_client: AnyClient, simulator: Simulator, loss: Any, kind: type[CometChatError]
) -> None:
    """An unchanged list does not prove that the update failed: the error says that the outcome is unknown, and to read
    the list again."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", **loss, apply_after=600)
    note = "still unchanged, but the service may carry out the update later"
    assert isinstance(check_unknown(any_client, simulator, plan, note), kind)


def test_change_by_somebody_else(any_client: AnyClient, simulator: Simulator) -> None:
    """If the list changes but does not match the update, the outcome stays unknown."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", cut="before_headers")

    def change(attempt: AttemptRecord) -> None:
        if attempt.method == "PUT":
            touch(simulator)

    note = "and is now moved, but the list is not known to match the update"
    check_unknown(any_client, simulator, plan, note, on_attempt=change)


@pytest.mark.parametrize("status", [302, 401, 404, 503])
def test_reading_that_is_refused(any_client: AnyClient, simulator: Simulator, status: int) -> None:
    """If the list cannot be read, the error of the update is raised, and its note names the
    other error."""
    plan = made(any_client)
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("update_keyword_list", status=500)
    simulator.fail("get_keyword_list", status=status)
    assert isinstance(check_unknown(any_client, simulator, plan, str(status)), ServerError)
