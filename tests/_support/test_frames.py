"""Errors of settings and arguments: no frame and no other exception holds a secret."""

import pytest

from cometchat_rest import ConfigurationError
from cometchat_rest._support.frames import without_frames

from ..support import own_locals

SECRET = "hunter2-hunter2"


@without_frames
def refuse(value: str, *, cause: bool = False) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise ConfigurationError("not a number") from error if cause else None


def test_no_frame_holds_an_argument() -> None:
    """An error is raised without the frames that found it, and without the exception that it replaced."""
    with pytest.raises(ConfigurationError) as caught:
        refuse(SECRET)
    assert [entry.name for entry in caught.traceback][1:] == ["wrapper"]
    assert SECRET not in own_locals(caught.value)
    assert caught.value.__context__ is None


def test_exception_of_the_caller_stays() -> None:
    """An exception that the caller was handling stays the context of the error, and a chosen cause stays as well."""
    caller = LookupError()
    try:
        raise caller
    except LookupError:
        with pytest.raises(ConfigurationError) as caught:
            refuse("x", cause=True)
    assert caught.value.__context__ is caller
    assert isinstance(caught.value.__cause__, ValueError)


def test_bug_keeps_its_frames() -> None:
    """An exception that is no error of the package shows where it was raised."""
    with pytest.raises(TypeError) as caught:
        refuse(None)  # type: ignore[arg-type]  # a bug of the caller
    assert [entry.name for entry in caught.traceback][-1] == "refuse"
