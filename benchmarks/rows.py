"""What is measured: the rows of the table, how much of each is one slice, and how to see that the answer is right."""

from __future__ import annotations

from typing import Any, NamedTuple

import server

#: The longest a single answer to the controller may take, in seconds.
PATIENCE = 120


class Row(NamedTuple):
    """One row of the table.

    Attributes:
        title: for the table.
        target: what this package's ratio to the base is to stay below, if anything.
        repeats: how often the work is done in one slice.
    """

    title: str
    target: float | None
    repeats: int


ROWS = {
    "A": Row("one small GET", 0.80, 150),
    "Am": Row("the same without a socket", 0.85, 250),
    "B": Row("GET and decode 1,000 records", 1.60, 4),
    "C": Row("50 GETs at a time, async", 0.25, 6),
    "D": Row("import the package", 1.20, 1),
    "D2": Row("import the names a program uses", None, 1),
    "E": Row("PUT of a 1 MB CSV", 1.00, 8),
    "F": Row("process start to first answer", 1.15, 1),
    "F2": Row("the same, with TLS certificates", None, 1),
}
#: What the result of row B may hold while it is kept, in bytes.
MEMORY_TARGET = 4.0e6
#: A process of its own for each: they are measured in fewer rounds, because they take long.
PROCESSES = frozenset({"D", "D2", "F", "F2"})
#: How many calls are under way together in row C.
CONCURRENCY = 50
#: What row E sends.
CSV = (b"spam,scam,phishing\n" * (2**20 // 19))[: 2**20 - 1] + b"\n"


def check_keyword_list(found: Any) -> None:
    """Fail unless this is the list that the server holds."""
    expected = server.KEYWORD_LIST
    assert found.id == expected["id"]
    assert found.search_terms == expected["searchTerms"]
    assert found.updated_at == expected["updatedAt"]


def check_records(found: list[Any], count: int) -> None:
    """Fail unless these are the records that the server holds, each with its nested objects, read by attribute."""
    expected = [server.record(number) for number in range(count)]
    assert len(found) == count
    assert sum(r.created_at for r in found) == sum(r["createdAt"] for r in expected)
    assert sum(r.condition.id for r in found) == sum(r["condition"]["id"] for r in expected)
    assert [r.blocked_at for r in found] == [r["blockedAt"] for r in expected]
    assert [r.action for r in found] == [r["action"] for r in expected]
    for got, sent in zip((r.message for r in found), (r["message"] for r in expected), strict=True):
        receiver = sent["data"]["entities"]["receiver"]["entity"]
        assert got.data.entities.receiver.entity.last_active_at == receiver["lastActiveAt"]
        assert got.data.entities.sender.entity_type == "user"
        assert got.data.moderation.rule.id == sent["data"]["moderation"]["rule"]["id"]
        assert (got.data.text, got.sent_at, got.id) == (sent["data"]["text"], sent["sentAt"], sent["id"])
