"""Make the updated keyword list from the form of an update.

The documents leave some cases open. These rules are the simulator's own; the service may differ:

- The entries (terms or sentences) are replaced. `OpenQuestions.omitted_fields` is about `name` and
  `description`.
- If a file and entries are sent, the file is used. Each row that is not blank is one entry;
  `OpenQuestions.quotes` is about its double quotes. A row ends at a line break, except inside a
  field in double quotes.
- Commas separate terms. Spaces and quotes have no meaning and are kept.
- Blank terms between commas are left out. An `id` in the form is ignored: a list keeps its
  identifier.
- A file is read as UTF-8, the encoding of `text/csv` if no other one is named (RFC 7111). Other
  bytes become U+FFFD.
- With `vendor_limits`, the limits of the vendor's pages apply as well.
- An update may change the category.
- Pattern lists return their entries as `searchTerms`, sentence-similarity lists as
  `disallowedSentences`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from .data import revision_id
from .described import Problems
from .errors import bad_request, must_be
from .records import KeywordListRecord

LONGEST = {"id": 100, "name": 100, "description": 255}
LONGEST_TERM = 100
LARGEST_FILE = 2**20
_BLANK = " \t\r\n"


def _answer(*choices: str) -> Any:
    """A field whose first choice is the default; a value that is no choice is a ValueError."""
    wanted = " or ".join(map(repr, choices))
    validator = must_be(wanted, lambda value: value in choices)
    return field(default=choices[0], validator=validator)


@frozen(kw_only=True)
class OpenQuestions:
    """The answers to questions that the contract leaves open and that a client depends on; see
    `Simulator`."""

    vendor_limits: bool = False
    omitted_fields: str = _answer("kept", "cleared")
    page_parameter: str = _answer("page", "ignored")
    quotes: str = _answer("shown", "removed")
    unknown_token: str = _answer("error", "success")
    hidden_entries: str = _answer("none", "missing", "empty")


def as_shown(record: KeywordListRecord, answers: OpenQuestions) -> KeywordListRecord:
    """Make the record that a response shows; the entries of words are hidden only if they came from
    a CSV file."""
    is_promised = record.get("category") == "word" and not record.get("isCSV")
    if is_promised or answers.hidden_entries == "none":
        return record
    shown = record.copy()
    shown.pop("searchTerms", None)
    shown.pop("disallowedSentences", None)
    if answers.hidden_entries == "empty":
        shown["searchTerms"] = []
    return shown


# A text in double quotes; each double quote in it is doubled.
_QUOTED = r'"(?:[^"]|"")*+"'
_FIELD = rf"""(?:
    {_QUOTED} (?=,|\r?\n|\Z)  # "a field, with a comma", or with line breaks and doubled quotes
    | [^,\n]*+                # any other field ends at a line break
)"""
_ROW = re.compile(rf"({_FIELD} (?:,{_FIELD})*+) (?:\r?\n)?", re.VERBOSE)
# The parts of a pattern that may contain the characters of a quantifier without an upper bound.
_HARMLESS = re.compile(
    r"""
    \\.                            # an escape: \*
    | \[\^?\]?(?:\\.|[^\]\\])*+\]  # a class: [^*+]
    | \{\d*,?\d+\}[+?]?            # a quantifier with an upper bound: {2,3}?
    | (?<!\()\?[+?]?               # an optional part, but not the start of a group: ?
    """,
    re.DOTALL | re.VERBOSE,
)
_UNBOUNDED = re.compile(
    r"""
    [*+]          # *
    | \{\d*,\}    # {2,}
    """,
    re.VERBOSE,
)


def read_update(form: Mapping[str, Any], answers: OpenQuestions) -> KeywordListRecord:
    """Make the changed fields of a list from a form that fits its description."""
    file = form.get("file")
    if file is not None:
        content = file.encode("latin-1")
        entries = _rows(content.decode("utf-8-sig", "replace"), answers)
    elif form["category"] == "sentence-similarity":
        entries = form["disallowedSentences"]
    else:
        terms = form["searchTerms"].split(",")
        entries = [term for term in terms if term.strip(_BLANK)]
    if answers.vendor_limits:
        _check_limits(form, entries)
    change: KeywordListRecord = {"category": form["category"], "isCSV": file is not None}
    if form["category"] == "sentence-similarity":
        change["disallowedSentences"] = entries
    else:
        change["searchTerms"] = entries
    for field_name in ("name", "description"):
        if field_name in form or answers.omitted_fields == "cleared":
            change[field_name] = form.get(field_name, "")
    return change


def updated(
    current: KeywordListRecord, change: KeywordListRecord, keyword_id: str, now: float
) -> KeywordListRecord:
    """Make the updated list at the time `now`, in Unix seconds; `current` is not changed."""
    record = current.copy()
    record.pop("searchTerms", None)
    record.pop("disallowedSentences", None)
    record.update(change)
    record["updatedAt"] = int(now)
    before = current.get("updatedAt")
    if isinstance(before, int):
        # Two updates within the same second must have different times.
        record["updatedAt"] = max(int(now), before + 1)
    record["revisionId"] = _next_revision(current.get("revisionId"), keyword_id)
    return record


def _next_revision(current: object, keyword_id: str) -> str:
    stem, _, number = str(current).rpartition("_")
    if stem and number.isdecimal():
        return f"{stem}_{int(number) + 1}"
    return revision_id(keyword_id, 1)


def _check_limits(form: Mapping[str, Any], entries: list[str]) -> None:
    """Check the limits that only the vendor's pages state."""
    problems: Problems = defaultdict(list)
    for name, longest in LONGEST.items():
        if len(form.get(name, "")) > longest:
            problems[name].append(f"has at most {longest} characters")
    if re.search(r"\s", form.get("id", "")):
        problems["id"].append("must not contain spaces")
    _check_terms(form, entries, problems)
    if len(form.get("file", "")) > LARGEST_FILE:
        problems["file"].append(f"has at most {LARGEST_FILE} bytes")
    if problems:
        raise bad_request(problems)


def _check_terms(form: Mapping[str, Any], entries: list[str], problems: Problems) -> None:
    place = "file" if "file" in form else "searchTerms"
    if form["category"] == "sentence-similarity":
        return
    if any(len(term) > LONGEST_TERM for term in entries):
        problems[place].append(f"a term has at most {LONGEST_TERM} characters")
    if form["category"] == "pattern" and any(map(_is_unbounded, entries)):
        problems[place].append("a quantifier in a pattern needs an upper bound")


def _is_unbounded(pattern: str) -> bool:
    return _UNBOUNDED.search(_HARMLESS.sub("", pattern)) is not None


def _rows(text: str, answers: OpenQuestions) -> list[str]:
    rows = [row.removesuffix("\r") for row in _ROW.findall(text)]
    if answers.quotes == "removed":
        rows = [_without_quotes(row) for row in rows]
    return [row for row in rows if row.strip()]


def _without_quotes(row: str) -> str:
    if re.fullmatch(_QUOTED, row):
        return row[1:-1].replace('""', '"')
    return row
