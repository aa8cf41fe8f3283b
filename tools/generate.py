"""Generates generated/cometchat_openapi from openapi.yaml, or checks that it is up to date.

python tools/generate.py            replace the committed output
python tools/generate.py --check    compare it byte for byte; change nothing
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import evolve
from jinja2 import StrictUndefined, UndefinedError
from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.bodies import BodyType
from openapi_python_client.parser.errors import GeneratorError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import Class, LiteralEnumProperty, ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.parser.responses import Response

ROOT = Path(__file__).resolve().parent.parent
# This file runs as a program, also in a copy of the repository.
sys.path.insert(0, str(ROOT))
from tools.description import found_at, nodes, read  # noqa: E402 - needs the path
from tools.resources import Method, Resource, resources  # noqa: E402 - as above
from tools.resources import faults as faults_of_operations  # noqa: E402 - as above

OUTPUT = ROOT / "generated" / "cometchat_openapi"


def faults(description: Path) -> list[str]:
    """Return syntax errors and references without a target. The generator reports neither of them clearly."""
    try:
        document = read(description)
    except ValueError as error:
        return [str(error)]
    targets = dict.fromkeys(each["$ref"] for _, each in nodes(document) if isinstance(each, dict) and "$ref" in each)
    if absent := [target for target in targets if not _is_present(document, target)]:
        return [f"{description.name}: $ref {name!r} has no target; add it, or correct the reference" for name in absent]
    return [f"{description.name}: {fault}" for fault in faults_of_operations(document)]


def _is_present(document: Any, target: object) -> bool:
    return isinstance(target, str) and found_at(document, target) is not None


def with_plain_types(node: Any) -> Any:
    """Return a copy with the types of forms in words that more tools know.

    A file has the `format: binary` of OpenAPI 3.0. An array whose only item may be a text of its own is an array: both
    arrive as one part.
    """
    if isinstance(node, list):
        return [with_plain_types(each) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {key: with_plain_types(each) for key, each in node.items()}
    if copy.get("type") == ["array", "string"]:
        copy.pop("minLength", None)
        copy["type"] = "array"
    if "type" not in copy and isinstance(copy.get("contentMediaType"), str):
        for name in ("contentMediaType", "minItems", "minProperties"):
            copy.pop(name, None)
        copy |= {"type": "string", "format": "binary"}
    return copy


def _with_prepared_parameters(document: Any) -> Any:
    """Remove the parameters that are an option of the client, and put each description where the generator reads it.

    The client sends its options with every call. The generator reads the description of a parameter from its schema.
    """
    shared = document.get("components", {}).get("parameters", {})
    options = {f"#/components/parameters/{name}" for name, each in shared.items() if "x-client-option" in each}
    described = [*shared.values()]
    for holder in _holders_of_parameters(document):
        holder["parameters"] = [each for each in holder["parameters"] if each.get("$ref") not in options]
        described += holder["parameters"]
    for parameter in described:
        if "description" in parameter and "$ref" not in parameter.get("schema", {}):
            parameter["schema"] = {"description": parameter["description"], **parameter.get("schema", {})}
    return document


def _holders_of_parameters(document: Any) -> Iterator[dict[str, Any]]:
    for item in document["paths"].values():
        yield from (node for node in (item, *item.values()) if isinstance(node, dict) and "parameters" in node)


def _with_variants_of_forms(document: Any) -> Any:
    """Replace each form of several variants by the union of the variants, whose classes know what they require."""
    schemas = document["components"]["schemas"]
    unions = {
        f"#/components/schemas/{name}": {"description": schema["description"], "oneOf": part["oneOf"]}
        for name, schema in schemas.items()
        for part in schema.get("allOf", ())
        if "discriminator" in part
    }
    for media_type in (node for _, node in nodes(document["paths"]) if isinstance(node, dict) and "schema" in node):
        media_type["schema"] = unions.get(media_type["schema"].get("$ref"), media_type["schema"])
    kept = {name: schema for name, schema in schemas.items() if f"#/components/schemas/{name}" not in unions}
    return {**document, "components": {**document["components"], "schemas": kept}}


def _mark_multipart(data: GeneratorData) -> None:
    """Let each class that a form can be have `to_multipart`; the generator does so only for a form of one class."""
    endpoints = [endpoint for tag in data.endpoint_collections_by_tag.values() for endpoint in tag.endpoints]
    bodies = (body for endpoint in endpoints for body in endpoint.bodies)
    forms = {form.name for form in _classes([body.prop for body in bodies if body.body_type == BodyType.FILES], {})}
    data.models = [evolve(model, is_multipart_body=model.class_info.name in forms) for model in data.models]


def generate(target: Path, description: Path = ROOT / "openapi.yaml") -> None:
    """Run the generator into the new folder `target`; in an existing folder it would keep old files.

    The generator runs in this process, because its command line cannot do two things. An attribute that a new version
    renames must stop it, where Jinja would leave code out. And the templates need facts about operations that the
    generator reads, but does not pass on: `tools/resources.py` collects them.
    """
    document = dict(read(description))
    prepared = target.with_suffix(".json")
    simplified = _with_variants_of_forms(_with_prepared_parameters(with_plain_types(document)))
    prepared.write_text(json.dumps(simplified, default=str), "utf-8")
    settings = ConfigFile.load_from_path(ROOT / "generator-config.yaml")
    config = Config.from_sources(settings, MetaType.NONE, prepared, "utf-8", overwrite=False, output_path=target)
    data = GeneratorData.from_dict(json.loads(prepared.read_text("utf-8")), config=config)
    if isinstance(data, GeneratorError):
        sys.exit(f"the generator failed: {data.header} {data.detail or ''}")
    _mark_multipart(data)
    project = Project(openapi=data, config=config, custom_template_path=ROOT / "generator-templates")
    project.env.undefined = StrictUndefined
    described = _with_arguments(resources(document), data)
    project.env.globals.update(resources=described, public_models=public_models(data, described))
    project.env.globals.update(classes_in_signatures=classes_in_signatures, as_tuple=tuple)
    project.env.globals.update(server=_server(document), refuse=_refuse)
    # The post hooks call ruff by name. Use the ruff of this environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    try:
        with redirect_stdout(StringIO()):
            errors = project.build()
        frameworks = project.env.get_template("frameworks.py.jinja").render()
    except UndefinedError as error:
        sys.exit(f"the generator failed: {error}; openapi.yaml has something that the templates do not support")
    except ValueError as error:
        sys.exit(f"{description.name}: {error}")
    # A warning also stops: an operation that the generator cannot handle would be left out in silence.
    if errors:
        sys.exit("\n".join(["the generator failed:", *(f"{each.header} {each.detail or ''}" for each in errors)]))
    (target / "py.typed").touch()
    (target / "frameworks.py").write_text(frameworks, "utf-8")
    schemas = document["components"]["schemas"]
    (target / "schemas.json").write_text(json.dumps(_without_extensions(schemas), indent=1) + "\n", "utf-8")


def _with_arguments(described: Mapping[str, Resource], data: GeneratorData) -> Mapping[str, Resource]:
    """The resources, with the names that the generator gives to the arguments: `type_`, and `number_query`."""
    for tag, collection in data.endpoint_collections_by_tag.items():
        methods = described[tag].methods
        for endpoint in collection.endpoints:
            arguments: dict[tuple[str, str], str] = {
                (place, each.name): each.python_name
                for place in ("path", "query", "header")
                for each in getattr(endpoint, f"{place}_parameters")
            }
            parameters = (evolve(p, argument=arguments[p.place, p.name]) for p in methods[endpoint.name].parameters)
            methods[endpoint.name] = evolve(methods[endpoint.name], parameters=tuple(parameters))
    return described


def _refuse(endpoint: Endpoint, reason: str) -> None:
    raise ValueError(f"{endpoint.method.upper()} {endpoint.path}: {reason}")


def _server(document: Mapping[str, Any]) -> dict[str, Any]:
    """The address of the first server; each variable has a description, a list of values and a default."""
    server: Any = next(iter(document.get("servers", ())), {"url": "/"})
    absent = {"description": "", "enum": [], "default": ""}
    variables = {name: absent | each for name, each in server.get("variables", {}).items()}
    return {"url": server["url"], "variables": variables}


def public_models(data: GeneratorData, described: Mapping[str, Resource]) -> list[Class]:
    """The classes of all models that methods take and return, by name."""
    waiting: list[PropertyProtocol] = []
    for tag, collection in data.endpoint_collections_by_tag.items():
        for endpoint in collection.endpoints:
            method = described[tag].methods[endpoint.name]
            waiting += _in_signature(endpoint, method) if method.name else []
            waiting += [each.prop for each in endpoint.responses.patterns if method.pages and _is_success(each)]
    return _classes(waiting, {each.class_info.name: each for each in data.models})


def classes_in_signatures(endpoints: Iterable[Endpoint], methods: Mapping[str, Method]) -> list[Class]:
    """The classes that the signatures of some methods name."""
    named = ((endpoint, methods[endpoint.name]) for endpoint in endpoints)
    return _classes([each for endpoint, method in named if method.name for each in _in_signature(endpoint, method)], {})


def _in_signature(endpoint: Endpoint, method: Method) -> list[PropertyProtocol]:
    properties: list[PropertyProtocol] = [
        *endpoint.path_parameters,
        *endpoint.query_parameters,
        *endpoint.header_parameters,
    ]
    properties += [body.prop for body in endpoint.bodies]
    for response in endpoint.responses.patterns:
        if _is_success(response):
            inner = _properties(response.prop)
            # A method returns only the data of a response that holds nothing else.
            properties += inner if method.pages or [each.name for each in inner] == ["data"] else [response.prop]
    return properties


def _is_success(response: Response) -> bool:
    statuses = response.status_code.range
    return statuses is not None and 200 <= statuses[0] < 300


def _classes(waiting: list[PropertyProtocol], models: Mapping[str, ModelProperty]) -> list[Class]:
    """The classes in the types of properties, by name; and those in the properties of `models`."""
    classes: dict[str, Class] = {}
    while waiting:
        found = waiting.pop()
        if isinstance(found, ListProperty):
            waiting.append(found.inner_property)
        elif isinstance(found, UnionProperty):
            waiting += found.inner_properties
        elif isinstance(found, ModelProperty | LiteralEnumProperty) and found.class_info.name not in classes:
            classes[found.class_info.name] = found.class_info
            waiting += _properties(models.get(found.class_info.name))
    return [classes[name] for name in sorted(classes)]


def _properties(of: PropertyProtocol | None) -> list[PropertyProtocol]:
    return [*(of.required_properties or []), *(of.optional_properties or [])] if isinstance(of, ModelProperty) else []


def _without_extensions(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _without_extensions(each) for name, each in node.items() if name == "x-table" or name[:2] != "x-"}
    return [_without_extensions(each) for each in node] if isinstance(node, list) else node


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below `folder` by relative path, without compiled files."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def differences(committed: dict[str, bytes], fresh: dict[str, bytes]) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    lines = [f"missing   {name}" for name in fresh.keys() - committed.keys()]
    lines += [f"unknown   {name}" for name in committed.keys() - fresh.keys()]
    lines += [f"different {name}" for name in fresh.keys() & committed.keys() if fresh[name] != committed[name]]
    return sorted(lines)


def replace(path: Path, text: str) -> str:
    """Write a generated file, and return a line that says whether it has changed."""
    changed = not path.is_file() or path.read_text("utf-8") != text
    path.write_text(text, "utf-8")
    return f"{path.name}: {'changed' if changed else 'not changed'}"


def main() -> None:
    """Generate, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the committed output, and do not replace it")
    check = parser.parse_args().check
    if found := faults(ROOT / "openapi.yaml"):
        sys.exit("\n".join(found))
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / OUTPUT.name
        generate(fresh)
        lines = differences(contents(OUTPUT), contents(fresh))
        if check and lines:
            listed = "\n  ".join(lines)
            sys.exit(f"{OUTPUT.relative_to(ROOT)} does not match openapi.yaml:\n  {listed}\nRun: make generate")
        if not check:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(fresh, OUTPUT)
    print(f"{OUTPUT.relative_to(ROOT)}: {'up to date' if check else f'{len(lines)} files changed'}")


if __name__ == "__main__":
    main()
