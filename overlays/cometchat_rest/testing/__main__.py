"""Runs the simulator in the foreground: python -m cometchat_rest.testing --port 8080."""

import argparse
import signal
import sys
import threading
from collections.abc import Sequence

from .simulator import Simulator


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM; the exit code is 0 then, and 1 if the address cannot be served."""
    parser = argparse.ArgumentParser(
        prog="python -m cometchat_rest.testing", description="Simulate the chat service on this machine."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8080, help="0 for any free port (default: %(default)s)")
    settings = parser.parse_args(argv)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    simulator = Simulator(host=settings.host, port=settings.port)
    try:
        with simulator:
            print(_greeting(simulator), flush=True)
            # With a timeout, because on some systems a signal is not noticed inside an endless wait.
            while not stop.wait(timeout=0.5):
                pass
    except OSError as error:
        print(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is from 0 to 65535")
    return port


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
            "Ctrl-C stops it.",
        )
    )


if __name__ == "__main__":
    sys.exit(main())
