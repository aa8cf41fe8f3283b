"""Run the simulator in the foreground: python -m cometchat_testing --port 8080."""

import argparse
import contextlib
import errno
import inspect
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn
from urllib.parse import urlsplit

try:
    from . import Simulator
except ImportError as _missing:
    sys.exit(str(_missing))
from .data import auth_tokens

FAULT_NAMES = tuple(inspect.signature(Simulator.fail).parameters)[2:]
EXAMPLES = """\
--fault takes the arguments of Simulator.fail, and first the operation that it hits;
without one it hits every request:
  --fault status=503 times=2
  --fault list_roles status=429 'headers={"Retry-After": "7"}'
  --fault update_keyword_list cut=after_processing share=0.5 times=all
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message}; --help lists all options\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped. Returns the exit code: 0, or 1 if the server cannot listen on the
    address."""
    parser = _parser()
    settings = parser.parse_args(argv)
    simulator = Simulator(
        host=settings.host, port=settings.port, vendor_limits=settings.vendor_limits
    )
    try:
        _prepare(simulator, settings)
    except ValueError as error:
        parser.error(f"argument --fault: {error}")
    with contextlib.ExitStack() as running:
        try:
            running.enter_context(simulator)
        except OSError as error:
            advice = "; use --port 0 for any free port" if error.errno == errno.EADDRINUSE else ""
            reason = error.strerror or error
            print(
                f"cannot listen on {settings.host}:{settings.port}: {reason}{advice}",
                file=sys.stderr,
            )
            return 1
        # Before the first line: a program that reads it may end this one at once.
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        for line in _greeting(simulator, settings):
            print(line)
        print("Press Ctrl-C to stop.", flush=True)
        _serve(simulator, settings.new_messages, stop)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m cometchat_testing",
        description=(
            "Run a simulator of the chat service on this machine, until Ctrl-C or SIGTERM stops it."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--host",
        default="127.0.0.1",
        help="address to listen on, 0.0.0.0 in a container (default: %(default)s)",
    )
    add(
        "--port",
        type=_whole(0, 65535),
        default=8080,
        help="port, 0 for any free port (default: %(default)s)",
    )
    add(
        "--history",
        type=_whole(1, 365),
        metavar="DAYS",
        help="have the reviewed messages of this many days",
    )
    add(
        "--new-messages",
        type=_seconds,
        metavar="SECONDS",
        help="add a reviewed message every SECONDS",
    )
    add(
        "--tokens",
        type=_whole(1, 10_000),
        metavar="N",
        help="print N auth tokens of each user (default: 3, hidden)",
    )
    add(
        "--vendor-limits",
        action="store_true",
        help="refuse updates beyond the limits of the vendor's pages",
    )
    add(
        "--rate-limit",
        type=_rate,
        metavar="N[/SECONDS]",
        help="accept N requests in a window (default: 60 seconds)",
    )
    add(
        "--fault",
        action="append",
        nargs="+",
        default=[],
        metavar=("OPERATION", "NAME=VALUE"),
        help="fail requests; see below; repeatable",
    )
    return parser


def _serve(simulator: Simulator, interval: float | None, stop: threading.Event) -> None:
    """Add a reviewed message after each interval in seconds, until `stop` is set."""
    last = time.monotonic()
    # A short wait, because on some systems a wait blocks the signal handlers.
    while not stop.wait(timeout=min(0.5, interval or 0.5)):
        if interval and time.monotonic() - last >= interval:
            last += interval
            simulator.review(created_at=simulator.now)


def _prepare(simulator: Simulator, settings: argparse.Namespace) -> None:
    if settings.history:
        # The messages that every simulator has are of a fixed day, long before these.
        simulator.reviewed_messages = []
        simulator.add_history(days=settings.history)
    if settings.tokens:
        simulator.auth_tokens = auth_tokens(settings.tokens)
    if settings.rate_limit:
        simulator.rate_limit(*settings.rate_limit)
    for words in settings.fault:
        operation = None
        arguments = words
        if "=" not in words[0]:
            operation, *arguments = words
        simulator.fail(operation, **dict(map(_argument, arguments)))


def _argument(text: str) -> tuple[str, Any]:
    """A name and a value: JSON, or else the text itself."""
    name, _, value = text.partition("=")
    if name not in FAULT_NAMES:
        raise ValueError(
            f"{text!r} must be NAME=VALUE, where NAME is one of {', '.join(FAULT_NAMES)}"
        )
    if (name, value) == ("times", "all"):
        return name, None
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return read


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        seconds = float(text)
        if 0.1 <= seconds <= 3600:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1 to 3600")


def _rate(text: str) -> tuple[int, float]:
    limit, _, window = text.partition("/")
    return _whole(0, 1_000_000)(limit), _seconds(window or "60")


def _greeting(simulator: Simulator, settings: argparse.Namespace) -> Iterator[str]:
    ids = list(simulator.keyword_lists)
    url = simulator.base_url
    key = simulator.api_key
    yield f"Base URL:      {url}"
    yield f"API key:       {key}"
    yield f"authOnly key:  {simulator.auth_only_key}"
    yield f"Keyword lists: {', '.join(ids)}"
    yield f"curl -H 'apikey: {key}' '{url}/moderation/keywords/{ids[0]}'"
    yield f"export COMETCHAT_BASE_URL={url} COMETCHAT_API_KEY={key}"
    yield f"export ALICE_TOKEN={simulator.auth_tokens['alice'][0]}"
    if settings.host in ("0.0.0.0", "::"):  # noqa: S104 - the user chose it
        parts = urlsplit(url)
        address = f"http://NAME:{parts.port}{parts.path}"
        yield (
            f"In another container, with the host name of this one: Client(base_url='{address}',"
            " allow_http=True)"
        )
    if settings.tokens:
        for uid, tokens in simulator.auth_tokens.items():
            for token in tokens:
                yield f"{uid},{token}"


if __name__ == "__main__":
    sys.exit(main())
