"""One plain error if the libraries of an extra are not installed."""

import contextlib
from collections.abc import Iterator

from cometchat_rest import InvalidRequestError

_BRINGS = {
    "insight": "google-re2 and ahocorasick-rs (finding terms in texts)",
    "parquet": "duckdb (reading and writing Parquet)",
}


@contextlib.contextmanager
def needs(extra: str, task: str) -> Iterator[None]:
    """Turn a missing library into an error that begins with `task`, the subject of a sentence."""
    # The error names no package of an index: before the first release, somebody else could own the name.
    try:
        yield
    except ModuleNotFoundError as error:
        raise InvalidRequestError(
            f'{task} needs {error.name}, which is not installed. The extra "{extra}" of cometchat-desk brings '
            f"{_BRINGS[extra]}; inside a checkout: python -m pip install . './desk[{extra}]'"
        ) from error
