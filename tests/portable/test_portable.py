"""Two generators that are independent of this project make working code from the description."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from cometchat_rest.testing import Simulator
from tools.nodejs import node
from tools.openapi_diff.document import DESCRIPTION, mapping, nodes, read

HERE = Path(__file__).parent


# Python: pydantic models, by datamodel-code-generator.


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A module of pydantic models."""
    path = tmp_path_factory.mktemp("models") / "models.py"
    command = [sys.executable, "-m", "datamodel_code_generator", "--input-file-type=openapi", "--formatters=builtin"]
    command += ["--input", str(DESCRIPTION), "--output", str(path), "--output-model-type=pydantic_v2.BaseModel"]
    command += ["--target-python-version=3.11", "--disable-timestamp", "--no-allow-remote-refs", "--strict-refs"]
    # pydantic rewrites addresses and times, and needs one more package for e-mail addresses.
    command += ["--type-mappings", "uri=string", "date-time=string", "email=string"]
    subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    spec = spec_from_file_location("portable_models", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def bodies(node: Any) -> Iterator[tuple[str, Any]]:
    """Every example of a body in a node of the description, with the name of its schema."""
    if isinstance(node, Mapping):
        for example in node.get("examples", {}).values() if "$ref" in node.get("schema", {}) else ():
            yield node["schema"]["$ref"].rpartition("/")[2], example["value"]
        for each in node.values():
            yield from bodies(each)


DOCUMENT = read(DESCRIPTION)
EXAMPLES = list(bodies(DOCUMENT))


def test_examples_cover_every_body() -> None:
    """There is at least one example of every body."""
    media = [each for _, node in nodes(DOCUMENT) for each in mapping(node, "content").values()]
    assert len(media) >= 6
    assert {name for name, _ in EXAMPLES} == {each["schema"]["$ref"].rpartition("/")[2] for each in media}


def plain(model: BaseModel) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_pydantic_models_read_the_examples(models: ModuleType, name: str, example: Any) -> None:
    """The pydantic models read each example of a body and return it unchanged."""
    assert plain(getattr(models, name).model_validate(example)) == example


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("KeywordListForm", {"category": "emoji", "searchTerms": "x"}),
        ("KeywordListForm", {"category": "word"}),
        ("KeywordListForm", {"category": "word", "searchTerms": "x", "colour": "red"}),
        ("WordListForm", {"category": "pattern", "searchTerms": "x"}),
        ("PatternListForm", {"category": "word", "searchTerms": "x"}),
        ("ReviewedMessageList", {"data": []}),
        ("RoleList", {"data": []}),
        ("KeywordListResponse", {"data": {"id": "x"}}),
    ],
)
def test_pydantic_models_refuse_invalid_bodies(models: ModuleType, name: str, body: object) -> None:
    """The pydantic models refuse bodies that the description does not allow."""
    with pytest.raises(ValidationError):
        getattr(models, name).model_validate(body)


def test_pydantic_models_read_the_records_of_the_simulator(models: ModuleType, simulator: Simulator) -> None:
    """The pydantic models read every record of the simulator, and an unknown category as well."""
    for record in simulator.keyword_lists.values():
        unknown = {**record, "category": "emoji"}
        assert models.KeywordList.model_validate(record).id == record["id"]
        assert models.KeywordList.model_validate(unknown).category == "emoji"
    for message in simulator.reviewed_messages:
        assert models.ReviewedMessage.model_validate(message).message.sender
    for role in simulator.roles:
        assert models.Role.model_validate(role).role == role["role"]


# TypeScript: a client, by Hey API.


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """program.ts and the generated client that it uses, compiled."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "program.ts").write_bytes((HERE / "program.ts").read_bytes())
    made = node(
        "@hey-api/openapi-ts/bin/run.js", "--input", DESCRIPTION, "--output", "api", "--no-log-file", cwd=folder
    )
    assert made.returncode == 0, made.stdout + made.stderr
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--outDir", "compiled")
    compiled = node("typescript/bin/tsc", *options, "program.ts", cwd=folder)
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return folder / "compiled" / "program.js"


@pytest.mark.deep  # Node.js runs three programs, which takes seconds
def test_typescript_client_makes_every_call(program: Path, simulator: Simulator) -> None:
    """A generated TypeScript client has the described types and can call all operations."""
    before = dict(simulator.keyword_lists["profanity-list"])
    messages: list[Any] = simulator.reviewed_messages
    token = simulator.auth_tokens["alice"][0]
    ran = node(program, simulator.base_url, simulator.api_key, token, cwd=program.parent)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    output = json.loads(ran.stdout)

    assert output["lists"][0] == before
    assert (output["category"], output["terms"]) == (before["category"], before["searchTerms"])
    assert [each.get("searchTerms") or each.get("disallowedSentences") for each in output["lists"][1:]] == [
        ["spam", "scam"],
        ["[0-9]{4}"],
        ["Go, now.", "Leave."],
        ["ham", "spam"],
    ]
    assert output["lists"][-1] == simulator.keyword_lists["profanity-list"]
    assert output["messages"]["data"] == messages[:2]
    assert output["sender"] == messages[0]["message"]["sender"]
    assert (output["roles"]["data"], output["total"]) == (simulator.roles[10:20], len(simulator.roles))
    assert output["deleted"]["success"] is True
    assert token not in simulator.auth_tokens["alice"]
    assert output["code"] == "ERR_KEYWORD_NOT_FOUND"
    assert simulator.damage == []
