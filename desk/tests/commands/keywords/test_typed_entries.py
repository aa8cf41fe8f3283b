"""`cometchat-desk keywords add`, `remove` and `replace`: words that name a file, an app or an
option are not entries."""

from collections.abc import Sequence

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, terms


@pytest.fixture
def typing(two: CommandLine) -> CommandLine:
    """A folder with a file of entries, and the apps `shop` and `forum`."""
    two.write("words.txt", "spam\n")
    return two


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (("words.txt",), "words.txt is a file: for its entries, write --from words.txt; for an entry"),
        (("spam", "--app", "shop", "forum"), "forum is an app: to update it, write --app shop --app forum;"),
        (("spam", "shop", "--app", "shop"), "shop is an app that this command updates already; for an entry with"),
        (("spam", "shop", "--all-apps"), "shop is an app that this command updates already; for an entry with"),
        (("spam", "--", "--dry-run"), "--dry-run is an option: write it before --; for an entry with"),
        (("spam", "--", "--app=shop"), "--app=shop is an option: write it before --"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("command", ["add", "remove"])
def test_word_that_is_not_an_entry(
    typing: CommandLine,
    simulator: Simulator,
    command: str,
    typed: Sequence[str],
    fault: str,
) -> None:
    """A word that names a file, an app or an option is refused in one line, before a request."""
    done = typing("keywords", command, LIST, "--yes", *typed)
    assert (done.code, done.out, simulator.requests) == (2, "", [])
    assert fault in done.line


def test_replacement_that_is_not_an_entry(typing: CommandLine, simulator: Simulator) -> None:
    """The words of `replace` have the same rules."""
    done = typing("keywords", "replace", LIST, "spam", "words.txt", "--yes")
    assert (done.code, simulator.requests) == (2, [])
    assert "words.txt is a file" in done.line


@pytest.mark.parametrize("word", ["forum", "-spam-"])
def test_word_after_the_dashes(typing: CommandLine, simulator: Simulator, word: str) -> None:
    """After --, an entry may be the name of an app, and begin with a hyphen."""
    typed = ("keywords", "add", LIST, "--app", "shop", "--yes", "--", word)
    assert typing(*typed).code == 0
    assert terms(simulator) == [*BEFORE, word]


def test_several_words(cli: CommandLine, simulator: Simulator) -> None:
    """Each word is an entry, also with --yes; the last lines name the entries and their undo."""
    done = cli("keywords", "add", LIST, "phishing", "get rich", "--yes", "--format", "table")
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "phishing", "get rich"])
    assert done.out == (
        f"{LIST} updated: 2 added (phishing, get rich). Undo:\n"
        f"  cometchat-desk keywords undo {LIST} 1\n"
    )
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert terms(simulator) == BEFORE


@pytest.mark.parametrize(
    "word", ["undo", "force", "don't", "self-harm", "profanity_list", "scam-patterns", "—spam—"]
)
def test_no_guess_about_words(cli: CommandLine, simulator: Simulator, word: str) -> None:
    """The name of a command, a list or an option without its hyphens is an ordinary entry."""
    assert cli("keywords", "add", LIST, word, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, word]
