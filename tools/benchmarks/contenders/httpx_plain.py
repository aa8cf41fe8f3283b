"""The base: httpx with default settings and `json.loads`."""

from __future__ import annotations

import httpx

from .plain import like_httpx

CONTENDER = like_httpx(httpx)
