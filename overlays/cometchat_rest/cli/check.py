"""`cometchat-rest check`: check the set-up and say what is wrong."""

from collections.abc import Iterator

import typer

from .columns import Column, Record
from .command import command
from .exit_codes import Code
from .output import Output, show
from .target import Target

_STYLES = {"ok": "green", "note": "yellow", "wrong": "bold red"}

_COLUMNS = (
    Column(title="State", value=lambda finding: finding["state"], width=5, styles=_STYLES),
    Column(title="Subject", value=lambda finding: finding["subject"], width=10),
    Column(title="Finding", value=lambda finding: finding["finding"]),
)


group = typer.Typer()


@command(group, examples=["cometchat-rest check", "cometchat-rest check --app shop"])
def check(target: Target, output: Output = None) -> Code:
    """Check the set-up and say what is wrong; only reads.

    Checks versions, settings, API key, proxy, host name, connection, access to the service and clock. The exit code
    tells what is wrong.
    """
    from .diagnosis import diagnose

    codes = [Code.DONE]

    def records() -> Iterator[Record]:
        for finding in diagnose(target):
            codes.append(finding.code)
            yield {"state": finding.state, "subject": finding.subject, "finding": finding.text}

    show(records(), _COLUMNS, output)
    return max(codes)
