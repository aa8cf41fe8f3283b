"""The keyword lists whose terms `reviewed stats --by term` and `reviewed report` count."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cometchat_desk import lint
from cometchat_desk.commands.command import label_of, open_client
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight.collected import Records
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.stats import Marks
from cometchat_desk.insight.term_stats import ANY_APP, ListName, TermStats, named_lists, read_lists, term_stats
from cometchat_desk.lists.folder import list_files
from cometchat_desk.messages import write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import parse_share
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import KeywordListInput

from .entry_input import FileOptions, read_content

Lists: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--list",
        metavar="LIST=FILE",
        help="Take the terms of a list from a file, or of all lists from a folder (LIST.txt, .csv, .json), and not "
        "from the service. A .json file names its category; for a .txt or .csv file, cometchat-lint.toml beside it "
        "does, else it holds words. Repeat it for several lists.",
    ),
]

MinDecided: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=1, help="Mark a group only if so many of its messages are decided.")
]
Above: TypeAlias = Annotated[
    float, typer.Option(metavar="SHARE", parser=parse_share, help="Mark above this share of approvals, such as 50%.")
]


def count_terms(target: Target, records: Records, given: Sequence[str] | None, *, marks: Marks) -> TermStats:
    """Count the terms of the lists that the rules of the records name, from files (`--list`) or the service."""
    missing: dict[ListName, str] = {}
    lists: dict[ListName, ListTerms] = {}
    if given:
        for keyword_id, path in _files(given).items():
            lists[ANY_APP, keyword_id] = read_terms(path, "word", options=FileOptions())
    else:
        named, read = named_lists(records), set[ListName]()
        apps = connection.app_targets(target, all_apps=False)
        for app, one in apps.items():
            # The records of one app need not say its name.
            is_only = len(apps) == len({name for name, _ in named}) == 1
            label = app or label_of(one)
            of_app = [name for name in named if is_only or name[0] == label]
            found, unknown = _read(one, of_app)
            lists |= found
            missing |= unknown
            read.update(of_app)
        unread = [name for name in named if name[0] and name not in read]
        missing |= {name: f"its app was not named; use --app {name[0]}" for name in unread}
    with ProgressNote("Counting terms"):
        return term_stats(records, lists, missing=missing, marks=marks)


def _read(target: Target, names: Sequence[ListName]) -> tuple[dict[ListName, ListTerms], dict[ListName, str]]:
    """Read the lists of one app."""
    if not names:
        return {}, {}
    try:
        with open_client(target) as chat, ProgressNote("Reading the lists of the rules"):
            return read_lists(names, chat.keywords.get)
    except StopError as error:
        reason = f"the terms are in the lists of the service: {error}. Without a key, use --list LIST=FILE"
        raise StopError(error.code, reason) from None


def term_notes(stats: TermStats) -> list[str]:
    """Sentences for people about all that was not counted."""
    if not stats.groups and not stats.missing:
        return ["no list and no term was found in the records; name the lists with --list LIST=FILE", *stats.notes]
    return list(stats.notes)


def _files(given: Sequence[str]) -> dict[str, Path]:
    """The file of each list that the texts of `--list` name."""
    files: dict[str, Path] = {}
    for text in given:
        keyword_id, _, name = text.partition("=")
        is_folder = "=" not in text and Path(text).is_dir()
        if not is_folder and not (keyword_id and name):
            raise StopError(
                Code.USAGE, f"--list {visible(text)}: must be LIST=FILE, or a folder with a file for each list"
            )
        named = list_files(text) if is_folder else {keyword_id: Path(name)}
        if twice := files.keys() & named:
            raise StopError(Code.USAGE, f"--list: there are two files for {visible(min(twice))}; name one of them")
        files.update(named)
    return files


def read_terms(path: Path, default: str, *, category: str | None = None, options: FileOptions) -> ListTerms:
    """The terms of a file. If the user, the file and its settings name no category, it is `default`."""
    content = read_content(path, options, category)
    if isinstance(content, KeywordListInput):
        return ListTerms.of(content)
    named = lint.find_settings(path).category_for(path)
    if named is None and default == "word":
        patterns = sum(finding.rule == "pattern-as-word" for finding in lint.lint_entries(content))
        if patterns:
            write_note(
                f"{path} does not name its category, and is read as words; {many(patterns, 'entry', 'entries')} of it "
                "may be patterns: name the category with --category or in the settings beside the file, or use .json"
            )
    return ListTerms(category=named or default, terms=content)
