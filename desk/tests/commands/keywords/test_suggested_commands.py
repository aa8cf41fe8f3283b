"""The commands that the errors of `cometchat-desk keywords` suggest: they name the apps that the
user named."""

import shlex

import pytest

from ...conftest import CommandLine
from .conftest import LIST


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        (f"apply {LIST} absent --app forum", "get absent --output absent.txt --app forum"),
        (
            f"apply {LIST} absent --app-id 1a --region eu --api-key-file shop.key",
            "get absent --output absent.txt --app-id 1a --region eu --api-key-file shop.key",
        ),
    ],
)
def test_suggested_command_names_the_apps(two: CommandLine, typed: str, suggested: str) -> None:
    """A suggested command repeats the options of the typed one that name the apps, so it is
    never for another app."""
    done = two("keywords", *shlex.split(typed))
    assert done.code in (2, 11)
    assert done.line.endswith(f"cometchat-desk keywords {suggested}")
