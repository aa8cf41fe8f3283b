"""`cometchat-desk roles`: all pages, in each format."""

import json

from cometchat_rest.testing import Simulator

from ..conftest import CommandLine


def test_list(cli: CommandLine, simulator: Simulator) -> None:
    """`roles list` shows the roles of all pages."""
    done = cli("roles", "list", "--per-page", "4")
    assert [json.loads(line) for line in done.out.splitlines()] == simulator.roles
    table = cli("roles", "list", "--format", "table").out
    assert table.splitlines()[0].split() == ["Role", "Name", "Description", "Created", "UTC"]
