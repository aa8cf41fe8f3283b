"""A folder of files as the source of truth for the keyword lists of an app: `LIST.txt`, `.csv`,
`.json` or `.xlsx`.

Files that belong to a repository or that programs leave behind are ignored. Any other file is an
error, so that a list saved in a wrong format is not skipped without notice.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from cometchat_desk.fleet import Outcome, attempt
from cometchat_rest import (
    AuthenticationError,
    Client,
    InvalidRequestError,
    KeywordListInput,
    KeywordPlan,
    TransportError,
)

from . import files
from .plan_changes import Answer, plan_content

#: The content of a list: an input with its category (from a JSON file), or terms for the category
#: of the live list.
ListContent: TypeAlias = KeywordListInput | tuple[str, ...]

_IGNORED_SUFFIXES = (".md", ".toml", ".yml", ".yaml", ".bak")
_IGNORED_NAMES = ("license", "codeowners", "makefile", "desktop.ini", "thumbs.db")


def list_files(path: Path) -> dict[str, Path]:
    """The file of each list in a folder, by the identifier of the list, in alphabetical order,
    without subfolders."""
    lists: dict[str, Path] = {}
    for file in _files(path):
        if file.suffix.lower() not in files.SUFFIXES:
            raise InvalidRequestError(
                f"{file}: is not a list; lists are {', '.join(files.SUFFIXES)} files: save it in"
                " one of these formats or move it out of the folder"
            )
        if file.stem in lists:
            raise InvalidRequestError(
                f"{path}: {lists[file.stem].name} and {file.name} are both for list {file.stem}"
            )
        lists[file.stem] = file
    if not lists:
        raise InvalidRequestError(
            f"the folder {path} holds no list; save the list LIST as LIST.txt. For several apps,"
            " keep a folder for each app, and name it with its --app"
        )
    return lists


def plan_folder(
    chat: Client, lists: Mapping[str, ListContent], quotes: Answer, on_list: Callable[[str], None]
) -> dict[str, Outcome[KeywordPlan]]:
    """Plan the update of each list in one app. An error of the whole app, such as a refused key,
    ends the reading."""
    outcomes: dict[str, Outcome[KeywordPlan]] = {}
    for keyword_id, content in lists.items():
        on_list(keyword_id)
        outcomes[keyword_id] = attempt(partial(plan_content, chat, keyword_id, content, quotes))
        error = outcomes[keyword_id].error
        # The service refused the key, or cannot be reached. Each further list of the app would have
        # the same error.
        if isinstance(error, AuthenticationError) or (
            isinstance(error, TransportError) and not error.request_sent
        ):
            return {**dict.fromkeys(lists, outcomes[keyword_id]), **outcomes}
    return outcomes


def _files(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise InvalidRequestError(f"{folder}: cannot be read: {error.strerror or error}") from error
    for entry in entries:
        name = entry.name.lower()
        # Office locks a file with ~$, and editors end the name of a backup with ~.
        ignored = (
            name in _IGNORED_NAMES
            or name.startswith((".", "~$"))
            or name.endswith(("~", *_IGNORED_SUFFIXES))
        )
        # Reading a pipe or a link to nothing gives an error, so that no list is skipped without
        # notice.
        if not ignored and not entry.is_dir():
            files.check_found(entry)
            yield entry
