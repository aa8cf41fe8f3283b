"""`cometchat-desk keywords search`: the entries that hold a text, in several lists and apps."""

from operator import itemgetter
from typing import Annotated
from unicodedata import normalize

import typer

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many

from .known_lists import read_lists, report

_COLUMNS = (
    Column(title="App", value=itemgetter("app"), width=12),
    Column(title="List", value=itemgetter("keyword_id"), width=20, style="bold"),
    Column(title="Entry", value=itemgetter("entry"), least=20),
)


@command()
def search(
    target: Target,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help="The text, in capital or small letters. Write quotes around spaces.",
        ),
    ],
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            metavar="LIST",
            help=(
                "Search only this list. Repeat the option for several lists. Default: all lists"
                " that are known here."
            ),
        ),
    ] = None,
    all_apps: AllApps = False,
    *,
    output_format: Format,
) -> Code:
    """Find the entries that hold a text anywhere, in several lists and apps.

    Each sign of the text stands for itself: * is a star. Patterns of a list are compared as they
    are written. keywords status shows the lists that are known here.

    Examples:
      cometchat-desk keywords search crypto --all-apps
      cometchat-desk keywords search 'free money' --list profanity-list --list scam-patterns
    """
    read, errors = read_lists(target, lists, all_apps=all_apps)
    searched = list(dict.fromkeys(keyword_id for _, keyword_id, _ in read))
    # People see neither the width of a letter nor whether its accent is a separate character.
    rows = [
        {"app": app or None, "keyword_id": keyword_id, "entry": entry}
        for app, keyword_id, content in read
        for entry in content.terms
        if normalize("NFKC", text.casefold()) in normalize("NFKC", entry.casefold())
    ]
    show(rows, _COLUMNS, output_format)
    code = report(errors)
    if searched:
        place = f"{many(len(searched), 'list', 'lists')}: {', '.join(searched)}"
        say(visible(f"{many(len(rows), 'entry', 'entries')} with {text} in {place}."))
    if not lists and searched:
        write_note(
            "only lists that are known here were searched; --list LIST searches another list"
            " instead"
        )
    return code
