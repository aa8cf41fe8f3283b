"""The overlay: it repairs the vendor's documents, and each action names the entries that are its reason."""

import json
from pathlib import Path

import pytest
from oas_patch.overlay import apply_overlay  # type: ignore[import-untyped]  # the package has no type information
from openapi_spec_validator import validate

from tools.compare import compare
from tools.openapi_diff.document import read
from tools.overlay import overlay

from .service import LEDGER, SERVICE
from .test_compare import EXCERPTS


def test_each_entry_is_the_reason_for_an_action() -> None:
    """Each entry that the description names is the reason for an action of its overlay."""
    reasons = {name for action in overlay(SERVICE)["actions"] for name in action.get("x-deviations", ())}
    assert reasons == LEDGER.keys()


@pytest.mark.parametrize("path", EXCERPTS, ids=lambda path: path.stem)
def test_overlay_repairs_the_vendors_document(path: Path) -> None:
    """An excerpt of the vendor's document equals the description after the overlay, and is valid."""
    document = apply_overlay(json.loads(json.dumps(read(path))), overlay(SERVICE))
    assert compare(document, SERVICE, {}) == []
    document["paths"] = {key: item for key, item in document["paths"].items() if key in SERVICE["paths"]}
    document["paths"]["/moderation/keywords/{keywordId}"].pop("delete", None)  # still has references without a target
    validate(document)
