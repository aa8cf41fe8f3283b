"""`cometchat-desk check`: check the settings, the connection and the key."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import typer

from cometchat_desk.exit_codes import Code
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Output, show

from .command import command

if TYPE_CHECKING:
    from cometchat_desk.settings.connection import App

_STYLES = {"ok": "green", "note": "yellow", "wrong": "bold red"}

_COLUMNS = (
    Column(title="State", value=lambda finding: finding["state"], width=5, styles=_STYLES),
    Column(title="Subject", value=lambda finding: finding["subject"], width=10),
    Column(title="Finding", value=lambda finding: finding["finding"]),
)

group = typer.Typer()


@command(group, examples=["cometchat-desk check", "cometchat-desk check --app shop"])
def check(target: Target, output: Output = None) -> Code:
    """Check the settings, the connection and the API key. Nothing is changed.

    The command checks versions, settings, API key, proxy, host name, connection, access to the service and clock. The
    exit code shows the kind of the problem.
    """
    from cometchat_desk.settings.connection import find_app

    return check_app(partial(find_app, target), output)


def check_app(find: "Callable[[], App]", output: Output) -> Code:
    """Show each finding as soon as it is made, and return the highest exit code."""
    from .diagnosis import diagnose

    codes = [Code.DONE]

    def records() -> Iterator[Record]:
        for finding in diagnose(find):
            codes.append(finding.code)
            yield {"state": finding.state, "subject": finding.subject, "finding": finding.text}

    show(records(), _COLUMNS, output)
    return max(codes)
