"""`cometchat-desk keywords get`: show a list, or write one or several lists to files."""

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import AllApps, Yes, command, open_client, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.fleet import attempt
from cometchat_desk.lists.files import WRITTEN
from cometchat_desk.lists.writing import check_suffix, encoded
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, as_json, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import Command, visible
from cometchat_rest import Client, InvalidRequestError, KeywordListInput, keyword_input
from cometchat_rest.keyword_input import Quotes

from .content import complete_list
from .entry_input import STDIN, name_category, replaces, write_entries
from .known_lists import errors_in, read_each, report
from .rows import HIDDEN
from .update_options import QuotesAnswer, find_journal
from .updates import Apps
from .view import show_list


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
            "Write the list to this file: .txt, .csv, .json, .xlsx, or - for plain lines; several"
            " lists to this folder."
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
    with --yes. A file that does not name its category has it in cometchat-lint.toml beside it. With
    several apps, each has its own folder in the folder. keywords status shows the lists that are
    known here.

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
    keyword_id, *others = lists or [""]
    if all_lists or others or all_apps or len(target.app or ()) > 1 or (output and output.is_dir()):
        if output is None or output.is_file() or output.suffix in WRITTEN:
            raise StopError(
                Code.USAGE, "several lists or apps need --output FOLDER; write --app before an app"
            )
        return _write_folder(target, lists, output, quotes, all_apps=all_apps, yes=yes)
    if output is not None and output != STDIN:
        check_suffix(output)
    with open_client(target) as chat, ProgressNote(f"Reading {visible(keyword_id)}"):
        fetched, quotes = find_journal().read_list(chat, keyword_id, quotes)
    entries = keyword_input.list_entries(fetched, quotes=quotes)
    if output is None and output_format is OutputFormat.TABLE:
        show_list(fetched, entries)
    elif output is None and output_format is not OutputFormat.CSV:
        print(as_json(fetched.to_dict(), indent=2 if output_format is OutputFormat.JSON else None))
    elif entries is None:
        raise StopError(Code.CONTRACT, f"{visible(keyword_id)}: {HIDDEN}")
    elif output == STDIN:
        # Other programs get the exact texts.
        print(*(map(visible, entries) if sys.stdout.isatty() else entries), sep="\n")
    elif output is not None:
        _write(keyword_id, keyword_input.from_keyword_list(fetched, quotes=quotes), output, yes=yes)
    else:
        show(({"entry": entry} for entry in entries), named_columns("entry"), output_format)
    return Code.DONE


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
        read = apps.run(
            {
                app: partial(read_each, lists, partial(_read, folders[app], quotes))
                for app in apps.names
            }
        )
    found = [
        one.result
        for each in read.values()
        for one in (each.result or {}).values()
        if one.result is not None
    ]
    if changed := [str(file) for _, new, file in found if replaces(file, new)]:
        prompts.confirm(f"Replace {visible(', '.join(changed))}?", yes=yes)
    written = [attempt(partial(_write, *one, yes=True)).error for one in found]
    if not lists:
        same = [
            "--output",
            str(folder),
            *(word for app in apps.names if app for word in ("--app", app)),
        ]
        right = Command(f"cometchat-desk keywords get LIST LIST {shlex.join(same)}")
        write_note(
            "the service cannot name its lists; to write others, which the dashboard shows, use",
            [right],
        )
    return report([*errors_in(read, apps), *filter(None, written)])


def _read(
    folder: Path, quotes: Quotes | None, keyword_id: str, chat: Client
) -> tuple[str, KeywordListInput, Path]:
    fetched, answer = find_journal().read_list(chat, keyword_id, quotes)
    if keyword_input.list_entries(fetched) is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{keyword_id}.txt"
    encoded(file, new := keyword_input.from_keyword_list(fetched, quotes=answer))
    return keyword_id, new, file


def _write(keyword_id: str, new: KeywordListInput, file: Path, *, yes: bool) -> None:
    write_entries(file, new, keyword_id, yes=yes)
    name_category(file, new.category)
