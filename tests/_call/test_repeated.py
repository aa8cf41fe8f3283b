"""Responses repeat the identifier of the record that the call named."""

import pytest

from cometchat_rest import UnexpectedResponse, WordListInput
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, AnyClient

TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]


def test_response_about_another_list(any_client: AnyClient, simulator: Simulator) -> None:
    """A response about another list than the requested one is refused, and a plan for it is not applied."""
    other = {"data": simulator.keyword_lists["default-profanity"]}
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, TERMS))
    for call in (
        lambda chat: chat.keywords.get(LIST_ID),
        lambda chat: chat.keywords.plan(LIST_ID, TERMS),
        lambda chat: chat.keywords.apply(plan),
    ):
        simulator.fail("get_keyword_list", body=other)
        with pytest.raises(UnexpectedResponse, match="/data/id is not 'profanity-list'") as caught:
            any_client.call(call)
        assert (caught.value.pointer, caught.value.outcome_unknown) == ("/data/id", False)
    simulator.fail("update_keyword_list", body=other)
    with pytest.raises(UnexpectedResponse) as caught:
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(search_terms=TERMS)))
    assert caught.value.outcome_unknown is True
