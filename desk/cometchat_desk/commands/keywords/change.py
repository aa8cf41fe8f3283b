"""`cometchat-desk keywords add`, `remove` and `replace`: change single entries of a list, in one
app or in several apps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from attrs import evolve

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved

from . import gate
from .entry_input import TO_READ, FileOptions, read_file
from .list_argument import ListId
from .typed_entries import check_words
from .update_options import UpdateOptions, find_journal
from .updates import Apps, Run


@dataclass(frozen=True, kw_only=True)
class Entries(FileOptions):
    """The options that name entries."""

    terms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ENTRY...",
            help=(
                "The entries. Write quotes around a phrase. If an entry begins with a hyphen, write"
                " -- before the entries."
            ),
        ),
    ] = None
    from_file: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            **TO_READ,
            help=(
                "A file with entries: .txt, .csv, .json, .xlsx, or - for standard input. Repeat"
                " the option for several files."
            ),
        ),
    ] = None


@command()
def add(
    target: Target,
    keyword_id: ListId,
    *,
    named: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. With --yes, it adds nothing if
    keywords lint finds an error or a warning in a new entry, unless --accept names the rule. If
    somebody changes a list in the meantime, no update of this list is sent.

    Examples:
      cometchat-desk keywords add profanity-list phishing 'get rich quick'
      cometchat-desk keywords add profanity-list phishing doxxing --app shop --app forum --yes
      cometchat-desk keywords add profanity-list --from words.txt --all-apps
    """
    return _change("add", target, keyword_id, named, options, context)


@command()
def remove(
    target: Target,
    keyword_id: ListId,
    max_removed: MaxRemoved = None,
    *,
    named: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. If the list does not have an entry, the
    command names the entry, and the exit code is 0. If you type each entry, only --max-removed
    limits the removals. The command shows the plan on stderr and asks for confirmation. If
    somebody changes a list in the meantime, no update of this list is sent.

    Examples:
      cometchat-desk keywords remove profanity-list malparido
      cometchat-desk keywords remove profanity-list --from words.txt --all-apps
    """
    return _change("remove", target, keyword_id, named, options, context, max_removed=max_removed)


@command()
def replace(
    target: Target,
    keyword_id: ListId,
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The entry, exactly as the list has it.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The entry that takes its place.")],
    *,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Replace an entry of a list with another entry, in one update.

    A list that does not have the old entry does not change. The command shows the plan on stderr
    and asks for confirmation. One undo undoes both changes.

    Examples:
      cometchat-desk keywords replace profanity-list phising phishing
      cometchat-desk keywords replace profanity-list 'free coin' 'free coins' --all-apps --yes
    """
    check_words([old, new], target, context)
    # The user names the entry that goes.
    changes = Changes(add=[new], remove=[old], replaces=True)
    batches = [gate.Batch([new])]
    return _run("replace", target, keyword_id, changes, options, batches, max_removed=1.0)


def _change(
    command: Literal["add", "remove"],
    target: Target,
    keyword_id: str,
    named: Entries,
    options: UpdateOptions,
    context: typer.Context,
    *,
    max_removed: float | None = None,
) -> Code:
    terms = named.terms or []
    check_words(terms, target, context)
    contents = {file: read_file(file, named, keyword_id) for file in named.from_file or ()}
    category = _category(contents.values())
    batches = _batches(terms, contents)
    if max_removed is None and not named.from_file:
        max_removed = 1.0
    entries = [entry for batch in batches for entry in batch.entries]
    if command == "add":
        changes = Changes(add=entries, category=category)
    else:
        changes = Changes(remove=entries, category=category)
    return _run(command, target, keyword_id, changes, options, batches, max_removed)


def _run(
    command: str,
    target: Target,
    keyword_id: str,
    changes: Changes,
    options: UpdateOptions,
    batches: Sequence[gate.Batch],
    max_removed: float | None,
) -> Code:
    gate.check_rules(options.accept or ())
    if not all(entry.strip() for entry in (*changes.add, *changes.remove)):
        raise StopError(Code.USAGE, "an entry is blank: write at least one letter or sign")
    changes = evolve(changes, quotes=find_journal().answer(options.quotes))
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        return Run(
            command,
            apps=apps,
            rows=apps.plan(keyword_id, partial(changes.plan, keyword_id=keyword_id)),
            options=options,
            max_removed=max_removed,
            changes=changes,
            batches=batches,
        ).execute()


def _batches(terms: Sequence[str], contents: Mapping[Path, ListFile]) -> Sequence[gate.Batch]:
    """The typed words, and the entries of each file. At least one entry is needed."""
    batches = [gate.Batch(terms)] if terms else []
    batches += [gate.Batch(content.entries, file) for file, content in contents.items()]
    if batches:
        return batches
    raise StopError(
        Code.USAGE, "no entry was given: write each ENTRY after the LIST, or use --from FILE"
    )


def _category(contents: Iterable[ListFile]) -> str | None:
    """The category that files name."""
    categories: dict[str, None] = {}
    for content in contents:
        if content.category is not None:
            categories[content.category] = None
    if len(categories) > 1:
        names = ", ".join(categories)
        raise StopError(
            Code.USAGE, f"the files have the categories {names}: use one command for each category"
        )
    return next(iter(categories), None)
