"""The report on a change: the verdict on each kind of change, and the version that it needs."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from attrs import evolve

from tools.contract.change import Change, Version, between
from tools.contract.difference import Difference
from tools.contract.report import markdown, unreleased
from tools.contract.revisions import find_base
from tools.contract.surface import NameChange
from tools.description import ROOT, operations, read

from .service import DESCRIPTION

Edit: TypeAlias = Callable[[Path], object]

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n### Added\n\n- Everything.\n"
VERSION = "overlays/cometchat_rest/version.py"
HOST = "https://{appId}.api-{region}.cometchat.com/v3"
TEXT = {"type": "string", "description": "Text.", "examples": ["x"]}
#: Every change needs this before a release.
NO_ENTRY = "CHANGELOG.md: no entry for the change"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, released as 1.2.3."""
    folder = tmp_path_factory.mktemp("repository") / "release"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("contract", "generated", "generator-templates", "overlays", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "generator-config.yaml", folder)
    shutil.copy(DESCRIPTION, folder / "openapi.yaml")
    describe(with_a_plain_file)(folder)
    generate(folder)
    (folder / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    (folder / VERSION).write_text('"""The version."""\n\n__version__ = "1.2.3"\n', "utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    commit(folder)
    git(folder, "tag", "v1.2.3")
    # One file is faster to copy than hundreds of objects.
    git(folder, "gc", "--quiet")
    return folder


@pytest.fixture
def scratch(release: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(release, tmp_path / "scratch")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)  # noqa: S603, S607


def commit(folder: Path) -> None:
    git(
        folder,
        "-c",
        "user.name=Somebody",
        "-c",
        "user.email=somebody@example.com",
        "commit",
        "--quiet",
        "--all",
        "-m",
        "x",
    )


def describe(change: Callable[[Any], object]) -> Edit:
    """Change the description."""

    def edit(folder: Path) -> None:
        path = folder / "openapi.yaml"
        document = dict(read(path))
        change(document)
        # JSON is YAML, and faster to write.
        path.write_text(json.dumps(document), "utf-8")

    return edit


def replace(name: str, old: str, new: str) -> Edit:
    """Replace every occurrence of a text in a file."""

    def edit(folder: Path) -> None:
        path = folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return edit


def rename(old: str, new: str) -> Edit:
    """Rename a public object of the package."""
    return all_of(*(replace(f"overlays/cometchat_rest/{name}.py", old, new) for name in ("__init__", "errors")))


def append(name: str, text: str) -> Edit:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_text(path.read_text("utf-8") + text, "utf-8")

    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)

    return edit


def generate(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "tools.generate"], cwd=folder, check=True, capture_output=True)


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


def form_takes_language(document: Any) -> None:
    for name in ("KeywordListForm", "WordListForm"):
        schema(document, name)["properties"]["language"] = TEXT
    schema(document, "WordListForm")["required"].append("language")


def form_takes_path(document: Any) -> None:
    for name in ("KeywordListForm", "WordListForm"):
        schema(document, name)["properties"]["path"] = TEXT


def form_has_phrases(document: Any) -> None:
    """A new variant of the form."""
    words = schema(document, "WordListForm")
    category = {**words["properties"]["category"], "const": "phrase", "default": "phrase"}
    document["components"]["schemas"]["PhraseListForm"] = {
        **words,
        "properties": {**words["properties"], "category": category},
    }
    union = schema(document, "KeywordListForm")["allOf"][0]
    union["oneOf"].append({"$ref": "#/components/schemas/PhraseListForm"})
    union["discriminator"]["mapping"]["phrase"] = "#/components/schemas/PhraseListForm"
    schema(document, "KeywordCategory")["enum"].append("phrase")


def form(document: Any) -> Any:
    update = document["paths"]["/moderation/keywords/{keywordId}"]["put"]
    return update["requestBody"]["content"]["multipart/form-data"]


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


def rename_operation(document: Any) -> None:
    roles(document)["operationId"] = "rolesOfApp"


def file_with(text: str) -> str:
    """The file of the package that contains a text."""
    (file,) = (path for path in (ROOT / "overlays").rglob("*.py") if text in path.read_text("utf-8"))
    return file.relative_to(ROOT).as_posix()


def rename_variable(document: Any) -> None:
    document["components"]["parameters"]["KeywordId"]["name"] = "listId"
    document["paths"]["/moderation/keywords/{listId}"] = document["paths"].pop("/moderation/keywords/{keywordId}")


def wishes(document: Any) -> None:
    """A new operation with a JSON body and a parameter in its path."""
    document["components"]["schemas"]["Wish"] = {"type": "object", "properties": {"name": TEXT}}
    media = {"application/json": {"schema": {"$ref": "#/components/schemas/Wish"}}}
    path = {"name": "role", "in": "path", "required": True, "schema": TEXT}
    own = {"operationId": "makeWish", "parameters": [path], "requestBody": {"content": media}}
    document["paths"]["/roles/{role}/wishes"] = {"post": {**roles(document), **own}}


INPUT = "class WordListInput(_TermsInput):\n    language: str\n"
ROLES_FILE = "generated/cometchat_openapi/api/roles/__init__.py"

#: Kinds of change: the edit; the step; how much breaks in requests, responses and Python.
KINDS: dict[str, tuple[Edit, str, tuple[int, ...]]] = {
    "nothing": (lambda _: None, "none", (0, 0, 0)),
    "an optional field in a response": (
        describe(lambda d: schema(d, "RoleListMeta")["properties"].update(emblem=TEXT)),
        "minor",
        (0, 0, 0),
    ),
    "a removed field of a response": (
        all_of(describe(lambda d: schema(d, "Role")["properties"].pop("settings")), generate),
        "major",
        (0, 1, 1),
    ),
    "a required field of a request": (describe(form_takes_language), "major", (1, 0, 0)),
    "a required field of a response": (
        describe(lambda d: schema(d, "Role")["required"].append("updatedAt")),
        "minor",
        (0, 0, 0),
    ),
    "a new value in a request": (
        describe(
            lambda d: (
                schema(d, "KeywordCategory")["enum"].append("phrase"),
                schema(d, "WordListForm")["properties"]["category"].pop("const"),
                schema(d, "WordListForm")["properties"]["category"].update(enum=["word", "phrase"]),
            )
        ),
        "minor",
        (0, 0, 0),
    ),
    "a new variant of a form": (describe(form_has_phrases), "minor", (0, 0, 0)),
    "another encoding of a form": (
        describe(lambda d: form(d)["encoding"].update(name={"contentType": "text/html"})),
        "major",
        (1, 0, 0),
    ),
    "a new success": (
        describe(lambda d: roles(d)["responses"].update({"202": {"description": "Text.", "content": {}}})),
        "major",
        (0, 1, 0),
    ),
    "a new name of the key": (
        describe(lambda d: d["components"]["securitySchemes"]["apikey"].update(name="token")),
        "major",
        (len([*operations(read(DESCRIPTION))]), 0, 0),
    ),
    "a header that is an option of the client": (
        describe(lambda d: roles(d)["parameters"].append({"name": "On-Behalf-Of", "in": "header", "schema": TEXT})),
        "minor",
        (0, 0, 0),
    ),
    "a header that the client lacks": (
        describe(lambda d: roles(d)["parameters"].append({"name": "actAs", "in": "header", "schema": TEXT})),
        "minor",
        (0, 0, 0),
    ),
    "a deprecated parameter": (
        describe(lambda d: roles(d)["parameters"][0].update(deprecated=True)),
        "minor",
        (0, 0, 0),
    ),
    "a default that is now documented": (
        describe(lambda d: schema(d, "Role")["properties"]["name"].update(default="x")),
        "minor",
        (0, 0, 0),
    ),
    "a removed value in a request": (
        describe(lambda d: schema(d, "KeywordListForm")["allOf"][0]["oneOf"].pop()),
        "major",
        (1, 0, 0),
    ),
    "a new value in a response": (
        describe(lambda d: schema(d, "Role")["properties"]["name"].update(type=["string", "integer"])),
        "major",
        (0, 1, 0),
    ),
    "a new type": (
        all_of(describe(lambda d: schema(d, "Role")["properties"]["createdAt"].update(type="string")), generate),
        "major",
        (0, 1, 1),
    ),
    "a parameter": (
        describe(
            lambda d: d["paths"]["/roles"]["get"]["parameters"].append(
                {"name": "sortBy", "in": "query", "schema": TEXT}
            )
        ),
        "minor",
        (0, 0, 0),
    ),
    "an operation": (describe(badges), "minor", (0, 0, 0)),
    "an operation with a JSON body": (describe(wishes), "minor", (0, 0, 0)),
    "a removed operation": (
        # Models that other operations use stay.
        all_of(describe(lambda d: d["paths"].pop("/roles")), generate),
        "major",
        (1, 0),
    ),
    "a result with a new name": (
        all_of(replace("openapi.yaml", "CurrentPage", "PageNow"), generate),
        "major",
        (0, 0, 2),
    ),
    "an operation with a new name": (describe(rename_operation), "major", (1, 0, 0)),
    "a path variable with a new name": (describe(rename_variable), "major", (2, 0, 0)),
    "a deprecated operation": (describe(lambda d: roles(d).update(deprecated=True)), "minor", (0, 0, 0)),
    "a renamed public name": (rename("PlanRefusedError", "RefusedPlanError"), "major", (0, 0, 1)),
    "a required argument": (
        replace(ROLES_FILE, "*, page: int | None = None,", "*, page: int | None,"),
        "major",
        (0, 0, 2),
    ),
    "an optional argument": (
        replace(ROLES_FILE, "per_page: int | None = None,", "per_page: int | None = None, sort: bool = False,"),
        "minor",
        (0, 0, 0),
    ),
    "an argument of a narrower type": (
        replace(ROLES_FILE, "*, page: int | None = None", "*, page: int = 1"),
        "major",
        (0, 0, 4),
    ),
    "a response of a narrower type": (
        all_of(describe(lambda d: schema(d, "Condition")["properties"]["weight"].update(type="integer")), generate),
        "minor",
        (0, 0, 0),
    ),
    "a required field of an input": (
        replace(file_with("class WordListInput(_TermsInput):"), "class WordListInput(_TermsInput):", INPUT),
        "major",
        (0, 0, 1),
    ),
    "a removed region": (describe(lambda d: regions(d).remove("in")), "major", (1, 0, 0)),
    "a new host": (describe(lambda d: d["servers"][0].update(url=HOST)), "major", (3, 0, 0)),
    "a new region": (describe(lambda d: regions(d).append("au")), "minor", (0, 0, 0)),
    "a new text": (
        all_of(describe(lambda d: schema(d, "Role").update(description="Words.")), generate),
        "patch",
        (0, 0, 0),
    ),
}
NEXT = {"major": "2.0.0", "minor": "1.3.0", "patch": "1.2.4"}


def breaking(change: Change) -> tuple[int, int, int]:
    """Count the places that break requests and responses, and the names that break Python."""
    places = {(each.side, each.pointer, each.subject) for each in change.differences if each.breaking}
    sides = [side for side, _, _ in places]
    return sides.count("request"), sides.count("response"), sum(each.breaking for each in change.names)


#: Kinds that load the package again, or generate it, to reach code that other kinds also reach.
LONG = {
    *("a new type", "a result with a new name", "a response of a narrower type"),
    *("an argument of a narrower type", "a required field of an input"),
}


@pytest.mark.parametrize(
    ("edit", "step", "broken"),
    [pytest.param(*KINDS[kind], id=kind, marks=pytest.mark.deep if kind in LONG else ()) for kind in KINDS],
)
def test_each_kind_of_change_has_its_verdict(
    release: Path, scratch: Path, edit: Edit, step: str, broken: tuple[int, ...]
) -> None:
    """Each kind of change has the right verdict, and a release of it needs a version and an entry in the changelog."""
    edit(scratch)
    change = between(release, scratch)
    assert (change.step, breaking(change)[: len(broken)]) == (step, broken)
    version = [f"version.py: the version is 1.2.3, the change needs {NEXT[step]}", NO_ENTRY] if step != "none" else []
    assert unreleased(change) == version


NEW = Difference("listRoles", "response", "/paths", "operation", None, "present", breaking=False)
RISES = "something breaks, so the major part rises"
NAME = NameChange("Role", "removed", breaking=True)
#: Changes of the description, public names and sources; the next version after 1.2.3 and after 0.2.3.
STEPS: list[tuple[list[Difference], list[NameChange], str, str, Version, Version]] = [
    ([NEW], [NAME], "", "major", (2, 0, 0), (0, 3, 0)),
    ([evolve(NEW, breaking=True)], [], "", "major", (2, 0, 0), (0, 3, 0)),
    ([NEW], [], "", "minor", (1, 3, 0), (0, 2, 4)),
    ([], [evolve(NAME, breaking=False)], "", "minor", (1, 3, 0), (0, 2, 4)),
    ([], [], "# Words.", "patch", (1, 2, 4), (0, 2, 4)),
    ([], [], "", "none", (1, 2, 3), (0, 2, 3)),
]


@pytest.mark.parametrize(("found", "names", "source", "step", "asked", "asked_before_1"), STEPS)
def test_the_version_follows_from_what_has_changed(
    tmp_path: Path,
    found: list[Difference],
    names: list[NameChange],
    source: str,
    step: str,
    asked: Version,
    asked_before_1: Version,
) -> None:
    """The version rises by the step of the change; before 1.0.0 by the next smaller step."""
    for version, least in (("1.2.3", asked), ("0.2.3", asked_before_1)):
        trees = [tmp_path / version / name for name in ("old", "new")]
        for tree, more in zip(trees, ("", source), strict=True):
            (tree / VERSION).parent.mkdir(parents=True)
            (tree / VERSION).write_text(f'__version__ = "{version}"\n{more}', "utf-8")
        change = Change(trees[0], trees[1], {}, {}, found, names)
        assert (change.step, change.version) == (step, least)
        # The part that rises: the first one that differs, or none.
        rises = {
            version: "none",
            "1.2.4": "patch",
            "1.3.0": "minor",
            "2.0.0": "major",
            "0.2.4": "patch",
            "0.3.0": "minor",
        }
        assert change.part == rises[".".join(map(str, least))]


def test_the_report_names_what_it_found(release: Path, scratch: Path) -> None:
    """The report shows each change with its place and verdict, the version, and the affected code and entries."""
    edits = [
        lambda d: schema(d, "Condition")["properties"]["message"].update(anyOf=[TEXT]),
        lambda d: roles(d)["parameters"][1]["schema"].update(maximum=500),
        lambda d: schema(d, "Role").update(description="Other words."),
        badges,
    ]
    for each in edits:
        describe(each)(scratch)
    rename("PlanRefusedError", "RefusedPlanError")(scratch)
    change = between(release, scratch)
    shown = markdown(change, "v1.2.3", ["a line"]).splitlines()
    assert shown[0] == "# What has changed since v1.2.3"
    for line in (
        "- Breaking in requests: 1",
        "- Breaking in responses: nothing",
        "- Breaking in Python: 1",
        f"- Version: {RISES}. The old version is 1.2.3. A release needs 2.0.0. `version.py` has 1.2.3.",
        "- a line",
        "### Operation listRoles",
        "| `/paths/~1roles/get/parameters/1/schema` | maximum: 1000 → 500 | **breaking** |  |",
        "### Schema Condition",
        "In listReviewedMessages (response).",
        '| `/components/schemas/Condition/properties/message` | alternative "array": present → nothing |  | fine |',
        "### Operation getBadge",
        "| `/paths/~1badge/get` | operation: nothing → present | fine |  |",
        "| `PlanRefusedError` | removed | **breaking** |",
    ):
        assert line in shown, line


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda d: d["info"].update(version="4"), "Only texts, examples, evidence or unused parts have changed."),
        (lambda _: None, "Nothing has changed."),
    ],
    ids=["the version of the document", "nothing"],
)
def test_a_change_without_effect_is_reported(
    release: Path, scratch: Path, edit: Callable[[Any], object], line: str
) -> None:
    """A change of the description is reported, also one without effect on the wire."""
    describe(edit)(scratch)
    shown = markdown(between(release, scratch), "v1.2.3", [])
    section = shown.partition("## openapi.yaml")[2].partition("## Python names")[0]
    assert section.strip() == line


def test_a_shared_change_counts_once(release: Path, scratch: Path) -> None:
    """A change in a shared field or address counts once, not once for each operation."""
    describe(lambda d: schema(d, "KeywordList")["properties"].pop("active"))(scratch)
    describe(lambda d: regions(d).remove("in"))(scratch)
    shown = markdown(between(release, scratch), "v1.2.3", [])
    assert "- Breaking in requests: 1\n- Breaking in responses: 1\n" in shown


def report(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.contract.report", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603


@pytest.mark.deep
@pytest.mark.timeout(600)  # it starts the report and the generator several times
def test_the_command_from_an_edit_to_a_release(scratch: Path) -> None:
    """The report compares any change with the last release, and succeeds if a release needs nothing more."""
    done = report(scratch)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing has changed." in done.stdout

    describe(lambda d: schema(d, "Role")["properties"].update(emblem=TEXT))(scratch)
    done = report(scratch)
    assert done.returncode == 1
    assert (
        f"## Before a release\n\n- version.py: the version is 1.2.3, the change needs 1.3.0\n- {NO_ENTRY}\n"
        in done.stdout
    )

    generate(scratch)
    replace("CHANGELOG.md", "## [Unreleased]\n", "## [1.3.0] - 2026-02-02\n\n### Added\n\n- Emblems.\n")(scratch)
    replace(VERSION, "1.2.3", "1.3.0")(scratch)
    commit(scratch)
    done = report(scratch)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "| `Role.emblem` | added |  |" in done.stdout
    assert "The old version is 1.2.3. A release needs 1.3.0. `version.py` has 1.3.0." in done.stdout

    done = report(scratch, "HEAD")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "# What has changed since HEAD")


def test_the_command_without_a_release(scratch: Path) -> None:
    """Before the first release, the report compares with an earlier commit. A wrong revision is one line."""
    git(scratch, "tag", "--delete", "v1.2.3")
    describe(lambda d: schema(d, "Role")["required"].append("updatedAt"))(scratch)
    commit(scratch)
    done = report(scratch)
    assert done.returncode == 0
    assert "the commit before the last one (no release yet" in done.stdout.splitlines()[0]
    assert 'property "updatedAt": optional → required' in done.stdout
    done = report(scratch, "v9.9.9")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("v9.9.9: no such revision; ")


def test_base_of_a_report(tmp_path: Path) -> None:
    """The base is the last release, else the merge base with main, else the commit before the last one."""

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


#: Files that the report cannot read, and the error line for each.
UNREADABLE: dict[str, tuple[Edit, str]] = {
    "invalid YAML": (append("openapi.yaml", "\nx: [\n"), "openapi.yaml: neither JSON nor YAML: "),
    "a reference to a file": (
        describe(lambda d: schema(d, "Role")["properties"].update(x={"$ref": "other.yaml"})),
        "openapi.yaml: refers to 'other.yaml', which is not read",
    ),
    "no description": (
        lambda folder: (folder / "openapi.yaml").write_text("a: 1\n"),
        "openapi.yaml: not an OpenAPI document",
    ),
    "a reference without a target": (
        describe(lambda d: d["components"]["schemas"].pop("RoleListMeta")),
        "openapi.yaml: $ref '#/components/schemas/RoleListMeta' has no target",
    ),
    "an incomplete entry": (append("contract/deviations.yaml", "\n- id: half\n"), "deviations.yaml: entry "),
}


@pytest.mark.parametrize(("edit", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_file_is_one_error_line(scratch: Path, edit: Edit, line: str) -> None:
    """An unreadable description or ledger is named in one line, and the exit code is 2."""
    edit(scratch)
    done = report(scratch)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(line)


def test_the_generator_names_a_reference_without_a_target(scratch: Path) -> None:
    """`make generate` names a reference without a target before the generator fails."""
    describe(lambda d: d["components"]["schemas"].pop("RoleListMeta"))(scratch)
    command = [sys.executable, "-m", "tools.generate", "--check"]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)  # noqa: S603
    assert (
        done.stderr
        == "openapi.yaml: $ref '#/components/schemas/RoleListMeta' has no target; add it, or correct the reference\n"
    )
    assert done.returncode == 1
