"""Paths: each value stays one segment of the path, or the call is refused."""

from typing import Any

import pytest

from cometchat_rest import ApiError, InvalidRequestError, Secret
from cometchat_runtime import paths, request
from cometchat_runtime.paths import MAX_PATH_VALUE, matches
from cometchat_testing import Simulator

from ..sent import path_of, values_in
from ..support import AnyClient, error_from, own_locals, stub_client, unused_transport
from .hostile import (
    DELETE_TOKEN,
    HOSTILE_VALUES,
    REFUSED,
    TARGETS,
    Target,
    call_with,
)

TOKENS = "/users/{uid}/auth_tokens/{authToken}"


@pytest.mark.parametrize(
    "template", ["", "users", "/", "/users/", "//x", "/a{b}", "/{a}{b}", "/{a-b}", "/a\n"]
)
def test_invalid_template_is_refused(template: str) -> None:
    """An invalid template is a bug in this package, and the error says so."""
    with pytest.raises(ValueError, match="not a path template"):
        matches(template, Secret("/x/x"))


@pytest.mark.parametrize(
    ("template", "path"),
    [
        (TOKENS, "/users/alice/auth_tokens/alice_1757955951abc"),
        (TOKENS, "/users/a%20b/auth_tokens/%C3%BC.~"),
        ("/api/v3/roles", "/api/v3/roles"),
        ("/a.b/{x}", "/a.b/1"),
    ],
)
def test_path_of_the_template(template: str, path: str) -> None:
    """A path with the segments of the template matches it."""
    assert matches(template, Secret(path))


@pytest.mark.parametrize(
    "path",
    [
        # neighbouring resources: the user, and all tokens of the user
        *["/users/alice", "/users/alice/", "/users/alice/auth_tokens", "/users/alice/auth_tokens/"],
        *["/users//auth_tokens/x", "/users/alice/auth_tokens//", "/users/alice/auth_tokens/x/"],
        *[
            "//users/alice/auth_tokens/x",
            "users/alice/auth_tokens/x",
            "/v3/users/alice/auth_tokens/x",
        ],
        *[
            "/users/alice/auth_tokens/x/y",
            "/Users/alice/auth_tokens/x",
            "/users/alice/auth-tokens/x",
        ],
        *[
            "/users/alice/auth%5Ftokens/x",
            "/users/alice/auth_tokens/x?y",
            "/users/alice/auth_tokens/x#y",
        ],
        *[
            "/users/alice/auth_tokens/x\n",
            "/users/alice/auth_tokens/ü",
            "/users/alice/auth_tokens/%",
        ],
        *[
            "/users/alice/auth_tokens/%zz",
            "/users/alice/auth_tokens/a b",
            "/users/alice/auth_tokens/a;b",
        ],
        *[
            "",
            "/users/alice/auth_tokens/..",
            "/users/%2e/auth_tokens/x",
            "/users/%20/auth_tokens/x",
        ],
        *[
            "/users/alice/auth_tokens/%2e%2e",
            "/users/alice/auth_tokens/a%2Fb",
            "/users/alice/auth_tokens/..%3Bx",
        ],
    ],
)
def test_path_of_another_shape(path: str) -> None:
    """A path with other literals, more or fewer segments, invalid characters, or a value that
    decodes to dots or to several segments does not match."""
    assert not matches(TOKENS, Secret(path))
    # The literal text of a template is text, and not a pattern.
    assert not matches("/a.b/{x}", Secret("/aXb/1"))


# The steps of both clients are the same.
@pytest.mark.parametrize(
    ("any_client", "target"),
    [*zip(("sync", "async", "sync"), TARGETS, strict=True), ("async", DELETE_TOKEN)],
    indirect=["any_client"],
    ids=lambda each: getattr(each, "name", each),
)
@pytest.mark.parametrize("value", HOSTILE_VALUES)
def test_value_never_reaches_another_resource(
    any_client: AnyClient, simulator: Simulator, target: Target, value: Any
) -> None:
    """Each value arrives unchanged as one segment of its path, or is refused before anything is
    sent. No value reaches another resource."""
    values = ("alice",) * (len(target.parameters) - 1) + (value,)
    error = error_from(any_client, call_with(target.act, *values), any_client.client(max_retries=0))
    if isinstance(error, InvalidRequestError):
        assert simulator.requests == []
    else:
        assert isinstance(error, ApiError | None), error
        (request,) = simulator.requests
        assert request.operation == target.name
        # The values arrived unchanged, one in each segment. Only strings are ever sent.
        found = values_in(f"/v3{target.template}", path_of(request))
        assert found == dict(zip(target.parameters, map(str.__str__, values), strict=True))
    assert simulator.damage == []
    assert simulator.users.keys() == Simulator().users.keys()


@pytest.mark.parametrize("value", ["..", ".", "", "7c3e9/b", "7c3e9/%2e%2e"])
def test_final_address_is_checked(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """If the check of the arguments failed to see a value, the address that it leads to would still
    be compared with the path of the operation before anything is sent; no frame shows it."""
    monkeypatch.setattr(request, "check_values", lambda _: None)
    monkeypatch.setattr(paths, "quote", lambda text, **_: text)
    client = stub_client(any_client, unused_transport())
    error = error_from(any_client, lambda chat: chat.auth_tokens.delete("alice", value), client)
    assert isinstance(error, InvalidRequestError)
    assert str(error) == "delete_auth_token: these arguments would send the request elsewhere"
    assert "7c3e9" not in own_locals(error)


@pytest.mark.parametrize(
    ("fault", "value"),
    [
        *((fault, value) for fault in REFUSED for value in REFUSED[fault]),
        *(("must be a str, not ", value) for value in (None, b"alice", ["alice"], object())),
        ("must have at most 1024 characters", "x" * (MAX_PATH_VALUE + 1)),
    ],
)
@pytest.mark.parametrize("name", ["uid", "auth_token"])
def test_refused_value_is_not_sent_and_not_shown(
    any_client: AnyClient, name: str, fault: str, value: Any
) -> None:
    """A value is refused if it is not a text, is empty, dots or several segments, or becomes so
    when it is decoded. The error names the argument and the fault and does not show the value, and
    no connection is opened."""
    values = {"uid": "alice", "auth_token": "token", name: value}
    client = stub_client(any_client, unused_transport())
    error = error_from(any_client, call_with(DELETE_TOKEN.act, *values.values()), client)
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, error.attempts, error.outcome_unknown) == (name, 0, False)
    # This argument must be one word.
    has_space = name == "auth_token" and isinstance(value, str) and any(map(str.isspace, value))
    assert ("white space" if has_space else fault) in str(error)
    assert not isinstance(value, str) or len(value) <= 3 or value not in str(error)
    assert error.__context__ is None
