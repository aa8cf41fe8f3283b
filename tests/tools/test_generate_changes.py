"""The generator: each kind of change of the description works with both clients, or is refused at
its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tools.description import DESCRIPTION, ROOT, at, read
from tools.generate.generate import generate
from tools.generate.yaml_rules import ambiguous_values

from ..contract.generation import copied, regenerate, run
from .accepted_changes import (
    CHANGES,
    INTEGER,
    PAGE,
    SIZE,
    TEXT,
    describe,
    fields,
    paged,
    pages,
    query,
)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The faults of each accepted change; all changes are in one description."""
    folder = copied(tmp_path_factory.mktemp("changes") / "copy")
    document = json.loads(json.dumps(read(DESCRIPTION)))
    describe(document)
    (folder / "openapi.yaml").write_text(json.dumps(document), "utf-8")
    regenerate(folder)
    path = (folder / "generated", ROOT / "overlays", ROOT)
    done = run("-m", "tests.tools.accepted_changes", path=path, folder=folder)
    assert done.returncode == 0, done.stderr
    told: dict[str, list[str]] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("kind", CHANGES)
def test_each_accepted_change_works(faults: dict[str, list[str]], kind: str) -> None:
    """A change that is accepted works with both clients: its arguments arrive, and its response is
    read."""
    assert "\n".join(faults.get(kind, [])) == ""


Change: TypeAlias = Callable[[Any], object]
ROLE, SCHEMAS = "/components/schemas/Role", "/components/schemas"
ROLES = "/paths/~1roles/get"
RECORDS = "/paths/~1moderation~1reviewed-messages/get"
FIELD = f"{ROLE}/properties/colour"
KEYWORDS = "/paths/~1moderation~1keywords~1{keywordId}/get"
UPDATE = "/paths/~1moderation~1keywords~1{keywordId}/put/requestBody"
IDENTIFIER, TOKEN = "/components/parameters/KeywordId", "/components/parameters/AuthToken"


def field(**schema: Any) -> Change:
    """A new field of a role."""
    return lambda d: at(d, f"{ROLE}/properties").update(colour=schema)


def schemas(**named: Any) -> Change:
    return lambda d: d["components"]["schemas"].update(named)


def roles(**more: Any) -> Change:
    return lambda d: at(d, ROLES).update(more)


def parameter(**more: Any) -> Change:
    return lambda d: at(d, f"{ROLES}/parameters").append({"name": "a", "in": "query", **more})


def named(body: Any) -> Change:
    """Another name for the body of an update."""
    mark = {"x-codegen-request-body-name": body}
    return lambda d: at(d, UPDATE).update(mark)


def repeated(place: Any) -> Change:
    """Another place where the response repeats the identifier of a list."""

    def change(document: Any) -> None:
        parameter = {**at(document, IDENTIFIER), "x-repeated-at": place}
        at(document, KEYWORDS).update(parameters=[parameter])

    return change


def secret(value: Any) -> Change:
    return lambda d: at(d, TOKEN).update({"x-secret": value})


def misplaced(document: Any) -> None:
    """A schema with a fault, equal to a schema without one."""
    schemas = document["components"]["schemas"]
    schemas["Role"]["properties"]["z"] = {"type": "array"}
    schemas["KeywordList"]["properties"]["z"] = {"description": "x", "type": "string"}
    document["paths"]["/roles"]["get"]["parameters"][0]["example"] = {"type": "array"}


def notes(schema: Any, *parameters: Any, **more: Any) -> Change:
    """A new list."""
    content = {"application/json": {"schema": schema}}
    node = {
        "operationId": "listNotes",
        "tags": ["Notes"],
        "summary": "List",
        "security": [{"apikey": []}],
        "parameters": [*parameters],
        "responses": {"200": {"description": "x", "content": content}},
        **more,
    }
    return lambda d: d["paths"].update({"/notes": {"get": node}})


def total_only() -> Any:
    return paged(fields("pagination", pagination=fields(total=INTEGER, per_page=INTEGER)))


CURSOR = query("cursor", type="string")
FLAGGED = fields("id", "flag", id=TEXT, flag={"type": "boolean"})
NOTES = "GET /notes"
#: Changes of the document that no right client can be made from; the place and the decisive words.
REFUSED: dict[str, tuple[Change, str, str]] = {
    "two schemas with one module": (
        schemas(APIKey=fields(a=TEXT), ApiKey=fields(b=TEXT)),
        f"{SCHEMAS}/ApiKey",
        "ApiKey and APIKey have one module, api_key; rename one of them",
    ),
    **{
        f"a schema with the public name {name}": (
            schemas(**{name: fields(a=TEXT)}),
            f"{SCHEMAS}/{name}",
            f"{name} would hide cometchat_rest.{name}; rename the schema",
        )
        for name in ("RateLimit", "Drift", "NotFoundError", "KeywordPlan")
    },
    "an object in a field with a public name": (
        schemas(Rate=fields(limit=fields(a=TEXT))),
        "the class RateLimit",
        "would hide cometchat_rest.RateLimit",
    ),
    "a name of 260 letters": (
        schemas(**{"A" * 260: fields(a=TEXT)}),
        "the generator failed",
        "File name too long",
    ),
    "fields of one attribute": (
        lambda d: at(d, f"{ROLE}/properties").update({"a.b": TEXT, "a-b": TEXT}),
        ROLE,
        "the fields a.b and a-b have one attribute; rename one of them",
    ),
    "fields that Python reads alike": (
        lambda d: at(d, f"{ROLE}/properties").update({"\ufb01t": TEXT, "fit": TEXT}),
        ROLE,
        "the fields \ufb01t and fit have one attribute; rename one of them",
    ),
    "x-secret on a field": (
        field(**TEXT, **{"x-secret": True}),
        FIELD,
        "x-secret has no effect here",
    ),
    "x-pages on a schema": (field(**TEXT, **{"x-pages": {}}), FIELD, "x-pages has no effect here"),
    "x-secrets": (
        parameter(schema=TEXT, **{"x-secrets": True}),
        f"{ROLES}/parameters/2",
        "nothing reads x-secrets; the marks are",
    ),
    "a mark below a field with the name headers": (
        lambda d: at(d, f"{ROLE}/properties").update(headers={**TEXT, "x-secrets": True}),
        f"{ROLE}/properties/headers",
        "nothing reads x-secrets; the marks are",
    ),
    "a second server": (
        lambda d: d["servers"].append({"url": "https://b.example/v3"}),
        "/servers/1",
        "the client has one address; remove it",
    ),
    "nullable beside a set": (
        field(type="string", enum=["a"], nullable=True),
        FIELD,
        "OpenAPI 3.1 has no nullable; write type: [string, 'null']",
    ),
    "a set of booleans": (field(enum=[True, False]), FIELD, "does not support it"),
    "CSV": (
        lambda d: at(d, f"{RECORDS}/responses/200").update(content={"text/csv": {"schema": TEXT}}),
        "GET /moderation/reviewed-messages",
        "has a response in text/csv, and the client reads JSON only; leave the operation out",
    ),
    "a pagination with other fields": (
        notes(total_only(), PAGE, SIZE),
        NOTES,
        "a pager needs integers in meta.pagination for current, pages; describe them, name them",
    ),
    "a pagination of texts": (
        notes(paged(fields(pagination=fields(total=TEXT))), PAGE, SIZE),
        NOTES,
        "a pager needs integers in meta.pagination for current, pages, total, shown_size",
    ),
    "an identity that is a boolean": (
        notes(paged(pages(), FLAGGED), PAGE, SIZE, **{"x-pages": {"identity": "flag"}}),
        NOTES,
        "the identity flag must be a text or an integer of the item",
    ),
    "an identity that no item has": (
        roles(**{"x-pages": {"identity": "uid"}}),
        "GET /roles",
        "the identity uid must be a text or an integer of the item",
    ),
    "a mark that is true": (
        roles(**{"x-pages": True}),
        "GET /roles",
        "x-pages must be false, or an object with some of page, size",
    ),
    "a mark with another key": (
        roles(**{"x-pages": {"id": "role"}}),
        "GET /roles",
        "x-pages must be false, or an object with some of page, size",
    ),
    "a mark that names no parameter": (
        roles(**{"x-pages": {"page": "sheet"}}),
        "GET /roles",
        "x-pages names sheet, which is no query parameter",
    ),
    "a mark that names no number": (
        roles(**{"x-pages": {"total": "all"}}),
        "GET /roles",
        "a pager needs integers in meta.pagination for all",
    ),
    "a mark without pages": (
        notes(fields("data", data={"type": "array", "items": TEXT}), **{"x-pages": {"size": "a"}}),
        NOTES,
        "has x-pages, but no page parameter or no pagination in meta; remove the mark",
    ),
    **{
        f"a mark with the {key} {value!r}": (
            roles(**{"x-pages": {key: value}}),
            "GET /roles",
            f"{key} in x-pages must be a name; correct it",
        )
        for key, value in (
            ("identity", ["role"]),
            ("size", ["perPage"]),
            ("pagination", ["pagination"]),
            ("page", 1),
            ("total", True),
        )
    },
    **{
        f"a mark for a response of {words}": (
            notes(schema, PAGE, SIZE, **{"x-pages": {"pagination": "pagination"}}),
            NOTES,
            "has x-pages, but the response has no array in data; remove the mark",
        )
        for words, schema in (
            ("nothing in data", fields(a=TEXT)),
            ("an object in data", fields("data", data=fields(a=TEXT), meta=pages())),
        )
    },
    "a page that is a text": (
        notes(paged(pages()), CURSOR, SIZE, **{"x-pages": {"page": "cursor"}}),
        NOTES,
        "x-pages names cursor, which is not an integer; name another parameter",
    ),
    "a size that is a text": (
        notes(paged(pages()), PAGE, CURSOR, **{"x-pages": {"size": "cursor"}}),
        NOTES,
        "x-pages names cursor, which is not an integer; name another parameter",
    ),
    **{
        f"a secret that is {value!r}": (
            secret(value),
            TOKEN,
            "x-secret must be true or false, without quotes; correct it",
        )
        for value in ("true", "false", 1, None)
    },
    **{
        f"a repetition at {place}": (
            repeated(place),
            "GET /moderation/keywords/{keywordId}",
            f"keywordId has x-repeated-at: {place}, and the response has no text there",
        )
        for place in ("/data/nope", "/nope/id", "data.id", "/data", "data/id", "")
    },
    "a repetition at 5": (
        repeated(5),
        f"{KEYWORDS}/parameters/0",
        "x-repeated-at must be a place in the response",
    ),
    "evidence that is a number": (
        field(**TEXT, **{"x-evidence": 5}),
        FIELD,
        "x-evidence must be the id of an entry of the ledger, or an array of them; correct it",
    ),
    "evidence without a name": (
        field(**TEXT, **{"x-evidence": []}),
        FIELD,
        "x-evidence must be the id of an entry",
    ),
    **{
        f"a body with the name {name}": (
            named(name),
            UPDATE,
            "x-codegen-request-body-name must be a name that no keyword and no other name",
        )
        for name in (
            "self",
            "class",
            "new-list",
            5,
            "Call",
            "OPERATION",
            "prepare",
            "Secret",
            "_to_json",
            "warn_deprecated",
            "",
        )
    },
    **{
        f"a schema with the name {name} of the generated code": (
            schemas(**{name: fields(a=TEXT)}),
            f"{SCHEMAS}/{name}",
            "a tag or the client has a class of this name; rename the schema",
        )
        for name in ("Paging", "AsyncResource", "Call", "ABSENT", "OPERATION")
    },
    "a tag that a module of the resources imports": (
        roles(tags=["ABC"]),
        "GET /roles",
        "the tag 'ABC' cannot be an attribute of a client",
    ),
    **{
        f"a schema with the name {name} of a keyword": (
            schemas(**{name: {"type": "string", "nullable": True}}),
            f"{SCHEMAS}/{name}",
            "OpenAPI 3.1 has no nullable",
        )
        for name in ("sample", "example", "not", "if", "properties", "x-y")
    },
    "a mark in a schema with the name of a keyword": (
        schemas(then=fields(headers={**TEXT, "x-secrets": True})),
        f"{SCHEMAS}/then/properties/headers",
        "nothing reads x-secrets; the marks are",
    ),
    "a circle of paths": (
        lambda d: (
            d["components"].update(pathItems={"A": {"$ref": "#/components/pathItems/A"}}),
            d["paths"].update({"/a": {"$ref": "#/components/pathItems/A"}}),
        ),
        "/paths/~1a",
        "its $ref leads back to itself; describe the path here",
    ),
    "an array of nothing, equal to an example": (
        misplaced,
        f"{ROLE}/properties/z",
        "type array must have items",
    ),
    "a form that requires a field that it does not describe": (
        lambda d: at(d, f"{SCHEMAS}/KeywordListForm/required").append("ghost"),
        "PUT /moderation/keywords/{keywordId}",
        "the form requires ghost, but does not describe it; describe this field",
    ),
}
OLD = "        role: {type: string, description: Role identifier., examples: [moderator]}\n"
QUOTES = "put a text into quotes"
#: Lines that readers of YAML take for different values: a line of a role, the end of its place,
#: and the decisive words.
AMBIGUOUS = {
    "no: {type: string}": ("/no", "some readers take no for a boolean; put it into quotes"),
    "ON: {type: string}": ("/ON", "some readers take ON for a boolean; put it into quotes"),
    "a: {type: string, enum: [on, up]}": ("/a/enum/0", f"readers differ about on; {QUOTES}"),
    "a: {type: string, enum: [true]}": ("/a/enum/0", f"readers differ about true; {QUOTES}"),
    "a: {type: string, default: yes}": ("/a/default", f"readers differ about yes; {QUOTES}"),
    "a: {type: integer, default: 010}": ("/a/default", f"readers differ about 010; {QUOTES}"),
    "a: {type: integer, default: 08}": ("/a/default", f"readers differ about 08; {QUOTES}"),
    "a: {type: integer, default: 1_000}": ("/a/default", f"readers differ about 1_000; {QUOTES}"),
    "a: {type: integer, default: 1:30}": ("/a/default", f"readers differ about 1:30; {QUOTES}"),
    "a: {type: number, default: 1e3}": ("/a/default", f"readers differ about 1e3; {QUOTES}"),
    **{
        f"{key}: {{type: string}}": (
            f"/{key}",
            f"some readers do not take {key} for a text; put it into quotes",
        )
        for key in ("010", "1_0", "12:30", "12", "1e3", "0o7", "null", "1.5")
    },
    "a: {type: string, const: 2026-01-31T10:00:00Z}": (
        "/a/const",
        f"readers differ about 2026-01-31T10:00:00Z; {QUOTES}",
    ),
    "a: {type: string, default: 2026-01-31 10:00:00}": (
        "/a/default",
        f"readers differ about 2026-01-31 10:00:00; {QUOTES}",
    ),
    "a: {type: integer, default: 0o7}": ("/a/default", f"readers differ about 0o7; {QUOTES}"),
}


def refusal(folder: Path, text: str) -> str:
    """The line of a refusal, before anything is written."""
    (folder / "openapi.yaml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=": ") as caught:
        generate(folder / "code", folder / "openapi.yaml")
    (line,) = str(caught.value).splitlines()
    return line


@pytest.mark.parametrize(("change", "place", "words"), REFUSED.values(), ids=REFUSED)
def test_each_refused_change_names_its_place(
    tmp_path: Path, change: Change, place: str, words: str
) -> None:
    """A change that no right client can be made from is refused with its place and the next
    step."""
    document = json.loads(json.dumps(read(DESCRIPTION)))
    change(document)
    line = refusal(tmp_path, json.dumps(document))
    assert line.removeprefix("openapi.yaml: ").startswith(f"{place}: ")
    assert words in line


@pytest.mark.parametrize("added", AMBIGUOUS)
def test_each_ambiguous_value_needs_quotes(tmp_path: Path, added: str) -> None:
    """A value that readers of YAML 1.1 and of YAML 1.2 take for different values is refused with
    its place."""
    end, words = AMBIGUOUS[added]
    text = DESCRIPTION.read_text("utf-8").replace(OLD, f"{OLD}        {added}\n")
    assert refusal(tmp_path, text) == f"openapi.yaml: {ROLE}/properties{end}: {words}"


@pytest.mark.parametrize(
    "value", ["1", "-1", "0", "0.5", "1.5e+3", "true", "'no'", '"010"', "2031-01-01"]
)
def test_other_values_need_no_quotes(value: str) -> None:
    """A value that all readers of YAML take for the same value is accepted."""
    added = f"        a: {{description: x, default: {value}}}\n"
    text = DESCRIPTION.read_text("utf-8").replace(OLD, f"{OLD}{added}")
    assert [*ambiguous_values(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "paths: {/a: {get: {responses: {200: {description: x}, 4XX: {}, default: {}}}}}",
        "a: &a {b: c}\nd:\n  <<: *a",
        """{"a": {"'1'": 1}}""",
        "'010': {'no': x}",
    ],
)
def test_other_keys_need_no_quotes(text: str) -> None:
    """A status of a response, and a key that all readers take for the same text, is accepted."""
    assert [*ambiguous_values(text)] == []
