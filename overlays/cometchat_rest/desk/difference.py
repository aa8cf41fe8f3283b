"""The difference of two files of a list, offline: for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from attrs import frozen

from cometchat_rest import keyword_input

# The number of entries of each kind that markdown shows.
_SHOWN_ENTRIES = 50
# A comment on a pull request has at most 65,536 characters.
_LONGEST_ENTRY = 200


@frozen(kw_only=True)
class Difference:
    """The entries of two files, compared as sets: order and duplicates are ignored.

    Attributes:
        added: the entries that only the new file has, each once.
        removed: the entries that only the old file has, each once.
        unchanged: the number of entries that both files have.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int

    def __bool__(self) -> bool:
        """Whether the files differ."""
        return bool(self.added or self.removed)

    @property
    def share_removed(self) -> float:
        """The share of the old entries that the new file lacks, 0.0 to 1.0."""
        before = len(self.removed) + self.unchanged
        return len(self.removed) / before if before else 0.0


def compare_files(old: str | PathLike[str] | None, new: str | PathLike[str] | None) -> Difference:
    """Compare two files of a list. Nothing is sent.

    Args:
        old: the file before the change; `None` if the list is new.
        new: the file after the change; `None` if the file was deleted.

    Raises:
        InvalidRequestError: a file cannot be read, or its content is invalid; the text names file, line and column.
    """
    before, after = (dict.fromkeys(() if path is None else keyword_input.load_terms(path)) for path in (old, new))
    return Difference(
        added=tuple(entry for entry in after if entry not in before),
        removed=tuple(entry for entry in before if entry not in after),
        unchanged=sum(entry in before for entry in after),
    )


def to_markdown(differences: Sequence[tuple[str, Difference]]) -> str:
    """The differences of several lists as Markdown, for a comment.

    An entry is shown as code, so that it cannot become markup, a link or a mention.

    Args:
        differences: the name of each list with its difference.

    Returns:
        Text that ends with a line feed.
    """
    parts = [_section(name, each) for name, each in differences if each]
    same = [name for name, each in differences if not each]
    if same:
        parts.append(f"Unchanged: {', '.join(map(_code, same))}.\n")
    return "\n".join(parts) or "No lists were compared.\n"


def _section(name: str, difference: Difference) -> str:
    removed = f"{len(difference.removed):,} removed"
    if difference.removed:
        removed += f" ({difference.share_removed:.1%})"
    counts = f"{len(difference.added):,} added, {removed}, {difference.unchanged:,} unchanged."
    lines = [f"### {_code(name)}", "", counts]
    for title, entries in (("Removed", difference.removed), ("Added", difference.added)):
        if entries:
            lines += ["", f"**{title}**", "", *(f"- {_code(entry)}" for entry in entries[:_SHOWN_ENTRIES])]
        if len(entries) > _SHOWN_ENTRIES:
            lines.append(f"- ... and {len(entries) - _SHOWN_ENTRIES:,} more")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """A text as code in Markdown, in one line; characters that cannot be seen become escapes."""
    cut = text if len(text) <= _LONGEST_ENTRY else f"{text[:_LONGEST_ENTRY]}... ({len(text):,} characters)"
    plain = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in cut)
    # The fence must be longer than every run of backticks in the text.
    fence = "`"
    while fence in plain:
        fence += "`"
    space = " " if plain[:1] in ("`", " ") or plain[-1:] in ("`", " ") else ""
    return f"{fence}{space}{plain}{space}{fence}"
