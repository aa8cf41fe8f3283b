"""The difference of two files of a list, or of two folders of lists, offline."""

from collections.abc import Callable
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
    before, after = (dict.fromkeys(file.entries if file else ()) for file in (old, new))
    # Text and CSV files have no fields.
    both = old and new and old.category and new.category
    fields = tuple(name for name in _FIELDS if both and getattr(old, name) != getattr(new, name))
    changed: Status = "changed" if before.keys() != after.keys() or fields else "unchanged"
    return Difference(
        added=tuple(entry for entry in after if entry not in before),
        removed=tuple(entry for entry in before if entry not in after),
        unchanged=len(before.keys() & after.keys()),
        status="new" if old is None else "deleted" if new is None else changed,
        changed_fields=fields,
    )


def compare_folders(
    old: Path, new: Path, read: Callable[[Path], ListFile]
) -> dict[str, Outcome[Difference]]:
    """Compare two folders of lists. A folder may be empty: then all lists are new, or all are
    deleted."""
    before, after = (list_files(folder, allow_empty=True) for folder in (old, new))

    def compared(keyword_id: str) -> Difference:
        return compare(
            *(read(files[keyword_id]) if keyword_id in files else None for files in (before, after))
        )

    return {
        keyword_id: attempt(partial(compared, keyword_id))
        for keyword_id in sorted({*before, *after})
    }
