"""The refusal of a request before its operation is reached."""

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import LIST, code


@pytest.mark.parametrize(
    ("key", "status", "reason"),
    [
        ("", 401, "AUTH_ERR_EMPTY_APIKEY"),
        (Simulator().auth_only_key, 403, "AUTH_ERR_NO_ACCESS"),
        ("0123456789abcdef", 401, "AUTH_ERR_APIKEY_NOT_FOUND"),
    ],
)
def test_key_is_checked_first(
    http_client: httpx.Client, key: str, status: int, reason: str
) -> None:
    """Without the correct key, even an unknown path gets 401 or 403; the error code gives the
    reason."""
    response = http_client.get("/no/such/path", headers={"apikey": key})
    assert code(response) == (status, reason)
    # As the service does: a client must not show this part of its key.
    assert key[:8] in response.json()["error"]["message"] or status == 403


@pytest.mark.parametrize(("path", "known"), [(LIST, {"GET", "PUT"}), ("/roles", {"GET"})])
def test_wrong_method_is_not_allowed(http_client: httpx.Client, path: str, known: set[str]) -> None:
    """A wrong method gets 405, and `Allow` lists the methods of the path."""
    response = http_client.patch(path)
    assert code(response) == (405, "ERR_API_NOT_FOUND")
    allowed = set(response.headers["Allow"].split(", "))
    assert known <= allowed
    assert "PATCH" not in allowed
