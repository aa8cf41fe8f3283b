"""The simulator gives both answers to each question that the contract leaves open and that a client depends on."""

from typing import Any

import pytest

from cometchat_rest.testing import Simulator

from .service_calls import LIST, TERMS, WORD, client_of, form

QUESTIONS = {
    "omitted_fields": "'kept' or 'cleared'",
    "page_parameter": "'page' or 'ignored'",
    "quotes": "'shown' or 'removed'",
    "unknown_token": "'error' or 'success'",
}


@pytest.mark.parametrize(("answer", "name"), [("kept", "Profanity"), ("cleared", "")])
def test_omitted_fields(answer: Any, name: str) -> None:
    """An update without a name keeps the name of the list, or clears it."""
    with Simulator(omitted_fields=answer) as simulator, client_of(simulator) as client:
        simulator.keyword_lists["profanity-list"]["name"] = "Profanity"
        assert client.put(LIST, files=form(WORD, TERMS)).json()["data"]["name"] == name


@pytest.mark.parametrize(("answer", "page"), [("page", 2), ("ignored", 1)])
def test_page_parameter(answer: Any, page: int) -> None:
    """The list of roles knows the parameter `page`, or always returns its first page."""
    with Simulator(page_parameter=answer) as simulator, client_of(simulator) as client:
        found = client.get("/roles", params={"page": 2, "perPage": 5}).json()
        assert found["meta"]["pagination"]["current_page"] == page
        assert found["data"] == simulator.roles[5 * (page - 1) : 5 * page]


@pytest.mark.parametrize(("answer", "shown"), [("shown", ['"a ""b"" c"', "d"]), ("removed", ['a "b" c', "d"])])
def test_quotes(answer: Any, shown: list[str]) -> None:
    """A list that was made from a CSV file shows the double quotes of the file, or not."""
    with Simulator(quotes=answer) as simulator, client_of(simulator) as client:
        sent = form(WORD, ("searchTerms", ""), file=b'"a ""b"" c"\nd\n')
        assert client.put(LIST, files=sent).json()["data"]["searchTerms"] == shown


@pytest.mark.parametrize(("answer", "status"), [("error", 404), ("success", 200)])
def test_unknown_token(answer: Any, status: int) -> None:
    """The deletion of a token that does not exist is an error, or a success; the other tokens stay."""
    with Simulator(unknown_token=answer) as simulator, client_of(simulator) as client:
        before = list(simulator.auth_tokens["alice"])
        assert client.delete("/users/alice/auth_tokens/no-such-token").status_code == status
        assert simulator.auth_tokens["alice"] == before


@pytest.mark.parametrize("question", QUESTIONS)
def test_another_answer_is_refused(question: str) -> None:
    """Any other answer is a ValueError that names both answers."""
    settings: dict[str, Any] = {question: "maybe"}
    with pytest.raises(ValueError, match=f"^{question} must be {QUESTIONS[question]}, not 'maybe'$"):
        Simulator(**settings)
