"""`make lint` finds generated code that is not up to date with `openapi.yaml`, and `make
generate` restores it."""

import shutil
from pathlib import Path

import pytest
import yaml

from tools.description import ROOT

from .description import load
from .generation import Edit, append, copied, generate, regenerate, replace, run


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository that no test changes."""
    return copied(tmp_path_factory.mktemp("original") / "copy")


@pytest.fixture
def scratch(original: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(original, tmp_path / "scratch")


PACKAGE = "generated/cometchat_openapi"


#: For each line of the check, the change that leads to it: first of a generated file by hand, then
#: of the description, the settings or a template.
CHANGES: dict[str, Edit] = {
    "different models/sender_entity.py": append(f"{PACKAGE}/models/sender_entity.py", "\n"),
    "different server.py": append(f"{PACKAGE}/server.py", "# by hand\n"),
    "unknown   extra.py": lambda folder: (folder / PACKAGE / "extra.py").touch(),
    "missing   models/pagination.py": lambda folder: (
        folder / PACKAGE / "models/pagination.py"
    ).unlink(),
    "missing   py.typed": lambda folder: (folder / PACKAGE / "py.typed").unlink(),
    "different api/roles/list_roles.py": replace("openapi.yaml", "List roles", "List all roles"),
    "different models/role.py": replace("openapi.yaml", "A role that users", "One role that users"),
    "keyword_category.py": replace(
        "generator-config.yaml", "literal_enums: true", "literal_enums: false"
    ),
    "different api/__init__.py": replace(
        "generator-templates/api_init.py.jinja", "The resources of", "All resources of"
    ),
}


def test_other_code_is_reported(scratch: Path) -> None:
    """The check names every file that was edited, added or removed by hand, or that was generated
    before the last change of the description or of a template."""
    for change in CHANGES.values():
        change(scratch)
    before = snapshot(scratch / PACKAGE)
    done = generate(scratch, "--check")
    assert done.returncode != 0
    assert [problem for problem in (*CHANGES, "make generate") if problem not in done.stderr] == []
    assert snapshot(scratch / PACKAGE) == before


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_generating_restores_every_file(scratch: Path, original: Path) -> None:
    """Generating restores every file and removes unknown files."""
    package = scratch / PACKAGE
    (package / "extra.py").touch()
    (package / "types.py").write_text("", "utf-8")
    (package / "py.typed").unlink()
    regenerate(scratch)
    assert snapshot(package) == snapshot(original / PACKAGE)


@pytest.mark.deep
def test_new_region_needs_no_python(scratch: Path) -> None:
    """A region added to the description is a region of the client, with its address."""
    document = load()
    document["servers"][0]["variables"]["region"]["enum"].append("sa-east")
    (scratch / "openapi.yaml").write_text(yaml.safe_dump(document, sort_keys=False), "utf-8")
    regenerate(scratch)
    code = (
        "from cometchat_rest.endpoint import Region, base_url; print(base_url('a', Region.SA_EAST))"
    )
    shown = run("-c", code, path=(scratch / "generated", ROOT / "overlays"))
    assert shown.stdout == "https://a.api-sa-east.cometchat.io/v3\n"
