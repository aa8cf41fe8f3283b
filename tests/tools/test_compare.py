"""The comparison with a vendor document: every difference is known or new, even in an invalid
document."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml
from attrs import asdict

from tools.contract.compare import compare, main
from tools.contract.deviations import Deviation
from tools.contract.findings import Finding
from tools.description import Document, read

from ..contract.excerpts import EXCERPTS
from .service import LEDGER, SERVICE, tools_with_service

Change: TypeAlias = Callable[[dict[str, Any]], object]

SCHEMAS = "/components/schemas"
ROLE = f"{SCHEMAS}/Role"
ADDRESS = "https://{appId}.api-{region}.cometchat.io/v3"
NO_TARGET = "a reference without a target"


def text() -> dict[str, Any]:
    return {"type": "string"}


def reference(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


#: An excerpt with the faults of a vendor's document: a response of another operation, a property
#: and a parameter without a name, references without a target, one enum for all variants of a form.
VENDOR = read(EXCERPTS[0])
KEYWORDS = "/moderation/keywords/{keywordId}"


def vendor() -> dict[str, Any]:
    return copy.deepcopy(dict(VENDOR))


def findings(document: dict[str, Any]) -> list[Finding]:
    return compare(document, SERVICE, LEDGER)


def lines(document: dict[str, Any]) -> set[str]:
    return {finding.line for finding in findings(document)}


#: The known faults of the excerpt.
KNOWN = lines(vendor())


def role(document: dict[str, Any]) -> Any:
    return document["components"]["schemas"]["role"]["properties"]


def roles(document: dict[str, Any]) -> Any:
    return document["paths"]["/roles"]["get"]


def of_roles(document: dict[str, Any]) -> Any:
    return roles(document)["responses"]["200"]["content"]["application/json"]


def test_same_description_has_no_difference() -> None:
    """A description has no difference from itself."""
    assert findings(dict(SERVICE)) == []


@pytest.mark.parametrize("path", EXCERPTS, ids=lambda path: path.stem)
def test_each_fault_of_a_vendor_is_named(path: Path) -> None:
    """Each difference of an excerpt is reported with its operations; one that the ledger lists
    is the last."""
    line = '/components/schemas/KeywordList: property "": vendor: optional, ours: nothing'
    fields: dict[str, Any] = {
        **asdict(LEDGER["refusals"]),
        "id": "one-entry",
        "differences": [line],
    }
    ledger = {"one-entry": Deviation(**fields)}
    shown = "\n".join(map(str, compare(read(path), SERVICE, ledger)))
    assert shown + "\n" == Path(__file__).with_name("vendor").joinpath(
        f"{path.stem}.txt"
    ).read_text("utf-8")


#: Possible changes of the vendor, and the line for each.
NEW_CHANGES: list[tuple[Change, str]] = [
    (
        lambda d: role(d).update(colour=text()),
        f'{ROLE}: property "colour": vendor: optional, ours: nothing',
    ),
    (
        lambda d: role(d).update({"": text()}),
        f'{ROLE}: property "": vendor: optional, ours: nothing',
    ),
    (
        lambda d: role(d)["description"].update(nullable=True),
        f"{ROLE}/properties/description: type: vendor: null or string, ours: string",
    ),
    (
        lambda d: role(d).update(settings=reference("x")),
        "/components/schemas/RoleSettings: reference: vendor: #/components/schemas/x (target missing), ours: nothing",
    ),
    (
        lambda d: d["components"]["schemas"]["Common"]["properties"]["category"]["enum"].append(
            "emoji"
        ),
        '/components/schemas/WordListForm/properties/category: value "emoji": vendor: allowed, ours: nothing',
    ),
    (
        lambda d: roles(d)["parameters"].append(reference("x", "parameters")),
        f"/paths/~1roles/get: parameter #/components/parameters/x: vendor: {NO_TARGET}, ours: nothing",
    ),
    (
        lambda d: of_roles(d).update(
            example={
                "data": [{"role": "x", "name": "X", "createdAt": "now"}],
                "meta": {"pagination": {}},
            }
        ),
        f'{ROLE}/properties/createdAt: example: vendor: "now", ours: type "integer"',
    ),
    (
        lambda d: of_roles(d).update(
            examples={
                "one": {"value": {"data": [{"role": "x", "name": "X", "createdAt": 1, "hue": 2}]}}
            }
        ),
        f'{ROLE}: property "hue": vendor: an example, ours: nothing',
    ),
    (
        lambda d: d["paths"].pop("/roles"),
        "/paths/~1roles/get: operation: vendor: nothing, ours: present",
    ),
    (
        lambda d: d["servers"][0]["variables"]["region"]["enum"].append("moon"),
        f'/servers: address "{ADDRESS.replace("{region}", "moon")}": vendor: present, ours: nothing',
    ),
    (
        lambda d: (
            d["components"].update(
                examples={"one": {"value": {"data": [{"role": "x", "hue": 2}]}}}
            ),
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


def in_two_parts(document: dict[str, Any]) -> list[Any]:
    """Describe the name of a role apart from its other fields, and return both parts."""
    schema = document["components"]["schemas"]["Role"]
    name = {"name": schema["properties"].pop("name")}
    rest = {key: schema.pop(key) for key in ("required", "properties")}
    return [rest, {"properties": name}]


def with_parts(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Role"]["allOf"] = in_two_parts(document)


def with_a_named_part(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    schemas["Part"], part = in_two_parts(document)
    schemas["Role"]["allOf"] = [reference("Part"), part]


def fields_of_examples(theirs: Document, ours: Document) -> list[str]:
    """The lines about fields that only an example of the vendor has."""
    shown = [finding.line for finding in compare(theirs, ours, LEDGER)]
    return [line for line in shown if "vendor: an example," in line]


@pytest.mark.parametrize("change", [with_parts, with_a_named_part])
def test_an_object_of_several_parts_has_the_fields_of_all(change: Change) -> None:
    """An example is compared with an object in parts as with the same object in one."""
    ours = copy.deepcopy(dict(SERVICE))
    change(ours)
    document = vendor()
    of_roles(document).update(
        example={"data": [{"role": "x", "name": "X", "createdAt": 1, "hue": 2}], "meta": {}}
    )
    fields = fields_of_examples(document, ours)
    assert f'{ROLE}: property "hue": vendor: an example, ours: nothing' in fields
    assert fields == fields_of_examples(document, SERVICE)


def test_a_field_with_the_name_of_a_keyword_is_compared() -> None:
    """An object in a field such as `not` is compared as any other object."""
    ours = copy.deepcopy(dict(SERVICE))
    ours["components"]["schemas"]["Role"]["properties"]["not"] = {
        "type": "object",
        "properties": {"known": text()},
    }
    document = vendor()
    example = {"role": "x", "name": "X", "createdAt": 1, "not": {"hue": 2}}
    of_roles(document).update(example={"data": [example], "meta": {}})
    lines = fields_of_examples(document, ours)
    assert [line for line in lines if '"hue"' in line] != []


def test_a_response_without_a_named_schema_is_compared() -> None:
    """A field that only an example has is noticed, also if the response describes its fields in
    place."""
    ours = copy.deepcopy(dict(SERVICE))
    of_roles(ours)["schema"] = ours["components"]["schemas"]["RoleList"]
    document = vendor()
    of_roles(document).update(example={"data": [], "meta": {}, "hue": 2})
    line = '/paths/~1roles/get: property "hue": vendor: an example, ours: nothing'
    assert line in fields_of_examples(document, ours)


def many_combinations(document: dict[str, Any]) -> None:
    """A schema with 4 to the power of 20 alternatives."""
    role(document)["name"] = {"allOf": [{"oneOf": [{"minLength": n} for n in range(4)]}] * 20}


def long_chain(document: dict[str, Any]) -> None:
    """A chain of 2,000 references."""
    document["components"]["schemas"] |= {f"a{n}": reference(f"a{n + 1}") for n in range(2000)}
    role(document)["name"] = reference("a0")


def endless_chain(document: dict[str, Any]) -> None:
    """A parameter that refers to itself."""
    document["components"]["parameters"] = {"loop": reference("loop", "parameters")}
    roles(document)["parameters"].append(reference("loop", "parameters"))


TOO_LONG = "vendor.json: a chain of references is too long; remove the operation that uses it\n"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            many_combinations,
            "more than 1,000 combinations of alternatives; remove this operation\n",
        ),
        (long_chain, TOO_LONG),
        (endless_chain, TOO_LONG),
    ],
    ids=["combinations", "references", "an endless chain"],
)
def test_slow_document_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Change,
    line: str,
) -> None:
    """A document whose comparison would take for ever, or too much memory, is refused in one
    line."""
    document = vendor()
    change(document)
    path = tmp_path / "vendor.json"
    path.write_text(json.dumps(document), "utf-8")
    monkeypatch.setattr(sys, "argv", ["compare", str(path)])
    assert main() == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n"), shown.err.endswith(line)) == ("", 1, True), shown.err


@pytest.mark.parametrize(
    ("name", "field"), [("Role", "name"), ("WordListForm", "searchTerms"), ("Message", "muid")]
)
def test_a_removed_field_is_new(name: str, field: str) -> None:
    """A field that the vendor removes is a new difference."""
    document = copy.deepcopy(dict(SERVICE))
    schema = document["components"]["schemas"][name]
    del schema["properties"][field]
    schema["required"] = [each for each in schema["required"] if each != field]
    assert {line.partition(": vendor: ")[0] for line in lines(document)} == {
        f'{SCHEMAS}/{name}: property "{field}"'
    }


@pytest.mark.parametrize("suffix", [".json", pytest.param(".yaml", marks=pytest.mark.deep)])
def test_the_command(tmp_path: Path, suffix: str) -> None:
    """The command reads JSON and YAML, prints each difference, and fails only if a difference is
    new."""
    path = tmp_path / f"vendor{suffix}"
    tools_with_service(tmp_path)

    def run(document: Any) -> subprocess.CompletedProcess[str]:
        path.write_text(
            json.dumps(document) if suffix == ".json" else yaml.safe_dump(document), "utf-8"
        )
        # As a person starts it; loading its libraries takes more than a second.
        command = [sys.executable, "-m", "tools.contract.compare", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

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
