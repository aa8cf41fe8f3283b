"""The comparison of two descriptions: the differences, and whether they break users."""

import copy
from typing import Any

import pytest

from tools.contract.difference import Difference
from tools.contract.operations import differences
from tools.contract.pairs import pairs
from tools.description import Document, at

from .changes import Change, both, put
from .repository import TEXT, roles, schema
from .service import SERVICE

SCHEMAS = "/components/schemas"
ROLE = f"{SCHEMAS}/Role"
WORDS = f"{SCHEMAS}/WordListForm"
CONDITION = f"{SCHEMAS}/Condition/properties"
CREATED = f"{ROLE}/properties/createdAt"
CATEGORY = f"{WORDS}/properties/category"
DETAILS = f"{SCHEMAS}/ErrorDetails/additionalProperties"
ROLES = "/paths/~1roles/get"
RESPONSES = f"{ROLES}/responses"
SECURITY = f"{ROLES}/security"
PER_PAGE = f"{ROLES}/parameters/1/schema"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put"
MEDIA = f"{UPDATE}/requestBody/content/multipart~1form-data"
FORM = f"{MEDIA}/schema"
SENTENCES = (
    'alternative "sentence-similarity": present with "category" (required), "id" (optional), "name"'
    ' (optional), "description" (optional), "disallowedSentences" (required), "file" (optional)'
)
PLAIN = {"description": "Text.", "content": {"text/plain": {"schema": TEXT}}}


def changed(change: Change) -> tuple[Document, dict[str, Any]]:
    new = copy.deepcopy(dict(SERVICE))
    change(new)
    return SERVICE, new


def compare(old: Document, new: Document) -> list[Difference]:
    return [each for pair in pairs(old, new) for each in differences(pair)]


def field(document: dict[str, Any], name: str) -> Any:
    owner, _, inner = name.partition(".")
    return schema(document, owner)["properties"][inner]


def media(document: dict[str, Any]) -> Any:
    """The response body of the list of roles."""
    return roles(document)["responses"]["200"]["content"]


def takes(name: str, where: str, **more: Any) -> Change:
    """Add a parameter to the list of roles."""
    return lambda document: roles(document)["parameters"].append(
        {"name": name, "in": where, "schema": TEXT, **more}
    )


def form_takes(name: str) -> Change:
    return both(
        *(
            put(f"{SCHEMAS}/{each}/properties", **{name: TEXT})
            for each in ("KeywordListForm", "WordListForm")
        )
    )


def require(pointer: str, name: str) -> Change:
    return lambda document: at(document, pointer)["required"].append(name)


def make_optional(pointer: str, name: str) -> Change:
    return lambda document: at(document, pointer)["required"].remove(name)


def secure(*needs: dict[str, list[str]]) -> Change:
    return put(ROLES, security=[*needs])


KEY: dict[str, list[str]] = {"apikey": []}
LOGIN = put("/components/securitySchemes", login={"type": "http", "scheme": "bearer"})

#: Changes, the place and the line for each, and whether it breaks users.
CHANGES: list[tuple[Change, str, str, bool]] = [
    # Responses: a wider schema breaks readers.
    (put(f"{ROLE}/properties", colour=TEXT), ROLE, 'property "colour": - > optional', False),
    (put(f"{ROLE}/properties", settings=None), ROLE, 'property "settings": optional > -', True),
    (require(ROLE, "updatedAt"), ROLE, 'property "updatedAt": optional > required', False),
    (make_optional(ROLE, "name"), ROLE, 'property "name": required > optional', True),
    (put(CREATED, type="string"), CREATED, "type: integer > string", True),
    (put(CREATED, type=["integer", "null"]), CREATED, "type: integer > integer or null", True),
    (put(CREATED, nullable=True), CREATED, "type: integer > integer or null", True),
    (
        put(f"{CONDITION}/weight", type="integer"),
        f"{CONDITION}/weight",
        "type: number > integer",
        False,
    ),
    (put(f"{CONDITION}/id", type="number"), f"{CONDITION}/id", "type: integer > number", True),
    (
        put(f"{CONDITION}/operand", enum=["text"]),
        f"{CONDITION}/operand",
        'values: any > "text"',
        False,
    ),
    (
        put(f"{CONDITION}/message", anyOf=[TEXT]),
        f"{CONDITION}/message",
        'alternative "array": present > -',
        False,
    ),
    (
        put(f"{CONDITION}/entity", type=None, anyOf=[TEXT, {"type": "boolean"}]),
        f"{CONDITION}/entity/anyOf/1",
        'alternative "boolean": - > present',
        True,
    ),
    (
        put(f"{CONDITION}/value/items", type="integer"),
        f"{CONDITION}/value/items",
        "type: string > integer",
        True,
    ),
    (require(ROLE, "emblem"), ROLE, 'property "emblem": - > required', False),
    # The client raises an error for a success that it does not know.
    (put(RESPONSES, **{"202": {}}), RESPONSES, "response 202: - > present", True),
    # A response for a status inside a range replaces the response for the range.
    (
        put(RESPONSES, **{"404": PLAIN}),
        f"{RESPONSES}/404",
        "response 404 as text/plain: - > present",
        False,
    ),
    (
        put(RESPONSES, **{"200": {"$ref": "#/components/responses/x"}}),
        f"{RESPONSES}/200",
        "reference: - > #/components/responses/x (target missing)",
        True,
    ),
    (
        lambda d: media(d).update({"application/vnd.api+json": media(d).pop("application/json")}),
        f"{RESPONSES}/200",
        "response 200 as application/json: present > -",
        True,
    ),
    (
        lambda d: roles(d)["responses"].update(default=roles(d)["responses"].pop("4XX")),
        RESPONSES,
        "response default: - > present",
        False,
    ),
    (
        put("/components/headers/RateLimit", required=True),
        f"{RESPONSES}/200",
        'response 200 header "X-Rate-Limit": present > required',
        False,
    ),
    (
        put(f"{ROLE}/properties/name", writeOnly=True),
        f"{ROLE}/properties/name",
        "writeOnly: - > true",
        False,
    ),
    (put(ROLE, additionalProperties=False), ROLE, "other properties: allowed > refused", False),
    (put(DETAILS, items=None), f"{DETAILS}/items", "type: string > anything", True),
    # Requests: a narrower schema breaks senders.
    (form_takes("language"), WORDS, 'property "language": - > optional', False),
    (
        both(form_takes("language"), require(WORDS, "language")),
        WORDS,
        'property "language": - > required',
        True,
    ),
    (put(f"{WORDS}/properties", name=None), WORDS, 'property "name": optional > -', True),
    (require(WORDS, "name"), WORDS, 'property "name": optional > required', True),
    (require(WORDS, "emblem"), WORDS, 'property "emblem": - > required', True),
    (
        make_optional(WORDS, "searchTerms"),
        WORDS,
        'property "searchTerms": required > optional',
        False,
    ),
    (put(CATEGORY, const="pattern"), CATEGORY, 'values: "word" > "pattern"', True),
    (
        lambda d: schema(d, "KeywordListForm")["allOf"][0]["oneOf"].pop(),
        FORM,
        f"{SENTENCES} > -",
        True,
    ),
    (
        both(
            lambda d: schema(d, "KeywordCategory")["enum"].append("phrase"),
            put(CATEGORY, const=None, enum=["word", "phrase"]),
        ),
        CATEGORY,
        'value "phrase": - > allowed',
        False,
    ),
    (put(PER_PAGE, type="number"), PER_PAGE, "type: integer > number", False),
    (put(PER_PAGE, type="string"), PER_PAGE, "type: integer > string", True),
    (put(PER_PAGE, maximum=100), PER_PAGE, "maximum: 1000 > 100", True),
    (put(PER_PAGE, minimum=2), PER_PAGE, "minimum: 1 > 2", True),
    (put(PER_PAGE, default=50), PER_PAGE, "default: 100 > 50", True),
    (takes("q", "query"), f"{ROLES}/parameters/2", 'query parameter "q": - > optional', False),
    (
        takes("q", "query", required=True),
        f"{ROLES}/parameters/2",
        'query parameter "q": - > required',
        True,
    ),
    (
        takes("actAs", "header"),
        f"{ROLES}/parameters/2",
        'header parameter "actAs": - > optional',
        False,
    ),
    (put(ROLES, deprecated=True), ROLES, "deprecated: - > true", False),
    (
        put(MEDIA, encoding={"name": {"contentType": "text/html"}}),
        f"{MEDIA}/encoding",
        'encoding of "name": contentType: - > "text/html"',
        True,
    ),
    (put(MEDIA, schema={"$ref": "#/x"}), FORM, "reference: - > #/x (target missing)", True),
    (
        put(WORDS, dependentRequired={"file": ["name"]}),
        WORDS,
        'dependentRequired: - > {"file": ["name"]}',
        True,
    ),
    (
        put(f"{WORDS}/properties/name", readOnly=True),
        f"{WORDS}/properties/name",
        "readOnly: - > true",
        True,
    ),
    (
        put("/components/securitySchemes/apikey", **{"in": "query"}),
        SECURITY,
        "security: header apikey > query apikey",
        True,
    ),
    (secure(KEY, {}), SECURITY, "security: header apikey > header apikey or no key", False),
    (
        both(LOGIN, secure(KEY, {"login": []})),
        SECURITY,
        "security: header apikey > header apikey or http login",
        False,
    ),
    (
        both(LOGIN, secure({**KEY, "login": []})),
        SECURITY,
        "security: header apikey > header apikey and http login",
        True,
    ),
    (
        lambda d: roles(d)["parameters"].pop(),
        ROLES,
        'query parameter "perPage": optional > -',
        True,
    ),
    (secure(), SECURITY, "security: header apikey > -", False),
    (put(UPDATE, requestBody=None), f"{UPDATE}/requestBody", "body: required > -", True),
]


@pytest.mark.parametrize(
    ("change", "place", "line", "breaking"), CHANGES, ids=[row[2] for row in CHANGES]
)
def test_each_kind_of_change_has_its_verdict(
    change: Change,
    place: str,
    line: str,
    breaking: bool,  # noqa: FBT001
) -> None:
    """Each change is reported with its place, and as breaking only if it breaks senders or
    readers."""
    verdicts = {
        (each.pointer, f"{each.subject}: {each.old or '-'} > {each.new or '-'}"): each.breaking
        for each in compare(*changed(change))
    }
    assert verdicts.get((place, line)) is breaking, verdicts


def rewritten(document: dict[str, Any]) -> None:
    """An equivalent description: one more reference, a type as a list, a constant as an enum, no
    null, false marks."""
    name = field(document, "Role.name")
    document["components"]["schemas"]["Name"] = dict(name)
    name.clear()
    name.update({"$ref": "#/components/schemas/Name"})
    field(document, "Role.createdAt").update(type=["integer"])
    field(document, "Role.description").update(
        description="Other words.", deprecated=False, readOnly=False
    )
    category = field(document, "WordListForm.category")
    category.update(enum=[category.pop("const")])
    role = schema(document, "Role")
    parts = {key: role.pop(key) for key in ("required", "properties")}
    role["allOf"] = [{"properties": parts["properties"]}, {"required": parts["required"]}]
    path = document["paths"].pop("/moderation/keywords/{keywordId}")
    document["components"]["parameters"]["KeywordId"]["name"] = "id"
    document["paths"]["/moderation/keywords/{id}"] = path
    document["components"]["securitySchemes"]["key"] = document["components"][
        "securitySchemes"
    ].pop("apikey")
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
    """A default response may become responses for the ranges of errors; without any, its removal
    breaks readers."""
    old, new = (dict(each) for each in changed(lambda _: None))
    old = copy.deepcopy(old)
    for name in ("4XX", "5XX"):
        roles(old)["responses"]["default"] = roles(old)["responses"].pop(name)
    (difference,) = (each for each in compare(old, new) if each.operation == "listRoles")
    assert (difference.subject, difference.old) == ("response default", "present")
    assert (difference.new, difference.breaking) == (None, False)


def test_an_equivalent_description_has_no_difference() -> None:
    """Descriptions that allow the same values have no difference, whatever their notation and
    names."""
    assert compare(*changed(rewritten)) == []


def test_a_new_value_in_an_open_set_is_no_difference() -> None:
    """A new known value does not change a set that allows any text."""
    assert compare(*changed(lambda d: schema(d, "KeywordCategory")["enum"].append("emoji"))) == []


def test_an_added_and_a_removed_operation() -> None:
    """A new operation breaks nobody, a removed operation breaks users, and a moved operation is
    both."""

    def move(document: dict[str, Any]) -> None:
        document["paths"]["/users/roles"] = document["paths"].pop("/roles")

    differences = [
        (each.pointer, each.subject, each.new, each.breaking) for each in compare(*changed(move))
    ]
    assert differences == [
        ("/paths/~1users~1roles/get", "operation", "present", False),
        ("/paths/~1roles/get", "operation", None, True),
    ]


def test_a_recursive_schema_is_compared_once() -> None:
    """The comparison of a recursive schema ends, and reports a change in it once."""
    old, new = map(copy.deepcopy, map(dict, changed(lambda _: None)))
    for document in (old, new):
        schema(document, "Role")["properties"]["above"] = {"$ref": "#/components/schemas/Role"}
    del schema(new, "Role")["properties"]["description"]
    assert [each.subject for each in compare(old, new) if each.operation == "listRoles"] == [
        'property "description"'
    ]


NAMED = {"type": "object", "properties": {"name": {"type": "string"}}}
AGED = {"type": "object", "properties": {"age": {"type": "integer"}}}


def number_or_text(constant: Any) -> Any:
    return {"type": ["integer", "string"], "const": constant}


#: Unions of the older and the newer description, and the differences.
UNIONS: list[tuple[Any, Any, list[str]]] = [
    ([NAMED, AGED], [NAMED], ['alternative "object": present with "age" (optional) > None']),
    ([NAMED], [NAMED, AGED], ['alternative "object": None > present with "age" (optional)']),
    (
        [{"type": "string"}, {"type": "null"}],
        [{}, {"type": "null"}],
        ["type: null or string > anything"],
    ),
    ([{}], [{}, {"type": "null"}], []),
    ([number_or_text(1)], [number_or_text("1")], ['values: 1 > "1"']),
]


@pytest.mark.parametrize(("old_union", "new_union", "lines"), UNIONS)
def test_unions_without_names(old_union: Any, new_union: Any, lines: list[str]) -> None:
    """An alternative that has the same types as another one is compared, too, and any value or null
    is any value."""
    documents = []
    for union in (old_union, new_union):
        document = copy.deepcopy(dict(SERVICE))
        schema(document, "Role")["properties"]["name"] = {"anyOf": union}
        documents.append(document)
    differences = [each for each in compare(*documents) if each.operation == "listRoles"]
    assert [f"{each.subject}: {each.old} > {each.new}" for each in differences] == lines
