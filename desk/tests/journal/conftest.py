"""A journal and a client, and a service that others change."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from cometchat_desk.journal import Journal, RevisionDetail
from cometchat_rest import Client, CometChatError, KeywordPlan, KeywordUpdate
from cometchat_testing import Simulator

LIST = "profanity-list"
TERMS = ["spam", "scam", "free coins"]
#: Seconds that a wait takes only if something is wrong.
PATIENCE = 60.0
LISTS = [LIST, "imported-phrases", "scam-patterns", "threat-sentences"]


class Desk:
    """A journal and a client."""

    def __init__(self, chat: Client, path: Path) -> None:
        self.chat = chat
        self.journal = Journal(path)

    def plan(self, terms: Any, keyword_id: str = LIST) -> KeywordPlan:
        return self.chat.keywords.plan(keyword_id, terms, change_category=True)

    def apply(self, plan: Any, *, app: str = "", max_removed: float = 1.0) -> KeywordUpdate:
        return self.journal.apply(self.chat, plan, app=app, max_removed=max_removed)

    def change(self, *terms: str, app: str = "") -> RevisionDetail:
        """Apply these terms, and return the entry, also if that fails."""
        with contextlib.suppress(CometChatError):
            self.apply(self.plan(terms), app=app)
        return self.last()

    def plan_undo(self, keyword_id: str = LIST, number: int | None = None) -> KeywordPlan:
        plan = self.journal.plan_undo(self.chat, keyword_id, number)
        assert plan is not None
        return plan

    def plan_restore(self, to: int, keyword_id: str = LIST) -> KeywordPlan:
        return self.journal.plan_restore(self.chat, keyword_id, to)

    def last(self) -> RevisionDetail:
        return self.journal.revision(self.journal.history(LIST)[-1].number)

    def outcomes(self) -> list[str]:
        return [revision.outcome for revision in self.journal.history(LIST)]


@pytest.fixture
def desk(simulator: Simulator, tmp_path: Path) -> Iterator[Desk]:
    with client(simulator) as chat:
        yield Desk(chat, tmp_path / "journal.sqlite3")


def replace(simulator: Simulator, *terms: str, revision: str | None = "theirs") -> None:
    """Change the list as somebody else would, or as the service does with a late update."""
    live = simulator.keyword_lists[LIST]
    simulator.keyword_lists[LIST] = {**live, "searchTerms": list(terms), "revisionId": revision}


def lose_update(simulator: Simulator, **options: Any) -> None:
    """The next update gets no response; by default it is not carried out either."""
    simulator.fail("update_keyword_list", **{"cut": "before_headers", **options})


def puts(simulator: Simulator) -> int:
    return sum(each.method == "PUT" for each in simulator.requests)


class Held(httpx.HTTPTransport):
    """Sends requests. The response to this method arrives after a function has returned."""

    def __init__(self, method: str, until: Callable[[], object]) -> None:
        super().__init__()
        self._method, self._until = method, until

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if request.method == self._method:
            self._until()
        return response


@contextlib.contextmanager
def in_lower_case(desk: Desk, simulator: Simulator) -> Iterator[None]:
    """In the block, the service stores entries in lower case."""

    def lower() -> None:
        shown = simulator.keyword_lists[LIST]["searchTerms"]
        replace(simulator, *map(str.lower, shown), revision="lower case")

    chat = desk.chat
    with client(simulator, transport=Held("PUT", lower)) as desk.chat:
        yield
    desk.chat = chat


def client(simulator: Simulator, **options: Any) -> Client:
    return Client(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=0, **options)


@contextlib.contextmanager
def being_sent(desk: Desk, simulator: Simulator) -> Iterator[Callable[[], KeywordUpdate]]:
    """Run the block while an update is on its way, until the block calls the given function for
    its result, or ends."""
    plan, carried_out, end = desk.plan(TERMS), threading.Event(), threading.Event()

    def hold() -> None:
        carried_out.set()
        assert end.wait(PATIENCE)

    def result() -> KeywordUpdate:
        end.set()
        return update.result(PATIENCE)

    with client(simulator, transport=Held("PUT", hold)) as chat, ThreadPoolExecutor(1) as other:
        update = other.submit(desk.journal.apply, chat, plan, max_removed=1.0)
        assert carried_out.wait(PATIENCE)
        try:
            yield result
        finally:
            result()
