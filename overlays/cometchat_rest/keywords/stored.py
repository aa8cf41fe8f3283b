"""The form in which a plan is stored: plain JSON values, with a version and a checksum (pure).

The checksum finds accidents and edits. It does not protect from an attacker, who can compute it as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from json import dumps, loads
from typing import Any, Final

from cometchat_rest.errors import InvalidRequestError

from .inputs import CsvFile, KeywordListInput, entries_field, parse

#: The version of the form. A reader refuses any other version.
VERSION: Final = 1


def seal(content: Mapping[str, object]) -> dict[str, Any]:
    """A copy of the content of a plan, with the version and the checksum."""
    text = _canonical({"version": VERSION, **content})
    sealed: dict[str, Any] = loads(text)
    # In the order of `content`, for people who read it.
    return {"version": VERSION, **{name: sealed[name] for name in content}, "checksum": _checksum(text)}


def unseal(stored: object) -> dict[str, Any]:
    """A copy of a stored plan without its checksum.

    Raises:
        InvalidRequestError: it is not a stored plan, it has another version, or it was changed.
    """
    if not isinstance(stored, Mapping) or not {"version", "checksum"} <= stored.keys():
        raise InvalidRequestError("this is not a stored plan: it needs a version and a checksum")
    version = stored["version"]
    if type(version) is not int or version < 1:
        raise InvalidRequestError("this is not a stored plan: its version must be an integer of at least 1")
    if version > VERSION:
        raise InvalidRequestError(
            f"the plan has version {version}, and this release of cometchat-rest reads version {VERSION}; "
            "install a newer release, or make a new plan"
        )
    try:
        text = _canonical({name: value for name, value in stored.items() if name != "checksum"})
    except (TypeError, ValueError, RecursionError):
        raise InvalidRequestError("this is not a stored plan: it holds a value that JSON cannot hold") from None
    if stored["checksum"] != _checksum(text):
        raise InvalidRequestError("the plan was changed after it was stored; make a new plan")
    content: dict[str, Any] = loads(text)
    return content


def input_to_dict(new: KeywordListInput) -> dict[str, object]:
    """An input as JSON values, with the names of the service. Its file must be UTF-8."""
    name, wire_name = entries_field(new.category)
    content: dict[str, object] = {each: getattr(new, each) for each in ("category", "id", "name", "description")}
    content[wire_name] = getattr(new, name)
    if new.file is not None:
        content["file"] = {"name": new.file.name, "content": new.file.content.decode()}
    return content


def input_from_dict(content: Mapping[str, Any]) -> KeywordListInput:
    """The input that `input_to_dict` was given.

    Raises:
        InvalidRequestError: the content is not such an input.
    """
    file = content.get("file")
    if file is None:
        return parse(content)
    if not (isinstance(file, dict) and isinstance(file.get("name"), str) and isinstance(file.get("content"), str)):
        raise InvalidRequestError("file must be an object with a name and a content")
    return parse({**content, "file": CsvFile(file["name"], file["content"].encode("utf-8", "replace"))})


def _canonical(content: Mapping[str, object]) -> str:
    return dumps(content, sort_keys=True, separators=(",", ":"))


def _checksum(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()}"
