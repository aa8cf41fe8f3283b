"""A key that somebody types in the wrong place: no message shows it."""

import pytest

from cometchat_testing import Simulator

from .conftest import CommandLine, app

KEY = "0123456789abcdef" * 2 + "01234567"


@pytest.mark.parametrize(
    "typed",
    [
        f"apps add shop3 {KEY}",
        f"apps remove {KEY} --yes",
        f"check --app {KEY}",
        f"check --api-key={KEY}",
        f"{KEY}",
        f"keywords {KEY}",
        f"keywords get profanity-list --app {KEY}",
        f"keywords get profanity-list --region {KEY}",
        f"keywords get {KEY}",
        f"keywords add profanity-list words.txt --app {KEY}",
        f"keywords add profanity-list a --app shop --app {KEY}",
        f"keywords add profanity-list {KEY}",
        f"keywords undo profanity-list {KEY}",
        f"keywords apply profanity-list {KEY} --app {KEY.upper()}",
        f"reviewed list --limit {KEY}",
    ],
)
def test_typed_key(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """A key in the place of another argument is not in the message about the invalid argument."""
    cli.profiles(app("shop", simulator))
    cli.write("words.txt", "spam\n")
    done = cli(*typed.split())
    assert done.code != 0
    assert KEY not in (done.out + done.err).lower()
