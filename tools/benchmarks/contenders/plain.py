"""HTTP libraries without a client for the service: `json.loads`, without types, checks and retries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from . import API_KEY, PATH, Contender

#: The form of row E, without its file.
FORM = {"category": "word", "searchTerms": ""}


def _namespace(fields: dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(
        **{re.sub(r"(?<=[a-z])[A-Z]", lambda m: f"_{m[0].lower()}", k): v for k, v in fields.items()}
    )


def _attributes(document: Any) -> Any:
    return json.loads(json.dumps(document), object_hook=_namespace)


class Plain(Contender):
    """A contender whose results are JSON documents."""

    def keyword_list(self, result: Any) -> Any:
        return _attributes(result["data"])

    def records(self, result: Any) -> list[Any]:
        return list(_attributes(result["data"]))


def canned_transport(library: ModuleType, body: bytes) -> Any:
    """A transport of httpx, or of a library with the same interface, that returns `body` without a socket."""

    class Canned(library.BaseTransport):  # type: ignore[name-defined, misc]
        def handle_request(self, request: Any) -> Any:  # noqa: ARG002 - every request gets the same response
            return library.Response(200, headers={"Content-Type": "application/json"}, content=body)

    return Canned()


def like_httpx(library: ModuleType) -> type[Contender]:
    """The contender for httpx, or for a library with the same interface, with default settings."""

    class LikeHttpx(Plain):
        package = library.__name__
        importing = f"import {library.__name__}"
        importing_names = importing
        first_response = (
            f"import {library.__name__} as http, json\n"
            "with http.Client(base_url='{base_url}', headers={{'apikey': 'a-key-for-benchmarks'}}) as client:\n"
            "    response = client.get('/moderation/keywords/profanity-list')\n"
            "    print(len(json.loads(response.content)['data']['searchTerms']))\n"
        )

        def __init__(self, base_url: str) -> None:
            # The full URL in each call, because httpx joins URLs slowly.
            self._url = base_url
            self._headers = {"apikey": API_KEY}
            self._client = library.Client(headers=self._headers)
            self._async = library.AsyncClient(headers=self._headers)

        def get(self) -> Any:
            return json.loads(self._client.get(self._url + PATH).content)

        def canned(self, body: bytes) -> Callable[[], Any]:
            client = library.Client(headers=self._headers, transport=canned_transport(library, body))
            return lambda: json.loads(client.get(self._url + PATH).content)

        def reviewed(self, limit: int) -> Any:
            return json.loads(
                self._client.get(f"{self._url}/moderation/reviewed-messages?limit={limit}", timeout=60).content
            )

        async def aget(self) -> Any:
            # Hundreds of concurrent calls wait longer for a connection than the default of five seconds.
            return json.loads((await self._async.get(self._url + PATH, timeout=60)).content)

        def put(self, csv: bytes) -> Any:
            files = {"file": ("words.csv", csv, "text/csv")}
            return json.loads(self._client.put(self._url + PATH, data=FORM, files=files).content)

        def close(self) -> None:
            self._client.close()

        async def aclose(self) -> None:
            await self._async.aclose()

    return LikeHttpx
