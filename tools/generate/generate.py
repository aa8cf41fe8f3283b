"""Generates generated/cometchat_openapi from openapi.yaml, or checks that it is up to date.

python -m tools.generate            replace the committed output
python -m tools.generate --check    compare it byte for byte; change nothing
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import evolve
from jinja2 import StrictUndefined, UndefinedError
from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString

from tools.description import DESCRIPTION, ROOT, Document, found_at, nodes, read

from .refusals import faults
from .resources import Resource, limits, resources

OUTPUT = ROOT / "generated" / "cometchat_openapi"


def checked(description: Path) -> Document:
    """Read a description.

    Raises:
        ValueError: it is not an OpenAPI document, or no client can be made from it; one line for each reason.
    """
    document = read(description)
    targets = dict.fromkeys(each["$ref"] for _, each in nodes(document) if isinstance(each, dict) and "$ref" in each)
    absent = [each for each in targets if not isinstance(each, str) or found_at(document, each) is None]
    reasons = [f"$ref {each!r} has no target; add it, or correct the reference" for each in absent]
    if reasons := reasons or list(faults(document)):
        raise ValueError("\n".join(f"{description.name}: {reason}" for reason in reasons))
    return document


def generate(target: Path, description: Path = DESCRIPTION) -> None:
    """Run the generator into the new folder `target`; in an existing folder it would keep old files.

    The generator runs in this process, because its command line cannot do two things. An attribute that a new version
    renames must stop it, where Jinja would leave code out. And the templates need facts about operations that the
    generator reads, but does not pass on.

    Raises:
        ValueError: as `checked` says, or the generator or a template does not support the description.
    """
    document = checked(description)
    settings = ConfigFile.load_from_path(ROOT / "generator-config.yaml")
    config = Config.from_sources(settings, MetaType.NONE, description, "utf-8", overwrite=False, output_path=target)
    data = GeneratorData.from_dict(dict(document), config=config)
    if isinstance(data, GeneratorError):
        raise ValueError(f"the generator failed: {data.header} {data.detail or ''}")  # noqa: TRY004 - not a type of ours
    project = Project(openapi=data, config=config, custom_template_path=ROOT / "generator-templates")
    project.env.undefined = StrictUndefined
    project.env.filters.update(annotation=annotation, answer=answer, limits=limits, raw=raw)
    project.env.globals.update(document=document, resources=_with_arguments(resources(document), data))
    # The post hooks call ruff by name. Use the ruff of this environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    try:
        with redirect_stdout(StringIO()):
            errors = project.build()
    except UndefinedError as error:
        raise ValueError(f"the generator failed: {error}; the templates do not support this") from error
    # A warning also stops: an operation that the generator cannot handle would be left out in silence.
    if errors:
        raise ValueError(
            "\n".join(["the generator failed:", *(f"{each.header} {each.detail or ''}" for each in errors)])
        )
    (target / "errors.py").unlink()
    (target / "py.typed").touch()
    (target / "frameworks.py").write_text(project.env.get_template("frameworks.py.jinja").render(), "utf-8")
    (target / "schemas.json").write_text(json.dumps(document["components"]["schemas"], indent=1) + "\n", "utf-8")


def annotation(prop: PropertyProtocol, array: str = "list") -> str:
    """The type of a property. Dates and UUIDs stay text: a conversion to objects and back could change the text."""
    if isinstance(prop, ListProperty):
        return f"{array}[{annotation(prop.inner_property, array)}]"
    if isinstance(prop, UnionProperty):
        return " | ".join(dict.fromkeys(annotation(each, array) for each in prop.inner_properties))
    if prop.template.startswith(("date", "uuid")):
        return "str"
    return prop.get_type_string(no_optional=True).as_unembedded_code()


def answer(endpoint: Endpoint, array: str = "list") -> dict[str, Any]:
    """The successful response of an operation: its statuses and its type; `is_envelope` if it holds only `data`."""
    patterns = [each for each in endpoint.responses.patterns if each.status_code.pattern.startswith("2")]
    prop, has_body = patterns[0].prop, patterns[0].source["attribute"] != "None"
    given: list[PropertyProtocol] = []
    if has_body and isinstance(prop, ModelProperty):
        given = [*(prop.required_properties or ()), *(prop.optional_properties or ())]
    fields = {raw(each.name): each for each in given}
    imports = {
        line for each in given for line in (*each.get_imports(prefix="..."), *each.get_lazy_imports(prefix="..."))
    }
    return {
        "statuses": [each.status_code.range for each in patterns],
        "type": annotation(prop, array) if has_body else "None",
        "fields": fields,
        "imports": sorted(imports),
        "is_envelope": [*fields] == ["data"] and fields["data"].required,
    }


def raw(text: UntrustedString) -> str:
    """A text as the description has it; templates escape it."""
    return text.get_untrusted_value()


def _with_arguments(described: dict[str, Resource], data: GeneratorData) -> dict[str, Resource]:
    """The resources, with the names that the generator gives to the arguments: `type_`, and `number_query`."""
    for tag, collection in data.endpoint_collections_by_tag.items():
        for each in collection.endpoints:
            given = {"path": each.path_parameters, "query": each.query_parameters, "header": each.header_parameters}
            names = {(place, raw(p.name)): str(p.python_name) for place, found in given.items() for p in found}
            described[tag].methods[each.name] = evolve(described[tag].methods[each.name], arguments=names)
    return described


def differences(committed: Path, fresh: Path) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    old, new = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }
        for folder in (committed, fresh)
    )
    words = {name: "unknown" if name not in new else "different" if name in old else "missing" for name in {*old, *new}}
    return [f"{words[name]:9} {name}" for name in sorted(words) if old.get(name) != new.get(name)]


def main() -> None:
    """Generate, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the committed output, and do not replace it")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / OUTPUT.name
        try:
            generate(fresh)
        except ValueError as error:
            sys.exit(str(error))
        lines = differences(OUTPUT, fresh)
        if check and lines:
            listed = "\n  ".join(lines)
            sys.exit(f"{OUTPUT.relative_to(ROOT)} does not match openapi.yaml:\n  {listed}\nRun: make generate")
        if not check:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(fresh, OUTPUT)
    print(f"{OUTPUT.relative_to(ROOT)}: {'up to date' if check else f'{len(lines)} files changed'}")
