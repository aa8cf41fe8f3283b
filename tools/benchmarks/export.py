"""Shows that adding reviewed messages to a file needs the same memory for ten thousand records as for a million.

python tools/benchmarks/export.py            10,000, 100,000 and 1,000,000 records; takes some minutes
python tools/benchmarks/export.py 1000 5000  these numbers of records

The service lists the latest records, and cannot list older ones (service.md, section 4.3). So a million records need a
thousand responses of a thousand records. The simulator creates new records for each response. For each size, a separate
process requests the records and adds them to one file.
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

from cometchat_desk.insight.export import ReviewedFile
from cometchat_rest import Client
from cometchat_rest.testing import Simulator

SIZES = (10_000, 100_000, 1_000_000)
#: The largest number of records that the simulator lists.
RESPONSE = 1000
_MEGABYTE = 10**6
# The unit of ru_maxrss: kilobytes on Linux, bytes on macOS.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def export(base_url: str, api_key: str, path: str) -> None:
    """For each line on stdin, add one response to the file, and print the records, memory and CPU time so far."""
    written = 0
    began = time.process_time()
    with Client(base_url=base_url, api_key=api_key) as chat, ReviewedFile(Path(path)) as file:
        for _ in sys.stdin:
            written += file.append(chat.reviewed_messages.list(limit=RESPONSE).data).written
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
            print(json.dumps({"written": written, "peak": peak, "cpu": time.process_time() - began}), flush=True)


def measure(simulator: Simulator, path: Path, size: int) -> dict[str, Any]:
    """Measure a file with `size` records."""
    command = [sys.executable, __file__, "export", simulator.base_url, simulator.api_key, str(path)]
    found: dict[str, Any] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(size // RESPONSE):
            simulator.reviewed_messages = []
            simulator.review(RESPONSE)
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
    """Measure each size in each format, and print a table."""
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
        return
    console = Console()
    table = Table(
        "records", "format", "peak MB", "CPU µs / record", "file MB", title="reviewed messages added to a file"
    )
    with TemporaryDirectory() as folder, Simulator() as simulator, console.status("") as status:
        for size in [int(given) for given in sys.argv[1:]] or SIZES:
            for suffix in ("jsonl", "csv"):
                status.update(f"{size:,} records as {suffix}")
                simulator.reset()
                path = Path(folder, f"{size}.{suffix}")
                found = measure(simulator, path, size)
                path.unlink()
                cells = [f"{found[name] / _MEGABYTE:,.1f}" for name in ("peak", "bytes")]
                table.add_row(f"{size:,}", suffix, cells[0], f"{found['cpu'] * 1e6 / size:.0f}", cells[1])
    console.print(table)


if __name__ == "__main__":
    main()
