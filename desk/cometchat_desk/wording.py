"""Messages of the library in the words of the command line: options, and plain names of requests."""

from __future__ import annotations

import re

#: The name of each operation, as a message shows it.
_REQUESTS = {
    "get_keyword_list": "the request for the keyword list",
    "update_keyword_list": "the update of the keyword list",
    "list_reviewed_messages": "the request for reviewed messages",
    "list_roles": "the request for roles",
    "delete_auth_token": "the deletion of the auth token",
}
# Only a whole word, which no file name is: a file name has a suffix.
_REQUEST = re.compile(rf"(?<!\S)({'|'.join(_REQUESTS)})(?=[ :])")
# The library names its own arguments; users type these.
_OPTIONS = {
    "list_id (keyword_id)": "LIST",
    "list_id": "LIST",
    "uid": "USER",
    "category": "--category",
    "interval": "--interval",
    "limit": "--limit",
    "max_removed": "--max-removed",
    "app_id": "--app-id",
    "base_url": "--base-url",
    "region": "--region",
    "settle_within": "--settle-within",
}


def many(count: int, one: str, several: str) -> str:
    """A number and its noun."""
    return f"{count:,} {one if count == 1 else several}"


def in_user_words(message: str, *, options: bool = True) -> str:
    """A message of the library with the names of requests, and of the argument at its beginning, as users know them.

    Args:
        message: the text of an error or of a log record.
        options: whether to replace the names of arguments; false for values that come from a profile.
    """
    message = _REQUEST.sub(lambda found: _REQUESTS[found[1]], message)
    for name, words in _OPTIONS.items() if options else ():
        # The rest begins with ":", " must" or " (VARIABLE)".
        if message.startswith((f"{name} ", f"{name}:")):
            return words + message.removeprefix(name)
    return message
