"""The output formats of the linter for programs: JSON and annotations of GitHub (pure)."""

import json
from collections.abc import Sequence

from attrs import asdict

from .findings import Finding

_GITHUB_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_json(findings: Sequence[Finding]) -> str:
    """Findings as a JSON array of objects."""
    return json.dumps([asdict(finding) for finding in findings], indent=2)


def as_github(findings: Sequence[Finding]) -> str:
    """Findings as workflow commands, which GitHub Actions shows beside the lines of a pull request."""
    return "\n".join(map(_annotation, findings))


def _annotation(finding: Finding) -> str:
    file = finding.file and finding.file.replace("\\", "/").removeprefix("./")
    place = {"file": file, "line": finding.line, "col": finding.column}
    properties = {**place, "title": finding.rule}
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    return f"::{_GITHUB_LEVELS[finding.severity]} {given}::{_data(finding.message)}"


def _data(text: str) -> str:
    """A text in a workflow command: these characters would end it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
