"""The names that the client has already, and the classes of a description that would hide them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from openapi_python_client.parser import GeneratorData
from openapi_python_client.strings import ClassName, pascal_case

from tools.description import ROOT, Document, mapping, operations

#: Attributes of a client that are not resources.
ATTRIBUTES = frozenset(
    {"aclose", "api", "base_url", "close", "rate_limit", "request", "with_options"}
)
_TEMPLATES = ROOT / "generator-templates"
#: A line of a template that imports names. A line that Jinja reads does not match.
_IMPORT = re.compile(
    r"""
    ^ [ ]*
    (?: from [ ] [\w.]+ [ ] )? import [ ]
    ( [\w, ]+ | \( [\w,\s]+ \) ) $    # Any, Literal
    """,
    re.VERBOSE | re.MULTILINE,
)


def _imported(*templates: str) -> set[str]:
    """The names that some templates import, and the words beside them."""
    names = set[str]()
    for template in templates:
        text = (_TEMPLATES / f"{template}.py.jinja").read_text("utf-8")
        for listed in _IMPORT.findall(text):
            names.update(re.findall(r"\w+", listed))
    return names


#: Names that a module of an operation or of a resource uses.
IN_OPERATIONS = frozenset(
    {"OPERATION", "prepare", "self", *_imported("endpoint_module", "endpoint_init")}
)
#: Names that the generated modules use besides those of the schemas.
CLASSES = IN_OPERATIONS | _imported("model", "literal_enum")
#: Names that a class of a resource or of the server cannot have either.
RESOURCE_CLASSES = frozenset(
    {
        "AsyncClient",
        "AsyncResources",
        "Client",
        "Resources",
        *CLASSES,
        *_imported("api_init", "server"),
    }
)


def faults_of_classes(document: Document, data: GeneratorData) -> Iterator[str]:
    """Yield a line for each class, with its place, whose name or module something else has.

    A schema inside another one has a class, too, and the generator makes its name.
    """
    components = mapping(mapping(document, "components"), "schemas")
    places = {class_name(name): f"/components/schemas/{name}" for name in components}
    resources = {pascal_case(operation.tag) for operation in operations(document)}
    taken = {*CLASSES, *resources, *(f"Async{name}" for name in resources)}
    public = _public_names()
    modules: dict[str, str] = {}
    for model in (*data.models, *data.enums):
        name = str(model.class_info.name)
        module = str(model.class_info.module_name)
        first = modules.setdefault(module, name)
        place = places.get(name, f"the class {name}")
        if name in taken:
            yield f"{place}: a tag or the client has a class of this name; rename the schema"
        elif name in public:
            yield f"{place}: {name} would hide cometchat_rest.{name}; rename the schema"
        elif first != name:
            yield f"{place}: {name} and {first} have one module, {module}; rename one of them"


def class_name(component: str) -> str:
    """The name of the class of a component."""
    return str(ClassName(component, ""))


def _public_names() -> set[str]:
    """The names that users can import from the client, without those of the models."""
    folder = ROOT / "overlays" / "cometchat_rest"
    paths = (folder / "__init__.py", folder / "errors.py")
    return {
        node.name
        for path in paths
        if path.exists()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.alias | ast.ClassDef | ast.FunctionDef)
    }
