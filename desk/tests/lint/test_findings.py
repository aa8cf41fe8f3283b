"""How findings are described."""

from cometchat_desk.lint import describe, lint_entries


def test_described() -> None:
    """Beyond a number of findings of one rule, a line gives the number of the others."""
    lines = describe(lint_entries([f"x{number}\u200b" for number in range(30)]), 3)
    assert len(lines) == 4
    assert lines[3] == "... and 27 more findings of invisible-character"
