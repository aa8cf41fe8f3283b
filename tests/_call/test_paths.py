"""Paths: each value stays one segment of the path, or the call is refused."""

import itertools
import re
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cometchat_rest import ApiError, CometChatError, InvalidRequestError, Secret
from cometchat_rest._call.paths import MAX_PATH_VALUE, check_values, expand, matches
from cometchat_rest.testing import ReceivedRequest, Simulator

from ..support import (
    AnyClient,
    StubTransport,
    always_respond,
    error_from,
    origin_of,
    path_of,
    stub_client,
    unused_transport,
    values_in,
)
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

KEYWORDS = "/moderation/keywords/{keywordId}"
TOKENS = "/users/{uid}/auth_tokens/{authToken}"
SECRET = "hunter2-hunter2"


def expanded(template: str, **values: object) -> str:
    check_values(values)
    check_values(values)
    return expand(template, values).reveal()


class TestExpand:
    @pytest.mark.parametrize(
        "value", ["alice", "a_1", "A", "0", "x" * MAX_PATH_VALUE, "a b", "a?b#c", "ü", "100%", "😀"]
    )
    def test_value_is_one_segment(self, value: str) -> None:
        """Characters of an id other than letters, digits, `-` and `_` are percent-encoded: the id stays one segment."""
        assert expanded(KEYWORDS, keywordId=value) == f"/moderation/keywords/{quote(value, safe='')}"

    def test_values_are_placed_by_name(self) -> None:
        """Values are placed by name. A value that looks like a placeholder is not expanded again."""
        assert expanded(TOKENS, authToken="{uid}", uid="alice") == "/users/alice/auth_tokens/%7Buid%7D"
        assert expanded("/roles") == "/roles"

    @pytest.mark.parametrize(
        ("fault", "value"),
        [
            *((fault, value) for fault in REFUSED for value in REFUSED[fault]),
            *(("must be a str, not ", value) for value in (None, b"alice", ["alice"], object())),
            ("must have at most 1024 characters", "x" * (MAX_PATH_VALUE + 1)),
        ],
    )
    @pytest.mark.parametrize("name", ["uid", "authToken"])
    def test_value_that_could_change_the_path_is_refused(self, name: str, fault: str, value: object) -> None:
        """A value is refused if it is not a text, is empty, dots or several segments, or becomes so when it is decoded.
        The error names the argument and the fault."""
        values: dict[str, object] = {"uid": "alice", "authToken": "token", name: value}
        with pytest.raises(InvalidRequestError, match=rf"^{name} (must .*)?{re.escape(fault)}") as caught:
            expanded(TOKENS, **values)
        assert caught.value.__context__ is None

    @pytest.mark.parametrize("token", [f"{SECRET}/..", f"{SECRET}\n", f"{SECRET}\ud800", SECRET * 1000])
    def test_refused_token_is_not_shown(self, token: str) -> None:
        """The text of the error does not show a refused token."""
        with pytest.raises(InvalidRequestError) as caught:
            expanded(TOKENS, uid="alice", authToken=Secret(token))
        assert SECRET not in str(caught.value)

    @pytest.mark.parametrize("template", ["", "users", "/", "/users/", "//x", "/a{b}", "/{a}{b}", "/{a-b}", "/a\n"])
    def test_invalid_template_is_refused(self, template: str) -> None:
        """An invalid template is a bug in this package, and the error says so."""
        with pytest.raises(ValueError, match="not a path template"):
            expanded(template, a="x", b="x")

    @given(uid=st.text(), token=st.text("./\\%2eEfF5cC;a \n", min_size=1))
    def test_any_value_is_refused_or_stays_one_segment(self, uid: str, token: str) -> None:
        """A value is refused, or its path matches the template, can be decoded to the value, and keeps its segments."""
        try:
            path = expanded(TOKENS, uid=uid, authToken=token)
        except InvalidRequestError as error:
            assert str(error).startswith(("uid ", "authToken "))  # noqa: PT017 - either name is right
            return
        assert matches(TOKENS, Secret(path))
        assert path.isascii()
        assert values_in(TOKENS, path) == {"uid": uid, "authToken": token}
        for _ in range(4):
            path = unquote(path)
            segments = path.split("/")
            assert len(segments) == 5
            assert {"", ".", ".."}.isdisjoint(segments[1:])


class TestMatches:
    @pytest.mark.parametrize(
        ("template", "path"),
        [
            (KEYWORDS, "/moderation/keywords/profanity-list"),
            (TOKENS, "/users/alice/auth_tokens/alice_1757955951abc"),
            (TOKENS, "/users/a%20b/auth_tokens/%C3%BC.~"),
            ("/api/v3" + KEYWORDS, "/api/v3/moderation/keywords/x"),
            ("/a.b/{x}", "/a.b/1"),
        ],
    )
    def test_path_of_the_template(self, template: str, path: str) -> None:
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
            "",
        ],
    )
    def test_path_of_another_shape(self, path: str) -> None:
        """A path with other literals, more or fewer segments, or invalid characters does not match."""
        assert not matches(TOKENS, Secret(path))
        # The literal text of a template is text, and not a pattern.
        assert not matches("/a.b/{x}", Secret("/aXb/1"))

    @pytest.mark.parametrize("value", [each for fault in REFUSED for each in REFUSED[fault] if fault != "surrogate"])
    @pytest.mark.parametrize("raw", [False, True])
    def test_segment_that_decodes_to_another_path(self, value: str, *, raw: bool) -> None:
        """A value that is empty, dots or several segments does not match, encoded or not."""
        segment = value if raw else quote(value, safe="")
        assert not matches(TOKENS, Secret(f"/users/alice/auth_tokens/{segment}"))
        assert not matches(TOKENS, Secret(f"/users/{segment}/auth_tokens/x"))


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
            assert origin_of(str(stub.requests[0].url)) == ("https", "chat.example", 8443)
            assert not stub.requests[0].url.query
            assert not stub.requests[0].url.fragment
            assert stub.requests[0].headers.get_list("host") == ["chat.example:8443"]

    check()
    # If everything were refused, the test would check nothing.
    assert sent


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_value_never_reaches_another_resource(any_client: AnyClient, simulator: Simulator, target: Target) -> None:
    """Over real connections no value reaches another resource, and a refused value never reaches the service."""
    client = any_client.client(max_retries=0)
    careful = stub_client(any_client, stub := StubTransport(always_respond(404)), base_url=simulator.base_url)
    for value in HOSTILE_VALUES:
        # The hostile value as the user and as the token.
        pairs = [(value,)] if len(target.parameters) == 1 else [(value, "x"), ("alice", value)]
        for act, values in itertools.product((target.act, target.send), pairs):
            before = len(simulator.requests)
            error = error_from(any_client, call_with(act, *values), client)
            received = simulator.requests[before:]
            assert isinstance(error, InvalidRequestError | ApiError | None)
            sent = check_sent_or_refused(received, error, target, values)
            assert [request.operation for request in received] == [target.name] * sent
            # A custom transport gets exactly the same calls.
            stub.requests.clear()
            error_from(any_client, call_with(act, *values), careful)
            assert len(stub.requests) == sent
    assert simulator.damage == []
    assert simulator.users.keys() == Simulator().users.keys()


def test_refused_value_is_not_sent_and_not_shown(any_client: AnyClient) -> None:
    """The error names the parameter and does not show the value, and no connection is opened."""
    client = stub_client(any_client, unused_transport())
    refused = [
        each for each in HOSTILE_VALUES if not isinstance(each, str) or each.strip() in ("", "..") or "/" in each
    ]
    for value in (*refused, *itertools.chain(*REFUSED.values()), "a" * 1025, "\u00e9" * 10_240):
        for parameter, values in (("uid", (value, "x")), ("auth_token", ("alice", value))):
            error = error_from(any_client, call_with(DELETE_TOKEN.act, *values), client)
            assert isinstance(error, InvalidRequestError)
            assert (error.argument, error.attempts, error.outcome_unknown) == (parameter, 0, False)
            assert not isinstance(value, str) or len(value) <= 3 or value not in str(error)
