"""`cometchat-desk roles`: the roles that users can have."""

from typing import Annotated

import typer

from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.times import utc

from .command import command, open_client

_COLUMNS = (
    Column(title="Role", value=lambda role: role.get("role"), width=16, style="bold"),
    Column(title="Name", value=lambda role: role.get("name"), width=16),
    Column(title="Description", value=lambda role: role.get("description")),
    Column(title="Created UTC", value=lambda role: utc(role.get("createdAt")), width=19),
    Column(title="Updated UTC", value=lambda role: utc(role.get("updatedAt")), width=19, spare=True),
)


@command()
def list_(
    target: Target,
    per_page: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The number of roles in each request.")
    ] = None,
    *,
    output_format: Format,
) -> None:
    """Show all roles.

    Examples:
      cometchat-desk roles list
      cometchat-desk roles list --format csv > roles.csv
    """
    records = []
    with open_client(target) as chat, ProgressNote("Reading roles") as work:
        for role in chat.roles.list(per_page=per_page):
            records.append(role.to_dict())
            work.advance()
    show(records, _COLUMNS, output_format)
