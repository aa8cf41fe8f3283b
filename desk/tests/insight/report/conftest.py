"""An export to make a report of."""

import json
from datetime import UTC, datetime
from pathlib import Path

from cometchat_testing import Simulator

END = datetime(2026, 7, 1, tzinfo=UTC)


def export(simulator: Simulator, path: Path) -> Path:
    """The records of a simulator as an export."""
    path.write_text(
        "".join(f"{json.dumps(record)}\n" for record in simulator.reviewed_messages), "utf-8"
    )
    return path
