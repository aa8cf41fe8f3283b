"""Runs updates in child processes and kills them at random points; prints the number of kills.

Arguments: the journal, the number of kills, the seed. The settings of the app come from the
environment. The program loads the package once, and forks each child: starting Python 200 times
would take most of the time.
"""

import gc
import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path

from cometchat_desk.journal import Journal
from cometchat_rest import Client, CometChatError

LIST = "profanity-list"
#: A child is killed during its first, second or third update.
LATEST = 3


def update(chat: Client, path: str) -> None:
    """Update the list; each update adds a word that no other update has."""
    try:
        plan = chat.keywords.plan(LIST, ["spam", "scam", f"word-{uuid.uuid4().hex}"])
        # The child before was killed: its update never ends, so waiting for it only takes time.
        Journal(Path(path), lock_timeout=0.01).apply(chat, plan, app="kills", max_removed=1)
    except CometChatError as error:
        # An update of the child before may arrive late: then the plan is too old.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)


def update_for_ever(path: str, progress: int) -> None:
    """Update the list until the process is killed; write a byte before each update."""
    with Client(max_retries=0) as chat:
        while True:
            os.write(progress, b".")
            update(chat, path)


def start_child(path: str) -> tuple[int, int]:
    """Fork a child; returns its id, and a pipe with its progress."""
    progress, end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            update_for_ever(path, end)
        finally:
            os._exit(1)
    os.close(end)
    return child, progress


def main(path: str, kills: int, seed: int) -> None:
    """Kill one child after the other, each at a random point of an update."""
    choices = random.Random(seed)  # noqa: S311 - a repeatable test
    with Client() as chat:
        update(chat, path)  # loads the modules
        begin = time.monotonic()
        update(chat, path)
        duration = time.monotonic() - begin
    gc.freeze()
    for _ in range(kills):
        child, progress = start_child(path)
        for _ in range(choices.randint(1, LATEST)):
            os.read(progress, 1)
        time.sleep(choices.uniform(0, 1.5 * duration))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(progress)
        if not os.WIFSIGNALED(status):
            sys.exit("a child ended before it was killed")
    print(kills)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
