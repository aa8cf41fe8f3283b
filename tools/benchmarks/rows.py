"""The rows of the table, the size of one slice, and the checks of the responses."""

from __future__ import annotations

from typing import Any, NamedTuple

import server

#: The time limit of a worker for one command, in seconds.
PATIENCE = 120


class Row(NamedTuple):
    """One row of the table: its title, and how often one slice repeats the work."""

    title: str
    repeats: int


ROWS = {
    "A": Row("one small GET", 150),
    "B": Row("GET and decode 1,000 records", 4),
    "C": Row("50 GETs at a time, awaited", 6),
    "D": Row("import the names a program uses", 1),
    "E": Row("PUT of a 1 MB CSV", 8),
    "F": Row("process start to first response", 1),
}
#: Rows that start a process for each slice; they run in fewer rounds, because they are slow.
PROCESSES = frozenset({"D", "F"})
#: The number of concurrent calls in row C.
CONCURRENCY = 50
#: The file of row E.
CSV = (b"spam,scam,phishing\n" * (2**20 // 19))[: 2**20 - 1] + b"\n"


def check_keyword_list(found: Any) -> None:
    """Fail unless this is the keyword list of the server."""
    expected = server.KEYWORD_LIST
    assert found.id == expected["id"]
    assert found.search_terms == expected["searchTerms"]
    assert found.updated_at == expected["updatedAt"]


def check_records(found: list[Any], count: int) -> None:
    """Fail unless these are the records of the server; the check reads nested objects by attribute."""
    expected = [server.record(number) for number in range(count)]
    assert len(found) == count
    for record, raw in zip(found, expected, strict=True):
        assert (record.created_at, record.condition.id) == (raw["createdAt"], raw["condition"]["id"])
        assert (record.blocked_at, record.action) == (raw["blockedAt"], raw["action"])
        got, sent = record.message, raw["message"]
        receiver = sent["data"]["entities"]["receiver"]["entity"]
        assert got.data.entities.receiver.entity.last_active_at == receiver["lastActiveAt"]
        assert got.data.entities.sender.entity_type == "user"
        assert got.data.moderation.rule.id == sent["data"]["moderation"]["rule"]["id"]
        assert (got.data.text, got.sent_at, got.id) == (sent["data"]["text"], sent["sentAt"], sent["id"])
