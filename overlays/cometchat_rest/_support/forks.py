"""Resets objects in the child process after a fork: threads and sockets of the parent do not belong to it."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Resettable(Protocol):
    """An object with state of the process that made it."""

    def reset_after_fork(self) -> None:
        """Forget what belongs to the parent process."""


_objects: WeakSet[Resettable] = WeakSet()


def reset_in_children(each: Resettable) -> None:
    """Call `reset_after_fork` of an object in each child process, as long as the object exists."""
    _objects.add(each)


def _after_fork() -> None:
    for each in list(_objects):
        each.reset_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
