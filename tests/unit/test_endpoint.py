"""Where an app lives, and where a request goes."""

import re
import string
import traceback
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_rest import endpoint
from cometchat_rest._call import paths
from cometchat_rest._call.paths import MAX_PATH_VALUE, expand, matches
from cometchat_rest.endpoint import Region, base_url, resolve_api_key, resolve_base_url
from cometchat_rest.errors import ConfigurationError, InvalidRequestError

KEYWORDS = "/moderation/keywords/{keywordId}"
TOKENS = "/users/{uid}/auth_tokens/{authToken}"
SECRET = "hunter2-hunter2"


def resolve(
    app_id: object = None,
    region: object = None,
    base_url: object = None,
    environ: Mapping[str, str] | None = None,
) -> str:
    return resolve_base_url(
        app_id=app_id,  # type: ignore[arg-type]
        region=region,  # type: ignore[arg-type]
        base_url=base_url,  # type: ignore[arg-type]
        environ=environ or {},
    )


def own_locals(error: BaseException) -> str:
    """The frames of the package as a reporter that prints locals shows them."""
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = [frame for frame in trace.stack if frame.filename in (endpoint.__file__, paths.__file__)]
    assert frames
    return repr([frame.locals for frame in frames])


class TestBaseUrl:
    @pytest.mark.parametrize("region", ["us", "eu", "in", *Region])
    def test_is_built_of_app_and_region(self, region: str) -> None:
        """App and region make the address that service.md, section 1, describes."""
        assert base_url("253179cf5f665257", region) == (f"https://253179cf5f665257.api-{region}.cometchat.io/v3")

    def test_has_us_as_its_default_region(self) -> None:
        """Without a region the app lives in `us`."""
        assert base_url("app") == "https://app.api-us.cometchat.io/v3"

    @pytest.mark.parametrize(
        "region", ["US", "Us", "us ", " us", "us\n", "", "uk", "us.evil.example/", None, 1, b"us", ["us"]]
    )
    def test_knows_no_other_region(self, region: object) -> None:
        """A region outside the closed set is refused, and the text names argument and variable."""
        with pytest.raises(ConfigurationError, match=r"^region \(COMETCHAT_REGION\)"):
            base_url("app", region)  # type: ignore[arg-type]

    @pytest.mark.parametrize("app_id", ["a", "0", "a-b", "A1", "x" * 63])
    def test_takes_any_dns_label(self, app_id: str) -> None:
        """An app id is one DNS label, in either case, of which hosts have none."""
        assert urlsplit(base_url(app_id)).netloc == f"{app_id.lower()}.api-us.cometchat.io"

    @pytest.mark.parametrize(
        "app_id",
        [
            *["", "-a", "a-", "x" * 64, "a.b", "a/b", "evil.example/", "evil.example#", "a:80", "u@evil"],
            *["a b", "app\n", "\napp", "app\x00", "a_b", "%61", "äpp", "\u212aelvin", "\u017ftrasse"],
            *["a\u2024b", "\uff0e"],
            *[None, 1, b"app", ["app"]],
        ],
    )
    def test_takes_nothing_but_a_dns_label(self, app_id: object) -> None:
        """Whatever else is given as app id is refused, and the text names argument and variable."""
        with pytest.raises(ConfigurationError, match=r"^app_id \(COMETCHAT_APP_ID\)"):
            base_url(app_id)  # type: ignore[arg-type]

    @given(st.text(st.characters(codec="utf-8")) | st.text(string.printable))
    def test_never_names_another_host(self, app_id: str) -> None:
        """No app id whatever moves the request to another host, port or path."""
        try:
            parts = urlsplit(base_url(app_id, "eu"))
        except ConfigurationError:
            return
        assert parts.netloc == f"{app_id.lower()}.api-eu.cometchat.io"
        assert re.fullmatch(r"[a-z0-9-]+\.api-eu\.cometchat\.io", parts.netloc)
        assert (parts.scheme, parts.path, parts.query, parts.fragment) == ("https", "/v3", "", "")


class TestPrecedence:
    def test_arguments_alone(self) -> None:
        """Arguments need no environment."""
        assert resolve("app", "eu") == base_url("app", "eu")
        assert resolve("app") == base_url("app", "us")
        assert resolve(base_url="https://chat.example/v3") == "https://chat.example/v3"

    def test_variables_alone(self) -> None:
        """Without arguments the environment decides."""
        assert resolve(environ={"COMETCHAT_APP_ID": "env", "COMETCHAT_REGION": "in"}) == base_url("env", "in")
        assert resolve(environ={"COMETCHAT_APP_ID": "env"}) == base_url("env", "us")

    def test_the_base_url_wins_among_variables(self) -> None:
        """Among variables alone the base URL wins."""
        environ = {
            "COMETCHAT_APP_ID": "env",
            "COMETCHAT_REGION": "in",
            "COMETCHAT_BASE_URL": "https://a.example/v3",
        }
        assert resolve(environ=environ) == "https://a.example/v3"

    def test_an_argument_beats_the_variable_for_the_base_url(self) -> None:
        """An explicit app id or region beats COMETCHAT_BASE_URL."""
        environ = {"COMETCHAT_APP_ID": "env", "COMETCHAT_BASE_URL": "https://a.example/v3"}
        assert resolve("app", environ=environ) == base_url("app")
        assert resolve(region="eu", environ=environ) == base_url("env", "eu")
        with pytest.raises(ConfigurationError, match="COMETCHAT_APP_ID"):
            resolve(region="eu", environ={"COMETCHAT_BASE_URL": "https://a.example/v3"})

    def test_an_argument_beats_its_own_variable(self) -> None:
        """Each argument beats the variable of its own name, and only that one."""
        environ = {"COMETCHAT_APP_ID": "env", "COMETCHAT_REGION": "in"}
        assert resolve("app", environ=environ) == base_url("app", "in")
        assert resolve(region="eu", environ=environ) == base_url("env", "eu")
        assert resolve(base_url="https://b.example/v3", environ=environ) == "https://b.example/v3"

    def test_an_explicit_base_url_beats_all_variables(self) -> None:
        """An explicit base URL leaves the environment aside."""
        environ = {"COMETCHAT_BASE_URL": "https://a.example/v3", "COMETCHAT_REGION": "nowhere"}
        assert resolve(base_url="https://b.example/v3", environ=environ) == "https://b.example/v3"

    @pytest.mark.parametrize(
        "others", [{"app_id": "app"}, {"region": "us"}, {"app_id": "app", "region": "us"}, {"app_id": ""}]
    )
    def test_base_url_excludes_app_and_region(self, others: dict[str, Any]) -> None:
        """A base URL beside an explicit app id or region is refused: one of them would be ignored."""
        with pytest.raises(ConfigurationError, match=r"base_url.*excludes app_id.*region"):
            resolve(base_url="https://b.example/v3", **others)

    def test_an_empty_variable_counts_as_unset(self) -> None:
        """An empty variable is no setting."""
        empty = {"COMETCHAT_APP_ID": "", "COMETCHAT_REGION": "", "COMETCHAT_BASE_URL": ""}
        assert resolve("app", environ=empty) == base_url("app")
        assert resolve(environ={**empty, "COMETCHAT_APP_ID": "env"}) == base_url("env")
        with pytest.raises(ConfigurationError, match="no app is named"):
            resolve(environ=empty)

    @pytest.mark.parametrize("name", ["app_id", "region", "base_url"])
    def test_an_empty_argument_is_an_error(self, name: str) -> None:
        """An empty argument is not a way to ask for the environment's value."""
        environ = {"COMETCHAT_APP_ID": "env", "COMETCHAT_BASE_URL": "https://a.example/v3"}
        with pytest.raises(ConfigurationError, match=name):
            resolve_base_url(**{"app_id": None, "region": None, "base_url": None, name: ""}, environ=environ)

    def test_says_what_is_missing(self) -> None:
        """Without any setting the text names every argument and variable that would help."""
        with pytest.raises(ConfigurationError) as caught:
            resolve()
        for name in ("app_id", "COMETCHAT_APP_ID", "base_url", "COMETCHAT_BASE_URL"):
            assert name in str(caught.value)

    @pytest.mark.parametrize(
        "environ",
        [
            {"COMETCHAT_APP_ID": "a.b"},
            {"COMETCHAT_APP_ID": "env", "COMETCHAT_REGION": "EU"},
            {"COMETCHAT_BASE_URL": "http://a.example/v3"},
        ],
    )
    def test_variables_are_held_to_the_same_rules(self, environ: dict[str, str]) -> None:
        """A malformed variable is refused as the argument would be, and named."""
        with pytest.raises(ConfigurationError, match=list(environ)[-1]):
            resolve(environ=environ)


class TestWholeAddress:
    @pytest.mark.parametrize(
        ("given_url", "resolved"),
        [
            ("https://chat.example/v3", "https://chat.example/v3"),
            ("https://chat.example/v3/", "https://chat.example/v3"),
            ("HTTPS://Chat.Example:8443/api/Chat/v3", "https://chat.example:8443/api/Chat/v3"),
            ("https://chat_1.intern/v3", "https://chat_1.intern/v3"),
            ("https://10.0.0.1/v3", "https://10.0.0.1/v3"),
            ("https://[2001:db8::1]:65535/v3", "https://[2001:db8::1]:65535/v3"),
            ("http://localhost:8000/v3/", "http://localhost:8000/v3"),
            ("http://LOCALHOST/v3", "http://localhost/v3"),
            ("http://127.0.0.1:1/v3", "http://127.0.0.1:1/v3"),
            ("http://127.9.8.7/v3", "http://127.9.8.7/v3"),
            ("http://[::1]:8000/v3", "http://[::1]:8000/v3"),
        ],
    )
    def test_is_taken(self, given_url: str, resolved: str) -> None:
        """A whole address that ends in /v3 is taken, slash or not; plain HTTP only on this machine."""
        assert resolve(base_url=given_url) == resolved
        assert resolve(environ={"COMETCHAT_BASE_URL": given_url}) == resolved

    @pytest.mark.parametrize(
        "address",
        [
            # not TLS, and not on this machine
            *["http://chat.example/v3", "http://10.0.0.1/v3", "http://127.0.0.1.evil.example/v3"],
            *["http://localhost.evil.example/v3", "http://chat.localhost/v3", "http://[::2]/v3"],
            *["http://2130706433/v3", "http://127.1/v3", "http://0.0.0.0/v3", "http://[::ffff:10.0.0.1]/v3"],
            # no scheme, or another one
            *["chat.example/v3", "//chat.example/v3", "ftp://chat.example/v3", "file:///v3", "/v3", "v3"],
            # user info, query, fragment, even empty ones
            *["https://u:p@chat.example/v3", "https://@chat.example/v3", "https://u@chat.example/v3"],
            *["https://chat.example/v3?", "https://chat.example/v3?a=/v3", "https://chat.example/v3#"],
            *["https://chat.example/#/v3", "https://chat.example?/v3"],
            # another path
            *["https://chat.example", "https://chat.example/", "https://chat.example/v2"],
            *["https://chat.example/V3", "https://chat.example/v3/users", "https://chat.example/xv3"],
            *["https://chat.example/v3//", "https://chat.example//v3", "https://chat.example/a//v3"],
            *["https://chat.example/../v3", "https://chat.example/./v3", "https://chat.example/%2e%2e/v3"],
            *["https://chat.example/a%2fb/v3", "https://chat.example\\v3", "https://chat.example/a\\b/v3"],
            *["https://chat.example/a;b/v3", "https://chat.example/{x}/v3"],
            # hosts and ports that are none
            *["https:///v3", "https://:443/v3", "https://chat.example:/v3", "https://chat.example:0/v3"],
            *["https://chat.example:65536/v3", "https://chat.example:x/v3", "https://chat.example:-1/v3"],
            *["https://chat.example:080/v3", "https://chat..example/v3", "https://.example/v3"],
            *["https://-a.example/v3", f"https://{'x' * 64}.example/v3", "https://chat.example.:1:2/v3"],
            *["https://1.2.3/v3", "https://1.2.3.256/v3", "https://[::1/v3", "https://[::1]x/v3"],
            *["https://[fe80::1%25eth0]/v3", "https://[x]/v3", "https://a,b/v3", "https://%61.example/v3"],
            # white space and what is not ASCII
            *["", " ", " https://chat.example/v3", "https://chat.example/v3\n", "https://chat.example/v3 "],
            *["https://chat\n.example/v3", "https://chat.example/\tv3", "https://chat.example/v3\x00"],
            *["https://chät.example/v3", "https://chat.example/\u2025/v3", "https://chat.example\u2028/v3"],
        ],
    )
    def test_is_refused(self, address: str) -> None:
        """Any other address is refused, and the text names argument and variable."""
        with pytest.raises(ConfigurationError, match=r"^base_url \(COMETCHAT_BASE_URL\) must "):
            resolve(base_url=address)

    @pytest.mark.parametrize("address", ["https://u:p@chat.example/v3", "https://@chat.example/v3"])
    def test_has_no_user_info(self, address: str) -> None:
        """A key in the address is a common mistake, and the text says that it is the one."""
        with pytest.raises(ConfigurationError, match="user info"):
            resolve(base_url=address)

    @pytest.mark.parametrize("address", [b"https://chat.example/v3", 1, ["https://chat.example/v3"], object()])
    def test_is_a_str(self, address: object) -> None:
        """What is no `str` is a configuration error, not a TypeError from somewhere inside."""
        with pytest.raises(ConfigurationError, match=r"^base_url \(COMETCHAT_BASE_URL\) must be a str"):
            resolve(base_url=address)

    @pytest.mark.parametrize(
        "address",
        [
            f"https://u:{SECRET}@chat.example/v3",
            f"http://{SECRET}@localhost/v3",
            f"https://u:{SECRET}@[chat.example/v3",
            f"https://chat.example:{SECRET}/v3",
            f"https://[{SECRET}]/v3",
            f"https://u:{SECRET}\u2100@chat.example/v3",
            f"https://chat.example/v3?apikey={SECRET}",
        ],
    )
    def test_is_never_shown(self, address: str) -> None:
        """No text, cause or frame of the error holds the password that an address can hold."""
        with pytest.raises(ConfigurationError) as caught:
            resolve(base_url=address)
        assert SECRET not in str(caught.value)
        assert caught.value.__context__ is None
        assert SECRET not in own_locals(caught.value)

    @given(
        st.lists(
            st.sampled_from(["https:", "http:", "localhost", "a.example", ":8000", "v3"]) | st.text("/.%2e@?#\\\n:[]")
        )
    )
    def test_is_what_a_parser_sees(self, pieces: list[str]) -> None:
        """What is taken has a host, no user info, query or fragment, and no empty or dot segment."""
        try:
            address = resolve(base_url="https://" + "".join(pieces) + "/v3")
        except ConfigurationError:
            return
        parts = urlsplit(address)
        assert parts.hostname
        assert (parts.username, parts.password, parts.query, parts.fragment) == (None, None, "", "")
        assert {"", ".", ".."}.isdisjoint(map(unquote, parts.path.split("/")[1:]))
        assert parts.path.endswith("/v3")


class TestApiKey:
    def test_argument_then_variable(self) -> None:
        """The argument wins; `None` asks for the variable."""
        assert resolve_api_key("given", {"COMETCHAT_API_KEY": "set"}) == "given"
        assert resolve_api_key(None, {"COMETCHAT_API_KEY": "set"}) == "set"

    @pytest.mark.parametrize("around", [" ", "\n", "\r\n", "\t", "\u00a0"])
    def test_white_space_around_it_is_dropped(self, around: str) -> None:
        """A key read from a file, newline and all, is fit to use."""
        assert resolve_api_key(f"{around}key{around}", {}) == "key"
        assert resolve_api_key(None, {"COMETCHAT_API_KEY": f"{around}key{around}"}) == "key"

    @pytest.mark.parametrize("environ", [{}, {"COMETCHAT_API_KEY": ""}, {"COMETCHAT_API_KEY": " \n"}])
    def test_it_is_required(self, environ: dict[str, str]) -> None:
        """Without a key there is no client, and the text names argument and variable."""
        with pytest.raises(ConfigurationError, match=r"api_key.*COMETCHAT_API_KEY"):
            resolve_api_key(None, environ)

    @pytest.mark.parametrize("empty", ["", " ", "\n"])
    def test_an_empty_argument_is_an_error(self, empty: str) -> None:
        """An empty argument never falls back to the environment's key, which may be another app's."""
        with pytest.raises(ConfigurationError, match=r"api_key is empty.*COMETCHAT_API_KEY"):
            resolve_api_key(empty, {"COMETCHAT_API_KEY": "set"})

    @pytest.mark.parametrize(
        "key",
        [
            *[f"{SECRET}{bad}x" for bad in ("\r\nHost: evil", "\n", "\x00", "\x1f", "\x7f", "é", "\u2028")],
            *[f"\ufeff{SECRET}", f"{SECRET}\ud800", SECRET.encode()],
        ],
    )
    def test_it_is_fit_for_a_header(self, key: object) -> None:
        """A key that no header can carry is refused, and neither text nor frames show it."""
        with pytest.raises(ConfigurationError, match=r"api_key \(COMETCHAT_API_KEY\)") as caught:
            resolve_api_key(key, {})  # type: ignore[arg-type]
        assert SECRET not in str(caught.value)
        assert caught.value.__context__ is None
        assert SECRET not in own_locals(caught.value)

    def test_no_error_shows_the_environment(self) -> None:
        """An error about another setting has no frame that holds the environment with the key in it."""
        with pytest.raises(ConfigurationError) as caught:
            resolve(environ={"COMETCHAT_API_KEY": SECRET})
        assert SECRET not in own_locals(caught.value)


# By a word of the fault that is told.
REFUSED = {
    "dots": [
        *[".", "..", "%2e", "%2E%2e", ".%2e", "%2e.", "%252e%252E", "%25252e.", "..;", "..;x=1", "%2e%2e%3bx"],
        *[" ..", ".. ", "%20..", "..%20", "%2e%2e\u3000"],
    ],
    "slashes": ["/", "\\", "a/b", "../x", "x/..", "a\\b", "%2f", "a%2Fb", "a%5cb", "%255c", "a%252f..%252fb"],
    "empty": ["", " ", "\t", "\n", "\u3000", ";", ";x", "%20", "%c2%85"],
    "control": ["a%00", "a%0d%0aHost:x", "a\x00", "a\n", "a\x1f", "\x7f", "a\x80", "\x9f"],
    "surrogate": ["\ud800", "a\udfff"],
    "over and over": ["%" + "25" * 12 + "2e", "%" + "25" * 12 + "61"],
}
FAULTS = {"dots": r"'\.' or '\.\.'", "slashes": "no '/'"}


class TestExpand:
    @pytest.mark.parametrize("value", ["alice", "profanity-list", "a_1", "A", "0", "x" * MAX_PATH_VALUE])
    def test_an_ordinary_id_goes_as_it_is(self, value: str) -> None:
        """Ids of the service's own alphabet need no encoding."""
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
        """What an id may hold beside that is percent-encoded, so that it stays one segment."""
        assert expand(KEYWORDS, {"keywordId": value}) == f"/moderation/keywords/{segment}"

    def test_each_value_goes_to_its_own_place(self) -> None:
        """Values are placed by name, and one that looks like a placeholder is not expanded again."""
        assert expand(TOKENS, {"authToken": "{uid}", "uid": "alice"}) == ("/users/alice/auth_tokens/%7Buid%7D")
        assert expand("/roles", {}) == "/roles"

    @pytest.mark.parametrize(("fault", "value"), [(fault, value) for fault in REFUSED for value in REFUSED[fault]])
    @pytest.mark.parametrize("name", ["uid", "authToken"])
    def test_what_could_lead_elsewhere_is_refused(self, name: str, fault: str, value: str) -> None:
        """A value that is or becomes empty, dots or more than one segment is refused for that, and not shown."""
        values = {"uid": "alice", "authToken": "token", name: value}
        with pytest.raises(InvalidRequestError, match=rf"^{name} must .*{FAULTS.get(fault, fault)}") as caught:
            expand(TOKENS, values)
        assert caught.value.__context__ is None

    @pytest.mark.parametrize("value", [None, 1, b"alice", ["alice"], True])
    def test_only_a_str_goes_into_a_path(self, value: object) -> None:
        """What is no `str` is refused rather than formatted, `None` above all."""
        with pytest.raises(InvalidRequestError, match=r"^uid must be a str"):
            expand(TOKENS, {"uid": value, "authToken": "token"})

    def test_a_missing_value_is_refused(self) -> None:
        """No placeholder is ever left in a path."""
        with pytest.raises(InvalidRequestError, match=r"^authToken must be a str"):
            expand(TOKENS, {"uid": "alice"})

    def test_length_is_bounded(self) -> None:
        """A value of megabytes is refused."""
        with pytest.raises(InvalidRequestError, match=r"^uid must have at most 1024 characters"):
            expand(TOKENS, {"uid": "x" * (MAX_PATH_VALUE + 1), "authToken": "token"})

    @pytest.mark.parametrize("token", [f"{SECRET}/..", f"{SECRET}\n", f"{SECRET}\ud800", SECRET * 1000])
    def test_a_token_is_never_shown(self, token: str) -> None:
        """Neither the text of the error nor a frame of this module holds a refused token."""
        with pytest.raises(InvalidRequestError) as caught:
            expand(TOKENS, {"uid": "alice", "authToken": token})
        assert SECRET not in str(caught.value)
        assert SECRET not in own_locals(caught.value)

    @pytest.mark.parametrize("template", ["", "users", "/", "/users/", "//x", "/a{b}", "/{a}{b}", "/{a-b}", "/a\n"])
    def test_a_template_is_checked_too(self, template: str) -> None:
        """A template that is none is a mistake in this package and says so."""
        with pytest.raises(ValueError, match="not a path template"):
            expand(template, {"a": "x", "b": "x"})

    @given(uid=st.text(), token=st.text("./\\%2eEfF5cC;a \n", min_size=1))
    def test_any_value_is_refused_or_stays_one_segment(self, uid: str, token: str) -> None:
        """Values are refused, or make a path that matches, round-trips, and stays as long however decoded."""
        try:
            path = expand(TOKENS, {"uid": uid, "authToken": token})
        except InvalidRequestError as error:
            assert str(error).startswith(("uid ", "authToken "))  # noqa: PT017 - either is right
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
    def test_a_path_of_the_template(self, template: str, path: str) -> None:
        """A path whose segments are the template's matches it."""
        assert matches(template, path)

    @pytest.mark.parametrize(
        "path",
        [
            # the neighbours: the user, and all of the user's tokens
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
    def test_a_path_of_another_shape(self, path: str) -> None:
        """A path with other literals, more or fewer segments, or characters no path has does not match."""
        assert not matches(TOKENS, path)

    @pytest.mark.parametrize("value", [each for fault in REFUSED for each in REFUSED[fault] if fault != "surrogate"])
    @pytest.mark.parametrize("raw", [False, True])
    def test_a_segment_that_decodes_to_something_else(self, value: str, *, raw: bool) -> None:
        """A value that is or becomes empty, dots or two segments does not match, whoever encoded it."""
        segment = value if raw else quote(value, safe="")
        assert not matches(TOKENS, f"/users/alice/auth_tokens/{segment}")
        assert not matches(TOKENS, f"/users/{segment}/auth_tokens/x")

    def test_a_literal_dot_is_a_dot(self) -> None:
        """A template's literal text is compared as text, not as a pattern."""
        assert matches("/a.b/{x}", "/a.b/1")
        assert not matches("/a.b/{x}", "/aXb/1")
