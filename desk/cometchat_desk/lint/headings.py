"""Rules about lines that are not entries: titles of columns, comments and headings."""

import re
from collections.abc import Iterator

from cometchat_desk.lists.titles import is_title

from .checks import Listed, Problem


def header_row(listed: Listed) -> Iterator[Problem]:
    """The first row is the title of the column, not an entry.

    Remove the row, or skip it with --header. A title that is repeated further below is reported as
    well.
    """
    if len(listed.entries) < 2 or not is_title(listed.heads[0]):
        return
    title = listed.heads[0].strip()
    for index, entry in enumerate(listed.heads):
        if entry.strip() == title:
            yield index, "looks like the title of the column; remove it, or skip it with --header"


_COMMENT = re.compile(
    r"""
      ^ [ \t]* (?: [#]+ | // ) [ \t]+ \S         # # Vegetables, ## Roots, // old
    | ^ [ \t]* ={2,} [ \t]* \w .* ={2,} [ \t]* $  # === Spices ===
    | ^ [ \t]* -{2,} [ \t]+ \w .* -{2,} [ \t]* $  # --- Spices ---
    | ^ [ \t]* /[*] .* [*]/ [ \t]* $             # /* old */
    | ^ [ \t]* <!-- .* --> [ \t]* $              # <!-- old -->
    """,
    re.VERBOSE | re.MULTILINE,
)


def comment(listed: Listed) -> Iterator[Problem]:
    """The line is a comment or a heading, for example # old words or === Spices ===.

    Each line of a list is an entry, so the comment would be sent as well. Remove the line.
    """
    for index, entry, _ in listed.matching(_COMMENT):
        if "\n" not in entry:
            yield index, "is a comment or a heading; remove this line"


_HEADING = re.compile(
    r"""
      ^ [ \t]* [;!] [ \t]+ \w                  # ; disabled, ! Title
    | ^ [ \t]* \[ [^\[\]\n]{3,} \] [ \t]* $   # [Cabbages]
    | \w{3} [ ]? : [ \t]* $                    # Leafy greens:
    | ^ [ \t]* : [ \t]* \w .* \[ .* \]         # : greens [mask]
    | [=:] [ ]* [\[{(] [ \t]* $               # const words = [
    | ^ [ \t]* [#] (?: !! | \S* = | \w+ [ ] \w )  # #!! NOTE, #version=2, #Old words
    """,
    re.VERBOSE | re.MULTILINE,
)


def heading(listed: Listed) -> Iterator[Problem]:
    """The line is perhaps a heading or a comment, for example [Spices] or Spices:.

    Remove the line, or accept the entry if you mean it. Only words are reported.
    """
    if listed.category != "word":
        return
    comments = {index for index, _ in comment(listed)}
    for index, _, _ in listed.matching(_HEADING):
        if index not in comments:
            yield index, "is perhaps a heading or a comment; if it is, remove this line"
