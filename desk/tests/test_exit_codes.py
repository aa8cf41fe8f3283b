"""Each kind of error has its exit code."""

import re
from pathlib import Path

import pytest

from cometchat_desk.exit_codes import Code
from cometchat_testing import Simulator

from .conftest import CommandLine

REFUSALS = {400: 8, 401: 4, 403: 4, 404: 5, 409: 6, 418: 8, 422: 8, 429: 7, 500: 8, 503: 8, 302: 10}


@pytest.mark.parametrize(("status", "code"), REFUSALS.items())
def test_refusals_of_the_service(
    cli: CommandLine, simulator: Simulator, status: int, code: int
) -> None:
    """Each kind of refusal has its exit code, and the message has no control characters."""
    body = {"error": {"code": "ERR_\x1b]0;title\x07", "message": "first\nsecond \x9b31m \u202e"}}
    simulator.fail(
        "list_reviewed_messages",
        status=status,
        body=body,
        headers={"Retry-After": "3600"},
        times=None,
    )
    done = cli("reviewed", "list")
    assert done.code == code
    assert done.line.isprintable()


def test_undocumented_response(cli: CommandLine, simulator: Simulator) -> None:
    """A response that is not as documented gives exit code 10."""
    simulator.fail("list_reviewed_messages", status=200, body="<html>", times=None)
    assert cli("reviewed", "list").code == 10


def test_the_exit_codes_in_the_documentation() -> None:
    """The table of exit codes in the documentation has each code with its meaning."""
    page = (Path(__file__).parents[2] / "docs" / "desk" / "commands.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", page, re.MULTILINE)
    assert [(int(code), meaning) for code, meaning in rows] == [
        (int(code), code.meaning) for code in Code
    ]
