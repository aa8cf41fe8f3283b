"""The page about troubleshooting quotes messages that users really see."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cometchat_rest import Client, CometChatError, WordListInput
from cometchat_testing import Simulator

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "troubleshooting.md"
QUOTED = re.findall(
    r"`([^`]+)`", "\n".join(re.findall(r"^### (.+)$", PAGE.read_text("utf-8"), re.MULTILINE))
)


def roles(**settings: object) -> object:
    with Client(**{"api_key": "k", "max_retries": 0, **settings}) as chat:  # type: ignore[arg-type]  # they are valid
        return chat.roles.list()


def limited(chat: Client, simulator: Simulator) -> object:
    simulator.rate_limit(0)
    return chat.roles.list()


def failing(chat: Client, simulator: Simulator, **fault: object) -> object:
    simulator.fail("list_roles", times=9, **fault)  # type: ignore[arg-type]  # the faults of this file are valid
    return chat.roles.list()


def hidden() -> object:
    with Simulator(hidden_entries="missing") as simulator:
        client = Client(base_url=simulator.base_url, api_key=simulator.api_key)
        with client as chat:
            return chat.keywords.update("scam-patterns", ["new"])


#: What causes each message: settings of a client, or calls of a client of the simulator.
SETTINGS: dict[str, dict[str, object]] = {
    "api_key (COMETCHAT_API_KEY) is missing": {"app_id": "253179cf5f665257"},
    "app_id (COMETCHAT_APP_ID) is missing": {"api_key": "k"},
    "must be 1 to 63 ASCII letters, digits and inner hyphens": {
        "app_id": "https://a.example",
        "api_key": "k",
    },
}
CALLS: dict[str, Callable[[Client, Simulator], object]] = {
    "must not be empty or blank": lambda chat, _: chat.auth_tokens.delete("alice", ""),
    "must not be '.' or '..'": lambda chat, _: chat.auth_tokens.delete("alice", ".."),
    "holds a comma or a line break and would become two terms": lambda *_: WordListInput(
        search_terms=["a,b"]
    ),
    "the vendor's pages allow 1 MB": lambda *_: WordListInput(search_terms=[], file=b"a\n" * 2**20),
    'quotes must be "csv" or "literal"': lambda chat, _: chat.keywords.plan(
        "imported-phrases", ["new"]
    ),
    "max_removed allows": lambda chat, _: chat.keywords.apply(
        chat.keywords.plan("profanity-list", ["new"])
    ),
    "the service does not show the entries": lambda *_: hidden(),
    "the plan would change the category": lambda chat, _: chat.keywords.plan(
        "scam-patterns", WordListInput(search_terms=["new"])
    ),
    "can be updated here": lambda chat, _: chat.keywords.plan("default-fraud", ["new"]),
    "AUTH_ERR_APIKEY_NOT_FOUND": lambda _, s: roles(base_url=s.base_url),
    "ERR_KEYWORD_NOT_FOUND": lambda chat, _: chat.keywords.get("no-such-list"),
    "ERR_API_NOT_FOUND": lambda _, s: roles(base_url=f"{s.base_url[:-3]}/v4/v3", api_key=s.api_key),
    "ERR_TOO_MANY_REQUESTS": limited,
    "no connection to": lambda *_: roles(base_url="http://127.0.0.1:9/v3"),
    "the deadline of the call passed": lambda chat, s: failing(
        chat.with_options(deadline=0.05), s, delay=2
    ),
    "the response is incomplete, or not valid HTTP": lambda chat, s: failing(
        chat, s, cut="before_headers"
    ),
    "is not JSON": lambda chat, s: failing(chat, s, body="<html>"),
}
#: These messages need a proxy, certificates, 100 connections, or a service with other users.
OTHERS = {
    "CERTIFICATE_VERIFY_FAILED",
    "no connection became free",
    "the connection broke before the response was complete",
    "AUTH_ERR_EMPTY_APIKEY",
    "AUTH_ERR_NO_ACCESS",
    "ERR_PERMISSION_DENIED",
}


@pytest.mark.parametrize("message", SETTINGS)
def test_messages_about_settings(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message on the page about the settings of a client is a message of the client."""
    for name in ("APP_ID", "REGION", "API_KEY", "BASE_URL"):
        monkeypatch.delenv(f"COMETCHAT_{name}", raising=False)
    with pytest.raises(CometChatError, match=re.escape(message)):
        Client(**SETTINGS[message])  # type: ignore[arg-type]  # they are texts


@pytest.mark.parametrize("message", CALLS)
def test_messages_of_calls(message: str, simulator: Simulator) -> None:
    """Each message on the page about a call is a message that the call ends with."""
    with (
        Client(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=0) as chat,
        pytest.raises(CometChatError, match=re.escape(message)),
    ):
        CALLS[message](chat, simulator)


def test_every_message_has_a_cause() -> None:
    """The page has no message without a known cause, and no cause is missing on the page."""
    assert set(QUOTED) == {*SETTINGS, *CALLS, *OTHERS}
