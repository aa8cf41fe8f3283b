"""The difference of two files of a list, or of two folders of lists, offline."""

from collections.abc import Callable, Container, Iterable
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from cometchat_desk.fleet import Outcome, attempt

from .files import ListFile
from .folder import list_files

#: Whether the file is new, was deleted, has other content, or has the same content.
Status: TypeAlias = Literal["new", "deleted", "changed", "unchanged"]

# The fields of a JSON file, besides the entries.
_FIELDS = ("category", "name", "description")


@frozen(kw_only=True)
class Difference:
    """The entries of two files, compared as sets: order and duplicates are ignored."""

    status: Status  # the difference in one word
    added: tuple[str, ...]  # the entries that only the new file has, each once
    removed: tuple[str, ...]  # the entries that only the old file has, each once
    unchanged: int  # the number of entries that both files have
    # the fields of two JSON files that differ: `category`, `name` or `description`
    changed_fields: tuple[str, ...] = ()


def compare(old: ListFile | None, new: ListFile | None) -> Difference:
    """Compare two files of a list; the old one is `None` if the list is new, the new one if the
    file was deleted."""
    before = dict.fromkeys(old.entries if old else ())
    after = dict.fromkeys(new.entries if new else ())
    added = _without(after, before)
    removed = _without(before, after)
    fields = _changed_fields(old, new)
    if old is None:
        status: Status = "new"
    elif new is None:
        status = "deleted"
    else:
        status = "changed" if added or removed or fields else "unchanged"
    return Difference(
        status=status,
        added=added,
        removed=removed,
        unchanged=len(before.keys() & after.keys()),
        changed_fields=fields,
    )


def _without(entries: Iterable[str], left_out: Container[str]) -> tuple[str, ...]:
    return tuple(entry for entry in entries if entry not in left_out)


def _changed_fields(old: ListFile | None, new: ListFile | None) -> tuple[str, ...]:
    # Text and CSV files have no fields.
    if old is None or new is None or not (old.category and new.category):
        return ()
    return tuple(name for name in _FIELDS if getattr(old, name) != getattr(new, name))


def compare_folders(
    old: Path, new: Path, read: Callable[[Path], ListFile]
) -> dict[str, Outcome[Difference]]:
    """Compare two folders of lists. A folder may be empty: then all lists are new, or all are
    deleted."""
    before = list_files(old, allow_empty=True)
    after = list_files(new, allow_empty=True)

    def compared(keyword_id: str) -> Difference:
        return compare(
            read(before[keyword_id]) if keyword_id in before else None,
            read(after[keyword_id]) if keyword_id in after else None,
        )

    return {
        keyword_id: attempt(partial(compared, keyword_id))
        for keyword_id in sorted({*before, *after})
    }
