"""The description passes a widely used linter; `test_description` adds the house rules."""

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
    """The problems that the linter reports: rule and place."""
    command = ("lint", "--config", CONFIGURATION, "--format", "json", path)
    done = node("@redocly/cli/bin/cli.js", *command, cwd=path.parent)
    problems = json.loads(done.stdout)["problems"]
    assert (done.returncode == 0) is (problems == [])
    assert all(problem["severity"] == "error" for problem in problems)
    return {(problem["ruleId"], problem["location"][0]["pointer"]) for problem in problems}


def test_linter_reports_nothing() -> None:
    """The description follows every rule that the linter recommends."""
    assert found_in(DESCRIPTION) == set()


def test_linter_reports_broken_rules(tmp_path: Path) -> None:
    """For each broken rule, the linter reports the rule and the place, even if the rule is only a warning."""
    document = load()
    document["info"].pop("license")
    document["servers"].append({"url": "https://example.com/v3/", "variables": {"unused": {"default": "x"}}})
    roles = document["paths"]["/roles"]["get"]
    roles["operationId"] = "getKeywordList"
    del roles["security"]
    del roles["responses"]["200"]["description"]
    repeated = len(roles["parameters"])
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
        "operation-parameters-unique": f"/paths/~1roles/get/parameters/{repeated}",
        "operation-summary": "/paths/~1things~1{id}/get/summary",
        "path-parameters-defined": "/paths/~1things~1{id}/get/parameters",
        "security-defined": "/paths/~1roles/get",
        "struct": "/paths/~1roles/get/responses/200",
    }.items()


def test_lock_file_contains_no_registry() -> None:
    """The linter can be installed from any registry, in exactly the locked version."""
    locked = json.loads((CONFIGURATION.parent / "package-lock.json").read_text("utf-8"))["packages"]
    assert {"node_modules/@redocly/cli", "node_modules/typescript"} <= locked.keys()
    for name, package in locked.items():
        assert "resolved" not in package
        assert name == "" or package["integrity"].startswith("sha512-")
