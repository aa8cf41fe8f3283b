"""Makes deviations.overlay.yaml from the ledger: an OpenAPI Overlay that repairs the vendor's document.

python -m tools.overlay            write the file
python -m tools.overlay --check    compare it; change nothing. Exit code 1: it is out of date

Each action replaces one part of an operation with ours. `x-deviations` names the entries of the ledger that are the
reason. Our components get a prefix, because the vendor's other operations may use a component of the same name.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Collection, Iterator
from typing import Any

import yaml

from . import deviations
from .generate import replace
from .openapi_diff.document import DESCRIPTION, ROOT, Document, at, operations, read

OVERLAY = ROOT / "contract" / "deviations.overlay.yaml"
_HEADER = "# Written by `make generate` from openapi.yaml and deviations.yaml. Apply it to a document of the vendor.\n"
_PREFIX = "Repaired"
_PARTS = ("parameters", "security", "requestBody", "responses")
#: Parts that explain a description, but are no part of the repair.
_OMITTED = ("example", "examples", "x-evidence", "x-client-option", "x-table")


def overlay(document: Document) -> dict[str, Any]:
    """Return the overlay for a description."""
    return {
        "overlay": "1.0.0",
        "info": {"title": "Repairs of the vendor's document", "version": "1"},
        "actions": list(_actions(document)),
    }


def _actions(document: Document) -> Iterator[dict[str, Any]]:
    general = sorted({name for place, name in deviations.marks(document) if not place})
    components = {kind: _prefixed(kind, held) for kind, held in document["components"].items()}
    yield _action("$", update={"openapi": document["openapi"], "components": components}, entries=general)
    yield from _replaced(document, "$", "servers", document["servers"])
    for path in dict.fromkeys(each.path for each in operations(document)):
        yield _action(f"$.paths['{path}'].parameters", remove=True)
    for each in operations(document):
        target = f"$.paths['{each.path}'].{each.method}"
        above = document["paths"][each.path].get("parameters", [])
        parts = {**each.node, "parameters": [*above, *each.node.get("parameters", [])]}
        entries = {name for place, name in deviations.marks(each.node) if not place}
        for name in _PARTS:
            yield from _replaced(document, target, name, parts.get(name), entries)


def _replaced(
    document: Document, target: str, name: str, part: Any, above: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """Remove a part and add ours: an update alone would merge both. `above` are entries for the whole operation."""
    # A security requirement names its scheme without a reference.
    used = [part, document["components"]["securitySchemes"]] if name == "security" else part
    entries = sorted({*above, *_entries(document, used)})
    yield _action(f"{target}.{name}", remove=True, entries=entries)
    if part:
        yield _action(target, update={name: _repaired(part)}, entries=entries)


def _action(target: str, *, entries: list[str] | None = None, **change: Any) -> dict[str, Any]:
    return {"target": target, **({"x-deviations": entries} if entries else {}), **change}


def _entries(document: Document, part: Any) -> set[str]:
    """The entries that a part and all components that it uses name."""
    used = [at(document["components"], f"/{name}") for name in deviations.used_components(document, part)]
    return {name for _, name in deviations.marks({"": [part, *used]})}


def _repaired(node: Any, *, names: bool = False) -> Any:
    """A copy with the prefix before the names of components, and without examples and evidence."""
    if isinstance(node, list):
        return [_repaired(each) for each in node]
    if isinstance(node, str):
        return re.sub(r"^(#/components/\w+/)", rf"\1{_PREFIX}", node)
    if not isinstance(node, dict):
        return node
    return {
        key: _repaired(value, names=key in ("properties", "mapping"))
        for key, value in node.items()
        if names or key not in _OMITTED
    }


def _prefixed(kind: str, held: dict[str, Any]) -> dict[str, Any]:
    # No security scheme of the vendor has the name of ours.
    prefix = "" if kind == "securitySchemes" else _PREFIX
    return {f"{prefix}{name}": _repaired(each) for name, each in held.items()}


def rendered(document: Document) -> str:
    """Return the content of the file."""
    # A copy through JSON shares no nodes, so that YAML needs no anchors.
    copied = json.loads(json.dumps(overlay(document)))
    return _HEADER + yaml.safe_dump(copied, sort_keys=False, allow_unicode=True, width=120)


def main() -> int:
    """Write or compare the file, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the file, and do not replace it")
    check = parser.parse_args().check
    text = rendered(read(DESCRIPTION))
    if check:
        if OVERLAY.is_file() and OVERLAY.read_text("utf-8") == text:
            return 0
        print(f"{OVERLAY.name} does not match openapi.yaml; run `make generate`", file=sys.stderr)
        return 1
    print(replace(OVERLAY, text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
