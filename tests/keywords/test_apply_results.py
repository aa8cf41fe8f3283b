"""The guards before an update, and the result of an update."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import (
    CometChatError,
    RequestTimeoutError,
    RevisionConflictError,
    ServerError,
    TransportError,
)
from cometchat_rest.keyword_input import WordListInput, from_terms
from cometchat_rest.keywords.apply import apply, check_revision, resolve_update
from cometchat_rest.keywords.plan import KeywordPlan, compare


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str) -> KeywordPlan:
    return compare("list", old, from_terms(old.category, terms))


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
    def test_list_that_has_changed(self, before: dict[str, Any], after: dict[str, Any], *, moved: bool) -> None:
        """The revision shows whether a list has changed; without a revision, its time and its entries do."""
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
        """An entry that was sent but is not in the list is missing; one that was not sent is unexpected."""
        plan = compare("list", fetched("a"), WordListInput(search_terms=["a", "B"], name="New"))
        good = fetched("B", "a", "a", name="New", revisionId="r_2")
        update = resolve_update(plan, good, good)
        assert (update.matches, update.missing, update.unexpected, update.differing_fields) == (True, (), (), ())
        update = resolve_update(plan, good, fetched("a", "b", revisionId="r_2"))
        assert (update.matches, update.missing, update.unexpected) == (False, ("B",), ("b",))
        assert (update.differing_fields, update.recovered, update.error) == (("name",), False, None)
        update = resolve_update(plan, good, fetched(searchTerms=None, name="New"))
        assert (update.matches, update.missing) == (None, ())
        update = resolve_update(plan, good, fetched(searchTerms=None))
        assert (update.matches, update.differing_fields) == (False, ("name",))

    def test_quotes_in_the_result(self) -> None:
        """Entries of a file match, whether the list shows them with quotes or without."""
        plan = planned(fetched("a"), "b, c", 'say "hi"', '"d"')
        for shown in (('"b, c"', '"say ""hi"""', '"""d"""'), ("b, c", 'say "hi"', '"d"')):
            found = fetched(*shown, isCSV=True, revisionId="r_2")
            assert resolve_update(plan, found, found).matches is True

    def test_failed_reading_after_a_confirmed_update(self) -> None:
        """A confirmed update is not a failure if reading the list fails: whether it matches is unknown."""
        lost = TransportError("no")
        update = resolve_update(planned(fetched("a"), "b"), confirmed := fetched("b"), lost)
        assert (update.matches, update.error, update.keyword_list) == (None, lost, confirmed)

    @pytest.mark.parametrize(
        "error",
        [
            TransportError("cut"),
            RequestTimeoutError("slow"),
            ServerError("no", operation="x", status_code=500),
            ServerError("slow", operation="x", status_code=504),
        ],
        ids=repr,
    )
    @pytest.mark.parametrize(
        ("found", "note"),
        [
            (fetched("a"), "The list is still unchanged, but the service may carry out the update later. "),
            (fetched("z", revisionId="r_2"), "revision of the list was r_1 and is now r_2"),
            (fetched(searchTerms=None, revisionId="r_2"), "not known to match the update"),
            (TransportError("cut again"), "Reading the list failed as well: cut again. "),
        ],
        ids=["unchanged", "changed", "hidden", "unread"],
    )
    def test_unknown_outcome(self, error: CometChatError, found: KeywordList | CometChatError, note: str) -> None:
        """If the list does not show the update, its own error is raised with a note, and the outcome stays unknown."""
        error = copy.copy(error)
        error.outcome_unknown = True
        with pytest.raises(type(error)) as caught:
            resolve_update(planned(fetched("a"), "b"), error, found)
        assert caught.value is error
        assert error.outcome_unknown is True
        assert note in error.__notes__[0]
        assert error.__notes__[0].endswith("Read the list again before you send the update again.")

    def test_differences_as_text(self) -> None:
        """The differing entries are lines of text, at most `limit` of each kind; equal lists have none."""
        plan = planned(fetched("a"), "a", *(f"new {number}" for number in range(60)), "x\ny")
        update = resolve_update(plan, plan.keyword_list, fetched("a", "b", " c"))
        assert update.describe(2).split("\n") == ["- new 0", "- new 1", "- ... and 59 more", "+ b", "+ ' c'"]
        assert len(update.describe().split("\n")) == 53
        assert update.describe(None).split("\n")[60:] == [r"- 'x\ny'", "+ b", "+ ' c'"]
        assert resolve_update(plan, plan.keyword_list, fetched(*plan.entries)).describe() == ""

    def test_recovered_update(self) -> None:
        """If the list matches the update, an update whose response was lost has succeeded."""
        update = resolve_update(planned(fetched("a"), "b"), TransportError("cut"), fetched("b", revisionId="r_2"))
        assert (update.matches, update.recovered) == (True, True)
        assert evolve(update, recovered=False) == resolve_update(
            planned(fetched("a"), "b"), update.keyword_list, update.keyword_list
        )
        assert "recovered=True" in repr(update)


class TestPauses:
    def pauses(self, settle_within: float, deadline: float, readings: int) -> list[float]:
        """The pauses after this many readings that show no change, after an update whose response was lost."""
        unchanged: Any = SimpleNamespace(parsed=SimpleNamespace(data=fetched("a")))
        lost = TransportError("cut")
        lost.outcome_unknown = True
        flow = apply(planned(fetched("a"), "b"), 1, settle_within, deadline, "")
        steps: list[Any] = [next(flow), flow.send(unchanged), flow.send(lost)]
        names = [step.operation.name for step in steps]
        assert names == ["get_keyword_list", "update_keyword_list", "get_keyword_list"]
        pauses: list[Any] = []
        for _ in range(readings):
            pauses.append(flow.send(unchanged))
            next(flow)
        flow.close()
        return pauses

    def test_pauses_between_readings(self) -> None:
        """The pauses double from a quarter of a second to eight seconds. Each may be shorter by up to half."""
        limits = [0.25, 0.5, 1.0, 2.0, 4.0, *[8.0] * 60]
        pauses = self.pauses(1000, 1000, len(limits))
        assert all(limit / 2 <= pause <= limit for pause, limit in zip(pauses, limits, strict=True))
        assert max(pauses) > 7.5

    @pytest.mark.parametrize(("settle_within", "deadline"), [(0.1, 1000), (1000, 0.1)])
    def test_last_pause(self, settle_within: float, deadline: float) -> None:
        """The last pause ends with `settle_within` or with the deadline of the client."""
        (pause,) = self.pauses(settle_within, deadline, 1)
        assert 0 < pause <= 0.1
