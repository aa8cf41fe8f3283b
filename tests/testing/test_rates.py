"""The rate limit of the simulator."""

from datetime import UTC, datetime

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import code


def test_rate_limit_refuses_further_requests(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """Requests above the limit get 429 with the time to wait, and are not carried out. Then a
    new window begins."""
    simulator.now = datetime(2026, 7, 1, tzinfo=UTC)
    simulator.rate_limit(2, window=60)
    # Every response, even an error, has the limit and the number of remaining requests.
    for path, remaining in (("/roles", "1"), ("/no/such/path", "0")):
        headers = http_client.get(path).headers
        assert (headers["X-Rate-Limit"], headers["X-Rate-Limit-Remaining"]) == ("2", remaining)
    simulator.advance(7.5)
    response = http_client.delete("/users/alice")
    assert code(response) == (429, "ERR_TOO_MANY_REQUESTS")
    # Seconds are rounded up, so that a caller who waits this long is accepted.
    assert response.headers["Retry-After"] == "53"
    assert response.headers["X-Rate-Limit-Reset"] == str(
        int(datetime(2026, 7, 1, 0, 1, tzinfo=UTC).timestamp())
    )
    assert simulator.damage == []
    simulator.advance(52)
    assert http_client.get("/roles").status_code == 429
    simulator.advance(0.5)
    assert [http_client.get("/roles").status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize(("limit", "window"), [(-1, 60), (1, 0), (1, -0.5)])
def test_invalid_limit_is_refused(simulator: Simulator, limit: int, window: float) -> None:
    """`rate_limit` raises ValueError for a negative limit, and for a window that is not
    positive."""
    with pytest.raises(ValueError, match="limit must not be negative, and window must be positive"):
        simulator.rate_limit(limit, window)
