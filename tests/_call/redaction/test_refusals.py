"""Calls, options and settings that are refused: no error shows a secret that was passed."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from attrs import evolve

from cometchat_openapi import Call, Parameter
from cometchat_openapi import Operation as Described
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_rest import (
    ApiError,
    AsyncClient,
    Client,
    ConfigurationError,
    InvalidRequestError,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest.testing import Simulator

from ...support import LIST_ID, AnyClient, StubTransport, make_response
from .canaries import (
    CREDENTIAL,
    DELETE,
    KEY,
    LOCAL_URL,
    SPECIAL_TOKEN,
    TOKEN,
    Action,
    RecordCollector,
    all_views,
    assert_hidden,
    assert_silent,
    each_action,
    outcome_of,
    secret_client,
)

CHOICE = Parameter("sort", "sort", choices=("asc", "desc"))
REFUSED: dict[str, Callable[[Any], Any]] = {
    "a token with dots": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}/.."),
    "a token with an encoded slash": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}%2f"),
    "a token with a line break": lambda chat: chat.auth_tokens.delete("alice", f"{SPECIAL_TOKEN}\r\n{KEY}: 1"),
    "a token too long": lambda chat: chat.auth_tokens.delete("alice", TOKEN * 40),
    "a token of bytes": lambda chat: chat.auth_tokens.delete("alice", TOKEN.encode()),
    "a token in a list": lambda chat: chat.auth_tokens.delete("alice", [SPECIAL_TOKEN]),
    "a lone surrogate": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}\ud800"),
    "a token without a user": lambda chat: chat.auth_tokens.delete("", TOKEN),
    "an invalid path template": lambda chat: chat.api.send(call_that_leads_elsewhere()),
    "a header of the client's": lambda chat: chat.with_options(headers={"A": CREDENTIAL, "apikey": KEY}),
    "a header with a line break": lambda chat: chat.with_options(headers={"Authorization": f"{CREDENTIAL}\n"}),
    "a header without a name": lambda chat: chat.with_options(headers={"A": CREDENTIAL, "": KEY}),
    "a header of bytes": lambda chat: chat.with_options(headers={"A": CREDENTIAL.encode()}),
    "headers in a list": lambda chat: chat.with_options(headers=[("Authorization", CREDENTIAL)]),
    "a choice": lambda chat: chat.api.send(call_with_choice()),
    "a page": lambda chat: chat.roles.list(page=KEY),
    "a limit": lambda chat: chat.reviewed_messages.list(limit=KEY),
    "an interval": lambda chat: chat.reviewed_messages.watch(interval=KEY),
    "a name with a value of a wrong type": lambda chat: chat.request("GET", "/x", query={KEY: object()}),
    "a field of a form": lambda chat: chat.request("POST", "/x", form={KEY: object()}),
    "a name in an option": lambda chat: chat.with_options(query={KEY: object()}),
    "a name of a header": lambda chat: chat.with_options(headers={KEY: "bad\n"}),
    "a name in a path": lambda chat: chat.request("GET", f"/users/{{{KEY}}}"),
    "a list to update": lambda chat: chat.keywords.update(KEY, WordListInput(search_terms=["a"])),
    "a list to plan": lambda chat: chat.keywords.plan(KEY, ["a"]),
    "headers beside an invalid option": lambda chat: chat.with_options(headers={"A": CREDENTIAL}, on_behalf_of=""),
}


def call_with_choice() -> Any:
    """A call with the key in place of one of the values that a parameter can have."""
    described = evolve(delete_auth_token.prepare("alice", "t").operation, path="/users", parameters=(CHOICE,))
    return Call(described, query={"sort": KEY})


def call_that_leads_elsewhere() -> Any:
    """A call with an invalid path template."""
    call = delete_auth_token.prepare("alice", TOKEN)
    described = call.operation
    return type(call)(
        Described(
            described.name,
            described.method,
            "/users/{uid}/auth_tokens/../{auth_token}",
            described.success,
            described.result,
            described.parse,
        ),
        path_values=call.path_values,
    )


WITH_KEY: dict[str, Callable[[Any], Any]] = {
    "a term": lambda chat: chat.keywords.update(LIST_ID, WordListInput(search_terms=["spam", KEY])),
    "a part of a text": lambda chat: chat.keywords.update(LIST_ID, WordListInput(search_terms=f"spam,apikey={KEY}")),
    "a sentence": lambda chat: chat.keywords.update(
        LIST_ID, SentenceSimilarityListInput(disallowed_sentences=[f"The key is {KEY}."])
    ),
    "a row of a file": lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=f"spam\n{KEY}\n".encode())),
    "a term without a category": lambda chat: chat.keywords.update(LIST_ID, ["spam", KEY]),
    "a term of a plan": lambda chat: chat.keywords.plan(LIST_ID, ["spam", KEY]),
}
# A key that each encoding writes in another way.
SPECIAL_KEY = 'q"8Vd+z/K2=m \\{x}&7%41TyW4'
WRITTEN: dict[str, Callable[[Any, str], Any]] = {
    "a query": lambda chat, key: chat.request("GET", "/roles", query={"name": key}),
    "a name in a query": lambda chat, key: chat.request("GET", "/roles", query={key: "a"}),
    "a list in a query": lambda chat, key: chat.request("GET", "/roles", query={"name": ["a", key]}),
    "a query of the options": lambda chat, key: chat.with_options(query={"a": key}).roles.list(),
    "a form": lambda chat, key: chat.request("POST", "/roles", form={"name": key}),
    "JSON": lambda chat, key: chat.request("POST", "/roles", json=[{"name": [key]}]),
    "a name in JSON": lambda chat, key: chat.request("POST", "/roles", json={key: 1}),
    "a part of a word": lambda chat, key: chat.request("GET", "/roles", query={"name": f"apikey{key}"}),
    "a header": lambda chat, key: chat.with_options(headers={"X-Other": key}).roles.list(),
    "the uid of a user": lambda chat, key: chat.with_options(on_behalf_of=key).roles.list(),
    "a file in UTF-16": lambda chat, key: chat.keywords.update(
        LIST_ID, WordListInput(file=f"h\n{key}\n".encode("utf-16"))
    ),
    "a quoted row of a file": lambda chat, key: chat.keywords.update(
        LIST_ID, WordListInput(file=f'"{key.replace(chr(34), chr(34) * 2)}"\n'.encode())
    ),
    "an encoded identifier": lambda chat, key: chat.keywords.get(quote(key.replace("/", ""), safe="")),
    "a part of an identifier": lambda chat, key: chat.keywords.get(f"apikey%3D{key.replace('/', '')}"),
    "a value of a path": lambda chat, key: chat.request("GET", "/users/{uid}", path_values={"uid": f"k{key}"}),
}


@pytest.mark.parametrize("key", [KEY, SPECIAL_KEY], ids=["plain", "special"])
@pytest.mark.parametrize("action", WRITTEN.values(), ids=WRITTEN.keys())
def test_each_spelling_of_the_key_is_refused(
    any_client: AnyClient, key: str, action: Callable[[Any, str], Any]
) -> None:
    """The key is not sent in a query, a form, JSON, a header, a file or a path, however it is written there."""
    # In a path, a slash is refused anyway.
    own = key.replace("/", "")
    stub = StubTransport(lambda _: make_response(500))
    chat = secret_client(any_client, api_key=own, base_url=LOCAL_URL, transport=stub)
    error = outcome_of(any_client, lambda chat: action(chat, own), chat)
    assert isinstance(error, InvalidRequestError), error
    assert "API key" in str(error)
    assert stub.requests == []
    assert not any(text in f"{view}" for _, view in all_views(error) for text in (own, quote(own, safe="")))


@pytest.mark.parametrize(("text", "refused"), [("antispam", False), ("spam", True), ("no spam!", True)])
def test_word_that_is_a_short_key_can_be_sent(any_client: AnyClient, text: str, *, refused: bool) -> None:
    """A key of fewer than sixteen characters is refused as a word, and not where it is a part of one."""
    stub = StubTransport(lambda _: make_response(200, {"data": []}))
    chat = secret_client(any_client, api_key="spam", base_url=LOCAL_URL, transport=stub)
    outcome = outcome_of(any_client, lambda chat: chat.request("POST", "/x", json={"a": text}), chat)
    assert isinstance(outcome, InvalidRequestError) is refused


@pytest.mark.parametrize("action", WITH_KEY.values(), ids=WITH_KEY.keys())
def test_key_in_the_content_is_never_sent(
    any_client: AnyClient, simulator: Simulator, action: Callable[[Any], Any]
) -> None:
    """An argument with the client's own key is refused before it is sent, and neither error nor frames show it."""
    error = outcome_of(any_client, action, secret_client(any_client))
    assert isinstance(error, InvalidRequestError), error
    assert "holds the API key of this client; remove" in str(error)
    assert [request.method for request in simulator.requests] in ([], ["GET"])
    assert not any(KEY in f"{request.query}{request.body!r}" for request in simulator.requests)
    assert_silent(error)


@pytest.mark.parametrize("action", REFUSED.values(), ids=REFUSED.keys())
def test_refused_call_shows_no_secret(
    any_client: AnyClient, records: RecordCollector, action: Callable[[Any], Any]
) -> None:
    """The error of a refused call or option does not repeat its arguments, and its frames do not keep them."""
    stub = StubTransport(lambda _: make_response(500))
    error = outcome_of(any_client, action, secret_client(any_client, base_url="http://127.0.0.1:1/v3", transport=stub))
    assert isinstance(error, InvalidRequestError), error
    assert stub.requests == []
    assert_silent(error)
    assert_hidden(records.seen)


@pytest.mark.parametrize("tokens", [[("alice", TOKEN), TOKEN], [(TOKEN,)]], ids=["later", "short"])
def test_invalid_list_of_tokens_shows_no_secret(any_client: AnyClient, tokens: Any) -> None:
    """If a list of tokens has the wrong form, no frame of the error shows a token."""
    error = outcome_of(any_client, lambda chat: chat.auth_tokens.revoke_all(tokens), secret_client(any_client))
    assert isinstance(error, InvalidRequestError)
    assert_silent(error)


@pytest.mark.parametrize(
    "action",
    [
        lambda chat: chat.keywords.get(KEY),
        lambda chat: chat.auth_tokens.delete(KEY, TOKEN),
        lambda chat: chat.auth_tokens.delete("alice", KEY),
        lambda chat: chat.keywords.get(f"list-{KEY}"),
        lambda chat: chat.request("GET", f"/nope/{KEY}"),
        lambda chat: chat.request("GET", f"/v3/nope/{KEY}"),
    ],
    ids=["list", "user", "token", "part", "path", "path with its version"],
)
def test_key_in_a_path_is_refused(
    any_client: AnyClient, records: RecordCollector, action: Callable[[Any], Any]
) -> None:
    """A key that was passed as an identifier or in a path is not sent, and neither error nor log repeats it."""
    stub = StubTransport(lambda _: make_response(500))
    error = outcome_of(any_client, action, secret_client(any_client, base_url="http://127.0.0.1:1/v3", transport=stub))
    assert isinstance(error, InvalidRequestError), error
    assert stub.requests == []
    assert_hidden([("the error", f"{error} {error!r}"), *records.seen])


@pytest.mark.parametrize(
    "action",
    [lambda chat: chat.keywords.get(KEY.upper()), lambda chat: chat.request("GET", f"/things/{KEY.upper()}")],
    ids=["list", "path"],
)
def test_error_about_a_call_with_the_key_in_capitals(
    any_client: AnyClient, simulator: Simulator, action: Callable[[Any], Any]
) -> None:
    """A key in capitals is sent, because it is another text, but neither the name of the call nor the list shows it."""
    error = outcome_of(any_client, action, secret_client(any_client))
    assert isinstance(error, ApiError)
    assert len(simulator.requests) == 1
    assert_hidden([("the error", f"{error} {error!r} {error.to_dict()} {vars(error)}")])


def test_last_check_of_the_path_shows_no_secret(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the path of a request did not match its template, it would be refused, and no frame of the error would
    keep it."""
    monkeypatch.setattr("cometchat_rest._call.request.matches", lambda _template, _path: False)
    error = outcome_of(any_client, DELETE.act, secret_client(any_client))
    assert isinstance(error, InvalidRequestError)
    assert "elsewhere" in str(error)
    assert_silent(error)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": -1},
        {"max_retries": -1},
        {"deadline": 0},
        {"on_behalf_of": "\n"},
        *({name: KEY} for name in ("timeout", "max_retries", "deadline", "on_attempt")),
    ],
    ids=str,
)
def test_refused_option_does_not_show_the_headers(any_client: AnyClient, options: dict[str, Any]) -> None:
    """If another option is refused, the frames of the error do not hold the headers that were passed with it."""
    chat = secret_client(any_client)
    error = outcome_of(
        any_client, lambda chat: chat.with_options(headers={"Authorization": CREDENTIAL}, **options), chat
    )
    assert isinstance(error, ConfigurationError | InvalidRequestError)
    assert_silent(error)


@each_action
def test_a_closed_client_shows_no_secret(any_client: AnyClient, records: RecordCollector, action: Action) -> None:
    """The error of a closed client says that it is closed, and shows nothing of the call."""
    owner = any_client.client(api_key=KEY)
    any_client.close(owner)
    error = outcome_of(any_client, action.act, owner.with_options(headers={"Authorization": CREDENTIAL}))
    assert isinstance(error, InvalidRequestError)
    assert "closed" in str(error)
    assert_silent(error)
    assert_hidden(records.seen)


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": f"{KEY}\x00", "base_url": LOCAL_URL},
        {"api_key": f"{KEY}é", "base_url": LOCAL_URL},
        {"api_key": f"{KEY}\n{KEY}", "base_url": LOCAL_URL},
        {"api_key": KEY.encode(), "base_url": LOCAL_URL},
        {"api_key": KEY},
        {"api_key": KEY, "app_id": "no.app"},
        {"api_key": KEY, "app_id": "app", "region": "mars"},
        {"api_key": KEY, "base_url": f"https://admin:{CREDENTIAL}@chat.example/v3"},
        {"api_key": KEY, "base_url": f"https://chat.example/v3?token={quote(TOKEN)}"},
        {"api_key": KEY, "base_url": LOCAL_URL, "timeout": 0},
        {"api_key": KEY, "base_url": LOCAL_URL, "on_behalf_of": "\n"},
        {"api_key": KEY, "base_url": LOCAL_URL, "max_retries": -1},
        {"base_url": LOCAL_URL},
        {"app_id": "app"},
    ],
    ids=lambda settings: ", ".join(f"{name}: {len(str(value))}" for name, value in settings.items()),
)
def test_refused_setting_shows_no_secret(monkeypatch: pytest.MonkeyPatch, make: Any, settings: dict[str, Any]) -> None:
    """Neither the error of a refused setting nor its frames show the settings, from arguments or from the
    environment."""
    monkeypatch.setenv("COMETCHAT_API_KEY", f"{KEY}\x7f")

    def act() -> Any:
        try:
            return make(**settings)
        except BaseException as error:  # noqa: BLE001 - its class is checked below
            return error

    error = act()
    assert isinstance(error, ConfigurationError)
    assert_silent(error)
