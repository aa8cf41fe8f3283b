"""A new version of the generator can be tried: code from a description of every feature is
imported and used."""

import importlib
import importlib.metadata
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from cometchat_runtime.drift import deviations
from cometchat_runtime.model import File
from tools.description import ROOT, followed
from tools.generate.generate import generate

FILE = Path(__file__).with_name("every_feature.yaml")
DOCUMENT: Any = yaml.safe_load(FILE.read_text("utf-8"))
NAME = "every_feature_code"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package that is generated from the description of every feature."""
    folder = tmp_path_factory.mktemp("generated")
    generate(folder / NAME, FILE)
    sys.path.insert(0, str(folder))
    yield importlib.import_module(NAME)
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == NAME]:
        del sys.modules[name]


@pytest.mark.deep
def test_types(package: ModuleType) -> None:
    """A type checker accepts the generated code in its strictest mode."""
    options = ["--strict", "--no-incremental", "--config-file=", "--python-version=3.11"]
    command = [sys.executable, "-m", "mypy", *options, *package.__path__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_templates_name_the_version() -> None:
    """Each template names the version of the generator that it was made for, which is the pinned
    version."""
    version = importlib.metadata.version("openapi-python-client")
    templates = sorted((ROOT / "generator-templates").glob("*.jinja"))
    assert [
        each.name
        for each in templates
        if f"openapi-python-client {version}" not in each.read_text("utf-8")
    ] == []


def text(value: object) -> str:
    """A JSON value as text, because 1, 1.0 and True are equal in Python."""
    return json.dumps(value, sort_keys=True)


def models(package: ModuleType) -> dict[str, Any]:
    found = importlib.import_module(f"{package.__name__}.models")
    return {name: getattr(found, name) for name in found.__all__}


def test_every_module_is_imported(package: ModuleType) -> None:
    """Each generated module can be imported, and each operation and each object of the
    description has one."""
    names = [
        each.name
        for each in pkgutil.walk_packages(package.__path__, f"{NAME}.")
        if "frameworks" not in each.name
    ]
    modules = {name.rpartition(".")[2] for name in names if importlib.import_module(name)}
    assert {"get_thing", "delete_thing", "list_things", "create_thing", "change_things"} <= modules
    assert {"upload_file", "put_file", "send_form"} <= modules
    assert {name for name in DOCUMENT["components"]["schemas"] if name != "Kind"} <= models(
        package
    ).keys()


def test_docstring_has_the_largest_length(package: ModuleType) -> None:
    """The docstring of a method says how many characters an argument may have."""
    things = importlib.import_module(f"{package.__name__}.api.things").Things
    assert "(maxLength 9)" in things.get.__doc__


#: The schemas of classes that have examples.
SCHEMAS = {
    name: each
    for name, each in DOCUMENT["components"]["schemas"].items()
    if "examples" in each and followed(DOCUMENT, each).get("type") != "string"
}
EXAMPLES = [(name, example) for name, each in SCHEMAS.items() for example in each["examples"]]
FIELDS = [
    (name, field)
    for name, each in SCHEMAS.items()
    for field, node in each.get("properties", {}).items()
    if node
]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_makes_a_round_trip(package: ModuleType, name: str, example: Any) -> None:
    """Each example is read without a mismatch, and written again without a change; so is an unknown
    field, which is a mismatch if there must be none. An attribute has the value of its field,
    whatever the name of the field is."""
    model = models(package)[name]
    mismatches: list[type] = []
    read = model.from_dict(json.loads(text(example)), mismatches)
    assert (mismatches, text(read.to_dict())) == ([], text(example))
    assert read == model.from_dict(example)
    given = {field: value for field, value in example.items() if field in model.JSON_NAMES}
    plain = {field: value for field, value in given.items() if isinstance(value, str | int)}
    assert {field: getattr(read, model.JSON_NAMES[field]) for field in plain} == plain
    is_open = SCHEMAS[name].get("additionalProperties", True)
    if isinstance(is_open, bool):
        more = {**example, "unknown": [{"a": None}]}
        assert text(model.from_dict(json.loads(text(more)), mismatches).to_dict()) == text(more)
        assert bool(mismatches) is not is_open


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_wrong_value_is_a_mismatch(package: ModuleType, name: str, field: str) -> None:
    """A wrong value, also in an unnamed field, or an absent required field, is one mismatch;
    both are kept."""
    model, schema = models(package)[name], SCHEMAS[name]
    node, example = schema["properties"][field], schema["examples"][-1]
    choices = node.get("anyOf", node.get("oneOf", [node]))
    is_object = any(followed(DOCUMENT, choice).get("type") == "object" for choice in choices)
    wrong = [{**example, field: 5 if is_object else {"a": 1}}]
    wrong += (
        [{**example, "other": 5}] if isinstance(schema.get("additionalProperties"), dict) else []
    )
    if field in schema.get("required", ()):
        wrong.append({key: value for key, value in example.items() if key != field})
    for document in wrong:
        mismatches: list[type] = []
        read = model.from_dict(json.loads(text(document)), mismatches)
        assert mismatches.count(model) == 1
        assert text(read.to_dict()) == text(document)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"text": "x", "number": 1}, "Plain"),
        ({"id": "x"}, "Base"),
        ({"children": []}, "Tree"),
        ({"id": 5}, "Base"),
        ({"children": 5}, "Tree"),
    ],
)
def test_an_alternative_is_chosen_by_its_content(
    package: ModuleType, value: dict[str, Any], name: str
) -> None:
    """Of several described objects, the first that fits reads a value; if none fits, the one
    that knows most fields."""
    mismatches: list[type] = []
    read = models(package)["Either"].from_dict({"one": value, "many": [value]}, mismatches)
    assert [type(each).__name__ for each in (read.one, *read.many)] == [name, name]
    assert bool(mismatches) is (5 in value.values())
    assert read.to_dict() == {"one": value, "many": [value]}


def test_unnamed_field_beside_an_absent_one(package: ModuleType) -> None:
    """The place of a wrong value in an unnamed field is found, also if an optional field is
    absent."""
    assert list(deviations(models(package)["Plains"], {"b": 5})) == [("/b", "an object")]


def test_every_operation_is_called(package: ModuleType) -> None:
    """Each operation takes its arguments, and makes a call with its path, query, headers and
    body."""
    found = models(package)
    plain = found["Plain"](text="x", number=1)
    thing = found["Thing"].from_dict(DOCUMENT["components"]["schemas"]["Thing"]["examples"][0])

    def call(name: str, document: object, *arguments: object, **more: Any) -> tuple[Any, Any]:
        (module,) = (
            importlib.import_module(each.name)
            for each in pkgutil.walk_packages(package.__path__, f"{NAME}.")
            if each.name.endswith(f".{name}")
        )
        call = module.prepare(*arguments, **more)
        return call, call.operation.parse(document, [])

    sent, result = call(
        "get_thing",
        thing.to_dict(),
        "a/b",
        5,
        text="x",
        exact_size=1,
        share=0.5,
        is_open=True,
        kind="small",
        words=["a", "b"],
        class_="y",
        type_="z",
        number_query=9,
        x_trace="t",
        x_size=7,
    )
    assert result == thing
    assert (sent.operation.method, sent.operation.path) == (
        "GET",
        "/things/{thing_id}/{number_path}",
    )
    assert sent.path_values == {"thing_id": "a/b", "number_path": 5}
    assert sent.query == {
        "text": "x",
        "exact-size": 1,
        "share": 0.5,
        "isOpen": True,
        "kind": "small",
        "words": ["a", "b"],
        "class": "y",
        "type": "z",
        "number": 9,
    }
    arguments = [parameter.argument for parameter in sent.operation.parameters]
    assert arguments[:2] == ["thing_id", "number_path"]
    assert arguments[-5:] == ["class_", "type_", "number_query", "x_trace", "x_size"]
    assert sent.headers == {"X-Trace": "t", "X-Size": 7}
    assert call("delete_thing", None, "a", 5)[1] is None
    assert call("list_things", [thing.to_dict()])[1] == [thing]
    sent, result = call("create_thing", {"data": []}, body=thing)
    assert (sent.json, result.to_dict()) == (thing.to_dict(), {"data": []})
    sent, result = call("change_things", "done", body=[thing])
    assert (sent.json, result) == ([thing.to_dict()], "done")
    sent, _ = call("change_things", "done")
    mismatches: list[type] = []
    sent.operation.parse(5, mismatches)
    assert (sent.json, len(mismatches)) == (None, 1)
    names = {"from_dict": [], "self": "x"}
    assert call("send_form", names, body=plain)[0].form == {"text": "x", "number": 1}
    file = File(b"x", "a.bin")
    assert call("put_file", names, body=file)[0].content == b"x"
    upload = found["Upload"](
        file=file,
        name="n",
        kind="large",
        is_open=True,
        number=3,
        words=["a", "b"],
        plain=plain,
        to_multipart_="m",
    )
    sent, result = call("upload_file", names, body=upload)
    assert result.to_dict() == names
    assert [(name, content) for name, (_, content, _) in sent.files] == [
        ("file", b"x"),
        ("name", "n"),
        ("kind", "large"),
        ("is_open", "true"),
        ("number", "3"),
        ("words", "a"),
        ("words", "b"),
        ("plain", '{"text": "x", "number": 1}'),
        ("to_multipart", "m"),
    ]
