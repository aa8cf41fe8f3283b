"""The version of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cometchat_rest import __version__
from cometchat_rest.testing import Simulator

from .support import GET

if TYPE_CHECKING:
    from .support import AnyClient


def test_user_agent_names_package_and_version(any_client: AnyClient, simulator: Simulator) -> None:
    """The User-Agent names the package and its version."""
    any_client.call(GET.act)
    assert simulator.requests[0].header("user-agent") == f"cometchat-rest/{__version__}"
