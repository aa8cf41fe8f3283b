"""Overlays that use a deprecated operation, or a name that is not generated any more."""

import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.description import ROOT, snake_case

from ..contract.generation import copied, generate, replace, run

#: A program that calls each public method of each resource with both clients, and prints the names
#: of those that warn; each warning must be at a line of the program.
PROGRAM = """
import asyncio
import inspect
import warnings

import cometchat_rest
from cometchat_rest import AsyncClient, Client, CometChatError, WordListInput
from cometchat_testing import Simulator

LIST = "profanity-list"
WORDS = WordListInput(search_terms=["spam"])
CALLS = [
    ("auth_tokens.delete", "alice", "token"),
    ("auth_tokens.revoke", "alice", "token"),
    ("auth_tokens.revoke_all", [("alice", "token")]),
    ("keywords.apply", LIST, WORDS),
    ("keywords.get", LIST),
    ("keywords.plan", LIST, WORDS),
    ("keywords.update", LIST, WORDS),
    ("keywords.update", LIST, ["spam"]),
    ("reviewed_messages.list",),
    ("reviewed_messages.watch",),
    ("roles.list",),
]


async def value(result):
    return await result if inspect.iscoroutine(result) else result


async def call(chat, path, *arguments):
    holder, _, name = path.partition(".")
    resource = getattr(chat, holder)
    options = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        if name == "apply":
            arguments = [await value(resource.plan(*arguments))]
            options = {"max_removed": 1.0}
        warnings.simplefilter("always")
        try:
            await value(getattr(resource, name)(*arguments, **options))
        except CometChatError:
            pass
    for warning in caught:
        assert warning.filename == __file__, warning
        print(str(warning.message).partition(", which is deprecated: ")[0])
    return f"{type(resource).__name__}.{name}"


async def main(simulator):
    settings = {"base_url": simulator.base_url, "api_key": simulator.api_key}
    with Client(**settings) as chat:
        called = {await call(chat, *each) for each in CALLS}
    async with AsyncClient(**settings) as chat:
        called |= {await call(chat, *each) for each in CALLS}
    resources = {name.partition(".")[0] for name in called}
    for name in resources:
        methods = {each for each in dir(getattr(cometchat_rest, name)) if not each.startswith("_")}
        assert {f"{name}.{each}" for each in methods} <= called, methods


with Simulator() as simulator:
    asyncio.run(main(simulator))
"""
#: For each operation, the methods that use it.
USES = {
    "getKeywordList": {"Keywords.get", "Keywords.plan", "Keywords.apply", "Keywords.update"},
    "updateKeywordList": {"Keywords.update", "Keywords.apply"},
    "listReviewedMessages": {"ReviewedMessages.list", "ReviewedMessages.watch"},
    "listRoles": {"Roles.list"},
    "deleteAuthToken": {"AuthTokens.delete", "AuthTokens.revoke", "AuthTokens.revoke_all"},
}
#: Methods that are only generated; the marks of the others are written by hand.
GENERATED = {"Keywords.get", "ReviewedMessages.list", "Roles.list"}
MARK = "write above each method of an overlay that uses it: @deprecated("


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with its hand-written code."""
    folder = copied(tmp_path_factory.mktemp("overlays") / "copy")
    for name in ("runtime", "overlays"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def scratch(original: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(original, tmp_path / "scratch")


def deprecate(scratch: Path, operations: Iterable[str]) -> list[str]:
    """Mark operations, generate, and return the operations with a line about their marks."""
    for operation in operations:
        old = f"\n      operationId: {operation}\n"
        replace("openapi.yaml", old, f"{old}      deprecated: true\n")(scratch)
    done = generate(scratch)
    return [line.partition(":")[0] for line in done.stdout.splitlines() if MARK in line]


def both(names: set[str]) -> set[str]:
    return names | {f"Async{name}" for name in names}


def sources(scratch: Path) -> tuple[Path, ...]:
    return tuple(scratch / name for name in ("runtime", "generated", "overlays"))


@pytest.mark.parametrize(
    "operations", [USES.keys(), *(pytest.param([each], marks=pytest.mark.deep) for each in USES)]
)
def test_deprecated_operations_warn_wherever_they_are_used(
    scratch: Path, operations: Iterable[str]
) -> None:
    """Each public method that uses a deprecated operation warns at the line of its caller, with
    both clients; `make generate` prints the mark for type checkers."""
    assert {*deprecate(scratch, operations)} == {*operations}
    program = scratch / "program.py"
    program.write_text(PROGRAM, "utf-8")
    ran = run(program, path=sources(scratch))
    assert ran.returncode == 0, ran.stderr
    assert {*ran.stdout.splitlines()} == {
        f"{method} uses {snake_case(operation)}"
        for operation in operations
        for method in both(USES[operation])
    }


@pytest.mark.deep
def test_type_checkers_see_a_deprecated_operation(scratch: Path) -> None:
    """A type checker reports each call of a generated method that uses a deprecated operation."""
    deprecate(scratch, USES)
    program = scratch / "program.py"
    calls = sorted(both(GENERATED))
    imports = ", ".join(sorted({name.partition(".")[0] for name in calls}))
    program.write_text("\n".join([f"from cometchat_rest import {imports}", *calls]), "utf-8")
    options = ("--config-file=", "--enable-error-code=deprecated", "--python-version=3.11")
    checked = run("-m", "mypy", *options, program, path=sources(scratch))
    reported = [line for line in checked.stdout.splitlines() if line.endswith("[deprecated]")]
    assert len(reported) == len(calls), checked.stdout


#: Renamed parts of one description, and what a type checker says about a file of the overlays.
RENAMED: list[tuple[dict[str, str], list[tuple[str, str]]]] = [
    (
        {
            "operationId: updateKeywordList": "operationId: changeKeywordList",
            "Auth Tokens": "Login Tokens",
            "disallowedSentences": "sentences",
        },
        [
            ("auth_tokens.py", '"auth_tokens" is unknown import symbol'),
            ("keyword_input/inputs.py", 'No parameter named "disallowed_sentences"'),
            ("keywords/apply.py", '"update_keyword_list" is unknown import symbol'),
            ("keywords/resource.py", '"update_keyword_list" is unknown import symbol'),
        ],
    ),
    (
        {
            "x-codegen-request-body-name: new": "x-codegen-request-body-name: content",
            "        id: {type: string, description: The list's identifier., minLength: 1}\n": "",
            "keywordId": "listId",
        },
        [
            ("keyword_input/inputs.py", 'No parameter named "id"'),
            ("keywords/apply.py", 'No parameter named "new"'),
            ("keywords/resource.py", 'No parameter named "new"'),
            ("keywords/resource.py", 'base parameter is named "list_id"'),
            ("keywords/resource.py", 'base parameter is named "content"'),
        ],
    ),
]


@pytest.mark.deep
@pytest.mark.parametrize(("edits", "expected"), RENAMED)
def test_a_renamed_part_is_named(
    scratch: Path, edits: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    """After a renaming, `make types` names each name and each argument that an overlay uses and
    that the new package lacks."""
    pytest.importorskip("pyright")
    for old, new in edits.items():
        replace("openapi.yaml", old, new)(scratch)
    assert generate(scratch).returncode == 0
    shutil.copy(ROOT / "pyproject.toml", scratch)
    options = ("--outputjson", "--pythonpath", sys.executable)
    checked = run("-m", "pyright", *options, "overlays", folder=scratch)
    reported = [
        (Path(each["file"]).as_posix(), each["message"])
        for each in json.loads(checked.stdout)["generalDiagnostics"]
    ]
    for end, words in expected:
        assert any(file.endswith(end) and words in text for file, text in reported), reported
