"""Finds the revision that a change is compared with: the last release, else the state before the
change."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from attrs import frozen

_HINT = "(no release yet; `make report SINCE=...` compares with another revision)"


@frozen
class Base:
    """A revision, its name in the report, and whether it is a release."""

    revision: str
    name: str
    released: bool = False


def git(tree: Path, *arguments: str) -> bytes:
    """Run git in a tree, and return its output; a ValueError has its error in one line."""
    command = ["git", "-C", str(tree), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"git {arguments[0]}: {' '.join(done.stderr.decode().split())}")
    return done.stdout


def find_base(tree: Path, revision: str | None = None) -> Base:
    """Return a revision, or by default the last release before HEAD.

    Before the first release it is the merge base with the branch main. On main itself it is the
    commit before the last one, so that the report of a committed change is not empty.

    Raises:
        ValueError: the revision does not exist, or the tree is no repository.
    """
    if revision:
        if not _commit(tree, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"):
            raise ValueError(f"{revision}: no such revision; `git log --oneline` lists them")
        return Base(revision, revision, released=bool(_releases(tree, "--points-at", revision)))
    releases = _releases(tree, "--sort=-version:refname", "--merged", "HEAD")
    if releases:
        return Base(releases[0], releases[0], released=True)
    head = _commit(tree, "rev-parse", "HEAD")
    for branch in ("origin/main", "main"):
        base = _commit(tree, "merge-base", "HEAD", branch)
        if base and base != head:
            return Base(base, f"the merge base with {branch} {_HINT}")
    before = _commit(tree, "rev-parse", "--verify", "--quiet", "HEAD^")
    if before:
        return Base(before, f"the commit before the last one {_HINT}")
    return Base("HEAD", f"the last commit {_HINT}")


def _commit(tree: Path, *arguments: str) -> str:
    """The commit that a git command prints, or an empty text if the command fails."""
    try:
        return git(tree, *arguments).decode().strip()
    except ValueError:
        return ""


def _releases(tree: Path, *arguments: str) -> list[str]:
    tags = git(tree, "tag", "--list", *arguments).decode().split()
    return [tag for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
