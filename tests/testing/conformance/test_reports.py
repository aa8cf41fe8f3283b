"""Reports about conformance: stored, read again, and refused if they are something else."""

import json
import re
from pathlib import Path

import pytest
from attrs import evolve

from cometchat_rest import Client, InvalidRequestError
from cometchat_testing import Simulator
from cometchat_testing.conformance import Report, probe, read_report


@pytest.fixture
def report(simulator: Simulator) -> Report:
    simulator.roles[0]["metadata"] = {"x": 1.0, "y": [None]}  # a free-form object
    simulator.fail(
        "delete_auth_token",
        status=400,
        body={"error": {"code": "x", "details": {"a": 1, "b": [2]}}},
    )
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        complete = probe(chat, revoke=True)
    # The probe also calls what an edit of the description adds.
    called = ("list_reviewed_messages", "list_roles", "get_keyword_list", "delete_auth_token")
    exchanges = [exchange for exchange in complete.exchanges if exchange.operation in called]
    return evolve(complete, exchanges=tuple(exchanges))


def test_names_of_the_request_are_hidden(simulator: Simulator) -> None:
    """An identifier of the request that the service uses as the name of a field is not in the
    report."""
    identifiers = ["wordsoflist", "someuser", "someheader", "somekey"]
    simulator.fail(
        "get_keyword_list",
        status=200,
        body={"data": {**dict.fromkeys(identifiers, 1), "colour": 1}},
    )
    keyword_id, user, header, key = identifiers
    with Client(
        base_url=simulator.base_url, api_key=key, on_behalf_of=user, headers={"x-a": header}
    ) as chat:
        report = json.dumps(probe(chat, keyword_id=keyword_id).to_dict())
    assert "colour" in report
    assert [identifier for identifier in identifiers if identifier in report] == []


def test_report_is_read_again(report: Report, tmp_path: Path) -> None:
    """A report that was saved is read with the same exchanges and differences, and it replaces
    an older file."""
    path = tmp_path / "report.json"
    path.write_text("old")
    report.save(path)
    assert read_report(path) == report
    assert (report.service, bool(report.differences)) == ("this machine", True)
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]


def refusal(path: Path, content: bytes) -> str:
    """The error for a file that is not a report."""
    path.write_bytes(content)
    with pytest.raises(InvalidRequestError) as raised:
        read_report(path)
    return str(raised.value)


#: Members with a value that no probe writes.
WRONG: list[tuple[list[str | int], object]] = [
    (["report"], "another"),
    (["note"], "secret"),
    (["version"], "1"),
    (["service"], "secret"),
    (["client"], "rm -rf\n"),
    (["date"], "now"),
    (["exchanges"], None),
    (["exchanges", 0], 5),
    (["exchanges", 0, "operation"], "get_secret"),
    (["exchanges", 0, "status"], 10**9),
    (["exchanges", 0, "code"], "ERR_MINE"),
    (["exchanges", 0, "headers"], ["x-secret"]),
    (["exchanges", 0, "parameters"], {"secret": True}),
    (["exchanges", 0, "unread"], "secret"),
    (["exchanges", 0, "more"], 1),
    (["exchanges", 0, "body", "data", 0, "ruleName"], "secret"),
    (["exchanges", 0, "body", "data", 0, "secret1"], 0),
    (["exchanges", 1, "body", "data", 0, "createdAt"], 5),
]


@pytest.mark.parametrize(("place", "value"), WRONG, ids=lambda each: str(each)[:40])
def test_invalid_report(
    report: Report, tmp_path: Path, place: list[str | int], value: object
) -> None:
    """A report with a value that no probe writes is refused in one line with the next step."""
    path = tmp_path / "report.json"
    stored = inner = json.loads(json.dumps(report.to_dict()))
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    assert refusal(path, json.dumps(stored).encode()) == (
        f"{path}: not a conformance report; make one with python -m cometchat_testing.conformance --save FILE"
    )


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"[]", b"5", b"[" * 100_000, b'{"version": 1}'], ids=range(6)
)
def test_another_file(tmp_path: Path, content: bytes) -> None:
    """A file that is not a report is refused."""
    assert "not a conformance report" in refusal(tmp_path / "report.json", content)


def test_newer_report(report: Report, tmp_path: Path) -> None:
    """The error for a report from a newer version says what to do, even if the rest of the
    report is invalid."""
    newer = {**report.to_dict(), "version": 2, "exchanges": "x"}
    text = refusal(tmp_path / "report.json", json.dumps(newer).encode())
    assert re.search(r"a newer version of cometchat-rest.* update cometchat-rest", text)
