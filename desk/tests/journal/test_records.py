"""The content of a list in the journal, and whether a list shows an update."""

import json

import pytest

from cometchat_rest import WordListInput
from cometchat_testing import Simulator

from .conftest import LIST, TERMS, Desk, lose_update, replace


@pytest.mark.parametrize(
    "content", ["unchanged", "unchanged without a revision", "other", "hidden"]
)
def test_list_that_does_not_show_the_update(desk: Desk, simulator: Simulator, content: str) -> None:
    """An unchanged list, one that somebody else changed, and one without entries prove nothing:
    it stays unknown."""
    before = simulator.keyword_lists[LIST]["searchTerms"]
    if content == "unchanged without a revision":
        replace(simulator, *before, revision=None)
    lose_update(simulator)
    desk.change(*TERMS)
    if content == "other":
        replace(simulator, "new")
    elif content == "hidden":
        replace(simulator)
        del simulator.keyword_lists[LIST]["searchTerms"]
    entry = desk.settle()
    assert (entry.outcome, entry.revision_after, entry.after.entries) == (
        "unknown",
        None,
        tuple(TERMS),
    )


def test_any_text_can_be_recorded(desk: Desk, simulator: Simulator) -> None:
    """Texts that no file can hold, such as half of a surrogate pair, do not stop an update."""
    texts = {
        "searchTerms": ["a\ud800", "spam"],
        "revisionId": "r\ud800_1",
        "name": 5,
        "description": 5,
    }
    record = {**simulator.keyword_lists[LIST], **texts}
    simulator.fail("get_keyword_list", status=200, body=json.dumps({"data": record}), times=2)
    desk.apply(desk.plan(WordListInput(search_terms=TERMS)), app="a\ud800")
    entry = desk.last()
    assert entry.outcome == "done"
    assert (entry.before.entries, entry.before.name, entry.before.description) == (
        ("a\ud800", "spam"),
        None,
        None,
    )
    assert entry.revision_before == "r\\ud800_1"
