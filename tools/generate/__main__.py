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

from tools.description import DESCRIPTION, ROOT, Document, read

from .generate import generate
from .paging import paging_of, shows_one_page
from .resources import operations

OUTPUT = ROOT / "generated" / "cometchat_openapi"
_SHOWN = OUTPUT.relative_to(ROOT)


def decisions(document: Document) -> Iterator[str]:
    """Say how each list with pages is read, and how overlays mark the use of what is deprecated."""
    for method in operations(document):
        if method.deprecated is not None:
            mark = f"@deprecated({method.deprecated!r})"
            yield f"{method.id}: write above each method of an overlay that uses it: {mark}"
        paging = paging_of(method)
        if paging is not None:
            yield f"{method.id}: {paging.text}"
        elif shows_one_page(method):
            yield f"{method.id}: one part of a list; its model is not a loop over all items"


def differences(committed: Path, fresh: Path) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    old = _files(committed)
    new = _files(fresh)
    lines = [f"unknown   {name}" for name in old.keys() - new.keys()]
    lines += [f"missing   {name}" for name in new.keys() - old.keys()]
    lines += [f"different {name}" for name in old.keys() & new.keys() if old[name] != new[name]]
    return sorted(lines)


def _files(folder: Path) -> dict[Path, bytes]:
    paths = (path for path in folder.rglob("*.*") if path.suffix != ".pyc")
    return {path.relative_to(folder): path.read_bytes() for path in paths}


def main() -> None:
    """Generate, or check; after a fault of the description, no file has changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="compare the committed output, and do not replace it"
    )
    is_check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / OUTPUT.name
        try:
            generate(fresh)
        except ValueError as error:
            sys.exit(str(error))
        changed = differences(OUTPUT, fresh)
        if not is_check:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(fresh, OUTPUT)
    if not is_check:
        print(*decisions(read(DESCRIPTION)), f"{_SHOWN}: {len(changed)} files changed", sep="\n")
        if changed:
            print("Run: make types, which compares the overlays with these files")
    elif changed:
        listed = "\n  ".join([f"{_SHOWN} does not match openapi.yaml:", *changed])
        sys.exit(f"{listed}\nRun: make generate")
    else:
        print(f"{_SHOWN}: up to date")


if __name__ == "__main__":
    main()
