"""Runs openapi-python-client with our templates, and completes its output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, UndefinedError
from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData

from tools.description import DESCRIPTION, ROOT, Document, at, mapping

from .endpoints import Answer, EndpointView
from .models import ModelView
from .names import class_name, faults_of_classes
from .paging import shows_one_page
from .refusals import checked, unsupported
from .resources import resources
from .schemas import PLACE, with_places
from .servers import server_view

TEMPLATES = ROOT / "generator-templates"
#: Modules of the generator that have no counterpart in the package: the runtime replaces them.
_LEFT_OUT = ("client.py", "errors.py", "types.py")


def generate(target: Path, description: Path = DESCRIPTION) -> None:
    """Run the generator into the new folder `target`; in an existing folder it would keep old
    files.

    The generator runs in this process, because its command line cannot do two things. An attribute
    that a new version renames must stop it, where Jinja would leave code out. And the templates
    need data about operations that the generator reads, but does not pass on.

    Raises:
        ValueError: as `checked` says, or the generator or a template does not support the
            description.
    """
    document = checked(description)
    settings = ConfigFile.load_from_path(ROOT / "generator-config.yaml")
    config = Config.from_sources(
        settings, MetaType.NONE, description, "utf-8", overwrite=False, output_path=target
    )
    data = _parsed(document, config, description.name)
    project = Project(openapi=data, config=config, custom_template_path=TEMPLATES)
    _prepare(project.env, document, data)
    _build(project)
    for name in _LEFT_OUT:
        (target / name).unlink()
    (target / "py.typed").touch()
    server = project.env.get_template("server.py.jinja").render()
    (target / "server.py").write_text(server, "utf-8")
    (target / "schemas.json").write_text(_schemas(document, data), "utf-8")


def _parsed(document: Document, config: Config, name: str) -> GeneratorData:
    """The document, as the generator parses it."""
    data = GeneratorData.from_dict(with_places(document), config=config)
    assert isinstance(data, GeneratorData), data
    # A warning also stops: an operation that the generator cannot handle would be left out in
    # silence.
    warnings = [
        warning
        for collection in data.endpoint_collections_by_tag.values()
        for warning in collection.parse_errors
    ]
    faults = [unsupported(error) for error in data.errors or warnings]
    faults += faults_of_classes(document, data)
    if faults:
        raise ValueError("\n".join(f"{name}: {fault}" for fault in faults))
    return data


def _prepare(environment: Environment, document: Document, data: GeneratorData) -> None:
    """Give the templates their data."""
    by_tag = resources(document)
    parts = frozenset(
        Answer(endpoint).type
        for tag, collection in data.endpoint_collections_by_tag.items()
        for endpoint in collection.endpoints
        if shows_one_page(by_tag[tag].methods[endpoint.name])
    )
    models = [model.class_info for model in (*data.models, *data.enums)]
    environment.undefined = StrictUndefined
    environment.filters["endpoint_view"] = EndpointView
    environment.filters["literal"] = repr
    environment.filters["model_view"] = partial(ModelView, parts=parts)
    environment.globals["models"] = sorted((model.name, model.module_name) for model in models)
    environment.globals["resources"] = by_tag
    environment.globals["server"] = server_view(document)


def _build(project: Project) -> None:
    """Write the files, and format them."""
    # The post hooks call ruff by name.
    programs = Path(sys.executable).parent
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        with redirect_stdout(StringIO()):
            errors = project.build()
    except UndefinedError as error:
        fault = f"the generator failed: {error}; the templates do not support this"
        raise ValueError(fault) from error
    except OSError as error:
        # Such as a file name that is too long.
        file = Path(error.filename).name
        fault = f"the generator failed: {error.strerror}: {file}; rename it"
        raise ValueError(fault) from error
    if errors:
        lines = [f"{error.header} {error.detail}" for error in errors]
        raise ValueError("\n".join(["the generator failed:", *lines]))


def _schemas(document: Document, data: GeneratorData) -> str:
    """The schemas of all models. A schema has the name of its class, also in references."""
    components = mapping(mapping(document, "components"), "schemas")
    prefix = "#/components/schemas/"
    classes = {f"{prefix}{name}": f"{prefix}{class_name(name)}" for name in components}
    by_class = {class_name(name): schema for name, schema in components.items()}
    # An object that is no component has a class, too.
    for model in data.models:
        place = (model.data.model_extra or {})[PLACE]
        by_class.setdefault(str(model.class_info.name), at(document, place))
    return json.dumps(_renamed(by_class, classes), indent=1) + "\n"


def _renamed(node: Any, classes: Mapping[str, str]) -> Any:
    """A copy of schemas that refers to the names of classes."""
    if isinstance(node, dict):
        return {key: _renamed(value, classes) for key, value in node.items()}
    if isinstance(node, list):
        return [_renamed(item, classes) for item in node]
    return classes.get(node, node) if isinstance(node, str) else node
