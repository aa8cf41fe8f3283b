"""A copy of the repository with a release, and the edits that tests make in it."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.description import ROOT, read

from ..contract.generation import Edit, copied, regenerate, replace
from .service import DESCRIPTION

CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n### Added\n\n- Everything.\n"
)
VERSION = "overlays/cometchat_rest/version.py"
TEXT = {"type": "string", "description": "Text.", "examples": ["x"]}
#: Every change needs this before a release.
NO_ENTRY = "CHANGELOG.md: no entry for the change"


def write_release(folder: Path) -> Path:
    """Write a copy of the repository, released as 1.2.3."""
    copied(folder, "runtime", "overlays", "testing")
    shutil.copy(DESCRIPTION, folder / "openapi.yaml")
    describe(with_a_plain_file)(folder)
    regenerate(folder)
    (folder / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    (folder / VERSION).write_text('"""The version."""\n\n__version__ = "1.2.3"\n', "utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    commit(folder)
    git(folder, "tag", "v1.2.3")
    # One file is faster to copy than hundreds of objects.
    git(folder, "gc", "--quiet")
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    identity = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.com")
    git(folder, *identity, "commit", "--quiet", "--all", "-m", "x")


def describe(change: Callable[[Any], object]) -> Edit:
    """Change the description."""

    def edit(folder: Path) -> None:
        path = folder / "openapi.yaml"
        document = dict(read(path))
        change(document)
        # JSON is YAML, and faster to write.
        path.write_text(json.dumps(document), "utf-8")

    return edit


def file_with(text: str) -> str:
    """The hand-written file that contains a text."""
    (file,) = (
        path
        for folder in ("runtime", "overlays")
        for path in (ROOT / folder).rglob("*.py")
        if text in path.read_text("utf-8")
    )
    return file.relative_to(ROOT).as_posix()


def rename_error(old: str, new: str) -> Edit:
    """Rename an error in the module that defines it."""
    return replace(file_with(f"class {old}("), old, new)


def all_of(*edits: Edit) -> Edit:
    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)

    return edit


def with_a_plain_file(document: Any) -> None:
    """Describe the file as the generator reads it: in the fields of the form only."""
    for name in ("WordListForm", "PatternListForm", "SentenceSimilarityListForm"):
        for key in ("if", "then"):
            schema(document, name).pop(key, None)
        del schema(document, name)["properties"]["file"]
    schema(document, "KeywordListForm")["properties"]["file"] = {**TEXT, "format": "binary"}


def schema(document: Any, name: str) -> Any:
    return document["components"]["schemas"][name]


def roles(document: Any) -> Any:
    return document["paths"]["/roles"]["get"]


def regions(document: Any) -> Any:
    return document["servers"][0]["variables"]["region"]["enum"]


def badges(document: Any) -> None:
    """A new operation of the roles, with a new result class."""
    document["components"]["schemas"]["BadgeResponse"] = {
        "type": "object",
        "required": ["data"],
        "properties": {"data": {"$ref": "#/components/schemas/Badge"}},
    }
    document["components"]["schemas"]["Badge"] = {"type": "object", "properties": {"name": TEXT}}
    media = {"application/json": {"schema": {"$ref": "#/components/schemas/BadgeResponse"}}}
    responses = {"200": {"description": "Text.", "content": media}}
    own = {"operationId": "getBadge", "parameters": [], "responses": responses}
    document["paths"]["/badge"] = {"get": {**roles(document), **own}}
