"""Tests that await each call."""

from word_watch import log_out


async def test_every_token_goes(async_cometchat_client, cometchat_simulator):
    """Whoever is logged out has no token left."""
    assert await log_out(async_cometchat_client, "alice", cometchat_simulator.auth_tokens["alice"]) == 3
    assert cometchat_simulator.auth_tokens["alice"] == []


async def test_an_unknown_token_is_passed_over(async_cometchat_client, cometchat_simulator):
    """A token that is gone keeps none of the others from going."""
    assert await log_out(async_cometchat_client, "bob", ["gone", *cometchat_simulator.auth_tokens["bob"]]) == 3
    assert cometchat_simulator.damage == []
