"""Run the simulator in the foreground: python -m cometchat_rest.testing --port 8080."""

import argparse
import contextlib
import errno
import signal
import sys
import threading
from collections.abc import Sequence

from .simulator import Simulator

#: The largest number of days that the command adds.
LONGEST_HISTORY = 365


class AddressError(Exception):
    """The server cannot listen on this address."""


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped. Returns the exit code: 0, or 1 if the server cannot listen on the address."""
    parser = argparse.ArgumentParser(
        prog="python -m cometchat_rest.testing", description="Run a simulator of the chat service on this machine."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8080, help="port, 0 for any free port (default: %(default)s)")
    parser.add_argument(
        "--history", type=_days, default=0, metavar="DAYS", help="have the reviewed messages of this many days"
    )
    settings = parser.parse_args(argv)
    try:
        serve(settings.host, settings.port, history=settings.history)
    except AddressError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def serve(host: str, port: int, *, history: int = 0) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        host: the address to listen on.
        port: the port; 0 for any free port.
        history: the number of days, up to now, whose reviewed messages replace those of the simulator; 0 keeps them.

    Raises:
        AddressError: the server cannot listen on the address.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with contextlib.ExitStack() as running:
        try:
            simulator = running.enter_context(Simulator(host=host, port=port))
        except OSError as error:
            advice = "; use --port 0 for any free port" if error.errno == errno.EADDRINUSE else ""
            raise AddressError(f"cannot listen on {host}:{port}: {error.strerror or error}{advice}") from None
        if history:
            # The messages that every simulator has are of a fixed day, long before these.
            simulator.reviewed_messages = []
            simulator.add_history(days=history)
        print(_greeting(simulator), flush=True)
        # With a timeout, because on some systems a wait without a timeout blocks the signal handlers.
        while not stop.wait(timeout=0.5):
            pass


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError("a port must be a number from 0 to 65535")
    return int(text)


def _days(text: str) -> int:
    if not (text.isdecimal() and int(text) <= LONGEST_HISTORY):
        raise argparse.ArgumentTypeError(f"the number of days must be from 0 to {LONGEST_HISTORY}")
    return int(text)


def _greeting(simulator: Simulator) -> str:
    ids = list(simulator.keyword_lists)
    return "\n".join(
        (
            f"Base URL:      {simulator.base_url}",
            f"API key:       {simulator.api_key}",
            f"Keyword lists: {', '.join(ids)}",
            f"curl -H 'apikey: {simulator.api_key}' '{simulator.base_url}/moderation/keywords/{ids[0]}'",
            f"export COMETCHAT_BASE_URL={simulator.base_url} COMETCHAT_API_KEY={simulator.api_key}",
            f"export ALICE_TOKEN={simulator.auth_tokens['alice'][0]}",
            "Press Ctrl-C to stop.",
        )
    )


if __name__ == "__main__":
    sys.exit(main())
