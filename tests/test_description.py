"""The description that comes with the package."""

import re
from pathlib import Path

import yaml

import cometchat_openapi.api
import cometchat_rest


def test_description_is_beside_the_client() -> None:
    """`openapi()` is the path of the description whose operations the generated code has."""
    path = cometchat_rest.openapi()
    described = yaml.safe_load(path.read_text("utf-8"))
    assert path.name == "openapi.yaml"
    assert described["openapi"].startswith("3.1.")
    operations = {
        operation["operationId"]
        for item in described["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and "operationId" in operation
    }
    modules = {path.stem for folder in cometchat_openapi.api.__path__ for path in Path(folder).glob("*/[a-z]*.py")}
    assert {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name) for name in operations} == modules
