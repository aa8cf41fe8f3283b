"""The output formats for programs."""

from cometchat_desk.lint import Finding, Severity, as_github

ERROR, NOTE = Severity.ERROR, Severity.NOTE
FINDINGS = (
    Finding(
        rule="spaces", severity=NOTE, message="100% a:b,\nc", entry="x", index=0, file="a b,c.txt", line=2, column=3
    ),
    Finding(rule="invalid-file", severity=ERROR, message="no", file="lists/é.csv"),
)


def test_github() -> None:
    """Characters that would end a workflow command are escaped."""
    assert as_github(FINDINGS).split("\n") == [
        "::notice file=a b%2Cc.txt,line=2,col=3,title=spaces::100%25 a:b,%0Ac",
        "::error file=lists/é.csv,title=invalid-file::no",
    ]
