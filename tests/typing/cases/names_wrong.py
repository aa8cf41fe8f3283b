"""The names of the package: `import *` knows all of them, and a misspelt name is an error.
Checked, never run."""

from typing import assert_type

from cometchat_rest import *  # noqa: F403 - as in a notebook
from cometchat_rest import Clinet as Clinet  # error


def results(chat: Client) -> None:  # noqa: F405
    assert_type(chat.keywords.get("profanity-list"), KeywordList)  # noqa: F405
