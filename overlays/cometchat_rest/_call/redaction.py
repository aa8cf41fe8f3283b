"""Keeps secrets out of the texts of errors, the frames of tracebacks, and the logs of transports."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any
from urllib.parse import quote, quote_plus

#: A secret with fewer characters is left alone: nearly every text contains it by chance, and anybody could guess it.
SHORTEST_SECRET = 4
#: A secret with so many characters is no word by chance.
LONG_SECRET = 16
_DIGIT = re.compile("[0-9]")

# Lower-casing by translation keeps every character in its place, which str.lower() does not.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

_IN_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
#: How plain text, an address (also one within another), a form, JSON, CSV, Python and HTML hold a secret.
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda secret: quote(secret, safe=""),
    lambda secret: quote(quote(secret, safe=""), safe=""),
    quote_plus,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: secret.replace('"', '""'),
    lambda secret: repr(secret.encode())[2:-1],
    lambda secret: secret.translate(_IN_HTML),
)


# The contract calls a property with a key `apiKey`. It may be the key of another app.
_KEY_IN_JSON = re.compile(r'("apiKey"\s*:\s*)"[^"]*"?')


class Redactor:
    """Replaces secrets in text, also where only a part of a secret is repeated."""

    # So many characters that also occur in a secret count as a part of it.
    _RUN = 8

    def __init__(self, secrets: Callable[[], Iterable[str]]) -> None:
        # Nearly every call succeeds, so the work waits for the first text.
        self._secrets = secrets

    @cached_property
    def _parts(self) -> set[str]:
        """Every run of a long secret, in each spelling."""
        return {form[at : at + self._RUN] for form in self._forms for at in range(len(form) - self._RUN + 1)}

    @cached_property
    def _short(self) -> list[str]:
        """The secrets that are shorter than a run: only the whole secret counts."""
        return [form for form in self._forms if len(form) < self._RUN]

    @cached_property
    def _forms(self) -> set[str]:
        long_enough = (secret for secret in self._secrets() if len(secret) >= SHORTEST_SECRET)
        return {spell(secret).translate(_LOWER) for secret in long_enough for spell in SPELLINGS}

    def is_in(self, text: str) -> bool:
        """Whether a text repeats a complete secret, and not only one that may be a word: short, or without a digit."""
        lowered = text.translate(_LOWER)
        return any(form in lowered for form in self._forms if len(form) >= LONG_SECRET and _DIGIT.search(form))

    def __call__(self, text: str) -> str:
        """The text without its secrets."""
        text = _KEY_IN_JSON.sub(r'\1"[redacted]"', text)
        lowered = text.translate(_LOWER)
        parts, run = self._parts, self._RUN
        spans = [(start, start + run) for start in range(len(text) - run + 1) if lowered[start : start + run] in parts]
        spans += [match.span() for form in self._short for match in re.finditer(re.escape(form), lowered)]
        return _cut_out(text, sorted(spans)) if spans else text


def _cut_out(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with one mark in place of each group of ranges that touch."""
    pieces: list[str] = []
    end = -1
    for start, stop in spans:
        if start > end:
            pieces += [text[max(end, 0) : start], "[redacted]"]
        end = max(end, stop)
    return "".join([*pieces, text[end:]])


def clear_frames(exception: BaseException, callers: BaseException | None) -> None:
    """Clear the local variables, which hold secrets, in the traceback of an exception such as `KeyboardInterrupt`."""
    pending: list[BaseException | None] = [exception]
    done = [callers]
    while pending:
        each = pending.pop()
        if each is None or any(each is other for other in done):
            continue
        done.append(each)
        # Frames that are still running, such as the caller's, stay as they are.
        traceback.clear_frames(each.__traceback__)
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


# The libraries whose records about an exception have frames that hold requests.
_WIRE = frozenset({"aiohttp", "asyncio", "h2", "httpcore", "httpcore2", "httpx", "httpx2"})
# These write headers in the encoding of HTTP/2, in which no search finds a secret.
_PACKED = frozenset({"hpack", "hyperframe"})
# The redactors of the attempts that run now. They are not in a context variable: tasks can share a context, and then
# one task would read the redactor of another.
_running: dict[object, Redactor] = {}


@contextmanager
def hiding_secrets(redact: Redactor) -> Iterator[None]:
    """Keep the secrets of one attempt out of all log records, and out of the spans of other libraries."""
    _guard_logs()
    # Every instrumentation of OpenTelemetry imports this module. A span of a request would show its whole address.
    instrumentation = sys.modules.get("opentelemetry.instrumentation.utils")
    key = object()
    _running[key] = redact
    try:
        if instrumentation is None:
            yield
        else:
            with instrumentation.suppress_http_instrumentation():
                yield
    finally:
        del _running[key]


class _GuardedFactory:
    """Makes log records as another factory does, and redacts those that are made while an attempt runs."""

    # A filter would see the records of one logger only, and some loggers appear during the first call.
    def __init__(self, make: Callable[..., logging.LogRecord]) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self._make(*args, **kwargs)
        # A record may be invalid, and then its handler says so.
        with suppress(Exception):
            _redact(record)
        return record


def _guard_logs() -> None:
    # Checked for each attempt: a program may set a factory at any time.
    make = logging.getLogRecordFactory()
    if not isinstance(make, _GuardedFactory):
        logging.setLogRecordFactory(_GuardedFactory(make))


def _redact(record: logging.LogRecord) -> None:
    library = record.name.partition(".")[0]
    for redact in list(_running.values()):
        message = record.getMessage()
        if (hidden := "[redacted]" if library in _PACKED else redact(message)) != message:
            record.msg, record.args = hidden, ()
        if record.exc_info:
            trace = logging.Formatter().formatException(record.exc_info)
            if library in _WIRE or redact(trace) != trace:
                record.exc_text, record.exc_info = trace, None
        if record.exc_text:
            record.exc_text = redact(record.exc_text)
