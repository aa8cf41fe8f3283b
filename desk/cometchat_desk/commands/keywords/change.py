"""`cometchat-desk keywords add` and `remove`: change single entries of a list, in one app or in several apps."""

import contextlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

import typer
import typer.core

from cometchat_desk import lint
from cometchat_desk.commands.command import AFTER_DASHES, command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.lists.files import SUFFIXES, ListFile
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.text import Command, visible
from cometchat_rest import Client, CometChatError, InvalidRequestError, KeywordPlan, keyword_input

from .content import ListId
from .entry_input import FileOptions, merged, read_file
from .update_options import UpdateOptions, find_journal
from .updates import Apps, Run


@dataclass(frozen=True, kw_only=True)
class Entries(FileOptions):
    """The options that name entries."""

    # the entries of the arguments
    terms: Annotated[
        list[str] | None,
        typer.Argument(metavar="TERM...", help="The entries. Write -- before an entry that begins with a hyphen."),
    ] = None
    # the files with more entries
    from_file: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Entries from a .txt, .csv, .json or .xlsx file, or - for stdin. Repeat it for several files.",
        ),
    ] = None


# Programs for texts, and phones, write other dashes than the hyphen.
_DASHES = "-\u2013\u2014"
_FILES = (*SUFFIXES, ".xls", ".ods", ".doc", ".docx")
_IN_A_FILE = "For an entry with this text, write it to a file, and use --from FILE"
_AFTER_DASHES = "For an entry with this text, write -- before it"
# Forms of words that are rarely meant as entries, and what to do.
_UNLIKELY = {
    r"[^\s{]+,\S+": "has a comma and no space: write a space between two entries, or use --from FILE",
    r"\+.+": "begins with a plus sign, as in a difference: leave the sign out",
    r"s/.+/.*/[a-z]*": "replaces a text, as in sed: use keywords remove for the old entry, and keywords add for a new",
    "[0-9a-fA-F]{40}": "looks like an API key: leave it out",
    r"/.+/[a-z]*": "is a regular expression between slashes: leave the slashes out, in a list of patterns",
}


@command()
def add(target: Target, keyword_id: ListId, *, given: Entries, options: UpdateOptions, context: typer.Context) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. If a list changes after that, nothing is sent there.

    Examples:
      cometchat-desk keywords add profanity-list phishing 'get rich quick'
      cometchat-desk keywords add profanity-list phishing --app shop --app forum
      cometchat-desk keywords add profanity-list --from words.txt --all-apps
    """
    lint.accept((), options.accept or ())
    return _change("add", target, keyword_id, given, options, context)


@command()
def remove(
    target: Target,
    keyword_id: ListId,
    max_removed: MaxRemoved = None,
    *,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. One that the list does not have is named, and the exit code is
    0 all the same: the list is as you want it. --max-removed limits the removals of a FILE; without a file,
    you name each entry, and there is no limit. The command shows the plan on stderr and asks for confirmation. If a
    list changes after that, nothing is sent there.

    Examples:
      cometchat-desk keywords remove profanity-list malparido
      cometchat-desk keywords remove profanity-list malparido --app shop --app forum
      cometchat-desk keywords remove profanity-list --from words.txt --all-apps
    """
    return _change("remove", target, keyword_id, given, options, context, max_removed=max_removed)


def _check_terms(terms: Sequence[str], before_dashes: Sequence[str], context: typer.Context) -> None:
    """Refuse a term that is not an entry, or that is meant as an option: with dashes also behind `--`."""
    options = {name.lstrip("-"): name for option in context.command.get_params(context) for name in option.opts}
    options |= {"preview": "--dry-run", "force": "--yes"}
    if bare := [term for term in before_dashes if term in options]:
        raise StopError(Code.USAGE, f"{bare[0]} may be meant as {options[bare[0]]}: write that. {_AFTER_DASHES}")
    group = context.parent.command if context.parent else None
    commands = group.commands if isinstance(group, typer.core.TyperGroup) else {}
    if known := [term for term in before_dashes if term in commands]:
        run = f"to run it, write keywords {known[0]} in place of {' '.join(context.command_path.split()[1:])}"
        raise StopError(Code.USAGE, f"{known[0]} is the name of a command: {run}. {_AFTER_DASHES}")
    for word, (form, remedy) in product(before_dashes, _UNLIKELY.items()):
        if re.fullmatch(form, word):
            raise StopError(Code.USAGE, visible(f"{word} {remedy}. {_AFTER_DASHES}"))
    for number, term in enumerate(terms, 1):
        if keyword_input.fault_in_text(term):
            fault = "is not valid UTF-8" if term.strip() else "is blank: write an entry"
            raise StopError(Code.USAGE, f"TERM {number} {fault}")
        meant = options.get(term.lstrip(_DASHES).partition("=")[0])
        if meant is not None and term.startswith(tuple(_DASHES)):
            raise StopError(Code.USAGE, visible(f"{term} is not an entry: write {meant}, before any --. {_IN_A_FILE}"))


def _check_apps(terms: Sequence[str], before_dashes: Sequence[str], target: Target) -> None:
    """Refuse the name of an app in place of an entry, also behind `--`: several apps are meant."""
    apps = {name.casefold(): name for name in app_names(target.config)}
    words = [*terms, *(part for word in before_dashes for part in re.split("[:=]", word))]
    if names := list(dict.fromkeys(apps[word.casefold()] for word in words if word.casefold() in apps)):
        named = f"{names[0]} is the name of an app" if len(names) == 1 else f"{', '.join(names)} are names of apps"
        repeated = " ".join(f"--app {shlex.quote(name)}" for name in dict.fromkeys([*(target.app or ()), *names]))
        raise StopError(Code.USAGE, visible(f"{named}: for several apps, use {repeated}. {_IN_A_FILE}"))


def _check_lists(words: Sequence[str]) -> None:
    """Refuse the name of a list in place of an entry: several lists are meant."""
    # The journal reports its own errors.
    with contextlib.suppress(CometChatError):
        known = find_journal().known_lists()
        if lists := [word for word in words if word in known]:
            advice = "one LIST stands first; for several lists, run the command once for each"
            raise StopError(Code.USAGE, visible(f"{lists[0]} is the name of a list: {advice}. {_AFTER_DASHES}"))


def _file_named(word: str) -> str | None:
    """The file or folder that a word names, also without its suffix, and as other programs take it; or `None`."""
    with contextlib.suppress(OSError, RuntimeError):  # the word is too long, or there is no home
        path = Path(re.sub("^(file[:=]|@)", "", word)).expanduser()
        path = next((file for suffix in SUFFIXES if (file := path.with_name(path.name + suffix)).is_file()), path)
        return str(path) if path.exists() or path.suffix.lower() in _FILES else None
    return None


def _check_files(command: str, keyword_id: str, words: Sequence[str], given: Sequence[Path]) -> None:
    """Refuse the name of a file in place of an entry or of the list: the entries in the file are meant."""
    # The file of a list often has the name of the list.
    is_missing = Path(keyword_id).suffix.lower() in _FILES
    named = [keyword_id, *words] if is_missing else words
    if not (files := {word: file for word in named if (file := _file_named(word))}):
        return
    word, file = next(iter(files.items()))
    if Path(file).is_dir():
        raise StopError(Code.USAGE, visible(f"{word} is the name of a folder: name its files. {_AFTER_DASHES}"))
    if "://" in word:
        problem = f"{word} is an address: download the file, and use --from FILE"
        raise StopError(Code.USAGE, visible(f"{problem}. {_AFTER_DASHES}"))
    missing = ", and the LIST is missing" if is_missing else ""
    if not Path(file).exists():
        problem = f"there is no file {file}{missing}: check the name and the folder"
        raise StopError(Code.USAGE, visible(f"{problem}. {_AFTER_DASHES}"))
    options = " ".join(f"--from {shlex.quote(one)}" for one in dict.fromkeys([*map(str, given), *files.values()]))
    problem = f"{visible(word)} is the name of a file{missing}"
    right = Command(f"cometchat-desk keywords {command} {'LIST' if is_missing else shlex.quote(keyword_id)} {options}")
    raise StopError(Code.USAGE, f"{problem}. {_AFTER_DASHES}. For the entries in the file, use:", right)


def _remarks(words: Sequence[str], *, yes: bool) -> Iterator[str]:
    """Sentences about words that may be meant as one entry, or as several ones."""
    if commas := [word for word in words if word.endswith((",", ";"))]:
        problem = f"{visible(commas[0])} ends in a comma or a semicolon, which would be a part of the entry"
        if yes:
            raise StopError(Code.USAGE, f"{problem}: write only spaces between entries")
        yield problem
    if len(words) > 1 and not any(" " in word for word in words):
        phrase = shlex.quote(" ".join(words[:2]))
        yield f"each of the {len(words):,} words is an entry of its own; an entry with a space needs quotes: {phrase}"


def _change(
    command: Literal["add", "remove"],
    target: Target,
    keyword_id: str,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
    *,
    max_removed: float | None = None,
) -> Code:
    terms, files = given.terms or (), given.from_file or ()
    before_dashes = terms[: max(0, len(terms) - context.meta[AFTER_DASHES])]
    _check_files(command, keyword_id, before_dashes, files)
    if not (terms or files):
        raise StopError(Code.USAGE, "no entry was given: write TERM arguments, or use --from FILE")
    _check_terms(terms, before_dashes, context)
    _check_apps(terms, before_dashes, target)
    _check_lists(before_dashes)
    remarks = list(_remarks(before_dashes, yes=options.yes))
    content = merged([read_file(file, given) for file in files]) if files else None
    of_file = () if content is None else content.entries
    changes = Changes(**{command: (*terms, *of_file)}, quotes=options.quotes)
    with Apps(target, all_apps=options.all_apps) as apps:
        rows = apps.plan(
            keyword_id, partial(_planned, changes, keyword_id, content, before_dashes), next(iter(files), None)
        )
        for row in rows:
            if row.error is not None and code_for(row.error) == Code.NOT_FOUND:
                row.error.add_note("The LIST stands first, then the entries")
        return Run(
            command,
            apps=apps,
            rows=rows,
            options=options,
            max_removed=max_removed if files else 1.0,
            changes=changes,
            additions=of_file if changes.add else (),
            remarks=remarks,
        ).execute()


def _planned(
    changes: Changes, keyword_id: str, content: ListFile | None, words: Sequence[str], chat: Client
) -> KeywordPlan:
    planned = changes.plan(chat, keyword_id)
    wild = [word for word in words if re.search(r"^\*|\*$|\w\|\w", word) and word not in (planned.current or ())]
    if wild and planned.category == "word":
        reason = f"{wild[0]}: in a list of words, * and | have no meaning: name each word. No update was sent. "
        raise InvalidRequestError(f"{reason}{_AFTER_DASHES}", path_values={"keyword_id": keyword_id})
    if content is not None and content.category not in (None, planned.category):
        raise InvalidRequestError(
            f"it is a list of category {planned.category}, and the file holds entries of category {content.category}. "
            "No update was sent.",
            path_values={"keyword_id": keyword_id},
        )
    return planned
