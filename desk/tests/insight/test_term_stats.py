"""The messages of each term, and the terms that are probably wrong, also on a history with known
answers."""

from functools import partial
from typing import Any

import pytest

from cometchat_desk.insight.collected import records_of
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.term_stats import named_lists, read_lists, term_stats
from cometchat_desk.journal import Journal
from cometchat_rest import ApiError, Client
from cometchat_testing import Simulator


def words(*terms: str) -> ListTerms:
    return ListTerms(category="word", terms=terms)


def record(
    number: int, text: str | None, *lists: str, status: str | None = None, **fields: Any
) -> dict[str, Any]:
    """A record of a rule that names lists; without lists, of a rule of another kind."""
    condition = {
        "operator": "contains",
        "value": [*lists],
        "isKeywordsReferencePresent": bool(lists),
    }
    message = {"id": str(number), "data": {"text": text, "moderation": {"status": status}}}
    return {"ruleId": "r", "condition": condition, "message": message, **fields}


def test_only_lists_of_the_rule_count() -> None:
    """A term counts only for the lists that the rule names; a record that shows no condition
    counts for all lists."""
    lists = {("", "one"): words("spam"), ("", "two"): words("Spam", "scam")}
    messages = [
        record(1, "spam scam", "two", status="approved"),
        record(2, "spam"),
        record(3, "spam", condition={}, status="disapproved"),
        record(4, None, "one"),
    ]
    records = records_of(messages)
    counts = term_stats(records, lists)
    assert named_lists(records) == (("", "one"), ("", "two"))
    found = {
        (each.keyword_id, each.value): (each.records, each.approved, each.disapproved)
        for each in counts.groups
    }
    assert found == {
        ("one", "spam"): (1, 0, 1),
        ("two", "spam"): (2, 1, 1),
        ("two", "scam"): (1, 1, 0),
    }


def test_two_rules_with_one_list() -> None:
    """If two rules name the same list, their records of one message count once."""
    records = records_of([record(1, "spam", "one"), record(1, "spam", "one", ruleId="other")])
    (group,) = term_stats(records, {("", "one"): words("spam")}).groups
    assert group.records == 1


def test_order() -> None:
    """The terms with the most messages come first."""
    records = records_of([record(1, "a b", "one"), record(2, "b", "one")])
    counts = term_stats(records, {("", "one"): words("a", "b")})
    assert [group.value for group in counts.groups] == ["b", "a"]


def test_everything_that_is_not_counted_is_named(simulator: Simulator, chat: Client) -> None:
    """Notes name the lists that are missing, the patterns that RE2 does not compile, and the
    number of sentences."""
    hidden: Any = simulator.keyword_lists["threat-sentences"]
    del hidden["disallowedSentences"]
    lists, missing = read_lists(
        [("shop", name) for name in ("profanity-list", "threat-sentences", "gone")],
        partial(Journal().read_list, chat),
    )
    assert ([*lists], [*missing]) == (
        [("shop", "profanity-list")],
        [("shop", "threat-sentences"), ("shop", "gone")],
    )
    given = {
        ("", "one"): ListTerms(category="pattern", terms=("(?=x)", "a")),
        ("", "two"): ListTerms(category="sentence-similarity", terms=("Go away.",)),
    }
    records = records_of([record(1, "a", "other")])
    notes = term_stats(records, given, missing=missing).notes
    parts = (
        "the list other are not counted: its records do not name an app",
        "the list gone of shop are not counted: the service has no list",
        "the list threat-sentences of shop are not counted: the service does not show its entries",
        "1 pattern was not used, because RE2 does not compile it: (?=x)",
        "1 sentence was not matched",
    )
    assert [part for part in parts if not any(part in note for note in notes)] == []


def test_no_term_occurs() -> None:
    """If no message contains an entry, or no rule names a list, a note says which of them is the
    reason."""
    records = records_of([record(1, "a", "one")])
    assert term_stats(records, {("", "one"): words("b")}).notes == ("no message contains an entry",)
    assert term_stats(records_of([record(1, "a")]), {}).notes == (
        "no rule of the records names a list",
    )


def test_service_that_fails(simulator: Simulator, chat: Client) -> None:
    """Another error than a missing list ends the reading of lists."""
    simulator.fail("get_keyword_list", status=403)
    with pytest.raises(ApiError):
        read_lists([("shop", "profanity-list")], partial(Journal().read_list, chat))
