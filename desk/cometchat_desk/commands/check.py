"""`cometchat-desk check`: check the settings, the connection and the key."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cometchat_desk.exit_codes import Code, StopError
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


@command(
    group,
    examples=[
        "cometchat-desk check",
        "cometchat-desk check --app shop",
        "cometchat-desk check --conformance --save report.json",
    ],
)
def check(
    target: Target,
    conformance: Annotated[
        bool, typer.Option("--conformance", help="Compare the responses of the service with its description instead.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --conformance: write a report to share; an existing file is replaced."),
    ] = None,
    list_id: Annotated[
        str | None,
        typer.Option(
            "--list",
            metavar="LIST",
            help="With --conformance: the keyword list to get. Default: a list that a reviewed message names.",
        ),
    ] = None,
    revoke: Annotated[
        bool,
        typer.Option("--revoke", help="With --conformance: also revoke a token that cannot exist."),
    ] = False,
    output: Output = None,
) -> Code:
    """Check the settings, the connection and the API key. Nothing is changed.

    The command checks versions, settings, API key, proxy, host name, connection, access to the service and clock. The
    exit code shows the kind of the problem.

    With --conformance, the command calls the three reading operations, and lists each place where a response differs
    from the description of the service. Output and report contain no value, no identifier and no key.
    """
    if conformance:
        from .check_conformance import compare

        return compare(target, list_id, save, output, revoke=revoke)
    if revoke or (save, list_id) != (None, None):
        raise StopError(Code.USAGE, "--save, --list and --revoke work with --conformance only")
    from cometchat_desk.settings.connection import find_app

    return check_app(partial(find_app, target), output)


def check_app(find: "Callable[[], App]", output: Output) -> Code:
    """Show each finding as soon as it is made, and return the highest exit code.

    Args:
        find: returns the app. If it raises an error, this is a finding.
        output: the format of the findings.
    """
    from .diagnosis import diagnose

    codes = [Code.DONE]

    def records() -> Iterator[Record]:
        for finding in diagnose(find):
            codes.append(finding.code)
            yield {"state": finding.state, "subject": finding.subject, "finding": finding.text}

    show(records(), _COLUMNS, output)
    return max(codes)
