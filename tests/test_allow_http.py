"""Plain HTTP: for this machine, and with `allow_http` for a test host."""

import pytest

from cometchat_rest import ConfigurationError

from .conftest import AnyClient
from .support import KEY, isolated_client


@pytest.mark.parametrize(
    "host",
    [
        *("mock:8080", "10.0.0.1", "192.168.1.2:81", "[fd00::1]", "chat.local", "a.test", "chat.internal"),
        *("host.docker.internal:8080", "mock_1"),
    ],
)
def test_http_for_a_test_host(any_client: AnyClient, host: str) -> None:
    """With `allow_http`, a test host may use plain HTTP; without it, only this machine may."""
    address = f"http://{host}/v3"
    with isolated_client(any_client, base_url=address, api_key=KEY, allow_http=True) as client:
        assert client.base_url == address
    with pytest.raises(ConfigurationError, match="with allow_http=True, for a test host"):
        any_client.client(base_url=address)


def test_allow_http_is_a_boolean(any_client: AnyClient) -> None:
    """A text such as "no" is refused, because it would count as true."""
    with pytest.raises(ConfigurationError, match="allow_http must be True or False"):
        any_client.client(allow_http="no")


@pytest.mark.parametrize(
    "host", ["chat.example", "8.8.8.8", "[2001:4860:4860::8888]", "0x08080808", "134744072", "a.test.example"]
)
def test_http_for_no_public_host(any_client: AnyClient, host: str) -> None:
    """Plain HTTP to a public host is refused, with `allow_http` as well."""
    with pytest.raises(ConfigurationError, match=r"^base_url"):
        any_client.client(base_url=f"http://{host}/v3", allow_http=True)
