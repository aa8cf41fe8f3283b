"""Updates: the check of the revision, and the result."""

from typing import Any

import pytest

from cometchat_rest import (
    AttemptRecord,
    KeywordPlan,
    RevisionConflictError,
    TransportError,
)
from cometchat_rest.keyword_input import Quotes, WordListInput, from_terms
from cometchat_rest.keywords.apply import check_revision, resolve_update
from cometchat_testing import Simulator

from ...support import LIST_ID, AnyClient
from .test_plan import fetched, planned
from .test_resource_plans import applied, calls, made, touch


class TestCheckRevision:
    @pytest.mark.parametrize(
        ("before", "after", "moved"),
        [
            ({}, {}, False),
            ({}, {"searchTerms": ["z"], "updatedAt": 9}, False),
            ({}, {"revisionId": "r_2"}, True),
            ({}, {"revisionId": None}, True),
            ({"revisionId": None}, {}, True),
            ({"revisionId": None}, {"revisionId": None}, False),
            ({"revisionId": None}, {"revisionId": None, "updatedAt": 9}, True),
            ({"revisionId": None}, {"revisionId": None, "searchTerms": ["z"]}, True),
        ],
        ids=repr,
    )
    def test_list_that_has_changed(
        self, before: dict[str, Any], after: dict[str, Any], *, moved: bool
    ) -> None:
        """The revision shows whether a list has changed; without a revision, its time and its
        entries do."""
        plan, found = planned(fetched("a", **before), "b"), fetched("a", **after)
        if not moved:
            check_revision(plan, found)
            return
        with pytest.raises(RevisionConflictError) as caught:
            check_revision(plan, found)
        assert caught.value.planned_revision == plan.revision_id
        assert caught.value.current_revision == found.revision_id


class TestResolveUpdate:
    def test_result_of_an_update(self) -> None:
        """An entry that was sent but is not in the list is missing; one that was not sent is
        unexpected."""
        plan = KeywordPlan.compare(
            "list", fetched("a"), WordListInput(search_terms=["a", "B"], name="New")
        )
        good = fetched("B", "a", "a", name="New", revisionId="r_2")
        update = resolve_update(plan, good, good)
        assert (update.matches, update.missing, update.unexpected, update.differing_fields) == (
            True,
            (),
            (),
            (),
        )
        update = resolve_update(plan, good, fetched("a", "b", revisionId="r_2"))
        assert (update.matches, update.missing, update.unexpected) == (False, ("B",), ("b",))
        assert (update.differing_fields, update.recovered, update.error) == (("name",), False, None)
        update = resolve_update(plan, good, fetched(searchTerms=None, name="New"))
        assert (update.matches, update.missing) == (None, ())
        update = resolve_update(plan, good, fetched(searchTerms=None))
        assert (update.matches, update.differing_fields) == (False, ("name",))

    @pytest.mark.parametrize(
        ("changed", "differing"),
        [
            ({"description": ""}, ("description",)),
            ({"name": None, "active": False}, ("name", "active")),
            ({"category": "pattern", "default": True}, ("category", "default")),
            ({"metadata": ""}, ()),
        ],
        ids=repr,
    )
    def test_fields_that_were_not_sent(
        self, changed: dict[str, Any], differing: tuple[str, ...]
    ) -> None:
        """A field that an update does not send must not change; for a text, null and an empty
        text are the same."""
        before = {"description": "Bad words", "active": True, "default": False}
        plan = KeywordPlan.compare(
            "list", fetched("a", **before), WordListInput(search_terms=["b"])
        )
        found = fetched("b", **before | {"revisionId": "r_2"} | changed)
        update = resolve_update(plan, found, found)
        assert (update.matches, update.differing_fields) == (not differing, differing)
        plan = KeywordPlan.compare(
            "list", fetched("a", description=None), WordListInput(search_terms=["b"])
        )
        assert resolve_update(plan, found, fetched("b", description="")).matches is True

    @pytest.mark.parametrize(
        "shown", [('"b, c"', '"say ""hi"""', '"""d"""'), ("b, c", 'say "hi"', '"d"')], ids=repr
    )
    @pytest.mark.parametrize("quotes", [None, "csv", "literal"])
    def test_quotes_in_the_result(self, shown: tuple[str, ...], quotes: Quotes | None) -> None:
        """Entries of a file match, whether the list shows the rows of the file or the entries."""
        new = from_terms("word", ["b, c", 'say "hi"', '"d"'])
        plan, found = (
            KeywordPlan.compare("list", fetched("a"), new, quotes=quotes),
            fetched(*shown, revisionId="r_2"),
        )
        assert resolve_update(plan, found, found).matches is True
        found = fetched(*shown[1:], '"a"')
        assert resolve_update(plan, found, found).missing == ("b, c",)
        found = fetched('"x"', '"y"')
        plan = KeywordPlan.compare(
            "list", found, WordListInput(search_terms=["x", '"y"']), quotes=quotes
        )
        assert resolve_update(plan, found, found).matches is (quotes == "csv")

    def test_rows_of_a_file_that_the_list_already_showed(self) -> None:
        """A list that shows the rows of the file before and after the update shows nothing."""
        old, lost = fetched('"b, c"', isCSV=True), TransportError("cut")
        plan = KeywordPlan.compare("list", old, from_terms("word", ["b, c"]))
        assert plan.has_changes
        with pytest.raises(TransportError, match="cut"):
            resolve_update(plan, lost, old)

    def test_entries_that_are_hidden_after_a_lost_response(self) -> None:
        """If the service does not show the entries, a new revision does not show that the update
        was carried out."""
        error, found = TransportError("cut"), fetched(searchTerms=None, revisionId="r_2")
        error.outcome_unknown = True
        with pytest.raises(TransportError) as caught:
            resolve_update(planned(fetched("a"), "b"), error, found)
        assert caught.value is error
        assert error.outcome_unknown is True
        assert "not known to match the update" in error.__notes__[0]

    def test_plan_without_changes(self) -> None:
        """A list that already matched before the update shows nothing, unless its revision has
        changed."""
        plan, lost = planned(fetched("a"), "a"), TransportError("cut")
        with pytest.raises(TransportError, match="cut") as caught:
            resolve_update(plan, lost, fetched("a"))
        assert "still unchanged" in caught.value.__notes__[0]
        assert resolve_update(plan, lost, fetched("a", revisionId="r_2")).recovered


def test_others_may_change_the_list_while_the_update_waits(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """An update that waits after a 429 is not sent if somebody else changes the list during the
    pause."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", status=429)

    def change(attempt: AttemptRecord) -> None:
        if attempt.status_code == 429:
            touch(simulator, searchTerms=["new"])

    with pytest.raises(RevisionConflictError, match="the list has changed since the plan was made"):
        applied(any_client, plan, any_client.client(on_attempt=change))
    assert calls(simulator) == ["get", "update", "get"]
    assert simulator.keyword_lists[LIST_ID]["searchTerms"] == ["new"]


def test_update_is_repeated_after_a_429(any_client: AnyClient, simulator: Simulator) -> None:
    """An update that the service refused with 429 is sent again if the list is still the same."""
    plan = made(any_client)
    simulator.fail("update_keyword_list", status=429)
    assert applied(any_client, plan).matches is True
    assert calls(simulator) == ["get", "update", "get", "update", "get"]
