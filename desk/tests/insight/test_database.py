"""The error for a library of the extra `insight` that is not installed."""

import sys

import pytest

from cometchat_desk.insight.matcher import ListTerms, Matcher
from cometchat_rest import InvalidRequestError


@pytest.mark.parametrize("library", ["ahocorasick_rs", "re2"])
def test_missing_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the error says what it brings, and names no package that somebody else
    could own."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        InvalidRequestError,
        match=rf"needs {library}, which is not installed.*pip install \. './desk\[insight\]'",
    ):
        Matcher(
            ListTerms(category="word", terms=("a",)), ListTerms(category="pattern", terms=("a{2}",))
        )
