"""The simulator against the contract: a sequence of calls has the expected effects, and no
others."""

import copy
from typing import Any, ClassVar

import httpx
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from cometchat_testing import Simulator

from .description import OPERATIONS, REPRODUCIBLE, SCHEMAS, deviations

LISTS = ("profanity-list", "scam-patterns", "threat-sentences")
# Without the comma, which separates terms, and without unbounded quantifiers, which a pattern must
# not contain.
LETTERS = st.characters(codec="utf-8", exclude_characters=",*+", exclude_categories=["C", "Z"])
WORDS = st.text(LETTERS, min_size=1, max_size=9)
ENTRIES = st.lists(WORDS, min_size=1, max_size=3)
UIDS = st.sampled_from(["alice", "bob"])
#: Few limits, so that equal responses occur: the validator takes a second for a hundred records,
#: and only once.
LIMITS = st.sampled_from([1, 2, 49, 50, 51, 100, 101, 400])


class CallSequence(RuleBasedStateMachine):
    """Compares the effects of a sequence of calls with the expected effects."""

    simulator: ClassVar[Simulator]
    http: ClassVar[httpx.Client]

    def __init__(self) -> None:
        super().__init__()
        self.simulator.reset()
        self.lists = copy.deepcopy(self.simulator.keyword_lists)
        self.first_tokens = copy.deepcopy(self.simulator.auth_tokens)
        self.tokens = copy.deepcopy(self.simulator.auth_tokens)

    def send(self, name: str, path: str, *, status: int = 200, **content: Any) -> Any:
        """Send a request, check that the response is valid, and return it."""
        operation = OPERATIONS[name]
        response = self.http.request(
            operation.method.upper(),
            self.simulator.base_url + path,
            headers={"apikey": self.simulator.api_key},
            **content,
        )
        assert response.status_code == status
        assert (
            deviations(
                operation.response_schema if status == 200 else SCHEMAS["Error"], response.json()
            )
            == []
        )
        return response.json()

    @rule(keyword_id=st.sampled_from(LISTS))
    def get(self, keyword_id: str) -> None:
        response = self.send("get_keyword_list", f"/moderation/keywords/{keyword_id}")
        assert response["data"] == self.lists[keyword_id]

    @rule(
        keyword_id=st.sampled_from(LISTS),
        category=st.sampled_from(SCHEMAS["KeywordCategory"]["enum"]),
        entries=ENTRIES,
        name=st.none() | WORDS,
    )
    def update(self, keyword_id: str, category: str, entries: list[str], name: str | None) -> None:
        field = "disallowedSentences" if category == "sentence-similarity" else "searchTerms"
        sent = entries if field == "disallowedSentences" else [",".join(entries)]
        parts = [
            ("category", category),
            *((field, each) for each in sent),
            *([("name", name)] if name else []),
        ]
        files = [(key, (None, value.encode())) for key, value in parts]
        new = self.send("update_keyword_list", f"/moderation/keywords/{keyword_id}", files=files)[
            "data"
        ]
        old = self.lists[keyword_id]
        assert (new["category"], new[field], new["isCSV"]) == (category, entries, False)
        assert new["name"] == (name or old["name"])
        assert {key: new[key] for key in ("id", "createdAt", "active")} == {
            key: old[key] for key in ("id", "createdAt", "active")
        }
        assert new["updatedAt"] > old["updatedAt"]
        assert new["revisionId"] != old["revisionId"]
        self.lists[keyword_id] = new

    @rule(uid=UIDS, other=UIDS, number=st.integers(0, 2))
    def delete(self, uid: str, other: str, number: int) -> None:
        """A token can be deleted once, and only for its user."""
        token = self.first_tokens[other][number]
        alive = token in self.tokens[other]
        status = (200 if uid == other else 403) if alive else 404
        response = self.send(
            "delete_auth_token", f"/users/{uid}/auth_tokens/{token}", status=status
        )
        if status == 200:
            assert response["data"]["success"] is True
            self.tokens[uid].remove(token)
            self.send("delete_auth_token", f"/users/{uid}/auth_tokens/{token}", status=404)

    @rule(page=st.integers(1, 9), per_page=st.integers(1, 30))
    def roles(self, page: int, per_page: int) -> None:
        response = self.send("list_roles", "/roles", params={"page": page, "perPage": per_page})
        every = self.simulator.roles
        assert response["data"] == every[(page - 1) * per_page : page * per_page]
        assert response["meta"]["pagination"] == {
            "total": len(every),
            "count": len(response["data"]),
            "per_page": per_page,
            "current_page": page,
            "total_pages": -(-len(every) // per_page),
        }

    @rule(limit=LIMITS)
    def reviewed_messages(self, limit: int) -> None:
        response = self.send(
            "list_reviewed_messages", "/moderation/reviewed-messages", params={"limit": limit}
        )
        assert response["data"] == self.simulator.reviewed_messages[:limit]
        assert response["meta"]["current"] == {"limit": limit, "count": len(response["data"])}

    @invariant()
    def nothing_else_happened(self) -> None:
        assert self.simulator.keyword_lists == self.lists
        assert self.simulator.auth_tokens == self.tokens
        assert self.simulator.damage == []


def test_sequence_of_calls_has_no_other_effects(simulator: Simulator) -> None:
    """After an update, get returns the new list; after a deletion, the token is deleted; nothing
    else changes."""
    with httpx.Client(trust_env=False, timeout=60) as http:
        here = type("BoundCallSequence", (CallSequence,), {"simulator": simulator, "http": http})
        run_state_machine_as_test(
            here, settings=settings(REPRODUCIBLE, max_examples=15, stateful_step_count=20)
        )
