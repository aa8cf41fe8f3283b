"""The conformance matrix: each limit of the description, and each assumption of the simulator,
has a row."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import yaml
from attrs import evolve

from cometchat_testing import Simulator
from tools.contract import deviations
from tools.description import at

from ..described_calls import LARGEST_PAGE
from ..tools.service import SERVICE
from . import matrix, matrix_rules
from .description import DOCUMENT
from .excerpts import lines_of_excerpts

ROWS = matrix.read()
LEDGER = deviations.read_ledger()

LIST, MESSAGES, ROLES, TOKEN = (
    "/paths/~1moderation~1keywords~1{keywordId}",
    "/paths/~1moderation~1reviewed-messages/get",
    "/paths/~1roles/get",
    "/paths/~1users~1{uid}~1auth_tokens~1{authToken}/delete",
)
SCHEMAS, PARAMETERS, SERVER = "/components/schemas", "/components/parameters", "/servers/0"
FORM = f"{LIST}/put/requestBody/content/multipart~1form-data"
TEXT = {"type": "string"}


def test_every_limit_and_every_difference_is_recorded() -> None:
    """The rows agree with openapi.yaml, service.md, the ledger, the tests and the simulator, and
    the ledger explains each difference from the vendor's documents. Each line names an edit that is
    missing."""
    lines = lines_of_excerpts(DOCUMENT)
    assert len(lines) > 20
    unknown = [
        line for line in lines if not any(entry.accounts_for(line) for entry in LEDGER.values())
    ]
    missing = [f"add to differences of an entry of deviations.yaml: '{line}'" for line in unknown]
    assert "\n".join([*matrix_rules.problems(ROWS, DOCUMENT, LEDGER), *missing]) == ""


#: Invented limits: a place of the description, a keyword, and its new value.
INVENTED: list[tuple[str, str, Any]] = [
    (SERVER, "url", "https://{appId}.api-{region}.example.com/v3"),
    (f"{SERVER}/variables/region", "enum", ["us", "moon"]),
    (f"{SERVER}/variables/appId", "enum", ["one"]),
    ("/components/securitySchemes/apikey", "name", "apiKey"),
    (ROLES, "security", []),
    (f"{ROLES}/parameters/1/schema", "maximum", 7),
    (f"{ROLES}/parameters/1", "required", True),
    (f"{ROLES}/parameters/1", "name", "per_page"),
    (f"{ROLES}/parameters/0", "style", "spaceDelimited"),
    (f"{ROLES}/parameters/0/schema", "exclusiveMinimum", 0),
    (f"{MESSAGES}/parameters/0/schema", "maximum", 1000),
    (f"{MESSAGES}/parameters/0/schema", "default", 50),
    (f"{PARAMETERS}/Uid/schema", "pattern", "^[a-z0-9_-]+$"),
    (f"{LIST}/put/requestBody", "required", False),
    (f"{FORM}/encoding/file", "contentType", "text/plain"),
    (f"{LIST}/put/requestBody/content", "application/json", {"schema": TEXT}),
    (f"{TOKEN}/responses/200/content", "text/plain", {"schema": TEXT}),
    (f"{SCHEMAS}/KeywordCategory", "enum", ["word", "pattern"]),
    (f"{SCHEMAS}/KeywordList", "additionalProperties", False),
    (f"{SCHEMAS}/KeywordList/properties/searchTerms", "maxItems", 1000),
    (f"{SCHEMAS}/KeywordListForm/properties/file", "contentMediaType", "text/csv"),
    (f"{SCHEMAS}/KeywordListForm", "dependentRequired", {"file": ["name"]}),
    (f"{SCHEMAS}/KeywordListForm", "additionalProperties", True),
    (f"{SCHEMAS}/KeywordListForm/properties/searchTerms", "pattern", "^[^*+]*$"),
    (f"{SCHEMAS}/Message/properties/data", "readOnly", True),
    (f"{SCHEMAS}/RoleMetadata", "additionalProperties", TEXT),
    (f"{SCHEMAS}/AuthTokenDeletion/properties/success", "const", True),
]


#: Limits to remove.
REMOVED = [
    (f"{ROLES}/parameters/1/schema", "maximum"),
    (ROLES, "security"),
    (SCHEMAS, "RoleMetadata"),
]

#: Rows with all limits of a description.
SERVICE_ROWS = [
    matrix.Row(
        section="1",
        promise="x",
        constraints={each.place: {each.keyword: each.value} if each.keyword else {}},
    )
    for each in matrix_rules.constraints(SERVICE)
]


@pytest.mark.parametrize(
    ("place", "keyword", "value"), [*INVENTED, *((*each, None) for each in REMOVED)]
)
def test_invented_or_removed_limit(place: str, keyword: str, value: Any) -> None:
    """Each limit that is invented, changed or removed without a row is reported, with its
    keyword."""
    document = copy.deepcopy(dict(SERVICE))
    assert list(matrix_rules.constraint_problems(SERVICE_ROWS, document)) == []
    at(document, place)[keyword] = value
    if value is None:
        del at(document, place)[keyword]
    assert any(keyword in line for line in matrix_rules.constraint_problems(SERVICE_ROWS, document))


ROW = matrix.Row(
    section="4.4", promise="x", tests=["tests/contract/test_matrix.py::test_wrong_row"]
)
#: Wrong rows, and the line for each.
WRONG: list[tuple[matrix.Row, str]] = [
    (evolve(ROW, section="4.9"), "service.md has no section 4.9"),
    (
        evolve(ROW, evidence="a rumour"),
        "the evidence is no entry of deviations.yaml, and has no confidence",
    ),
    (evolve(ROW, tests=[]), "no test"),
    (evolve(ROW, tests=["tests/contract/test_matrix.py::test_gone"]), "test_gone does not exist"),
    (
        evolve(ROW, constants={"keywords.LARGEST_FILE": 7}),
        "keywords.LARGEST_FILE is 1048576 in the simulator, not 7",
    ),
]


@pytest.mark.parametrize(("row", "line"), WRONG)
def test_wrong_row(row: matrix.Row, line: str) -> None:
    """A row with an unknown section, evidence, test or constant is reported."""
    assert any(line in each for each in matrix_rules.problems([row], SERVICE, LEDGER))


def test_missing_row() -> None:
    """A section of the contract without a row, and a detail that is not shown and has no row,
    are reported."""
    lines = matrix_rules.problems([ROW], SERVICE, LEDGER)
    assert "service.md, section 9: no row in conformance.yaml" in lines
    assert (
        "service.md, section 4.4: a detail is not shown, and has no row in conformance.yaml"
        in lines
    )


@pytest.fixture(scope="module")
def service() -> Iterator[httpx.Client]:
    with (
        Simulator(vendor_limits=True) as simulator,
        httpx.Client(
            base_url=simulator.base_url, headers={"apikey": simulator.api_key}, trust_env=False
        ) as client,
    ):
        yield client


def update(**fields: str | bytes) -> Callable[[httpx.Client], httpx.Response]:
    """An update of a list of words; `file` is a file."""
    form = {"category": "word", "searchTerms": "spam", **fields}
    parts = {name: ("x.csv" if name == "file" else None, value) for name, value in form.items()}
    return lambda service: service.put("/moderation/keywords/profanity-list", files=parts)


def pages(path: str, **query: int) -> Callable[[httpx.Client], httpx.Response]:
    return lambda service: service.get(path, params=query)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (pages("/moderation/reviewed-messages", limit=1217), 200),
        (pages("/roles", perPage=LARGEST_PAGE), 200),
        (update(name="ñ" * 100, description="d" * 255, searchTerms="ñ" * 100), 200),
        (update(name=" "), 200),
        (update(file="\ufeffñ".encode(), searchTerms=""), 200),
        (update(file=b"\xff\xfe", searchTerms=""), 200),
        (pages("/moderation/reviewed-messages", limit=0), 400),
        (pages("/roles", perPage=LARGEST_PAGE + 1), 400),
        (update(name=""), 400),
        (update(name="n" * 101), 400),
        (update(description="d" * 256), 400),
        (update(searchTerms="t" * 101), 400),
        (update(searchTerms=" "), 400),
        (update(file=b"a" * (2**20 + 1), searchTerms=""), 400),
    ],
)
def test_assumptions_of_the_simulator(
    service: httpx.Client, call: Callable[[httpx.Client], httpx.Response], status: int
) -> None:
    """The simulator has the limits of the matrix: records of a page, lengths, bytes of a file,
    blank texts."""
    assert call(service).status_code == status


def test_default_page_size_of_reviewed_messages(service: httpx.Client) -> None:
    """Without a limit, the simulator returns up to 50 reviewed messages."""
    assert service.get("/moderation/reviewed-messages").json()["meta"]["current"]["limit"] == 50


def test_row_with_an_unknown_field(tmp_path: Any) -> None:
    """A row with an unknown or missing field is an error that names the row."""
    path = tmp_path / "conformance.yaml"
    for row in ({"section": "1"}, {"section": "1", "promise": "x", "colour": "red"}):
        path.write_text(yaml.safe_dump([row]), "utf-8")
        with pytest.raises(ValueError, match=r"^conformance\.yaml: row 1: "):
            matrix.read(path)
