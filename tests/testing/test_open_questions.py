"""The simulator gives both answers to each question that the contract leaves open and that a
client depends on."""

from typing import Any

import pytest

from cometchat_testing import Simulator

from .service_calls import client_of

QUESTIONS = {
    "omitted_fields": "'kept' or 'cleared'",
    "page_parameter": "'page' or 'ignored'",
    "quotes": "'shown' or 'removed'",
    "unknown_token": "'error' or 'success'",
    "hidden_entries": "'none' or 'missing' or 'empty'",
}


@pytest.mark.parametrize(("answer", "page"), [("page", 2), ("ignored", 1)])
def test_page_parameter(answer: Any, page: int) -> None:
    """The list of roles knows the parameter `page`, or always returns its first page."""
    with Simulator(page_parameter=answer) as simulator, client_of(simulator) as client:
        listed = client.get("/roles", params={"page": 2, "perPage": 5}).json()
        assert listed["meta"]["pagination"]["current_page"] == page
        assert listed["data"] == simulator.roles[5 * (page - 1) : 5 * page]


@pytest.mark.parametrize(("answer", "shown"), [("missing", None), ("empty", [])])
def test_hidden_entries(answer: Any, shown: object) -> None:
    """The service shows no entries of patterns, of sentences and of a CSV file, also after an
    update; it shows other words, and keeps all."""
    with Simulator(hidden_entries=answer) as simulator, client_of(simulator) as client:
        before = dict(simulator.keyword_lists)
        for keyword_id, record in before.items():
            found = client.get(f"/moderation/keywords/{keyword_id}").json()["data"]
            assert "disallowedSentences" not in found
            if record["category"] == "word" and not record["isCSV"]:
                assert found == record
            else:
                assert found.get("searchTerms") == shown
        path = "/moderation/keywords/scam-patterns"
        form = {"category": (None, "pattern"), "searchTerms": (None, "a,b")}
        updated = client.put(path, files=form).json()["data"]
        assert updated.get("searchTerms") == shown
        assert simulator.keyword_lists["scam-patterns"]["searchTerms"] == ["a", "b"]
        assert simulator.keyword_lists["threat-sentences"] == before["threat-sentences"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_another_answer_is_refused(question: str) -> None:
    """Any other answer is a ValueError that names all answers."""
    settings: dict[str, Any] = {question: "maybe"}
    with pytest.raises(
        ValueError, match=f"^{question} must be {QUESTIONS[question]}, not 'maybe'$"
    ):
        Simulator(**settings)
