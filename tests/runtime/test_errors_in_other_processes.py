"""Errors that leave their process: through the JSON of Celery, and out of a process pool."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from cometchat_rest import (
    Client,
    CometChatError,
    PlanRefusedError,
    RateLimitError,
    RequestTimeoutError,
    RevisionConflictError,
    ServerError,
    TransportError,
    UnexpectedResponse,
    WordListInput,
)
from cometchat_testing import Simulator

LIST_ID = "profanity-list"
#: The facts that decide about the next step, of each class.
FACTS = ("operation", "outcome_unknown", "attempts", "argument")
FACTS_OF: dict[type[CometChatError], tuple[str, ...]] = {
    RateLimitError: ("status_code", "code", "retry_after"),
    ServerError: ("status_code", "code"),
    TransportError: ("kind", "request_sent"),
    RequestTimeoutError: ("kind", "request_sent"),
    UnexpectedResponse: ("status_code", "pointer"),
    PlanRefusedError: ("removed", "share_removed", "max_removed"),
    RevisionConflictError: ("planned_revision", "current_revision"),
}


def update(chat: Client) -> object:
    return chat.keywords.update(LIST_ID, WordListInput(search_terms=["spam"]))


def get(chat: Client) -> object:
    return chat.keywords.get(LIST_ID)


def replace(chat: Client) -> object:
    return chat.keywords.update(LIST_ID, ["phishing"])


def apply_late(chat: Client) -> object:
    plan = chat.keywords.plan(LIST_ID, WordListInput(search_terms=["spam"]))
    update(chat)
    return chat.keywords.apply(plan, max_removed=1.0)


#: The fault of the simulator, the call, its error, and whether the outcome of the call is unknown.
FAILURES: dict[
    str, tuple[dict[str, Any], Callable[[Client], object], type[CometChatError], bool]
] = {
    "lost response": ({"cut": "after_processing"}, update, TransportError, True),
    "timeout": ({"delay": 30}, update, RequestTimeoutError, True),
    "no JSON": ({"body": "<html>"}, update, UnexpectedResponse, True),
    "server error": ({"status": 503}, update, ServerError, True),
    "too many calls": ({"status": 429, "headers": {"Retry-After": "7"}}, update, RateLimitError, False),
    # A GET changes nothing, so its outcome is not unknown, other than that of its class.
    "lost response of a GET": ({"cut": "after_processing"}, get, TransportError, False),
    "server error of a GET": ({"status": 503}, get, ServerError, False),
    "refused plan": ({}, replace, PlanRefusedError, False),
    "conflict": ({}, apply_late, RevisionConflictError, False),
}  # fmt: skip


def fail(base_url: str, api_key: str, call: Callable[[Client], object]) -> None:
    """Make a call that fails; a process pool runs it."""
    client = Client(base_url=base_url, api_key=api_key, max_retries=0, timeout=1)
    with client as chat:
        call(chat)


def check_same(again: BaseException, error: CometChatError) -> None:
    """Check that an error is still the same, as far as anybody decides by it."""
    assert type(again) is type(error)
    names = ("reason", *FACTS, *FACTS_OF[type(error)])
    assert {name: getattr(again, name) for name in names} == {
        name: getattr(error, name) for name in names
    }


@pytest.mark.parametrize("name", FAILURES)
def test_celery(simulator: Simulator, name: str) -> None:
    """Celery keeps the class and `args` of an error as JSON, and makes it again with all facts that
    decide about the next step."""
    celery = pytest.importorskip(
        "celery", reason="the packages of the pages are not installed: run make docs"
    )
    fault, call, kind, is_unknown = FAILURES[name]
    if fault:
        simulator.fail(**fault)
    with pytest.raises(kind) as caught:
        fail(simulator.base_url, simulator.api_key, call)
    assert caught.value.outcome_unknown is is_unknown
    backend = celery.Celery(set_as_current=False, backend="cache+memory://").backend
    stored = backend.encode(backend.prepare_exception(caught.value))
    again = backend.exception_to_python(backend.decode(stored))
    check_same(again, caught.value)
    # Only the identifiers stay behind: a uid is personal.
    assert str(caught.value).endswith(str(again))


def test_celery_in_the_process_that_waits() -> None:
    """The process that reads the result of a job needs to import one name of the client, such as
    the class that it catches, to get the error in its class."""
    pytest.importorskip(
        "celery", reason="the packages of the pages are not installed: run make docs"
    )
    code = """
from celery import Celery
from cometchat_rest import CometChatError

backend = Celery(backend="cache+memory://").backend
args = ["too many", {"removed": 3}]
for module, name in (("cometchat_rest.errors", "PlanRefusedError"), ("cometchat_runtime.errors", "TransportError")):
    stored = {"exc_module": module, "exc_type": name, "exc_message": args}
    error = backend.exception_to_python(stored)
    print(type(error).__name__, isinstance(error, CometChatError), error.outcome_unknown)
    args = ["lost", {"attempts": 2}]
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "PlanRefusedError True False\nTransportError True True\n"


def test_process_pool(simulator: Simulator) -> None:
    """An error of a call in another process arrives with its class, its text and its facts."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for fault, call, kind, is_unknown in FAILURES.values():
            errors = []
            for run in (fail, lambda *arguments: pool.submit(fail, *arguments).result()):
                simulator.reset()
                if fault:
                    simulator.fail(**fault)
                with pytest.raises(kind) as caught:
                    run(simulator.base_url, simulator.api_key, call)
                errors.append(caught.value)
            here, there = errors
            assert there.outcome_unknown is is_unknown
            assert (str(there), there.args) == (str(here), here.args)
            check_same(there, here)
