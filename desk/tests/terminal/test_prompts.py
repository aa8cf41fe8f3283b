"""Questions at the terminal: yes or no, keys and tokens, which are not shown."""

import re
import time
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ..pseudo_terminal import Terminal, screen_of, text_of

LIST = "profanity-list"


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("", 1), ("y", 0)])
def test_question(
    env: dict[str, str], folder: Path, simulator: Simulator, answer: str, code: int
) -> None:
    """At a terminal, the plan is shown in colour with a question. Only a yes changes the list."""
    before = simulator.keyword_lists[LIST]
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("\x1b[32m+ 新しい")
        terminal.see(f"Update {LIST} in the app at {simulator.base_url}? [y/N] ")
        terminal.answer(answer)
        assert terminal.end() == code
    updated = answer == "y"
    assert (f"{LIST} updated: " in text_of(screen_of(terminal.output, 80))) is updated
    assert (simulator.keyword_lists[LIST] != before) is updated


def test_ctrl_c_at_a_question(env: dict[str, str], folder: Path, simulator: Simulator) -> None:
    """Ctrl-C at a question changes nothing, and ends with 130 and one line."""
    before = simulator.keyword_lists[LIST]
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("[y/N] ")
        terminal.interrupt()
        assert terminal.end() == 130
        assert text_of(screen_of(terminal.output, 80)).endswith("\ncometchat-desk: interrupted.")
    assert simulator.keyword_lists[LIST] == before


def test_ctrl_c_before_the_question_of_sync(
    env: dict[str, str], tmp_path: Path, simulator: Simulator
) -> None:
    """Ctrl-C while a folder is compared, or at the question, ends at once with 130, and no
    update is sent."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / f"{LIST}.txt").write_text("spam\n", "utf-8")
    (tmp_path / "lists" / "default-profanity.txt").write_text("phishing\nspam\nscam\n", "utf-8")
    arguments = ["keywords", "sync", "lists", "--max-removed", "100%"]
    simulator.fail("get_keyword_list", delay=60)
    with Terminal(arguments, env, folder=tmp_path) as terminal:
        terminal.see("Comparing lists")
        while not simulator.requests:
            time.sleep(0.01)
        terminal.interrupt()
        assert terminal.end() == 130
        assert text_of(screen_of(terminal.output, 80)).endswith("cometchat-desk: interrupted.")
    with Terminal(arguments, env, folder=tmp_path) as terminal:
        terminal.see("[y/N] ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert {request.method for request in simulator.requests} == {"GET"}


def test_typed_key(env: dict[str, str], simulator: Simulator) -> None:
    """Without a key, a prompt asks for it, and does not show it."""
    del env["COMETCHAT_API_KEY"]
    with Terminal(["reviewed", "list"], env) as terminal:
        terminal.see("API key (not shown): ")
        terminal.answer(simulator.api_key)
        assert terminal.end() == 0
        assert simulator.api_key not in terminal.output
        assert "alice" in terminal.output


def test_typed_token(env: dict[str, str], simulator: Simulator) -> None:
    """A prompt asks for a token and does not show it. The token is revoked after a yes."""
    token = simulator.auth_tokens["alice"][0]
    with Terminal(["auth-tokens", "revoke", "alice"], env) as terminal:
        terminal.see("Token (not shown): ")
        terminal.answer(token)
        terminal.see("Revoke 1 token of alice in ")
        terminal.see("stay valid. [y/N] ")
        terminal.answer("yes")
        assert terminal.end() == 0
        assert token not in terminal.output
        assert "revoked" in terminal.output
    assert token not in simulator.auth_tokens["alice"]


def test_invalid_typed_token(env: dict[str, str], simulator: Simulator) -> None:
    """The message for an invalid token that was typed does not speak of a line of stdin."""
    with Terminal(["auth-tokens", "revoke", "alice"], env) as terminal:
        terminal.see("(not shown): ")
        terminal.answer('"quoted"')
        assert terminal.end() == 2
        assert "cometchat-desk: the typed text" in terminal.output
    assert simulator.requests == []


@pytest.mark.parametrize("columns", [40, 80])
def test_plan_ends_its_lines_at_words(
    env: dict[str, str], simulator: Simulator, columns: int
) -> None:
    """A terminal shows the lines of a plan in lines that end at words, except those of entries,
    which can be copied."""
    entry = "free coins and " * 6 + "more"
    simulator.keyword_lists[LIST]["category"] = "sentence-similarity"
    with Terminal(["keywords", "add", LIST, entry, "--dry-run"], env, columns=columns) as terminal:
        assert terminal.end() == 0
        lines = [
            line.rstrip()
            for line in re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", terminal.output).splitlines()
        ]
    assert [line for line in lines if len(line) > columns] == [f"+ {entry}"]
    assert f"list {LIST} (sentence-similarity): 6 entries now, 7 after this" in " ".join(lines)


@pytest.mark.parametrize(
    "arguments",
    ["--help", "keywords --help", "keywords lint --list-rules", "reviewed list --limit 2"],
)
def test_texts_fit_into_a_narrow_terminal(env: dict[str, str], arguments: str) -> None:
    """In a terminal of 40 columns, no line of the help, of the rules and of a table is longer."""
    with Terminal(arguments.split(), env, columns=40) as terminal:
        assert terminal.end() == 0
        lines = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", terminal.output).splitlines()
    assert 20 < max(len(line.rstrip()) for line in lines) <= 40


def test_texts_end_their_lines_at_words(env: dict[str, str], simulator: Simulator) -> None:
    """A terminal shows questions and errors in lines that end at words."""
    terms = ["x" * 30, "y" * 30]
    with Terminal(
        ["keywords", "add", LIST, *terms, "--app-id", "x", "--app", "shop"], env
    ) as terminal:
        assert terminal.end() == 2
        shown = text_of(screen_of(terminal.output, 80))
    assert "\n" in shown
    assert "cannot be combined with --app-id, --region or --base-url" in shown.replace("\n", " ")
    assert simulator.requests == []
