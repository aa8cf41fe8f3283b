"""Paths: each value stays one segment of the path, or the call is refused."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cometchat_rest import ApiError, CometChatError, InvalidRequestError, Secret
from cometchat_rest._call.paths import MAX_PATH_VALUE, expand, matches
from cometchat_rest.testing import ReceivedRequest, Simulator

from ..sent import path_of, values_in
from ..support import AnyClient, StubTransport, always_respond, error_from, stub_client, unused_transport
from .hostile import (
    BASE_URL,
    DELETE_TOKEN,
    HOSTILE_VALUES,
    REFUSED,
    TARGETS,
    Target,
    call_with,
    examples,
    hostile_values,
)

TOKENS = "/users/{uid}/auth_tokens/{authToken}"


@pytest.mark.parametrize("template", ["", "users", "/", "/users/", "//x", "/a{b}", "/{a}{b}", "/{a-b}", "/a\n"])
def test_invalid_template_is_refused(template: str) -> None:
    """An invalid template is a bug in this package, and the error says so."""
    with pytest.raises(ValueError, match="not a path template"):
        expand(template, {"a": "x", "b": "x"})


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
        *["//users/alice/auth_tokens/x", "users/alice/auth_tokens/x", "/v3/users/alice/auth_tokens/x"],
        *["/users/alice/auth_tokens/x/y", "/Users/alice/auth_tokens/x", "/users/alice/auth-tokens/x"],
        *["/users/alice/auth%5Ftokens/x", "/users/alice/auth_tokens/x?y", "/users/alice/auth_tokens/x#y"],
        *["/users/alice/auth_tokens/x\n", "/users/alice/auth_tokens/ü", "/users/alice/auth_tokens/%"],
        *["/users/alice/auth_tokens/%zz", "/users/alice/auth_tokens/a b", "/users/alice/auth_tokens/a;b"],
        *["", "/users/alice/auth_tokens/..", "/users/%2e/auth_tokens/x", "/users/%20/auth_tokens/x"],
        *["/users/alice/auth_tokens/%2e%2e", "/users/alice/auth_tokens/a%2Fb", "/users/alice/auth_tokens/..%3Bx"],
    ],
)
def test_path_of_another_shape(path: str) -> None:
    """A path with other literals, more or fewer segments, invalid characters, or a value that decodes to dots or to
    several segments does not match."""
    assert not matches(TOKENS, Secret(path))
    # The literal text of a template is text, and not a pattern.
    assert not matches("/a.b/{x}", Secret("/aXb/1"))


# The path prefixes of BASE_URL and of the simulator.
PATH_PREFIXES: dict[type, str] = {httpx.Request: "/chat/v3", ReceivedRequest: "/v3"}


def check_sent_or_refused(
    requests: list[Any], error: BaseException | None, target: Target, values: tuple[Any, ...]
) -> bool:
    """Check that a call went exactly to its path, or was refused. Returns whether it was sent."""
    if isinstance(error, InvalidRequestError):
        assert requests == []
        return False
    assert error is None or isinstance(error, CometChatError), error
    (request,) = requests
    # The values arrived unchanged, one in each segment. Only strings are ever sent.
    found = values_in(PATH_PREFIXES[type(request)] + target.template, path_of(request))
    assert found == dict(zip(target.parameters, map(str.__str__, values), strict=True))
    return True


@pytest.mark.parametrize("generated", [False, True], ids=["resource", "generated code"])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_value_goes_out_as_one_segment(any_client: AnyClient, target: Target, *, generated: bool) -> None:
    """Whatever is passed as an id is sent as one segment to the right host, or the call is refused."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    act = target.send if generated else target.act
    sent = 0

    @examples(300)
    @given(st.tuples(*(hostile_values() for _ in target.parameters)))
    @example(("alice",) * len(target.parameters))
    def check(values: tuple[Any, ...]) -> None:
        nonlocal sent
        stub.requests.clear()
        error = error_from(any_client, call_with(act, *values), client)
        if check_sent_or_refused(stub.requests, error, target, values):
            sent += 1
            parts = urlsplit(str(stub.requests[0].url))
            assert (parts.scheme, parts.netloc) == ("https", "chat.example:8443")
            assert (parts.query, parts.fragment) == ("", "")
            assert stub.requests[0].headers.get_list("host") == ["chat.example:8443"]

    check()
    # If everything were refused, the test would check nothing.
    assert sent


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
@pytest.mark.parametrize("value", HOSTILE_VALUES)
def test_value_never_reaches_another_resource(
    any_client: AnyClient, simulator: Simulator, target: Target, value: Any
) -> None:
    """Over real connections no value reaches another resource, and a refused value never reaches the service."""
    values = ("alice",) * (len(target.parameters) - 1) + (value,)
    error = error_from(any_client, call_with(target.act, *values), any_client.client(max_retries=0))
    assert isinstance(error, InvalidRequestError | ApiError | None)
    sent = check_sent_or_refused(simulator.requests, error, target, values)
    assert [request.operation for request in simulator.requests] == [target.name] * sent
    assert simulator.damage == []
    assert simulator.users.keys() == Simulator().users.keys()


@pytest.mark.parametrize(
    ("fault", "value"),
    [
        *((fault, value) for fault in REFUSED for value in REFUSED[fault]),
        *(("must be a str, not ", value) for value in (None, b"alice", ["alice"], object())),
        ("must have at most 1024 characters", "x" * (MAX_PATH_VALUE + 1)),
    ],
)
@pytest.mark.parametrize("name", ["uid", "auth_token"])
def test_refused_value_is_not_sent_and_not_shown(any_client: AnyClient, name: str, fault: str, value: Any) -> None:
    """A value is refused if it is not a text, is empty, dots or several segments, or becomes so when it is decoded.
    The error names the argument and the fault and does not show the value, and no connection is opened."""
    values = {"uid": "alice", "auth_token": "token", name: value}
    client = stub_client(any_client, unused_transport())
    error = error_from(any_client, call_with(DELETE_TOKEN.act, *values.values()), client)
    assert isinstance(error, InvalidRequestError)
    assert (error.argument, error.attempts, error.outcome_unknown) == (name, 0, False)
    assert fault in str(error)
    assert not isinstance(value, str) or len(value) <= 3 or value not in str(error)
    assert error.__context__ is None
