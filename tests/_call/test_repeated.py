"""Responses repeat the identifier of the record that the call named."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from cometchat_rest import UnexpectedResponse, WordListInput
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, AnyClient

TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]


def test_response_about_another_list(any_client: AnyClient, simulator: Simulator) -> None:
    """A response about another list than the requested one is refused, and a plan for it is not applied."""
    other = {"data": simulator.keyword_lists["default-profanity"]}
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, TERMS))
    calls: dict[str, Callable[[Any], Any]] = {
        "get": lambda chat: chat.keywords.get(LIST_ID),
        "plan": lambda chat: chat.keywords.plan(LIST_ID, TERMS),
        "update": lambda chat: chat.keywords.update(LIST_ID, TERMS),
        "apply": lambda chat: chat.keywords.apply(plan),
    }
    for name, call in calls.items():
        simulator.fail("get_keyword_list", body=other)
        with pytest.raises(UnexpectedResponse, match="/data/id is not 'profanity-list'") as caught:
            any_client.call(call)
        assert (caught.value.pointer, caught.value.outcome_unknown) == ("/data/id", False)
        # Strict or not, nobody should change a list by the content of an unknown one.
        for data in ({**other["data"], "id": None}, {**other["data"], "id": 5}, {}):
            simulator.fail("get_keyword_list", body={"data": data})
            with nullcontext() if name == "get" else pytest.raises(UnexpectedResponse, match="/data/id"):
                any_client.call(call)
    simulator.fail("update_keyword_list", body=other)
    with pytest.raises(UnexpectedResponse) as caught:
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(search_terms=TERMS)))
    assert caught.value.outcome_unknown is True
