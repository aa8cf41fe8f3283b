"""A hook of hatchling: adapts the README to the page of a package index.

`address` in `[tool.hatch.metadata.hooks.custom]` is the address of the repository. With it,
relative links become absolute, and commands install the package by its name. If it is empty, the
README stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A link or an image whose target is a file of the repository.
_LINK = re.compile(
    r"""
    (?P<mark>!?)               # an image: ![label](docs/picture.svg)
    (?P<label>\[[^]]*\]\()     # a link: [label](docs/limits.md)
    (?![a-z]+: | \#)           # not (https://example.org), and not (#place)
    (?P<target>[^)]+\))
    """,
    re.VERBOSE,
)
# The dot of an installation from a checkout.
_INSTALL = re.compile(
    r"""
    (?<=pip[ ]install[ ])\.(?=`)     # `python -m pip install .`
    | (?<=')\.(?=\[)                 # pip install '.[testing]'
    """,
    re.VERBOSE,
)


class ReadmeHook(MetadataHookInterface):
    """Sets the description of the package, and its links if the project has an address."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml declares as dynamic."""
        text = Path(self.root, "README.md").read_text("utf-8")
        address = self.config["address"].rstrip("/")
        if address:
            tag = f"v{metadata['version']}"
            text = _with_absolute_links(text, address, tag)
            text = _INSTALL.sub(metadata["name"], text)
            changelog = f"{address}/blob/{tag}/CHANGELOG.md"
            metadata["urls"] = {"Source": address, "Changelog": changelog}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _with_absolute_links(text: str, address: str, tag: str) -> str:
    def absolute(link: re.Match[str]) -> str:
        # A page shows a file; an image needs the file itself.
        kind = "raw" if link["mark"] else "blob"
        return f"{link['mark']}{link['label']}{address}/{kind}/{tag}/{link['target']}"

    return _LINK.sub(absolute, text)
