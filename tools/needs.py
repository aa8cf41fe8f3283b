"""Lists the work that a change still needs before a release."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keepachangelog  # type: ignore[import-untyped]  # the package has no type information

from . import code_search, deviations
from .change import Change, version_of
from .code_search import CLIENT, SIMULATOR
from .openapi_diff.difference import template
from .openapi_diff.document import Document, Operation, mapping, nodes, operations, resolved
from .surface import missing_imports

#: The subject of a difference that needs an argument or an input field, and is named by it.
_NAME = re.compile('(property|query parameter|header parameter|cookie parameter) "(.+)"')
#: The subject of a difference that needs a class of the form, or a new category of such a class.
_VARIANT = re.compile('(alternative|value) "(.+)"')
#: The files that name every operation, and the part that is missing if a file does not name one.
_NAMED_IN = {
    "tests/client/support.py": "call",
    "tests/contract/calls.py": "call",
    f"{SIMULATOR}/faults.py": "name",
    f"{CLIENT}/cli/wording.py": "name",
    "docs/reference/below.md": "reference",
}
#: The files that name the page of every operation.
_PAGES_IN = ("docs/operations/index.md", "mkdocs.yml")


def stale(tree: Path) -> list[str]:
    """Return a line if the generated code does not match the description."""
    command = [sys.executable, str(tree / "tools" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ["generated/cometchat_openapi: does not match openapi.yaml; run `make generate`"] if done.returncode else []


def missing(change: Change, *, released: bool) -> list[str]:
    """Return the remaining work, one line for each place.

    Args:
        change: the change.
        released: whether the older tree was released. A released tree needs a new version.
    """
    return [
        *(line for operation in operations(change.after) for line in _unimplemented(change.new, operation)),
        *dict.fromkeys(_unused(change)),
        *_wrong_addresses(change),
        *_wrong_keys(change),
        *_unexported(change),
        *(f"{file}: imports {name}, which no longer exists" for file, name in missing_imports(change.new)),
        *deviations.complaints(deviations.read(change.new / "deviations.yaml"), change.after),
        *(_unreleased(change) if released else ()),
    ]


def _unimplemented(tree: Path, operation: Operation) -> Iterator[str]:
    """Places where an operation is missing."""
    name = operation.name
    if not code_search.client_modules(tree, name):
        yield f"{CLIENT}: no resource calls {name}"
    if not code_search.handlers(tree, name):
        yield f"{SIMULATOR}: no handler of {name}"
    templates = {"tests/client/_call/test_exchange.py": "template"} if "{" in operation.path else {}
    for file, part in {**_NAMED_IN, **templates}.items():
        if not code_search.mentions(tree, file, name):
            yield f"{file}: no {part} of {name}"
    page = f"{name.replace('_', '-')}.md"
    if not (tree / "docs" / "operations" / page).is_file():
        yield f"docs/operations: no page {page}"
    for file in _PAGES_IN:
        if page not in (tree / file).read_text("utf-8"):
            yield f"{file}: no link to {page}"


def _unused(change: Change) -> Iterator[str]:
    """New fields and parameters that the simulator or the client does not use."""
    names = {each.id: each.name for each in operations(change.after)}
    for each in change.differences:
        if each.old is not None:
            continue
        operation, reason = names[each.operation], f"which is new in {each.operation}"
        found = _NAME.fullmatch(each.subject) or (_VARIANT.fullmatch(each.subject) if each.side == "request" else None)
        if found is None:
            continue
        kind, name = found.groups()
        # The service and the simulator accept any header.
        if kind != "header parameter" and not code_search.simulator_uses(change.new, operation, name):
            yield f"{SIMULATOR}: the simulator does not use {name}, {reason}"
        if each.side == "request":
            yield from (f"{CLIENT}: {lack}, {reason}" for lack in _lacking(change.new, operation, kind, name))


def _lacking(tree: Path, operation: str, kind: str, name: str) -> Iterator[str]:
    """The part of the client that a caller needs for a new part of a request."""
    # The import takes half a second, and few changes need it.
    from openapi_python_client.strings import PythonIdentifier  # noqa: PLC0415

    argument = PythonIdentifier(name, "field_")
    if kind in ("alternative", "value"):
        if not code_search.holds_text(tree, operation, name):
            yield f"no input class for {name}"
    # A header can be an option of the client.
    elif not (
        code_search.accepts(tree, operation, argument)
        or (kind == "header parameter" and code_search.is_option(tree, argument))
    ):
        yield f"no argument or input field {argument}"


def _wrong_addresses(change: Change) -> Iterator[str]:
    """Differences between the addresses and regions of the description and those in `endpoint.py`."""
    file = f"{CLIENT}/endpoint.py"
    source = (change.new / file).read_text("utf-8")
    known = set(re.findall(r'^    [A-Z]+ = "(\w+)"$', source, re.MULTILINE))
    for server in change.after["servers"]:
        if template(server["url"]) not in template(source):
            yield f"{file}: does not build {server['url']}"
        described = set(mapping(mapping(server, "variables"), "region").get("enum", ()))
        yield from (f"{file}: Region lacks {each!r}" for each in sorted(described - known))
        yield from (f"{file}: Region has {each!r}, which openapi.yaml lacks" for each in sorted(known - described))


def _wrong_keys(change: Change) -> Iterator[str]:
    """Places that do not send or read the header of the key, as the description names it."""
    for scheme in mapping(change.after.get("components"), "securitySchemes").values():
        for file in (f"{CLIENT}/_call/settings.py", f"{SIMULATOR}/service.py"):
            if scheme.get("in") == "header" and f'"{scheme["name"]}"' not in (change.new / file).read_text("utf-8"):
                yield f"{file}: does not use the header {scheme['name']} for the key"


def _unexported(change: Change) -> Iterator[str]:
    """New classes of results and inputs that the package does not export, or the site does not show."""
    known = mapping(change.before.get("components"), "schemas")
    pages = "\n".join(path.read_text("utf-8") for path in (change.new / "docs" / "reference").glob("*.md"))
    kinds = {**dict.fromkeys(_inputs(change.after), "an input"), **dict.fromkeys(_results(change.after), "a result")}
    for name in sorted(kinds.keys() - known.keys()):
        if name not in change.public:
            yield f"overlays/cometchat_rest/__init__.py: does not export {name}, which is {kinds[name]}"
        if not re.search(rf"\b{name}\b", pages):
            yield f"docs/reference: no reference of {name}, which is {kinds[name]}"


def _results(document: Document) -> set[str]:
    """The schemas of the objects that calls return, nested objects included; a wrapper with only `data` is left out."""
    found: set[str] = set()
    for operation in operations(document):
        for status, response in operation.node["responses"].items():
            for media in resolved(document, response).get("content", {}).values() if status.startswith("2") else ():
                found |= _objects(document, media["schema"])
                if resolved(document, media["schema"]).get("properties", {}).keys() == {"data"}:
                    found.discard(media["schema"].get("$ref", "").rpartition("/")[2])
    return found


def _inputs(document: Document) -> set[str]:
    """The schemas of the objects in JSON bodies of requests. A form has hand-written inputs instead."""
    bodies = [operation.body for operation in operations(document)]
    return {name for body in bodies if body and body[0] == "application/json" for name in _objects(document, body[1])}


def _objects(document: Document, schema: object) -> set[str]:
    """The names of the objects that a schema contains."""
    found: dict[str, bool] = {}

    def take(node: object) -> None:
        for _, each in nodes(node):
            if isinstance(each, dict) and isinstance(target := each.get("$ref"), str):
                name = target.rpartition("/")[2]
                if name not in found:
                    found[name] = resolved(document, each).get("type") == "object"
                    take(mapping(document["components"]["schemas"], name))

    take(schema)
    return {name for name, is_object in found.items() if is_object}


def _unreleased(change: Change) -> Iterator[str]:
    """Work for a release; an unchanged tree needs no release."""
    if change.step == "none":
        return
    version, least = version_of(change.new), change.version
    current = ".".join(map(str, version))
    if version < least:
        needed = ".".join(map(str, least))
        yield f"overlays/cometchat_rest/version.py: the version is {current}, the change needs {needed}"
    changelog = keepachangelog.to_dict(str(change.new / "CHANGELOG.md"), show_unreleased=True)
    sections = ["unreleased"] if version <= version_of(change.old) else ["unreleased", current]
    categories = {kind for each in sections for kind in changelog.get(each, {}) if kind != "metadata"}
    if not categories:
        yield "CHANGELOG.md: no entry for the change"
    elif change.step == "major" and not categories & {"changed", "removed"}:
        yield "CHANGELOG.md: the change breaks something, so it needs an entry under Changed or Removed"
