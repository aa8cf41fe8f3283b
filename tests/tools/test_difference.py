"""The comparison of two descriptions: the differences, and whether they break users."""

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tools.contract.difference import Difference, differences, pairs
from tools.description import Document

from .service import SERVICE as OLD

Change: TypeAlias = Callable[[dict[str, Any]], object]

ROLE = "/components/schemas/Role"
ROLES = "/paths/~1roles/get"
PER_PAGE = f"{ROLES}/parameters/1/schema"
CONDITION = "/components/schemas/Condition/properties"
WORDS = "/components/schemas/WordListForm"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put"
FORM = f"{UPDATE}/requestBody/content/multipart~1form-data/schema"
ENCODING = f"{FORM.removesuffix('/schema')}/encoding"
SENTENCES = 'alternative "sentence-similarity"'
TEXT = {"type": "string", "description": "Text.", "examples": ["x"]}


def changed(change: Change) -> tuple[Document, dict[str, Any]]:
    new = copy.deepcopy(dict(OLD))
    change(new)
    return OLD, new


def compare(old: Document, new: Document) -> list[Difference]:
    return [each for pair in pairs(old, new) for each in differences(pair)]


def schema(document: dict[str, Any], name: str) -> Any:
    return document["components"]["schemas"][name]


def field(document: dict[str, Any], name: str) -> Any:
    owner, _, inner = name.partition(".")
    return schema(document, owner)["properties"][inner]


def roles(document: dict[str, Any]) -> Any:
    return document["paths"]["/roles"]["get"]


def update(document: dict[str, Any]) -> Any:
    return document["paths"]["/moderation/keywords/{keywordId}"]["put"]


def media(document: dict[str, Any]) -> Any:
    """The response body of the list of roles."""
    return roles(document)["responses"]["200"]["content"]


def form(document: dict[str, Any]) -> Any:
    return update(document)["requestBody"]["content"]["multipart/form-data"]


def key(document: dict[str, Any]) -> Any:
    return document["components"]["securitySchemes"]["apikey"]


def region(document: dict[str, Any]) -> Any:
    return document["servers"][0]["variables"]["region"]


def takes(where: str, name: str) -> Change:
    """Add a parameter to the list of roles."""
    return lambda document: roles(document)["parameters"].append({"name": name, "in": where, "schema": TEXT})


def form_takes(name: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        for each in ("KeywordListForm", "WordListForm"):
            schema(document, each)["properties"][name] = TEXT

    return change


def response_of(schema: object) -> dict[str, Any]:
    return {"description": "Text.", "content": {"text/plain": {"schema": schema}}}


def require(name: str) -> Change:
    owner, _, inner = name.partition(".")
    return lambda document: schema(document, owner)["required"].append(inner)


def limit(**words: Any) -> Change:
    """Change keywords of the page size of roles; `None` removes one."""
    return lambda document: _change(roles(document)["parameters"][1]["schema"], words)


def _change(node: Any, words: dict[str, Any]) -> None:
    node.update(words)
    for word in [word for word, value in words.items() if value is None]:
        del node[word]


def replace(name: str, **words: Any) -> Change:
    """Change keywords of a property; `None` removes one."""
    return lambda document: _change(field(document, name), words)


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
    (
        replace("Role.createdAt", type=None, anyOf=[{"type": "integer"}, {"type": "null"}]),
        f"{ROLE}/properties/createdAt/anyOf/0: type: integer > integer or null",
        True,
    ),
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
    (lambda d: roles(d)["responses"].pop("5XX"), f"{ROLES}/responses: response 5XX: present > -", True),
    # The client raises an error for a success that it does not know.
    (lambda d: roles(d)["responses"].update({"202": {}}), f"{ROLES}/responses: response 202: - > present", True),
    # A response for a status inside a range replaces the response for the range.
    (
        lambda d: roles(d)["responses"].update({"404": response_of(TEXT)}),
        f"{ROLES}/responses/404: response 404 as text/plain: - > present",
        False,
    ),
    (
        lambda d: roles(d)["responses"]["200"].update(headers={"X-Total": {"schema": TEXT}}),
        f'{ROLES}/responses/200: response 200 header "X-Total": - > present',
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
    (replace("Role.name", deprecated=True), f"{ROLE}/properties/name: deprecated: - > true", False),
    (replace("Role.name", writeOnly=True), f"{ROLE}/properties/name: writeOnly: - > true", False),
    (replace("Role.name", contentEncoding="base64"), f'{ROLE}/properties/name: contentEncoding: - > "base64"', False),
    (replace("Role.createdAt", format="int64"), f'{ROLE}/properties/createdAt: format: - > "int64"', False),
    (
        lambda d: schema(d, "Role").update(additionalProperties=False),
        f"{ROLE}: other properties: allowed > refused",
        False,
    ),
    (
        lambda d: schema(d, "RoleMetadata").update(additionalProperties=TEXT),
        "/components/schemas/RoleMetadata/additionalProperties: type: anything > string",
        False,
    ),
    (
        lambda d: schema(d, "ErrorDetails")["additionalProperties"].pop("items"),
        "/components/schemas/ErrorDetails/additionalProperties/items: type: string > anything",
        True,
    ),
    (
        lambda d: schema(d, "Role").update(unevaluatedProperties=False),
        f"{ROLE}: unevaluatedProperties: - > false",
        False,
    ),
    (lambda d: schema(d, "Role").update(minProperties=3), f"{ROLE}: minProperties: - > 3", False),
    (
        lambda d: schema(d, "Role").update(patternProperties={"^x-": TEXT}),
        f"{ROLE}: patternProperties: - > " + '{"^x-": {"type": "string", "description": "Text.", "examples": ["x"]}}',
        False,
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
    (require("WordListForm.language"), f'{WORDS}: property "language": - > required, but not described', True),
    (
        lambda d: (schema(d, "WordListForm")["properties"].update(language=TEXT), require("WordListForm.language")(d)),
        f'{WORDS}: property "language": - > required, but not described',
        True,
    ),
    (
        lambda d: schema(d, "WordListForm")["properties"].pop("searchTerms"),
        f'{WORDS}: property "searchTerms": required > required, but not described',
        True,
    ),
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
    (limit(maximum=5000), f"{PER_PAGE}: maximum: 1000 > 5000", False),
    (limit(minimum=2), f"{PER_PAGE}: minimum: 1 > 2", True),
    (limit(multipleOf=10), f"{PER_PAGE}: multipleOf: - > 10", True),
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
    (takes("cookie", "session"), f'{ROLES}/parameters/2: cookie parameter "session": - > optional', False),
    (takes("header", "actAs"), f'{ROLES}/parameters/2: header parameter "actAs": - > optional', False),
    (lambda d: roles(d).update(deprecated=True), f"{ROLES}: deprecated: - > true", False),
    (lambda d: roles(d)["parameters"][0].update(deprecated=True), f"{ROLES}/parameters/0: deprecated: - > true", False),
    (
        lambda d: roles(d)["parameters"][0].update(allowReserved=True),
        f"{ROLES}/parameters/0: allowReserved: - > true",
        True,
    ),
    (
        lambda d: d["components"]["parameters"]["Uid"]["schema"].update(pattern="^[a-z]+$"),
        '/components/parameters/Uid/schema: pattern: - > "^[a-z]+$"',
        True,
    ),
    (
        lambda d: d["paths"]["/moderation/reviewed-messages"]["get"]["parameters"][0]["schema"].update(default=50),
        "/paths/~1moderation~1reviewed-messages/get/parameters/0/schema: default: - > 50",
        False,
    ),
    (limit(default=None), f"{PER_PAGE}: default: 100 > -", True),
    (lambda d: region(d).update(default="eu"), '/servers: default of region: "us" > "eu"', True),
    (
        lambda d: form(d).update(encoding={"name": {"contentType": "text/html"}}),
        f'{ENCODING}: encoding of "name": contentType: - > "text/html"',
        True,
    ),
    (
        lambda d: form(d).update(encoding={"name": {"explode": False}}),
        f'{ENCODING}: encoding of "name": explode: - > false',
        True,
    ),
    (lambda d: form(d).update(schema={"$ref": "#/x"}), f"{FORM}: reference: - > #/x (target missing)", True),
    (
        lambda d: update(d).update(requestBody={"$ref": "#/x"}),
        f"{UPDATE}/requestBody: reference: - > #/x (target missing)",
        True,
    ),
    (
        replace("WordListForm.name", **{"not": {"const": "x"}}),
        f'{WORDS}/properties/name: not: - > {{"const": "x"}}',
        True,
    ),
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
    (
        lambda d: roles(d).update(security=[{"apikey": ["admin"]}]),
        f"{ROLES}/security: security: header apikey > header apikey admin",
        True,
    ),
    (lambda d: roles(d)["parameters"].pop(), f'{ROLES}: query parameter "perPage": optional > -', True),
    (lambda d: roles(d)["parameters"][0].update(explode=False), f"{ROLES}/parameters/0: explode: true > false", True),
    (lambda d: roles(d).update(security=[]), f"{ROLES}/security: security: header apikey > -", False),
    (
        lambda d: form(d)["encoding"]["file"].update(contentType="text/csv, text/plain"),
        f'{ENCODING}: encoding of "file": contentType: "text/csv" > "text/csv, text/plain"',
        False,
    ),
    (
        lambda d: form(d)["encoding"]["file"].update(contentType="text/plain"),
        f'{ENCODING}: encoding of "file": contentType: "text/csv" > "text/plain"',
        True,
    ),
    (limit(minimum=None, exclusiveMinimum=1), f"{PER_PAGE}: minimum: 1 > 2", True),
    (
        lambda d: d["components"]["securitySchemes"]["apikey"].update(name="token"),
        f"{ROLES}/security: security: header apikey > header token",
        True,
    ),
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


#: Changes of the notation only.
SAME: dict[str, Change] = {
    "a character set": lambda d: media(d).update({"application/json; charset=utf-8": media(d).pop("application/json")}),
    "an exclusive bound": limit(minimum=None, exclusiveMinimum=0),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_another_notation_is_no_difference(change: Change) -> None:
    """A part with the same meaning in another notation has no difference."""
    assert compare(*changed(change)) == []


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
