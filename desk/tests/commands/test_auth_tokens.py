"""`cometchat-desk auth-tokens revoke`: tokens from stdin, never as arguments."""

import json

import pytest

from cometchat_rest.testing import Simulator

from ..conftest import CommandLine, app


def outcomes(out: str) -> list[tuple[str, str]]:
    return [(record["uid"], record["outcome"]) for record in map(json.loads, out.splitlines())]


def test_tokens_of_one_user(cli: CommandLine, simulator: Simulator) -> None:
    """Each line of stdin is a token of the user; a token that is already gone is not an error."""
    first, second, third = simulator.auth_tokens["alice"]
    done = cli("auth-tokens", "revoke", "alice", "--yes", stdin=f"{first}\r\n\n  {second}\nalice_gone\n")
    assert done.code == 0
    assert outcomes(done.out) == [("alice", "revoked"), ("alice", "revoked"), ("alice", "not_found")]
    assert simulator.auth_tokens["alice"] == [third]
    assert simulator.damage == []


def test_tokens_of_several_users(cli: CommandLine, simulator: Simulator) -> None:
    """Without USER, each line holds a user and a token. A failure stops no other revocation, and sets the exit code."""
    bob, another = simulator.auth_tokens["bob"][:2]
    done = cli("auth-tokens", "revoke", "--yes", stdin=f"alice {another}\nnobody {another}\nbob\t{bob}\n")
    assert outcomes(done.out) == [("alice", "failed"), ("nobody", "failed"), ("bob", "revoked")]
    assert "ERR_UID_NOT_FOUND" in done.out
    assert done.code == 5
    assert done.line == "cometchat-desk: 2 of 3 tokens may still be valid"


def test_users_and_tokens_of_a_csv_file(cli: CommandLine, simulator: Simulator) -> None:
    """A CSV file may have a title, quotes and semicolons; --dry-run reads the lines and revokes nothing."""
    alice, bob = simulator.auth_tokens["alice"][0], simulator.auth_tokens["bob"][0]
    lines = f"uid;token\r\nalice,{alice}\r\nbob , {bob}\r\n"
    titles = ("User,Token", "Benutzer;Token", "user_id auth_token")
    texts = [lines, *(f'{title}\nalice;{alice}\n"bob","{bob}"\n' for title in titles)]
    shown = [cli("auth-tokens", "revoke", "--dry-run", stdin=text).line for text in texts]
    assert ["This would revoke 2 tokens of 2 users in " in line for line in shown] == [True] * 4
    assert simulator.requests == []
    assert outcomes(cli("auth-tokens", "revoke", "--yes", stdin=lines).out) == [
        ("alice", "revoked"),
        ("bob", "revoked"),
    ]


#: A token as the service makes them.
TOKEN = f"alice_1700000000{'0123456789abcdef' * 2}"


@pytest.mark.parametrize(
    ("user", "text", "part"),
    [
        ("alice", f"alice;{TOKEN}", "line 1 of stdin must hold one token and nothing else; if it holds a user and"),
        ("alice", f"alice,{TOKEN}", "leave USER out"),
        (None, f"uid;name;{TOKEN}", "line 1 of stdin must hold a user and a token and nothing else"),
        (None, f'"alice","Alice","{TOKEN}"', "line 1 of stdin must hold a user and a token and nothing else"),
        ("tokens.csv", TOKEN, "tokens.csv is a file, not a user: to read it, write < tokens.csv"),
        (None, b"j\xfcrg a-token\n", "line 1 of stdin: the user is not valid UTF-8"),
        *(
            (None, f"{TOKEN}{rest}", "line 1 of stdin holds a token in place of")
            for rest in (" alice", ",alice", f" {TOKEN}")
        ),
        *(
            ("alice", text, "line 1 of stdin")
            for text in (f'"{TOKEN}"', f"'{TOKEN}'", f"\u201c{TOKEN}\u201d", f"{TOKEN}\u200b", f"\x1b{TOKEN}")
        ),
        *(("alice", f"{TOKEN[:9]}{gap}{TOKEN[9:]}", "line 1 of stdin") for gap in (" ", "\xa0")),
        ("alice", TOKEN.encode("utf-16"), "line 1 of stdin"),
        *((user, token, "") for user, token in (("..", "x"), ("alice", ".."), ("alice", "."), ("alice/", "x"))),
    ],
)
def test_refused_input(cli: CommandLine, simulator: Simulator, user: str | None, text: str | bytes, part: str) -> None:
    """What is no token of a user, or would address more than it, is refused by its line, and not shown or sent."""
    cli.write("tokens.csv", "")
    done = cli("auth-tokens", "revoke", *([user] if user else []), "--yes", stdin=text)
    assert (done.code, simulator.requests, simulator.damage) == (2, [], [])
    assert part in done.line
    assert TOKEN[-20:] not in done.out + done.err


def test_byte_order_mark_is_ignored(cli: CommandLine, simulator: Simulator) -> None:
    """A byte order mark at the start of the input is not part of the token or the user."""
    first, second, third = simulator.auth_tokens["alice"]
    for_user = cli("auth-tokens", "revoke", "alice", "--yes", stdin=f"\ufeff{first}\n")
    for_all = cli("auth-tokens", "revoke", "--yes", stdin=f"\ufeffalice {second}\n")
    assert outcomes(for_user.out) == outcomes(for_all.out) == [("alice", "revoked")]
    assert simulator.auth_tokens["alice"] == [third]


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
    assert done.line == "cometchat-desk: the token may still be valid"
    assert outcomes(cli("auth-tokens", "revoke", "alice", "--yes", stdin=token).out) == [("alice", "not_found")]


def test_app_of_a_revocation(cli: CommandLine, simulator: Simulator) -> None:
    """The question and the result of a revocation name the app, and say that other sessions stay valid."""
    cli.profiles(app("shop", simulator))
    token = simulator.auth_tokens["alice"][0]
    asked = cli("auth-tokens", "revoke", "alice", "--app", "shop", stdin=token)
    assert asked.code == 2
    place = f"shop ({simulator.base_url})"
    assert f"Revoke 1 token of alice in {place}? Other sessions of alice stay valid." in asked.line
    done = cli("auth-tokens", "revoke", "alice", "--app", "shop", "--yes", stdin=token)
    assert done.line == f"1 of 1 token revoked in {place}. Other sessions of alice stay valid."
    record = json.loads(done.out)
    assert (record["outcome"], record["app"], record["base_url"]) == ("revoked", "shop", simulator.base_url)
    assert record["note"] is None


def test_token_that_may_be_mistyped(cli: CommandLine) -> None:
    """not_found is reported as a possible typing error if the token does not start with its user."""
    done = cli("auth-tokens", "revoke", "--yes", stdin="alice alice_gone\nalice lice_123\n")
    assert done.code == 0
    usual, mistyped = map(json.loads, done.out.splitlines())
    assert (usual["outcome"], usual["note"]) == ("not_found", None)
    assert mistyped["outcome"] == "not_found"
    assert "may be mistyped" in mistyped["note"]
    assert done.err.splitlines()[-1].startswith("cometchat-desk: 0 of 2 tokens revoked: 1 token does not exist ")
    assert "copy the token again" in done.err
    assert "lice_123" not in done.out + done.err
