"""One plain error if the libraries of the extra `insight` are not installed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from cometchat_rest.errors import InvalidRequestError


@contextlib.contextmanager
def needs_insight(what: str) -> Iterator[None]:
    """Turn a missing library into an error that says how to install it.

    Args:
        what: the task that needs the library, as the subject of a sentence.

    Raises:
        InvalidRequestError: a library is not installed. Its `__cause__` is the ImportError.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise InvalidRequestError(
            f'{what} needs the extra "insight", because {error.name} is not installed: '
            'pip install "cometchat-desk[insight]"'
        ) from error
