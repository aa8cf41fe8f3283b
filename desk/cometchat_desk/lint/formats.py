"""The output formats of the linter for programs: JSON, annotations of GitHub, SARIF (pure)."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from cometchat_rest import __version__

from .catalogue import RULES
from .findings import Finding

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_json(findings: Sequence[Finding]) -> str:
    """Findings as a JSON array of objects."""
    return json.dumps([finding.to_dict() for finding in findings], indent=2)


def as_github(findings: Sequence[Finding]) -> str:
    """Findings as workflow commands, which GitHub Actions shows beside the lines of a pull request."""
    return "\n".join(map(_annotation, findings))


def as_sarif(findings: Sequence[Finding]) -> str:
    """Findings as a SARIF 2.1.0 log with one run."""
    rules = list(RULES.values())
    numbers = {rule.id: number for number, rule in enumerate(rules)}
    driver = {
        "name": "cometchat-desk",
        "version": __version__,
        "rules": [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.summary},
                "help": {"text": rule.advice},
                "defaultConfiguration": {"level": str(rule.severity)},
            }
            for rule in rules
        ],
    }
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": numbers[finding.rule],
            "level": str(finding.severity),
            "message": {"text": finding.message},
            "locations": _locations(finding),
        }
        for finding in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _annotation(finding: Finding) -> str:
    place = {"file": finding.file and _with_slashes(finding.file), "line": finding.line, "col": finding.column}
    properties = {**place, "title": finding.rule}
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    return f"::{_GITHUB_LEVELS[finding.severity]} {given}::{_data(finding.message)}"


def _data(text: str) -> str:
    """A text in a workflow command: these characters would end it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _locations(finding: Finding) -> list[dict[str, object]]:
    if finding.file is None:
        return []
    place: dict[str, object] = {"artifactLocation": {"uri": quote(_with_slashes(finding.file), safe="/")}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return [{"physicalLocation": place}]


def _with_slashes(file: str) -> str:
    return file.replace("\\", "/").removeprefix("./")
