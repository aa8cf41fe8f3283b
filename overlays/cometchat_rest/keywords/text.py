"""Parts of a plan as text for people."""

from collections.abc import Iterator, Sequence

#: The removals that `KeywordPlan.check_removed` allows by default.
REMOVAL_RULE = "a fifth of the entries, or up to five but not more than half"
# The number of entries of each kind, and of characters of a text, that `str(plan)` shows.
_SHOWN_ENTRIES = 5
_SHOWN_TEXT = 120


def first_lines(mark: str, entries: Sequence[str]) -> Iterator[str]:
    """A line for each of the first entries, and a line with the number of all others."""
    for entry in entries[:_SHOWN_ENTRIES]:
        yield mark + readable(entry)
    if len(entries) > _SHOWN_ENTRIES:
        yield f"{mark}... and {len(entries) - _SHOWN_ENTRIES:,} more"


def many(count: int) -> str:
    """A number of entries in words."""
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def readable(value: object) -> str:
    """A text for people: unchanged if it cannot be mistaken for anything else, and otherwise as a
    Python literal."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN_TEXT:
        return f"{readable(text[:_SHOWN_TEXT])}... ({len(text):,} characters)"
    is_plain = text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')
    return text if is_plain else repr(text)
