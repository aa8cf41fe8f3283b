"""The generator: overlays that use a deprecated operation, or a name that is not generated any
more."""

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tools.description import ROOT, snake_case

from ..contract.generation import copied, generate, regenerate, replace, run

#: A program that calls each public method of each resource with both clients. It prints the names of
#: those that warn, and whether each has a mark for type checkers; each warning must be at a line of
#: the program.
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
        assert warning.filename == "<string>", warning
        use, _, text = str(warning.message).partition(", which is deprecated: ")
        has_mark = hasattr(getattr(resource, name), "__deprecated__")
        print(use if has_mark else f'{use}; write @deprecated("{text}") above it')
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
#: Methods that are only generated; their marks are, too.
GENERATED = {"Keywords.get", "ReviewedMessages.list", "Roles.list"}
#: The end of a line about a method without a mark.
MISSING = re.compile(r"; write (@deprecated\(.*\)) above it")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with its hand-written code."""
    return copied(tmp_path_factory.mktemp("overlays") / "copy", "runtime", "overlays")


@pytest.fixture
def scratch(original: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(original, tmp_path / "scratch")


def deprecate(scratch: Path, operations: Iterable[str]) -> None:
    """Mark operations as deprecated, and generate."""
    path = scratch / "openapi.yaml"
    text = path.read_text("utf-8").replace("\n      deprecated: true\n", "\n")
    path.write_text(text, "utf-8")
    for operation in operations:
        old = f"\n      operationId: {operation}\n"
        replace("openapi.yaml", old, f"{old}      deprecated: true\n")(scratch)
    regenerate(scratch)


def both(names: set[str]) -> set[str]:
    return names | {f"Async{name}" for name in names}


def lines_about_methods(root: Path) -> list[str]:
    """The lines of the program with the packages of a folder."""
    path = tuple(root / name for name in ("runtime", "generated", "overlays"))
    ran = run("-c", PROGRAM, path=path)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    "operations", [USES.keys(), *(pytest.param([each], marks=pytest.mark.deep) for each in USES)]
)
def test_deprecated_operations_warn_wherever_they_are_used(
    scratch: Path, operations: Iterable[str]
) -> None:
    """Each public method that uses a deprecated operation warns at the line of its caller, with
    both clients; the generated methods have a mark for type checkers."""
    deprecate(scratch, operations)
    lines = lines_about_methods(scratch)
    methods = {method for operation in operations for method in USES[operation]}
    assert {MISSING.sub("", line) for line in lines} == {
        f"{method} uses {snake_case(operation)}"
        for operation in operations
        for method in both(USES[operation])
    }
    marked = {line.partition(" ")[0] for line in lines if not MISSING.search(line)}
    assert marked == both(methods & GENERATED)


def test_each_deprecated_method_has_a_mark() -> None:
    """A method of an overlay that uses a deprecated operation has the mark that type checkers
    read. The test of all operations shows that a missing mark is found."""
    missing = [line for line in lines_about_methods(ROOT) if MISSING.search(line)]
    advice = "import `deprecated` from cometchat_runtime.operation:\n"
    assert not missing, advice + "\n".join(missing)


def mark(scratch: Path, lines: Sequence[str]) -> None:
    """Do what lines ask for, once for each method."""
    marks = {}
    for line in lines:
        missing = MISSING.search(line)
        if missing:
            marks[line.partition(" ")[0]] = missing[1]
    for method, text in marks.items():
        cls, name = method.split(".")
        (path,) = (
            path
            for path in (scratch / "overlays").rglob("*.py")
            if f"class {cls}(" in path.read_text("utf-8")
        )
        before, opening, after = path.read_text("utf-8").partition(f"class {cls}(")
        start, definition, rest = re.split(
            rf"^(    (?:async )?def {name}\()", after, maxsplit=1, flags=re.MULTILINE
        )
        after = f"{start}    {text}\n{definition}{rest}"
        docstring, quotes, code = before.partition('"""\n')
        imported = "from cometchat_runtime.operation import deprecated\n"
        code = f"{imported}{code.replace(imported, '')}"
        path.write_text(docstring + quotes + code + opening + after, "utf-8")


@pytest.mark.deep
def test_type_checkers_see_a_deprecated_operation(scratch: Path) -> None:
    """With these marks, a type checker reports each call."""
    deprecate(scratch, USES)
    mark(scratch, lines_about_methods(scratch))
    assert not any(map(MISSING.search, lines_about_methods(scratch)))
    program = scratch / "program.py"
    calls = sorted(both({method for methods in USES.values() for method in methods}))
    imports = ", ".join(sorted({name.partition(".")[0] for name in calls}))
    program.write_text("\n".join([f"from cometchat_rest import {imports}", *calls]), "utf-8")
    options = ("--config-file=", "--enable-error-code=deprecated", "--python-version=3.11")
    path = tuple(scratch / name for name in ("runtime", "generated", "overlays"))
    checked = run("-m", "mypy", *options, program, path=path)
    found = [line for line in checked.stdout.splitlines() if line.endswith("[deprecated]")]
    assert len(found) == len(calls), checked.stdout


#: Renamed parts of one description, and the places and the words of the lines about overlays.
RENAMED: list[tuple[dict[str, str], list[tuple[str, str]]]] = [
    (
        {
            "operationId: updateKeywordList": "operationId: changeKeywordList",
            "Auth Tokens": "Login Tokens",
            "disallowedSentences": "sentences",
        },
        [
            ("auth_tokens.py", 'named "cometchat_openapi.api.auth_tokens"'),
            ("keyword_input/inputs.py", 'Unexpected keyword argument "disallowed_sentences"'),
            ("keywords/apply.py", 'has no attribute "update_keyword_list"'),
            ("keywords/resource.py", 'has no attribute "update_keyword_list"'),
        ],
    ),
    (
        {
            "x-codegen-request-body-name: new": "x-codegen-request-body-name: content",
            "        id: {type: string, description: The list's identifier., minLength: 1}\n": "",
            "keywordId": "listId",
        },
        [
            ("keyword_input/inputs.py", 'Unexpected keyword argument "id"'),
            ("keywords/resource.py", 'Unexpected keyword argument "keyword_id"'),
            ("keywords/resource.py", 'Unexpected keyword argument "new"'),
        ],
    ),
]


@pytest.mark.parametrize(("edits", "expected"), RENAMED)
def test_a_renamed_part_is_named(
    scratch: Path, edits: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    """`make generate` fails with each name and argument that an overlay uses and that the new
    package does not have; the package is written, so that the overlay can be changed."""
    for old, new in edits.items():
        replace("openapi.yaml", old, new)(scratch)
    done = generate(scratch)
    assert done.returncode == 1
    heading, *lines = done.stderr.splitlines()
    assert heading == "overlays do not fit generated/cometchat_openapi; change them:"
    shown = [line.removeprefix("overlays/cometchat_rest/") for line in lines]
    for place, words in expected:
        assert any(line.startswith(f"{place}:") and words in line for line in shown), words
    assert generate(scratch, "--check").returncode == 0


def test_a_new_argument_of_an_extended_method_is_named(scratch: Path) -> None:
    """`make generate` names an overlay that lacks a new argument of a generated method."""
    old = "      operationId: updateKeywordList\n"
    parameter = "{name: force, in: query, description: Yes., schema: {type: boolean}}"
    new = f"{old}      parameters:\n        - {parameter}\n"
    replace("openapi.yaml", old, new)(scratch)
    done = generate(scratch)
    assert done.returncode == 1
    assert 'error: Signature of "update" incompatible with supertype' in done.stderr


def test_an_overlay_that_mypy_cannot_read(scratch: Path) -> None:
    """If mypy fails, `make generate` says so, and names the place."""
    (scratch / "overlays" / "cometchat_rest" / "broken.py").write_text("def (", "utf-8")
    done = generate(scratch)
    assert done.returncode == 1
    assert done.stderr.startswith("mypy failed: overlays/cometchat_rest/broken.py:1: ")
