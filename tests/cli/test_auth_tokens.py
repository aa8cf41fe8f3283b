"""`cometchat-rest auth-tokens revoke`: tokens from stdin, never as arguments."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cometchat_rest.testing import Simulator

from .conftest import Desk


def outcomes(out: str) -> list[tuple[str, str]]:
    return [(record["uid"], record["outcome"]) for record in map(json.loads, out.splitlines())]


def test_tokens_of_one_user(desk: Desk, simulator: Simulator) -> None:
    """Each line of stdin is a token of the user; one that is gone already is no failure."""
    first, second, third = simulator.auth_tokens["alice"]
    done = desk("auth-tokens", "revoke", "alice", "--yes", stdin=f"{first}\r\n\n  {second}\nalice_gone\n")
    assert done.code == 0
    assert outcomes(done.out) == [("alice", "revoked"), ("alice", "revoked"), ("alice", "already_gone")]
    assert simulator.auth_tokens["alice"] == [third]
    assert simulator.damage == []


def test_tokens_of_several_users(desk: Desk, simulator: Simulator) -> None:
    """Without a user, a line is a user and a token; a failure is told once, stops none, and decides on the code."""
    bob, another = simulator.auth_tokens["bob"][:2]
    done = desk("auth-tokens", "revoke", "--yes", stdin=f"alice {another}\nnobody {another}\nbob\t{bob}\n")
    assert outcomes(done.out) == [("alice", "failed"), ("nobody", "failed"), ("bob", "revoked")]
    assert "ERR_UID_NOT_FOUND" in done.out
    assert done.code == 5
    assert done.line == "cometchat-rest: 2 of 3 may still be good"


def test_a_user_in_another_encoding(desk: Desk, simulator: Simulator) -> None:
    """A name that is not UTF-8 is refused, and not taken for another one."""
    done = desk("auth-tokens", "revoke", "--yes", stdin=b"j\xfcrg a-token\n")
    assert done.code == 2
    assert "line 1 of stdin" in done.line
    assert simulator.requests == []


def test_a_byte_order_mark(desk: Desk, simulator: Simulator) -> None:
    """A mark at the beginning of the file belongs neither to the token nor to the user."""
    first, second, third = simulator.auth_tokens["alice"]
    for typed, line in ((["alice"], first), ([], f"alice {second}")):
        done = desk("auth-tokens", "revoke", *typed, "--yes", stdin=f"\ufeff{line}\n")
        assert outcomes(done.out) == [("alice", "revoked")]
    assert simulator.auth_tokens["alice"] == [third]


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda token: f'"{token}"',
        lambda token: f"'{token}'",
        lambda token: f"\u201c{token}\u201d",
        lambda token: f"{token}\u200b",
        lambda token: f"{token[:9]} {token[9:]}",
        lambda token: f"{token[:9]}\xa0{token[9:]}",
        lambda token: f"\x1b{token}",
        lambda token: token.encode("utf-16"),
    ],
)
def test_what_is_no_token(desk: Desk, simulator: Simulator, spoiled: Callable[[str], str | bytes]) -> None:
    """What no token holds is refused by its line, and not shown: the service would call such a token gone."""
    token = simulator.auth_tokens["alice"][0]
    done = desk("auth-tokens", "revoke", "alice", "--yes", stdin=spoiled(token))
    assert (done.code, done.out) == (2, "")
    assert "line 1 of stdin" in done.line
    assert token[-20:] not in done.line
    assert simulator.requests == []


def test_never_the_neighbours(desk: Desk, simulator: Simulator) -> None:
    """A user or a token that would reach all tokens, or the user, reaches nothing."""
    for uid, token in (("..", "x"), ("alice", ".."), ("alice", "."), ("alice/", "x")):
        assert desk("auth-tokens", "revoke", uid, "--yes", stdin=token).code == 2
    assert simulator.requests == []
    assert simulator.damage == []


def test_many(desk: Desk, simulator: Simulator) -> None:
    """More tokens than are sent at a time are all revoked, and told in their order."""
    tokens = [f"alice_{number:04}" for number in range(150)]
    simulator.auth_tokens["alice"] = tokens[::2]
    done = desk("auth-tokens", "revoke", "alice", "--yes", stdin="\n".join(tokens))
    assert [outcome for _, outcome in outcomes(done.out)] == ["revoked", "already_gone"] * 75


def test_a_lost_answer(desk: Desk, simulator: Simulator) -> None:
    """A revocation whose answer is lost says that to revoke the token again is safe, and it is."""
    token = simulator.auth_tokens["alice"][0]
    simulator.fail("delete_auth_token", cut="after_processing")
    done = desk("auth-tokens", "revoke", "alice", "--yes", stdin=token)
    assert done.code == 12
    assert json.loads(done.out)["error"].endswith("; revoke it again: that is safe, and settles it.")
    assert done.line == "cometchat-rest: 1 of 1 may still be good"
    assert outcomes(desk("auth-tokens", "revoke", "alice", "--yes", stdin=token).out) == [("alice", "already_gone")]
