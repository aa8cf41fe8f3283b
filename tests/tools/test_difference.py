"""The comparison of two descriptions: the differences, and whether they break users."""

import copy
from typing import Any

import pytest

from .changes import (
    TEXT,
    Change,
    changed,
    compare,
    field,
    form,
    form_takes,
    key,
    limit,
    media,
    replace,
    require,
    response_of,
    roles,
    schema,
    takes,
    update,
)

ROLE = "/components/schemas/Role"
ROLES = "/paths/~1roles/get"
PER_PAGE = f"{ROLES}/parameters/1/schema"
CONDITION = "/components/schemas/Condition/properties"
WORDS = "/components/schemas/WordListForm"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put"
FORM = f"{UPDATE}/requestBody/content/multipart~1form-data/schema"
ENCODING = f"{FORM.removesuffix('/schema')}/encoding"
SENTENCES = 'alternative "sentence-similarity"'


#: Changes, the line for each, and whether it breaks users.
CHANGES: list[tuple[Change, str, bool]] = [
    # Responses: a wider schema breaks readers.
    (lambda d: schema(d, "Role")["properties"].update(colour=TEXT), f'{ROLE}: property "colour": - > optional', False),
    (lambda d: schema(d, "Role")["properties"].pop("settings"), f'{ROLE}: property "settings": optional > -', True),
    (require("Role.updatedAt"), f'{ROLE}: property "updatedAt": optional > required', False),
    (lambda d: schema(d, "Role")["required"].remove("name"), f'{ROLE}: property "name": required > optional', True),
    (replace("Role.createdAt", type="string"), f"{ROLE}/properties/createdAt: type: integer > string", True),
    (
        replace("Role.createdAt", type=["integer", "null"]),
        f"{ROLE}/properties/createdAt: type: integer > integer or null",
        True,
    ),
    (replace("Role.createdAt", nullable=True), f"{ROLE}/properties/createdAt: type: integer > integer or null", True),
    (replace("Condition.weight", type="integer"), f"{CONDITION}/weight: type: number > integer", False),
    (replace("Condition.id", type="number"), f"{CONDITION}/id: type: integer > number", True),
    (replace("Condition.operand", enum=["text"]), f'{CONDITION}/operand: values: any > "text"', False),
    (replace("Condition.message", anyOf=[TEXT]), f'{CONDITION}/message: alternative "array": present > -', False),
    (
        replace("Condition.entity", type=None, anyOf=[TEXT, {"type": "boolean"}]),
        f'{CONDITION}/entity/anyOf/1: alternative "boolean": - > present',
        True,
    ),
    (replace("Condition.value", items={"type": "integer"}), f"{CONDITION}/value/items: type: string > integer", True),
    # The client raises an error for a success that it does not know.
    (lambda d: roles(d)["responses"].update({"202": {}}), f"{ROLES}/responses: response 202: - > present", True),
    # A response for a status inside a range replaces the response for the range.
    (
        lambda d: roles(d)["responses"].update({"404": response_of(TEXT)}),
        f"{ROLES}/responses/404: response 404 as text/plain: - > present",
        False,
    ),
    (
        lambda d: roles(d)["responses"].update({"200": {"$ref": "#/components/responses/x"}}),
        f"{ROLES}/responses/200: reference: - > #/components/responses/x (target missing)",
        True,
    ),
    (
        lambda d: media(d).update({"application/vnd.api+json": media(d).pop("application/json")}),
        f"{ROLES}/responses/200: response 200 as application/json: present > -",
        True,
    ),
    (
        lambda d: roles(d)["responses"].update(default=roles(d)["responses"].pop("4XX")),
        f"{ROLES}/responses: response default: - > present",
        False,
    ),
    (
        lambda d: d["components"]["headers"]["RateLimit"].update(required=True),
        f'{ROLES}/responses/200: response 200 header "X-Rate-Limit": present > required',
        False,
    ),
    (replace("Role.name", writeOnly=True), f"{ROLE}/properties/name: writeOnly: - > true", False),
    (
        lambda d: schema(d, "Role").update(additionalProperties=False),
        f"{ROLE}: other properties: allowed > refused",
        False,
    ),
    (
        lambda d: schema(d, "ErrorDetails")["additionalProperties"].pop("items"),
        "/components/schemas/ErrorDetails/additionalProperties/items: type: string > anything",
        True,
    ),
    # Requests: a narrower schema breaks senders.
    (form_takes("language"), f'{WORDS}: property "language": - > optional', False),
    (
        lambda d: (form_takes("language")(d), require("WordListForm.language")(d)),
        f'{WORDS}: property "language": - > required',
        True,
    ),
    (lambda d: schema(d, "WordListForm")["properties"].pop("name"), f'{WORDS}: property "name": optional > -', True),
    (require("WordListForm.name"), f'{WORDS}: property "name": optional > required', True),
    (
        lambda d: schema(d, "WordListForm")["required"].remove("searchTerms"),
        f'{WORDS}: property "searchTerms": required > optional',
        False,
    ),
    (
        replace("WordListForm.category", const="pattern"),
        f'{WORDS}/properties/category: value "word": allowed > -',
        True,
    ),
    (lambda d: schema(d, "KeywordListForm")["allOf"][0]["oneOf"].pop(), f"{FORM}: {SENTENCES}: present > -", True),
    (
        lambda d: (
            schema(d, "KeywordCategory")["enum"].append("phrase"),
            replace("WordListForm.category", const=None, enum=["word", "phrase"])(d),
        ),
        f'{WORDS}/properties/category: value "phrase": - > allowed',
        False,
    ),
    (limit(type="number"), f"{PER_PAGE}: type: integer > number", False),
    (limit(type="string"), f"{PER_PAGE}: type: integer > string", True),
    (limit(maximum=100), f"{PER_PAGE}: maximum: 1000 > 100", True),
    (limit(minimum=2), f"{PER_PAGE}: minimum: 1 > 2", True),
    (limit(default=50), f"{PER_PAGE}: default: 100 > 50", True),
    (
        lambda d: roles(d)["parameters"].append({"name": "q", "in": "query", "schema": TEXT}),
        f'{ROLES}/parameters/2: query parameter "q": - > optional',
        False,
    ),
    (
        lambda d: roles(d)["parameters"].append({"name": "q", "in": "query", "schema": TEXT, "required": True}),
        f'{ROLES}/parameters/2: query parameter "q": - > required',
        True,
    ),
    (takes("header", "actAs"), f'{ROLES}/parameters/2: header parameter "actAs": - > optional', False),
    (lambda d: roles(d).update(deprecated=True), f"{ROLES}: deprecated: - > true", False),
    (
        lambda d: form(d).update(encoding={"name": {"contentType": "text/html"}}),
        f'{ENCODING}: encoding of "name": contentType: - > "text/html"',
        True,
    ),
    (lambda d: form(d).update(schema={"$ref": "#/x"}), f"{FORM}: reference: - > #/x (target missing)", True),
    (
        lambda d: schema(d, "WordListForm").update(dependentRequired={"file": ["name"]}),
        f'{WORDS}: dependentRequired: - > {{"file": ["name"]}}',
        True,
    ),
    (replace("WordListForm.name", readOnly=True), f"{WORDS}/properties/name: readOnly: - > true", True),
    (lambda d: key(d).update({"in": "query"}), f"{ROLES}/security: security: header apikey > query apikey", True),
    (
        lambda d: roles(d).update(security=[{"apikey": []}, {}]),
        f"{ROLES}/security: security: header apikey > header apikey or no key",
        False,
    ),
    (
        lambda d: (
            d["components"]["securitySchemes"].update(login={"type": "http", "scheme": "bearer"}),
            roles(d).update(security=[{"apikey": []}, {"login": []}]),
        ),
        f"{ROLES}/security: security: header apikey > header apikey or http login",
        False,
    ),
    (
        lambda d: (
            d["components"]["securitySchemes"].update(login={"type": "http", "scheme": "bearer"}),
            roles(d).update(security=[{"apikey": [], "login": []}]),
        ),
        f"{ROLES}/security: security: header apikey > header apikey and http login",
        True,
    ),
    (lambda d: roles(d)["parameters"].pop(), f'{ROLES}: query parameter "perPage": optional > -', True),
    (lambda d: roles(d).update(security=[]), f"{ROLES}/security: security: header apikey > -", False),
    (lambda d: update(d).pop("requestBody"), f"{UPDATE}/requestBody: body: required > -", True),
]


@pytest.mark.parametrize(("change", "line", "breaking"), CHANGES, ids=[line for _, line, _ in CHANGES])
def test_each_kind_of_change_has_its_verdict(change: Change, line: str, breaking: bool) -> None:  # noqa: FBT001
    """Each change is reported with its place, and as breaking only if it breaks senders or readers."""
    found = {
        f"{each.pointer}: {each.subject}: {each.old or '-'} > {each.new or '-'}": each.breaking
        for each in compare(*changed(change))
    }
    assert found.get(line) is breaking, found


def rewritten(document: dict[str, Any]) -> None:
    """An equivalent description: one more reference, a type as a list, a constant as an enum, no null, false marks."""
    name = field(document, "Role.name")
    document["components"]["schemas"]["Name"] = dict(name)
    name.clear()
    name.update({"$ref": "#/components/schemas/Name"})
    field(document, "Role.createdAt").update(type=["integer"])
    field(document, "Role.description").update(description="Other words.", deprecated=False, readOnly=False)
    category = field(document, "WordListForm.category")
    category.update(enum=[category.pop("const")])
    role = schema(document, "Role")
    parts = {key: role.pop(key) for key in ("required", "properties")}
    role["allOf"] = [{"properties": parts["properties"]}, {"required": parts["required"]}]
    path = document["paths"].pop("/moderation/keywords/{keywordId}")
    document["components"]["parameters"]["KeywordId"]["name"] = "id"
    document["paths"]["/moderation/keywords/{id}"] = path
    document["components"]["securitySchemes"]["key"] = document["components"]["securitySchemes"].pop("apikey")
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict):
                operation["security"] = [{"key": []}]


def test_a_character_set_is_no_difference() -> None:
    """JSON with a named character set is the same JSON."""

    def name_it(document: dict[str, Any]) -> None:
        media(document)["application/json; charset=utf-8"] = media(document).pop("application/json")

    assert compare(*changed(name_it)) == []


def test_ranges_of_statuses_instead_of_a_default_break_nobody() -> None:
    """A default response may become responses for the ranges of errors; without any, its removal breaks readers."""
    old, new = (dict(each) for each in changed(lambda _: None))
    old = copy.deepcopy(old)
    for name in ("4XX", "5XX"):
        roles(old)["responses"]["default"] = roles(old)["responses"].pop(name)
    (found,) = (each for each in compare(old, new) if each.operation == "listRoles")
    assert (found.subject, found.old, found.new, found.breaking) == ("response default", "present", None, False)


def test_an_equivalent_description_has_no_difference() -> None:
    """Descriptions that allow the same values have no difference, whatever their notation and names."""
    assert compare(*changed(rewritten)) == []


def test_a_new_value_in_an_open_set_is_no_difference() -> None:
    """A new known value does not change a set that allows any text."""
    assert compare(*changed(lambda d: schema(d, "KeywordCategory")["enum"].append("emoji"))) == []


def test_an_added_and_a_removed_operation() -> None:
    """A new operation breaks nobody, a removed operation breaks users, and a moved operation is both."""

    def move(document: dict[str, Any]) -> None:
        document["paths"]["/users/roles"] = document["paths"].pop("/roles")

    found = [(each.pointer, each.subject, each.new, each.breaking) for each in compare(*changed(move))]
    assert found == [
        ("/paths/~1users~1roles/get", "operation", "present", False),
        ("/paths/~1roles/get", "operation", None, True),
    ]


def test_a_recursive_schema_is_compared_once() -> None:
    """The comparison of a recursive schema ends, and reports a change in it once."""
    old, new = map(copy.deepcopy, map(dict, changed(lambda _: None)))
    for document in (old, new):
        schema(document, "Role")["properties"]["above"] = {"$ref": "#/components/schemas/Role"}
    del schema(new, "Role")["properties"]["description"]
    assert [each.subject for each in compare(old, new) if each.operation == "listRoles"] == ['property "description"']
