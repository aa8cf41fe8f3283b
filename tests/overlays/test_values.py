"""Inputs, plans, outcomes, errors and clients as Python values: compared, hashed, copied and
pickled."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from rich.pretty import pretty_repr

from cometchat_rest import (
    Drift,
    KeywordList,
    KeywordPlan,
    KeywordUpdate,
    RateLimit,
    TokenRevocation,
    WordListInput,
)
from cometchat_testing import Simulator

from ..conftest import AnyClient


def copies(value: Any) -> list[Any]:
    return [copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


LIST = KeywordList.from_dict({"id": "words", "category": "word", "searchTerms": ["spam"]})


@pytest.mark.parametrize(
    "value",
    [
        WordListInput(search_terms=["spam"]),
        KeywordPlan.compare("words", LIST, ["scam"]),
        KeywordUpdate(keyword_list=LIST, matches=True),
        TokenRevocation(uid="alice"),
        RateLimit(limit=1),
        Drift("list_roles", "/data", "an array"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_compare_and_can_be_copied(value: Any) -> None:
    """Inputs, plans, updates and outcomes are frozen, have a hash, and equal their copies."""
    assert {hash(each) for each in copies(value)} == {hash(value)}
    assert all(each == value for each in copies(value))
    with pytest.raises(AttributeError):
        setattr(value, next(iter(attrs.asdict(value, recurse=False))), None)


@pytest.mark.parametrize("attempt", [copy.deepcopy, pickle.dumps])
def test_clients_cannot_be_copied(any_client: AnyClient, attempt: Callable[[Any], Any]) -> None:
    """A client holds connections and a key: it has a hash, equals only itself, and cannot be
    copied or pickled."""
    chat, other = any_client.client(), any_client.client()
    assert len({chat, other, chat}) == 2
    with pytest.raises(TypeError, match="cannot be pickled"):
        attempt(chat)


def test_fields_named_like_secrets(any_client: AnyClient, simulator: Simulator) -> None:
    """A repr hides each field whose name announces a secret, also inside other fields and for rich;
    the result still holds it, and other fields are shown."""
    record = simulator.keyword_lists["profanity-list"]
    own_service = {
        "username": "mod",
        "password": "hunter2",
        "apiKey": "hunter2",
        "private_key": "hunter2",
        "Authorization": "Bearer hunter2",
        "limits": {"tokens": ["hunter2"], "keywords": ["shown"]},
        "hooks": [{"clientSecret": "hunter2", "url": "https://hooks.example"}, ["x"]],
        "token": None,
    }
    simulator.fail(body={"data": {**record, **own_service}})
    fetched = any_client.call(lambda chat: chat.keywords.get("profanity-list"))
    for shown in (repr(fetched), pretty_repr(fetched)):
        assert "hunter2" not in shown
        assert shown.count("<secret>") == 6
        for text in ("'token': None", "'mod'", "'https://hooks.example'", "'shown'", "Profanity"):
            assert text in shown
    assert fetched.additional_properties == own_service


def test_repr_of_a_response(any_client: AnyClient, simulator: Simulator) -> None:
    """The repr of a response to `request` hides the same fields, and shows the size of the body."""
    body = {"data": {"password": "hunter2", "credentials": "hunter2", "name": "shown"}}
    simulator.fail(status=200, body=body, headers={"Set-Cookie": "hunter2"})
    response = any_client.call(lambda chat: chat.request("GET", "/hooks"))
    assert "hunter2" not in repr(response)
    assert "'shown'" in repr(response)
    assert f"content=<{len(response.content)} bytes>" in repr(response)
    assert response.parsed == body


def test_item_of_a_list(any_client: AnyClient) -> None:
    """A list of records has its items by number, and its fields by name."""
    records = any_client.call(lambda chat: chat.reviewed_messages.list(limit=3))
    assert [records[0], records[-2], records[2]] == records.data
    assert records[:2] == records.data[:2]
    assert records["data"] == records.to_dict()["data"]
    with pytest.raises(IndexError):
        _ = records[3]
