"""The comparison of the vendor's update form, which has one alternative for each category, with our
one form."""

import copy
from typing import Any

import pytest

from tools.contract import deviations
from tools.contract.compare import compare
from tools.description import DESCRIPTION, ROOT, read

from ..contract.matrix import contract_part
from .changes import Change, both, put

VENDOR = read(ROOT / "contract" / "vendor" / "newer.yaml")
OURS = contract_part(read(DESCRIPTION))
LEDGER = deviations.read_ledger()
SCHEMAS = "/components/schemas"
COMMON = f"{SCHEMAS}/Common"
WORDS = f"{SCHEMAS}/Words/allOf/1"
PATTERNS = f"{SCHEMAS}/Patterns/allOf/1"
SENTENCES = f"{SCHEMAS}/Sentences/allOf/1"
FORM = f"{SCHEMAS}/KeywordListForm"
PUT = "/paths/~1moderation~1keywords~1{keywordId}/put/requestBody/content/multipart~1form-data"
TEXT = {"type": "string"}
TWO = '"link", "word"'
THREE = '"pattern", "sentence-similarity", "word"'


def links(document: Any) -> None:
    """A form for one more category."""
    schemas = document["components"]["schemas"]
    schemas["Links"] = {"type": "object", "required": ["url"], "properties": {"url": TEXT}}
    schemas["Form"]["oneOf"].append({"$ref": "#/components/schemas/Links"})


def without_words(document: Any) -> None:
    del document["components"]["schemas"]["Form"]["oneOf"][0]


#: Changes of the vendor's forms, and the new lines for each.
CHANGES: dict[str, tuple[Change, set[str]]] = {
    "nothing": (lambda _: None, set()),
    "a required field of all forms": (
        both(
            put(COMMON, required=["category", "language"]),
            put(f"{COMMON}/properties", language=TEXT),
        ),
        {f'{FORM}: property "language": vendor: required, ours: nothing'},
    ),
    "an optional field of all forms": (
        put(f"{COMMON}/properties", severity={"type": "integer"}),
        {f'{FORM}: property "severity": vendor: optional, ours: nothing'},
    ),
    "a required field of one form": (
        put(WORDS, required=["terms"], properties={"terms": TEXT}),
        {f'{FORM}: property "terms": vendor: required in some, ours: nothing'},
    ),
    "an optional field of one form": (
        put(f"{SENTENCES}/properties", threshold={"type": "number"}),
        {f'{FORM}: property "threshold": vendor: optional, ours: nothing'},
    ),
    "a field less": (
        put(f"{COMMON}/properties", file=None),
        {f'{FORM}: property "file": vendor: nothing, ours: optional'},
    ),
    "a field that all forms need": (
        put(COMMON, required=["category", "name"]),
        {f'{FORM}: property "name": vendor: required, ours: optional'},
    ),
    "a field that no form needs": (
        both(put(WORDS, required=[]), put(PATTERNS, required=[])),
        # Optional on both sides, so the known line is gone.
        set(),
    ),
    "one category more": (
        put(
            f"{COMMON}/properties/category", enum=["word", "pattern", "sentence-similarity", "link"]
        ),
        {
            f'{SCHEMAS}/KeywordCategory: value "link": vendor: allowed, ours: nothing',
        },
    ),
    "other categories": (
        put(f"{COMMON}/properties/category", enum=["word", "link"]),
        {f"{SCHEMAS}/KeywordCategory: values: vendor: {TWO}, ours: {THREE}"},
    ),
    "another type in one form": (
        put(f"{WORDS}/properties", searchTerms={"type": "array", "items": TEXT}),
        {f"{FORM}/properties/searchTerms: type: vendor: array or string, ours: string"},
    ),
    "a limit in one form": (
        put(f"{PATTERNS}/properties/searchTerms", maxLength=100),
        {f"{FORM}/properties/searchTerms: maxLength: vendor: [null, 100], ours: nothing"},
    ),
    "one form more": (
        links,
        {
            f'{PUT}/schema: alternative "Links": vendor: present, ours: nothing',
            f'{FORM}: property "url": vendor: required in some, ours: nothing',
            f'{FORM}: property "category": vendor: required in some, ours: required',
        },
    ),
    "one form less": (
        without_words,
        set(),
    ),
}


def new_lines(*changes: Change) -> set[str]:
    document = copy.deepcopy(dict(VENDOR))
    for change in changes:
        change(document)
    return {each.line for each in compare(document, OURS, LEDGER) if each.entry is None}


@pytest.mark.parametrize(("change", "lines"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_a_form_is_new(change: Change, lines: set[str]) -> None:
    """A change in any of the vendor's forms is a new difference, though the forms themselves are
    known ones."""
    assert new_lines(change) == lines


def test_all_changes_of_a_document_are_new() -> None:
    """A document whose form has changed in several ways shows each of them."""
    kinds = (
        "a required field of all forms",
        "an optional field of one form",
        "a field less",
        "other categories",
        "another type in one form",
    )
    expected = [CHANGES[kind][1] for kind in kinds]
    assert new_lines(*(CHANGES[kind][0] for kind in kinds)) == set().union(*expected)
