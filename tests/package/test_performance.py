"""The page about performance and the README show the same measurement."""

import json
import subprocess
import sys
from pathlib import Path

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


def test_results_name_the_machine_and_the_versions() -> None:
    """The stored measurement says when, on which machine and with which versions it was made."""
    results = json.loads(RESULTS.read_text("utf-8"))
    assert {"date", "machine", "python", "rounds"} <= results.keys()
    assert all(any(c.isdigit() for c in version) for version in results["contenders"].values())
