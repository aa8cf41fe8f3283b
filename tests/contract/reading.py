"""Reads responses with the client, for the tests of responses."""

import json
from typing import Any

import pytest

from cometchat_rest import Drift
from cometchat_testing import Simulator
from tools.description import followed

from ..conftest import AnyClient
from ..described import Described
from .calls import CALLS
from .description import DOCUMENT, OPERATIONS

# The response 204 has no body.
WITH_A_BODY = {
    name: operation for name, operation in OPERATIONS.items() if operation.response_schema
}
each_operation = pytest.mark.parametrize("operation", WITH_A_BODY.values(), ids=WITH_A_BODY.keys())


class Reader:
    """Reads responses of one operation with a lenient and with a strict client."""

    def __init__(self, any_client: AnyClient, simulator: Simulator, operation: Described) -> None:
        self.drifts: list[Drift] = []
        self._any_client, self._simulator, self._operation = any_client, simulator, operation
        # If a response contains only `data`, the result is the value of `data`.
        fields = followed(DOCUMENT, operation.response_schema)["properties"]
        self._unwrapped = fields.keys() == {"data"}
        self.schema = fields["data"] if self._unwrapped else operation.response_schema
        self._lenient = any_client.client(on_drift=self.drifts.append)
        self._strict = any_client.client(strict=True, on_drift=self.drifts.append)

    def __call__(self, body: object, *, strict: bool = False) -> Any:
        self.drifts.clear()
        confirm_the_call(body)
        # As bytes, because the value None would mean no body, not `null`.
        status = self._operation.status
        self._simulator.fail(operation=self._name(), status=status, body=json.dumps(body).encode())
        result = self._any_client.call(
            CALLS[self._operation.name], self._strict if strict else self._lenient
        )
        return getattr(result, "page", result)

    def _name(self) -> Any:
        return self._operation.name

    def result(self, body: Any) -> Any:
        """The JSON value that the result of a call must return."""
        if not self._unwrapped:
            return body
        data = body["data"]
        # A result that is a list has no place for a record that is no object. The difference is
        # reported.
        return [each for each in data if isinstance(each, dict)] if isinstance(data, list) else data


def confirm_the_call(body: Any) -> None:
    """Make a response that no call refuses: put the identifier of the list that the calls name
    into it, and let it say that a deletion was carried out."""
    data = body.get("data") if isinstance(body, dict) else None
    if isinstance(data, dict) and isinstance(data.get("id"), str):
        data["id"] = "profanity-list"
    if isinstance(data, dict) and data.get("success") is not None:
        data["success"] = True


def text(value: object) -> str:
    """A JSON value as text, for comparisons: in Python, 1 equals 1.0 and True."""
    return json.dumps(value, sort_keys=True)
