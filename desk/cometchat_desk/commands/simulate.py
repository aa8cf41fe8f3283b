"""`cometchat-desk simulate`: run a simulator of the service on this machine."""

from typing import Annotated

import typer

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import run_command

from .command import format_examples

group = typer.Typer()


@group.command(epilog=format_examples(["cometchat-desk simulate", "cometchat-desk simulate --history 28"]))
def simulate(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="The port to listen on; 0 for any free port.")
    ] = 8080,
    history: Annotated[
        int,
        typer.Option(min=0, max=365, metavar="DAYS", help="Add reviewed messages of this many days, up to now."),
    ] = 0,
) -> None:
    """Simulate the service on this machine, to try the commands.

    The simulator holds lists, messages, roles and tokens. When it stops, all changes are lost. It prints the settings
    to use.
    """
    raise typer.Exit(run_command(lambda: _simulate(host, port, history)))


def _simulate(host: str, port: int, history: int) -> None:
    try:
        from cometchat_rest.testing.__main__ import AddressError, serve
    except ImportError as error:
        raise StopError(Code.SETTINGS, str(error)) from None
    try:
        serve(host, port, history=history)
    except AddressError as error:
        raise StopError(Code.NETWORK, str(error)) from None
