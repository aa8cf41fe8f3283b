"""Shows that keeping reviewed messages in a file takes the same memory for ten thousand of them as for a million.

python benchmarks/export.py            ten thousand, a hundred thousand, a million records; some minutes
python benchmarks/export.py 1000 5000  so many

The service lists the latest records and has no way to ask for older ones (service.md, section 4.3), so that a million
records are a thousand answers of a thousand. The simulator gives each of them new records, and a process of its own
for each size asks for them and adds them to one file.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from cometchat_rest import Client, ReviewedFile
from cometchat_rest.testing import Simulator

SIZES = (10_000, 100_000, 1_000_000)
#: As many as the simulator gives at a time.
ANSWER = 1000
_MEGABYTE = 10**6
# Linux counts in kilobytes, macOS in bytes.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def export(base_url: str, api_key: str, path: str) -> None:
    """Ask for an answer whenever there is a line to read, and add it to the file; at the end tell what it took."""
    written = 0
    began = time.process_time()
    with Client(base_url=base_url, api_key=api_key) as chat, ReviewedFile(path) as file:
        for _ in sys.stdin:
            written += file.append(chat.reviewed_messages.list(limit=ANSWER).data).written
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
            print(json.dumps({"written": written, "peak": peak, "cpu": time.process_time() - began}), flush=True)


def measure(simulator: Simulator, path: Path, size: int) -> dict[str, Any]:
    """What a file of so many records takes."""
    command = [sys.executable, __file__, "export", simulator.base_url, simulator.api_key, str(path)]
    found: dict[str, Any] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(size // ANSWER):
            simulator.reviewed_messages = []
            simulator.review(ANSWER)
            child.stdin.write("\n")
            child.stdin.flush()
            found = json.loads(child.stdout.readline())
        child.stdin.close()
    assert child.returncode == 0
    assert found["written"] == size
    with path.open("rb") as lines:
        assert sum(1 for _ in lines) == size + (path.suffix == ".csv")
    return {**found, "bytes": path.stat().st_size}


def main() -> None:
    """Measure each size in each form, and show what was found."""
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
        return
    console = Console()
    table = Table("records", "form", "peak MB", "CPU µs / record", "file MB", title="reviewed messages added to a file")
    with TemporaryDirectory() as folder, Simulator() as simulator, console.status("") as status:
        for size in [int(given) for given in sys.argv[1:]] or SIZES:
            for form in ("jsonl", "csv"):
                status.update(f"{size:,} records as {form}")
                simulator.reset()
                path = Path(folder, f"{size}.{form}")
                found = measure(simulator, path, size)
                path.unlink()
                cells = [f"{found[what] / _MEGABYTE:,.1f}" for what in ("peak", "bytes")]
                table.add_row(f"{size:,}", form, cells[0], f"{found['cpu'] * 1e6 / size:.0f}", cells[1])
    console.print(table)


if __name__ == "__main__":
    main()
