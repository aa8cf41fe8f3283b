"""Runs schemathesis with openapi.yaml against a new simulator, in all phases and without hooks.

python -m tools.contract.fuzz [ARGUMENTS]

The arguments go to schemathesis, for example `--seed 1`. The exit code is that of schemathesis.
"""

from __future__ import annotations

import sys
from pathlib import Path

from schemathesis.cli import schemathesis

from cometchat_testing import Simulator
from cometchat_testing.conformance import openapi

SETTINGS = Path(__file__).with_name("schemathesis.toml")


def main() -> int:
    """Run the tool, and return its exit code."""
    with Simulator() as simulator:
        command = ["--config-file", str(SETTINGS), "run", str(openapi())]
        # A later run does not repeat the failures of this one: only its arguments decide.
        command += ["--generation-database", "none", "--url", simulator.base_url]
        command += ["--header", f"apikey: {simulator.api_key}", *sys.argv[1:]]
        return int(schemathesis.main(command, standalone_mode=False) or 0)


if __name__ == "__main__":
    sys.exit(main())
