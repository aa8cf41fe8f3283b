"""The ledger of deviations: it explains each difference from the vendor's documents, and nothing
more."""

import copy

import pytest

from tools.contract import deviations
from tools.contract.compare import compare
from tools.description import ROOT, Document, at

from .description import load
from .excerpts import lines_of_excerpts
from .matrix import contract_part

LEDGER = deviations.read_ledger()
DOCUMENT = load()
# The excerpts have only the operations of service.md.
CONTRACT = contract_part(DOCUMENT)
FORM = "/paths/~1moderation~1keywords~1{keywordId}/put/requestBody/content/multipart~1form-data"
PATTERNS = [pattern for entry in LEDGER.values() for pattern in entry.differences]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The differences from the stored excerpts of the vendor's documents."""
    return lines_of_excerpts(DOCUMENT)


def new(document: Document) -> list[str]:
    found = compare(document, CONTRACT, LEDGER)
    return [finding.line for finding in found if finding.entry is None]


@pytest.mark.parametrize(
    "entry", [each for each in LEDGER.values() if each.test is not None], ids=lambda each: each.id
)
def test_each_entry_has_a_test(entry: deviations.Deviation) -> None:
    """Each entry of the ledger names a test that exists."""
    file, _, name = str(entry.test).rpartition("::")
    assert f"def {name}(" in (ROOT / file).read_text("utf-8")


def test_the_first_entry_is_the_update() -> None:
    """The best known deviation, the response of the update, is the first entry and has high
    confidence."""
    entry = next(iter(LEDGER.values()))
    assert (entry.id, entry.confidence) == ("keyword-list-answer", "high")
    assert deviations.places(DOCUMENT)[entry.id] == ["/components/responses/CurrentKeywordList"]
    assert len(LEDGER) >= 15


def test_patterns_are_narrow_and_used(lines: list[str]) -> None:
    """A pattern of the ledger leaves the vendor's side of a difference never open, and explains
    a known difference."""
    assert [
        each for each in PATTERNS if "*" in each.partition(": ")[2].partition(", ours: ")[0]
    ] == []
    assert [
        each for each in PATTERNS if not any(deviations.matches(each, line) for line in lines)
    ] == []


@pytest.mark.parametrize(
    ("holder", "name", "value"),
    [
        ("/paths/~1roles/get", "security", []),
        ("/paths/~1users~1{uid}~1auth_tokens~1{authToken}/delete", "security", []),
        (FORM, "schema", {"$ref": "#/components/schemas/Role"}),
        ("/components/schemas/Message", "required", ["id"]),
        (FORM, "encoding", {"disallowedSentences": {"style": "spaceDelimited"}}),
        ("/components/schemas/KeywordList/properties", "secret", {"type": "string"}),
    ],
)
def test_no_entry_swallows_another_change(holder: str, name: str, value: object) -> None:
    """A change that the vendor's documents do not have is new, even if the ledger lists a
    similar one."""
    document = copy.deepcopy(dict(CONTRACT))
    at(document, holder)[name] = value
    assert new(document)
