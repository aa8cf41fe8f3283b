"""httpx2 with default settings and `json.loads`."""

from __future__ import annotations

import httpx2

from .plain import like_httpx

CONTENDER = like_httpx(httpx2)
