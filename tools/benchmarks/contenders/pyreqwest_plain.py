"""pyreqwest, an HTTP library written in Rust, with default settings and `json.loads`."""

from __future__ import annotations

import json
from typing import Any

from pyreqwest.client import ClientBuilder, SyncClientBuilder
from pyreqwest.multipart import FormBuilder, PartBuilder

from . import API_KEY, PATH
from .plain import FORM, Plain


class Pyreqwest(Plain):
    """`SyncClient` and `Client` of pyreqwest; a client accepts no transport."""

    package = "pyreqwest"
    importing = "from pyreqwest.client import SyncClientBuilder"
    first_response = (
        "import json\n"
        "from pyreqwest.client import SyncClientBuilder\n"
        "with SyncClientBuilder().default_headers({{'apikey': 'a-key-for-benchmarks'}}).build() as client:\n"
        "    response = client.get('{base_url}/moderation/keywords/profanity-list').build().send()\n"
        "    print(len(json.loads(bytes(response.bytes()))['data']['searchTerms']))\n"
    )

    def __init__(self, base_url: str) -> None:
        self._url = base_url
        self._client = SyncClientBuilder().default_headers({"apikey": API_KEY}).build()
        self._async: Any = None

    def get(self) -> Any:
        return json.loads(bytes(self._client.get(self._url + PATH).build().send().bytes()))

    def reviewed(self, limit: int) -> Any:
        request = self._client.get(f"{self._url}/moderation/reviewed-messages?limit={limit}").build()
        return json.loads(bytes(request.send().bytes()))

    async def aget(self) -> Any:
        if self._async is None:
            self._async = ClientBuilder().default_headers({"apikey": API_KEY}).build()
        response = await self._async.get(self._url + PATH).build().send()
        return json.loads(bytes(await response.bytes()))

    def put(self, csv: bytes) -> Any:
        form = FormBuilder()
        for name, value in FORM.items():
            form = form.text(name, value)
        form = form.part("file", PartBuilder.from_bytes(csv).file_name("words.csv").mime("text/csv"))
        return json.loads(bytes(self._client.put(self._url + PATH).multipart(form).build().send().bytes()))

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.close()


CONTENDER = Pyreqwest
