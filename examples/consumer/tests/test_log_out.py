"""Tests with the asynchronous client."""

from word_watch import log_out


async def test_every_token_is_deleted(async_cometchat_client, cometchat_simulator):
    """A user who is logged out has no token."""
    assert (
        await log_out(async_cometchat_client, "alice", cometchat_simulator.auth_tokens["alice"])
        == 3
    )
    assert cometchat_simulator.auth_tokens["alice"] == []


async def test_an_unknown_token_is_ignored(async_cometchat_client, cometchat_simulator):
    """An unknown token does not prevent the deletion of the others."""
    assert (
        await log_out(
            async_cometchat_client, "bob", ["gone", *cometchat_simulator.auth_tokens["bob"]]
        )
        == 3
    )
    assert cometchat_simulator.damage == []
