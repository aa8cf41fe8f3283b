"""The report of a probe: plain JSON with the outline of each response, safe to share."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from attrs import asdict, frozen

from cometchat_rest import InvalidRequestError

from .client import OPERATIONS, body_type
from .exchanges import KNOWN_CODES, RATE_HEADER, Difference, Exchange, Unread
from .outline import outline

#: The version of the format. A reader refuses a newer version.
VERSION = 1
#: The place of a service.
Service: TypeAlias = Literal["hosted", "own host", "this machine"]
_MEMBERS = frozenset({"report", "version", "service", "client", "date", "differences", "exchanges"})
_TITLE = "cometchat-rest conformance report"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_RELEASE = re.compile(r"[0-9][0-9A-Za-z.+-]{0,40}")


@frozen(kw_only=True)
class Report:
    """The exchanges of a probe.

    Attributes:
        service: the place of the service: an address of the vendor, another address, or the machine
            of the probe, where the service may be a simulator.
        client: the version of this package that made the report.
        date: the day in UTC, such as `2026-11-22`.
        exchanges: the exchanges, in the order of the calls.
    """

    service: Service
    client: str
    date: str
    exchanges: tuple[Exchange, ...]

    @property
    def differences(self) -> list[Difference]:
        """The differences of all exchanges from the description of this package."""
        return [difference for exchange in self.exchanges for difference in exchange.differences]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "report": _TITLE,
            "version": VERSION,
            "service": self.service,
            "client": self.client,
            "date": self.date,
            "differences": [asdict(difference) for difference in self.differences],
            "exchanges": [asdict(exchange) for exchange in self.exchanges],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file; an existing file is replaced.

        Raises:
            OSError: the file cannot be written.
        """
        Path(path).write_text(f"{json.dumps(self.to_dict(), indent=2)}\n", "utf-8")


def read_report(path: str | os.PathLike[str]) -> Report:
    """Read a report. Its differences are computed again, for the description of this package.

    Raises:
        InvalidRequestError: the file is not a report, contains a value, or comes from a newer
            version.
        OSError: the file cannot be read.
    """
    try:
        report = _read(json.loads(Path(path).read_bytes()))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise InvalidRequestError(
            f"{path}: not a conformance report;"
            " make one with python -m cometchat_testing.conformance --save FILE"
        ) from None
    if report is None:
        raise InvalidRequestError(
            f"{path}: the report comes from a newer version of cometchat-rest, and this one reads"
            f" reports of version {VERSION}; update cometchat-rest"
        )
    return report


def _read(stored: Mapping[str, Any]) -> Report | None:
    """Read a report; `None` if it comes from a newer version."""
    if stored["report"] != _TITLE or type(stored["version"]) is not int:
        raise ValueError
    if stored["version"] > VERSION:
        return None
    if stored["service"] not in get_args(Service) or stored.keys() - _MEMBERS:
        raise ValueError
    return Report(
        service=stored["service"],
        client=_matching(_RELEASE, stored["client"]),
        date=_matching(_DATE, stored["date"]),
        exchanges=tuple(map(_read_exchange, stored["exchanges"])),
    )


def _read_exchange(stored: Mapping[str, Any]) -> Exchange:
    """Read an exchange. A report comes from somebody else, so every text in it must be one that
    a probe writes."""
    members = dict(stored)
    members["headers"] = tuple(stored["headers"])
    exchange = Exchange(**members)
    flags = (exchange.json_type, *exchange.parameters.values())
    permitted = (
        exchange.operation in OPERATIONS,
        type(exchange.status) is int and 100 <= exchange.status <= 999,
        exchange.code is None or exchange.code in KNOWN_CODES,
        all(map(RATE_HEADER.fullmatch, exchange.headers)),
        exchange.parameters.keys() <= {"limit", "perPage"},
        all(isinstance(flag, bool) for flag in flags),
        exchange.unread is None or exchange.unread in get_args(Unread),
    )
    if not all(permitted):
        raise ValueError
    expected = body_type(exchange.operation, exchange.status)
    if outline(expected, exchange.body, ()) != exchange.body:
        raise ValueError
    return exchange


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text
