"""`cometchat-desk check`: each check, and its message if something is wrong."""

import json

from cometchat_testing import Simulator

from ..conftest import CommandLine, app


def test_valid_setup(cli: CommandLine, simulator: Simulator) -> None:
    """If nothing is wrong, every check is ok, and all requests only read."""
    done = cli("check")
    findings = {record["subject"]: record for record in map(json.loads, done.out.splitlines())}
    assert {record["state"] for record in findings.values()} == {"ok"}
    assert list(findings) == ["Settings", "Key", "Service", "Moderation", "Responses"]
    assert done.code == 0
    assert {request.method for request in simulator.requests} == {"GET"}


def test_check_of_all_apps(cli: CommandLine, simulator: Simulator) -> None:
    """`check --all-apps` checks each app of the profiles, and ends with the highest exit code."""
    cli.profiles(app("shop", simulator) + app("closed", simulator, key="wrong"))
    done = cli("check", "--all-apps", "--format", "jsonl")
    states = {
        (finding["app"], finding["state"]) for finding in map(json.loads, done.out.splitlines())
    }
    assert done.code == 4
    assert ("shop", "ok") in states
    assert ("closed", "wrong") in states
    assert ("shop", "wrong") not in states
    assert (
        "App"
        in cli("check", "--app", "shop", "--app", "closed", "--format", "table").out.splitlines()[0]
    )
