"""Findings: which of them stop an update, and how they are described."""

from cometchat_desk.lint import Severity, accept, blocking, describe, lint_entries


def test_errors_block() -> None:
    """Errors in added entries stop an update, unless their rule is accepted."""
    findings = lint_entries(["zzz", "GrÃ¼ÃŸe", "x"])
    assert [finding.entry for finding in blocking(findings)] == ["GrÃ¼ÃŸe"]
    assert blocking(findings, ["mis-decoded"]) == ()
    assert [finding.entry for finding in blocking(findings, added=["GrÃ¼ÃŸe"])] == ["GrÃ¼ÃŸe"]
    assert blocking(findings, added=["x"]) == ()
    assert {finding.severity for finding in accept(findings, ["mis-decoded"])} == {Severity.WARNING}


def test_described() -> None:
    """Beyond a number of findings of one rule, a line gives the number of the others."""
    lines = describe(lint_entries([f"x{number}\u200b" for number in range(30)]), 3)
    assert len(lines) == 4
    assert lines[3] == "... and 27 more findings of invisible-character"
