"""Check the form that updates a keyword list, and make the updated list.

The documents leave some cases open. These rules are the simulator's own; the service may differ:

- The entries (terms or sentences) are replaced. `OpenQuestions.omitted_fields` is about `name` and `description`.
- If a file and entries are sent, the file is used. Each row that is not blank is one entry; `OpenQuestions.quotes` is
  about its double quotes. A row ends at a line break, except inside a field in double quotes.
- Commas separate terms. Spaces and quotes have no meaning and are kept.
- Blank terms between commas are left out. An `id` in the form is ignored: a list keeps its identifier.
- A file is read as UTF-8, the encoding of `text/csv` if no other one is named (RFC 7111). Other bytes become U+FFFD.
- With `vendor_limits`, the limits of the vendor's pages apply as well.
- An update may change the category.
- Pattern lists return their entries as `searchTerms`, sentence-similarity lists as `disallowedSentences`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Attribute, field, frozen

from .data import revision_id
from .described import check_texts
from .errors import bad_request
from .form import FormError, Part
from .records import KeywordListRecord

ENTRIES_OF = {"word": "searchTerms", "pattern": "searchTerms", "sentence-similarity": "disallowedSentences"}
LONGEST = {"id": 100, "name": 100, "description": 255}
LONGEST_TERM = 100
LARGEST_FILE = 2**20
_BLANK = " \t\r\n"

Problems = defaultdict[str, list[str]]


def _answer(*choices: str) -> Any:
    """A field whose first choice is the default; any other value is a ValueError."""

    def check(_: object, attribute: "Attribute[str]", value: object) -> None:
        if value not in choices:
            raise ValueError(f"{attribute.name} must be {' or '.join(map(repr, choices))}, not {value!r}")

    return field(default=choices[0], validator=check)


@frozen(kw_only=True)
class OpenQuestions:
    """The answers to questions that the contract leaves open and that a client depends on; see `Simulator`."""

    vendor_limits: bool = False
    omitted_fields: str = _answer("kept", "cleared")
    page_parameter: str = _answer("page", "ignored")
    quotes: str = _answer("shown", "removed")
    unknown_token: str = _answer("error", "success")


# A field in double quotes may contain line breaks, and doubled double quotes. Any other field ends at a line break.
_FIELD = r'(?:"(?:[^"]|"")*+"(?=,|\r?\n|\Z)|[^,\n]*+)'
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_ROW = re.compile(rf"({_FIELD}(?:,{_FIELD})*+)(?:\r?\n)?")
# Escapes and classes, which may contain the characters of a quantifier, and quantifiers with an upper bound.
_HARMLESS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\{\d*,?\d+\}[+?]?|(?<!\()\?[+?]?", re.DOTALL)
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\}")


def read_update(
    parts: Iterable[Part], fields: Mapping[str, Mapping[str, Any]], answers: OpenQuestions
) -> KeywordListRecord:
    """Read a form with some of the `fields` (their schemas, by name). It is refused with all its errors."""
    problems: Problems = defaultdict(list)
    texts, files = _sort(parts, fields, problems)
    for name, sent in texts.items():
        check_texts(name, sent, fields[name], problems)
    category = _category(texts, problems)
    file = _rows(files, problems, answers) if files else None
    written = _entries(category, texts, problems, has_file=bool(files)) if category else []
    entries = written if file is None else file
    if answers.vendor_limits and category is not None:
        _check_limits(texts, category, entries, files, problems)
    if problems or category is None:
        raise bad_request(problems)
    change: KeywordListRecord = {"category": category, "isCSV": file is not None}
    if ENTRIES_OF[category] == "searchTerms":
        change["searchTerms"] = entries
    else:
        change["disallowedSentences"] = entries
    for text in ("name", "description"):
        if text in texts or answers.omitted_fields == "cleared":
            change[text] = texts.get(text, [""])[0]
    return change


def updated(current: KeywordListRecord, change: KeywordListRecord, keyword_id: str, now: float) -> KeywordListRecord:
    """Make the updated list at the time `now`, in Unix seconds; `current` is not changed."""
    record = current.copy()
    record.pop("searchTerms", None)
    record.pop("disallowedSentences", None)
    record.update(change)
    before = current.get("updatedAt")
    # Two updates within the same second must have different times.
    record["updatedAt"] = max(int(now), before + 1) if isinstance(before, int) else int(now)
    record["revisionId"] = _next_revision(current.get("revisionId"), keyword_id)
    return record


def _next_revision(current: object, keyword_id: str) -> str:
    stem, _, number = str(current).rpartition("_")
    return f"{stem}_{int(number) + 1}" if stem and number.isdecimal() else revision_id(keyword_id, 1)


def _sort(
    parts: Iterable[Part], fields: Mapping[str, Mapping[str, Any]], problems: Problems
) -> tuple[dict[str, list[str]], list[bytes]]:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    files: list[bytes] = []
    for part in parts:
        if part.name == "file":
            files.append(part.data)
        elif part.name not in fields:
            problems[part.name].append("is not a field of this form")
        elif fields[part.name].get("format") != "binary":
            try:
                text = part.text
            except FormError as error:
                problems[part.name].append(str(error))
            else:
                texts[part.name].append(text)
    return texts, files


def _category(texts: Mapping[str, list[str]], problems: Problems) -> str | None:
    sent = next(iter(texts.get("category", ())), None)
    if sent in ENTRIES_OF:
        return sent
    if "category" not in problems:
        problems["category"].append(f"is required and must be one of: {', '.join(ENTRIES_OF)}")
    return None


def _check_limits(
    texts: Mapping[str, list[str]], category: str, entries: list[str], files: list[bytes], problems: Problems
) -> None:
    """Check the limits that only the vendor's pages state."""
    place = "file" if files else "searchTerms"
    terms = () if category == "sentence-similarity" else entries
    patterns = entries if category == "pattern" else ()
    unbounded = any(_UNBOUNDED.search(_HARMLESS.sub("", pattern)) for pattern in patterns)
    sent = {name: texts.get(name, [""])[0] for name in LONGEST}
    for name, most in LONGEST.items():
        if len(sent[name]) > most:
            problems[name].append(f"has at most {most} characters")
    for name, broken, problem in (
        ("id", re.search(r"\s", sent["id"]), "must not contain spaces"),
        (place, any(len(term) > LONGEST_TERM for term in terms), f"a term has at most {LONGEST_TERM} characters"),
        (place, unbounded, "a quantifier in a pattern needs an upper bound"),
        ("file", any(len(file) > LARGEST_FILE for file in files), f"has at most {LARGEST_FILE} bytes"),
    ):
        if broken:
            problems[name].append(problem)


def _entries(category: str, texts: Mapping[str, list[str]], problems: Problems, *, has_file: bool) -> list[str]:
    required = ENTRIES_OF[category]
    for name in texts.keys() & set(ENTRIES_OF.values()) - {required}:
        problems[name].append(f"does not belong to the category {category}")
    if required not in texts:
        if required not in problems:
            problems[required].append(f"is required for the category {category}")
        return []
    if required == "searchTerms":
        terms = [term for term in texts[required][0].split(",") if term.strip(_BLANK)]
        if not (terms or has_file):
            problems["searchTerms"].append("must contain an entry, or there must be a file")
        return terms
    return texts[required]


def _rows(files: list[bytes], problems: Problems, answers: OpenQuestions) -> list[str]:
    if len(files) > 1:
        problems["file"].append("must be sent once")
    text = files[0].decode("utf-8-sig", "replace")
    rows = [row.removesuffix("\r") for row in _ROW.findall(text)]
    if answers.quotes == "removed":
        rows = [row[1:-1].replace('""', '"') if _QUOTED.fullmatch(row) else row for row in rows]
    return [row for row in rows if row.strip()]
