"""`cometchat-desk keywords search`: the entries that hold a text, in several lists and apps."""

from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Annotated

import typer

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code, code_for
from cometchat_desk.messages import print_error, reason_for, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many

from .diff import list_content
from .known_lists import errors_in, read_each
from .updates import Apps

_COLUMNS = (
    Column(title="App", value=itemgetter("app"), width=12),
    Column(title="List", value=itemgetter("keyword_id"), width=20, style="bold"),
    Column(title="Entry", value=itemgetter("entry"), least=20),
)


@command()
def search(
    target: Target,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text, in any case. Write quotes around spaces.")],
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list", metavar="LIST", help="Search only this list; repeat it. Default: all lists that are known here."
        ),
    ] = None,
    all_apps: AllApps = False,
    *,
    output_format: Format,
) -> Code:
    """Find the entries that hold a text, in several lists and apps.

    The service has no operation to list its keyword lists. Those are known that this computer has updated, and that the
    rules of the latest reviewed messages name. Patterns are compared as they are written.

    Examples:
      cometchat-desk keywords search crypto --all-apps
      cometchat-desk keywords search 'free money' --list profanity-list --list scam-patterns
    """
    with Apps(target, all_apps=all_apps) as apps, ProgressNote("Reading lists"):
        read = apps.run(dict.fromkeys(apps.names, partial(read_each, lists, list_content)))
    searched = list(dict.fromkeys(chain.from_iterable(outcome.result or () for outcome in read.values())))
    errors, rows = errors_in(read, apps), []
    for app, outcome in read.items():
        for keyword_id, one in (outcome.result or {}).items():
            entries = () if one.result is None else one.result.entries
            found = [entry for entry in entries if text.casefold() in entry.casefold()]
            rows += [{"app": app or None, "keyword_id": keyword_id, "entry": entry} for entry in found]
    show(rows, _COLUMNS, output_format)
    for error in errors:
        print_error(reason_for(error, check=True))
    place = f"{many(len(searched), 'list', 'lists')}: {', '.join(searched)}"
    say(visible(f"{many(len(rows), 'entry', 'entries')} with {text} in {place}."))
    if not lists:
        write_note("only lists that are known here were searched; --list LIST searches other lists in their place")
    return max([Code.DONE, *(code_for(error) for error in errors)])
