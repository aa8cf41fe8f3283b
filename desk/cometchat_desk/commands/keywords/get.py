"""`cometchat-desk keywords get`: show a list, or write one or several lists to files."""

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import AllApps, Yes, command, open_client, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import WRITTEN
from cometchat_desk.lists.plan_changes import quotes_of
from cometchat_desk.lists.writing import check_suffix, encoded
from cometchat_desk.lists.writing import write as write_list
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, as_json, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import Command, say, visible
from cometchat_desk.wording import many
from cometchat_rest import Client, InvalidRequestError, KeywordList, keyword_input
from cometchat_rest.keyword_input import Quotes

from .content import complete_list
from .entry_input import name_category
from .known_lists import errors_in, read_each, report
from .rows import HIDDEN
from .update_options import QuotesAnswer, find_journal
from .updates import Apps
from .view import show_list


@command()
def get(
    target: Target,
    lists: Annotated[
        list[str] | None, typer.Argument(metavar="LIST...", help="The list's identifier.", autocompletion=complete_list)
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Write the list to this file: .txt, .csv, .json or .xlsx; several lists to this folder."),
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
    """Show a list with its entries, or write it to a file; or write several lists to a folder, for keywords sync.

    A file is written completely or not at all. An existing file is replaced after a question, or with --yes. A file
    that does not name its category has it in cometchat-lint.toml beside it. With several apps, each has its own folder
    in the folder. keywords status shows the lists that are known here.

    Examples:
      cometchat-desk keywords get profanity-list
      cometchat-desk keywords get --all-lists --output lists
      cometchat-desk keywords get --all-lists --all-apps --output backup
      cometchat-desk keywords get profanity-list --output words.txt
      cometchat-desk keywords get profanity-list --format csv
    """
    if bool(lists) == all_lists:
        raise StopError(Code.USAGE, "name the LIST, or write all lists with --all-lists --output FOLDER")
    keyword_id, *others = lists or [""]
    if all_lists or others or all_apps or len(target.app or ()) > 1 or (output and output.is_dir()):
        if output is None or output.is_file() or output.suffix in WRITTEN:
            raise StopError(Code.USAGE, "several lists or apps need --output FOLDER; write --app before an app")
        return _write_folder(target, lists, output, quotes, all_apps=all_apps, yes=yes)
    if output is not None:
        check_suffix(output)
    with open_client(target) as chat, ProgressNote(f"Reading {visible(keyword_id)}"):
        fetched = chat.keywords.get(keyword_id)
    quotes = quotes_of(quotes or find_journal().quotes_of, chat.base_url, keyword_id, fetched)
    if output is not None:
        _write(keyword_id, fetched, output, quotes, yes=yes)
    elif output_format is OutputFormat.TABLE:
        show_list(fetched, keyword_input.list_entries(fetched, quotes=quotes))
    elif output_format is OutputFormat.CSV:
        rows = ({"entry": entry} for entry in _entries(keyword_id, fetched, quotes))
        show(rows, named_columns("entry"), output_format)
    else:
        print(as_json(fetched.to_dict(), indent=2 if output_format is OutputFormat.JSON else None))
    return Code.DONE


def _write_folder(
    target: Target, lists: list[str] | None, folder: Path, quotes: Quotes | None, *, all_apps: bool, yes: bool
) -> Code:
    """Write each list to a file with its name. A list that cannot be read or written stops no other one."""
    if folder.is_dir() and any(folder.iterdir()):
        prompts.confirm(f"Replace the files of these lists in {visible(str(folder))}?", yes=yes)
    with Apps(target, all_apps=all_apps) as apps, ProgressNote("Reading lists"):
        folders = {app: folder / app if len(apps.names) > 1 else folder for app in apps.names}
        read = apps.run({app: partial(read_each, lists, partial(_save, folders[app], quotes)) for app in apps.names})
    if not lists:
        same = ["--output", str(folder), *(word for app in apps.names if app for word in ("--app", app))]
        right = Command(f"cometchat-desk keywords get LIST LIST {shlex.join(same)}")
        write_note("the service cannot name its lists; to write others, which the dashboard shows, use", [right])
    return report(errors_in(read, apps))


def _save(folder: Path, quotes: Quotes | None, keyword_id: str, chat: Client) -> None:
    fetched = chat.keywords.get(keyword_id)
    if keyword_input.list_entries(fetched) is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    folder.mkdir(parents=True, exist_ok=True)
    answer = quotes_of(quotes or find_journal().quotes_of, chat.base_url, keyword_id, fetched)
    _write(keyword_id, fetched, folder / f"{keyword_id}.txt", answer, yes=True)


def _write(keyword_id: str, fetched: KeywordList, file: Path, quotes: Quotes | None, *, yes: bool) -> None:
    content = f"{many(len(_entries(keyword_id, fetched, quotes)), 'entry', 'entries')} of {visible(keyword_id)}"
    new = keyword_input.from_keyword_list(fetched, quotes=quotes)
    # A file that cannot hold the list is refused before the question.
    encoded(file, new)
    prompts.confirm_replacement(file, yes=yes)
    write_list(file, new)
    say(f"Wrote {content} to {visible(str(file))}.")
    name_category(file, new.category)


def _entries(keyword_id: str, fetched: KeywordList, quotes: Quotes | None) -> Sequence[str]:
    entries = keyword_input.list_entries(fetched, quotes=quotes)
    if entries is None:
        raise StopError(Code.CONTRACT, f"{visible(keyword_id)}: {HIDDEN}")
    return entries
