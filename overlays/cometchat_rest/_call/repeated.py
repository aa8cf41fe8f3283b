"""The check that a response is about the record that the call named (pure)."""

from __future__ import annotations

from typing import Any

from cometchat_openapi import Call

from .response import Confirm


def repeats_arguments(call: Call[Any], *, required: bool = False) -> Confirm[Any] | None:
    """The check of the arguments that a response repeats, if there are any; one may be missing, unless `required`."""
    if not call.operation.repeated:
        return None

    def confirm(body: Any) -> tuple[str, str] | None:
        for name, pointer in call.operation.repeated:
            value = _at(body, pointer)
            if value == call.path_values[name] or not (required or isinstance(value, str)):
                continue
            if value not in (allowed := _allowed(call, name, pointer)):
                return pointer, " or ".join(map(repr, allowed))
        return None

    return confirm


def _allowed(call: Call[Any], name: str, pointer: str) -> list[object]:
    """The values that a response may repeat: that of the path, or a new one in the form of an update."""
    field = pointer.rpartition("/")[2]
    new = [content for part, (_, content, _) in call.files or () if part == field]
    return list(dict.fromkeys([call.path_values[name], *new]))


def _at(content: Any, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        content = getattr(content, getattr(content, "JSON_NAMES", {}).get(part, ""), None)
    return content
