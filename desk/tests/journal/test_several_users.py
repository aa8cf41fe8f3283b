"""Several programs and threads that use one journal."""

import contextlib
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

from cometchat_desk.journal import Journal
from cometchat_rest import Client
from cometchat_testing import Simulator

from .conftest import LIST, puts
from .test_store import PROGRAM, apply, environment


def test_several_processes(
    simulator: Simulator, tmp_path: Path, start: Callable[..., Popen[str]]
) -> None:
    """Processes that update several lists at the same time share one journal, and lose no entry."""
    path = tmp_path / "journal.sqlite3"
    lists = [LIST, "scam-patterns", "default-profanity"]
    programs = [
        start(sys.executable, "-c", PROGRAM, str(path), each, "0", env=environment(simulator))
        for each in lists
    ]
    errors = [program.communicate(timeout=100)[1] for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0], errors
    histories = [Journal(path).history(each) for each in lists]
    assert [len(each) for each in histories] == [10, 10, 10]
    assert sorted(each.number for history in histories for each in history) == list(range(1, 31))
    assert {each.outcome for history in histories for each in history} == {"done"}
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_killed_program_keeps_no_lock(
    simulator: Simulator, chat: Client, tmp_path: Path, start: Callable[..., Popen[str]]
) -> None:
    """The lock of a list ends with its program: after a kill, the next update goes on at once."""
    path = tmp_path / "journal.sqlite3"
    simulator.fail("update_keyword_list", delay=30)
    program = start(sys.executable, "-c", PROGRAM, str(path), LIST, "0", env=environment(simulator))
    while not puts(simulator):
        time.sleep(0.01)
    program.kill()
    program.wait()
    apply(chat, path)
    assert [each.outcome for each in Journal(path).history(LIST)][-1] == "done"


def test_several_threads(simulator: Simulator, chat: Client, tmp_path: Path) -> None:
    """Threads can share one `Journal`, also while it creates its file."""
    journal = Journal(tmp_path / "journal.sqlite3", lock_timeout=60)
    plans = [
        chat.keywords.plan(each, ["a", "b"])
        for each in simulator.keyword_lists
        # Terms replace neither entries with quotes nor prompts.
        if each not in ("imported-phrases", "default-fraud")
    ]
    threads = [
        threading.Thread(target=journal.apply, args=(chat, each), kwargs={"max_removed": 1})
        for each in plans
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    found = [revision for plan in plans for revision in journal.history(plan.keyword_id)]
    assert sorted(each.number for each in found) == list(range(1, len(plans) + 1))
    assert journal.known_lists(chat.base_url) == tuple(
        each.keyword_id for each in sorted(found, key=lambda each: -each.number)
    )
