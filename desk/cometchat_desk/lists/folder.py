"""A folder of files as the source of truth for the keyword lists of an app.

Each file is one list: `profanity-list.txt`, `.csv` or `.json` is the content of the list `profanity-list`. Other files
that belong to a repository (hidden files, `.md`, `.toml`, `.yml`, `.yaml`, `LICENSE`) or that programs leave behind
(`desktop.ini`, `Thumbs.db`, `~$words.csv`, `words.txt~`, `.bak`) are ignored. Any other file is an error, so that a
list saved in a wrong format is not skipped without notice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from cometchat_desk.fleet import Outcome
from cometchat_rest import (
    AuthenticationError,
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordListInput,
    KeywordPlan,
    TransportError,
)

from . import files

#: The content of a list: an input with its category (from a JSON file), or terms for the category of the live list.
ListContent: TypeAlias = KeywordListInput | tuple[str, ...]

_IGNORED_SUFFIXES = (".md", ".toml", ".yml", ".yaml", ".bak")
_IGNORED_NAMES = ("license", "codeowners", "makefile", "desktop.ini", "thumbs.db")
# A browser adds the number to the name of a file that was downloaded before.
_SECOND_DOWNLOAD = re.compile(r"(.+) \(\d+\)")


def list_files(folder: str | PathLike[str], *, allow_empty: bool = False) -> dict[str, Path]:
    """The file of each list in a folder, by the identifier of the list, in alphabetical order.

    Args:
        folder: the folder; its subfolders are ignored.
        allow_empty: whether a folder without lists is valid.

    Raises:
        InvalidRequestError: the folder cannot be read, it has no lists, two files are for the same list, or a file has
            another format.
    """
    path = Path(folder)
    found: dict[str, Path] = {}
    for each in _files(path):
        if each.suffix.lower() not in files.SUFFIXES:
            raise InvalidRequestError(
                f"{each}: is not a list; lists are .txt, .csv or .json files, so save it in one of these formats or "
                "move it out of the folder"
            )
        if second := _SECOND_DOWNLOAD.fullmatch(each.stem):
            raise InvalidRequestError(
                f"{each}: looks like a second download of {second[1]}; keep one of the two files, with the name "
                f"{second[1]}{each.suffix}"
            )
        if each.stem in found:
            raise InvalidRequestError(f"{path}: {found[each.stem].name} and {each.name} are both for list {each.stem}")
        found[each.stem] = each
    if not found and not allow_empty:
        raise InvalidRequestError(f"{path}: there are no lists; the content of list x is in x.txt, x.csv or x.json")
    return found


def read_list(path: str | PathLike[str], *, category: str | None = None, header: bool = False) -> ListContent:
    """Read one file: a JSON file names its category; the terms of a text or CSV file are for the list's category.

    Args:
        path: the file.
        category: the category of the list, if it is known.
        header: whether to skip the first row of a CSV file.

    Raises:
        ListFileError: the file cannot be read, or is not a list.
        InvalidRequestError: the category is unknown, or not the category in the file.
    """
    content = files.read(Path(path), header=header)
    return content.entries if category is None and content.category is None else content.to_input(category)


def plan_folder(
    chat: Client, lists: Mapping[str, ListContent], on_list: Callable[[str], None] | None = None
) -> dict[str, Outcome[KeywordPlan]]:
    """Plan the update of each list of a folder in one app (service.md, section 4.1). Nothing is changed.

    If the service refuses the key, or cannot be reached, the other lists are not read: they have the same error.

    Args:
        chat: the client of the app.
        lists: the content of each list.
        on_list: called with the identifier of each list before it is read.

    Returns:
        The plan for each list, or the error of reading it, for example `NotFoundError`.
    """
    outcomes: dict[str, Outcome[KeywordPlan]] = {}
    for list_id, content in lists.items():
        if on_list is not None:
            on_list(list_id)
        try:
            outcomes[list_id] = Outcome(result=chat.keywords.plan(list_id, content))
        except CometChatError as error:
            outcomes[list_id] = Outcome(error=error)
            if _concerns_app(error):
                return {**dict.fromkeys(lists, outcomes[list_id]), **outcomes}
    return outcomes


def _concerns_app(error: CometChatError) -> bool:
    """Whether every list of the app would have this error: the key is refused, or there is no connection."""
    return isinstance(error, AuthenticationError) or (isinstance(error, TransportError) and not error.request_sent)


def _files(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except NotADirectoryError:
        raise InvalidRequestError(f"{folder}: is a file; name the folder that holds the files of the lists") from None
    except OSError as error:
        raise InvalidRequestError(f"{folder}: cannot be read: {error.strerror or error}") from error
    for each in found:
        name = each.name.lower()
        # Office locks a file with ~$, and editors end the name of a backup with ~.
        ignored = name in _IGNORED_NAMES or name.startswith((".", "~$")) or name.endswith(("~", *_IGNORED_SUFFIXES))
        if each.is_file() and not ignored:
            yield each
