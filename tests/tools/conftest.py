import shutil
from pathlib import Path

import pytest

from .repository import write_release


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, released as 1.2.3."""
    return write_release(tmp_path_factory.mktemp("repository") / "release")


@pytest.fixture
def scratch(release: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(release, tmp_path / "scratch")
