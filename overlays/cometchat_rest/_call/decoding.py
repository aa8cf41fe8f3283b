"""Decodes the JSON of a response, with msgspec if it is installed (the extra `fast`)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

# For a smaller body, msgspec saves less than a fifth of a millisecond, and its import takes ten milliseconds.
_LARGE = 2**16


def decode(body: bytes) -> Any:
    """Return the same value as `json.loads`, or raise the same error."""
    # msgspec refuses everything that it would read differently, such as NaN, huge numbers and a byte order mark.
    if len(body) >= _LARGE and (fast := _fast_decoder()) is not None:
        with contextlib.suppress(Exception):
            return fast(body)
    return json.loads(body)


@cache
def _fast_decoder() -> Callable[[bytes], Any] | None:
    try:
        from msgspec.json import Decoder  # noqa: PLC0415 - optional, and loaded when a large response arrives
    except ImportError:
        return None
    return Decoder().decode
