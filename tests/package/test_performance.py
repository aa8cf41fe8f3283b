"""The page about performance, the README and the drawings show the same measurement."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "tools" / "benchmarks" / "results.json"
SHOWN = """
import json, sys
import report
results = json.load(open("results.json", encoding="utf-8"))
print(json.dumps({str(page): report.with_results(page.read_text("utf-8"), results) for page in report.PAGES}))
"""


def test_tables_show_the_stored_results() -> None:
    """The numbers in the documentation and in the README come from the stored measurement."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", SHOWN], cwd=RESULTS.parent, capture_output=True, text=True, check=True
    )
    pages = json.loads(done.stdout)
    assert {Path(name).name for name in pages} == {"performance.md", "README.md"}
    for name, text in pages.items():
        assert Path(name).read_text("utf-8") == text, f"run `python tools/benchmarks/run.py --show` to update {name}"
        assert "<!-- results:" in text


@pytest.mark.parametrize(
    ("name", "results", "command"),
    [
        ("benchmarks.svg", "results.json", "run.py --show"),
        ("growth.svg", "results.json", "run.py --show"),
        ("try.svg", "try_list.json", "try_list.py 200000 draw"),
    ],
)
def test_drawings_show_the_stored_results(name: str, results: str, command: str) -> None:
    """The drawings were made from the stored measurements."""
    of_the_results = hashlib.sha256(RESULTS.with_name(results).read_bytes()).hexdigest()
    assert of_the_results in (ROOT / "docs" / name).read_text("utf-8"), f"run `python tools/benchmarks/{command}`"


def test_results_name_the_machine_and_the_versions() -> None:
    """The stored measurement says when, on which machine and with which versions it was made."""
    results = json.loads(RESULTS.read_text("utf-8"))
    assert {"date", "machine", "python", "rounds"} <= results.keys()
    assert all(any(c.isdigit() for c in version) for version in results["contenders"].values())
