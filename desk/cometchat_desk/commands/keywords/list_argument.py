"""The argument that names a list, with its completion in a shell."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from cometchat_rest import InvalidRequestError

from .update_options import find_journal


def complete_list() -> Sequence[str]:
    """The lists in the journal, for completion in a shell."""
    try:
        return find_journal().known_lists()
    except InvalidRequestError:
        return ()


_LIST = typer.Argument(metavar="LIST", help="The list's identifier.", autocompletion=complete_list)
ListId: TypeAlias = Annotated[str, _LIST]
OneList: TypeAlias = Annotated[str | None, _LIST]
