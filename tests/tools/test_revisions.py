"""The revision that a report compares with."""

from pathlib import Path

import pytest

from tools.contract.revisions import find_base

from ..contract.generation import append
from .repository import commit, git


def test_base_of_a_report(tmp_path: Path) -> None:
    """The base is the last release, else the merge base with main, else the commit before the
    last one."""

    def name() -> tuple[str, bool]:
        base = find_base(tmp_path)
        return base.name.partition(" (")[0], base.released

    def new_commit() -> None:
        append("file", "x")(tmp_path)
        git(tmp_path, "add", ".")
        commit(tmp_path)

    with pytest.raises(ValueError, match=r"^git tag: .*not a git repository"):
        find_base(tmp_path)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "file").touch()
    new_commit()
    assert name() == ("the last commit", False)
    new_commit()
    assert name() == ("the commit before the last one", False)
    git(tmp_path, "checkout", "--quiet", "-b", "work")
    new_commit()
    assert name() == ("the merge base with main", False)
    git(tmp_path, "tag", "v1.0.0")
    git(tmp_path, "tag", "v2.0.0-rc1")
    new_commit()
    assert name() == ("v1.0.0", True)
    assert find_base(tmp_path, "v1.0.0").released
    assert not find_base(tmp_path, "HEAD").released
