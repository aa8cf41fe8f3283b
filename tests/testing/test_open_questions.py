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
}


@pytest.mark.parametrize(("answer", "page"), [("page", 2), ("ignored", 1)])
def test_page_parameter(answer: Any, page: int) -> None:
    """The list of roles knows the parameter `page`, or always returns its first page."""
    with Simulator(page_parameter=answer) as simulator, client_of(simulator) as client:
        listed = client.get("/roles", params={"page": 2, "perPage": 5}).json()
        assert listed["meta"]["pagination"]["current_page"] == page
        assert listed["data"] == simulator.roles[5 * (page - 1) : 5 * page]


@pytest.mark.parametrize("question", QUESTIONS)
def test_another_answer_is_refused(question: str) -> None:
    """Any other answer is a ValueError that names both answers."""
    settings: dict[str, Any] = {question: "maybe"}
    with pytest.raises(
        ValueError, match=f"^{question} must be {QUESTIONS[question]}, not 'maybe'$"
    ):
        Simulator(**settings)
