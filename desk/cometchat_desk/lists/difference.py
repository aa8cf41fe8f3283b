"""The difference of two files of a list, or of two folders of lists, offline: for a comment on a pull request."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from cometchat_desk.fleet import Outcome
from cometchat_rest import CometChatError

from .files import ListFile
from .folder import list_files

#: Whether the file is new, was deleted, has other content, or has the same content.
Status: TypeAlias = Literal["new", "deleted", "changed", "unchanged"]

# The number of entries of each kind that markdown shows.
_SHOWN_ENTRIES = 50
_LONGEST_ENTRY = 200
# A comment on a pull request has at most 65,536 characters. After this number, lists are shown without entries.
_LONGEST_TEXT = 50_000
# The fields of a JSON file, besides the entries.
_FIELDS = ("category", "name", "description")
_TITLES = {"new": "(new file)", "deleted": "(deleted file: the apps keep their list)"}


@frozen(kw_only=True)
class Difference:
    """The entries of two files, compared as sets: order and duplicates are ignored."""

    added: tuple[str, ...]  # the entries that only the new file has, each once
    removed: tuple[str, ...]  # the entries that only the old file has, each once
    unchanged: int  # the number of entries that both files have
    # the fields of two JSON files that differ: `category`, `name` or `description`
    changed_fields: tuple[str, ...] = ()
    only_in: Literal["old", "new"] | None = None  # the only file, if there is no old or no new file

    @property
    def status(self) -> Status:
        """The difference in one word."""
        if self.only_in is not None:
            return "new" if self.only_in == "new" else "deleted"
        return "changed" if self.added or self.removed or self.changed_fields else "unchanged"

    @property
    def share_removed(self) -> float:
        """The share of the old entries that the new file lacks, 0.0 to 1.0."""
        before = len(self.removed) + self.unchanged
        return len(self.removed) / before if before else 0.0


def compare(old: ListFile | None, new: ListFile | None) -> Difference:
    """Compare two files of a list; the old one is `None` if the list is new, the new one if the file was deleted."""
    before, after = (dict.fromkeys(file.entries if file else ()) for file in (old, new))
    return Difference(
        added=tuple(entry for entry in after if entry not in before),
        removed=tuple(entry for entry in before if entry not in after),
        unchanged=len(before.keys() & after.keys()),
        changed_fields=_changed_fields(old, new),
        only_in="old" if new is None else "new" if old is None else None,
    )


def _changed_fields(old: ListFile | None, new: ListFile | None) -> tuple[str, ...]:
    """The fields that differ; text and CSV files have none."""
    if old is None or new is None or not old.category or not new.category:
        return ()
    return tuple(name for name in _FIELDS if getattr(old, name) != getattr(new, name))


def compare_folders(old: Path, new: Path, read: Callable[[Path], ListFile]) -> dict[str, Outcome[Difference]]:
    """Compare two folders of lists. A folder may be empty: then all lists are new, or all are deleted."""
    before, after = (list_files(folder, allow_empty=True) for folder in (old, new))
    outcomes: dict[str, Outcome[Difference]] = {}
    for list_id in sorted({*before, *after}):
        try:
            contents = (read(files[list_id]) if list_id in files else None for files in (before, after))
            outcomes[list_id] = Outcome(result=compare(*contents))
        except CometChatError as error:
            outcomes[list_id] = Outcome(error=error)
    return outcomes


def to_markdown(differences: Sequence[tuple[str, Difference]]) -> str:
    """The differences of several lists as Markdown, for a comment; entries are code, and never become markup."""
    parts: list[str] = []
    for name, difference in differences:
        if difference.status != "unchanged":
            section = _section(name, difference)
            fits = sum(map(len, parts)) + len(section) <= _LONGEST_TEXT
            parts.append(section if fits else _head(name, difference) + "\n")
    same = [name for name, difference in differences if difference.status == "unchanged"]
    if same:
        parts.append(f"Unchanged: {', '.join(map(_code, same))}.\n")
    return "\n".join(parts) or "No lists were compared.\n"


def _section(name: str, difference: Difference) -> str:
    lines = [_head(name, difference)]
    for title, entries in (("Removed", difference.removed), ("Added", difference.added)):
        if entries:
            lines += ["", f"**{title}**", "", *(f"- {_code(entry)}" for entry in entries[:_SHOWN_ENTRIES])]
        if len(entries) > _SHOWN_ENTRIES:
            lines.append(f"- ... and {len(entries) - _SHOWN_ENTRIES:,} more")
    return "\n".join(lines) + "\n"


def _head(name: str, difference: Difference) -> str:
    removed = f"{len(difference.removed):,} removed"
    if difference.removed:
        removed += f" ({difference.share_removed:.1%})"
    counts = f"{len(difference.added):,} added, {removed}, {difference.unchanged:,} unchanged."
    if difference.changed_fields:
        counts += f" Changed: {', '.join(difference.changed_fields)}."
    title = " ".join(filter(None, ("###", _code(name), _TITLES.get(difference.status))))
    return f"{title}\n\n{counts}"


def _code(text: str) -> str:
    """A text as code in Markdown, in one line; characters that cannot be seen become escapes."""
    cut = text if len(text) <= _LONGEST_ENTRY else f"{text[:_LONGEST_ENTRY]}... ({len(text):,} characters)"
    plain = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in cut)
    # The fence must be longer than every run of backticks in the text.
    fence = "`" * (1 + max(map(len, re.findall("`+", plain)), default=0))
    space = " " if plain[:1] in ("`", " ") or plain[-1:] in ("`", " ") else ""
    return f"{fence}{space}{plain}{space}{fence}"
