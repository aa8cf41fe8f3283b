"""`cometchat-desk keywords add` and `remove`: words that mean something else are not entries, except after `--`."""

import pytest

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, terms, updates

_NO_PLACEHOLDERS = "in a list of words, * and | have no meaning: name each word. No update was sent."


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("s/old/new/", "replaces a text, as in sed: use keywords remove for the old entry, and keywords add for a new"),
        ("app=forum", "forum is the name of an app: for several apps, use --app forum."),
        ("forum:", "forum is the name of an app: for several apps, use --app forum."),
        ("undo", "undo is the name of a command: to run it, write keywords undo in place of keywords COMMAND."),
        ("preview", "preview may be meant as --dry-run: write that."),
        ("force", "force may be meant as --yes: write that."),
        ("wrods.txt", "there is no file wrods.txt: check the name and the folder. For an entry with this text, write"),
        ("file=wrods.txt", "there is no file wrods.txt: check the name and the folder."),
        ("https://example.com/words.txt", "is an address: download the file, and use --from FILE. For an entry with"),
        ("file=words.csv", f"keywords COMMAND {LIST} --from words.csv"),
        ("0123456789abcdef" * 2 + "01234567", "[redacted] looks like an API key: leave it out."),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", ["add", "remove"])
def test_word_that_is_not_an_entry(two: CommandLine, simulator: Simulator, command: str, word: str, fault: str) -> None:
    """A word that means something else is refused with what to do, before anything is sent."""
    two.write("words.csv", "spam\n")
    done = two("keywords", command, LIST, word, "--yes")
    assert (done.code, done.out, simulator.requests) == (2, "", [])
    assert fault.replace("COMMAND", command) in done.line


@pytest.mark.parametrize("word", ["http*", "*ism", "*", "nws|nwt"])
@pytest.mark.parametrize("command", ["add", "remove"])
def test_placeholder_in_a_list_of_words(cli: CommandLine, simulator: Simulator, command: str, word: str) -> None:
    """A placeholder in a list of words is refused, because it has no meaning there."""
    done = cli("keywords", command, LIST, word, "--yes")
    assert (done.code, terms(simulator), updates(simulator)) == (2, BEFORE, 0)
    assert f"{word}: {_NO_PLACEHOLDERS}" in done.line


@pytest.mark.parametrize("word", ["s/old/new/", "http*", "nws|nwt", "forum:", "undo", "force", "wrods.txt"])
def test_word_after_the_dashes(two: CommandLine, simulator: Simulator, word: str) -> None:
    """After --, an entry may look like something else."""
    assert two("keywords", "add", LIST, "--app", "shop", "--yes", "--", word).code == 0
    assert terms(simulator) == [*BEFORE, word]


@pytest.mark.parametrize("word", ["https?", "spam|scam"])
def test_pattern_with_such_characters(cli: CommandLine, simulator: Simulator, word: str) -> None:
    """In a list of patterns, these characters are a part of the pattern."""
    assert cli("keywords", "add", "scam-patterns", word, "--yes").code == 0
    assert word in terms(simulator, "scam-patterns")


def test_entry_with_a_placeholder_can_be_removed(cli: CommandLine, simulator: Simulator) -> None:
    """An entry with a placeholder that a list of words has is removed as any other."""
    simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, "http*"]
    assert cli("keywords", "remove", LIST, "http*", "--yes").code == 0
    assert terms(simulator) == BEFORE
