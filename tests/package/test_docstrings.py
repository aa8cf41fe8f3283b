"""The texts that `help()` and `--help` show, which people read without a checkout."""

import re
from pathlib import Path
from types import ModuleType

import pytest

import cometchat_desk
import cometchat_openapi
import cometchat_rest
import cometchat_runtime
import cometchat_testing

PACKAGES = [
    cometchat_runtime,
    cometchat_openapi,
    cometchat_rest,
    cometchat_testing,
    cometchat_desk,
]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_docstrings_name_only_files_of_the_package(package: ModuleType) -> None:
    """No module points to `service.md` or its sections, which users do not have; `openapi.yaml`
    is in the wheel."""
    modules = [path for folder in package.__path__ for path in Path(folder).rglob("*.py")]
    assert len(modules) > 10
    assert [
        path for path in modules if re.search(r"service\.md|section \d", path.read_text("utf-8"))
    ] == []
