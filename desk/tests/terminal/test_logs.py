"""The log of the library on stderr."""

import os
import sys

from cometchat_testing import Simulator

from ..conftest import Start


def test_drift_is_no_log_line(start: Start, env: dict[str, str], simulator: Simulator) -> None:
    """A value outside the contract gives no line for moderators; --debug shows it."""
    body = {"data": [{"role": "guest", "name": "Guest", "description": 7}], "meta": {}}
    simulator.fail("list_reviewed_messages", times=2, body=body)

    def errors(*options: str) -> str:
        # The library reports each place once in a process.
        command = (sys.executable, "-m", "cometchat_desk", "reviewed", "list", *options)
        program = start(*command, env={**os.environ, **env})
        _, text = program.communicate(timeout=60)
        assert program.returncode == 0, text
        return text

    assert errors() == ""
    assert "drift: the response" in errors("--debug")
