"""The output formats for programs."""

import json
from pathlib import Path

from jsonschema import Draft4Validator

from cometchat_desk.lint import RULES, Finding, Severity, as_github, as_sarif

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


def test_sarif() -> None:
    """The SARIF log has the required properties, and each result refers to its rule."""
    log = json.loads(as_sarif(FINDINGS))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    for result, finding in zip(run["results"], FINDINGS, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"] == finding.message
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == ["a%20b%2Cc.txt", "lists/%C3%A9.csv"]
    assert places[0]["region"] == {"startLine": 2, "startColumn": 3}


def test_sarif_schema() -> None:
    """The SARIF log is valid: with findings, without a place, without findings, and for each rule."""
    # The rules of the SARIF 2.1.0 schema (rtm.5), without its descriptions.
    schema = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))
    validator = Draft4Validator(schema)
    everywhere = tuple(
        Finding(rule=rule, severity=severity, message="m", file="a.txt", line=1, column=1)
        for rule in RULES
        for severity in Severity
    )
    alone = Finding(rule="spaces", severity=NOTE, message="m")
    for findings in (FINDINGS, (), (alone,), everywhere):
        log = json.loads(as_sarif(findings))
        assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(log)
