"""Runs commands in terminals, each in a fork of this process: to load the command line takes most
of a command's time.

Standard input is a socket. It brings the arguments, the folder and the variables of each command,
with a terminal. The answers are the id of the process, and later its exit code.
"""

import fcntl
import json
import os
import signal
import socket
import sys
import termios
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from cometchat_desk.app import program, run


def load() -> None:
    """Load the modules of all commands, and those that commands load when they need them."""
    for name in (
        "cometchat_desk.journal",
        "cometchat_rest.client",
        "duckdb",
        "encodings.idna",
        "httpcore",
        "httpx",
    ):
        import_module(name)
    for group in program().commands.values():
        dict(getattr(group, "commands", {}))


def run_here(terminal: int, arguments: list[str], folder: str, variables: dict[str, str]) -> None:
    """Run a command, as a shell starts it in this terminal."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for number, mode in enumerate("rww"):
        os.dup2(terminal, number)
        stream = Path(f"/dev/fd/{number}").open(mode, encoding="utf-8")  # noqa: SIM115 - open until the process ends
        setattr(sys, ("stdin", "stdout", "stderr")[number], stream)
    os.close(terminal)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.exit(run(arguments))


def main() -> None:
    """Run one command after the other, until the socket is closed."""
    load()
    with socket.socket(fileno=os.dup(0)) as commands:
        while True:
            message, terminals, _, _ = socket.recv_fds(commands, 2**20, 1)
            if not message:
                return
            # It ends the fork without clearing its modules, which takes longer than most commands.
            child = get_context("fork").Process(
                target=run_here, args=terminals, kwargs=json.loads(message)
            )
            child.start()
            os.close(terminals[0])
            commands.sendall(f"{child.pid}\n".encode())
            child.join()
            commands.sendall(f"{child.exitcode}\n".encode())


if __name__ == "__main__":
    main()
