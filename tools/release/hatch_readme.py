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

# The exclamation mark of an image, and a target that is neither absolute nor a place on the same
# page.
_LINK = re.compile(r"(!?)(\[[^]]*\]\()(?![a-z]+:|#)([^)]+\))")
# The dot of an installation from a checkout, with or without extras.
_INSTALL = re.compile(r"(?<=pip install )\.(?=`)|(?<=')\.(?=\[)")


class ReadmeHook(MetadataHookInterface):
    """Sets the description of the package, and its links if the project has an address."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml declares as dynamic."""
        text = Path(self.root, "README.md").read_text("utf-8")
        if address := self.config["address"].rstrip("/"):
            tag = f"v{metadata['version']}"
            text = _LINK.sub(lambda found: _absolute(found, address, tag), text)
            text = _INSTALL.sub(metadata["name"], text)
            metadata["urls"] = {
                "Source": address,
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _absolute(found: re.Match[str], address: str, tag: str) -> str:
    mark, label, target = found.groups()
    # A page shows a file; an image needs the file itself.
    return f"{mark}{label}{address}/{'raw' if mark else 'blob'}/{tag}/{target}"
