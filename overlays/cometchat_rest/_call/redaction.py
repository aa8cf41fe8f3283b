"""Keeps secrets out of whatever an error carries, and out of the frames it came through."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import cached_property
from itertools import groupby
from urllib.parse import quote, quote_plus

# Lower-casing by translation keeps every character in its place, which str.lower() does not.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

_IN_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
# How a secret is written in plain text, in an address (and in one within another), a form, JSON, Python, and a page.
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda secret: quote(secret, safe=""),
    lambda secret: quote(quote(secret, safe=""), safe=""),
    quote_plus,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: repr(secret.encode())[2:-1],
    lambda secret: secret.translate(_IN_HTML),
)


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
        """Every run of a long secret, in each spelling."""
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
        return {spell(secret).translate(_LOWER) for secret in secrets if secret for spell in _SPELLINGS}

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


def clear_frames(exception: BaseException, callers: BaseException | None) -> None:
    """Empty the frames that an exception came through: where it happened stays, and what was there goes.

    For what passes through a call and is no error of ours, such as `KeyboardInterrupt`: the frames between a call and
    its socket hold the request, with all that is secret about it.

    Args:
        exception: what is passing.
        callers: what was being handled before the call began; its frames belong to somebody else.
    """
    pending: list[BaseException | None] = [exception]
    done = [callers]
    while pending:
        each = pending.pop()
        if each is None or any(each is other for other in done):
            continue
        done.append(each)
        # The frames of those who are still at work, such as whoever called, are left alone.
        traceback.clear_frames(each.__traceback__)
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


#: Hides the secrets of the call that is under way here, and is unset otherwise.
redacting: ContextVar[Redactor | None] = ContextVar("redacting", default=None)

# A logger's filter sees what is logged on that very logger only, so each of them needs it.
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")


class _Redact(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        redact = redacting.get()
        if redact is not None:
            record.msg, record.args = redact(record.getMessage()), ()
            # Their tracebacks hold requests, and ours says what happened.
            record.exc_info = None
        return True


def guard_wire_logs() -> None:
    """Redact from now on; to be called before the first request, as often as one likes."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, _Redact) for each in logger.filters):
            logger.addFilter(_Redact())
