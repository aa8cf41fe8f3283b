"""`cometchat-desk auth-tokens revoke`: tokens from stdin, never as arguments."""

import json

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine, app


def outcomes(out: str) -> list[tuple[str, str]]:
    return [(record["uid"], record["outcome"]) for record in map(json.loads, out.splitlines())]


def test_tokens_of_one_user(cli: CommandLine, simulator: Simulator) -> None:
    """Each line of stdin, after a byte order mark, is a token of the user; one that is already
    gone is not an error."""
    first, second, third = simulator.auth_tokens["alice"]
    done = cli(
        "auth-tokens",
        "revoke",
        "alice",
        "--yes",
        stdin=f"\ufeff{first}\r\n\n  {second}\nalice_gone\n",
    )
    assert done.code == 0
    assert outcomes(done.out) == [
        ("alice", "revoked"),
        ("alice", "revoked"),
        ("alice", "not_found"),
    ]
    assert simulator.auth_tokens["alice"] == [third]
    assert simulator.damage == []


def test_tokens_of_several_users(cli: CommandLine, simulator: Simulator) -> None:
    """Without a user, each line of stdin names its user and a token, as `USER,TOKEN`."""
    (first, *_), (second, *kept) = simulator.auth_tokens["alice"], simulator.auth_tokens["bob"]
    lines = f"alice,{first}\r\n\nbob, {second}\n"
    asked = cli("auth-tokens", "revoke", "--dry-run", stdin=lines)
    assert "This would revoke 2 tokens of 2 users in " in asked.line
    done = cli("auth-tokens", "revoke", "--yes", stdin=lines)
    assert outcomes(done.out) == [("alice", "revoked"), ("bob", "revoked")]
    assert simulator.auth_tokens["bob"] == kept


def test_a_failure_stops_no_other_revocation(cli: CommandLine, simulator: Simulator) -> None:
    """A failure stops no other revocation, and sets the exit code; with --dry-run, nothing is
    sent."""
    lines = "\n".join(simulator.auth_tokens["alice"][:2])
    command = ("auth-tokens", "revoke", "alice", "--yes")
    assert "This would revoke 2 tokens of alice in " in cli(*command, "--dry-run", stdin=lines).line
    assert simulator.requests == []
    simulator.fail("delete_auth_token", status=403)
    done = cli(*command, stdin=lines)
    assert sorted(outcomes(done.out)) == [("alice", "failed"), ("alice", "revoked")]
    assert (done.code, done.line) == (
        4,
        "cometchat-desk: 1 of 2 tokens may still be valid; run the command again",
    )


#: A token as the service makes them.
TOKEN = f"alice_1700000000{'0123456789abcdef' * 2}"


@pytest.mark.parametrize(
    ("user", "text", "part"),
    [
        *(
            (
                "alice",
                f"alice{mark}{TOKEN}",
                "line 1 of standard input must hold one token and nothing else",
            )
            for mark in ",; "
        ),
        *(
            ("", text, "line 1 of standard input must hold USER,TOKEN")
            for text in (TOKEN, f"{TOKEN},alice")
        ),
        (
            "",
            "uid,authToken",
            "and nothing else, in printable ASCII; copy it again, without a title",
        ),
        *(("", f"alice{mark}{TOKEN}", "write a comma after USER") for mark in "; \t"),
        ("", f",{TOKEN}", ""),
        *(
            ("alice", text, "line 1 of standard input")
            for text in (
                f'"{TOKEN}"',
                f"'{TOKEN}'",
                f"\u201c{TOKEN}\u201d",
                f"{TOKEN}\u200b",
                f"\x1b{TOKEN}",
            )
        ),
        *(
            ("alice", f"{TOKEN[:9]}{gap}{TOKEN[9:]}", "line 1 of standard input")
            for gap in (" ", "\xa0")
        ),
        ("alice", TOKEN.encode("utf-16"), "line 1 of standard input"),
        *(
            (user, token, "")
            for user, token in (("..", "x"), ("alice", ".."), ("alice", "."), ("alice/", "x"))
        ),
    ],
)
def test_refused_input(
    cli: CommandLine, simulator: Simulator, user: str, text: str | bytes, part: str
) -> None:
    """What is no token of a user, or would address more than it, is refused by its line, and not
    shown or sent."""
    cli.write("tokens.csv", "")
    done = cli("auth-tokens", "revoke", *([user] if user else []), "--yes", stdin=text)
    assert (done.code, simulator.requests, simulator.damage) == (2, [], [])
    assert part in done.line
    assert TOKEN[-20:] not in done.out + done.err


def test_many_tokens(cli: CommandLine, simulator: Simulator) -> None:
    """Any number of tokens is revoked, and the outcomes come in the order of the tokens."""
    tokens = [f"alice_{number:04}" for number in range(150)]
    simulator.auth_tokens["alice"] = tokens[::2]
    done = cli("auth-tokens", "revoke", "alice", "--yes", stdin="\n".join(tokens))
    assert [outcome for _, outcome in outcomes(done.out)] == ["revoked", "not_found"] * 75


def test_lost_response(cli: CommandLine, simulator: Simulator) -> None:
    """If no response arrives, the error says that revoking the token again is safe, and it is."""
    token = simulator.auth_tokens["alice"][0]
    simulator.fail("delete_auth_token", cut="after_processing", times=3)
    done = cli("auth-tokens", "revoke", "alice", "--yes", stdin=token)
    assert done.code == 12
    assert "Revoke it again: repeating a revocation is safe." in json.loads(done.out)["error"]
    assert done.line == "cometchat-desk: 1 of 1 token may still be valid; run the command again"
    assert outcomes(cli("auth-tokens", "revoke", "alice", "--yes", stdin=token).out) == [
        ("alice", "not_found")
    ]


def test_app_of_a_revocation(cli: CommandLine, simulator: Simulator) -> None:
    """The question and the result of a revocation name the app, and say that other sessions stay
    valid."""
    cli.profiles(app("shop", simulator))
    token = simulator.auth_tokens["alice"][0]
    asked = cli("auth-tokens", "revoke", "alice", "--app", "shop", stdin=token)
    assert (
        asked.code,
        "so nobody can answer: to agree in advance, add --yes. Nothing was changed." in asked.line,
    ) == (
        2,
        True,
    )
    place = f"shop ({simulator.base_url})"
    assert f"Revoke 1 token of alice in {place}? Other sessions of alice stay valid." in asked.line
    done = cli("auth-tokens", "revoke", "alice", "--app", "shop", "--yes", stdin=token)
    assert (
        done.line
        == f"Revoked 1 of 1 token of alice in {place}. Other sessions of alice stay valid."
    )
    record = json.loads(done.out)
    assert (record["outcome"], record["app"], record["base_url"]) == (
        "revoked",
        "shop",
        simulator.base_url,
    )


def test_token_that_is_not_found(cli: CommandLine) -> None:
    """A note says that an unknown token may be misspelt, and does not show it."""
    done = cli("auth-tokens", "revoke", "alice", "--yes", stdin="alice_gone\nlice_123\n")
    assert (done.code, outcomes(done.out)) == (0, [("alice", "not_found")] * 2)
    counted, note = done.err.splitlines()
    assert counted.startswith("Revoked 0 of 2 tokens of alice in ")
    assert note.startswith(
        "Note: the service does not know 2 tokens: a token may be deleted already, or misspelt. If"
    )
    assert note.endswith("it was misspelt, the right token is still valid.")
    assert "lice_123" not in done.out + done.err
    one = cli("auth-tokens", "revoke", "alice", "--yes", stdin="alice_gone\n")
    assert one.err.endswith("it was misspelt, the right token is still valid.\n")
