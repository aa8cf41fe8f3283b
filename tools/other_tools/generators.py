"""Clients that other generators make: each is compiled, and then calls all operations of the simulator."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cometchat_rest.testing import Simulator
from tools.description import DESCRIPTION

from .workplace import HERE, NODE, PYTHON, WORK, Result, ToolError, node, npm_version, run

PROGRAMS = HERE / "programs"
#: The expected output of each call of a program.
OUTPUT = {
    "get": "profanity-list",
    **dict.fromkeys(("words", "patterns", "sentences", "file"), "sent"),
    "messages": "2",
    "roles": "10",
    "delete": "true",
}
#: The expected entries of each list after the program.
ENTRIES = {
    "words": ["spam", "scam"],
    "patterns": ["[0-9]{4}"],
    "sentences": ["Go, now.", "Leave."],
    "file": ["ham", "spam"],
}


def try_linter() -> Result:
    """Lint the description with every recommended rule; each problem counts as a failed call."""
    script, settings = "@redocly/cli/bin/cli.js", HERE / "npm" / "redocly.yaml"
    version = npm_version("@redocly/cli")
    try:
        node(script, "lint", "--config", settings, "--format", "json", DESCRIPTION)
    except ToolError as error:
        return Result(version, 0, 1, str(error))
    return Result(version, 1, 1)


def try_client(name: str) -> Result:
    """Generate, compile and run a client."""
    folder = WORK / "out" / name.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    version, make = GENERATORS[name]
    try:
        done, problem = _run(make(folder), folder)
    except (ToolError, OSError) as error:
        done, problem = 0, str(error)
    return Result(version(), done, len(OUTPUT), problem)


def _run(program: list[str | Path], folder: Path) -> tuple[int, str]:
    """Run a program against a new simulator; return the number of successful calls, and the first problem."""
    terms = folder / "terms.csv"
    terms.write_text("ham\nspam\n", "utf-8")
    with Simulator() as simulator:
        lists: dict[str, Any] = simulator.keyword_lists
        for name in ENTRIES:
            lists[name] = {**lists["profanity-list"], "id": name, "searchTerms": []}
        token = simulator.auth_tokens["alice"][0]
        printed = run(*program, simulator.base_url, simulator.api_key, token, terms, cwd=folder)
    lines = dict(line.split("\t", 1) for line in printed.splitlines() if "\t" in line)
    problems = []
    for name, expected in OUTPUT.items():
        shown = lines.get(name, "!no output")
        stored = lists[name].get("searchTerms", lists[name].get("disallowedSentences")) if name in ENTRIES else None
        if shown.lower() != expected:
            problems.append(f"{name}: {shown.removeprefix('!')[:140]}")
        elif stored != ENTRIES.get(name):
            problems.append(f"{name}: the service stored {stored}")
    return len(OUTPUT) - len(problems), problems[0] if problems else ""


def _openapi_generator(kind: str, target: Path) -> None:
    # By default, some of its clients refuse a response with a new field.
    more = "--additional-properties=disallowAdditionalPropertiesIfNotPresent=false"
    run(PYTHON / "openapi-generator-cli", "generate", "-g", kind, "-i", DESCRIPTION, "-o", target, more)


def _compiled(folder: Path, program: str) -> list[str | Path]:
    """Compile a TypeScript program and the generated client."""
    for name in (program, "show.ts"):
        shutil.copy(PROGRAMS / name, folder)
    (folder / "node_modules").symlink_to(NODE)
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--types", "node")
    node("typescript/bin/tsc", *options, "--outDir", "compiled", program, cwd=folder)
    return ["node", (folder / "compiled" / program).with_suffix(".js")]


def _typescript_fetch(folder: Path) -> list[str | Path]:
    _openapi_generator("typescript-fetch", folder / "client")
    return _compiled(folder, "typescript_fetch.ts")


def _openapi_typescript(folder: Path) -> list[str | Path]:
    node("openapi-typescript/bin/cli.js", DESCRIPTION, "-o", folder / "client.ts", cwd=folder)
    return _compiled(folder, "openapi_typescript.ts")


def _python(folder: Path) -> list[str | Path]:
    _openapi_generator("python", folder)
    return [PYTHON / "python", shutil.copy(PROGRAMS / "program.py", folder)]


def _generator_version() -> str:
    return run(PYTHON / "openapi-generator-cli", "version").strip()


#: Each generator: its version, and how to make a program in a folder.
GENERATORS: Mapping[str, tuple[Callable[[], str], Callable[[Path], list[str | Path]]]] = {
    "openapi-generator typescript-fetch": (_generator_version, _typescript_fetch),
    "openapi-generator python": (_generator_version, _python),
    "openapi-typescript": (lambda: npm_version("openapi-typescript"), _openapi_typescript),
}
