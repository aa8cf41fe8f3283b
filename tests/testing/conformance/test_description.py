"""The description that comes with the package."""

from pathlib import Path

import cometchat_openapi.api
from cometchat_testing.conformance import openapi
from tools.description import operations, read


def test_description_is_beside_the_client() -> None:
    """`openapi()` is the path of the description whose operations the generated code has."""
    path = openapi()
    modules = {
        path.stem
        for folder in cometchat_openapi.api.__path__
        for path in Path(folder).glob("*/[a-z]*.py")
    }
    assert path.name == "openapi.yaml"
    assert {each.name for each in operations(read(path))} == modules
