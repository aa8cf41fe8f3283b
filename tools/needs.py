"""What a change still lacks before it can be released."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keepachangelog  # type: ignore[import-untyped]  # it carries no types
from openapi_python_client.strings import PythonIdentifier

from . import deviations
from .change import Change, version_of
from .openapi import Document, Operation, mapping, nodes, operations, resolved
from .surface import gone
from .traces import Traces

_NAME = re.compile('(?:property|query parameter|header parameter) "(.+)"')
_TESTING = "overlays/cometchat_rest/testing"


def stale(tree: Path) -> list[str]:
    """Whether the generated code is behind the description."""
    command = [sys.executable, str(tree / "tools" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ["generated/cometchat_openapi: is not what openapi.yaml makes; make generate"] if done.returncode else []


def missing(change: Change, *, released: bool) -> list[str]:
    """What has to be done, each as a line that names the place.

    Args:
        change: what has changed.
        released: whether the older tree was released, so that another version has to follow it.
    """
    traces = Traces(change.new)
    return [
        *(line for operation in operations(change.after) for line in _untraced(operation, traces)),
        *dict.fromkeys(_unknown(change, traces)),
        *_unaddressed(change.after, traces),
        *_unexported(change),
        *(f"{file}: imports {name}, which is gone" for file, name in gone(change.new)),
        *deviations.complaints(deviations.read(change.new / "deviations.yaml"), change.after),
        *(_unreleased(change) if released else ()),
    ]


def _untraced(operation: Operation, traces: Traces) -> Iterator[str]:
    """What an operation needs and has not."""
    methods = traces.methods(operation.name)
    for client, resources in (("Client", False), ("AsyncClient", True)):
        if not any(each.resource.startswith("Async") is resources for each in methods):
            yield f"overlays/cometchat_rest: no method of {client} calls {operation.name}"
    for module, name in dict.fromkeys((each.module, each.name) for each in methods):
        if not traces.tests(module, name):
            yield f"tests/client/test_{module}.py: no test_{name}, which would call {operation.name}"
    if not traces.handlers(operation.name):
        yield f"{_TESTING}: no handler of {operation.name}"


def _unknown(change: Change, traces: Traces) -> Iterator[str]:
    """Fields and parameters that are new, and that nobody has taught the simulator or the overlays."""
    names = {each.id: each.name for each in operations(change.after)}
    for each in change.differences:
        found = _NAME.fullmatch(each.subject)
        if found and each.old is None:
            if not traces.simulator_knows(found[1], names[each.operation]):
                yield f"{_TESTING}: the simulator does not know {found[1]}, which is new in {each.operation}"
            methods = traces.methods(names[each.operation])
            python = PythonIdentifier(found[1], "field_")
            if each.side == "request" and not traces.takes(python, methods):
                yield f"overlays/cometchat_rest: nothing takes {python}, which is new in {each.operation}"


def _unaddressed(document: Document, traces: Traces) -> Iterator[str]:
    """Where addresses are put together otherwise than the description does, or of other values, such as regions."""
    endpoint = "overlays/cometchat_rest/endpoint.py"
    for server in document["servers"]:
        if not traces.builds(server["url"]):
            yield f"{endpoint}: does not build {server['url']}"
        for name, variable in mapping(server, "variables").items():
            if values := set(variable.get("enum", ())):
                known = traces.choices(name)
                yield from (f"{endpoint}: does not know {each!r}, which {name} may be" for each in values - known)
                yield from (f"{endpoint}: knows {each!r}, which {name} may not be" for each in known - values)


def _unexported(change: Change) -> Iterator[str]:
    """Results that are new, and that users cannot name."""
    known = mapping(change.before.get("components"), "schemas")
    for name in sorted(_results(change.after) - known.keys() - change.public):
        yield f"overlays/cometchat_rest/__init__.py: does not export {name}, which is a result"


def _results(document: Document) -> set[str]:
    """The objects that calls return, or that are in what they return; what merely wraps `data` is taken off."""
    found: set[str] = set()

    def take(node: object) -> None:
        for _, each in nodes(node):
            if isinstance(each, dict) and isinstance(target := each.get("$ref"), str):
                name, schema = target.rpartition("/")[2], resolved(document, each)
                if name not in found:
                    if schema.get("type") == "object":
                        found.add(name)
                    take(mapping(document["components"]["schemas"], name))

    for operation in operations(document):
        for status, response in operation.node["responses"].items():
            for media in resolved(document, response).get("content", {}).values() if status.startswith("2") else ():
                take(media["schema"])
                if resolved(document, media["schema"]).get("properties", {}).keys() == {"data"}:
                    found.discard(media["schema"].get("$ref", "").rpartition("/")[2])
    return found


def _unreleased(change: Change) -> Iterator[str]:
    """What a release needs; nothing where nothing has changed."""
    if change.step == "none":
        return
    version, least = version_of(change.new), change.version
    said = ".".join(map(str, version))
    if version < least:
        asked = ".".join(map(str, least))
        yield f"overlays/cometchat_rest/version.py: says {said}, and the change asks for {asked}"
    told = keepachangelog.to_dict(str(change.new / "CHANGELOG.md"), show_unreleased=True)
    sections = ["unreleased"] if version <= version_of(change.old) else ["unreleased", said]
    news = {kind for each in sections for kind in told.get(each, {}) if kind != "metadata"}
    if not news:
        yield "CHANGELOG.md: says nothing of the change"
    elif change.step == "major" and not news & {"changed", "removed"}:
        yield "CHANGELOG.md: the change breaks something, and nothing stands under Changed or Removed"
