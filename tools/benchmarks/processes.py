"""The processes of the server and the workers; they end with this process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).resolve().parent


class Remote:
    """A process that writes one line for each line it reads."""

    def __init__(self, *command: str | Path) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
        )

    def read(self) -> Any:
        """Read and decode the next line of its output."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._process.args!r} ended")
        return json.loads(line)

    def ask(self, *question: Any) -> Any:
        """Send one line, and read one line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Server(Remote):
    """The benchmark server."""

    def __init__(self) -> None:
        super().__init__(sys.executable, HERE / "server.py")
        self.base_url = f"http://127.0.0.1:{self.read()}/v3"


class Worker(Remote):
    """A contender, with the Python of its environment."""

    def __init__(self, python: Path, module: str, base_url: str) -> None:
        super().__init__(python, HERE / "worker.py", module, base_url)
