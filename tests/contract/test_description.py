"""The description is valid, follows the house rules, and agrees with service.md."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import pytest
import yaml
from hypothesis import given
from openapi_python_client.config import ConfigFile
from openapi_spec_validator import OpenAPIV31SpecValidator

from cometchat_rest import Region
from cometchat_rest.endpoint import base_url
from tools.contract.deviations import contract_part
from tools.contract.deviations import read as read_ledger
from tools.description import ROOT, at, operations, resolved

from . import house_rules
from .description import DOCUMENT, OPERATIONS, REPRODUCIBLE, SCHEMAS, forms, is_file, load, validator
from .house_rules import RULES, Rule

Change: TypeAlias = Callable[[dict[str, Any]], object]

FORM = SCHEMAS["KeywordListForm"]
CATEGORIES = SCHEMAS["KeywordCategory"]["enum"]


def put(pointer: str, value: object) -> Change:
    """Set the value at a pointer, even if there is no value yet."""

    def change(document: dict[str, Any]) -> None:
        above, _, last = pointer.rpartition("/")
        at(document, above)[last] = value

    return change


def drop(pointer: str) -> Change:
    """Delete the value at a pointer."""

    def change(document: dict[str, Any]) -> None:
        above, _, last = pointer.rpartition("/")
        del at(document, above)[last]

    return change


def bare(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """A response without its examples."""
    content = {kind: {"schema": each["schema"]} for kind, each in response["content"].items()}
    return {**response, "content": content}


def test_description_is_valid_openapi() -> None:
    """Any tool that reads OpenAPI 3.1 can read the description."""
    assert DOCUMENT["openapi"] == "3.1.0"
    assert [error.message for error in OpenAPIV31SpecValidator(load()).iter_errors()] == []


def test_invalid_description_is_detected() -> None:
    """The validator of the test above reports an invalid description."""
    document = load()
    del document["paths"]["/roles"]["get"]["responses"]["200"]["description"]
    assert list(OpenAPIV31SpecValidator(document).iter_errors())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_description_follows_the_house_rules(rule: Rule) -> None:
    """The description follows every rule that the generator, the docs and the tests depend on."""
    assert rule(DOCUMENT) == []


ROLES = "/paths/~1roles/get"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put"
SCHEMA = "/components/schemas"
RESPONSE = f"{ROLES}/responses/200/content/application~1json"
MESSAGES = "/paths/~1moderation~1reviewed-messages/get/responses/200/content/application~1json"
BODY = f"{UPDATE}/requestBody/content/multipart~1form-data"
ERROR = "/components/responses/Refusal/content/application~1json"
LIST = "/components/responses/CurrentKeywordList/content/application~1json"
RESPONSES = DOCUMENT["components"]["responses"]
UNION = {"oneOf": [{"$ref": "#/components/schemas/KeywordListForm"}]}
CATEGORY = {"$ref": "#/components/schemas/KeywordCategory"}

#: For each rule, changes that break it, each with a part of the expected error.
BREACHES: dict[Rule, list[tuple[Change, str]]] = {
    house_rules.operations_have_names: [
        (put(f"{ROLES}/operationId", "list_roles"), "lowerCamelCase"),
        (put(f"{ROLES}/operationId", "ListRoles"), "lowerCamelCase"),
        (drop(f"{ROLES}/operationId"), "lowerCamelCase"),
        (put(f"{ROLES}/operationId", "getKeywordList"), "not unique"),
    ],
    house_rules.operations_have_one_declared_tag: [
        (put(f"{ROLES}/tags", ["Rôles"]), "Rôles"),
        (put(f"{ROLES}/tags", []), "roles"),
        (put(f"{ROLES}/tags", ["Roles", "Keywords"]), "roles"),
        (lambda document: document["tags"].append({"name": "Calls", "description": "-"}), "'Calls' is not used"),
    ],
    house_rules.operations_need_the_key: [
        (drop(f"{ROLES}/security"), "roles"),
        (put(f"{ROLES}/security", [{"apikey": []}, {}]), "roles"),
        (put("/components/securitySchemes/apikey/name", "apiKey"), "header"),
        (put("/components/securitySchemes/apikey/in", "query"), "header"),
    ],
    house_rules.everything_is_described: [
        (drop(f"{ROLES}/summary"), "summary"),
        (put(f"{ROLES}/summary", " "), "summary"),
        (drop(f"{ROLES}/description"), "roles/get:"),
        (put(f"{ROLES}/description", " \n"), "roles/get:"),
        (drop(f"{ROLES}/parameters/0/description"), "parameters/0:"),
        (drop("/components/parameters/Uid/description"), "Uid"),
        (drop("/components/headers/RetryAfter/description"), "RetryAfter"),
        (drop(f"{UPDATE}/requestBody/description"), "requestBody"),
        (put("/components/responses/Refusal/description", ""), "responses/4XX"),
        (drop(f"{SCHEMA}/Role/description"), "Role:"),
        (drop(f"{SCHEMA}/Role/properties/name/description"), "Role/properties"),
        (drop("/tags/0/description"), "tags"),
        (drop("/servers/0/variables/region/description"), "region"),
    ],
    house_rules.responses_have_examples: [
        (drop(f"{RESPONSE}/examples"), "roles"),
        (put(f"{LIST}/examples", {}), "put"),
        (drop(f"{ERROR}/examples"), "roles/get/responses/5XX"),
        (put(f"{ROLES}/responses/4XX", bare(RESPONSES["Refusal"])), "roles/get/responses/4XX"),
    ],
    house_rules.examples_fit: [
        (put(f"{ROLES}/parameters/1/example", 1001), "parameters/1/example"),
        (put("/components/parameters/Uid/example", ""), "Uid/example"),
        (put("/components/headers/RetryAfter/example", "soon"), "RetryAfter"),
        (put(f"{RESPONSE}/examples/one/value/data/0/createdAt", []), "one"),
        (drop(f"{RESPONSE}/examples/one/value/meta"), "'meta' is a required"),
        (put(f"{ERROR}/examples/badRequest/value/error/details/searchTerms", "text"), "badRequest"),
        (put(f"{BODY}/examples/word/value/category", "words"), "examples/word"),
        (put(f"{BODY}/examples/word/value/disallowedSentences", ["a"]), "examples/word"),
        (put(f"{SCHEMA}/Role/properties/createdAt/examples", [[]]), "Role"),
    ],
    house_rules.examples_agree_with_their_counts: [
        (put(f"{RESPONSE}/examples/one/value/meta/pagination/count", 3), "one: count"),
        (put(f"{RESPONSE}/examples/one/value/meta/pagination/total", 1), "one: total does"),
        (put(f"{RESPONSE}/examples/one/value/meta/pagination/total_pages", 2), "one: total_pages"),
        (put(f"{RESPONSE}/examples/one/value/meta/pagination/current_page", 0), "one: current_page"),
        (put(f"{MESSAGES}/examples/one/value/meta/current/count", 2), "one: count"),
        (put(f"{MESSAGES}/examples/one/value/meta/current/limit", 0), "one: limit"),
    ],
    house_rules.times_are_unix_seconds: [
        (put(f"{RESPONSE}/examples/one/value/data/1/updatedAt", 1636461853000), "/data/1/updatedAt: 1636461853000"),
        (put(f"{MESSAGES}/examples/one/value/data/0/message/sentAt", 1757955950000), "/message/sentAt"),
        (put(f"{MESSAGES}/examples/one/value/data/0/blockedAt", "1757955951000.000000000390079"), "/blockedAt"),
        (put("/components/headers/RateLimitReset/example", 1757955960000), "RateLimitReset"),
    ],
    house_rules.open_sets_are_named: [
        (put(f"{SCHEMA}/Moderation/properties/status/description", "Status of the review."), "Moderation.status"),
        (put(f"{SCHEMA}/ErrorBody/description", "The reason. No new codes are possible."), "ErrorBody"),
        (put(f"{SCHEMA}/KeywordCategory/description", "The kind; new values are possible."), "KeywordCategory"),
    ],
    house_rules.properties_have_examples: [
        (drop(f"{SCHEMA}/Role/properties/name/examples"), "Role"),
        (drop(f"{SCHEMA}/Condition/properties/value/examples"), "value"),
    ],
    house_rules.forms_have_encodings: [
        (drop(f"{BODY}/encoding/file"), "file needs a contentType"),
        (drop(f"{BODY}/encoding/disallowedSentences/explode"), "disallowedSentences needs explode"),
        (drop(f"{BODY}/encoding"), "file"),
    ],
    house_rules.forms_have_properties: [
        (put(f"{SCHEMA}/KeywordListForm", UNION), "properties"),
        (put(f"{SCHEMA}/KeywordListForm/oneOf", UNION["oneOf"]), "union"),
        (put(f"{BODY}/schema", {"anyOf": UNION["oneOf"]}), "properties"),
    ],
    house_rules.schemas_have_no_title: [(put(f"{SCHEMA}/Role/title", "Rôle"), "title")],
    house_rules.responses_have_their_own_names: [(put("/components/responses/Role", RESPONSES["Refusal"]), "Role")],
    house_rules.limits_of_requests_are_described: [
        (drop(f"{ROLES}/responses/429"), "429: no header Retry-After"),
        (drop(f"{ROLES}/responses/200/headers"), "200: no header X-Rate-Limit"),
        (drop("/components/responses/TooManyRequests/headers/Retry-After"), "Retry-After"),
    ],
    house_rules.successes_carry_data: [
        (put(f"{SCHEMA}/RoleList/required", ["meta"]), "data"),
        (put(f"{SCHEMA}/RoleList/properties/data/type", "string"), "data"),
    ],
    house_rules.responses_are_json: [
        (put(f"{ROLES}/responses/201", RESPONSES["Refusal"]), "one success"),
        (drop(f"{ROLES}/responses/200"), "one success"),
        (put(f"{ROLES}/responses/200/content/text~1html", {"schema": {"type": "string"}}), "JSON"),
        (drop("/components/responses/Refusal/content"), "JSON"),
        (drop(f"{ROLES}/responses/5XX"), "5XX"),
    ],
    house_rules.responses_have_no_null: [
        (put(f"{SCHEMA}/Role/properties/updatedAt/type", ["integer", "null"]), "null"),
        (put(f"{SCHEMA}/ModerationRule/properties/id/nullable", True), "null"),  # noqa: FBT003
        (put(f"{SCHEMA}/ErrorBody/properties/source/anyOf", [{"type": "null"}]), "null"),
    ],
    house_rules.responses_are_open: [
        (put(f"{SCHEMA}/Role/additionalProperties", False), "Role: closed"),  # noqa: FBT003
        (put(f"{SCHEMA}/Moderation/properties/status/enum", ["pending"]), "status"),
        (put(f"{SCHEMA}/KeywordList/properties/category", CATEGORY), "KeywordCategory"),
    ],
    house_rules.evidence_is_in_the_ledger: [
        (put("/servers/0/x-evidence", "no-entry"), "/servers/0/x-evidence: 'no-entry' is not"),
        (put("/servers/0/x-evidence", {"source": "no-entry"}), "/servers/0/x-evidence: "),
        (put(f"{SCHEMA}/Role/x-evidence", ["address", "no-entry"]), "'no-entry' is not"),
        (drop("/servers/0/x-evidence"), "'address' is unused"),
        (drop("/x-evidence"), "'required-fields' is unused"),
    ],
}


@pytest.mark.parametrize(
    ("rule", "change", "problem"), [(rule, *breach) for rule, breaches in BREACHES.items() for breach in breaches]
)
def test_breach_of_each_house_rule_is_reported(rule: Rule, change: Change, problem: str) -> None:
    """If a change breaks a house rule, the error names the place."""
    document = load()
    change(document)
    assert any(problem in each for each in rule(document)), rule(document)


def test_every_house_rule_has_a_breach() -> None:
    """For every house rule, a test shows that a breach is reported."""
    assert set(BREACHES) == set(RULES)


# The forms.


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_category_decides_which_entries_a_form_has(category: str) -> None:
    """A form needs the entries of its category; those of another category, or an unknown category, make it invalid."""
    validate = validator(FORM).is_valid

    @REPRODUCIBLE
    @given(forms(category))
    def check(body: dict[str, Any]) -> None:
        assert validate(body)
        entries, other = "searchTerms", "disallowedSentences"
        if category == "sentence-similarity":
            entries, other = other, entries
        assert not validate({**body, other: "spam" if other == "searchTerms" else ["spam"]})
        assert not any(validate({k: v for k, v in body.items() if k != name}) for name in ("category", entries))
        assert not validate({**body, "category": f"{category}s"})
        assert not validate({**body, "category": "word" if other == "searchTerms" else "sentence-similarity"})

    check()


# The tables of service.md, by their schema names in the description.

KEYWORD_LIST = {
    "id": "string",
    "name": "string",
    "category": "string",
    "isCSV": "boolean",
    "searchTerms": "array of string",
    "createdAt": "integer",
    "updatedAt": "integer",
    "revisionId": "string",
    "active": "boolean",
    "default": "boolean",
}
COMMON_FORM_FIELDS = {"category": "string", "id": "string", "name": "string", "description": "string", "file": "binary"}
TABLES: dict[str, dict[str, str]] = {
    # 2.1
    "KeywordList": KEYWORD_LIST,
    "KeywordCategory": {},
    # 2.2
    "KeywordListForm": {**COMMON_FORM_FIELDS, "searchTerms": "string", "disallowedSentences": "array of string"},
    # 2.3
    "ReviewedMessage": {
        "ruleId": "string",
        "ruleName": "string",
        "revisionId": "string",
        "condition": "object",
        "message": "object",
        "action": "array of string",
        "createdAt": "integer",
        "updatedAt": "integer",
        "blockedAt": "string",
        "appId": "string",
    },
    "Condition": {
        "id": "integer",
        "isKeywordsReferencePresent": "boolean",
        "isMediaPresent": "boolean",
        "entity": "string",
        "operand": "string",
        "category": "string",
        "operator": "string",
        "value": "array of string",
        "message": "string",
        "weight": "number",
    },
    "Message": {
        "id": "string",
        "muid": "string",
        "conversationId": "string",
        "sender": "string",
        "receiverType": "string",
        "receiver": "string",
        "category": "string",
        "type": "string",
        "data": "object",
        "sentAt": "integer",
        "updatedAt": "integer",
    },
    "MessageData": {"text": "string", "resource": "string", "entities": "object", "moderation": "object"},
    "MessageEntities": {"sender": "object", "receiver": "object"},
    "MessageEntity": {"entity": "object", "entityType": "string"},
    "Entity": {
        "uid": "string",
        "name": "string",
        "avatar": "string",
        "status": "string",
        "role": "string",
        "lastActiveAt": "integer",
        "conversationId": "string",
    },
    "Moderation": {"status": "string", "rule": "object"},
    "ModerationRule": {"id": "string", "name": "string"},
    # 2.4
    "Role": {
        "role": "string",
        "name": "string",
        "description": "string",
        "metadata": "object",
        "settings": "object",
        "createdAt": "integer",
        "updatedAt": "integer",
    },
    "RoleMetadata": {},
    "RoleSettings": {"listUsers": "string", "sendMessagesTo": "string"},
    # 2.5
    "Pagination": {
        "total": "integer",
        "count": "integer",
        "per_page": "integer",
        "current_page": "integer",
        "total_pages": "integer",
    },
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
        "code": "string",
        "message": "string",
        "devMessage": "string",
        "source": "string",
        "details": "object",
    },
}


def kinds(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema allows, in the words of service.md."""
    schema = resolved(DOCUMENT, schema)
    if "anyOf" in schema:
        return {kind for choice in schema["anyOf"] for kind in kinds(choice)}
    if "const" in schema:
        return {"string"} if isinstance(schema["const"], str) else set()
    if is_file(schema):
        return {"binary"}
    if schema["type"] == "array":
        return {f"array of {kind}" for kind in kinds(schema["items"])}
    return {schema["type"]}


@pytest.mark.parametrize(
    ("schema", "field", "kind"),
    [(schema, field, kind) for schema, table in (TABLES | ERRORS).items() for field, kind in table.items()],
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
    return found


def test_every_addition_to_the_contract_is_marked() -> None:
    """Every part of the description that is not in service.md has x-evidence, so that readers know its source."""
    assert unmarked_additions(DOCUMENT) == []


def test_each_optional_field_has_its_evidence() -> None:
    """The ledger has a reason for each optional field of the contract, and for no required field."""
    reasons = {pattern: reason for entry in read_ledger().values() for pattern, reason in entry.fields.items()}
    optional = {
        f"{name}.{field}": name in TABLES
        for name, schema in SCHEMAS.items()
        if not name.endswith("Form")
        for field in schema.get("properties", {}).keys() - set(schema.get("required", ()))
    }
    patterns = {field: [pattern for pattern in reasons if fnmatchcase(field, pattern)] for field in optional}
    assert [field for field, in_the_contract in optional.items() if in_the_contract and not patterns[field]] == []
    assert reasons.keys() == {pattern for matching in patterns.values() for pattern in matching}


def test_unmarked_addition_is_reported() -> None:
    """The check of the test above finds fields, schemas and parameters without a mark."""
    document = load()
    document["components"]["schemas"]["Role"]["properties"]["colour"] = {"type": "string"}
    document["components"]["schemas"]["Colour"] = {"type": "string"}
    del document["paths"]["/roles"]["get"]["parameters"][0]["x-evidence"]
    assert unmarked_additions(document) == ["Role.colour", "Colour", "listRoles.page"]


def test_times_are_in_unix_seconds() -> None:
    """The description of every time of service.md says Unix seconds, and its examples are Unix seconds."""
    times = {
        f"{name}.{field}": SCHEMAS[name]["properties"][field]
        for name, table in TABLES.items()
        for field, kind in table.items()
        if field.endswith("At") and kind == "integer"
    }
    assert len(times) >= 9
    others = (
        DOCUMENT["components"]["headers"]["RateLimitReset"],
        SCHEMAS["ReviewedMessage"]["properties"]["blockedAt"],
    )
    assert all("in Unix seconds" in each["description"] for each in others)
    for name, each in times.items():
        assert "in Unix seconds" in each["description"], name
        assert all(10**9 < example < 10**10 for example in each["examples"]), name


# The operations of service.md, section 4.


#: Method, path, path parameters and the kind of data of each operation of service.md.
CONTRACT = {
    "get_keyword_list": ("get", "/moderation/keywords/{keywordId}", {"keywordId"}, "KeywordList"),
    "update_keyword_list": ("put", "/moderation/keywords/{keywordId}", {"keywordId"}, "KeywordList"),
    "list_reviewed_messages": ("get", "/moderation/reviewed-messages", set[str](), "ReviewedMessage"),
    "list_roles": ("get", "/roles", set[str](), "Role"),
    "delete_auth_token": ("delete", "/users/{uid}/auth_tokens/{authToken}", {"uid", "authToken"}, "AuthTokenDeletion"),
}


@pytest.mark.parametrize("name", CONTRACT)
def test_operations_match_the_contract(name: str) -> None:
    """Method, path, path parameters and data of each operation agree with service.md."""
    operation = OPERATIONS[name]
    method, path, parameters, data = CONTRACT[name]
    assert (operation.method, operation.path) == (method, path)
    in_path = [each for each in operation.parameters if each["in"] == "path"]
    assert {each["name"] for each in in_path} == parameters
    assert all(each["required"] and kinds(each["schema"]) == {"string"} for each in in_path)
    found = resolved(DOCUMENT, operation.response_schema)["properties"]["data"]
    assert found.get("items", found)["$ref"] == f"#/components/schemas/{data}"


def test_there_are_no_other_operations() -> None:
    """The description contains the operations of service.md; every other operation has x-evidence."""
    assert [name for name, each in OPERATIONS.items() if "x-evidence" not in each.node] == [*CONTRACT]


def test_no_response_has_a_key() -> None:
    """No schema has a property apiKey: no operation returns a key."""
    assert [name for name, schema in SCHEMAS.items() if "apiKey" in schema.get("properties", {})] == []


def test_only_the_update_has_a_body() -> None:
    """Only the update has a body: the required form of a keyword list."""
    assert [name for name in CONTRACT if "requestBody" in OPERATIONS[name].node] == ["update_keyword_list"]
    body = OPERATIONS["update_keyword_list"].node["requestBody"]
    assert body["required"] is True
    assert list(body["content"]) == ["multipart/form-data"]
    assert OPERATIONS["update_keyword_list"].body == (
        "multipart/form-data",
        {"$ref": "#/components/schemas/KeywordListForm"},
    )
    assert FORM["required"] == ["category"]


def test_update_returns_the_keyword_list() -> None:
    """The update returns a keyword list, as get does, and not the webhook record of the vendor's document."""
    get, update = (OPERATIONS[name].node["responses"]["200"] for name in ("get_keyword_list", "update_keyword_list"))
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
    """The base URL contains the app and a region, and ends in /v3; the client knows exactly these regions."""
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
    """Every key of the generator configuration exists; the generator ignores unknown keys without a warning."""
    options = yaml.safe_load((ROOT / "generator-config.yaml").read_text("utf-8"))
    assert options.keys() <= ConfigFile.model_fields.keys()
