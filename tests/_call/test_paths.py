"""Paths: each value stays one segment of the path, or the call is refused."""

import itertools
import re
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cometchat_rest import ApiError, CometChatError, InvalidRequestError
from cometchat_rest._call.paths import MAX_PATH_VALUE, expand, matches
from cometchat_rest.testing import ReceivedRequest, Simulator

from ..support import (
    UPDATE,
    AnyClient,
    StubTransport,
    always_respond,
    error_from,
    origin_of,
    own_locals,
    path_of,
    stub_client,
    unused_transport,
    values_in,
)
from .hostile import (
    BASE_URL,
    DELETE_TOKEN,
    FUNCTIONS,
    HOSTILE_VALUES,
    REFUSED,
    TARGETS,
    Target,
    call_with,
    examples,
    hostile_values,
    in_generated_code,
)

KEYWORDS = "/moderation/keywords/{keywordId}"
TOKENS = "/users/{uid}/auth_tokens/{authToken}"
SECRET = "hunter2-hunter2"


class TestExpand:
    @pytest.mark.parametrize("value", ["alice", "profanity-list", "a_1", "A", "0", "x" * MAX_PATH_VALUE])
    def test_ordinary_id_is_not_changed(self, value: str) -> None:
        """An id of letters, digits, `-` and `_` needs no encoding."""
        assert expand(KEYWORDS, {"keywordId": value}) == f"/moderation/keywords/{value}"

    @pytest.mark.parametrize(
        ("value", "segment"),
        [
            ("a b", "a%20b"),
            ("a?b#c", "a%3Fb%23c"),
            ("ü", "%C3%BC"),
            ("100%", "100%25"),
            ("a;b", "a%3Bb"),
            ("a..b", "a..b"),
            ("...", "..."),
            ("{uid}", "%7Buid%7D"),
            ("😀", "%F0%9F%98%80"),
        ],
    )
    def test_other_characters_are_encoded(self, value: str, segment: str) -> None:
        """Other characters of an id are percent-encoded, so that the id stays one segment."""
        assert expand(KEYWORDS, {"keywordId": value}) == f"/moderation/keywords/{segment}"

    def test_values_are_placed_by_name(self) -> None:
        """Values are placed by name. A value that looks like a placeholder is not expanded again."""
        assert expand(TOKENS, {"authToken": "{uid}", "uid": "alice"}) == ("/users/alice/auth_tokens/%7Buid%7D")
        assert expand("/roles", {}) == "/roles"

    @pytest.mark.parametrize(("fault", "value"), [(fault, value) for fault in REFUSED for value in REFUSED[fault]])
    @pytest.mark.parametrize("name", ["uid", "authToken"])
    def test_value_that_could_change_the_path_is_refused(self, name: str, fault: str, value: str) -> None:
        """A value that is empty, dots or several segments is refused, also if it becomes so when it is decoded."""
        values = {"uid": "alice", "authToken": "token", name: value}
        with pytest.raises(InvalidRequestError, match=rf"^{name} must .*{re.escape(fault)}") as caught:
            expand(TOKENS, values)
        assert caught.value.__context__ is None

    @pytest.mark.parametrize("value", [None, 1, b"alice", ["alice"], True])
    def test_value_that_is_not_a_str_is_refused(self, value: object) -> None:
        """A value that is not a `str`, such as `None`, is refused and not formatted."""
        with pytest.raises(InvalidRequestError, match=r"^uid must be a str"):
            expand(TOKENS, {"uid": value, "authToken": "token"})

    def test_missing_value_is_refused(self) -> None:
        """A missing value is refused, so no placeholder stays in a path."""
        with pytest.raises(InvalidRequestError, match=r"^authToken must be a str"):
            expand(TOKENS, {"uid": "alice"})

    def test_too_long_value_is_refused(self) -> None:
        """A value of more than 1024 characters is refused."""
        with pytest.raises(InvalidRequestError, match=r"^uid must have at most 1024 characters"):
            expand(TOKENS, {"uid": "x" * (MAX_PATH_VALUE + 1), "authToken": "token"})

    @pytest.mark.parametrize("token", [f"{SECRET}/..", f"{SECRET}\n", f"{SECRET}\ud800", SECRET * 1000])
    def test_refused_token_is_not_shown(self, token: str) -> None:
        """Neither the text of the error nor a frame of the module shows a refused token."""
        with pytest.raises(InvalidRequestError) as caught:
            expand(TOKENS, {"uid": "alice", "authToken": token})
        assert SECRET not in str(caught.value)
        assert SECRET not in own_locals(caught.value)

    @pytest.mark.parametrize("template", ["", "users", "/", "/users/", "//x", "/a{b}", "/{a}{b}", "/{a-b}", "/a\n"])
    def test_invalid_template_is_refused(self, template: str) -> None:
        """An invalid template is a bug in this package, and the error says so."""
        with pytest.raises(ValueError, match="not a path template"):
            expand(template, {"a": "x", "b": "x"})

    @given(uid=st.text(), token=st.text("./\\%2eEfF5cC;a \n", min_size=1))
    def test_any_value_is_refused_or_stays_one_segment(self, uid: str, token: str) -> None:
        """A value is refused, or its path matches the template, can be decoded to the value, and keeps its segments."""
        try:
            path = expand(TOKENS, {"uid": uid, "authToken": token})
        except InvalidRequestError as error:
            assert str(error).startswith(("uid ", "authToken "))  # noqa: PT017 - either name is right
            return
        assert matches(TOKENS, path)
        assert path.isascii()
        segments = path.split("/")
        assert [unquote(segments[2]), unquote(segments[4])] == [uid, token]
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
            ("/roles", "/roles"),
            ("/api/v3" + KEYWORDS, "/api/v3/moderation/keywords/x"),
        ],
    )
    def test_path_of_the_template(self, template: str, path: str) -> None:
        """A path with the segments of the template matches it."""
        assert matches(template, path)

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
        assert not matches(TOKENS, path)

    @pytest.mark.parametrize("value", [each for fault in REFUSED for each in REFUSED[fault] if fault != "surrogate"])
    @pytest.mark.parametrize("raw", [False, True])
    def test_segment_that_decodes_to_another_path(self, value: str, *, raw: bool) -> None:
        """A value that is empty, dots or several segments does not match, encoded or not."""
        segment = value if raw else quote(value, safe="")
        assert not matches(TOKENS, f"/users/alice/auth_tokens/{segment}")
        assert not matches(TOKENS, f"/users/{segment}/auth_tokens/x")

    def test_literal_dot_is_not_a_pattern(self) -> None:
        """The literal text of a template is compared as text, not as a pattern."""
        assert matches("/a.b/{x}", "/a.b/1")
        assert not matches("/a.b/{x}", "/aXb/1")


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
    found = values_in(target.template, path_of(request)[len(PATH_PREFIXES[type(request)]) :])
    assert found == dict(zip(target.parameters, map(str.__str__, values), strict=True))
    assert path_of(request).startswith(PATH_PREFIXES[type(request)])
    return True


# The path prefixes of BASE_URL and of the simulator.
PATH_PREFIXES: dict[type, str] = {httpx.Request: "/chat/v3", ReceivedRequest: "/v3"}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_value_goes_out_as_one_segment(any_client: AnyClient, target: Target) -> None:
    """Whatever is passed as an id is sent as one segment to the right host, or the call is refused."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    sent = 0

    @examples(300)
    @given(st.tuples(*(hostile_values() for _ in target.parameters)))
    @example(("alice",) * len(target.parameters))
    def check(values: tuple[Any, ...]) -> None:
        nonlocal sent
        stub.requests.clear()
        error = error_from(any_client, call_with(target.act, *values), client)
        if check_sent_or_refused(stub.requests, error, target, values):
            sent += 1
            assert origin_of(str(stub.requests[0].url)) == ("https", "chat.example", 8443)
            assert not stub.requests[0].url.query
            assert not stub.requests[0].url.fragment
            assert stub.requests[0].headers.get_list("host") == ["chat.example:8443"]

    check()
    # If everything were refused, the test would check nothing.
    assert sent


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_value_goes_out_as_one_segment_in_generated_code(any_client: AnyClient, target: Target, which: int) -> None:
    """The same holds for the generated functions with `chat.api`."""
    stub = StubTransport(always_respond(404))
    client = stub_client(any_client, stub, base_url=BASE_URL)
    act = in_generated_code(target, FUNCTIONS[any_client.kind][which])
    sent = 0

    @examples(200)
    @given(st.tuples(*(hostile_values() for _ in target.parameters)))
    @example(("alice",) * len(target.parameters))
    def check(values: tuple[Any, ...]) -> None:
        nonlocal sent
        stub.requests.clear()
        error = error_from(any_client, call_with(act, *values), client)
        if check_sent_or_refused(stub.requests, error, target, values):
            sent += 1
            assert origin_of(str(stub.requests[0].url)) == ("https", "chat.example", 8443)

    check()
    assert sent


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_value_never_reaches_another_resource(any_client: AnyClient, simulator: Simulator, target: Target) -> None:
    """Over real connections no value reaches another resource, and a refused value never reaches the service."""
    client = any_client.client(max_retries=0)
    careful = stub_client(any_client, stub := StubTransport(always_respond(404)), base_url=simulator.base_url)
    acts = (target.act, *(in_generated_code(target, function) for function in FUNCTIONS[any_client.kind]))
    for value in HOSTILE_VALUES:
        # The hostile value as the user and as the token.
        pairs = [(value,)] if len(target.parameters) == 1 else [(value, "x"), ("alice", value)]
        for act, values in itertools.product(acts, pairs):
            before = len(simulator.requests)
            error = error_from(any_client, call_with(act, *values), client)
            received = simulator.requests[before:]
            assert isinstance(error, InvalidRequestError | ApiError | None)
            sent = check_sent_or_refused(received, error, target, values)
            assert [request.operation for request in received] == [target.name] * sent
            # A transport of the caller gets exactly the same calls.
            stub.requests.clear()
            error_from(any_client, call_with(act, *values), careful)
            assert len(stub.requests) == sent
    assert simulator.damage == []
    assert simulator.users.keys() == Simulator().users.keys()


def test_refused_value_is_not_sent_and_not_shown(any_client: AnyClient) -> None:
    """The error names the parameter and does not show the value, and no connection is opened."""
    client = stub_client(any_client, unused_transport())
    refused = [
        *(each for each in HOSTILE_VALUES if not isinstance(each, str)),
        *(
            each
            for each in HOSTILE_VALUES
            if isinstance(each, str) and (each.strip() in ("", ".", "..") or "/" in each)
        ),
        *itertools.chain(*REFUSED.values()),
    ]
    for value in (*refused, "a" * 1025, "a" * 10_240, "\u00e9" * 10_240):
        for parameter, values in (("uid", (value, "x")), ("auth_token", ("alice", value))):
            with pytest.raises(InvalidRequestError, match=parameter) as caught:
                any_client.call(call_with(DELETE_TOKEN.act, *values), client)
            error = caught.value
            assert (error.attempts, error.outcome_unknown) == (0, False)
            if isinstance(value, str) and len(value) > 3:
                assert value not in str(error)


def test_error_names_the_argument_and_the_fault(any_client: AnyClient) -> None:
    """The error names the argument, as the method and as the generated code call it, and the fault."""
    client = stub_client(any_client, unused_transport())
    for fault, value in ((fault, value) for fault, values in REFUSED.items() for value in values):
        for act in (
            lambda chat, value=value: chat.keywords.get(value),
            lambda chat, value=value: chat.keywords.update(value, UPDATE),
        ):
            with pytest.raises(InvalidRequestError, match=rf"^list_id \(keyword_id\) must .*{re.escape(fault)}"):
                any_client.call(act, client)
