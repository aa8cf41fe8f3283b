"""The option --max-removed."""

import pytest

from cometchat_desk.terminal.shares import parse_share, percent
from cometchat_testing import Simulator

from ..conftest import CommandLine


@pytest.mark.parametrize(
    "text", ["20", "1", "1.0", "-1%", "101%", "1.1", "nan", "", "%", "a", "2e-1", "٢٠%", "1_0%"]
)
def test_invalid_share(cli: CommandLine, simulator: Simulator, text: str) -> None:
    """A number from 1 on without a percent sign is refused, because 20 may mean 0.2, and 1 may
    mean one entry."""
    cli.write("words.txt", "spam\n")
    done = cli("keywords", "apply", "profanity-list", "words.txt", f"--max-removed={text}", "--yes")
    assert (done.code, simulator.requests) == (2, [])
    assert "--max-removed" in done.line
    assert "is not a percentage from 0% to 100%: write one such as 20%" in done.line


def test_shares() -> None:
    """A percentage and a share are the same number; a suggested percentage is never too small."""
    assert [parse_share(text) for text in ("20%", "0.2", ".2", " 20 % ", "0", "100%", "1%")] == [
        0.2,
        0.2,
        0.2,
        0.2,
        0.0,
        1.0,
        0.01,
    ]
    parts = [part / whole for whole in range(1, 60) for part in range(whole + 1)]
    assert [part for part in parts if not 0 <= parse_share(percent(part)) - part < 0.00101] == []
