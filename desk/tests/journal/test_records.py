"""The content of a list in the journal."""

import json

from cometchat_rest import WordListInput
from cometchat_testing import Simulator

from .conftest import LIST, TERMS, Desk


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
