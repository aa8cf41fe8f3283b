"""The commands that the errors of `cometchat-desk keywords` suggest: they name the apps that the
user named."""

import shlex

import pytest

from ...conftest import CommandLine
from .conftest import LIST


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        (f"add {LIST} words.txt --app forum", f"add {LIST} --from words.txt --app forum"),
        (
            f"remove {LIST} words.txt --app shop --app forum",
            f"remove {LIST} --from words.txt --app shop --app forum",
        ),
        (f"add {LIST} words.txt --all-apps", f"add {LIST} --from words.txt --all-apps"),
        (
            f"add {LIST} words.txt --app-id 1a --region eu",
            f"add {LIST} --from words.txt --app-id 1a --region eu",
        ),
        (f"apply words.txt {LIST} --app forum --yes", f"apply {LIST} words.txt --app forum"),
        (f"apply {LIST} absent --app forum", "get absent --output absent.txt --app forum"),
        ("sync absent --app shop --app forum --yes", "get absent --output absent.txt --app shop"),
        ("sync absent --all-apps --yes", "get absent --output absent.txt --app shop"),
        ("apply plan.json --app forum --yes", "apply --plan plan.json --app forum"),
        (f"undo {LIST} forum --yes", f"undo {LIST} --app forum"),
        (f"undo {LIST} last --app forum", f"undo {LIST} --app forum"),
        ("diff shop forum", "diff LIST --app shop --app forum"),
    ],
)
def test_suggested_command_names_the_apps(two: CommandLine, typed: str, suggested: str) -> None:
    """A suggested command repeats the options of the typed one that name the apps, so it is
    never for another app."""
    two.write("words.txt", "spam\n")
    two.write("plan.json", '{"plans": {"forum": {}}}')
    done = two("keywords", *shlex.split(typed))
    assert done.code in (2, 11)
    assert done.line.endswith(f"cometchat-desk keywords {suggested}")
