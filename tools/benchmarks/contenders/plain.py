"""HTTP libraries without a client for the service: `json.loads`, without types, checks and retries."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

from . import Contender

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
