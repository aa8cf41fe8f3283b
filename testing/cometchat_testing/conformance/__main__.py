"""Compare the responses of an app with the description: python -m cometchat_testing.conformance
--save report.json."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cometchat_rest import Client, CometChatError

from .calls import probe
from .exchanges import Exchange
from .reports import Report

# The longest time of one call, in seconds.
_DEADLINE = 30.0
_DESCRIPTION = """\
Compare the responses of the service with its description. It only reads. The
settings come from COMETCHAT_APP_ID, COMETCHAT_REGION and COMETCHAT_API_KEY, or
COMETCHAT_BASE_URL. Output and report contain no value, no identifier and no key.
"""
_EXIT_CODES = """\
exit codes:
  0  all responses are as described, apart from further fields
  1  a response differs, or the service refused every call
  2  a setting is invalid, the key has no access, no response arrived, or the
     report cannot be written
"""
_NO_ACCESS = (
    "The service refused the key for every call; set COMETCHAT_API_KEY to a key of this app, scope"
    " fullAccess."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Call the reading operations, print the differences, and save the report.

    Args:
        argv: the arguments; by default those of this process.

    Returns:
        The exit code; `--help` explains it.
    """
    settings = _parser().parse_args(argv)
    try:
        report = _probe(settings)
        if {exchange.status for exchange in report.exchanges} <= {401, 403}:
            print(_NO_ACCESS, file=sys.stderr)
            return 2
        if settings.save is not None:
            report.save(settings.save)
    except CometChatError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"{settings.save}: {error.strerror}; give --save a file that you can write",
            file=sys.stderr,
        )
        return 2
    _show(report)
    all_refused = all(exchange.refused for exchange in report.exchanges)
    all_allowed = all(difference.allowed for difference in report.differences)
    return 0 if all_allowed and not all_refused else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cometchat_testing.conformance",
        description=_DESCRIPTION,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--save", metavar="FILE", help="write a report to share; an existing file is replaced"
    )
    parser.add_argument(
        "--list", metavar="LIST", help="the keyword list to get (default: one that a message names)"
    )
    parser.add_argument(
        "--value",
        metavar="NAME=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="a value of a path parameter",
    )
    parser.add_argument(
        "--revoke", action="store_true", help="also delete a token that does not exist"
    )
    return parser


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("give a name and a value, such as uid=alice")
    return name, value


def _probe(settings: argparse.Namespace) -> Report:
    with Client(deadline=_DEADLINE) as chat:
        return probe(
            chat,
            keyword_id=settings.list,
            path_values=dict(settings.value),
            revoke=settings.revoke,
        )


def _show(report: Report) -> None:
    for difference in report.differences:
        place = f"{difference.operation} {difference.place}".rstrip()
        print(f"{place}: {difference.kind}: {difference.found}, described as {difference.expected}")
    for exchange in report.exchanges:
        print(_summary(exchange), file=sys.stderr)


def _summary(exchange: Exchange) -> str:
    """One line about a call."""
    code = "" if exchange.code is None else f", {exchange.code}"
    result = "as described"
    if exchange.operation == "get_keyword_list" and exchange.status == 404:
        result = "name a list of your app with --list"
    elif exchange.differences:
        result = f"{len(exchange.differences)} differences"
    return f"{exchange.operation}: status {exchange.status}{code}; {result}"


if __name__ == "__main__":
    sys.exit(main())
