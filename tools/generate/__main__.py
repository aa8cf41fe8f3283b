"""Generates generated/cometchat_openapi from openapi.yaml, or checks that it is up to date.

python -m tools.generate            replace the committed output
python -m tools.generate --check    compare it byte for byte; change nothing
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.contract.evidence import missing_lines
from tools.description import DESCRIPTION, ROOT, Document, operations, read

from .generate import generate
from .overlays import faults_of_overlays
from .paging import paging_of, shows_one_page

OUTPUT = ROOT / "generated" / "cometchat_openapi"
_SHOWN = OUTPUT.relative_to(ROOT)


def decisions(document: Document) -> Iterator[str]:
    """Say how each list with pages is read."""
    for operation in operations(document):
        paging = paging_of(operation)
        if paging is not None:
            yield f"{operation.id}: {paging.text}"
        elif shows_one_page(operation):
            yield f"{operation.id}: one part of a list; its model is not a loop over all items"


def differences(committed: Path, fresh: Path) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    old = _files(committed)
    new = _files(fresh)
    lines = [f"unknown   {name}" for name in old.keys() - new.keys()]
    lines += [f"missing   {name}" for name in new.keys() - old.keys()]
    lines += [f"different {name}" for name in old.keys() & new.keys() if old[name] != new[name]]
    return sorted(lines)


def _files(folder: Path) -> dict[Path, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): path.read_bytes() for path in files if path.suffix != ".pyc"}


def main() -> None:
    """Generate, or check; after a fault of the description, no file has changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="compare the committed output, and do not replace it"
    )
    try:
        lines = _check() if parser.parse_args().check else _replace()
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    for line in lines:
        print(line)


def _check() -> list[str]:
    """Compare the committed output with that of the description."""
    with tempfile.TemporaryDirectory() as folder:
        changed = differences(OUTPUT, _generated(folder))
    if changed:
        listed = "\n  ".join([f"{_SHOWN} does not match openapi.yaml:", *changed])
        raise ValueError(f"{listed}\nRun: make generate")
    return [f"{_SHOWN}: up to date"]


def _replace() -> list[str]:
    """Replace the committed output, and say what a maintainer has to know about it."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = _generated(folder)
        changed = differences(OUTPUT, fresh)
        if OUTPUT.exists():
            shutil.rmtree(OUTPUT)
        shutil.copytree(fresh, OUTPUT)
    document = read(DESCRIPTION)
    print(*decisions(document), f"{_SHOWN}: {len(changed)} files changed", sep="\n")
    unfit = faults_of_overlays()
    if unfit:
        raise ValueError(f"overlays do not fit {_SHOWN}; change them:\n{unfit}")
    return missing_lines(document)


def _generated(folder: str) -> Path:
    fresh = Path(folder) / OUTPUT.name
    generate(fresh)
    return fresh


if __name__ == "__main__":
    main()
