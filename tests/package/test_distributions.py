"""The built archives: reproducible, complete, and without other files."""

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import cometchat_desk
import cometchat_rest
from tools.release import installed
from tools.release.installed import ROOT, build

in_a_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


def archives(folder: Path, source: Path = ROOT) -> list[Path]:
    """Build, and return the sdist and the wheel of the client, and those of the desk."""
    wheels = [build(source, folder / "client"), build(source / "desk", folder / "desk")]
    return [path for wheel in wheels for path in (*wheel.parent.glob("*.tar.gz"), wheel)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sdist of the client and the wheel built from it, and those of the desk."""
    return archives(tmp_path_factory.mktemp("dist"))


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode())


def members(sdist: Path) -> dict[str, bytes]:
    with tarfile.open(sdist) as archive:
        files = [member for member in archive.getmembers() if member.isfile()]
        read = {member.name.partition("/")[2]: archive.extractfile(member) for member in files}
        return {name: file.read() for name, file in read.items() if file is not None}


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_files_that_git_does_not_track_are_not_built(tmp_path: Path) -> None:
    """`make build` ends before anything is built if the sdist would contain a file that git does
    not track, and names the file."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for command in (["git", "init", "--quiet"], ["git", "add", "Makefile"]):
        subprocess.run(command, cwd=tmp_path, check=True)
    make = ["make", "--no-print-directory", "only-tracked"]
    assert subprocess.run(make, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "notes-with-a-key.txt").touch()
    done = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "notes-with-a-key.txt" in done.stderr


def test_building_is_reproducible(built: list[Path], tmp_path: Path) -> None:
    """A second build of the same files gives the same bytes, in another folder and with another
    umask."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns(
        ".venv*", "__pycache__", ".*_cache", ".hypothesis", ".environments"
    )
    before = os.umask(0o077)
    try:
        # Every file has the time of its copy.
        shutil.copytree(ROOT, copy, ignore=ignored, copy_function=shutil.copy)
        again = archives(tmp_path / "dist", copy)
    finally:
        os.umask(before)
    assert [(path.name, path.read_bytes()) for path in again] == [
        (path.name, path.read_bytes()) for path in built
    ]


@pytest.mark.parametrize("first", [0, 2], ids=["client", "desk"])
def test_the_wheel_of_the_sdist_is_the_wheel_of_the_tree(
    built: list[Path], tmp_path: Path, first: int
) -> None:
    """A wheel built from the sdist equals the wheel built from a checkout."""
    with tarfile.open(built[first]) as archive:
        # `extractall` has no filter before Python 3.11.4, and newer versions warn without one.
        archive.extraction_filter = lambda member, _: member
        archive.extractall(tmp_path)  # noqa: S202 - the archive is our own
    (project,) = tmp_path.iterdir()
    assert build(project, tmp_path / "dist").read_bytes() == built[first + 1].read_bytes()


@pytest.mark.parametrize(
    ("number", "version", "packages", "more"),
    [
        (
            1,
            cometchat_rest.__version__,
            {"cometchat_runtime", "cometchat_openapi", "cometchat_rest", "cometchat_testing"},
            "cometchat_testing/openapi.yaml",
        ),
        (
            3,
            cometchat_desk.__version__,
            {"cometchat_desk"},
            "cometchat_desk/insight/report/page.html",
        ),
    ],
    ids=["client", "desk"],
)
def test_the_wheels_hold_their_packages(
    built: list[Path], number: int, version: str, packages: set[str], more: str
) -> None:
    """The wheel of the client holds its four typed packages and the description, that of the desk
    holds the desk."""
    names = zipfile.ZipFile(built[number]).namelist()
    assert f"-{version}-" in built[number].name
    assert {more, *(f"{package}/py.typed" for package in packages)} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {
        top for name in names if not (top := name.split("/")[0]).endswith(".dist-info")
    } == packages
    assert (ROOT / "desk" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_only_the_desk_has_a_command(built: list[Path]) -> None:
    """The client has no command and no entry point but its plugin for pytest; the desk has one
    command."""

    def entry_points(wheel: Path) -> list[str]:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith("/entry_points.txt"))
            return archive.read(name).decode().split()

    assert entry_points(built[1]) == [
        "[pytest11]",
        "cometchat_rest",
        "=",
        "cometchat_testing.pytest_plugin",
    ]
    assert entry_points(built[3]) == [
        "[console_scripts]",
        "cometchat-desk",
        "=",
        "cometchat_desk.__main__:main",
    ]


@pytest.mark.parametrize("first", [0, 2], ids=["client", "desk"])
def test_older_tools_read_the_metadata(built: list[Path], first: int) -> None:
    """twine 6 and packaging 25 know the version of the metadata, and the desk accepts this
    version of the client."""
    metadata = metadata_of(built[first + 1])
    assert (metadata["Metadata-Version"], metadata["License-Expression"]) == ("2.4", "MIT")
    assert (
        message_from_string(members(built[first])["PKG-INFO"].decode())["Metadata-Version"] == "2.4"
    )
    needed = {
        each.name: each.specifier
        for each in map(Requirement, metadata.get_all("Requires-Dist", []))
    }
    assert first == 0 or cometchat_rest.__version__ in needed["cometchat-rest"]


@pytest.mark.parametrize("project", [ROOT, ROOT / "desk"], ids=["client", "desk"])
def test_the_build_uses_the_locked_backend(project: Path) -> None:
    """An isolated build uses the same version of hatchling as `make build`."""
    (backend,) = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["build-system"][
        "requires"
    ]
    assert f"\n{backend} " in (ROOT / "requirements" / "dev.txt").read_text("utf-8")


@pytest.mark.parametrize(("number", "project"), [(1, ROOT), (3, ROOT / "desk")])
def test_a_package_index_shows_the_readme(built: list[Path], number: int, project: Path) -> None:
    """The description of a package is its README."""
    readme = (project / "README.md").read_text("utf-8")
    assert str(metadata_of(built[number]).get_payload()).strip() == readme.strip()


@in_a_checkout
def test_the_sdist_is_the_checkout(built: list[Path]) -> None:
    """The sdist holds exactly the files of the checkout that git does not ignore, so that every make
    target works in it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert "overlays/cometchat_rest/client.py" in files
    assert set(members(built[0])) == files | {"PKG-INFO"}


@in_a_checkout
def test_the_version_is_in_two_files(built: list[Path]) -> None:
    """Both projects have one version, and a new version needs a change of one line in each."""
    # These files may hold an equal number: measurements, reports, lock files of other packages, the
    # history.
    places = (
        r"docs/performance\.md|tests/testing/conformance/reports/|requirements/|tools/benchmarks/"
    )
    others = re.compile(rf"{places}|CHANGELOG\.md|PKG-INFO")
    version = re.escape(cometchat_rest.__version__).encode()
    found = [
        name
        for name, content in members(built[0]).items()
        if re.search(rb"(?<![\d.])" + version + rb"(?![\d.])", content) and not others.match(name)
    ]
    assert sorted(found) == [
        "desk/cometchat_desk/__init__.py",
        "overlays/cometchat_rest/version.py",
    ]


def test_no_lock_file_names_a_package_index(built: list[Path]) -> None:
    """A lock file names no package index, so that each machine uses its own index."""
    files = members(built[0])
    locks = [name for name in files if re.fullmatch(r"requirements/.*\.txt", name)]
    assert len(locks) > 5
    assert [name for name in locks if b"://" in files[name]] == []


def test_the_tests_of_the_wheels_exist() -> None:
    """Each test that `make test-wheel` selects by its path is a test of this checkout."""
    paths = {*installed.TESTS, *installed.ALL_TESTS}
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
