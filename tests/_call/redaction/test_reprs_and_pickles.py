"""Objects at rest: reprs, formatted texts and pickles show no secret."""

import gc
import pickle

import httpx
import pytest

from cometchat_rest import ApiError
from cometchat_rest.testing import Simulator

from ...support import AnyClient, StubTransport, make_response
from .canaries import (
    DELETE,
    KEY,
    LOCAL_URL,
    TOKEN,
    Echo,
    assert_hidden,
    objects_of,
    outcome_of,
    representations,
    secret_client,
)

PICKLED = {"WordListInput", "PatternListInput", "SentenceSimilarityListInput"}
#: Objects that hold the key, or a connection that sends it.
HOLD_A_KEY = {
    "client",
    "derived",
    "mistaken",
    "api",
    "settings",
    "keywords",
    "reviewed_messages",
    "roles",
    "auth_tokens",
    "delete call",
}


@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
def test_nothing_shows_a_secret_at_rest(any_client: AnyClient, simulator: Simulator, *, used: bool) -> None:
    """No client, resource, input, call or request shows a secret when it is printed, formatted, or inspected as rich
    inspects the local variables of a frame."""
    chat = secret_client(any_client)
    if used:
        simulator.fail(status=401, body=Echo(DELETE).error, headers=Echo(DELETE).headers)
        assert isinstance(outcome_of(any_client, DELETE.act, chat), ApiError)
        assert outcome_of(any_client, DELETE.act, chat).success
    assert chat.api.settings.api_key.reveal() == KEY
    for name, thing in objects_of(chat).items():
        assert_hidden((name, text) for text in (*representations(thing), f"{thing}"))


def send_nothing(_: httpx.Request) -> httpx.Response:
    raise AssertionError("a request was sent")


def test_objects_that_hold_a_key_cannot_be_pickled(any_client: AnyClient) -> None:
    """Clients, their parts and calls raise a TypeError when they are pickled. Inputs can be pickled and restored."""
    for chat in (
        secret_client(any_client),
        secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(send_nothing)),
    ):
        for name, thing in objects_of(chat).items():
            if name in PICKLED:
                assert pickle.loads(pickle.dumps(thing)) == thing  # noqa: S301 - our own pickle
            elif name in HOLD_A_KEY:
                with pytest.raises(
                    TypeError, match="a client holds" if name in ("client", "derived", "mistaken") else "pickle"
                ):
                    pickle.dumps(thing)


def test_address_of_a_deletion_is_not_kept(any_client: AnyClient) -> None:
    """With a transport of the caller, the address that holds a token is dropped when the call is over."""
    token = f"{TOKEN}-to-be-forgotten"
    stub = StubTransport(lambda _: make_response(200, {"data": {"success": True, "message": "gone"}}))
    chat = secret_client(any_client, base_url=LOCAL_URL, transport=stub)
    assert outcome_of(any_client, lambda chat: chat.auth_tokens.delete("alice", token), chat).success
    assert token in str(stub.requests.pop().url)
    gc.collect()
    assert [each for each in gc.get_objects() if type(each) is httpx.URL and token in str(each)] == []
