"""Calls of operations that openapi.yaml does not describe (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from cometchat_openapi import Call, Operation
from cometchat_rest.errors import InvalidRequestError

from .paths import is_template
from .settings import check_fields

_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_BASE_PATH = "/v3"
_NAME = re.compile(r"\{(\w+)\}")


def call_of(
    method: str,
    path: str,
    path_values: Mapping[str, str],
    query: Mapping[str, object],
    json: object,
    form: Mapping[str, object] | None,
    hide: Callable[[str], str],
) -> Call[object]:
    """The call that `Client.request` makes; `hide` removes the key from a text."""
    if method not in _METHODS:
        raise InvalidRequestError(f"must be one of {', '.join(_METHODS)}", argument="method")
    if not is_template(path):
        reason = (
            "must be a path below the base URL, such as '/users/{uid}': it begins with one slash, and has no empty "
            "segment, no '.' or '..' and no query; give values with path_values and query"
        )
        raise InvalidRequestError(reason, argument="path")
    if path.startswith(f"{_BASE_PATH}/"):
        # The path may hold a key by mistake.
        reason = f"must not begin with {_BASE_PATH}, because the base URL ends in it: leave it out"
        raise InvalidRequestError(reason, argument="path")
    names = set(_NAME.findall(path))
    if names != set(path_values):
        reason = f"must have exactly the names in the path: {hide(', '.join(sorted(names))) or 'no name'}"
        raise InvalidRequestError(reason, argument="path_values")
    if json is not None and form is not None:
        raise InvalidRequestError("and json cannot be combined: give one of them", argument="form")
    operation: Operation[Any] = Operation(
        name=f"{method} {hide(path)}",
        method=method,
        path=path,
        success=((200, 299),),
        result=object,
        parse=lambda document, _: document,
        # Which of the values is a secret is not known.
        secrets=frozenset(names),
    )
    fields = None if form is None else check_fields("form", form, hide)
    parameters = check_fields("query", query, hide)
    return Call(operation, path_values=dict(path_values), query=parameters, json=json, form=fields)
