"""Writes the pages of the site as plain Markdown, with the configuration of MkDocs.

python -m tools.site.pages FOLDER

A page in `docs/` may contain marks. This step replaces them, so that the generator of the site
needs no hooks:

- `<!-- --8<-- "FILE:PART" -->` becomes a part of a file;
- `<!-- on the wire -->` below a block of Python becomes the requests and responses of that block;
- another mark, such as `<!-- the commands -->`, becomes the text that `_GENERATED` names;
- a mention of a section of service.md, or of a public name in backticks, becomes a link.

A mark at the end of a line replaces the whole line: the line is for people who read the page in a
checkout.

Equal files are not touched, so that `make serve-docs` reloads only the pages that have changed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

import cometchat_rest
from tools.contract import deviations
from tools.description import DESCRIPTION, ROOT, read

from . import commands, exchanges, reference
from .links import with_links

DOCS = ROOT / "docs"

_INCLUDE = re.compile(r'^.*<!-- --8<-- "(?P<file>[^":]+):(?P<part>\w+)" -->$', re.MULTILINE)
# A block of Python, and below it the mark for its requests and responses.
_ON_THE_WIRE = re.compile(
    r"""
    (?P<block>
        ^```python\n(?P<code>.*?)^```\n
        (?:(?!^```python).)*?                # no other block of Python in between
    )
    ^[^\n]*<!--[ ]on[ ]the[ ]wire[ ]-->$
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
_OUTPUT = re.compile(r"^```text$", re.MULTILINE)
_GENERATED = {
    "<!-- the deviations -->": lambda: deviations.rendered(deviations.read(), read(DESCRIPTION)),
    "<!-- the commands -->": commands.commands,
    "<!-- the exit codes -->": commands.exit_codes,
    "<!-- the rules -->": commands.rules,
    "<!-- the generated resources -->": reference.generated_resources,
    "<!-- the names of the resources -->": reference.resource_names,
    "<!-- the models -->": reference.model_reference,
}
# Pages for maintainers. Their words would hide the results for users.
_NOT_SEARCHED = {"contributing.md", "deviations.md", "service.md"}
# Instructions come before the reference among the results of the search.
_INSTRUCTIONS = ("how-to/", "desk/")
# These files in `docs/` are no part of the site. Its pages show the texts of links to them.
_NOT_PUBLISHED = {"decisions.md", "tools.md", "mkdocs.yml", "ruff.toml"}
_NOT_LINKED = re.compile(
    r"""
    \[(?P<label>[^]]*)\]
    \((?:
        decisions\.md[^)]*        # [Decisions](decisions.md#errors)
        | tools\.md[^)]*          # [Tools](tools.md)
    )\)
    """,
    re.VERBOSE,
)
# These files at the top are pages of the site.
_FROM_THE_TOP = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}


def write(folder: Path) -> None:
    """Write the pages, their images and the configuration into a folder."""
    for name, content in _files():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _files() -> Iterator[tuple[str, bytes]]:
    config = yaml.safe_load((DOCS / "mkdocs.yml").read_text("utf-8"))
    config["site_name"] += f" {cometchat_rest.__version__}"
    config["watch"] = [str(ROOT / name) for name in config["watch"]]
    yield "mkdocs.yml", yaml.safe_dump(config, sort_keys=False).encode()
    for name in _FROM_THE_TOP:
        yield f"docs/{name}", _page(name, _source(name)).encode()
    for path in DOCS.rglob("*"):
        name = path.relative_to(DOCS).as_posix()
        if path.is_file() and name not in _NOT_PUBLISHED:
            yield _file(name, path)


def _file(name: str, path: Path) -> tuple[str, bytes]:
    """The place and the content of a file in `docs/`."""
    if name.startswith("overrides/"):
        return name, path.read_bytes()
    if path.suffix == ".md":
        return f"docs/{name}", _page(name, _source(name)).encode()
    return f"docs/{name}", path.read_bytes()


def _page(name: str, text: str) -> str:
    text = _ON_THE_WIRE.sub(_with_messages, text)
    text = _OUTPUT.sub('```text title="Output"', text)
    for mark, generate in _GENERATED.items():
        if mark in text:
            generated = generate().replace("\\", r"\\")
            text = re.sub(rf"^.*{mark}$|{mark}", generated, text, flags=re.MULTILINE)
    if name != "service.md":
        text = with_links(text)
    return f"---\nsearch: {{ {_search(name)} }}\n---\n\n{text}"


def _search(name: str) -> str:
    """What the search does with a page."""
    if name in _NOT_SEARCHED:
        return "exclude: true"
    if name.startswith(_INSTRUCTIONS):
        return "boost: 4"
    return "boost: 1"


def _source(name: str) -> str:
    """The text of a page, with links as the site has them."""
    path = ROOT / _FROM_THE_TOP[name] if name in _FROM_THE_TOP else DOCS / name
    text = _INCLUDE.sub(_included, path.read_text("utf-8"))
    # Files at the top name the pages with their folder, and pages name files at the top.
    text = text.replace("](docs/", "](")
    for page, file in _FROM_THE_TOP.items():
        text = text.replace(f"](../{file}", f"]({page}")
        text = text.replace(f"]({file}", f"]({page}")
    return _NOT_LINKED.sub(r"\g<label>", text)


def _included(mark: re.Match[str]) -> str:
    """The part of a file that a mark names."""
    part = mark["part"]
    text = (ROOT / mark["file"]).read_text("utf-8")
    _, _, text = text.partition(f"<!-- --8<-- [start:{part}] -->\n")
    text, _, _ = text.partition(f"<!-- --8<-- [end:{part}] -->\n")
    assert text, f"no such part: {mark[0]}"
    return text.strip("\n")


def _with_messages(match: re.Match[str]) -> str:
    return match["block"] + exchanges.rendered(match["code"])


if __name__ == "__main__":
    write(Path(sys.argv[1]))
