"""Keeps secrets out of whatever an error carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from urllib.parse import quote

# Lower-casing by translation keeps every character in its place, which str.lower() does not.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class Redactor:
    """Replaces secrets in text, also when only a part of one is echoed.

    A run of eight or more characters that also stands in a secret is taken for an echo of it, except where that run
    stands in a text that is no secret: a token begins with the uid it belongs to, and an error may well name the uid.
    """

    _RUN = 8

    def __init__(self, secrets: Iterable[str], public: Iterable[str] = ()) -> None:
        # Nearly every call ends well, so the work is left for the first text.
        self._given = (tuple(secrets), tuple(public))

    @cached_property
    def _parts(self) -> set[str]:
        """Every run of a long secret, as it is and percent-encoded."""
        secrets, public = self._given
        shown = {run for text in public for run in self._runs(text.translate(_LOWER))}
        return {run for form in self._forms(secrets) for run in self._runs(form)} - shown

    @cached_property
    def _short(self) -> list[str]:
        """The secrets that are shorter than a run, which only count whole."""
        return [form for form in self._forms(self._given[0]) if len(form) < self._RUN]

    def __call__(self, text: str) -> str:
        """The text without its secrets."""
        lowered = text.translate(_LOWER)
        hidden = bytearray(len(text))
        for start in range(len(text) - self._RUN + 1):
            if lowered[start : start + self._RUN] in self._parts:
                hidden[start : start + self._RUN] = b"\1" * self._RUN
        for form in self._short:
            start = lowered.find(form)
            while start >= 0:
                hidden[start : start + len(form)] = b"\1" * len(form)
                start = lowered.find(form, start + len(form))
        return "".join(self._pieces(text, hidden))

    @staticmethod
    def _forms(secrets: Iterable[str]) -> set[str]:
        return {form.translate(_LOWER) for secret in secrets for form in (secret, quote(secret, safe="")) if form}

    @classmethod
    def _runs(cls, text: str) -> Iterator[str]:
        return (text[start : start + cls._RUN] for start in range(len(text) - cls._RUN + 1))

    @staticmethod
    def _pieces(text: str, hidden: bytearray) -> Iterator[str]:
        position = 0
        for is_hidden, run in groupby(hidden):
            length = sum(1 for _ in run)
            yield "[redacted]" if is_hidden else text[position : position + length]
            position += length
