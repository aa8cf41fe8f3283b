"""The built archives: reproducible, complete, and without other files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import cometchat_rest
from tools.distributions import ROOT, build, time_of_commit, tracked
from tools.hatch_readme import ReadmeHook

in_a_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel built from it."""
    return build(tmp_path_factory.mktemp("dist"))


def members(sdist: Path) -> dict[str, bytes]:
    with tarfile.open(sdist) as archive:
        files = [member for member in archive.getmembers() if member.isfile()]
        read = {member.name.partition("/")[2]: archive.extractfile(member) for member in files}
        return {name: file.read() for name, file in read.items() if file is not None}


def test_building_is_reproducible(built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second build of the same commit gives the same bytes: in another folder, with another umask and beside
    untracked files. A message says that untracked files are left out.
    """
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns(".venv*", "__pycache__", ".*_cache", ".hypothesis", ".environments")
    shutil.copytree(ROOT, copy, ignore=ignored)
    before = os.umask(0o077)
    try:
        for path in copy.rglob("*"):
            os.utime(path)
        own = (".env", "notes.txt", "overlays/cometchat_rest/scratch.py") if (copy / ".git").exists() else ()
        for name in own:
            (copy / name).write_text("", "utf-8")
        again = build(tmp_path / "dist", copy)
    finally:
        os.umask(before)
    assert bool(own) is ("uncommitted changes" in capsys.readouterr().err)
    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_wheel_of_the_tree_is_the_wheel_of_the_sdist(built: tuple[Path, Path], tmp_path: Path) -> None:
    """A wheel built from a checkout equals the wheel built from the sdist."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    environment = {"SOURCE_DATE_EPOCH": time_of_commit(), **os.environ}
    tree = tracked(ROOT, tmp_path / "tree")
    subprocess.run(command, cwd=tree, env=environment, check=True, capture_output=True)  # noqa: S603
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.read_bytes() == built[1].read_bytes()


def test_the_wheel_holds_both_packages(built: tuple[Path, Path]) -> None:
    """The wheel holds both typed packages and the licence, and no other file of the repository."""
    wheel = built[1]
    names = zipfile.ZipFile(wheel).namelist()
    assert f"cometchat_rest-{cometchat_rest.__version__}" in wheel.name
    assert {"cometchat_rest/py.typed", "cometchat_openapi/py.typed", "cometchat_rest/testing/__main__.py"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cometchat_rest", "cometchat_openapi"}


def test_wheel_lists_its_components(built: tuple[Path, Path]) -> None:
    """The wheel has a valid CycloneDX list of its two packages and of every dependency, with the declared versions."""
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if "/sboms/" in name)
        text = wheel.read(name).decode()
        metadata = message_from_string(wheel.read(name.partition("/")[0] + "/METADATA").decode())
    assert name.endswith(".dist-info/sboms/cometchat-rest.cdx.json")
    assert JsonStrictValidator(SchemaVersion.V1_7).validate_str(text) is None
    listed = json.loads(text)
    own = listed["metadata"]["component"]
    assert (own["name"], own["version"]) == ("cometchat-rest", cometchat_rest.__version__)
    assert [each["name"] for each in own["components"]] == ["cometchat_rest", "cometchat_openapi"]
    found = {
        (each["name"], SpecifierSet(each["versionRange"].removeprefix("vers:pypi/").replace("|", ",")), each["scope"])
        for each in listed["components"]
    }
    declared = map(Requirement, metadata.get_all("Requires-Dist", []))
    assert found == {
        (each.name, each.specifier, "optional" if each.marker else "required")
        for each in declared
        if each.name != "cometchat-rest"
    }


def described(address: str, root: Path = ROOT) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "cometchat-rest", "version": "1.2.3"}
    ReadmeHook(str(root), {"address": address}).update(metadata)
    return metadata


def test_other_links_of_the_readme_stay(tmp_path: Path) -> None:
    """An absolute link, and a link to a place on the same page, are the same on a package index."""
    text = "[a](#place), [b](https://example.org/b), [c](mailto:c@example.org)"
    (tmp_path / "README.md").write_text(text, "utf-8")
    assert described("https://example.org", tmp_path)["readme"]["text"] == text


def test_links_of_the_readme_work_on_a_package_index(built: tuple[Path, Path]) -> None:
    """With an address of the repository, each link and image of the README names the released version there, and its
    commands install the package by name; without an address, the README stays as it is.
    """
    readme = (ROOT / "README.md").read_text("utf-8")
    address = "https://example.org/owner/name"
    metadata = described(f"{address}/")
    text = metadata["readme"]["text"]
    links = re.findall(r"\]\((?!#)([^)]*)\)", text)
    assert len(links) > 10
    assert all(link.startswith("https://") for link in links)
    for mark, kind, path in re.findall(rf"(!?)\[[^]]*\]\({address}/(\w+)/v1\.2\.3/([^)#]*)", text):
        assert (ROOT / path).is_file(), path
        assert kind == ("raw" if mark else "blob")
    assert metadata["urls"]["Source"] == address
    local = text.replace(f"{address}/blob/v1.2.3/", "").replace(f"{address}/raw/v1.2.3/", "")
    assert re.findall(r"pip install (\S+)\n|pip install (\S+)`", text) == [
        ("'cometchat-rest[testing]'", ""),
        ("", "cometchat-rest"),
    ]
    assert re.sub(r"(?<=install )cometchat-rest|cometchat-rest(?=\[)", ".", local) == readme

    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        published = wheel.read(name).decode()
    assert described("")["readme"] == {"content-type": "text/markdown", "text": readme}
    assert "urls" not in described("")
    assert published.partition("\n\n")[2].strip() == readme.strip()
    assert "Project-URL:" not in published


@in_a_checkout
def test_the_sdist_is_the_checkout(built: tuple[Path, Path]) -> None:
    """The sdist holds exactly the files of the repository, so that every make target works in it."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    files = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert "overlays/cometchat_rest/client.py" in files
    assert set(members(built[0])) == files | {"PKG-INFO"}


@in_a_checkout
def test_the_version_is_in_one_file(built: tuple[Path, Path]) -> None:
    """A new version needs a change of one line."""
    # These files may hold an equal number: measurements, reports, lock files of other packages, the history.
    places = r"benchmarks/|docs/.*\.svg|docs/performance\.md|tests/contract/reports/|requirements-\w+\.txt|tools/.*npm/"
    others = re.compile(rf"{places}|CHANGELOG\.md|PKG-INFO")
    version = re.escape(cometchat_rest.__version__).encode()
    found = [
        name
        for name, content in members(built[0]).items()
        if re.search(rb"(?<![\d.])" + version + rb"(?![\d.])", content) and not others.match(name)
    ]
    assert found == ["overlays/cometchat_rest/version.py"]


def test_no_lock_file_names_a_package_index(built: tuple[Path, Path]) -> None:
    """A lock file names no package index, so that each machine uses its own index."""
    files = members(built[0])
    assert b"://" not in files["requirements-dev.txt"] + files["requirements-demo.txt"]
    assert b'"resolved"' not in files["tools/npm/package-lock.json"]
