"""Hooks of MkDocs: the parts of the site that `docs/` does not have.

A page may contain marks, which people who read it in a checkout do not see:

- `<!-- on the wire -->` below a block of Python becomes the requests and responses of that block;
- a line that ends with a mark such as `<!-- the commands -->` becomes the text that `GENERATED`
  names, or the part of the README that has this name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import cometchat_rest
from tools.contract import deviations
from tools.description import DESCRIPTION, read
from tools.site import commands, exchanges

ROOT = Path(__file__).resolve().parents[2]
#: These files at the top of the repository are pages of the site.
FROM_THE_TOP = ("CHANGELOG.md", "CONTRIBUTING.md")
#: Pages for maintainers. Their words would hide the results for users.
NOT_SEARCHED = ("CONTRIBUTING.md", "decisions.md", "deviations.md", "service.md", "tools.md")
GENERATED: dict[str, Callable[[], str]] = {
    "the deviations": lambda: deviations.rendered(deviations.read_ledger(), read(DESCRIPTION)),
    "the commands": commands.commands,
    "the rules": commands.rules,
}
# A program, and after it perhaps the mark for its requests and responses.
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^.*<!-- (?P<name>the .*) -->$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Show the version on each page."""
    config.site_name += f" {cometchat_rest.__version__}"


def on_files(files: Files, *, config: MkDocsConfig) -> None:
    """Add the pages from the top of the repository."""
    for name in FROM_THE_TOP:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Replace the marks of a page, and links between `docs/` and the top."""
    if page.file.src_uri in NOT_SEARCHED:
        page.meta["search"] = {"exclude": True}
    markdown = _MARK.sub(_text_of, _with_exchanges(markdown))
    markdown = markdown.replace("\n```text\n", '\n```text title="Output"\n')
    markdown = markdown.replace("](docs/", "](")
    for name in FROM_THE_TOP:
        markdown = markdown.replace(f"](../{name}", f"]({name}")
    return markdown


def _with_exchanges(markdown: str) -> str:
    """Put the requests and responses of a program in the place of the mark below it."""
    *parts, end = markdown.split("<!-- on the wire -->")
    result = ""
    for part in parts:
        program = _PYTHON.findall(part)[-1]
        result += part + exchanges.rendered(program)
    return result + end


def _text_of(mark: re.Match[str]) -> str:
    name = mark["name"]
    if name in GENERATED:
        return GENERATED[name]()
    readme = (ROOT / "README.md").read_text("utf-8")
    _, _, rest = readme.partition(f"<!-- start of {name} -->\n")
    text, end, _ = rest.partition(f"<!-- end of {name} -->")
    if not end:
        raise ValueError(f"{name}: neither GENERATED nor the README has a text of this name")
    return text
