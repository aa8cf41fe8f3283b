"""Comparing a conformance report: known and new differences."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import field, frozen

from cometchat_testing.conformance import Difference, Exchange, Kind, Report
from tools.contract.conformance import findings

from .service import LEDGER, SERVICE, tools_with_service

SCHEMAS = "/components/schemas"


#: A list with its description, and a role with a field that nobody describes.
LIST = Exchange(
    operation="get_keyword_list",
    status=200,
    parameters={},
    body={"data": {"description": "<text>"}},
)
ROLES = Exchange(
    operation="list_roles", status=200, parameters={}, body={"data": [{"planted": "<text>"}]}
)


@frozen(kw_only=True)
class Observed(Exchange):
    """An exchange with differences from the description of these tests, whatever `openapi.yaml`
    says."""

    planted: list[Difference] = field(factory=list)

    @property
    def differences(self) -> list[Difference]:
        return self.planted


def report_of(*exchanges: Exchange) -> Report:
    return Report(service="hosted", client="1.0", date="2026-11-22", exchanges=exchanges)


@pytest.mark.parametrize(
    ("operation", "status", "place", "kind", "line"),
    [
        (
            "list_reviewed_messages",
            200,
            "/data/*/condition/message/*",
            Kind.WRONG_TYPE,
            "Condition/properties/message/anyOf/1/items: type",
        ),
        (
            "list_reviewed_messages",
            200,
            "/data/*/condition/planted",
            Kind.UNKNOWN_FIELD,
            'Condition: property "planted"',
        ),
        (
            "list_roles",
            200,
            "/data/*/createdAt",
            Kind.WRONG_TYPE,
            "Role/properties/createdAt: type",
        ),
        ("list_roles", 200, "/data/*/planted", Kind.UNKNOWN_FIELD, 'Role: property "planted"'),
        ("get_keyword_list", 200, "/data/name", Kind.MISSING_FIELD, 'KeywordList: property "name"'),
        (
            "delete_auth_token",
            400,
            "/error/details/name",
            Kind.WRONG_TYPE,
            "ErrorDetails/additionalProperties: type",
        ),
        (
            "delete_auth_token",
            400,
            "/error/message",
            Kind.MISSING_FIELD,
            'ErrorBody: property "message"',
        ),
    ],
)
def test_difference_names_its_place_in_the_description(
    operation: str, status: int, place: str, kind: Kind, line: str
) -> None:
    """A difference is reported at its place in `openapi.yaml`, behind references and
    alternatives."""
    difference = Difference(operation, place, kind, "this", "that")
    exchange = Observed(operation=operation, status=status, parameters={}, planted=[difference])
    (finding,) = findings(report_of(exchange), SERVICE, LEDGER)
    assert (finding.line, finding.entry) == (f"{SCHEMAS}/{line}: service: that, ours: this", None)


def test_the_command(tmp_path: Path) -> None:
    """Each difference is printed as known or new; another file gives one line."""
    path = tmp_path / "report.json"
    report_of(LIST, ROLES).save(path)
    tools_with_service(tmp_path)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.contract.conformance", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run()
    assert done.returncode == 1
    assert (
        f'{SCHEMAS}/Role: property "planted": service: a string, ours: nothing\n    NEW'
        in done.stdout
    )
    stored = json.loads(path.read_text("utf-8"))
    for content, problem in (
        ({**stored, "version": 99}, "update cometchat-rest"),
        ({"openapi": "3.1.0"}, "make one"),
    ):
        path.write_text(json.dumps(content), "utf-8")
        done = run()
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert problem in done.stderr


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("openapi.yaml", "openapi.yaml: neither JSON nor YAML: "),
        ("contract/deviations.yaml", "deviations.yaml: while parsing "),
    ],
)
def test_a_file_that_is_not_readable(tmp_path: Path, name: str, line: str) -> None:
    """A description or a ledger that is not readable gives one line, and not the exit code of a
    new difference."""
    path = tmp_path / "report.json"
    report_of(LIST, ROLES).save(path)
    tools_with_service(tmp_path)
    (tmp_path / name).write_text("{", "utf-8")
    command = [sys.executable, "-m", "tools.contract.conformance", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(line)


def test_operation_that_is_not_described(tmp_path: Path) -> None:
    """A report about an operation that the description does not have gives one line with the
    next step."""
    path = tmp_path / "report.json"
    report_of(LIST, ROLES).save(path)
    tools_with_service(tmp_path)
    paths = {path: item for path, item in SERVICE["paths"].items() if path != "/roles"}
    (tmp_path / "openapi.yaml").write_text(json.dumps({**SERVICE, "paths": paths}), "utf-8")
    command = [sys.executable, "-m", "tools.contract.conformance", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "openapi.yaml does not describe list_roles; run make generate" in done.stderr
