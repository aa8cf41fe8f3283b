"""Keeps secrets out of whatever an error carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
        forms = {form.translate(_LOWER) for secret in secrets for form in (secret, quote(secret, safe="")) if form}
        shown = {run for text in public for run in self._runs(text.translate(_LOWER))}
        self._short = sorted((form for form in forms if len(form) < self._RUN), key=len, reverse=True)
        self._parts = {run for form in forms for run in self._runs(form)} - shown

    def __call__(self, text: str) -> str:
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
