"""Words that users type as entries, although they mean something else: a file, an app, an
option, several entries."""

import contextlib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import typer
import typer.core

from cometchat_desk import lint
from cometchat_desk.commands.command import TYPED
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import SUFFIXES
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.text import Command, visible
from cometchat_rest import Client, CometChatError, InvalidRequestError, KeywordPlan, keyword_input

from .update_options import find_journal

# Programs for texts, and phones, write other dashes and quotes than those of a shell.
_DASHES, _QUOTES = "-\u2013\u2014", "\u2018\u2019\u201c\u201d\u201e\xab\xbb"
_FILES = (
    *SUFFIXES,
    ".xls",
    ".ods",
    ".odt",
    ".doc",
    ".docx",
    ".rtf",
    ".pdf",
    ".md",
    ".jsonl",
    ".parquet",
    ".yaml",
)
_IN_A_FILE = "For an entry with this text, write it to a file, and use --from FILE"
_AFTER_DASHES = "For an entry with this text, write -- before it"
# Forms of words that are rarely meant as entries, and what to do. These are refused before the list
# is read.
_UNLIKELY: Mapping[str, str] = {
    r"[^\s{]+,\S+": (
        "has a comma and no space: write a space between two entries, or use --from FILE"
    ),
    r".*[,;]": "ends in a comma or a semicolon: write only spaces between entries",
    r"-": "means standard input: write --from -",
    r".*\s--?[a-z][a-z-]*(\s.*)?": "holds an option: end the quotes before it",
    r"\+.+": "begins with a plus sign, as in a difference: leave the sign out",
    "[0-9a-fA-F]{40}": "looks like an API key: leave it out",
    r"/[^/]+/[gimsux]*": (
        "is a regular expression between slashes: leave the slashes out, in a list of patterns"
    ),
}
# These are refused if the list does not have them.
_UNLIKELY_IN_A_LIST: Mapping[str, str] = {
    r"(TERM|WORD|ENTRY|FILE|LIST|NAME|TEXT)(\.{3})?": "stands for a text of yours: write that text",
    r"\$[{(].+[})]|\{\{.+\}\}|%[A-Z_]{3,}%|\$[A-Z_]{3,}": (
        "is a variable without its value: write the value"
    ),
    r"(\.{1,2}|~)?/\w.*|[A-Za-z]:\\.*": "is a path: write --from before a file",
}
# In lists of patterns and sentences, these are ordinary.
_UNLIKELY_WORDS: Mapping[str, str] = {
    r"\*.*|.*\*|.*\w\|+\w.*|.*\.\?|%.+|.*[^\W\d_]%|[^/]*\w\?\w.*": (
        "has a placeholder: name each word"
    ),
    r"(?i:[a-z][a-z_-]*=.*|(word|term|category|reason|regex|pattern):.*)": (
        "is a name with a value: write the value"
    ),
    r"[\[({<]\w[^\])}>]*\w|\w[^\[({<]*\w[\])}>]": (
        "has a bracket at one end: write words without brackets"
    ),
    r"[^\W\d_]{3,}([/&+][^\W\d_]{3,})+": "is several words: write a space between them",
    r"[^\s.]*[^\W\d_]{3}[.:]": "ends in a mark: leave it out",
}


def check_options(
    terms: Sequence[str], before_dashes: Sequence[str], context: typer.Context
) -> None:
    """Refuse a term that is meant as an option, with dashes also behind `--`, or as a command."""
    options = {
        name.lstrip("-"): name
        for option in context.command.get_params(context)
        for name in option.opts
    }
    options |= {
        "preview": "--dry-run",
        "dryrun": "--dry-run",
        "force": "--yes",
        "all": "--all-apps",
    }
    if bare := [
        (term, name) for term in before_dashes if (name := options.get(term.replace("_", "-")))
    ]:
        raise StopError(
            Code.USAGE, f"{bare[0][0]} may be meant as {bare[0][1]}: write that. {_AFTER_DASHES}"
        )
    group = context.parent.command if context.parent else None
    commands = group.commands if isinstance(group, typer.core.TyperGroup) else {}
    if known := [term for term in before_dashes if term in commands]:
        run = (
            f"to run it, write keywords {known[0]} in place of"
            f" {' '.join(context.command_path.split()[1:])}"
        )
        raise StopError(Code.USAGE, f"{known[0]} is the name of a command: {run}. {_AFTER_DASHES}")
    if problem := next(_unlikely(before_dashes, _UNLIKELY), ""):
        raise StopError(Code.USAGE, visible(f"{problem}. {_AFTER_DASHES}"))
    for number, term in enumerate(terms, 1):
        if keyword_input.fault_in_text(term):
            fault = "is not valid UTF-8" if term.strip() else "is blank: write an entry"
            raise StopError(Code.USAGE, f"TERM {number} {fault}")
        meant = options.get(term.lstrip(_DASHES).partition("=")[0])
        if meant is not None and term.startswith(tuple(_DASHES)):
            raise StopError(
                Code.USAGE,
                visible(f"{term} is not an entry: write {meant}, before any --. {_IN_A_FILE}"),
            )


def _unlikely(words: Sequence[str], forms: Mapping[str, str]) -> Iterator[str]:
    return (
        f"{word} {forms[form]}"
        for word in words
        for form in forms
        if re.fullmatch(form, word, re.DOTALL)
    )


def check_apps(terms: Sequence[str], before_dashes: Sequence[str], target: Target) -> None:
    """Refuse the name of an app in place of an entry, also behind `--`: several apps are meant."""
    apps = {name.casefold(): name for name in app_names(target.config)}
    words = [*terms, *(part for word in before_dashes for part in re.split("[:=@/]", word))]
    if names := list(
        dict.fromkeys(apps[word.casefold()] for word in words if word.casefold() in apps)
    ):
        named = (
            f"{names[0]} is the name of an app"
            if len(names) == 1
            else f"{', '.join(names)} are names of apps"
        )
        repeated = " ".join(
            f"--app {shlex.quote(name)}" for name in dict.fromkeys([*(target.app or ()), *names])
        )
        raise StopError(
            Code.USAGE, visible(f"{named}: for several apps, use {repeated}. {_IN_A_FILE}")
        )


def file_named(word: str) -> str | None:
    """The file or folder that a word names, also without its suffix, and as other programs take
    it; or `None`."""
    with contextlib.suppress(
        OSError, RuntimeError, ValueError
    ):  # the word is no path, or there is no home
        path = Path(re.sub("^(file[:=]|@)", "", word)).expanduser()
        path = next(
            (file for suffix in SUFFIXES if (file := path.with_name(path.name + suffix)).is_file()),
            path,
        )
        return str(path) if path.exists() or path.suffix.lower() in _FILES else None
    return None


def check_files(command: str, keyword_id: str, words: Sequence[str], given: Sequence[Path]) -> None:
    """Refuse the name of a file in place of an entry or of the list: the entries in the file are
    meant."""
    # The file of a list often has the name of the list.
    is_missing = Path(keyword_id).suffix.lower() in _FILES
    named = [keyword_id, *words] if is_missing else words
    if not (files := {word: file for word in named if (file := file_named(word))}):
        return
    word, file = next(iter(files.items()))
    missing = ", and the LIST is missing" if is_missing else ""
    if Path(file).is_dir():
        problem = f"{word} is the name of a folder: name its files"
    elif "://" in word:
        problem = f"{word} is an address: download the file, and use --from FILE"
    else:
        problem = f"{file} does not exist{missing}: check the name and the folder"
    if not Path(file).exists() or Path(file).is_dir():
        raise StopError(Code.USAGE, visible(f"{problem}. {_AFTER_DASHES}"))
    options = " ".join(
        f"--from {shlex.quote(one)}" for one in dict.fromkeys([*map(str, given), *files.values()])
    )
    problem = f"{visible(word)} is the name of a file{missing}"
    right = Command(
        f"cometchat-desk keywords {command} {'LIST' if is_missing else shlex.quote(keyword_id)}"
        f" {options}"
    )
    raise StopError(
        Code.USAGE, f"{problem}. {_AFTER_DASHES}. For the entries in the file, use:", right
    )


def check_number(words: Sequence[str], files: Sequence[Path]) -> None:
    """Refuse words if nobody is asked: a shell removes the quotes, so several may be one entry
    or part of an option."""
    if (number := len(words)) > 1 or (words and files):
        separate, phrase = shlex.join(words), shlex.quote(" ".join(words).strip(_QUOTES))
        doubt = (
            f"one entry or {number}: for one, write {phrase}" if number > 1 else "an entry as well"
        )
        error = InvalidRequestError(
            f"--yes asks nobody whether {separate} is {doubt}. For separate entries, use:"
        )
        typed, left = [*TYPED.get()], [*words]
        for place in reversed(range(len(typed))):
            if left and typed[place] == left[-1]:
                del typed[place], left[-1]
        error.add_note(
            Command(shlex.join([*typed, *(["--"] if "--" not in typed else []), *words]))
        )
        raise error


def check_planned(words: Sequence[str], planned: KeywordPlan, chat: Client) -> None:
    """Refuse words that are unlikely in this list."""
    new = [word for word in words if word not in (planned.current or ())]
    forms = {**_UNLIKELY_IN_A_LIST, **(_UNLIKELY_WORDS if planned.category == "word" else {})}
    found = lint.lint_entries(new, category=planned.category)
    problems = [
        *_unlikely(new, forms),
        *(one.message for one in found if one.rule == "pattern-as-word"),
    ]
    problems = problems or [
        f"{one} is the name of a list: name one at a time" for one in new[:5] if is_list(one, chat)
    ]
    if problems:
        raise InvalidRequestError(
            f"{problems[0]}. {_AFTER_DASHES}", path_values={"keyword_id": planned.keyword_id}
        )


def is_list(word: str, chat: Client) -> bool:
    """Whether a word is the identifier of a list in the journal, or in the app if it looks like
    one; _ is as -."""
    dashed = word.replace("_", "-")
    with contextlib.suppress(CometChatError):
        if dashed in {name.replace("_", "-") for name in find_journal().known_lists()}:
            return True
    for form in {dashed, word} if re.fullmatch("[a-z0-9]+(-[a-z0-9]+)+", dashed) else ():
        with contextlib.suppress(CometChatError):
            chat.keywords.get(form)
            return True
    return False


def remarks(words: Sequence[str]) -> Iterator[str]:
    """A sentence about several words without quotes, which may be meant as one entry."""
    if len(words) > 1 and not any(" " in word for word in words):
        yield (
            f"each of the {len(words):,} words is an entry; a phrase needs quotes:"
            f" {shlex.quote(' '.join(words))}"
        )
