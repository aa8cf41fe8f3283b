"""From an attempt to the request of httpx that is sent for it."""

from collections.abc import Iterable
from typing import Any, cast

import httpx

from .errors import InvalidRequestError
from .options import Options
from .paths import matches
from .request import Attempt, Request
from .secrets import Secret
from .upload import Upload

# The largest number of addresses that a client remembers.
_MOST_REMEMBERED = 256


class Outgoing:
    """Makes the requests of one client."""

    def __init__(self, options: Options, *, is_custom: bool) -> None:
        # Tracing takes time. Without a proxy, httpx's own exceptions are enough for a GET.
        self._is_traced = is_custom or options.proxy is not None
        self._base = f"{options.address.scheme}://{options.address.netloc}"
        self._base_path = options.address.path
        # Parsing an address is most of the work that httpx does for a request. One with a secret is
        # not remembered.
        self._remembered: dict[tuple[str, str], httpx.URL] = {}

    def request(self, attempt: Attempt, trace: object) -> httpx.Request:
        """The request of an attempt; httpcore reports the progress of the request to `trace`."""
        request = attempt.request
        content = request.content
        extensions: dict[str, Any] = {"timeout": attempt.phases()}
        if request.method != "GET" or self._is_traced:
            extensions["trace"] = trace
        # Not as `content`: httpx would look for headers to add.
        stream = None if content.files else httpx.ByteStream(content.data)
        outgoing = httpx.Request(
            request.method,
            self._url(request),
            headers=request.headers,
            files=content.files,
            stream=stream,
            extensions=extensions,
        )
        if content.files:
            attempt.size = int(outgoing.headers["content-length"])
            outgoing.stream = Upload(cast("Iterable[bytes]", outgoing.stream))
        else:
            attempt.size = len(outgoing.read())  # test tools expect to find the content
        return outgoing

    def _url(self, request: Request) -> httpx.URL:
        """The address of a request, which goes where its operation says, or nowhere."""
        operation = request.call.operation
        target = request.target.reveal()
        remembered = self._remembered.get((operation.path, target))
        if remembered is not None:
            return remembered
        url = httpx.URL(self._base + target)
        # httpx normalises addresses; that could make the difference between one token and all
        # tokens.
        is_unchanged = url.raw_path == target.encode("ascii")
        path = Secret(target.partition("?")[0])
        if not is_unchanged or not matches(self._base_path + operation.path, path):
            del target, url  # so that no frame shows a token
            raise InvalidRequestError(
                "these arguments would send the request elsewhere", operation=operation.name
            )
        if not request.has_secret_target:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[operation.path, target] = url
        return url
