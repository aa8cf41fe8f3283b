"""The simulator against the description: asked over real HTTP for what that allows, and for what it does not."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import httpx
import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from cometchat_rest.testing import Simulator
from tools.openapi_diff.document import DESCRIPTION, Operation

from .description import OPERATIONS, REPRODUCIBLE, SCHEMAS, deviations

CONFORMS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
SCHEMA = schemathesis.openapi.from_path(DESCRIPTION)

LISTS = ("profanity-list", "scam-patterns", "threat-sentences")
PICKS = st.integers(0, 5)


def label(operation: Operation) -> Any:
    """The operation as schemathesis knows it."""
    return SCHEMA[operation.path][operation.method.upper()]


def errors_of(operation: Operation, response: Any) -> list[str]:
    """Where an answer departs from the description, judged without schemathesis."""
    schema = operation.response_schema if response.status_code == 200 else SCHEMAS["Error"]
    return deviations(schema, response.json())


def examples_in_path(operation: Operation) -> dict[str, Any]:
    """The identifiers that the description gives as examples."""
    return {each["name"]: each["example"] for each in operation.parameters if each["in"] == "path"}


class Existing:
    """Makes generated requests reach what exists, and puts back what they destroy."""

    def __init__(self, simulator: Simulator, operation: Operation) -> None:
        self._simulator, self._operation = simulator, operation
        self._tokens = copy.deepcopy(simulator.auth_tokens)
        self._users = copy.deepcopy(simulator.users)

    def aim(self, case: Case[Any], pick: int) -> None:
        """Give a request the right key, if it has one; and let most reach a list or a token that exists.

        A form that would reach one is changed where the simulator refuses what the description cannot rule out.
        """
        with self._simulator.lock:
            self._simulator.auth_tokens = copy.deepcopy(self._tokens)
            self._simulator.users = copy.deepcopy(self._users)
        if "apikey" in case.headers:
            case.headers["apikey"] = self._simulator.api_key
        if pick == 0:
            return
        if self._operation.name == "delete_auth_token":
            uid = sorted(self._tokens)[pick % len(self._tokens)]
            case.path_parameters = {"uid": uid, "authToken": self._tokens[uid][pick % len(self._tokens[uid])]}
        elif "{keywordId}" in self._operation.path:
            case.path_parameters = {"keywordId": sorted(LISTS)[pick % len(LISTS)]}
        else:
            case.path_parameters = examples_in_path(self._operation)
        if self._operation.name == "update_keyword_list":
            self._mend(case)

    def _mend(self, case: Case[Any]) -> None:
        body: Any = case.body
        if "id" in body:
            body["id"] = case.path_parameters["keywordId"]
        if "file" in body:
            body["file"] = b"spam\nscam\n"
        if "searchTerms" in body and not all(0 < len(term.strip()) <= 100 for term in body["searchTerms"].split(",")):
            body["searchTerms"] = "spam,scam"
        if "disallowedSentences" in body:
            body["disallowedSentences"] = [each if each.strip() else "?" for each in body["disallowedSentences"]]


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_the_description_allows_is_answered_as_described(simulator: Simulator, name: str) -> None:
    """The simulator answers every request of the contract within the contract, and carries out those it can."""
    operation, existing, seen = OPERATIONS[name], Existing(simulator, OPERATIONS[name]), Counter[str]()

    @settings(REPRODUCIBLE, max_examples=50)
    @given(label(operation).as_strategy(generation_mode=POSITIVE), PICKS)
    def check(case: Case[Any], pick: int) -> None:
        existing.aim(case, pick)
        response = case.call(base_url=simulator.base_url)
        case.validate_response(response, checks=CONFORMS)
        assert errors_of(operation, response) == []
        # What is not there is one thing, what is wrong another: nothing here is a matter of the key.
        assert response.status_code in (200, 400, 404)
        seen[str(response.status_code)] += 1
        if name == "update_keyword_list" and response.status_code == 200:
            seen[case.body["category"]] += 1  # type: ignore[index, call-overload]

    check()
    assert seen["200"] >= 10, seen
    if name == "update_keyword_list":
        assert all(seen[each] for each in SCHEMAS["KeywordCategory"]["enum"]), seen


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "update_keyword_list"])
def test_what_the_description_rules_out_is_refused_as_described(simulator: Simulator, name: str) -> None:
    """The simulator refuses requests outside the contract, in the shape that the contract gives to refusals."""
    # The update is left out: to a tester, any text in a form is an array that is wrong, but it arrives as a right one.
    operation, existing, seen = OPERATIONS[name], Existing(simulator, OPERATIONS[name]), Counter[int]()

    @settings(REPRODUCIBLE, max_examples=50)
    @given(label(operation).as_strategy(generation_mode=NEGATIVE), PICKS)
    def check(case: Case[Any], pick: int) -> None:
        existing.aim(case, pick)
        response = case.call(base_url=simulator.base_url)
        case.validate_response(response, checks=[*CONFORMS, negative_data_rejection])
        assert errors_of(operation, response) == []
        seen[response.status_code] += 1

    check()
    # A key that is missing is all that can be wrong with an operation that has no query. Now and then what a tester
    # takes for wrong arrives as something right; whether the answer then is one, the checks have said.
    refused = {400, 401} if operation.method == "get" and "{" not in operation.path else {401}
    assert refused <= seen.keys(), seen


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        (None, 401, "AUTH_ERR_EMPTY_APIKEY"),
        ("", 401, "AUTH_ERR_EMPTY_APIKEY"),
        ("somebody-elses-key", 401, "AUTH_ERR_APIKEY_NOT_FOUND"),
        ("{auth_only_key}", 403, "AUTH_ERR_NO_ACCESS"),
    ],
)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_wrong_key_is_refused_as_described(
    simulator: Simulator, name: str, key: str | None, status: int, code: str
) -> None:
    """Without the right key every operation answers with the contract's error, and does nothing."""
    operation = OPERATIONS[name]
    path = examples_in_path(operation)
    if "authToken" in path:  # one that could be deleted
        path["authToken"] = simulator.auth_tokens["alice"][0]
    case = label(operation).Case(
        path_parameters=path,
        headers={} if key is None else {"apikey": key.format(auth_only_key=simulator.auth_only_key)},
        **({"body": {"category": "word", "searchTerms": "spam"}} if operation.method == "put" else {}),
    )
    lists, tokens = copy.deepcopy(simulator.keyword_lists), copy.deepcopy(simulator.auth_tokens)
    response = case.call(base_url=simulator.base_url)
    case.validate_response(response, checks=CONFORMS)
    assert deviations(SCHEMAS["Error"], response.json()) == []
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert (simulator.keyword_lists, simulator.auth_tokens) == (lists, tokens)


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    """HTTP without the client under test."""
    with httpx.Client(trust_env=False, timeout=10) as http:
        yield http


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("POST", "/roles", 405),
        ("GET", "/users/alice/auth_tokens/token", 405),
        ("GET", "/moderation/keywords/no-such-list", 404),
        ("PUT", "/moderation/keywords/profanity-list", 400),
        ("DELETE", "/users/nobody/auth_tokens/token", 404),
        ("GET", "/roles?perPage=1001", 400),
        ("GET", "/roles?limit=1", 400),
    ],
)
def test_every_refusal_has_the_described_shape(
    simulator: Simulator, http: httpx.Client, method: str, path: str, status: int
) -> None:
    """A refusal has the shape of the contract's errors even where the contract has no operation."""
    response = http.request(method, simulator.base_url + path, headers={"apikey": simulator.api_key})
    assert (response.status_code, response.headers["content-type"]) == (status, "application/json")
    assert deviations(SCHEMAS["Error"], response.json()) == []


def test_the_rate_limit_is_refused_as_described(simulator: Simulator, http: httpx.Client) -> None:
    """A caller who is too fast gets the contract's error too."""
    simulator.rate_limit(0)
    response = http.get(f"{simulator.base_url}/roles", headers={"apikey": simulator.api_key})
    assert response.status_code == 429
    assert deviations(SCHEMAS["Error"], response.json()) == []


# One call after the other.

# Neither what separates terms, nor what a pattern may not repeat without end with.
LETTERS = st.characters(codec="utf-8", exclude_characters=",*+", exclude_categories=["C", "Z"])
WORDS = st.text(LETTERS, min_size=1, max_size=9)
ENTRIES = st.lists(WORDS, min_size=1, max_size=3)
SOMEBODY = st.sampled_from(["alice", "bob"])


class Life(RuleBasedStateMachine):
    """What a run of calls does, held against what it should have done."""

    simulator: ClassVar[Simulator]
    http: ClassVar[httpx.Client]

    def __init__(self) -> None:
        super().__init__()
        self.simulator.reset()
        self.lists = copy.deepcopy(self.simulator.keyword_lists)
        self.first_tokens = copy.deepcopy(self.simulator.auth_tokens)
        self.tokens = copy.deepcopy(self.simulator.auth_tokens)

    def ask(self, name: str, path: str, *, status: int = 200, **content: Any) -> Any:
        """One call, and its answer, which has to be the described one."""
        operation = OPERATIONS[name]
        response = self.http.request(
            operation.method.upper(),
            self.simulator.base_url + path,
            headers={"apikey": self.simulator.api_key},
            **content,
        )
        assert response.status_code == status
        assert errors_of(operation, response) == []
        return response.json()

    @rule(list_id=st.sampled_from(LISTS))
    def get(self, list_id: str) -> None:
        answer = self.ask("get_keyword_list", f"/moderation/keywords/{list_id}")
        assert answer["data"] == self.lists[list_id]

    @rule(
        list_id=st.sampled_from(LISTS),
        category=st.sampled_from(SCHEMAS["KeywordCategory"]["enum"]),
        entries=ENTRIES,
        name=st.none() | WORDS,
    )
    def update(self, list_id: str, category: str, entries: list[str], name: str | None) -> None:
        field = "disallowedSentences" if category == "sentence-similarity" else "searchTerms"
        sent = entries if field == "disallowedSentences" else [",".join(entries)]
        parts = [("category", category), *((field, each) for each in sent), *([("name", name)] if name else [])]
        files = [(key, (None, value.encode())) for key, value in parts]
        new = self.ask("update_keyword_list", f"/moderation/keywords/{list_id}", files=files)["data"]
        old = self.lists[list_id]
        assert (new["category"], new[field], new["isCSV"]) == (category, entries, False)
        assert new["name"] == (name or old["name"])
        assert {key: new[key] for key in ("id", "createdAt", "active")} == {
            key: old[key] for key in ("id", "createdAt", "active")
        }
        assert new["updatedAt"] > old["updatedAt"]
        assert new["revisionId"] != old["revisionId"]
        self.lists[list_id] = new

    @rule(uid=SOMEBODY, other=SOMEBODY, number=st.integers(0, 2))
    def delete(self, uid: str, other: str, number: int) -> None:
        """A token goes once, and only as its owner's."""
        token = self.first_tokens[other][number]
        alive = token in self.tokens[other]
        status = (200 if uid == other else 403) if alive else 404
        answer = self.ask("delete_auth_token", f"/users/{uid}/auth_tokens/{token}", status=status)
        if status == 200:
            assert answer["data"]["success"] is True
            self.tokens[uid].remove(token)
            self.ask("delete_auth_token", f"/users/{uid}/auth_tokens/{token}", status=404)

    @rule(page=st.integers(1, 9), per_page=st.integers(1, 30))
    def roles(self, page: int, per_page: int) -> None:
        answer = self.ask("list_roles", "/roles", params={"page": page, "perPage": per_page})
        every = self.simulator.roles
        assert answer["data"] == every[(page - 1) * per_page : page * per_page]
        assert answer["meta"]["pagination"] == {
            "total": len(every),
            "count": len(answer["data"]),
            "per_page": per_page,
            "current_page": page,
            "total_pages": -(-len(every) // per_page),
        }

    @rule(limit=st.integers(1, 400))
    def reviewed_messages(self, limit: int) -> None:
        answer = self.ask("list_reviewed_messages", "/moderation/reviewed-messages", params={"limit": limit})
        assert answer["data"] == self.simulator.reviewed_messages[:limit]
        assert answer["meta"]["current"] == {"limit": limit, "count": len(answer["data"])}

    @invariant()
    def nothing_else_happened(self) -> None:
        assert self.simulator.keyword_lists == self.lists
        assert self.simulator.auth_tokens == self.tokens
        assert self.simulator.damage == []


def test_a_run_of_calls_leaves_what_it_should(simulator: Simulator, http: httpx.Client) -> None:
    """An update shows in the next get, a deleted token is gone, and no call changes anything else."""
    here = type("LifeHere", (Life,), {"simulator": simulator, "http": http})
    run_state_machine_as_test(here, settings=settings(REPRODUCIBLE, max_examples=15, stateful_step_count=20))
