"""Inputs, plans, outcomes, errors and clients as Python values: compared, hashed, copied and pickled."""

import asyncio
import copy
import pickle
from typing import Any

import attrs
import pytest

from cometchat_rest import (
    AsyncClient,
    Client,
    Drift,
    KeywordUpdate,
    NotFoundError,
    RateLimit,
    TokenRevocation,
    WordListInput,
)
from cometchat_rest.testing import Simulator


def copies(value: Any) -> list[Any]:
    return [copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]  # noqa: S301 - our own bytes


def test_values_compare_and_can_be_copied(simulator: Simulator) -> None:
    """Inputs, plans, updates and outcomes are frozen, have a hash, and equal their copies; errors can be copied."""
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        plan = chat.keywords.plan("profanity-list", ["spam"])
    for value in (
        WordListInput(search_terms=["spam"]),
        plan,
        KeywordUpdate(keyword_list=plan.keyword_list, matches=True),
        TokenRevocation(uid="alice"),
        RateLimit(limit=1),
        Drift("list_roles", "/data", "an array"),
    ):
        assert {hash(each) for each in copies(value)} == {hash(value)}
        assert all(each == value for each in copies(value))
        with pytest.raises(AttributeError):
            setattr(value, next(iter(attrs.asdict(value, recurse=False))), None)
    error = NotFoundError("no such list", status_code=404)
    assert [(type(each), each.to_dict()) for each in copies(error)] == [(NotFoundError, error.to_dict())] * 3
    assert error not in copies(error)


def test_clients_cannot_be_copied(simulator: Simulator) -> None:
    """A client holds connections and a key: it has a hash, equals only itself, and cannot be copied or pickled."""
    settings: dict[str, Any] = {"base_url": simulator.base_url, "api_key": simulator.api_key}
    awaited = AsyncClient(**settings)
    with Client(**settings) as chat, Client(**settings) as other:
        assert len({chat, other, awaited}) == 3
        for value in (chat, awaited):
            for attempt in (copy.deepcopy, pickle.dumps):
                with pytest.raises(TypeError, match="cannot be pickled"):
                    attempt(value)
    asyncio.run(awaited.aclose())
