"""The exchanges of conformance reports: both clients read each response, and find the
differences of the report."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest import ApiError, Drift, UnexpectedResponse
from cometchat_testing import Simulator
from cometchat_testing.conformance import Exchange, Kind, read_report

from ...conftest import AnyClient
from ...contract.calls import CALLS

REPORTS = sorted(Path(__file__).with_name("reports").glob("*.json"))
assert REPORTS


def read(any_client: AnyClient, exchange: Exchange) -> Iterator[str]:
    """Call the operation, and yield the places of the differences that the client reports."""
    drifts: list[Drift] = []
    client = any_client.client(on_drift=drifts.append, max_retries=0)
    try:
        result = any_client.call(CALLS[exchange.operation], client)
    except ApiError:
        assert exchange.refused
    except UnexpectedResponse as error:
        assert not exchange.refused
        yield error.pointer or ""
    else:
        assert exchange.succeeded
        body: Any = exchange.body
        assert result is None or result.to_dict() in (body, body.get("data"))
    yield from (each.place for each in drifts)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_exchanges_are_read_completely(
    any_client: AnyClient, simulator: Simulator, path: Path
) -> None:
    """Each response of a report is read without loss, or is the error for its status; each
    difference is reported."""
    for exchange in read_report(path).exchanges:
        name: Any = exchange.operation
        if name == "get_keyword_list" and exchange.succeeded:
            # A response about another list than the call is refused, and a report has no
            # identifiers.
            body: Any = exchange.body
            body["data"]["id"] = "profanity-list"
        content = b"x" if exchange.unread else json.dumps(exchange.body).encode()
        simulator.fail(
            name, status=exchange.status, body=content, headers={"Content-Type": "application/json"}
        )
        reported = set(read(any_client, exchange))
        if exchange.succeeded:
            wrong = {
                each.place
                for each in exchange.differences
                if each.kind in (Kind.WRONG_TYPE, Kind.MISSING_FIELD)
            }
            assert reported == wrong or reported <= {"", "/data"}
