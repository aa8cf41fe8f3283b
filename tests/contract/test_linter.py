"""What a linter that many use makes of the description; the house rules add to it in `test_description`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tools.nodejs import node
from tools.openapi_diff.document import DESCRIPTION, ROOT

from .description import load

CONFIGURATION = ROOT / "tools" / "npm" / "redocly.yaml"
ROLES: Any = load()["paths"]["/roles"]["get"]


def found_in(path: Path) -> set[tuple[str, str]]:
    """What the linter complains of: the rule and the place."""
    command = ("lint", "--config", CONFIGURATION, "--format", "json", path)
    done = node("@redocly/cli/bin/cli.js", *command, cwd=path.parent)
    problems = json.loads(done.stdout)["problems"]
    assert (done.returncode == 0) is (problems == [])
    assert all(problem["severity"] == "error" for problem in problems)
    return {(problem["ruleId"], problem["location"][0]["pointer"]) for problem in problems}


def test_the_linter_finds_nothing() -> None:
    """The description keeps every rule that the linter recommends."""
    assert found_in(DESCRIPTION) == set()


def test_the_linter_bites(tmp_path: Path) -> None:
    """Whoever breaks a recommended rule is told which one, and where, a mere warning included."""
    document = load()
    document["info"].pop("license")
    document["servers"].append({"url": "https://example.com/v3/", "variables": {"unused": {"default": "x"}}})
    roles = document["paths"]["/roles"]["get"]
    roles["operationId"] = "getKeywordList"
    del roles["security"]
    del roles["responses"]["200"]["description"]
    roles["parameters"].append(roles["parameters"][0])
    document["paths"]["/things/{id}"] = {"get": {**ROLES, "operationId": "getThing", "summary": ""}}
    document["components"]["schemas"]["Unused"] = {"type": "object", "required": ["absent"]}
    document["components"]["schemas"]["Role"]["properties"]["settings"] = {"$ref": "#/components/schemas/Settings"}
    path = tmp_path / "openapi.yaml"
    path.write_text(yaml.safe_dump(document), "utf-8")
    assert {rule: place.removeprefix("#") for rule, place in found_in(path)}.items() >= {
        "info-license": "/info",
        "no-server-example.com": "/servers/1/url",
        "no-server-trailing-slash": "/servers/1/url",
        "no-undefined-server-variable": "/servers/1/variables/unused",
        "no-required-schema-properties-undefined": "/components/schemas/Unused/required/0",
        "no-unresolved-refs": "/components/schemas/Role/properties/settings",
        "operation-operationId-unique": "/paths/~1roles/get/getKeywordList",
        "operation-parameters-unique": "/paths/~1roles/get/parameters/2",
        "operation-summary": "/paths/~1things~1{id}/get/summary",
        "path-parameters-defined": "/paths/~1things~1{id}/get/parameters",
        "security-defined": "/paths/~1roles/get",
        "struct": "/paths/~1roles/get/responses/200",
    }.items()


def test_the_lock_file_names_no_registry() -> None:
    """Whoever installs the linter takes it from the registry of their own choice, and gets what was locked."""
    locked = json.loads((CONFIGURATION.parent / "package-lock.json").read_text("utf-8"))["packages"]
    assert {"node_modules/@redocly/cli", "node_modules/typescript"} <= locked.keys()
    for name, package in locked.items():
        assert "resolved" not in package
        assert name == "" or package["integrity"].startswith("sha512-")
