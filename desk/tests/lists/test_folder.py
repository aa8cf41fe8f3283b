"""A folder of files as the source of truth."""

from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.lists import files
from cometchat_desk.lists.folder import ListContent, list_files, plan_folder
from cometchat_desk.lists.reading import read_list
from cometchat_rest import (
    AuthenticationError,
    Client,
    InvalidRequestError,
    TransportError,
    WordListInput,
)
from cometchat_testing import Simulator


def write(folder: Path, **texts: str) -> Path:
    """Write files; a double underscore in a name stands for the dot."""
    for name, text in texts.items():
        (folder / name.replace("__", ".").replace("_", "-")).write_text(text, "utf-8")
    return folder


def contents(folder: Path) -> dict[str, ListContent]:
    return {
        keyword_id: read_list(files.read_bytes(path), path).for_plan()
        for keyword_id, path in list_files(folder).items()
    }


def test_each_file_is_one_list(tmp_path: Path) -> None:
    """The name of a file without its suffix is the identifier of the list; a JSON file names its
    category."""
    write(
        tmp_path,
        profanity_list__txt="spam\nscam\n",
        imported_phrases__csv='"buy now, pay later"\n',
        new_words__json='{"category": "word", "terms": ["a1"], "name": "New words"}',
    )
    lists = contents(tmp_path)
    assert list(lists) == ["imported-phrases", "new-words", "profanity-list"]
    assert lists["imported-phrases"] == ("buy now, pay later",)
    assert lists["profanity-list"] == ("spam", "scam")
    assert lists["new-words"] == WordListInput(search_terms=["a1"], name="New words")


def test_files_of_a_repository_are_ignored(tmp_path: Path) -> None:
    """Documentation, configuration, subfolders, hidden files and files that programs leave
    behind are not lists."""
    write(
        tmp_path,
        words__txt="spam\n",
        README__md="Lists",
        lint__toml="",
        __gitignore="",
        LICENSE="",
        ci__yml="",
    )
    (tmp_path / "archive").mkdir()
    for name in (
        "desktop.ini",
        "Thumbs.db",
        "~$words.csv",
        "words.txt~",
        "words.TXT.bak",
        ".DS_Store",
    ):
        (tmp_path / name).write_bytes(b"\x80")
    assert list(list_files(tmp_path)) == ["words"]


def test_file_outside_the_folder_is_refused(tmp_path: Path) -> None:
    """A list that is a symbolic link to a file outside its folder is refused, and its content is
    not shown."""
    (tmp_path / "lists").mkdir()
    (write(tmp_path, key="secret-key\n") / "lists" / "words.txt").symlink_to(tmp_path / "key")
    with pytest.raises(
        InvalidRequestError, match="is a symbolic link to a file outside its folder"
    ) as caught:
        contents(tmp_path / "lists")
    assert "secret-key" not in str(caught.value)
    (tmp_path / "lists" / "words.txt").unlink()
    (tmp_path / "lists" / "words.txt").symlink_to("words.csv")
    with pytest.raises(InvalidRequestError, match="No such file"):
        contents(tmp_path / "lists")


def test_size_of_a_file_is_bounded(tmp_path: Path) -> None:
    """A file that is far larger than any list is refused without reading it completely."""
    with (tmp_path / "words.txt").open("wb") as opened:
        opened.truncate(1 << 40)
    with pytest.raises(InvalidRequestError, match=r"words\.txt: is larger than 4 MiB"):
        contents(tmp_path)


@pytest.mark.parametrize(
    ("options", "kind", "requests"),
    [
        ({"api_key": "wrong"}, AuthenticationError, 1),
        ({"base_url": "http://127.0.0.1:1/v3"}, TransportError, 0),
    ],
    ids=["key", "address"],
)
def test_error_of_the_whole_app(
    simulator: Simulator, options: dict[str, str], kind: type[Exception], requests: int
) -> None:
    """A refused key and a service that cannot be reached stop the planning: all lists have that
    error."""
    lists = {"profanity-list": ("spam",), "scam-patterns": ("a{1,2}",), "other": ("b",)}
    settings: Any = {"base_url": simulator.base_url, "api_key": simulator.api_key, **options}
    with Client(**settings, max_retries=0) as chat:
        outcomes = plan_folder(chat, lists, None, print)
    assert list(outcomes) == list(lists)
    assert len({id(each.error) for each in outcomes.values()}) == 1
    assert isinstance(outcomes["other"].error, kind)
    assert len(simulator.requests) == requests


def test_error_of_one_list(simulator: Simulator) -> None:
    """If the connection fails while one list is read, the other lists are read all the same."""
    simulator.fail(cut="in_headers")
    lists = {"scam-patterns": ("a{1,2}",), "profanity-list": ("spam",)}
    with Client(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=0) as chat:
        outcomes = plan_folder(chat, lists, None, print)
    assert isinstance(outcomes["scam-patterns"].error, TransportError)
    assert outcomes["profanity-list"].result is not None


def test_each_list_is_announced(simulator: Simulator) -> None:
    """`on_list` gets each identifier before the list is read, so that a program can show its
    progress."""
    seen: list[tuple[str, int]] = []
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        plan_folder(
            chat,
            {"profanity-list": ("spam",), "scam-patterns": ("a{1,2}",)},
            None,
            on_list=lambda keyword_id: seen.append((keyword_id, len(simulator.requests))),
        )
    assert seen == [("profanity-list", 0), ("scam-patterns", 1)]
