"""Reads YAML files."""

from pathlib import Path
from typing import Any

import yaml

# CSafeLoader is ten times faster, but PyYAML lacks it where it was built without libyaml, for
# example on Alpine.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the content of a YAML file whose top level is a mapping."""
    text = path.read_text("utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe
    return content
