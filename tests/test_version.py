"""The version of the package."""

from cometchat_rest import __version__
from cometchat_rest.testing import Simulator

from .support import GET, AnyClient


def test_user_agent_names_package_and_version(any_client: AnyClient, simulator: Simulator) -> None:
    """The User-Agent names the package and its version."""
    any_client.call(GET.act)
    assert simulator.requests[0].header("user-agent") == f"cometchat-rest/{__version__}"
