"""Inputs, plans, outcomes, errors and clients as Python values: compared, hashed, copied and
pickled."""

import copy
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import pytest

from cometchat_rest import (
    Client,
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


class Printer:
    """Collects a text, as the printer of IPython does; a notebook calls `_repr_pretty_` with
    such an object."""

    def __init__(self) -> None:
        self.written = ""

    @contextmanager
    def group(self, _: int, begin: str, end: str) -> Iterator[None]:
        self.text(begin)
        yield
        self.text(end)

    def breakable(self) -> None:
        self.text(" ")

    def text(self, text: str) -> None:
        self.written += text

    def pretty(self, value: Any) -> None:
        is_cycle = False
        value._repr_pretty_(self, is_cycle) if hasattr(value, "_repr_pretty_") else self.text(
            repr(value)
        )


@pytest.mark.parametrize(
    ("created", "shown"),
    [(1757955951, "1757955951 (2025-09-15 17:05:51 UTC)"), (10**15, "10"), ("soon", "'soon'")],
)
def test_notebook_shows_dates(simulator: Simulator, created: Any, shown: str) -> None:
    """A notebook shows the date beside a time in Unix seconds, also inside a record; any other
    value stays alone."""
    simulator.reviewed_messages[0]["createdAt"] = created
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        (record, *_) = chat.reviewed_messages.list().data
    printer = Printer()
    printer.pretty(record)
    assert f" created_at={shown}" in printer.written
    assert "sent_at=1757955951 (2025-09-15 17:05:51 UTC)" in printer.written


@pytest.mark.parametrize("attempt", [copy.deepcopy, pickle.dumps])
def test_clients_cannot_be_copied(any_client: AnyClient, attempt: Callable[[Any], Any]) -> None:
    """A client holds connections and a key: it has a hash, equals only itself, and cannot be
    copied or pickled."""
    chat, other = any_client.client(), any_client.client()
    assert len({chat, other, chat}) == 2
    with pytest.raises(TypeError, match="cannot be pickled"):
        attempt(chat)
