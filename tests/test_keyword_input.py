"""`keyword_input`: inputs made of fetched lists."""

import attrs
import pytest

from cometchat_rest import keyword_input
from cometchat_rest.testing import Simulator

from .support import AnyClient


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
