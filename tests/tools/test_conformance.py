"""Comparing a conformance report: known and new differences, and confirmed entries of the ledger."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import evolve

from cometchat_rest import Client
from cometchat_rest.conformance import Report, probe
from cometchat_rest.testing import Simulator
from tools.contract.conformance import confirmed, findings
from tools.description import operations

from .service import LEDGER, SERVICE, tools_with_service

SCHEMAS = "/components/schemas"


def report_of(simulator: Simulator) -> Report:
    """A report as if the simulator were the vendor's service."""
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        found = probe(chat, revoke=True)
    # The probe also calls what an edit of the description adds.
    known = {each.name for each in operations(SERVICE)}
    exchanges = tuple(each for each in found.exchanges if each.operation in known)
    return evolve(found, service="hosted", exchanges=exchanges)


def new(report: Report) -> set[str]:
    return {each.line for each in findings(report, SERVICE, LEDGER) if each.entry is None}


def test_difference_names_its_place_in_the_description(simulator: Simulator) -> None:
    """A difference is reported at its place in `openapi.yaml`, behind references and alternatives."""
    before = new(report_of(simulator))
    record, role = simulator.reviewed_messages[0], simulator.roles[0]
    planted: Any = {**record["condition"], "message": ["x", 1], "planted": 1}
    simulator.reviewed_messages = [{**record, "condition": planted}]
    changed: Any = {**role, "createdAt": {}, "planted": "x"}
    simulator.roles = [changed]
    del simulator.keyword_lists["profanity-list"]["name"]
    simulator.fail("delete_auth_token", status=400, body={"error": {"code": "x", "details": {"name": "x"}}})
    message = f"{SCHEMAS}/Condition/properties/message"
    assert new(report_of(simulator)) - before == {
        f"{message}/anyOf/1/items: type: service: an integer, ours: a string",
        f'{SCHEMAS}/Condition: property "planted": service: an integer, ours: nothing',
        f"{SCHEMAS}/Role/properties/createdAt: type: service: an object, ours: an integer",
        f'{SCHEMAS}/Role: property "planted": service: a string, ours: nothing',
        f'{SCHEMAS}/KeywordList: property "name": service: nothing, ours: present',
        f"{SCHEMAS}/ErrorDetails/additionalProperties: type: service: a string, ours: an array",
        f'{SCHEMAS}/ErrorBody: property "message": service: nothing, ours: present',
    }


def test_confirmed_entries(simulator: Simulator) -> None:
    """An entry is confirmed if a structure can confirm it, and the service sent all its places without a difference."""
    assert confirmed(report_of(simulator), SERVICE, LEDGER) == ["description-in-answers"]
    simulator.keyword_lists["profanity-list"]["description"] = 5  # type: ignore[typeddict-item]  # a planted error
    assert confirmed(report_of(simulator), SERVICE, LEDGER) == []


def test_the_command(simulator: Simulator, tmp_path: Path) -> None:
    """Each difference is printed as known or new; another file gives one line."""
    simulator.roles[0]["planted"] = "x"  # type: ignore[typeddict-unknown-key]  # a planted difference
    path = tmp_path / "report.json"
    report_of(simulator).save(path)
    tools_with_service(tmp_path)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.contract.conformance", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603

    done = run()
    assert done.returncode == 1
    assert f'{SCHEMAS}/Role: property "planted": service: a string, ours: nothing\n    NEW' in done.stdout
    assert "description-in-answers" in done.stdout.partition("confirmed: ")[2]
    stored = json.loads(path.read_text("utf-8"))
    for content, problem in (({**stored, "version": 99}, "update cometchat-rest"), ({"openapi": "3.1.0"}, "make one")):
        path.write_text(json.dumps(content), "utf-8")
        done = run()
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert problem in done.stderr


def test_operation_that_is_not_described(simulator: Simulator, tmp_path: Path) -> None:
    """A report about an operation that the description does not have gives one line with the next step."""
    path = tmp_path / "report.json"
    report_of(simulator).save(path)
    tools_with_service(tmp_path)
    paths = {path: item for path, item in SERVICE["paths"].items() if path != "/roles"}
    (tmp_path / "openapi.yaml").write_text(json.dumps({**SERVICE, "paths": paths}), "utf-8")
    for tool in ("conformance", "adopt"):
        command = [sys.executable, "-m", f"tools.contract.{tool}", str(path)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert "openapi.yaml does not describe list_roles; run make generate" in done.stderr
