"""Messages: the app, the next step, and the names that users type, not those of functions and
arguments."""

from pathlib import Path
from typing import Literal

import pytest

from cometchat_testing import Simulator

from .conftest import CommandLine, app

LIST = "profanity-list"


def journal_of(cli: CommandLine) -> list[Path]:
    return [path for path in cli.folder.rglob("*") if "journal" in path.name]


def update(cli: CommandLine, *options: str) -> None:
    done = cli("keywords", "add", LIST, "new", "--yes", *options)
    assert done.code == 0, done


def test_missing_list(cli: CommandLine, simulator: Simulator) -> None:
    """For a list that does not exist, the message says which command shows the known ones."""
    cli.profiles(app("shop", simulator))
    fault = (
        f'There is no list "profanity-lsit" in shop ({simulator.base_url}). Check its identifier'
    )
    for typed in (["get", "profanity-lsit"], ["add", "profanity-lsit", "phishing", "--yes"]):
        done = cli("keywords", *typed, "--app", "shop")
        assert (done.code, fault in done.err) == (5, True)
        assert "keywords status shows the lists that are known here." in done.err


@pytest.mark.parametrize(
    ("status", "code"), [(400, "ERR_KEYWORD_NOT_FOUND"), (404, "ERR_LIST_UNKNOWN"), (404, None)]
)
def test_missing_list_by_its_code_or_its_status(
    cli: CommandLine, simulator: Simulator, status: int, code: str | None
) -> None:
    """A missing list is recognised by the code of the service with any status, and by 404 with
    another code."""
    simulator.fail(
        "get_keyword_list", status=status, body={"error": {"code": code, "message": "Not there."}}
    )
    done = cli("keywords", "get", LIST)
    assert (done.code, f'no list "{LIST}"' in done.line) == (5, True)


@pytest.mark.parametrize("typed", ["list", "export --output all.jsonl", "watch"])
def test_too_many_records(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """If the service refuses the number of records, the message says what to do."""
    simulator.fail("list_reviewed_messages", status=400)
    done = cli("reviewed", *typed.split(), "--limit", "5000")
    assert (done.code, "try a smaller --limit, such as 1000" in done.err) == (8, True)


@pytest.mark.parametrize("content", [None, "no database"])
def test_unknown_list_without_a_journal(cli: CommandLine, content: str | None) -> None:
    """Without a usable journal, the message about the list is still one line, and no journal is
    created."""
    if content is not None:
        cli.env.setenv("COMETCHAT_JOURNAL", str(cli.write("my-journal.db", content)))
    before = journal_of(cli)
    done = cli("keywords", "get", "profanity-lsit")
    assert done.code == 5
    assert 'no list "profanity-lsit"' in done.line
    assert journal_of(cli) == before


@pytest.mark.parametrize(
    "body", [{"error": {"code": "ERR_API_NOT_FOUND", "message": "No such path."}}, "<html>"]
)
def test_unknown_path_is_not_an_unknown_list(
    cli: CommandLine, simulator: Simulator, body: str | dict[str, object]
) -> None:
    """A 404 for the path or from a proxy keeps its message: the address is wrong, not the list."""
    simulator.fail("get_keyword_list", status=404, body=body)
    done = cli("keywords", "get", LIST)
    assert (done.code, "no list" in done.line, "404" in done.line) == (5, False, True)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Retry-After": "90"}, "Wait 90 seconds, then try again."),
        ({"Retry-After": "60.5"}, "Wait 61 seconds, then try again."),
        ({}, "Wait 60 seconds, then try again."),
    ],
)
def test_seconds_to_wait(
    cli: CommandLine, simulator: Simulator, headers: dict[str, str], words: str
) -> None:
    """The message for too many requests states the seconds to wait."""
    simulator.fail("list_reviewed_messages", status=429, headers=headers, times=None)
    done = cli("reviewed", "list")
    assert (done.code, done.line.endswith(words)) == (7, True)


Operation = Literal[
    "get_keyword_list", "update_keyword_list", "list_reviewed_messages", "delete_auth_token"
]

#: The operation that fails, and the command that needs it.
COMMANDS: list[tuple[Operation, list[str]]] = [
    ("get_keyword_list", ["keywords", "get", "profanity-list"]),
    ("update_keyword_list", ["keywords", "apply", "profanity-list", "list.txt", "--yes"]),
    ("list_reviewed_messages", ["reviewed", "list"]),
    ("delete_auth_token", ["auth-tokens", "revoke", "alice", "--yes"]),
]


@pytest.mark.parametrize("status", [401, 403, 404, 500, None])
@pytest.mark.parametrize(
    ("operation", "typed"), COMMANDS, ids=[operation for operation, _ in COMMANDS]
)
def test_no_function_names(
    cli: CommandLine,
    simulator: Simulator,
    operation: Operation,
    typed: list[str],
    status: int | None,
) -> None:
    """No message shows the name of an operation or a function."""
    cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    if status is None:
        simulator.fail(operation, cut="before_headers", times=None)
    else:
        simulator.fail(operation, status=status, times=None)
    done = cli(*typed, stdin=simulator.auth_tokens["alice"][0])
    assert done.code != 0
    assert operation not in done.out + done.err


@pytest.mark.parametrize(
    "typed", [["reviewed", "list"], ["keywords", "get", "profanity-list"]], ids=" ".join
)
def test_hint_to_check(cli: CommandLine, typed: list[str]) -> None:
    """The message for a refused key or a failed connection names the command that finds the
    cause."""
    cli.env.setenv("COMETCHAT_API_KEY", "another")
    assert "run cometchat-desk check" in cli(*typed).line
    cli.env.setenv("COMETCHAT_BASE_URL", "http://127.0.0.1:1/v3")
    assert "run cometchat-desk check" in cli(*typed).line


def test_profiles_keep_their_own_names(bare_cli: CommandLine) -> None:
    """The message for a setting in a profile has the name from the profile, not the name of an
    option."""
    bare_cli.profiles('[apps.shop]\napp_id = "a.b"\napi_key = "k"\n')
    line = bare_cli("reviewed", "list", "--app", "shop").line
    assert "app_id" in line
    assert "[apps.shop]" in line
    assert "--app-id" not in line
