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

from jinja2 import StrictUndefined, UndefinedError
from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import ClassName

from tools.description import DESCRIPTION, ROOT, mapping

from .refusals import checked, unsupported
from .resources import facts, limits, resources

OUTPUT = ROOT / "generated" / "cometchat_openapi"


def generate(target: Path, description: Path = DESCRIPTION) -> None:
    """Run the generator into the new folder `target`; in an existing folder it would keep old
    files.

    The generator runs in this process, because its command line cannot do two things. An attribute
    that a new version renames must stop it, where Jinja would leave code out. And the templates
    need facts about operations that the generator reads, but does not pass on.

    Raises:
        ValueError: as `checked` says, or the generator or a template does not support the
            description.
    """
    document = checked(description)
    settings = ConfigFile.load_from_path(ROOT / "generator-config.yaml")
    config = Config.from_sources(
        settings, MetaType.NONE, description, "utf-8", overwrite=False, output_path=target
    )
    data = GeneratorData.from_dict(dict(document), config=config)
    assert isinstance(data, GeneratorData), data
    # A warning also stops: an operation that the generator cannot handle would be left out in
    # silence.
    warnings = [
        each for tag in data.endpoint_collections_by_tag.values() for each in tag.parse_errors
    ]
    if lines := [
        f"{description.name}: {unsupported(document, each)}" for each in data.errors or warnings
    ]:
        raise ValueError("\n".join(lines))
    project = Project(
        openapi=data, config=config, custom_template_path=ROOT / "generator-templates"
    )
    project.env.undefined = StrictUndefined
    project.env.filters.update(
        annotation=annotation,
        answer=answer,
        facts=facts,
        limits=limits,
        raw=UntrustedString.get_untrusted_value,
    )
    project.env.globals.update(document=document, resources=resources(document, data))
    # The post hooks call ruff by name. Use the ruff of this environment.
    os.environ["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    )
    try:
        with redirect_stdout(StringIO()):
            errors = project.build()
    except UndefinedError as error:
        raise ValueError(
            f"the generator failed: {error}; the templates do not support this"
        ) from error
    if errors:
        raise ValueError(
            "\n".join(
                ["the generator failed:", *(f"{each.header} {each.detail}" for each in errors)]
            )
        )
    (target / "errors.py").unlink()
    (target / "py.typed").touch()
    (target / "frameworks.py").write_text(
        project.env.get_template("frameworks.py.jinja").render(), "utf-8"
    )
    # A schema has the name of its class, also in references; an object that is no component has
    # one, too.
    names = {
        name: ClassName(name, "") for name in mapping(mapping(document, "components"), "schemas")
    }
    schemas = {names[name]: document["components"]["schemas"][name] for name in names}
    for each in data.models:
        schemas.setdefault(
            each.class_info.name,
            each.data.model_dump(mode="json", by_alias=True, exclude_unset=True),
        )
    text = json.dumps(schemas, indent=1)
    for name in names:
        text = text.replace(
            f'"#/components/schemas/{name}"', f'"#/components/schemas/{names[name]}"'
        )
    (target / "schemas.json").write_text(f"{text}\n", "utf-8")


def annotation(prop: PropertyProtocol, array: str = "list") -> str:
    """The type of a property. Dates and UUIDs stay text: a conversion to objects and back could
    change the text."""
    if isinstance(prop, ListProperty):
        return f"{array}[{annotation(prop.inner_property, array)}]"
    if isinstance(prop, UnionProperty):
        return " | ".join(dict.fromkeys(annotation(each, array) for each in prop.inner_properties))
    if prop.template.startswith(("date", "uuid")):
        return "str"
    return prop.get_type_string(no_optional=True).as_unembedded_code()


def answer(endpoint: Endpoint, array: str = "list") -> dict[str, Any]:
    """The successful response of an operation: its statuses and its type; `is_envelope` if it
    holds only `data`."""
    patterns = [
        each for each in endpoint.responses.patterns if each.status_code.pattern.startswith("2")
    ]
    prop, has_body = patterns[0].prop, patterns[0].source["attribute"] != "None"
    given: list[PropertyProtocol] = []
    if has_body and isinstance(prop, ModelProperty):
        given = [*(prop.required_properties or ()), *(prop.optional_properties or ())]
    fields = {each.name.get_untrusted_value(): each for each in given}
    imports = {
        line
        for each in given
        for line in (*each.get_imports(prefix="..."), *each.get_lazy_imports(prefix="..."))
    }
    return {
        "statuses": [each.status_code.range for each in patterns],
        "type": annotation(prop, array) if has_body else "None",
        "fields": fields,
        "imports": sorted(imports),
        "is_envelope": [*fields] == ["data"] and fields["data"].required,
    }


def differences(committed: Path, fresh: Path) -> list[str]:
    """Return one line for each missing, unknown or different file."""
    old, new = (
        {
            each.relative_to(top): each.read_bytes()
            for each in top.rglob("*.*")
            if each.suffix != ".pyc"
        }
        for top in (committed, fresh)
    )
    words = {
        name: "unknown" if name not in new else "different" if name in old else "missing"
        for name in {*old, *new}
    }
    return [f"{words[name]:9} {name}" for name in sorted(words) if old.get(name) != new.get(name)]


def main() -> None:
    """Generate, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="compare the committed output, and do not replace it"
    )
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
            sys.exit(
                f"{OUTPUT.relative_to(ROOT)} does not match openapi.yaml:\n  {listed}\nRun: make"
                " generate"
            )
        if not check:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(fresh, OUTPUT)
    print(f"{OUTPUT.relative_to(ROOT)}: {'up to date' if check else f'{len(lines)} files changed'}")
