"""One plain error if the libraries of the extra `insight` are not installed."""

import contextlib
from collections.abc import Iterator

from cometchat_rest import InvalidRequestError


@contextlib.contextmanager
def needs(task: str) -> Iterator[None]:
    """Turn a missing library into an error that begins with `task`, the subject of a sentence."""
    # The error names no package of an index: before the first release, somebody else could own the name.
    try:
        yield
    except ModuleNotFoundError as error:
        raise InvalidRequestError(
            f'{task} needs {error.name}, which is not installed. The extra "insight" of cometchat-desk brings it; '
            "inside a checkout: python -m pip install . './desk[insight]'"
        ) from error
