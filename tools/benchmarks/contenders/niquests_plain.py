"""niquests with default settings and `json.loads`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import niquests

from . import API_KEY, PATH
from .plain import FORM, Plain


class Niquests(Plain):
    """`niquests.Session` and `niquests.AsyncSession`; the transport of a session has another interface."""

    package = "niquests"
    importing = "import niquests"
    importing_names = importing
    first_response = (
        "import niquests, json\n"
        "with niquests.Session(headers={{'apikey': 'a-key-for-benchmarks'}}) as session:\n"
        "    response = session.get('{base_url}/moderation/keywords/profanity-list')\n"
        "    print(len(json.loads(response.content)['data']['searchTerms']))\n"
    )

    def __init__(self, base_url: str) -> None:
        self._url = base_url
        self._session = niquests.Session(headers={"apikey": API_KEY})
        self._async: Any = None

    def get(self) -> Any:
        return json.loads(self._session.get(self._url + PATH).content or b"")

    def canned(self, body: bytes) -> Callable[[], Any] | None:  # noqa: ARG002
        return None

    def reviewed(self, limit: int) -> Any:
        response = self._session.get(f"{self._url}/moderation/reviewed-messages?limit={limit}", timeout=60)
        return json.loads(response.content or b"")

    async def aget(self) -> Any:
        if self._async is None:
            self._async = niquests.AsyncSession(headers={"apikey": API_KEY})
        return json.loads((await self._async.get(self._url + PATH, timeout=60)).content)

    def put(self, csv: bytes) -> Any:
        files = {"file": ("words.csv", csv, "text/csv")}
        return json.loads(self._session.put(self._url + PATH, data=FORM, files=files).content or b"")

    def close(self) -> None:
        self._session.close()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.close()


CONTENDER = Niquests
