"""The form of an upload, in the pieces that are sent."""

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import groupby

import httpx

# Shorter pieces, in bytes, are sent together.
_SHORT = 2**16


class Upload(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A form in few pieces: httpx makes four pieces of each part, and each piece would be sent by
    itself."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for is_short, pieces in groupby(self._pieces, lambda piece: len(piece) < _SHORT):
            if is_short:
                yield b"".join(pieces)
            else:
                yield from pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece
