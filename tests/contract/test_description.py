"""The description is valid, follows the house rules, and agrees with service.md."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest
import yaml
from hypothesis import given
from openapi_python_client.config import ConfigFile
from openapi_spec_validator import OpenAPIV31SpecValidator

from cometchat_rest import Region
from cometchat_rest.endpoint import base_url
from tools.contract.deviations import read_ledger
from tools.description import ROOT, followed, operations

from . import matrix
from .description import (
    DOCUMENT,
    OPERATIONS,
    REPRODUCIBLE,
    SCHEMAS,
    forms,
    is_file,
    load,
    validator,
)
from .house_rules import RULES, Rule
from .matrix import contract_part

FORM = SCHEMAS["KeywordListForm"]
CATEGORIES = SCHEMAS["KeywordCategory"]["enum"]


def test_description_is_valid_openapi() -> None:
    """Any tool that reads OpenAPI 3.1 can read the description."""
    assert DOCUMENT["openapi"] == "3.1.0"
    assert [error.message for error in OpenAPIV31SpecValidator(load()).iter_errors()] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_description_follows_the_house_rules(rule: Rule) -> None:
    """The description follows every rule that the generator, the docs and the tests depend on."""
    assert rule(DOCUMENT) == []


# The forms.


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_category_decides_which_entries_a_form_has(category: str) -> None:
    """A form needs the entries of its category; those of another category, or an unknown
    category, make it invalid."""
    validate = validator(FORM).is_valid

    @REPRODUCIBLE
    @given(forms(category))
    def check(body: dict[str, Any]) -> None:
        assert validate(body)
        entries, other = "searchTerms", "disallowedSentences"
        if category == "sentence-similarity":
            entries, other = other, entries
        assert not validate({**body, other: "spam" if other == "searchTerms" else ["spam"]})
        assert not any(
            validate({k: v for k, v in body.items() if k != name}) for name in ("category", entries)
        )
        assert not validate({**body, "category": f"{category}s"})
        assert not validate(
            {**body, "category": "word" if other == "searchTerms" else "sentence-similarity"}
        )

    check()


def fields_of(section: str) -> list[dict[str, str]]:
    """The fields of each table of a section of service.md, with their types."""
    tables = re.findall(
        r"^\| Field \|.*\n\|[-|]+\n((?:\|.*\n?)+)", matrix.contract()[section], re.MULTILINE
    )
    return [dict(re.findall(r"^\| (\w+) \| ([^|]+?) \|", table, re.MULTILINE)) for table in tables]


#: The fields of service.md: those of its tables, and those that its text lists.
TABLES: dict[str, dict[str, str]] = {
    **{
        schema: {
            name: kind.partition(" enum")[0].partition(" (")[0] for name, kind in table.items()
        }
        for row in matrix.read()
        for schema, table in zip(
            row.fields, fields_of(row.section) if row.fields else (), strict=True
        )
    },
    "KeywordCategory": {},
    # 2.3
    "MessageData": {
        "text": "string",
        "resource": "string",
        "entities": "object",
        "moderation": "object",
    },
    "MessageEntities": {"sender": "object", "receiver": "object"},
    "MessageSender": {"entity": "object", "entityType": "string"},
    "MessageReceiver": {"entity": "object", "entityType": "string"},
    "SenderEntity": {
        **dict.fromkeys(["uid", "name", "avatar", "status", "role"], "string"),
        "lastActiveAt": "integer",
    },
    "ReceiverEntity": {
        **dict.fromkeys(["uid", "name", "avatar", "status", "role", "conversationId"], "string"),
        "lastActiveAt": "integer",
    },
    "Moderation": {"status": "string", "rule": "object"},
    "ModerationRule": {"id": "string", "name": "string"},
    # 2.4
    "RoleMetadata": {},
    "RoleSettings": {"listUsers": "string", "sendMessagesTo": "string"},
    # 2.5
    "Pagination": dict.fromkeys(
        ["total", "count", "per_page", "current_page", "total_pages"], "integer"
    ),
    "CurrentPage": {"limit": "integer", "count": "integer"},
    # 4
    "KeywordListResponse": {"data": "object"},
    "ReviewedMessageList": {"data": "array of object", "meta": "object"},
    "ReviewedMessageListMeta": {"current": "object"},
    "RoleList": {"data": "array of object", "meta": "object"},
    "RoleListMeta": {"pagination": "object"},
    "AuthTokenDeletionResponse": {"data": "object"},
    "AuthTokenDeletion": {"success": "boolean", "message": "string"},
}
#: The fields of errors, from the vendor's pages: section 7 shows none.
ERRORS: dict[str, dict[str, str]] = {
    "Error": {"error": "object"},
    "ErrorBody": {
        **dict.fromkeys(["code", "message", "devMessage", "source"], "string"),
        "details": "object",
    },
}


def kinds(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema allows, in the words of service.md."""
    schema = followed(DOCUMENT, schema)
    if "anyOf" in schema:
        return {kind for choice in schema["anyOf"] for kind in kinds(choice)}
    if "const" in schema:
        return {"string"} if isinstance(schema["const"], str) else set()
    if is_file(schema):
        return {"binary"}
    if schema.get("type") == "array":
        return {f"array of {kind}" for kind in kinds(schema["items"])}
    return {schema.get("type", "anything")}


@pytest.mark.parametrize(
    ("schema", "field", "kind"),
    [
        (schema, field, kind)
        for schema, table in (TABLES | ERRORS).items()
        for field, kind in table.items()
    ],
)
def test_each_field_of_the_contract_is_described(schema: str, field: str, kind: str) -> None:
    """Every field that service.md lists is in the description, with the same type."""
    found = SCHEMAS[schema]["properties"][field]
    assert kind in kinds(found)
    # Any other type must come from another source.
    assert kinds(found) == {kind} or "x-evidence" in found


def unmarked_additions(document: Mapping[str, Any]) -> list[str]:
    """The parts of the description that are not in service.md and have no mark.

    The mark of an operation covers all that only this operation uses.
    """
    document = contract_part(document)
    recorded = [pattern for entry in read_ledger().values() for pattern in entry.fields]
    found = []
    for name, schema in document["components"]["schemas"].items():
        known = TABLES.get(name)
        if known is not None or "x-evidence" not in schema:
            found += [name] if known is None else []
            found += [
                f"{name}.{field}"
                for field, each in schema.get("properties", {}).items()
                if field not in (known or ()) and "x-evidence" not in each
            ]
    for operation in operations(document):
        found += [
            f"{operation.id}.{parameter['name']}"
            for parameter in operation.parameters
            if parameter["in"] != "path" and "x-evidence" not in parameter
        ]
    return [name for name in found if not any(fnmatchcase(name, each) for each in recorded)]


def test_every_addition_to_the_contract_is_marked() -> None:
    """Every part of the description that is not in service.md has x-evidence, so that readers
    know its source; or the ledger has a line about it."""
    additions = unmarked_additions(DOCUMENT)
    advice = "give each x-evidence, or a line in deviations.yaml, as make generate prints it"
    assert not additions, f"{additions}: {advice}"


def test_each_optional_field_has_its_evidence() -> None:
    """The ledger has a reason for each optional field of the contract, and for no required
    field."""
    reasons = {
        pattern: reason
        for entry in read_ledger().values()
        for pattern, reason in entry.fields.items()
    }
    optional = {
        f"{name}.{field}": name in TABLES
        for name, schema in SCHEMAS.items()
        if not name.endswith("Form")
        for field in schema.get("properties", {}).keys() - set(schema.get("required", ()))
    }
    optional |= {
        f"{operation.id}.{parameter['name']}": False
        for operation in operations(DOCUMENT)
        for parameter in operation.parameters
    }
    patterns = {
        field: [pattern for pattern in reasons if fnmatchcase(field, pattern)] for field in optional
    }
    missing = [
        field
        for field, in_the_contract in optional.items()
        if in_the_contract and not patterns[field]
    ]
    lines = [
        f"add to fields of an entry of deviations.yaml, with its evidence: {field}"
        for field in missing
    ]
    assert "\n".join(lines) == ""
    assert reasons.keys() == {pattern for matching in patterns.values() for pattern in matching}


#: Every time of service.md, and two that have no integer in its tables.
TIMES = {
    f"{name}.{field}": SCHEMAS[name]["properties"][field]
    for name, table in TABLES.items()
    for field, kind in table.items()
    if field.endswith("At") and kind == "integer"
} | {
    "RateLimitReset": DOCUMENT["components"]["headers"]["RateLimitReset"],
    "ReviewedMessage.blockedAt": SCHEMAS["ReviewedMessage"]["properties"]["blockedAt"],
}


@pytest.mark.parametrize("time", TIMES)
def test_times_are_in_unix_seconds(time: str) -> None:
    """The description of every time of service.md says Unix seconds, and its examples are Unix
    seconds."""
    assert "in Unix seconds" in TIMES[time]["description"]
    assert all(10**9 < float(each) < 10**10 for each in TIMES[time].get("examples", ()))


# The operations of service.md, section 4.


#: The kind of data of each operation of service.md. The matrix has its method, its path and its
#: parameters.
CONTRACT = {
    "get_keyword_list": "KeywordList",
    "update_keyword_list": "KeywordList",
    "list_reviewed_messages": "ReviewedMessage",
    "list_roles": "Role",
    "delete_auth_token": "AuthTokenDeletion",
}


@pytest.mark.parametrize("name", CONTRACT)
def test_operations_match_the_contract(name: str) -> None:
    """The path parameters of each operation are texts, and its data are those of service.md."""
    operation = OPERATIONS[name]
    in_path = [each for each in operation.parameters if each["in"] == "path"]
    assert all(each["required"] and kinds(each["schema"]) == {"string"} for each in in_path)
    found = followed(DOCUMENT, operation.response_schema)["properties"]["data"]
    assert found.get("items", found)["$ref"] == f"#/components/schemas/{CONTRACT[name]}"


def test_there_are_no_other_operations() -> None:
    """The description contains the operations of service.md; every other operation has
    x-evidence."""
    unknown = [
        name
        for name, each in OPERATIONS.items()
        if "x-evidence" not in each.node and name not in CONTRACT
    ]
    assert unknown == [], (
        "service.md does not have them; give each x-evidence, and its entry to deviations.yaml"
    )


def test_no_response_has_a_key() -> None:
    """No schema has a property apiKey: no operation returns a key."""
    assert [
        name for name, schema in SCHEMAS.items() if "apiKey" in schema.get("properties", {})
    ] == []


def test_update_returns_the_keyword_list() -> None:
    """The update returns a keyword list, as get does, and not the webhook record of the vendor's
    document."""
    get, update = (
        OPERATIONS[name].node["responses"]["200"]
        for name in ("get_keyword_list", "update_keyword_list")
    )
    assert get == update == {"$ref": "#/components/responses/CurrentKeywordList"}
    assert (
        not {"webhookURL", "useBasicAuth", "username", "password", "enabled"}
        & SCHEMAS["KeywordList"]["properties"].keys()
    )


def test_only_responses_may_have_unknown_categories() -> None:
    """A request allows the three categories; a response may contain any category."""
    assert SCHEMAS["KeywordCategory"]["enum"] == ["word", "pattern", "sentence-similarity"]
    assert FORM["properties"]["category"]["$ref"] == "#/components/schemas/KeywordCategory"
    category = SCHEMAS["KeywordList"]["properties"]["category"]
    assert validator(category).is_valid("emoji")
    assert not validator(SCHEMAS["KeywordCategory"]).is_valid("emoji")


def test_base_url_contains_app_and_region() -> None:
    """The base URL contains the app and a region, and ends in /v3; the client knows exactly
    these regions."""
    (server,) = DOCUMENT["servers"]
    assert server["url"].endswith("/v3")
    assert "{appId}" in server["url"]
    assert "{region}" in server["url"]
    assert server["variables"].keys() == {"appId", "region"}
    assert "enum" not in server["variables"]["appId"]
    assert [*Region] == server["variables"]["region"]["enum"]
    assert base_url("abc") == base_url("abc", server["variables"]["region"]["default"])
    for region in Region:
        assert base_url("abc", region) == server["url"].format(appId="abc", region=region)


def test_generator_configuration_has_no_unknown_keys() -> None:
    """Every key of the generator configuration exists; the generator ignores unknown keys
    without a warning."""
    options = yaml.safe_load((ROOT / "generator-config.yaml").read_text("utf-8"))
    assert options.keys() <= ConfigFile.model_fields.keys()
