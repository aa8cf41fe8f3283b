"""The gate of all updates: findings of the linter and secrets in new entries."""

from collections.abc import Callable

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from .conftest import BEFORE, LIST, records, terms, updates

KEY = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture
def damaged(cli: CommandLine) -> CommandLine:
    """A file with an ordinary entry and a damaged one."""
    cli.write("words.txt", "phishing\nGrÃ¼ÃŸe\n")
    return cli


@pytest.mark.parametrize(
    "typed",
    [
        ("add", LIST, "phishing", "GrÃ¼ÃŸe"),
        ("add", LIST, "--from", "words.txt"),
        ("replace", LIST, "spam", "GrÃ¼ÃŸe"),
        ("apply", LIST, "words.txt", "--max-removed", "100%"),
    ],
    ids=" ".join,
)
def test_same_rules_for_words_and_files(
    damaged: CommandLine, simulator: Simulator, typed: tuple[str, ...]
) -> None:
    """With --yes, an error in one new entry stops the whole update; --accept names its rule."""
    done = damaged("keywords", *typed, "--yes")
    assert (done.code, terms(simulator), updates(simulator)) == (2, BEFORE, 0)
    assert "! error mis-decoded: " in done.err
    assert "1 error in the new entries (mis-decoded)." in done.err
    assert done.err.endswith("add --accept mis-decoded. No update was sent.\n")
    assert damaged("keywords", *typed, "--yes", "--accept", "mis-decoded").code == 0
    assert "GrÃ¼ÃŸe" in terms(simulator)


def test_warnings_stop_too(cli: CommandLine, simulator: Simulator) -> None:
    """A warning in a new entry stops an update with --yes as an error does."""
    typed = ("keywords", "add", LIST, "nwn | nwo", "--yes")
    done = cli(*typed)
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert "1 warning in the new entries (other-tool)" in done.err
    assert cli(*typed, "--accept", "other-tool").code == 0


def test_new_entry_beside_the_list(cli: CommandLine, simulator: Simulator) -> None:
    """Only new entries are checked, not those of the list."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["GrÃ¼ÃŸe"]
    done = cli("keywords", "add", LIST, "müller", "--yes")
    assert done.code == 0
    assert "GrÃ¼ÃŸe" not in done.err


def test_person_decides(damaged: CommandLine, simulator: Simulator) -> None:
    """Without --yes, the findings are shown above the question, and the answer decides."""
    done = damaged("keywords", "add", LIST, "--from", "words.txt")
    *_, finding, question = done.err.splitlines()
    assert finding.startswith("! error mis-decoded: ")
    assert question.startswith(f"cometchat-desk: Update {LIST} in ")
    assert updates(simulator) == 0


@pytest.mark.parametrize("command", ["sync", "add"])
def test_nothing_is_half_applied(
    two: CommandLine, simulator: Simulator, forum: Simulator, command: str
) -> None:
    """With --yes, an entry that stops one list or one app stops the whole command."""
    damaged = "GrÃ¼ÃŸe"
    if command == "add":
        simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, damaged]
        done = two("keywords", "add", LIST, damaged, "new", "--all-apps", "--yes")
    else:
        two.write(f"lists/{LIST}.txt", "\n".join([*BEFORE, damaged]))
        two.write("lists/default-profanity.txt", "word\n")
        done = two("keywords", "sync", "lists", "--all-apps", "--yes", "--max-removed", "100%")
    assert (done.code, updates(simulator), updates(forum)) == (2, 0, 0)
    assert {record["outcome"] for record in records(done)} == {"failed"}
    assert "the command updates all lists or no list, and it refused another list" in done.err


def test_only_new_entries_count(cli: CommandLine, simulator: Simulator) -> None:
    """A damaged entry that the list has already stops no change, and is not shown again."""
    simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, "GrÃ¼ÃŸe"]
    cli.write("words.txt", "\n".join([*BEFORE, "GrÃ¼ÃŸe", "phishing"]))
    done = cli("keywords", "apply", LIST, "words.txt", "--yes")
    assert (done.code, "mis-decoded" in done.err) == (0, False)


def test_plan_shows_findings(damaged: CommandLine) -> None:
    """A plan shows the findings."""
    options = ("--max-removed", "100%", "--dry-run")
    done = damaged("keywords", "apply", LIST, "words.txt", *options)
    assert (done.code, "! error mis-decoded" in done.err) == (0, True)


def test_unknown_rule(cli: CommandLine, simulator: Simulator) -> None:
    """A rule that does not exist is refused before any request."""
    done = cli("keywords", "add", LIST, "new", "--accept", "nonsense")
    assert (done.code, simulator.requests) == (2, [])
    assert "is not a rule; keywords lint" in done.line


@pytest.mark.parametrize("typed", [("add", LIST, f"x {KEY}"), ("add", LIST, "--from", "words.txt")])
def test_form_of_a_key(cli: CommandLine, simulator: Simulator, typed: tuple[str, ...]) -> None:
    """An entry with the form of an API key is neither sent nor shown, unless it is accepted."""
    cli.write("words.txt", f"{KEY}\n")
    done = cli("keywords", *typed, "--yes")
    assert (done.code, KEY in done.out + done.err, updates(simulator)) == (2, False, 0)
    assert "looks like an API key; remove it, or, if it is not a secret" in done.err
    assert cli("keywords", *typed, "--yes", "--accept", "secret").code == 0


def test_key_to_remove(cli: CommandLine) -> None:
    """The plan of a removal does not show a key that somebody names."""
    done = cli("keywords", "remove", LIST, KEY, "--yes", "--format", "table")
    assert (done.code, KEY in done.out + done.err) == (0, False)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        (("apply", LIST, "words.txt", "--max-removed", "100%"), "entry 2 of words.txt"),
        (("apply", LIST, "words.txt", "--base", "old.txt"), "new entry 1"),
        (("add", LIST, "scam", "phishing", f"x {KEY}"), "new entry 2"),
        (("remove", LIST, "scam"), "entry 6 of the list"),
    ],
)
def test_place_of_a_key(
    cli: CommandLine, simulator: Simulator, typed: tuple[str, ...], place: str
) -> None:
    """The message names the number of the entry in its file, among the new entries or in the
    list, because it does not show the entry."""
    cli.write("old.txt", "spam\n")
    cli.write("words.txt", f"spam\n{KEY}\n")
    if typed[0] == "remove":
        simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, simulator.api_key]
    done = cli("keywords", *typed, "--yes")
    assert (done.code, KEY in done.out + done.err, updates(simulator)) == (2, False, 0)
    assert f": {place} " in done.err


def other_config(cli: CommandLine, key: str) -> tuple[str, ...]:
    cli.profiles(f'[apps.shop]\napp_id = "abc"\napi_key = "{key}"\n')
    cli.write("other.toml", "[apps.clinic]\napp_id = 'abc'\n")
    return ("--config", "other.toml")


def open_profiles(cli: CommandLine, key: str) -> tuple[str, ...]:
    cli.profiles(f'[apps.shop]\napp_id = "abc"\napi_key = "{key}"\n', mode=0o644)
    return ()


def open_key_file(cli: CommandLine, key: str) -> tuple[str, ...]:
    cli.profiles('[apps.shop]\napp_id = "abc"\napi_key_file = "shop.key"\n')
    cli.write("home/.config/cometchat-desk/shop.key", key, mode=0o644)
    return ()


def two_words(cli: CommandLine, key: str) -> tuple[str, ...]:
    cli.profiles('[apps.shop]\napp_id = "abc"\napi_key_file = "shop.key"\n')
    cli.write("home/.config/cometchat-desk/shop.key", f"shop {key}\n")
    return ()


@pytest.mark.parametrize("place", [other_config, open_profiles, open_key_file, two_words])
def test_key_that_no_command_would_use(
    cli: CommandLine,
    simulator: Simulator,
    place: Callable[[CommandLine, str], tuple[str, ...]],
) -> None:
    """A key is found in an entry also if its profile cannot be used, or is in another file."""
    key = "not-forty-hex-digits-but-a-key"
    options = place(cli, key)
    done = cli("keywords", "add", LIST, f"x{key}", "--yes", *options)
    assert (done.code, key in done.out + done.err, updates(simulator)) == (2, False, 0)
    assert " holds the API key of an app" in done.err


@pytest.mark.parametrize(
    "typed",
    [
        ("get", "{key}"),
        ("add", "{key}", "spam", "--yes"),
        ("undo", "{key}", "--yes"),
        ("history", "{key}"),
        ("add", LIST, "phishing", "--yes", "--reason", "key {key}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("key", [KEY, "a-key-of-a-profile"])
def test_key_as_a_list_or_a_reason(
    cli: CommandLine, simulator: Simulator, typed: tuple[str, ...], key: str
) -> None:
    """A key in place of a list or a reason is refused before it is sent, stored or shown."""
    cli.write("words.txt", "spam\n")
    cli.profiles(app("shop", simulator, key="a-key-of-a-profile"))
    done = cli("keywords", *(word.format(key=key) for word in typed))
    assert (done.code, key in done.out + done.err, simulator.requests) == (2, False, [])
    assert "holds an API key: leave it out" in done.line


def test_each_file_has_its_own_settings(cli: CommandLine, simulator: Simulator) -> None:
    """Settings of the linter hold for the files beside them, whatever the order of the files; typed
    words have those of the current folder."""
    cli.write("lenient/cometchat-lint.toml", '[rules]\nordinary-word = "off"\n')
    cli.write("lenient/words.txt", "the\n")
    cli.write("strict/words.txt", "of\n")
    lenient, strict = ("--from", "lenient/words.txt"), ("--from", "strict/words.txt")
    add = ("keywords", "add", LIST, "--yes", "--dry-run")
    assert cli(*add, *lenient).code == 0
    for typed in ((*lenient, *strict), (*strict, *lenient), ("of", *lenient), ("of",)):
        done = cli(*add, *typed)
        assert (done.code, "1 warning in the new entries (ordinary-word)" in done.err) == (2, True)
    cli.write("cometchat-lint.toml", '[rules]\nordinary-word = "off"\n')
    assert cli(*add, "of", *lenient).code == 0
    assert updates(simulator) == 0
