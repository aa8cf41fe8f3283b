"""Hooks of MkDocs: the version, recorded requests and responses, links from texts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import docs_commands
import exchanges
from markdown.extensions.toc import slugify
from mkdocs.utils import get_relative_url

import cometchat_rest
from cometchat_rest import auth_tokens, keyword_input, keywords, reviewed_messages, roles, testing
from tools import deviations
from tools.openapi_diff import document

if TYPE_CHECKING:
    from types import ModuleType

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

# A block of Python, and below it the mark for its requests and responses.
_ON_THE_WIRE = re.compile(
    r"(?P<block>^```python\n(?P<code>.*?)^```\n(?:(?!^```python).)*?)^<!-- on the wire -->$", re.MULTILINE | re.DOTALL
)
_OUTPUT = re.compile(r"^```text$", re.MULTILINE)
_SECTION = re.compile(r"service\.md, sections? (\d(?:\.\d)?)")
_HEADING = re.compile(r"^#{2,3} ((\d(?:\.\d)?)\.? .*)$", re.MULTILINE)
# The text that replaces a mark on a page.
_GENERATED = {
    "<!-- the deviations -->": lambda: deviations.rendered(deviations.read(), document.read(document.DESCRIPTION)),
    "<!-- the commands -->": docs_commands.commands,
    "<!-- the exit codes -->": docs_commands.exit_codes,
}
# A name in running text; headings, links and blocks of code are not changed.
_NAME = re.compile(r"(?P<other><(?P<tag>h\d|a|pre)\b.*?</(?P=tag)>)|<code>(?P<name>[\w.]+)(?:\(\))?</code>", re.DOTALL)


def _places(module: ModuleType, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the public names of a module and of its classes, with the identifiers of the reference."""
    for name in names:
        yield name, f"{module.__name__}.{name}"
        if inspect.isclass(value := getattr(module, name)):
            for member in dir(value):
                yield f"{name}.{member}", f"{module.__name__}.{name}.{member}"


_PLACES = dict(_places(cometchat_rest, cometchat_rest.__all__))
_PLACES |= _places(testing, testing.__all__)
_PLACES |= {f"keyword_input.{name}": f"{keyword_input.__name__}.{name}" for name in vars(keyword_input)}
for _module in (keywords, reviewed_messages, roles, auth_tokens):
    _kind = _module.__name__.rpartition(".")[2].title().replace("_", "")
    _PLACES |= _places(_module, [_kind, f"Async{_kind}"])


def on_config(config: MkDocsConfig) -> None:
    """Put the version on every page."""
    config.site_name = f"{config.site_name} {cometchat_rest.__version__}"


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Give outputs a title, and replace the marks with recorded messages and generated text."""
    del page, config, files

    def with_messages(found: re.Match[str]) -> str:
        messages = exchanges.record(found["code"])
        return found["block"] + "\n".join(f'```http title="{title}"\n{text}\n```\n' for title, text in messages)

    markdown = _OUTPUT.sub('```text title="Output"', _ON_THE_WIRE.sub(with_messages, markdown))
    for mark, make in _GENERATED.items():
        if mark in markdown:
            markdown = markdown.replace(mark, make())
    return markdown


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add links to sections of service.md and to public names, in pages and in docstrings."""
    del config
    contract = files.get_file_from_path("service.md")
    assert contract is not None
    if page.file is contract:
        return html
    anchors = {number: slugify(heading, "-") for heading, number in _HEADING.findall(contract.content_string)}
    address = get_relative_url(contract.url, page.url)

    def section(found: re.Match[str]) -> str:
        return f'<a href="{address}#{anchors[found[1]]}">{found[0]}</a>'

    def name(found: re.Match[str]) -> str:
        place = _PLACES.get(found["name"] or "")
        return f'<autoref identifier="{place}" optional>{found[0]}</autoref>' if place else found[0]

    return _NAME.sub(name, _SECTION.sub(section, html))
