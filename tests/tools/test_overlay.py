"""The ledger is executable: its overlay repairs the vendor's documents, and the comparison has nothing new to say."""

import json
from pathlib import Path
from typing import Any

import pytest
from oas_patch.overlay import apply_overlay  # type: ignore[import-untyped]  # the package has no type information
from openapi_spec_validator import validate

from tools import deviations
from tools.compare import compare
from tools.openapi_diff.document import DESCRIPTION, read
from tools.overlay import OVERLAY, overlay, rendered

OURS = read(DESCRIPTION)
# The excerpts have only the operations of service.md.
CONTRACT = deviations.contract_part(OURS)
LEDGER = deviations.read()
EXCERPTS = sorted(Path(__file__).with_name("vendor").glob("*.yaml"))


def repaired(path: Path, changes: dict[str, Any]) -> Any:
    """An excerpt of the vendor after an overlay."""
    return apply_overlay(json.loads(json.dumps(read(path))), changes)


def test_overlay_is_up_to_date() -> None:
    """deviations.overlay.yaml matches openapi.yaml, and each entry of the ledger is the reason for an action."""
    assert OVERLAY.read_text("utf-8") == rendered(OURS), "run `make generate`"
    reasons = {name for action in overlay(OURS)["actions"] for name in action.get("x-deviations", ())}
    assert reasons == LEDGER.keys()


@pytest.mark.parametrize("path", EXCERPTS, ids=lambda path: path.stem)
def test_overlay_repairs_the_vendors_document(path: Path) -> None:
    """An excerpt of the vendor's document equals our description after the overlay, and is valid."""
    document = repaired(path, overlay(OURS))
    assert compare(document, CONTRACT, {}) == []
    document["paths"] = {key: item for key, item in document["paths"].items() if key in CONTRACT["paths"]}
    document["paths"]["/moderation/keywords/{keywordId}"].pop("delete", None)  # still has references without a target
    validate(document)


@pytest.mark.parametrize("path", EXCERPTS, ids=lambda path: path.stem)
def test_nothing_is_new_in_the_vendors_document(path: Path) -> None:
    """The comparison with an excerpt has the expected differences, and each of them is known."""
    findings = compare(read(path), CONTRACT, LEDGER)
    assert "\n".join(map(str, findings)) + "\n" == path.with_suffix(".txt").read_text("utf-8")
    assert [finding.line for finding in findings if finding.entry is None] == []


def test_each_pattern_of_the_ledger_is_used() -> None:
    """Each difference that the ledger lists occurs in an excerpt of the vendor's document."""
    lines = [finding.line for path in EXCERPTS for finding in compare(read(path), CONTRACT, {})]
    patterns = [pattern for entry in LEDGER.values() for pattern in entry.differences]
    assert [each for each in patterns if not any(deviations.matches(each, line) for line in lines)] == []
