"""`cometchat-desk keywords get`: show a list, or write one or several lists to files."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import AllApps, Yes, command, open_client, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.fleet import Outcome, attempt
from cometchat_desk.lists.files import WRITTEN
from cometchat_desk.lists.writing import check_suffix, encoded
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.output import Format, OutputFormat, as_json, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import HIDDEN
from cometchat_rest import (
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    keyword_input,
)
from cometchat_rest.keyword_input import Quotes

from .entry_input import STDIN, replaces, write_entries
from .known_lists import errors_in, read_known, report
from .list_argument import complete_list
from .update_options import QuotesAnswer, find_journal
from .updates import Apps
from .view import show_list

#: A list that was read, with its identifier and its file.
ReadList: TypeAlias = tuple[str, KeywordListInput, Path]


@command()
def get(
    target: Target,
    lists: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LIST...", help="The list's identifier.", autocompletion=complete_list
        ),
    ] = None,
    output: Annotated[
        Path | None,
        output_option(
            "The file to write: .txt, .csv, .json, .xlsx, or - for plain lines on standard output."
            " For several lists, the folder to write."
        ),
    ] = None,
    all_lists: Annotated[
        bool, typer.Option("--all-lists", "--all", help="Write all lists that are known here.")
    ] = False,
    all_apps: AllApps = False,
    quotes: QuotesAnswer = None,
    yes: Yes = False,
    *,
    output_format: Format,
) -> Code:
    """Show a list with its entries, or write it to a file; or write several lists to a folder, for
    keywords sync.

    A file is written completely or not at all. An existing file is replaced after a question, or
    with --yes. An empty list changes no file. Only a .json file names its category, for keywords
    lint. With several apps, each app has its own folder inside the folder. keywords status shows
    the lists that are known here.

    Examples:
      cometchat-desk keywords get profanity-list
      cometchat-desk keywords get --all-lists --output lists
      cometchat-desk keywords get --all-lists --all-apps --output backup
      cometchat-desk keywords get profanity-list --output words.txt
      cometchat-desk keywords get profanity-list --format csv
    """
    if bool(lists) == all_lists:
        raise StopError(
            Code.USAGE, "name the LIST, or write all lists with --all-lists --output FOLDER"
        )
    if _needs_folder(target, lists or (), output, all_apps=all_apps):
        if output is None or output.is_file() or output.suffix in WRITTEN:
            raise StopError(
                Code.USAGE, "name a folder with --output FOLDER for several lists or apps"
            )
        return _write_folder(target, lists, output, quotes, all_apps=all_apps, yes=yes)
    (keyword_id,) = lists or [""]
    _check_output(output)
    with open_client(target) as chat, ProgressNote(f"Reading {visible(keyword_id)}"):
        fetched, quotes = find_journal().read_list(chat, keyword_id, quotes)
    if output is None:
        _show(keyword_id, fetched, quotes, output_format)
    else:
        _write_output(keyword_id, fetched, quotes, output, yes=yes)
    return Code.DONE


def _check_output(output: Path | None) -> None:
    if output is not None and output != STDIN:
        check_suffix(output)


def _write_output(
    keyword_id: str, fetched: KeywordList, quotes: Quotes | None, output: Path, *, yes: bool
) -> None:
    entries = _check_shown(keyword_id, keyword_input.list_entries(fetched, quotes=quotes))
    if output == STDIN:
        # Other programs get the exact texts.
        lines = map(visible, entries) if sys.stdout.isatty() else entries
        print(*lines, sep="\n", end="\n" if entries else "")
    elif entries:
        new = keyword_input.from_keyword_list(fetched, quotes=quotes)
        write_entries(output, new, keyword_id, yes=yes)
    else:
        _note_empty(keyword_id, output)


def _needs_folder(
    target: Target, lists: Sequence[str], output: Path | None, *, all_apps: bool
) -> bool:
    """Whether the lists go to a folder: several lists or apps, all lists, or a named folder."""
    several_apps = all_apps or len(target.app or ()) > 1
    return several_apps or len(lists) != 1 or (output is not None and output.is_dir())


def _show(
    keyword_id: str, fetched: KeywordList, quotes: Quotes | None, output_format: OutputFormat
) -> None:
    entries = keyword_input.list_entries(fetched, quotes=quotes)
    if output_format is OutputFormat.TABLE:
        show_list(fetched, entries)
    elif output_format is OutputFormat.CSV:
        shown = _check_shown(keyword_id, entries)
        show(({"entry": entry} for entry in shown), (), output_format)
    else:
        print(as_json(fetched.to_dict(), indent=2 if output_format is OutputFormat.JSON else None))


def _note_empty(keyword_id: str, file: Path) -> None:
    """Say that no file was written for an empty list: an update could not send its content."""
    kept = " and keeps its old content" if file.exists() else ""
    write_note(visible(f"the service shows {keyword_id} as empty, so {file} was not written{kept}"))


def _check_shown(keyword_id: str, entries: Sequence[str] | None) -> Sequence[str]:
    if entries is None:
        raise StopError(Code.CONTRACT, f"{visible(keyword_id)}: {HIDDEN}")
    return entries


def _write_folder(
    target: Target,
    lists: list[str] | None,
    folder: Path,
    quotes: Quotes | None,
    *,
    all_apps: bool,
    yes: bool,
) -> Code:
    """Write each list to a file with its name. A list that cannot be read or written stops no
    other one."""
    with Apps(target, all_apps=all_apps) as apps, ProgressNote("Reading lists"):
        folders = {app: folder / app if len(apps.names) > 1 else folder for app in apps.names}
        reads = {app: partial(_read, folders[app], quotes) for app in apps.names}
        read = read_known(apps, lists, reads)
    lists_of_apps = _results(read.values())
    changed = [str(file) for _, new, file in lists_of_apps if replaces(file, new)]
    if changed:
        prompts.confirm(f"Replace {visible(', '.join(changed))}?", yes=yes)
    errors: list[CometChatError] = [*errors_in(read, apps)]
    for keyword_id, new, file in lists_of_apps:
        failed = attempt(partial(write_entries, file, new, keyword_id, yes=True)).error
        if failed is not None:
            errors.append(failed)
    if not lists:
        write_note(
            "the service cannot name its lists: name each other list, which the dashboard shows, as"
            " LIST"
        )
    return report(errors)


def _results(read: Iterable[Outcome[dict[str, Outcome[ReadList | None]]]]) -> Sequence[ReadList]:
    """The lists that were read in all apps, without the errors and the empty lists."""
    return [
        outcome.result
        for of_app in read
        for outcome in (of_app.result or {}).values()
        if outcome.result is not None
    ]


def _read(folder: Path, quotes: Quotes | None, keyword_id: str, chat: Client) -> ReadList | None:
    fetched, answer = find_journal().read_list(chat, keyword_id, quotes)
    entries = keyword_input.list_entries(fetched)
    if entries is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    file = folder / f"{keyword_id}.txt"
    if not entries:
        _note_empty(keyword_id, file)
        return None
    folder.mkdir(parents=True, exist_ok=True)
    new = keyword_input.from_keyword_list(fetched, quotes=answer)
    encoded(file, new)  # an error if the file cannot hold the list
    return keyword_id, new, file
