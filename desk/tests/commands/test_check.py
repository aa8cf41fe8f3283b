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


def test_overridden_default_app(cli: CommandLine, simulator: Simulator) -> None:
    """`check` says that the environment names another app than the default one, unless an option
    names the app."""
    cli.profiles(
        'default = "shop"\n[apps.shop]\napp_id = "abc"\napi_key = "4d1f0b7a92c8"\n'
        + app("forum", simulator)
    )
    done = cli("check", "--format", "jsonl")
    notes = [
        record["finding"]
        for record in map(json.loads, done.out.splitlines())
        if record["state"] == "note"
    ]
    named = f"COMETCHAT_BASE_URL names {simulator.base_url}, and shop is the default app of the profiles."
    assert (done.code, notes) == (
        0,
        [f"{named} To name the app, use --app shop, or --base-url {simulator.base_url}"],
    )
    assert "default app" not in cli("check", "--app", "forum").out


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
