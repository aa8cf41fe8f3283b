"""A generator that is independent of this project makes working pydantic models from the
description."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from tools.description import DESCRIPTION

from .description import DOCUMENT
from .example_rules import examples_of_bodies

pytest.importorskip("datamodel_code_generator", reason="not installed: run make docs")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A module of pydantic models."""
    path = tmp_path_factory.mktemp("models") / "models.py"
    command = [
        sys.executable,
        "-m",
        "datamodel_code_generator",
        "--input-file-type=openapi",
        "--formatters=builtin",
    ]
    command += [
        "--input",
        str(DESCRIPTION),
        "--output",
        str(path),
        "--output-model-type=pydantic_v2.BaseModel",
    ]
    command += [
        "--target-python-version=3.11",
        "--disable-timestamp",
        "--no-allow-remote-refs",
        "--strict-refs",
    ]
    # pydantic rewrites addresses and times, and needs one more package for e-mail addresses.
    command += ["--type-mappings", "uri=string", "date-time=string", "email=string"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    spec = spec_from_file_location("pydantic_models", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


#: Every example of a body whose schema is a component, with the name of the component.
EXAMPLES = [
    (schema["$ref"].rpartition("/")[2], example)
    for _, schema, example in examples_of_bodies(DOCUMENT)
    if "$ref" in schema
]


def plain(model: BaseModel) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_pydantic_models_read_the_examples(models: ModuleType, name: str, example: Any) -> None:
    """The pydantic models read each example of a body and return it unchanged."""
    assert plain(getattr(models, name).model_validate(example)) == example
