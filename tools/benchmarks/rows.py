"""The rows of the table, and the size of one slice."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One row of the table: its title, and how often one slice repeats the work."""

    title: str
    repeats: int


ROWS = {
    "A": Row("one small GET", 150),
    "Am": Row("one small GET, without a socket", 250),
    "B": Row("GET and decode 1,000 records", 4),
    "C": Row("50 GETs at a time, awaited", 6),
    "D": Row("import the client", 5),
    "E": Row("PUT of a 1 MB CSV", 8),
    "F": Row("process start to first response", 5),
}
#: The rows whose work is a new process.
PROCESSES = ("D", "F")
#: The number of concurrent calls in row C.
CONCURRENCY = 50
#: The file of row E.
CSV = (b"spam,scam,phishing\n" * (2**20 // 19))[: 2**20 - 1] + b"\n"
