"""The log of the library on stderr."""


from cometchat_rest.testing import Simulator

from ..conftest import CommandLine


def test_drift_is_no_log_line(cli: CommandLine, simulator: Simulator) -> None:
    """A value outside the contract gives no line for moderators; --debug shows it."""
    # The library reports each place once in a process, so each call has another wrong field.
    simulator.fail("list_roles", body={"data": [{"role": "guest", "name": "Guest", "description": 7}], "meta": {}})
    done = cli("roles", "list")
    assert (done.code, done.err) == (0, "")
    simulator.fail("list_roles", body={"data": [{"role": "guest", "name": "Guest", "updatedAt": []}], "meta": {}})
    assert "contract.drift" in cli("roles", "list", "--debug").err
