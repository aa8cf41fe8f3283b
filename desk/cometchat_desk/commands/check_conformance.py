"""`cometchat-desk check --conformance`: compare the responses of the service with its description."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import attrs

from cometchat_desk.exit_codes import Code
from cometchat_desk.messages import print_error
from cometchat_desk.settings.connection import find_app
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest.conformance import Exchange, probe

# The longest time of one call, in seconds.
_DEADLINE = 30.0

_COLUMNS = (
    Column(title="Operation", value=lambda difference: difference["operation"], width=22, style="bold"),
    Column(title="Place", value=lambda difference: difference["place"], least=24),
    Column(title="Kind", value=lambda difference: difference["kind"], width=17),
    Column(title="Described", value=lambda difference: difference["expected"], width=20, spare=True),
    Column(title="Found", value=lambda difference: difference["found"], width=14),
)


def compare(
    target: Target, list_id: str | None, save: Path | None, output: OutputFormat | None, *, revoke: bool
) -> Code:
    """Call the reading operations, show the differences, and write the report.

    Args:
        target: the options that name the app.
        list_id: the keyword list to get; `None` for a list that a reviewed message names.
        save: the file for the report, if there is one.
        output: the format of the output.
        revoke: whether to revoke a token that cannot exist as well.

    Raises:
        StopError: no app or several apps are named, or there is no key.
        CometChatError: a setting is invalid, or no response arrived.
        OSError: a file cannot be read or written.
    """
    with find_app(target).client() as chat, ProgressNote("Calling the service"):
        report = probe(chat.with_options(deadline=_DEADLINE), list_id=list_id, revoke=revoke)
    show([attrs.asdict(each) for each in report.differences], _COLUMNS, output)
    for exchange in report.exchanges:
        print(_summary(exchange), file=sys.stderr)
    if save is not None:
        report.save(save)
        text = f"Wrote {visible(str(save))}. It contains no value, no identifier and no key, so you can share it."
        print(text, file=sys.stderr)
    if all(each.refused for each in report.exchanges):
        print_error("the service refused every call; to find the cause, run cometchat-desk check")
        return Code.REFUSED if {each.status for each in report.exchanges} <= {401, 403} else Code.SERVICE
    return Code.DONE if all(each.allowed for each in report.differences) else Code.CONTRACT


def _summary(exchange: Exchange) -> str:
    """One line about a call."""
    code = "" if exchange.code is None else f", {exchange.code}"
    return f"{exchange.operation}: status {exchange.status}{code}; {_count(exchange)}"


def _count(exchange: Exchange) -> str:
    found: Sequence[object] = exchange.differences
    if exchange.operation == "get_keyword_list" and exchange.status == 404:
        return "name a list of your app with --list"
    return many(len(found), "difference", "differences") if found else "as described"
