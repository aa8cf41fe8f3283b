"""Plans made and applied through both clients, over real HTTP: the requests, the result, and lost responses."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Unpack

import pytest

from cometchat_rest import (
    BadRequestError,
    CometChatError,
    InvalidRequestError,
    KeywordUpdate,
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
from cometchat_rest.testing import Simulator
from cometchat_rest.testing.records import KeywordListRecord

from ..support import LIST_ID, form_of

if TYPE_CHECKING:
    from ..conftest import AnyClient

TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]


def made(any_client: AnyClient, new: Any = None, list_id: str = LIST_ID) -> Any:
    """A plan; its share of removed entries is small unless `new` makes it large."""
    return any_client.call(lambda chat: chat.keywords.plan(list_id, TERMS if new is None else new))


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
    assert (plan.sent_as, plan.terms_with_separator) == ("file", ("x{1,3}",))
    update = applied(any_client, plan, max_removed=1)
    assert update.matches is True
    assert (update.keyword_list.is_csv, update.keyword_list.search_terms) == (True, ['"x{1,3}"', r"\bfr[e3]{2}\b"])
    assert simulator.keyword_lists["scam-patterns"]["isCSV"] is True


@pytest.mark.parametrize(
    "list_id", ["profanity-list", "scam-patterns", "threat-sentences", "default-profanity", "imported-phrases"]
)
def test_fetched_list_sent_back(any_client: AnyClient, simulator: Simulator, list_id: str) -> None:
    """A fetched list that is sent back has no planned changes, and matches after the update."""
    new = keyword_input.from_keyword_list(any_client.call(lambda chat: chat.keywords.get(list_id)))
    plan = made(any_client, new, list_id)
    assert (plan.has_changes, plan.added, plan.removed) == (False, (), ())
    update = applied(any_client, plan, max_removed=0)
    assert (update.matches, update.recovered) == (True, False)
    assert update.keyword_list.to_dict() == simulator.keyword_lists[list_id]


@pytest.mark.parametrize("new", ["spam", b"spam", {"category": "word"}, ["a", ""], [1], None, 5], ids=repr)
def test_plan_of_invalid_input(any_client: AnyClient, simulator: Simulator, new: Any) -> None:
    """A value that is neither an input nor terms is refused before anything is sent."""
    with pytest.raises(InvalidRequestError):
        any_client.call(lambda chat: chat.keywords.plan(LIST_ID, new))
    assert simulator.requests == []


def test_plan_for_a_missing_list(any_client: AnyClient) -> None:
    """A plan for a list that does not exist is a NotFoundError."""
    with pytest.raises(NotFoundError):
        made(any_client, list_id="nope")


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


@pytest.mark.parametrize("cut", ["after_processing", "in_headers", "in_body"])
def test_lost_response(any_client: AnyClient, simulator: Simulator, cut: Any) -> None:
    """An update that was carried out is recovered by reading if its response is lost; it is sent once."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", cut=cut)
    update = applied(any_client, plan)
    assert isinstance(update, KeywordUpdate)
    assert (update.matches, update.recovered) == (True, True)
    assert calls(simulator) == ["get", "update", "get"]
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == TERMS


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"cut": "before_headers"}, TransportError),
        ({"status": 500}, ServerError),
        ({"status": 302}, UnexpectedResponse),
        ({"body": "<html>"}, UnexpectedResponse),
    ],
    ids=["cut", "500", "302", "html"],
)
def test_unchanged_list_after_a_lost_response(
    any_client: AnyClient, simulator: Simulator, fault: Any, error: type[CometChatError]
) -> None:
    """An unchanged list does not prove that an update was not carried out: its outcome stays unknown."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", **fault)
    with pytest.raises(error) as caught:
        applied(any_client, plan, settle_within=0)
    assert caught.value.outcome_unknown is True
    (note,) = caught.value.__notes__
    assert note == (
        "The list is still unchanged, but the service may carry out the update later. "
        "Read the list again before you send the update again."
    )
    assert calls(simulator) == ["get", "update", "get"]
    # The plan still fits the list.
    assert applied(any_client, plan).matches is True


@pytest.mark.parametrize("status", [401, 403, 404, 409, 422])
def test_refused_update(any_client: AnyClient, simulator: Simulator, status: int) -> None:
    """After an update that the service refuses, the list is not read."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", status=status)
    with pytest.raises(CometChatError) as caught:
        applied(any_client, plan)
    assert caught.value.outcome_unknown is False
    assert calls(simulator) == ["get", "update"]


def test_warnings_do_not_prevent_an_update(any_client: AnyClient, simulator: Simulator) -> None:
    """An update with warnings is sent, and the refusal of the service is raised."""
    plan = made(any_client, [*TERMS, "x" * 101])
    assert plan.too_long == ("x" * 101,)
    with pytest.raises(BadRequestError, match="ERR_BAD_REQUEST"):
        applied(any_client, plan)
    assert calls(simulator) == ["get", "update"]


def test_timeout_of_an_update(any_client: AnyClient, simulator: Simulator) -> None:
    """After a timeout, the service may still be working on the update: an unchanged list proves nothing."""
    plan = made(any_client)
    before = simulator.keyword_lists[LIST_ID]
    simulator.fail("update_keyword_list", status=200, body={}, delay=30)
    with pytest.raises(RequestTimeoutError) as caught:
        applied(any_client, plan, any_client.client(timeout=0.5), settle_within=0)
    assert caught.value.outcome_unknown is True
    assert simulator.keyword_lists[LIST_ID] == before
    assert calls(simulator) == ["get", "update", "get"]


def test_lost_response_and_another_change(
    any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the list has changed but does not match the update, the outcome stays unknown, and the error says so."""
    plan = made(any_client)
    receive = simulator.receive

    def meddle(request: Any) -> Any:
        if len(simulator.requests) == 3:  # after the plan, the check and the update
            touch(simulator, searchTerms=["something else"])
        return receive(request)

    monkeypatch.setattr(simulator, "receive", meddle)
    simulator.fail("update_keyword_list", cut="before_headers")
    with pytest.raises(TransportError) as caught:
        applied(any_client, plan, settle_within=0)
    assert caught.value.outcome_unknown is True
    assert any("is now moved" in note for note in caught.value.__notes__)
    assert calls(simulator) == ["get", "update", "get"]


def test_lost_response_and_failed_reading(any_client: AnyClient, simulator: Simulator) -> None:
    """If reading the list fails too, the error of the update is raised, and its outcome stays unknown."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", cut="after_processing")
    # The reading before the update works.
    simulator.fail("get_keyword_list", headers={"x": "y"})
    simulator.fail("get_keyword_list", status=404)
    with pytest.raises(TransportError) as caught:
        applied(any_client, plan)
    assert caught.value.outcome_unknown is True
    assert any("404" in note for note in caught.value.__notes__)


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
    assert simulator.api_key not in f"{plan!r}{plan}{plan.describe(None)}{update!r}"


def test_modules_are_loaded_when_used(simulator: Simulator) -> None:
    """A program that gets and updates lists does not load the modules for plans."""
    code = f"""
import sys
from cometchat_rest import Client
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}) as chat:
    chat.keywords.get({LIST_ID!r})
    assert not {{"cometchat_rest.keyword_input", "cometchat_rest.keywords.files"}} & sys.modules.keys()
    from cometchat_rest import WordListInput
    chat.keywords.update({LIST_ID!r}, WordListInput(search_terms=["spam"]))
    assert "cometchat_rest.keywords.plan" not in sys.modules
    chat.keywords.plan({LIST_ID!r}, ["spam"])
    assert "cometchat_rest.keywords.plan" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")


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
