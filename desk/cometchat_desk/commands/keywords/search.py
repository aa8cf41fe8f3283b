"""`cometchat-desk keywords search`: the entries that hold a text, in several lists and apps."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Annotated

import typer

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.fleet import Outcome, attempt
from cometchat_desk.lists.files import ListFile
from cometchat_desk.messages import print_error, reason_for, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many
from cometchat_rest import Client

from .diff import list_content
from .update_options import find_journal
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
            "--list", metavar="LIST", help="Search only this list; repeat it. Default: all that were updated here."
        ),
    ] = None,
    all_apps: AllApps = False,
    *,
    output_format: Format,
) -> Code:
    """Find the entries that hold a text, in several lists and apps.

    The service has no operation to list its keyword lists, so name lists that this computer has not updated. Patterns
    are compared as they are written.

    Examples:
      cometchat-desk keywords search crypto --all-apps
      cometchat-desk keywords search 'free money' --list profanity-list --list scam-patterns
    """
    journal = find_journal()
    with Apps(target, all_apps=all_apps) as apps:
        named = {name: lists or journal.known_lists(apps.addresses.get(name, "")) for name in apps.names}
        if not any(named.values()):
            raise StopError(Code.USAGE, "no list was updated here; name the lists to search with --list LIST")
        with ProgressNote("Reading lists"):
            read = apps.run({name: partial(_contents, names) for name, names in named.items()})
    rows, errors = [], []
    for app, outcome in read.items():
        address = apps.addresses.get(app, "")
        errors += [CallError(outcome.error, app, address)] if outcome.error is not None else []
        for keyword_id, one in (outcome.result or {}).items():
            errors += [CallError(one.error, app, address)] if one.error is not None else []
            entries = () if one.result is None else one.result.entries
            found = [entry for entry in entries if text.casefold() in entry.casefold()]
            rows += [{"app": app or None, "keyword_id": keyword_id, "entry": entry} for entry in found]
    show(rows, _COLUMNS, output_format)
    for error in errors:
        print_error(reason_for(error, check=True))
    searched = list(dict.fromkeys(chain.from_iterable(named.values())))
    place = f"{many(len(searched), 'list', 'lists')}: {', '.join(searched)}"
    say(visible(f"{many(len(rows), 'entry', 'entries')} with {text} in {place}."))
    if not lists:
        write_note("only lists that were updated here were searched; --list LIST searches other lists in their place")
    return max([Code.DONE, *(code_for(error) for error in errors)])


def _contents(lists: Sequence[str], chat: Client) -> dict[str, Outcome[ListFile]]:
    return {keyword_id: attempt(partial(list_content, keyword_id, None, chat)) for keyword_id in lists}
