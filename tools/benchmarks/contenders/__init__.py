"""The contenders; each one has a module.

A module has the import that a user writes (`IMPORTING`), a program that prints the number of terms
in the list (`FIRST_RESPONSE`), and a function for each call, which returns the terms of the list or
the records. Each contender works as the first example of its documentation, with default settings.
"""

from __future__ import annotations

import os

import httpx

from tools.benchmarks.server import KEYWORD_LIST

BASE_URL = os.environ["BASE_URL"]
API_KEY = "a-key-for-benchmarks"
LIST_ID = "profanity-list"
#: The file of an update.
CSV = (b"spam,scam,phishing\n" * (2**20 // 19))[: 2**20 - 1] + b"\n"
_HEADERS = {"Content-Type": "application/json"}


class ReadyTransport(httpx.BaseTransport):
    """The transport of `get_ready`: it has the body of each response in memory."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:  # noqa: ARG002 - every request gets the same response
        return httpx.Response(200, headers=_HEADERS, content=KEYWORD_LIST)
