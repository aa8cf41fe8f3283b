"""The comparison with a vendor document: every difference is known or new, even in an invalid document."""

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml
from attrs import asdict

from tools.contract.compare import Finding, compare, main
from tools.contract.deviations import Deviation
from tools.description import ROOT, parse, read

from .service import LEDGER, SERVICE, tools_with_service

Change: TypeAlias = Callable[[dict[str, Any]], object]

SCHEMAS = "/components/schemas"
ROLE = f"{SCHEMAS}/Role"
ADDRESS = "https://{appId}.api-{region}.cometchat.io/v3"
NO_TARGET = "a reference without a target"
NO_SCHEMA = "reference: vendor: #/components/schemas/x (target missing), ours: nothing"
FORM = "/paths/~1moderation~1keywords~1{keywordId}/put/requestBody/content/multipart~1form-data"


def response(schema: object, **more: object) -> dict[str, Any]:
    return {"200": {"description": "x", "content": {"application/json": {"schema": schema, **more}}}}


def text() -> dict[str, Any]:
    return {"type": "string"}


def in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": text()}


def reference(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


#: An excerpt with the faults of a vendor's document: a response of another operation, a property and a parameter
#: without a name, references without a target, one enum for all variants of a form.
EXCERPTS = sorted((ROOT / "contract" / "vendor").glob("*.yaml"))
VENDOR = read(EXCERPTS[0])
KEYWORDS = "/moderation/keywords/{keywordId}"


def vendor() -> dict[str, Any]:
    return copy.deepcopy(dict(VENDOR))


def found(document: dict[str, Any]) -> list[Finding]:
    return compare(document, SERVICE, LEDGER)


def lines(document: dict[str, Any]) -> set[str]:
    return {finding.line for finding in found(document)}


#: The known faults of the excerpt.
KNOWN = lines(vendor())


def role(document: dict[str, Any]) -> Any:
    return document["components"]["schemas"]["role"]["properties"]


def roles(document: dict[str, Any]) -> Any:
    return document["paths"]["/roles"]["get"]


def form(document: dict[str, Any]) -> Any:
    return document["paths"][KEYWORDS]["put"]["requestBody"]["content"]["multipart/form-data"]


def of_roles(document: dict[str, Any]) -> Any:
    return roles(document)["responses"]["200"]["content"]["application/json"]


def test_same_description_has_no_difference() -> None:
    """A description has no difference from itself."""
    assert found(dict(SERVICE)) == []


@pytest.mark.parametrize("path", EXCERPTS, ids=lambda path: path.stem)
def test_each_fault_of_a_vendor_is_named(path: Path) -> None:
    """Each difference of an excerpt is reported with its operations; one that the ledger lists is the last."""
    line = '/components/schemas/KeywordList: property "": vendor: optional, ours: nothing'
    fields: dict[str, Any] = {**asdict(LEDGER["refusals"]), "id": "one-entry", "differences": [line]}
    ledger = {"one-entry": Deviation(**fields)}
    shown = "\n".join(map(str, compare(read(path), SERVICE, ledger)))
    assert shown + "\n" == Path(__file__).with_name("vendor").joinpath(f"{path.stem}.txt").read_text("utf-8")


#: Possible changes of the vendor, and the line for each.
NEW_CHANGES: list[tuple[Change, str]] = [
    (lambda d: role(d).update(colour=text()), f'{ROLE}: property "colour": vendor: optional, ours: nothing'),
    (lambda d: role(d).update({"": text()}), f'{ROLE}: property "": vendor: optional, ours: nothing'),
    (
        lambda d: role(d)["description"].update(nullable=True),
        f"{ROLE}/properties/description: type: vendor: null or string, ours: string",
    ),
    (
        lambda d: role(d)["description"].update(type=["string", "null"]),
        f"{ROLE}/properties/description: type: vendor: null or string, ours: string",
    ),
    (
        lambda d: role(d).update(settings=reference("x")),
        "/components/schemas/RoleSettings: reference: vendor: #/components/schemas/x (target missing), ours: nothing",
    ),
    (lambda d: role(d).update(parent=reference("role")), f'{ROLE}: property "parent": vendor: optional, ours: nothing'),
    (
        lambda d: role(d)["createdAt"].update(type="string"),
        f"{ROLE}/properties/createdAt: type: vendor: string, ours: integer",
    ),
    (
        lambda d: d["components"]["schemas"]["Common"]["properties"]["category"]["enum"].append("emoji"),
        '/components/schemas/WordListForm/properties/category: value "emoji": vendor: allowed, ours: nothing',
    ),
    (
        lambda d: d["components"]["schemas"]["Words"]["allOf"][1]["properties"].update(language=text()),
        '/components/schemas/WordListForm: property "language": vendor: optional, ours: nothing',
    ),
    (
        lambda d: roles(d)["parameters"].append({"name": "sort", "in": "query", "schema": text()}),
        '/paths/~1roles/get: query parameter "sort": vendor: optional, ours: nothing',
    ),
    (
        lambda d: roles(d)["parameters"].append(reference("x", "parameters")),
        f"/paths/~1roles/get: parameter #/components/parameters/x: vendor: {NO_TARGET}, ours: nothing",
    ),
    (
        lambda d: roles(d)["responses"].update({"204": {"description": "x"}}),
        "/paths/~1roles/get/responses: response 204: vendor: present, ours: nothing",
    ),
    (
        lambda d: of_roles(d).update(
            example={"data": [{"role": "x", "name": "X", "createdAt": "now"}], "meta": {"pagination": {}}}
        ),
        f'{ROLE}/properties/createdAt: example: vendor: "now", ours: type "integer"',
    ),
    (
        lambda d: of_roles(d).update(
            examples={"one": {"value": {"data": [{"role": "x", "name": "X", "createdAt": 1, "hue": 2}]}}}
        ),
        f'{ROLE}: property "hue": vendor: an example, ours: nothing',
    ),
    (lambda d: d["paths"].pop("/roles"), "/paths/~1roles/get: operation: vendor: nothing, ours: present"),
    (
        lambda d: d["servers"][0]["variables"]["region"]["enum"].append("moon"),
        f'/servers: address "{ADDRESS.replace("{region}", "moon")}": vendor: present, ours: nothing',
    ),
    (lambda d: roles(d).update(deprecated=True), "/paths/~1roles/get: deprecated: vendor: true, ours: nothing"),
    (
        lambda d: role(d)["name"].update(deprecated=True),
        f"{ROLE}/properties/name: deprecated: vendor: true, ours: nothing",
    ),
    (
        lambda d: roles(d)["responses"]["200"].update(headers={"X-Total": {"schema": text()}}),
        '/paths/~1roles/get/responses/200: response 200 header "X-Total": vendor: present, ours: nothing',
    ),
    (
        lambda d: d["servers"][0]["variables"]["region"].update(default="eu"),
        '/servers: default of region: vendor: "eu", ours: "us"',
    ),
    (
        lambda d: form(d).update(encoding={"name": {"contentType": "text/html"}}),
        f'{FORM}/encoding: encoding of "name": contentType: vendor: "text/html", ours: nothing',
    ),
    (lambda d: form(d).update(schema=reference("x")), f"{FORM}/schema: {NO_SCHEMA}"),
    (
        lambda d: d["paths"][KEYWORDS]["put"].update(requestBody=reference("x", "requestBodies")),
        f"{FORM.partition('/content')[0]}: {NO_SCHEMA.replace('schemas', 'requestBodies')}",
    ),
    (
        lambda d: (
            d["components"].update(examples={"one": {"value": {"data": [{"role": "x", "hue": 2}]}}}),
            of_roles(d).update(examples={"one": reference("one", "examples")}),
        ),
        f'{ROLE}: property "hue": vendor: an example, ours: nothing',
    ),
    (
        lambda d: of_roles(d)["schema"].update(example={"data": [{"role": "x", "hue": 2}]}),
        f'{ROLE}: property "hue": vendor: an example, ours: nothing',
    ),
]


@pytest.mark.parametrize(("change", "line"), NEW_CHANGES, ids=[line for _, line in NEW_CHANGES])
def test_a_new_difference_is_named(change: Change, line: str) -> None:
    """A change in the vendor's document is a new difference, reported at its place."""
    document = vendor()
    change(document)
    assert line in lines(document) - KNOWN


#: Files that are not a description, and the beginning of the line for each.
UNREADABLE: dict[str, tuple[str, str]] = {
    "no mapping": ("[]", "not an OpenAPI document; give a document of version 3.0 or 3.1"),
    "no paths": ("openapi: 3.1.0", "not an OpenAPI document"),
    "an old version": ('{"swagger": "2.0", "paths": {}}', "Swagger 2.0 is not supported"),
    "invalid YAML": ("a: [", "neither JSON nor YAML: while parsing a flow node"),
    "invalid JSON": ('{"a": ', "neither JSON nor YAML: Expecting value: line 1"),
    "a cycle": ("paths: &a\n  b: *a", "more than 100 nested levels"),
    "a page of the web": ("<!doctype html>\n<p>x: y: z", "neither JSON nor YAML"),
    "many lines": ("\n" * 1_000_000, "more than 500,000 lines; remove the operations that are not compared"),
    "many nested levels": ('{"paths": ' + '{"a": ' * 50_000, "nested too deeply"),
    "many nested levels of YAML": ("[" * 100_000, "nested too deeply"),
    "many nested levels in a line": ("- " * 100_000, "nested too deeply"),
    "paths that are no object": ("paths: []", "/paths: not an object; correct this place"),
    "information that is no object": ("info: 3\npaths: {}", "/info: not an object"),
    "a path that is no object": ("paths: {/a: [], x-note: no}", "/paths/~1a: not an object"),
    "an operation that is no object": ("paths: {/a: {get: 3}}", "/paths/~1a/get: not an object"),
    "many values from a few lines": (
        "paths: {}\na0: &a0 []\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)),
        "more than 1,000,000 values",
    ),
    "another file": ("paths: {/a: {$ref: other.yaml}}", "refers to 'other.yaml', which is not read; first merge"),
    "another address": ("paths: {/a: {$ref: 'https://example.com/x#/y'}}", "refers to 'https://example.com/x#/y'"),
    "a key that is no text": ("paths: {2026-01-31: x}", "a key is not a text"),
}


@pytest.mark.parametrize(("content", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_invalid_description_is_one_line(tmp_path: Path, content: str, line: str) -> None:
    """A file that is not a description, too large, or in several parts is refused in one line that names the file."""
    path = tmp_path / "vendor.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(ValueError, match=f"^vendor.yaml: {re.escape(line)}") as caught:
        read(path)
    assert "\n" not in str(caught.value)


def many_combinations(document: dict[str, Any]) -> None:
    """A schema with 4 to the power of 20 alternatives."""
    role(document)["name"] = {"allOf": [{"oneOf": [{"minLength": n} for n in range(4)]}] * 20}


def long_chain(document: dict[str, Any]) -> None:
    """A chain of 2,000 references."""
    document["components"]["schemas"] |= {f"a{n}": reference(f"a{n + 1}") for n in range(2000)}
    role(document)["name"] = reference("a0")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (many_combinations, "more than 1,000 combinations of alternatives; remove this operation\n"),
        (long_chain, "vendor.json: a chain of references is too long; remove the operation that uses it\n"),
    ],
    ids=["combinations", "references"],
)
def test_slow_document_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, change: Change, line: str
) -> None:
    """A document whose comparison would take for ever, or too much memory, is refused in one line."""
    document = vendor()
    change(document)
    path = tmp_path / "vendor.json"
    path.write_text(json.dumps(document), "utf-8")
    monkeypatch.setattr(sys, "argv", ["compare", str(path)])
    assert main() == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n"), shown.err.endswith(line)) == ("", 1, True), shown.err


def test_unreadable_file_is_one_line(tmp_path: Path) -> None:
    """A missing file, and bytes that are not UTF-8, are refused in one line."""
    path = tmp_path / "vendor.yaml"
    with pytest.raises(ValueError, match=r"^vendor.yaml: No such file"):
        read(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"^vendor.yaml: not a text in UTF-8; save"):
        read(path)


def test_key_may_be_a_parameter() -> None:
    """A document that describes the key as a header parameter needs the same key."""
    key = {"name": "apikey", "in": "header", "required": True, "schema": text()}

    def beside(document: dict[str, Any]) -> None:
        roles(document)["parameters"].append(key)

    def instead(document: dict[str, Any]) -> None:
        beside(document)
        del roles(document)["security"]

    for change in (beside, instead):
        document = copy.deepcopy(dict(SERVICE))
        change(document)
        assert found(document) == []


@pytest.mark.parametrize(("name", "field"), [("Role", "name"), ("WordListForm", "searchTerms"), ("Message", "muid")])
def test_a_removed_field_is_new(name: str, field: str) -> None:
    """A field that the vendor removes is a new difference."""
    document = copy.deepcopy(dict(SERVICE))
    schema = document["components"]["schemas"][name]
    del schema["properties"][field]
    schema["required"] = [each for each in schema["required"] if each != field]
    assert {line.partition(": vendor: ")[0] for line in lines(document)} == {f'{SCHEMAS}/{name}: property "{field}"'}


def moved(document: dict[str, Any]) -> None:
    """The same document with other paths and names."""
    document["paths"] = {
        f"/api/v3{path}".replace("{uid}", "{userId}"): item for path, item in document["paths"].items()
    }
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter.get("name") == "uid":
                    parameter["name"] = "userId"


def in_a_newer_version(document: dict[str, Any]) -> None:
    """The same document in OpenAPI 3.1, with a discriminator mapping for its forms."""
    document["openapi"] = "3.1.0"
    schemas = document["components"]["schemas"]
    names = {"word": "Words", "pattern": "Patterns", "sentence-similarity": "Sentences"}
    schemas["Form"]["discriminator"]["mapping"] = {key: f"#/components/schemas/{name}" for key, name in names.items()}
    schemas["Form"]["oneOf"].reverse()
    schemas["Common"]["properties"]["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}


def behind_references(document: dict[str, Any]) -> None:
    """The same document with references to its path items."""
    document["components"]["pathItems"] = {str(index): item for index, item in enumerate(document["paths"].values())}
    document["paths"] = {path: reference(str(index), "pathItems") for index, path in enumerate(document["paths"])}


def in_another_order(document: dict[str, Any]) -> None:
    """The same document with the variants of the form in another order."""
    document["components"]["schemas"]["Form"]["oneOf"].reverse()


@pytest.mark.parametrize(
    "change", [moved, in_a_newer_version, behind_references, in_another_order], ids=lambda change: change.__name__
)
def test_an_equivalent_document_has_no_new_difference(change: Change) -> None:
    """Path prefixes, path references, parameter names, the OpenAPI version and the order of variants are ignored."""
    document = vendor()
    change(document)
    document = dict(parse(json.dumps(document)))
    assert lines(document) == KNOWN


def circular(document: dict[str, Any]) -> None:
    """Circular references of every kind."""
    schemas = document["components"]["schemas"]
    schemas["loop"] = reference("loop")
    schemas["one"], schemas["other"] = {"allOf": [reference("other")]}, {"anyOf": [reference("one"), text()]}
    role(document).update(name=reference("loop"), metadata=reference("other"))
    schemas["role"]["additionalProperties"] = reference("role")
    document["components"]["parameters"] = {"loop": reference("loop", "parameters")}
    roles(document)["parameters"].append(reference("loop", "parameters"))
    document["components"]["responses"] = {"loop": reference("loop", "responses")}
    document["paths"][KEYWORDS]["get"]["responses"]["200"] = reference("loop", "responses")


def nonsense(document: dict[str, Any]) -> None:
    """Invalid schemas, references to other files, and missing parts."""
    role(document).update(name=None, metadata=[], settings=True, createdAt={"type": 5, "enum": "x", "required": True})
    role(document)["updatedAt"] = {"$ref": "other.yaml#/x", "oneOf": "x", "properties": 3}
    role(document)["description"] = {"$ref": "#/components/schemas/role/properties/description/x"}
    document["components"]["schemas"]["Form"]["discriminator"] = None
    document["components"]["schemas"]["Words"]["discriminator"] = "x"
    roles(document)["responses"]["200"] = reference("gone", "responses")
    roles(document)["parameters"][0]["schema"].update(maximum="many", minimum=[], pattern=5)
    roles(document)["parameters"] += [None, "x", {}]
    document["paths"][KEYWORDS]["get"].update(responses=None, security=None)
    document["paths"]["/users/{uid}/auth_tokens/{authToken}"]["delete"]["responses"]["200"]["content"] = "x"
    document["paths"]["/x"] = None
    document["paths"]["/roles"]["parameters"] = 1.5
    document["paths"]["/moderation/reviewed-messages"]["get"].update(security=[{"apiKey": 5}, "x"], servers=True)
    document["paths"]["/moderation/reviewed-messages"]["get"]["responses"][""] = {"$ref": "#/openapi"}
    document["components"]["schemas"]["hook"]["properties"]["id"] = {"type": ["string", None, {}], "enum": [{}]}
    document["components"]["schemas"]["hook"]["properties"]["name"] = {"type": [None]}
    document["servers"] = ["x", {"variables": {"region": {"enum": True}}}]


@pytest.mark.parametrize("change", [circular, nonsense], ids=lambda change: change.__name__)
def test_an_invalid_document_is_compared(change: Change) -> None:
    """An invalid document is compared, and the comparison ends."""
    document = vendor()
    change(document)
    assert found(document)


@pytest.mark.parametrize("suffix", [".json", pytest.param(".yaml", marks=pytest.mark.deep)])
def test_the_command(tmp_path: Path, suffix: str) -> None:
    """The command reads JSON and YAML, prints each difference, and fails only if a difference is new."""
    path = tmp_path / f"vendor{suffix}"
    tools_with_service(tmp_path)

    def run(document: Any) -> subprocess.CompletedProcess[str]:
        path.write_text(json.dumps(document) if suffix == ".json" else yaml.safe_dump(document), "utf-8")
        # As a person starts it; loading its libraries takes more than a second.
        command = [sys.executable, "-m", "tools.contract.compare", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603

    document = copy.deepcopy(dict(SERVICE))
    done = run(document)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 differences, 0 of them new\n", "")
    document["components"]["schemas"]["Role"]["properties"]["colour"] = text()
    done = run(document)
    assert done.returncode == 1
    assert done.stdout == (
        f'{ROLE}: property "colour": vendor: optional, ours: nothing\n    NEW; listRoles\n'
        "1 differences, 1 of them new\n"
    )
    done = run([])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"vendor{suffix}: not an OpenAPI document; give ")
