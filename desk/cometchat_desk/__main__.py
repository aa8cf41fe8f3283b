"""The command line `cometchat-desk`, which comes with the extra `cli`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments of this process name, then exit with its exit code."""
    try:
        from .app import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        print(
            f"cometchat-desk: the command line needs {error.name}: pip install 'cometchat-desk[cli]'", file=sys.stderr
        )
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run())
