"""The probe finds every difference, it only reads, and its report contains no value."""

from pathlib import Path
from typing import Any

import pytest

from cometchat_rest import Client
from cometchat_testing import Simulator
from cometchat_testing.conformance import openapi, probe
from cometchat_testing.conformance.__main__ import main
from tools.description import operations, read, snake_case

from ...described_calls import probed_example

NO_ACCESS = "The service refused the key for every call; set COMETCHAT_API_KEY to a key of this app, scope fullAccess."
#: Parts of every text and of every number that the service sends.
MARKER, NUMBER = "QxMarker", 86_753_098_675_309


def marked(value: Any) -> Any:
    """A JSON value with the marker in each text, each number, and each name of free-form
    objects."""
    if isinstance(value, dict):
        free = {MARKER: MARKER, f"{MARKER}s": [NUMBER]}
        return {name: free if name == "metadata" else marked(each) for name, each in value.items()}
    if isinstance(value, list):
        return [marked(each) for each in value]
    if isinstance(value, str):
        return MARKER
    return NUMBER if type(value) is int else value


def page(records: Any, **meta: Any) -> dict[str, Any]:
    return {"data": marked(records), "meta": meta}


#: The GETs of the description, with the names and examples of the parameters that they need.
NEEDED = {
    operation.name: {
        snake_case(parameter["name"]): parameter["example"]
        for parameter in operation.parameters
        if parameter.get("required")
    }
    for operation in operations(read(openapi()))
    if operation.method == "get"
}


@pytest.fixture
def settings(simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of the simulator in the environment."""
    monkeypatch.setenv("COMETCHAT_BASE_URL", simulator.base_url.replace("127.0.0.1", "localhost"))
    monkeypatch.setenv("COMETCHAT_API_KEY", simulator.api_key)
    # The simulator answers a new operation with its example, whatever page size the probe asks for.
    for name in NEEDED.keys() - {"list_reviewed_messages", "list_roles", "get_keyword_list"}:
        simulator.fail(name, body=probed_example(name), times=None)


@pytest.mark.usefixtures("settings")
def test_planted_differences(simulator: Simulator, tmp_path: Path) -> None:
    """Every kind of difference is listed with its place and type, and no value of a response is
    saved.

    `openapi.yaml` can have none of them: no field is null, and the client hides or needs the
    others.
    """
    headers = {"X-Marker": MARKER, "X-RateLimit-Remaining": str(NUMBER)}
    message = simulator.reviewed_messages[0]
    plain = page(
        [{**message, "planted": "x", "action": None}], current={"limit": NUMBER, "count": 1}
    )
    simulator.fail(
        "list_reviewed_messages", body=plain, headers={**headers, "Content-Type": f"text/{MARKER}"}
    )
    first, second, *_ = simulator.roles
    role = {
        **first,
        "createdAt": None,
        "settings": {"listUsers": None, "sendMessagesTo": "all"},
        # A field, an unknown object, and names that may be an identifier, a user or the app.
        "planted": "x",
        "plantedToo": {MARKER: MARKER},
        "a1b2": 1,
        MARKER: True,
        "localhost": 1,
        "b2c3": 1.5,
        "c3d4": [],
        "metadata": {},
    }
    # A map of users.
    users = {**first["settings"], **{"x" * count: MARKER for count in range(1, 22)}}
    simulator.fail("list_roles", body=page([role, {**second, "settings": users}]))
    words = simulator.keyword_lists["profanity-list"]
    simulator.fail(
        "get_keyword_list", status=203, body={"data": marked({**words, "searchTerms": ["x", None]})}
    )
    refusal = {"error": {"code": "x", "message": None, "details": {MARKER: [MARKER, None]}}}
    simulator.fail("delete_auth_token", status=404, body=refusal, headers=headers)

    with Client() as chat:
        report = probe(chat, keyword_id="profanity-list", revoke=True)
    report.save(tmp_path / "report.json")
    saved = (tmp_path / "report.json").read_text("utf-8")
    for secret in (MARKER.casefold(), str(NUMBER), simulator.api_key, "localhost"):
        assert secret not in saved.casefold()
    assert {(each.operation, each.place, each.kind, each.found) for each in report.differences} == {
        ("list_reviewed_messages", "header content-type", "content type", "another type"),
        (
            "list_reviewed_messages",
            "header x-ratelimit-remaining",
            "header spelling",
            "x-ratelimit-remaining",
        ),
        ("list_reviewed_messages", "query limit", "ignored parameter", "ignored"),
        ("list_reviewed_messages", "/data/*/action", "wrong type", "null"),
        ("list_reviewed_messages", "/data/*/planted", "unknown field", "a string"),
        ("list_roles", "/data/*/createdAt", "wrong type", "null"),
        ("list_roles", "/data/*/settings/listUsers", "wrong type", "null"),
        ("list_roles", "/data/*/settings/*", "unknown field", "a string"),
        ("list_roles", "/data/*/planted", "unknown field", "a string"),
        ("list_roles", "/data/*/plantedToo", "unknown field", "an object"),
        ("list_roles", "/data/*/*", "unknown field", "a boolean"),
        ("list_roles", "/data/*/**", "unknown field", "an integer"),
        ("list_roles", "/data/*/***", "unknown field", "a number"),
        ("list_roles", "/data/*/****", "unknown field", "an array"),
        ("list_roles", "/meta/pagination", "missing field", "nothing"),
        ("get_keyword_list", "status", "status", "203"),
        ("get_keyword_list", "/data/searchTerms/*", "wrong type", "null"),
        (
            "delete_auth_token",
            "header x-ratelimit-remaining",
            "header spelling",
            "x-ratelimit-remaining",
        ),
        ("delete_auth_token", "/error/message", "wrong type", "null"),
        ("delete_auth_token", "/error/details/*/*", "wrong type", "null"),
    }


@pytest.mark.usefixtures("settings")
def test_only_reading_operations(simulator: Simulator, capsys: pytest.CaptureFixture[str]) -> None:
    """The command calls every GET whose identifiers it has, and gets a keyword list that a
    reviewed message names."""
    simulator.keyword_lists["own-words"] = {
        **simulator.keyword_lists["profanity-list"],
        "id": "own-words",
    }
    record = simulator.reviewed_messages[0]
    simulator.reviewed_messages = [
        {**record, "condition": {**record["condition"], "value": ["own-words"]}}
    ]
    values = {
        name: value
        for needed in NEEDED.values()
        for name, value in needed.items()
        if name != "keyword_id"
    }
    options = [f"--value={name}={value}" for name, value in values.items()]
    assert main(options) == 0
    assert capsys.readouterr().out == ""
    called = [(each.operation, each.method) for each in simulator.requests]
    assert sorted(called) == sorted((name, "GET") for name in NEEDED)
    assert any(each.path.endswith("/keywords/own-words") for each in simulator.requests)


@pytest.mark.usefixtures("settings")
def test_revoke(simulator: Simulator) -> None:
    """With `--revoke`, one deletion is sent, for a user and a token that nobody has; nothing is
    deleted."""
    tokens = {uid: list(each) for uid, each in simulator.auth_tokens.items()}
    assert main(["--revoke"]) == 0
    (deletion,) = (each for each in simulator.requests if each.method == "DELETE")
    assert deletion.operation == "delete_auth_token"
    assert (simulator.damage, dict(simulator.auth_tokens)) == ([], tokens)


@pytest.mark.usefixtures("settings")
def test_unusable_responses(simulator: Simulator, capsys: pytest.CaptureFixture[str]) -> None:
    """A body that is not JSON, a long unusable body, and a refused operation do not end the
    comparison."""
    simulator.fail("list_reviewed_messages", status=403, body="<html>")
    simulator.fail("list_roles", body={"data": "x" * 10_000})
    simulator.fail("get_keyword_list", status=404)
    assert main([]) == 1
    shown = capsys.readouterr()
    assert "list_reviewed_messages: body: not JSON" in shown.out
    assert "list_roles: body: not complete" in shown.out
    assert "get_keyword_list: status 404; name a list of your app with --list" in shown.err


@pytest.mark.usefixtures("settings")
def test_no_report_after_an_error(
    simulator: Simulator,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a response, with a refused key, or without a folder for the report, there is one
    line and no file."""
    simulator.fail("list_roles", cut="before_headers", times=None)
    path = tmp_path / "report.json"
    assert main(["--save", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    simulator.reset()
    assert main(["--save", str(tmp_path / "absent" / "report.json")]) == 2
    assert main(["--save", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []
    capsys.readouterr()
    for key in ("wrong", simulator.auth_only_key):
        monkeypatch.setenv("COMETCHAT_API_KEY", key)
        assert main(["--save", str(path)]) == 2
        assert capsys.readouterr() == ("", f"{NO_ACCESS}\n")
    monkeypatch.setenv("COMETCHAT_BASE_URL", "https://chat.example.com/v2")
    assert main(["--save", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "/v3" in line
    assert list(tmp_path.iterdir()) == []
