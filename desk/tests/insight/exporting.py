"""Exports of the tests."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.insight.export import ReviewedExport, ReviewedFile
from cometchat_desk.insight.latest import read_latest
from cometchat_rest import Client
from cometchat_testing import Simulator

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has neither fork nor resource limits"
)


def message_ids(path: Path) -> list[str]:
    """Return the message identifiers of the records in a file, in order."""
    return [json.loads(line)["message"]["id"] for line in path.read_text("utf-8").splitlines()]


def ordered(raw: Any) -> str:
    return json.dumps(raw, sort_keys=True)


def listed(simulator: Simulator, count: int) -> list[str]:
    """Return the message identifiers of the latest records, oldest first."""
    latest: list[Any] = simulator.reviewed_messages[:count]
    return [record["message"]["id"] for record in reversed(latest)]


def export_latest(chat: Client, path: Path, *, limit: int | None = None) -> ReviewedExport:
    records = read_latest(chat, limit, app="shop").records
    with ReviewedFile(path) as file:
        return file.append(records)


def record(**fields: Any) -> dict[str, Any]:
    """Return a minimal record with these fields."""
    return {
        "ruleId": "r",
        "revisionId": "1",
        "createdAt": 1_757_955_951,
        "message": {"id": "1"},
        **fields,
    }


def record_with_text(text: str) -> dict[str, Any]:
    return record(message={"id": "1", "data": {"text": text}})
