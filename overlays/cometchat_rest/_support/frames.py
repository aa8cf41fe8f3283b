"""Raises errors without the frames in which they were found."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from cometchat_rest.errors import CometChatError

P = ParamSpec("P")
R = TypeVar("R")


def without_frames(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function raise its errors without its frames: some error reporters print their local variables."""

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except CometChatError as raised:
            error = raised.with_traceback(None)
        finally:
            del args, kwargs
        # An exception that the error replaced has frames as well.
        error.__context__ = None
        raise error

    return wrapper
