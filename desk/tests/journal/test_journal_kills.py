"""The journal after many kills: every update that was sent has its entry, and no entry is wrong."""

import contextlib
import os
import random
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from cometchat_desk.journal import Journal, RevisionDetail
from cometchat_testing import Simulator

PROGRAM = Path(__file__).with_name("journal_kills.py")
LIST = "profanity-list"
WORD = re.compile(r"word-[0-9a-f]{32}")


def word(detail: RevisionDetail) -> str:
    """The word that only this update has."""
    (found,) = (entry for entry in detail.planned.entries or () if WORD.fullmatch(entry))
    return found


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=pytest.mark.deep)])
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the program forks")
def test_kills_at_random_points(
    simulator: Simulator,
    tmp_path: Path,
    start: Callable[..., Popen[str]],
    record_property: Callable[[str, object], None],
    kills: int,
) -> None:
    """After kills at random points, each update that the service received has one entry with a
    correct outcome."""
    path, seed = tmp_path / "journal.sqlite3", random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # shown if the test fails
    settings = {"COMETCHAT_BASE_URL": simulator.base_url, "COMETCHAT_API_KEY": simulator.api_key}
    program = start(
        sys.executable,
        str(PROGRAM),
        str(path),
        str(kills),
        str(seed),
        env={**os.environ, **settings},
    )
    out, errors = program.communicate(timeout=100)
    assert (program.returncode, out) == (0, f"{kills}\n"), errors

    journal = Journal(path)
    entries = [
        journal.revision(each.number) for each in journal.history(LIST, app=simulator.base_url)
    ]
    received = [
        found[0] for each in simulator.requests if (found := WORD.findall(each.body.decode()))
    ]
    by_word = {word(each): each for each in entries}
    assert len(by_word) == len(entries)
    assert set(received) <= set(by_word), "an update that was sent has no entry"
    carried_out = [word(each) for each in entries if each.outcome in ("done", "recovered")]
    assert set(carried_out) <= set(received), (
        "an entry says that an update was carried out, which was never sent"
    )
    not_sent = {word(each) for each in entries if each.outcome in ("not_sent", "refused")}
    assert not not_sent & set(received)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
    assert state == "ok"
    outcomes = Counter(each.outcome for each in entries)
    # Otherwise the kills came at points where they prove nothing.
    assert outcomes["unknown"] >= kills // 40
    assert len(received) >= kills // 2
    summary = f"{kills} kills, {len(received)} updates received, {dict(outcomes)}, seed {seed}"
    record_property("summary", summary)
