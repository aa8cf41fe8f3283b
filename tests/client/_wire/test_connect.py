"""Choosing the connections of a new client: its certificates, or a transport of the caller."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from cometchat_rest import ConfigurationError

from ..support import KEY, isolated_client

if TYPE_CHECKING:
    from ..support import AnyClient


def test_unreadable_certificates_are_refused(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If SSL_CERT_FILE names an unreadable file, making a client is an error that names the variable."""
    (tmp_path / "none.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with (
        pytest.raises(ConfigurationError, match="SSL_CERT_FILE"),
        isolated_client(any_client, app_id="abc", api_key=KEY, transport=None),
    ):
        pass


def test_transport_of_the_other_kind_is_refused(any_client: AnyClient) -> None:
    """The blocking client refuses an awaited transport, and the awaited client refuses a blocking transport."""
    transport = httpx.HTTPTransport() if any_client.kind == "async" else httpx.AsyncHTTPTransport()
    with pytest.raises(
        ConfigurationError, match=r"^transport must be an httpx\.(Async)?BaseTransport, not (Async)?HTTPTransport$"
    ):
        any_client.client(transport=transport)


def test_class_of_a_transport_is_refused(any_client: AnyClient) -> None:
    """A class of a transport in place of an object is an error that says what to do."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with pytest.raises(ConfigurationError, match=r"not the class (Async)?HTTPTransport: add parentheses"):
        any_client.client(transport=kind)
