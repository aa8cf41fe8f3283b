"""`make adopt`: after it, the description says what the service sends, and the rest of each file
is as before."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import astuple, evolve

from cometchat_rest import Client
from cometchat_rest.conformance import Kind, Report, probe
from cometchat_rest.testing import Simulator
from tools.contract import deviations, matrix
from tools.contract.adopt import TEST, Files, adopt
from tools.contract.compare import closed, lines_of_excerpts
from tools.description import ROOT, at, resolved

from ..contract.description import validator
from ..contract.house_rules import RULES
from ..described import described
from ..described_calls import probed_example

FILES = Files.read()
DOCUMENT = FILES.document
OPERATIONS = {each.name: each for each in described(DOCUMENT)}
#: The client compares it with the identifier of the call.
IDENTIFIER = ("get_keyword_list", "id")
#: A field of each type.
VALUES: tuple[Any, ...] = ("text", 7, 0.5, True, [], {})


loaded = partial(yaml.load, Loader=yaml.CSafeLoader)


def objects(value: Any, schema: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """The objects in a value with their schemas, without free-form objects."""
    schema = resolved(DOCUMENT, schema)
    if isinstance(value, dict) and "properties" in schema:
        yield value, schema
        for name, each in value.items():
            yield from objects(each, schema["properties"].get(name, {}))
    elif isinstance(value, list):
        for each in value:
            yield from objects(each, schema.get("items", {}))


def change(seed: int) -> tuple[str, Any, Kind, str]:
    """A change of a response: the operation, the body, the kind of the difference, and the name
    of the field."""
    chosen = random.Random(seed)  # noqa: S311 - the same changes on every run
    name = chosen.choice(("list_reviewed_messages", "list_roles", "get_keyword_list"))
    body = probed_example(name)
    held = [
        each for each in objects(body, OPERATIONS[name].response_schema) if "data" not in each[0]
    ]
    kind = chosen.choice((Kind.UNKNOWN_FIELD, Kind.MISSING_FIELD, Kind.WRONG_TYPE))
    wanted = (
        [each for each in held if each[1].get("required")] if kind is Kind.MISSING_FIELD else held
    )
    record, schema = chosen.choice(
        [each for each in wanted if not {"current", "pagination"} & each[0].keys()]
    )
    if kind is Kind.UNKNOWN_FIELD:
        field = "field" + "".join(chosen.choice("abcdefgh") for _ in range(5))
        record[field] = chosen.choice(VALUES)
    elif kind is Kind.MISSING_FIELD:
        field = chosen.choice([each for each in schema["required"] if (name, each) != IDENTIFIER])
        del record[field]
    else:
        known = sorted(record.keys() & schema["properties"].keys())
        field = chosen.choice([each for each in known if (name, each) != IDENTIFIER])
        described = validator(schema["properties"][field])
        record[field] = chosen.choice([each for each in VALUES if not described.is_valid(each)])
    return name, body, kind, field


def report_of(simulator: Simulator, bodies: Mapping[Any, Any]) -> Report:
    """A report about a service whose operations send bodies, as if the simulator were the
    vendor's service."""
    for name, body in bodies.items():
        simulator.fail(name, body=body, times=None)
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        report = probe(chat)
    simulator.reset()
    return evolve(
        report,
        service="hosted",
        exchanges=tuple(e for e in report.exchanges if e.operation in bodies),
    )


def left(report: Report, files: Files) -> list[str]:
    """The places of a response that the changed description does not have as they are."""
    document = closed(files.document)
    messages: list[str] = []
    for exchange in report.exchanges:
        schema = next(
            each for each in described(document) if each.name == exchange.operation
        ).response_schema
        body: Any = exchange.body
        messages += [error.message for error in validator(schema, document).iter_errors(body)]
    return messages


def adopted(simulator: Simulator, seeds: Sequence[int], files: Files) -> Files:
    """The files after seeded changes of different operations were found and adopted."""
    changes = {name: (body, str(kind), field) for name, body, kind, field in map(change, seeds)}
    report = report_of(simulator, {name: body for name, (body, *_) in changes.items()})
    found = [
        (each.operation, str(each.kind), each.place.strip("/*").rpartition("/")[2])
        for each in report.differences
    ]
    assert sorted(found) == sorted(
        (name, kind, field) for name, (_, kind, field) in changes.items()
    ), seeds
    changed, refused = adopt(report, files)
    assert refused == [], seeds
    assert left(report, changed) == [], seeds
    return changed


def problems(files: Files) -> list[str]:
    """What the rules of the description, the ledger and the matrix say about some files."""
    document, ledger = files.document, deviations.parse(files.ledger)
    rows = [matrix.Row(**each) for each in loaded(files.matrix)]
    rules = [rule for rule in RULES if rule.__name__ != "evidence_is_in_the_ledger"]
    return [
        *(line for rule in rules for line in rule(document)),
        *sorted(deviations.places(document).keys() ^ ledger.keys()),
        *matrix.constraint_problems(rows, document),
        *(
            line
            for line in lines_of_excerpts(document)
            if not any(each.accounts_for(line) for each in ledger.values())
        ),
    ]


BEFORE = problems(FILES)


def check(files: Files) -> None:
    """The changed files follow the rules as well as before, and all comments are still there, in
    the same order."""
    assert [line for line in problems(files) if line not in BEFORE] == []
    assert [line for line in FILES.description.splitlines() if line.lstrip().startswith("#")] == [
        line for line in files.description.splitlines() if line.lstrip().startswith("#")
    ]


def test_changes_of_responses_are_found_and_adopted(simulator: Simulator) -> None:
    """A new field, a missing field and another type are found; after `adopt` the description has
    them."""
    seeds = (0, 1, 6)
    assert {change(seed)[2] for seed in seeds} == {
        Kind.UNKNOWN_FIELD,
        Kind.MISSING_FIELD,
        Kind.WRONG_TYPE,
    }
    files = adopted(simulator, seeds, FILES)
    check(files)
    before = FILES.description.splitlines()
    # Two long lists, which have two lines each, become one line each.
    assert sum(line in files.description.splitlines() for line in before) >= len(before) - 8


def test_layout_of_the_files_does_not_matter(simulator: Simulator) -> None:
    """With the same files in another layout of YAML, the changed files say the same."""
    other = Files(*(yaml.safe_dump(loaded(each), sort_keys=False) for each in astuple(FILES)))
    name, body, *_ = change(3)
    report = report_of(simulator, {name: body})
    one, two = (astuple(adopt(report, files)[0]) for files in (FILES, other))
    assert list(map(loaded, one)) == list(map(loaded, two))


#: Probes each changed response with the client of another folder; prints the seeds with a
#: difference.
PROBE = """
import json, sys
from cometchat_rest import Client
from cometchat_rest.conformance import probe
from cometchat_rest.testing import Simulator
with Simulator() as simulator, Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
    for seed, (name, body) in enumerate(json.load(sys.stdin)):
        simulator.reset()
        simulator.fail(name, body=body)
        if found := [each for each in probe(chat).exchanges if each.operation == name and each.differences]:
            print(seed, found)
"""


@pytest.mark.deep  # the generator and mypy run once, and 45 responses are probed twice
def test_nothing_is_found_after_adopt_and_generate(simulator: Simulator, tmp_path: Path) -> None:
    """After 45 changes, `adopt` and `generate`, mypy accepts both projects, and the new client
    finds no difference."""
    files = FILES
    for seed in range(45):
        files = adopted(simulator, [seed], files)
    check(files)
    for folder in ("overlays", "generated", "desk", "tools", "generator-templates"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in ("generator-config.yaml", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "openapi.yaml").write_text(files.description, "utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tmp_path / 'overlays'}{os.pathsep}{tmp_path / 'generated'}",
    }

    def run(*command: str, sent: str = "") -> str:
        whole = [sys.executable, *command]
        done = subprocess.run(
            whole,
            cwd=tmp_path,
            env=environment,
            input=sent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-m", "tools.generate")
    run("-m", "mypy", "overlays", "generated", "desk/cometchat_desk")
    assert run("-c", PROBE, sent=json.dumps([change(seed)[:2] for seed in range(45)])) == ""


FRAME = "the result of the call depends on this part"
#: Values in a page of roles; the places of the differences, and the reasons.
INEXPRESSIBLE: list[tuple[dict[str, object], dict[str, str]]] = [
    (
        {"/data/0/role": None, "/data/0/a1": "x", "/requestId": "x", "/meta/pagination": 5},
        {
            "Role/properties/role: type": "null is not a type",
            'Role: property "*"': "the report hides the name",
            'RoleList: property "requestId"': FRAME,
            "RoleListMeta/properties/pagination: type": FRAME,
        },
    ),
    ({"/data": {}}, {"RoleList/properties/data: type": FRAME}),
]


@pytest.mark.parametrize(("values", "reasons"), INEXPRESSIBLE)
def test_difference_that_cannot_be_expressed(
    simulator: Simulator, values: dict[str, object], reasons: dict[str, str]
) -> None:
    """A difference that the files have no words for is named with the reason, and no file
    changes for it."""
    body = probed_example("list_roles")
    for place, value in values.items():
        holder, _, name = place.rpartition("/")
        at(body, holder)[name] = value
    files, refused = adopt(report_of(simulator, {"list_roles": body}), FILES)
    assert (files.description, files.matrix) == (FILES.description, FILES.matrix)
    shown = (
        re.fullmatch(r"/components/schemas/(.*): service: .*\n    not adopted: (.*)", each)
        for each in refused
    )
    found = {each[1]: each[2] for each in shown if each}
    assert found.keys() == reasons.keys()
    assert [place for place, reason in reasons.items() if not found[place].startswith(reason)] == []


def test_confidence_rises_only_by_structure(simulator: Simulator) -> None:
    """The confidence of an entry rises if a structure can confirm it, and the service sends its
    places as described."""
    low = evolve(FILES, ledger=re.sub("(?m)^  confidence: .*", "  confidence: low", FILES.ledger))
    names = ("get_keyword_list", "list_reviewed_messages", "list_roles")
    files, _ = adopt(report_of(simulator, {name: probed_example(name) for name in names}), low)
    before, after = (deviations.parse(each.ledger) for each in (low, files))
    risen = {name for name in before if after[name].confidence == "high"}
    assert "description-in-answers" in risen
    assert all(before[name].structure for name in risen)


def test_identifier_that_the_client_compares_is_refused(simulator: Simulator) -> None:
    """`make adopt` refuses a response without the identifier of the call, because the client
    refuses it as well."""
    name, field = IDENTIFIER
    body = probed_example(name)
    del body["data"][field]
    files, (refused,) = adopt(report_of(simulator, {name: body}), FILES)
    assert "service-get-keyword-list-data-id-" not in files.ledger
    assert "/components/schemas/KeywordList" in refused
    assert "result of the call depends" in refused


def test_new_value_is_no_difference(simulator: Simulator) -> None:
    """A new value of an open set, such as another category, already conforms."""
    body = probed_example("get_keyword_list")
    body["data"]["category"] = "emoji"
    report = report_of(simulator, {"get_keyword_list": body})
    assert report.differences == []
    assert left(report, FILES) == []


@pytest.mark.parametrize("service", ["hosted", "this machine"])
def test_the_command(simulator: Simulator, tmp_path: Path, service: str) -> None:
    """The command changes the files and prints the changes; a report about this machine, or no
    report, changes none."""
    for name in ("openapi.yaml", "contract", "tools", "docs"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    body = probed_example("list_roles")
    body["data"][0]["planted"] = "x"
    path = tmp_path / "report.json"
    evolve(report_of(simulator, {"list_roles": body}), service=service).save(path)  # type: ignore[arg-type]

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.contract.adopt", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run()
    changed = (tmp_path / "openapi.yaml").read_text("utf-8") != FILES.description
    if service == "hosted":
        assert (done.returncode, changed) == (0, True), done.stderr
        assert (
            "+        planted:\n+          description: A field that the service sends.\n+          type: string"
            in done.stdout
        )
        assert "+- id: service-list-roles-data-planted" in done.stdout
        assert (ROOT / TEST.partition("::")[0]).is_file()
    else:
        assert (done.returncode, changed, done.stdout) == (1, False, "")
        assert "no evidence. Nothing was changed." in done.stderr
        return
    path.write_text("{}", "utf-8")
    done = run()
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
