"""Runs schemathesis with openapi.yaml, without hooks.

python -m tools.contract.fuzz                        all phases, against a new simulator
python -m tools.contract.fuzz --url URL              reading only, against an app, with the key
                                                     in API_KEY

More arguments go to schemathesis, for example `--seed 1`. The exit code is that of schemathesis; it
is also 2 if the address or the key cannot be used.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from schemathesis.cli import schemathesis

from cometchat_rest import Client, CometChatError, ConfigurationError
from cometchat_testing import Simulator
from cometchat_testing.conformance import openapi

SETTINGS = Path(__file__).with_name("schemathesis.toml")
#: Valid requests that read. Invalid ones would show only the app's own rules, which the description
#: does not have.
READING = (
    "--include-method",
    "GET",
    "--mode",
    "positive",
    "--exclude-checks",
    "positive_data_acceptance",
)
#: Far below the rate limit of a free plan, 500 calls per minute.
SLOWLY = ("--phases", "examples,coverage", "--rate-limit", "100/m")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool, and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--url", help="the address of an app, ending in /v3; without it, a simulator is started"
    )
    options, more = parser.parse_known_args(arguments)
    with ExitStack() as running:
        if options.url is None:
            simulator = running.enter_context(Simulator())
            url = simulator.base_url
            key = simulator.api_key
        else:
            url = options.url.rstrip("/")
            key = os.environ.get("API_KEY", "").strip()
            problem = _problem(url, key)
            if problem:
                print(problem, file=sys.stderr)
                return 2
            more += [*READING, *SLOWLY]
        # In this process: the key is in no list of processes.
        command = ["--config-file", str(SETTINGS), "run", str(openapi())]
        # A later run does not repeat the failures of this one: only its arguments decide.
        command += ["--generation-database", "none"]
        command += ["--url", url, "--header", f"apikey: {key}", *more]
        return int(schemathesis.main(command, standalone_mode=False) or 0)


def _problem(url: str, key: str) -> str | None:
    """One line about an address or a key that cannot be used."""
    if not key:
        return (
            "API_KEY is empty: give a key with the scope fullAccess, as in API_KEY=... make"
            f" contract URL={url}"
        )
    try:
        # The client accepts no key that a header cannot hold: httpx would show it.
        with Client(base_url=url, api_key=key) as client:
            client.request("GET", "/roles", query={"perPage": 1})
    except ConfigurationError as error:
        names = {"base_url": "--url", "api_key": "API_KEY"}
        return f"{names.get(error.argument or '', error.argument)} {error.reason}"
    except CometChatError as error:
        return (
            f"{error}; check the address, the network, and API_KEY: a key with the scope fullAccess"
        )
    return None


if __name__ == "__main__":
    sys.exit(main())
