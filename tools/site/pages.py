"""Writes the pages of the site as plain Markdown, with the configuration of MkDocs.

python -m tools.site.pages FOLDER [--watch]

A page in `docs/` may contain marks. This step replaces them, so that the generator of the site
needs no hooks:

- `<!-- --8<-- "FILE:PART" -->` becomes a part of a file;
- `<!-- on the wire -->` below a block of Python becomes the requests and responses of that block;
- `<!-- the commands -->`, `<!-- the exit codes -->`, `<!-- the rules -->`, `<!-- the deviations
  -->`, `<!-- the matrix -->` and `<!-- the other tools -->` become generated text;
- a mention of a section of service.md, or of a public name in backticks, becomes a link.

A mark at the end of a line replaces the whole line: the line is for people who read the page in a
checkout.

With `--watch`, the step writes pages again after a change, until Ctrl-C.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

import cometchat_rest
from tools.contract import deviations, matrix
from tools.description import DESCRIPTION, ROOT, read

from . import commands, exchanges, operations
from .links import with_links

DOCS = ROOT / "docs"

_INCLUDE = re.compile(r'^.*<!-- --8<-- "(?P<file>[^":]+):(?P<part>\w+)" -->$', re.MULTILINE)
# A block of Python, and below it the mark for its requests and responses.
_ON_THE_WIRE = re.compile(
    r"(?P<block>^```python\n(?P<code>.*?)^```\n(?:(?!^```python).)*?)^[^\n]*<!-- on the wire -->$",
    re.MULTILINE | re.DOTALL,
)
_OUTPUT = re.compile(r"^```text$", re.MULTILINE)
_GENERATED = {
    "<!-- the deviations -->": lambda: deviations.rendered(deviations.read(), read(DESCRIPTION)),
    "<!-- the matrix -->": lambda: matrix.rendered(matrix.read(), deviations.read()),
    "<!-- the commands -->": commands.commands,
    "<!-- the exit codes -->": commands.exit_codes,
    "<!-- the rules -->": commands.rules,
    "<!-- the further operations -->": operations.sections,
    "<!-- the rows of further operations -->": operations.rows,
    "<!-- the generated resources -->": operations.generated_resources,
    "<!-- the names of the resources -->": operations.resource_names,
    "<!-- the models -->": operations.model_reference,
}
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
# Pages for maintainers. Their words would hide the results for users.
_NOT_SEARCHED = {"contributing.md", "deviations.md", "service.md"}
# These files in `docs/` are no part of the site. Its pages show the texts of links to them.
_NOT_PUBLISHED = {"decisions.md", "tools.md", "mkdocs.yml", "ruff.toml"}
_NOT_LINKED = re.compile(r"\[([^]]*)\]\((?:decisions|tools)\.md[^)]*\)")
# These files at the top are pages of the site.
_FROM_THE_TOP = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}


def write(folder: Path) -> None:
    """Write the pages, their images, `llms.txt` and the configuration into a folder; equal files
    are not touched."""
    for name, content in _files():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _files() -> Iterator[tuple[str, bytes]]:
    config = yaml.safe_load((ROOT / "docs" / "mkdocs.yml").read_text("utf-8"))
    config["site_name"] += f" {cometchat_rest.__version__}"
    config["watch"] = [str(ROOT / name) for name in config["watch"]]
    yield "mkdocs.yml", yaml.safe_dump(config, sort_keys=False).encode()
    yield "docs/llms.txt", _index(config).encode()
    for name in _FROM_THE_TOP:
        yield f"docs/{name}", _page(name, _source(name)).encode()
    for path in filter(Path.is_file, DOCS.rglob("*")):
        name = path.relative_to(DOCS).as_posix()
        if name.startswith("overrides/"):
            yield name, path.read_bytes()
        elif name in _NOT_PUBLISHED:
            continue
        elif path.suffix == ".md":
            yield f"docs/{name}", _page(name, _source(name)).encode()
        else:
            yield f"docs/{name}", path.read_bytes()


@cache
def _page(name: str, text: str) -> str:
    text = _OUTPUT.sub('```text title="Output"', _ON_THE_WIRE.sub(_with_messages, text))
    for mark, make in _GENERATED.items():
        if mark in text:
            made = make().replace("\\", r"\\")
            text = re.sub(rf"^.*{mark}$|{mark}", made, text, flags=re.MULTILINE)
    # Instructions come before the reference among the results of the search.
    search = (
        "exclude: true"
        if name in _NOT_SEARCHED
        else f"boost: {4 if name.startswith(('how-to/', 'desk/')) else 1}"
    )
    return (
        f"---\nsearch: {{ {search} }}\n---\n\n{text if name == 'service.md' else with_links(text)}"
    )


def _source(name: str) -> str:
    """The text of a page, with links as the site has them."""
    path = ROOT / _FROM_THE_TOP[name] if name in _FROM_THE_TOP else DOCS / name
    # Files at the top name the pages with their folder, and pages name files at the top.
    text = _with_includes(path.read_text("utf-8")).replace("](docs/", "](")
    for page, file in _FROM_THE_TOP.items():
        text = text.replace(f"](../{file}", f"]({page}").replace(f"]({file}", f"]({page}")
    return _NOT_LINKED.sub(r"\1", text)


def _with_includes(text: str) -> str:
    def included(found: re.Match[str]) -> str:
        start, end = (f"<!-- --8<-- [{edge}:{found['part']}] -->\n" for edge in ("start", "end"))
        text = (ROOT / found["file"]).read_text("utf-8").partition(start)[2].partition(end)[0]
        assert text, f"no such part: {found[0]}"
        return text.strip("\n")

    return _INCLUDE.sub(included, text)


def _with_messages(found: re.Match[str]) -> str:
    return found["block"] + exchanges.rendered(found["code"])


def _index(config: dict[str, Any]) -> str:
    """Return `llms.txt`: all pages, each with its first sentence, for programs that read the
    site."""
    return "\n".join(
        (
            f"# {config['site_name']}\n\n> {config['site_description']}\n",
            *_entries(config["nav"]),
            "",
        )
    )


def _entries(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        section, inner = ("", entry) if isinstance(entry, str) else next(iter(entry.items()))
        if isinstance(inner, list):
            yield f"\n## {section}\n"
            yield from _entries(inner)
        else:
            yield _entry(inner)


def _entry(name: str) -> str:
    text = _source(name)
    found = re.search(r"^# ([^\n]*)$.*?^\n([A-Z`\[].*?)[.:](?=\s)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{name} has no title, or no sentence below it"
    summary = _LINK.sub(r"\1", " ".join(found[2].split()))
    return (
        f"- [{found[1]}](./{re.sub(r'(^|/)index[.]md$|[.]md$', '/', name).lstrip('/')}): {summary}."
    )


def _changes() -> Iterator[None]:
    """Yield after each change of a source of the pages."""
    seen = None
    while True:
        files = chain(DOCS.rglob("*"), ROOT.glob("*.*"))
        now = {path: path.stat().st_mtime_ns for path in files if path.is_file()}
        if now != seen:
            yield
        seen = now
        time.sleep(1)


if __name__ == "__main__":
    target, watching = Path(sys.argv[1]), "--watch" in sys.argv
    if not watching:
        shutil.rmtree(target, ignore_errors=True)
    for _ in _changes() if watching else (None,):
        write(target)
