"""Generates generated/cometchat_openapi from openapi.yaml, or checks that it is up to date.

python tools/generate.py            replace the committed output
python tools/generate.py --check    compare it byte for byte; change nothing
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# This file runs as a program, also in a copy of the repository.
sys.path.insert(0, str(ROOT))
from tools.openapi_diff.document import found_at, nodes, read  # noqa: E402 - needs the path

OUTPUT = ROOT / "generated" / "cometchat_openapi"


def faults(description: Path) -> list[str]:
    """Return syntax errors and references without a target. The generator reports neither of them clearly."""
    try:
        document = read(description)
    except ValueError as error:
        return [str(error)]
    targets = dict.fromkeys(each["$ref"] for _, each in nodes(document) if isinstance(each, dict) and "$ref" in each)
    absent = [each for each in targets if not isinstance(each, str) or found_at(document, each) is None]
    return [f"{description.name}: $ref {each!r} has no target; add it, or correct the reference" for each in absent]


def with_binary_files(node: Any) -> Any:
    """Return a copy that marks each file with the `format: binary` of OpenAPI 3.0, which more tools know."""
    if isinstance(node, list):
        return [with_binary_files(each) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {key: with_binary_files(each) for key, each in node.items()}
    if "type" not in copy and isinstance(copy.get("contentMediaType"), str):
        del copy["contentMediaType"]
        copy |= {"type": "string", "format": "binary"}
    return copy


def _without_client_options(document: Any) -> Any:
    """Remove the parameters that are an option of the client; the client sends them with every call."""
    options = {
        f"#/components/parameters/{name}"
        for name, each in document.get("components", {}).get("parameters", {}).items()
        if "x-client-option" in each
    }
    for item in document["paths"].values():
        for node in (item, *item.values()):
            if isinstance(node, dict) and "parameters" in node:
                node["parameters"] = [each for each in node["parameters"] if each.get("$ref") not in options]
    return document


def generate(target: Path, description: Path = ROOT / "openapi.yaml") -> None:
    """Run the generator into the new folder `target`; in an existing folder it would keep old files."""
    document = dict(read(description))
    prepared = target.with_suffix(".json")
    prepared.write_text(json.dumps(_without_client_options(with_binary_files(document)), default=str), "utf-8")
    # The post hooks call ruff by name. Use the ruff of this environment.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = [sys.executable, "-m", "openapi_python_client", "generate"]
    command += ["--path", str(prepared), "--config", str(ROOT / "generator-config.yaml")]
    command += ["--custom-template-path", str(ROOT / "generator-templates"), "--output-path", str(target)]
    # Without --fail-on-warning an operation the generator cannot handle would be left out in silence.
    command += ["--meta", "none", "--fail-on-warning"]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    if done.returncode:
        # The last lines of a traceback name the error, often an undefined name in a template.
        output = f"{done.stdout}{done.stderr}".strip().splitlines()
        sys.exit("\n".join(["the generator failed:", *output[-12:]]))
    (target / "py.typed").touch()
    shutil.copy(ROOT / "generator-templates" / "frameworks.py", target)
    schemas = document["components"]["schemas"]
    (target / "schemas.json").write_text(json.dumps(_without_extensions(schemas), indent=1) + "\n", "utf-8")


def _without_extensions(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _without_extensions(each) for name, each in node.items() if not name.startswith("x-")}
    return [_without_extensions(each) for each in node] if isinstance(node, list) else node


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below `folder` by relative path, without compiled files."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def differences(committed: dict[str, bytes], fresh: dict[str, bytes]) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    lines = [f"missing   {name}" for name in fresh.keys() - committed.keys()]
    lines += [f"unknown   {name}" for name in committed.keys() - fresh.keys()]
    lines += [f"different {name}" for name in fresh.keys() & committed.keys() if fresh[name] != committed[name]]
    return sorted(lines)


def main() -> None:
    """Generate, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the committed output, and do not replace it")
    check = parser.parse_args().check
    if found := faults(ROOT / "openapi.yaml"):
        sys.exit("\n".join(found))
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / OUTPUT.name
        generate(fresh)
        lines = differences(contents(OUTPUT), contents(fresh))
        if check and lines:
            listed = "\n  ".join(lines)
            sys.exit(f"{OUTPUT.relative_to(ROOT)} does not match openapi.yaml:\n  {listed}\nRun: make generate")
        if not check:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(fresh, OUTPUT)
    print(f"{OUTPUT.relative_to(ROOT)}: {'up to date' if check else f'{len(lines)} files changed'}")


if __name__ == "__main__":
    main()
