"""Messages: the app, the next step, and the names that users type, not those of functions and arguments."""

from __future__ import annotations

from typing import Literal

import pytest

from cometchat_rest.testing import Simulator

from .conftest import CommandLine

Operation = Literal[
    "get_keyword_list", "update_keyword_list", "list_reviewed_messages", "list_roles", "delete_auth_token"
]

#: The operation that fails, and the command that needs it.
COMMANDS: list[tuple[Operation, list[str]]] = [
    ("get_keyword_list", ["keywords", "get", "profanity-list"]),
    ("update_keyword_list", ["keywords", "apply", "profanity-list", "list.txt", "--yes", "--settle-within", "0"]),
    ("list_reviewed_messages", ["reviewed", "list"]),
    ("list_roles", ["roles", "list"]),
    ("delete_auth_token", ["auth-tokens", "revoke", "alice", "--yes"]),
]


@pytest.mark.parametrize("status", [401, 403, 404, 500, None])
@pytest.mark.parametrize(("operation", "typed"), COMMANDS, ids=[operation for operation, _ in COMMANDS])
def test_no_function_names(
    cli: CommandLine, simulator: Simulator, operation: Operation, typed: list[str], status: int | None
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


@pytest.mark.parametrize("typed", [["roles", "list"], ["keywords", "get", "profanity-list"]], ids=" ".join)
def test_hint_to_check(cli: CommandLine, typed: list[str]) -> None:
    """The message for a refused key or a failed connection names the command that finds the cause."""
    cli.env.setenv("COMETCHAT_API_KEY", "another")
    assert "run cometchat-desk check" in cli(*typed).line
    cli.env.setenv("COMETCHAT_BASE_URL", "http://127.0.0.1:1/v3")
    assert "run cometchat-desk check" in cli(*typed).line


def test_profiles_keep_their_own_names(bare_cli: CommandLine) -> None:
    """The message for a setting in a profile has the name from the profile, not the name of an option."""
    bare_cli.profiles('[apps.shop]\napp_id = "a.b"\napi_key = "k"\n')
    line = bare_cli("roles", "list", "--app", "shop").line
    assert "app_id" in line
    assert "[apps.shop]" in line
    assert "--app-id" not in line
