"""Plans as JSON values: stored, read again, and refused if they were changed."""

import hashlib
import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.stored import Approval, plans_from_dict, plans_to_dict
from cometchat_rest import (
    InvalidRequestError,
    KeywordList,
    KeywordPlan,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest.keyword_input import from_terms

from .test_plan_text import fetched

compare = partial(KeywordPlan.compare, change_category=True)
APPROVAL = Approval(author="ann", time="today", reason="", max_removed=0.2)

derandomized = settings(derandomize=True, deadline=None, database=None)
texts = st.text(st.characters(codec="utf-8")).filter(str.strip)


def stored(plan: KeywordPlan) -> Any:
    """The plan after a way through a JSON file."""
    return json.loads(json.dumps(plans_to_dict({"shop": plan}, APPROVAL)))


def sealed_again(content: dict[str, Any]) -> dict[str, Any]:
    """The content with a valid checksum, as an attacker could make it."""
    rest = {name: value for name, value in content.items() if name != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "checksum": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


def with_plan(**values: Any) -> dict[str, Any]:
    """A stored plan with other values."""
    content = stored(PLANS["words"])
    content["plans"]["shop"].update(values)
    return dict(content)


PLANS = {
    "words": compare(
        "list",
        fetched("a", "b"),
        from_terms("word", ["b", "c"]),
        base_url="https://chat.example/v3",
    ),
    "named": compare(
        "list", fetched("a"), WordListInput(search_terms=["a", "b"], name="New", description="x")
    ),
    "file": compare("list", fetched("a"), from_terms("pattern", ["x{1,3}", "b"], id="list")),
    "sentences": compare(
        "list",
        fetched(category="sentence-similarity", disallowedSentences=["Go, now."], searchTerms=None),
        SentenceSimilarityListInput(disallowed_sentences=["Leave, now."]),
    ),
    "hidden entries": compare("list", fetched(searchTerms=None), WordListInput(search_terms=["a"])),
    "odd list": compare(
        "list",
        KeywordList.from_dict({"category": 5, "x": [1.5, None, {"y": "\ud800"}]}),
        from_terms("word", ["a"]),
    ),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_round_trip(plan: KeywordPlan) -> None:
    """A plan that is stored as JSON and read again is equal, with the same list, text and stored
    form."""
    plans, approval = plans_from_dict(stored(plan))
    assert (plans, approval) == ({"shop": plan}, APPROVAL)
    again = plans["shop"]
    assert again.keyword_list.to_dict() == plan.keyword_list.to_dict()
    assert str(again) == str(plan)
    assert stored(again) == stored(plan)


@derandomized
@given(old=st.lists(texts), new=st.lists(texts, min_size=1), from_file=st.booleans())
def test_round_trip_of_any_texts(old: list[str], new: list[str], *, from_file: bool) -> None:
    """Entries in any script survive."""
    plan = compare("list", fetched(*old, isCSV=from_file), from_terms("word", new))
    assert plans_from_dict(stored(plan)) == ({"shop": plan}, APPROVAL)


def test_content() -> None:
    """A stored plan shows its version, its app, the revision, and the added and removed entries
    to people."""
    whole = plans_to_dict({"shop": PLANS["words"]}, APPROVAL)
    content = whole["plans"]["shop"]
    assert whole["version"] == 6
    assert (content["keyword_id"], content["base_url"]) == ("list", "https://chat.example/v3")
    assert (content["revision_id"], content["added"], content["removed"]) == ("r_1", ["c"], ["a"])
    assert whole["checksum"].startswith("sha256:")
    content["keyword_list"]["searchTerms"].clear()
    again = stored(PLANS["words"])["plans"]["shop"]
    assert again["keyword_list"]["searchTerms"] == ["a", "b"]


@pytest.mark.parametrize("name", [name for name in stored(PLANS["words"]) if name != "version"])
def test_changed_plan_is_refused(name: str) -> None:
    """A stored plan with any other value, or without a value, is refused."""
    content = stored(PLANS["words"])
    for edited in (
        {**content, name: "changed"},
        {key: value for key, value in content.items() if key != name},
    ):
        with pytest.raises(InvalidRequestError, match=r"changed after it was stored|is not a plan"):
            plans_from_dict(edited)
    assert plans_from_dict(content) == ({"shop": PLANS["words"]}, APPROVAL)


def test_inconsistent_plan_is_refused() -> None:
    """If the shown entries differ from those that would change, the plan is refused in spite of
    a valid checksum."""
    content = stored(PLANS["words"])
    content["plans"]["shop"]["removed"] = []
    content = sealed_again(content)
    with pytest.raises(
        InvalidRequestError, match="another release of cometchat-desk made this plan"
    ):
        plans_from_dict(content)


@pytest.mark.parametrize("version", [1, 5, "6", None])
def test_other_version_is_refused(version: Any) -> None:
    """A plan in the form of another release is refused, and the message says what to do."""
    with pytest.raises(
        InvalidRequestError,
        match="another release of cometchat-desk made this plan; make a new plan",
    ):
        plans_from_dict({**stored(PLANS["words"]), "version": version})


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "plan",
        {},
        {"version": 6},
        sealed_again({"version": 6}),
        sealed_again({**stored(PLANS["words"]), "approval": {"author": "ann"}}),
        sealed_again(
            {
                **stored(PLANS["words"]),
                "approval": {**stored(PLANS["words"])["approval"], "max_removed": 7},
            }
        ),
        sealed_again(with_plan(new=[])),
        sealed_again(with_plan(new={})),
        sealed_again(with_plan(new={"category": "word", "file": "a.csv"})),
        sealed_again(with_plan(new={"category": "word", "terms": [1]})),
        sealed_again(with_plan(new={"category": "word", "terms": 5})),
        sealed_again(with_plan(keyword_list=[])),
    ],
    ids=lambda content: str(content)[:60],
)
def test_other_content_is_refused(content: Any) -> None:
    """Anything else than a stored plan is an InvalidRequestError."""
    with pytest.raises(InvalidRequestError):
        plans_from_dict(content)
