"""Changes that a maintainer makes in a description, and the rows of the report for each."""

from collections.abc import Callable
from typing import Any, TypeAlias

from tools.description import at

from .repository import TEXT, badges, regions, schema

Change: TypeAlias = Callable[[Any], object]

SCHEMAS = "/components/schemas"
ROLE = f"{SCHEMAS}/Role"
ROLES = "/paths/~1roles/get"
MESSAGES = "/paths/~1moderation~1reviewed-messages/get"
CONDITION = f"{SCHEMAS}/Condition/properties"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put"
FORM = f"{UPDATE}/requestBody/content/multipart~1form-data"
TOKEN = "/paths/~1users~1{uid}~1auth_tokens~1{authToken}/delete"
LIST = "/moderation/keywords/{keywordId}"
PAGINATION = {"$ref": "#/components/schemas/Pagination"}


#: Whether a row says that users must change their code.
BREAKS = True
FINE = False


class Case:
    """A change, and the rows of the tables in its report."""

    def __init__(self, change: Change, *rows: str) -> None:
        self.change = change
        self.rows = rows


def _row(*cells: str) -> str:
    escaped = [cell.replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"


def _verdict(*, breaks: bool) -> str:
    return "**breaking**" if breaks else "fine"


def sends(place: str, change: str, breaks: bool) -> str:  # noqa: FBT001 - a column of the table
    """A row about requests."""
    return _row(f"`{place}`", change, _verdict(breaks=breaks), "")


def receives(place: str, change: str, breaks: bool) -> str:  # noqa: FBT001 - a column of the table
    """A row about responses."""
    return _row(f"`{place}`", change, "", _verdict(breaks=breaks))


def python(name: str, change: str, breaks: bool) -> str:  # noqa: FBT001 - a column of the table
    """A row about a Python name."""
    return _row(f"`{name}`", change, "**breaking**" if breaks else "")


def put(pointer: str, **words: Any) -> Change:
    """Change keywords at a place; `None` removes one."""

    def change(document: Any) -> None:
        node = at(document, pointer)
        for name, value in words.items():
            if value is None:
                del node[name]
            else:
                node[name] = value

    return change


def both(*changes: Change) -> Change:
    return lambda document: [change(document) for change in changes]


def field(name: str, **words: Any) -> Change:
    """Change keywords of a field, such as `Role.name`."""
    owner, _, inner = name.partition(".")
    return put(f"/components/schemas/{owner}/properties/{inner}", **words)


def add_field(name: str, **words: Any) -> Change:
    owner, _, inner = name.partition(".")
    return lambda document: schema(document, owner)["properties"].update({inner: {**TEXT, **words}})


def remove_field(name: str) -> Change:
    owner, _, inner = name.partition(".")

    def change(document: Any) -> None:
        del schema(document, owner)["properties"][inner]
        required = schema(document, owner).get("required", [])
        if inner in required:
            required.remove(inner)

    return change


def require(name: str) -> Change:
    owner, _, inner = name.partition(".")
    return lambda document: schema(document, owner)["required"].append(inner)


def make_optional(name: str) -> Change:
    owner, _, inner = name.partition(".")
    return lambda document: schema(document, owner)["required"].remove(inner)


def takes(name: str, where: str = "query", *, holder: str = ROLES, **words: Any) -> Change:
    """Add a parameter to an operation."""
    parameter = {"name": name, "in": where, "description": "Text.", "schema": TEXT, **words}
    return lambda document: at(document, holder)["parameters"].append(parameter)


def in_reverse_order(pointer: str) -> Change:
    def change(document: Any) -> None:
        node = at(document, pointer)
        if isinstance(node, list):
            node.reverse()
        else:
            for name in reversed(list(node)):
                node[name] = node.pop(name)

    return change


def move(pointer: str, old: str, new: str) -> Change:
    """Give a part another name."""

    def change(document: Any) -> None:
        node = at(document, pointer)
        node[new] = node.pop(old)

    return change


def rename_key(document: Any) -> None:
    move("/components/securitySchemes", "apikey", "key")(document)
    for item in document["paths"].values():
        for operation in item.values():
            if "security" in operation:
                operation["security"] = [{"key": []}]


def rename_schema(document: Any) -> None:
    move("/components/schemas", "CurrentPage", "PageNow")(document)
    meta = schema(document, "ReviewedMessageListMeta")
    meta["properties"]["current"]["$ref"] = "#/components/schemas/PageNow"


#: Changes by the part of the version that rises; those of one part do not hide each other.
TOGETHER: dict[str, dict[str, Case]] = {
    "patch": {
        "another description of a schema": Case(
            put(ROLE, description="Other words."),
        ),
        "another description of an operation": Case(
            put(ROLES, description="Other words."),
        ),
        "another version of the document": Case(
            put("/info", version="4"),
        ),
        "an example": Case(
            field("Role.description", examples=["Moderates a group."]),
        ),
        "a mark of evidence": Case(
            field("Role.description", **{"x-evidence": "fields-in-full"}),
        ),
        "fields in another order": Case(
            in_reverse_order("/components/schemas/ErrorBody/properties"),
        ),
        "a type as a list": Case(
            field("Role.createdAt", type=["integer"]),
        ),
        "parameters in another order": Case(
            in_reverse_order("/paths/~1users~1{uid}~1auth_tokens~1{authToken}/parameters"),
        ),
        "a scheme with another name": Case(
            rename_key,
        ),
    },
    "minor": {
        "an optional field of a response": Case(
            add_field("Role.emblem"),
            receives(ROLE, 'property "emblem": nothing → optional', FINE),
            python("Role.emblem", "added", FINE),
        ),
        "a field that is always there": Case(
            require("Role.updatedAt"),
            receives(ROLE, 'property "updatedAt": optional → required', FINE),
            python("Role.updated_at", "type: was int | None, is int", FINE),
        ),
        "an integer instead of a number": Case(
            field("Condition.weight", type="integer"),
            receives(f"{SCHEMAS}/Condition/properties/weight", "type: number → integer", FINE),
            python("Condition.weight", "type: was float | None, is int | None", FINE),
        ),
        "one alternative less in a response": Case(
            field("Condition.message", anyOf=[TEXT]),
            receives(
                f"{SCHEMAS}/Condition/properties/message",
                'alternative "array": present → nothing',
                FINE,
            ),
            python("Condition.message", "type: was str | list[str] | None, is str | None", FINE),
        ),
        "a value of an open set": Case(
            lambda d: schema(d, "KeywordCategory")["enum"].append("emoji"),
            python(
                "KeywordCategory",
                "values: was Literal['pattern', 'sentence-similarity', 'word'], is"
                " Literal['emoji', 'pattern', 'sentence-similarity', 'word']",
                FINE,
            ),
        ),
        "an optional field of a form": Case(
            both(add_field("KeywordListForm.language"), add_field("WordListForm.language")),
            sends(f"{SCHEMAS}/WordListForm", 'property "language": nothing → optional', FINE),
            python("KeywordListForm.language", "added", FINE),
            python("WordListForm.language", "added", FINE),
        ),
        "a field that may be left out": Case(
            make_optional("PatternListForm.searchTerms"),
            sends(
                f"{SCHEMAS}/PatternListForm", 'property "searchTerms": required → optional', FINE
            ),
            python("PatternListForm.search_terms", "type: was str, is str | None", FINE),
        ),
        "an optional parameter": Case(
            takes("search"),
            sends(f"{ROLES}/parameters/2", 'query parameter "search": nothing → optional', FINE),
            python("AsyncRoles.list", "parameter search added", FINE),
            python("Roles.list", "parameter search added", FINE),
        ),
        "an optional header": Case(
            takes("X-Trace", "header", holder=MESSAGES),
            sends(
                f"{MESSAGES}/parameters/1",
                'header parameter "X-Trace": nothing → optional',
                FINE,
            ),
            python("AsyncReviewedMessages.list", "parameter x_trace added", FINE),
            python("ReviewedMessages.list", "parameter x_trace added", FINE),
        ),
        "a higher maximum": Case(
            put(f"{ROLES}/parameters/1/schema", maximum=2000),
            sends(f"{ROLES}/parameters/1/schema", "maximum: 1000 → 2000", FINE),
        ),
        "no minimum": Case(
            put(f"{ROLES}/parameters/0/schema", minimum=None),
            sends(f"{ROLES}/parameters/0/schema", "minimum: 1 → nothing", FINE),
        ),
        "a shorter text": Case(
            both(
                field("PatternListForm.name", minLength=None),
                field("KeywordListForm.name", minLength=None),
            ),
            sends(f"{SCHEMAS}/PatternListForm/properties/name", "minLength: 1 → nothing", FINE),
        ),
        "a deprecated operation": Case(
            put("/paths/~1roles/get", deprecated=True),
            sends(ROLES, "deprecated: nothing → true", FINE),
        ),
        "a new operation": Case(
            badges,
            sends("/paths/~1badge/get", "operation: nothing → present", FINE),
            python("Badge", "added", FINE),
            python("BadgeResponse", "added", FINE),
            python("AsyncRoles.get", "added", FINE),
            python("Roles.get", "added", FINE),
        ),
        "a new region": Case(
            lambda d: regions(d).append("au"),
            sends(
                "/servers",
                'address "https://{appId}.api-au.cometchat.io/v3": nothing → present',
                FINE,
            ),
            python("Region.AU", "added", FINE),
        ),
        "a header of a response": Case(
            put("/components/responses/Refusal/headers", **{"X-Trace": {"schema": TEXT}}),
            receives(
                "/components/responses/Refusal",
                'response 4XX header "X-Trace": nothing → present',
                FINE,
            ),
            receives(
                "/components/responses/Refusal",
                'response 5XX header "X-Trace": nothing → present',
                FINE,
            ),
        ),
    },
    "major": {
        "a field less in a response": Case(
            remove_field("Role.settings"),
            receives(ROLE, 'property "settings": optional → nothing', BREAKS),
            python("Role.settings", "removed", BREAKS),
        ),
        "a field that may be absent": Case(
            make_optional("Role.name"),
            receives(ROLE, 'property "name": required → optional', BREAKS),
            python("Role.name", "type: was str, is str | None", BREAKS),
        ),
        "another type in a response": Case(
            field("Role.createdAt", type="string"),
            receives(f"{SCHEMAS}/Role/properties/createdAt", "type: integer → string", BREAKS),
            python("Role.created_at", "type: was int, is str", BREAKS),
        ),
        "null in a response": Case(
            field("Role.updatedAt", type=["integer", "null"]),
            receives(
                f"{SCHEMAS}/Role/properties/updatedAt", "type: integer → integer or null", BREAKS
            ),
        ),
        "a number instead of an integer": Case(
            field("KeywordList.updatedAt", type="number"),
            receives(
                f"{SCHEMAS}/KeywordList/properties/updatedAt", "type: integer → number", BREAKS
            ),
            python("KeywordList.updated_at", "type: was int, is float", BREAKS),
        ),
        "other items": Case(
            put(f"{CONDITION}/value/items", type="integer"),
            receives(
                f"{SCHEMAS}/Condition/properties/value/items", "type: string → integer", BREAKS
            ),
            python("Condition.value", "type: was list[str] | None, is list[int] | None", BREAKS),
        ),
        "one alternative more in a response": Case(
            field("Condition.entity", type=None, anyOf=[TEXT, {"type": "boolean"}]),
            receives(
                f"{SCHEMAS}/Condition/properties/entity/anyOf/1",
                'alternative "boolean": nothing → present',
                BREAKS,
            ),
            python("Condition.entity", "type: was str | None, is str | bool | None", BREAKS),
        ),
        "a field less in a form": Case(
            remove_field("WordListForm.name"),
            sends(f"{SCHEMAS}/WordListForm", 'property "name": optional → nothing', BREAKS),
            python("WordListForm.name", "removed", BREAKS),
        ),
        "a field that a form needs": Case(
            require("WordListForm.id"),
            sends(f"{SCHEMAS}/WordListForm", 'property "id": optional → required', BREAKS),
            python("WordListForm.id", "type: was str | None, is str", BREAKS),
        ),
        "a new field that a form needs": Case(
            both(
                add_field("KeywordListForm.language"),
                add_field("PatternListForm.language"),
                require("PatternListForm.language"),
            ),
            sends(f"{SCHEMAS}/PatternListForm", 'property "language": nothing → required', BREAKS),
            python("KeywordListForm.language", "added", FINE),
            python("PatternListForm.language", "added, and required", BREAKS),
        ),
        "a value less": Case(
            field("SentenceSimilarityListForm.category", const="sentences", default="sentences"),
            sends(
                f"{SCHEMAS}/SentenceSimilarityListForm/properties/category",
                'value "sentence-similarity": allowed → nothing',
                BREAKS,
            ),
            sends(
                f"{SCHEMAS}/SentenceSimilarityListForm/properties/category",
                'default: "sentence-similarity" → "sentences"',
                BREAKS,
            ),
            python(
                "SentenceSimilarityListForm.category",
                "type: was Literal['sentence-similarity'], is Literal['sentences']",
                BREAKS,
            ),
        ),
        "a longer text": Case(
            field("SentenceSimilarityListForm.name", minLength=2),
            sends(
                f"{SCHEMAS}/SentenceSimilarityListForm/properties/name", "minLength: 1 → 2", BREAKS
            ),
        ),
        "a lower maximum": Case(
            put(f"{ROLES}/parameters/1/schema", maximum=500),
            sends(f"{ROLES}/parameters/1/schema", "maximum: 1000 → 500", BREAKS),
        ),
        "another default": Case(
            put(f"{ROLES}/parameters/1/schema", default=50),
            sends(f"{ROLES}/parameters/1/schema", "default: 100 → 50", BREAKS),
        ),
        "a parameter less": Case(
            lambda d: d["paths"]["/moderation/reviewed-messages"]["get"].pop("parameters"),
            sends(
                "/paths/~1moderation~1reviewed-messages/get",
                'query parameter "limit": optional → nothing',
                BREAKS,
            ),
            python("AsyncReviewedMessages.list", "parameter was removed: limit", BREAKS),
            python("ReviewedMessages.list", "parameter was removed: limit", BREAKS),
        ),
        "a parameter that every call needs": Case(
            takes("app", required=True),
            sends(f"{ROLES}/parameters/2", 'query parameter "app": nothing → required', BREAKS),
            python("AsyncRoles.list", "parameter was added as required: app", BREAKS),
            python("Roles.list", "parameter was added as required: app", BREAKS),
        ),
        "a schema with another name": Case(
            rename_schema,
            python("CurrentPage", "removed", BREAKS),
            python("PageNow", "added", FINE),
            python("ReviewedMessageListMeta.current", "type: was CurrentPage, is PageNow", BREAKS),
        ),
        "an error without a body": Case(
            put(f"{ROLES}/responses", **{"404": {"description": "Text."}}),
            receives(
                f"{ROLES}/responses/404",
                'response 404 header "X-Rate-Limit": present → nothing',
                BREAKS,
            ),
            receives(
                f"{ROLES}/responses/404",
                'response 404 header "X-Rate-Limit-Remaining": present → nothing',
                BREAKS,
            ),
            receives(
                f"{ROLES}/responses/404",
                "response 404 as application/json: present → nothing",
                BREAKS,
            ),
        ),
        "a category less": Case(
            lambda d: schema(d, "KeywordCategory")["enum"].remove("pattern"),
            sends(
                f"{SCHEMAS}/PatternListForm/properties/category",
                'value "pattern": allowed → nothing',
                BREAKS,
            ),
            python(
                "KeywordCategory",
                "values: was Literal['pattern', 'sentence-similarity', 'word'], is"
                " Literal['sentence-similarity', 'word']",
                BREAKS,
            ),
        ),
        "a region less": Case(
            lambda d: regions(d).remove("in"),
            sends(
                "/servers",
                'address "https://{appId}.api-in.cometchat.io/v3": present → nothing',
                BREAKS,
            ),
            python("Region.IN", "removed", BREAKS),
        ),
        "another default region": Case(
            put("/servers/0/variables/region", default="eu"),
            sends(
                "/servers",
                'default: "https://{appId}.api-us.cometchat.io/v3" →'
                ' "https://{appId}.api-eu.cometchat.io/v3"',
                BREAKS,
            ),
        ),
        "a list that is only one page of several": Case(
            put(f"{SCHEMAS}/ReviewedMessageListMeta/properties", pagination=PAGINATION),
            receives(
                f"{SCHEMAS}/ReviewedMessageListMeta",
                'property "pagination": nothing → optional',
                FINE,
            ),
            python("ReviewedMessageListMeta.pagination", "added", FINE),
            python(
                "ReviewedMessageList.__getitem__",
                "parameter key: was int | slice | str, is str",
                BREAKS,
            ),
            python("ReviewedMessageList.__iter__", "removed", BREAKS),
            python("ReviewedMessageList.__len__", "removed", BREAKS),
        ),
        "a set instead of a constant": Case(
            field("WordListForm.category", const=None, enum=["word"]),
            python(
                "WordListForm.category",
                "type: was Literal['word'], is WordListFormCategory",
                BREAKS,
            ),
            python("WordListFormCategory", "added", FINE),
        ),
        "another type of a file": Case(
            put(
                f"{FORM}/encoding/file",
                contentType="text/plain",
            ),
            sends(
                f"{FORM}/encoding",
                'encoding of "file": contentType: "text/csv" → "text/plain"',
                BREAKS,
            ),
        ),
    },
}
#: Changes that hide others: all need a new major version.
ALONE: dict[str, Case] = {
    "an operation less": Case(
        lambda d: d["paths"][LIST].pop("get"),
        sends(
            "/paths/~1moderation~1keywords~1{keywordId}/get", "operation: present → nothing", BREAKS
        ),
        python("AsyncKeywords.get", "removed", BREAKS),
        python("Keywords.get", "removed", BREAKS),
    ),
    "another status of success": Case(
        move(f"{TOKEN}/responses", "200", "202"),
        receives(f"{TOKEN}/responses", "response 200: present → nothing", BREAKS),
        receives(f"{TOKEN}/responses", "response 202: nothing → present", BREAKS),
    ),
    "another path": Case(
        move("/paths", "/moderation/reviewed-messages", "/moderation/messages"),
        sends("/paths/~1moderation~1messages/get", "operation: nothing → present", FINE),
        sends("/paths/~1moderation~1reviewed-messages/get", "operation: present → nothing", BREAKS),
    ),
    "an operation with another name": Case(
        put(ROLES, operationId="rolesOfApp"),
        sends(f"{ROLES}/operationId", "operationId: listRoles → rolesOfApp", BREAKS),
        python("AsyncRoles.list", "removed", BREAKS),
        python("Roles.list", "removed", BREAKS),
        python("AsyncRoles.roles", "added", FINE),
        python("Roles.roles", "added", FINE),
    ),
}
