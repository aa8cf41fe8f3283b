"""The generator: overlays that use a deprecated operation, or a name that is not generated any
more."""

import re
import shutil
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
#: Methods that are only generated; their marks are, too.
GENERATED = {"Keywords.get", "ReviewedMessages.list", "Roles.list"}
#: The lines of a method that needs a mark: its file, its class and name, and the mark.
LINE = re.compile(r"(\S+): (\w+)\.(\w+) uses a deprecated operation; .*: (@deprecated\(.*\))")


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
    """Mark operations, generate, and return the lines about methods that need a mark."""
    for operation in operations:
        old = f"\n      operationId: {operation}\n"
        replace("openapi.yaml", old, f"{old}      deprecated: true\n")(scratch)
    return [line for line in generate(scratch).stderr.splitlines() if LINE.fullmatch(line)]


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
    both clients; `make generate` names the methods that need a mark for type checkers."""
    lines = deprecate(scratch, operations)
    methods = {method for operation in operations for method in USES[operation]}
    named = [match.group(2, 3) for line in lines if (match := LINE.fullmatch(line))]
    assert {".".join(names) for names in named} == both(methods - GENERATED)
    program = scratch / "program.py"
    program.write_text(PROGRAM, "utf-8")
    ran = run(program, path=sources(scratch))
    assert ran.returncode == 0, ran.stderr
    assert {*ran.stdout.splitlines()} == {
        f"{method} uses {snake_case(operation)}"
        for operation in operations
        for method in both(USES[operation])
    }


def mark(scratch: Path, line: str) -> None:
    """Do what a line asks for."""
    match = LINE.fullmatch(line)
    assert match is not None
    path = scratch / match[1]
    before, cls, after = path.read_text("utf-8").partition(f"class {match[2]}(")
    method = re.compile(rf"^    (async )?def {match[3]}\(", re.MULTILINE)
    after = method.sub(lambda found: f"    {match[4]}\n{found[0]}", after, count=1)
    imported = "from cometchat_runtime.operation import deprecated\n"
    docstring, quotes, code = before.partition('"""\n')
    if imported not in code:
        code = f"{imported}{code}"
    path.write_text(docstring + quotes + code + cls + after, "utf-8")


@pytest.mark.deep
def test_type_checkers_see_a_deprecated_operation(scratch: Path) -> None:
    """With the marks that `make generate` asks for, a type checker reports each call."""
    for line in deprecate(scratch, USES):
        mark(scratch, line)
    assert generate(scratch).returncode == 0
    program = scratch / "program.py"
    calls = sorted(both({method for methods in USES.values() for method in methods}))
    imports = ", ".join(sorted({name.partition(".")[0] for name in calls}))
    program.write_text("\n".join([f"from cometchat_rest import {imports}", *calls]), "utf-8")
    options = ("--config-file=", "--enable-error-code=deprecated", "--python-version=3.11")
    checked = run("-m", "mypy", *options, program, path=sources(scratch))
    found = [line for line in checked.stdout.splitlines() if line.endswith("[deprecated]")]
    assert len(found) == len(calls), checked.stdout


KEYWORDS = "cometchat_openapi.api.keywords"
FORM = "cometchat_openapi.models.keyword_list_form.KeywordListForm"
#: Renamed parts of one description, and the decisive words of the lines about overlays.
RENAMED: list[tuple[dict[str, str], list[str]]] = [
    (
        {
            "operationId: updateKeywordList": "operationId: changeKeywordList",
            "Auth Tokens": "Login Tokens",
            "disallowedSentences": "sentences",
        },
        [
            "auth_tokens.py: uses cometchat_openapi.api.auth_tokens, ",
            "auth_tokens.py: uses cometchat_openapi.api.auth_tokens.delete_auth_token, ",
            f"keyword_input/inputs.py: passes disallowed_sentences to {FORM}, ",
            f"keywords/apply.py: uses {KEYWORDS}.update_keyword_list, ",
            f"keywords/resource.py: uses {KEYWORDS}.update_keyword_list, ",
        ],
    ),
    (
        {
            "x-codegen-request-body-name: new": "x-codegen-request-body-name: content",
            "        id: {type: string, description: The list's identifier., minLength: 1}\n": "",
            "keywordId": "listId",
        },
        [
            f"keyword_input/inputs.py: passes id to {FORM}, ",
            f"keywords/apply.py: passes new to {KEYWORDS}.update_keyword_list.prepare, ",
            "keywords/resource.py: AsyncKeywords.update lacks content, ",
            "keywords/resource.py: AsyncKeywords.update lacks list_id, ",
            "keywords/resource.py: Keywords.update lacks content, ",
            "keywords/resource.py: Keywords.update lacks list_id, ",
            f"keywords/resource.py: passes new to {KEYWORDS}.update_keyword_list.prepare, ",
        ],
    ),
]


@pytest.mark.parametrize(("edits", "expected"), RENAMED)
def test_a_renamed_part_is_named(scratch: Path, edits: dict[str, str], expected: list[str]) -> None:
    """`make generate` fails with each name and argument that an overlay uses and that the new
    package lacks; the package is written, so that the overlay can be changed."""
    for old, new in edits.items():
        replace("openapi.yaml", old, new)(scratch)
    done = generate(scratch)
    assert done.returncode == 1
    heading, *lines = done.stderr.splitlines()
    assert heading == "overlays do not fit generated/cometchat_openapi; change them:"
    shown = [line.removeprefix("overlays/cometchat_rest/") for line in sorted(lines)]
    assert [words for words, line in zip(expected, shown, strict=True) if words not in line] == []
    assert generate(scratch, "--check").returncode == 1
