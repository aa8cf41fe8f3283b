"""The base URL: from arguments, then from the environment, then from defaults."""

import re
import string
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_rest import ConfigurationError, Region
from cometchat_rest.endpoint import base_url, resolve_api_key, resolve_base_url

from ..conftest import AnyClient
from ..support import GET, KEY, ON_PREMISE_URL, StubTransport, always_respond, isolated_client

APP_ID = "253179cf5f665257"
SECRET = "hunter2-hunter2"


def resolve(**arguments: Any) -> str:
    return resolve_base_url(**{"app_id": None, "region": None, "base_url": None, **arguments})


def set_variables(monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"COMETCHAT_{name}", value)


# Arguments, variables without their prefix, and the base URL.
ADDRESSES: list[tuple[dict[str, Any], dict[str, str], str]] = [
    *(
        ({"app_id": APP_ID, "region": region}, {}, f"https://{APP_ID}.api-{region}.cometchat.io/v3")
        for region in (*map(str, Region), *Region)
    ),
    ({"app_id": "abc"}, {}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"APP_ID": "abc"}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"APP_ID": "abc", "REGION": "in"}, "https://abc.api-in.cometchat.io/v3"),
    # Each argument has precedence over its own variable only.
    ({"region": "eu"}, {"APP_ID": "abc", "REGION": "in"}, "https://abc.api-eu.cometchat.io/v3"),
    ({"app_id": "abc"}, {"APP_ID": "xyz", "REGION": "in"}, "https://abc.api-in.cometchat.io/v3"),
    ({"base_url": ON_PREMISE_URL}, {}, ON_PREMISE_URL),
    ({}, {"BASE_URL": ON_PREMISE_URL}, ON_PREMISE_URL),
    # An explicit base URL has precedence over all variables, valid or not.
    ({"base_url": ON_PREMISE_URL}, {"APP_ID": "xyz", "REGION": "in"}, ON_PREMISE_URL),
    (
        {"base_url": ON_PREMISE_URL},
        {"BASE_URL": "https://a.example/v3", "REGION": "nowhere"},
        ON_PREMISE_URL,
    ),
    # An explicit app id or region has precedence over COMETCHAT_BASE_URL.
    ({"app_id": "abc"}, {"BASE_URL": ON_PREMISE_URL}, "https://abc.api-us.cometchat.io/v3"),
    (
        {"app_id": "abc"},
        {"BASE_URL": ON_PREMISE_URL, "APP_ID": "xyz"},
        "https://abc.api-us.cometchat.io/v3",
    ),
    (
        {"region": "eu"},
        {"BASE_URL": ON_PREMISE_URL, "APP_ID": "abc"},
        "https://abc.api-eu.cometchat.io/v3",
    ),
    # Among variables alone, the base URL has precedence.
    ({}, {"BASE_URL": ON_PREMISE_URL, "APP_ID": "abc", "REGION": "eu"}, ON_PREMISE_URL),
    # An empty or blank variable counts as unset.
    (
        {"app_id": "abc"},
        {"BASE_URL": "", "APP_ID": "", "REGION": ""},
        "https://abc.api-us.cometchat.io/v3",
    ),
    ({}, {"BASE_URL": "", "APP_ID": "abc", "REGION": ""}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"BASE_URL": " ", "APP_ID": "abc", "REGION": "\n"}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"BASE_URL": ON_PREMISE_URL, "APP_ID": "", "REGION": "nowhere"}, ON_PREMISE_URL),
]


@pytest.mark.parametrize(("arguments", "variables", "address"), ADDRESSES)
def test_precedence_of_arguments_and_variables(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    variables: dict[str, str],
    address: str,
) -> None:
    """The base URL comes from the arguments, then from the environment, then from the default
    region."""
    set_variables(monkeypatch, variables)
    stub = StubTransport(always_respond(200, GET.success))
    with isolated_client(any_client, api_key=KEY, transport=stub, **arguments) as client:
        assert client.base_url == address
        any_client.call(GET.act, client)
    assert str(stub.requests[0].url) == address + GET.path


# Arguments, variables without their prefix, and texts in the error.
CONFLICTS: list[tuple[dict[str, Any], dict[str, str], list[str]]] = [
    ({}, {}, ["app_id", "COMETCHAT_APP_ID", "base_url", "COMETCHAT_BASE_URL"]),
    ({"region": "eu"}, {}, ["app_id", "COMETCHAT_APP_ID"]),
    (
        {"region": "eu"},
        {"BASE_URL": ON_PREMISE_URL},
        ["app_id", "in place of app_id and region", "COMETCHAT_APP_ID"],
    ),
    ({}, {"APP_ID": "", "REGION": "", "BASE_URL": ""}, ["app_id (COMETCHAT_APP_ID) is missing"]),
    # An empty argument does not ask for the value of the environment.
    *(
        (
            {name: ""},
            {"APP_ID": "abc", "BASE_URL": ON_PREMISE_URL},
            [name, f"COMETCHAT_{name.upper()}"],
        )
        for name in ("app_id", "region", "base_url")
    ),
    # An invalid variable is refused like the argument.
    ({}, {"APP_ID": "a.b"}, ["app_id", "COMETCHAT_APP_ID"]),
    ({}, {"APP_ID": "evil.example/"}, ["app_id", "COMETCHAT_APP_ID"]),
    ({}, {"APP_ID": "abc", "REGION": "EU"}, ["region", "COMETCHAT_REGION"]),
    ({"app_id": "abc"}, {"REGION": "uk"}, ["region", "COMETCHAT_REGION"]),
    ({}, {"BASE_URL": "http://chat.example/v3"}, ["base_url", "COMETCHAT_BASE_URL"]),
]


@pytest.mark.parametrize(("arguments", "variables", "texts"), CONFLICTS)
def test_missing_or_invalid_settings_are_refused(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    variables: dict[str, str],
    texts: list[str],
) -> None:
    """A missing or invalid setting is an error that names every argument and variable that would
    help."""
    set_variables(monkeypatch, variables)
    with (
        pytest.raises(ConfigurationError) as caught,
        isolated_client(any_client, api_key=KEY, **arguments),
    ):
        pass
    assert [text for text in texts if text not in str(caught.value)] == []


@pytest.mark.parametrize(
    "others",
    [{"app_id": "app"}, {"region": "us"}, {"app_id": "app", "region": "us"}, {"app_id": ""}],
)
def test_base_url_excludes_app_id_and_region(others: dict[str, Any]) -> None:
    """A base URL beside an explicit app id or region is refused, because one of them would be
    ignored."""
    names = r"base_url \(COMETCHAT_BASE_URL\).*without app_id and region"
    with pytest.raises(ConfigurationError, match=names):
        resolve(base_url=ON_PREMISE_URL, **others)


SETTINGS = {"app_id": "abc", "region": "eu", "base_url": ON_PREMISE_URL, "api_key": KEY}


def resolve_setting(name: str, argument: str | None) -> str:
    """The value of a setting that a client uses, or the address with it."""
    if name == "api_key":
        return resolve_api_key(argument).reveal()
    return resolve(**{name: argument})


@pytest.mark.parametrize("from_variable", [False, True])
@pytest.mark.parametrize("around", [" ", "\n", "\r\n", "\t", "\u00a0"])
@pytest.mark.parametrize("name", SETTINGS)
def test_white_space_around_a_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, around: str, *, from_variable: bool
) -> None:
    """White space around any setting is removed, in an argument and in a variable."""
    if name == "region":
        monkeypatch.setenv("COMETCHAT_APP_ID", "abc")
    expected = resolve_setting(name, SETTINGS[name])
    text = f"{around}{SETTINGS[name]}{around}"
    if from_variable:
        monkeypatch.setenv(f"COMETCHAT_{name.upper()}", text)
    assert resolve_setting(name, None if from_variable else text) == expected


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ('"{}"', "must not have quotation marks or a byte order mark around it"),
        ("'{}", "must not have quotation marks or a byte order mark around it"),
        ("\u201c{}\u201d", "must not have quotation marks or a byte order mark around it"),
        ("\ufeff{}", "must not have quotation marks or a byte order mark around it"),
        ("Bearer {}", "must not begin with 'Bearer'"),
        (" bearer {}", "must not begin with 'Bearer'"),
        ("{} {}", "must not contain white space"),
        ("{}\n{}", "must not contain white space"),
        ("{}\u2028{}", "must not contain white space"),
    ],
)
@pytest.mark.parametrize("name", SETTINGS)
def test_setting_with_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, form: str, reason: str
) -> None:
    """A setting with the quotes of an env file, with `Bearer` or with white space in it is refused.
    The error says which, and does not show the value."""
    if name == "region":
        monkeypatch.setenv("COMETCHAT_APP_ID", "abc")
    monkeypatch.setenv(f"COMETCHAT_{name.upper()}", form.format(SETTINGS[name], SETTINGS[name]))
    variable = rf"^{name} \(COMETCHAT_{name.upper()}\) "
    with pytest.raises(ConfigurationError, match=variable + reason) as caught:
        resolve_setting(name, None)
    assert SETTINGS[name] not in caught.value.reason


@pytest.mark.parametrize("app_id", ["a", "0", "a-b", "A1", "x" * 63])
def test_app_id_is_any_dns_label(app_id: str) -> None:
    """An app id is one DNS label in upper or lower case. The host of the base URL is in lower
    case."""
    assert base_url(app_id) == f"https://{app_id.lower()}.api-us.cometchat.io/v3"


INVALID_REGIONS: list[Any] = [
    "US",
    "Us",
    "",
    "uk",
    "us.evil.example/",
    1,
    b"us",
    ["us"],
]
INVALID_APP_IDS: list[Any] = [
    *[
        "",
        " ",
        "-a",
        "a-",
        "x" * 64,
        "a.b",
        "a/b",
        "evil.example/",
        "evil.example#",
        "a:1",
        "a:80",
        "a@b",
    ],
    *[
        "u@evil",
        "app\x00",
        "a_b",
        "%61",
        "äpp",
        "\u212aelvin",
        "\u017ftrasse",
    ],
    *["a\u2024b", "\uff0e", 1, b"app", ["app"]],
]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("app_id", value) for value in INVALID_APP_IDS),
        *(("region", value) for value in INVALID_REGIONS),
    ],
)
def test_invalid_app_id_or_region_is_refused(name: str, value: Any) -> None:
    """An app id that is not a DNS label is refused, and so is an unknown region. The error names
    the argument and the variable, and the three regions."""
    regions = ".*".join(f"'{region}'" for region in Region) if name == "region" else ""
    with pytest.raises(
        ConfigurationError, match=rf"^{name} \(COMETCHAT_{name.upper()}\) .*{regions}"
    ):
        resolve(**{"app_id": "app", name: value})


@pytest.mark.parametrize(
    "key", ["0123456789abcdef" * 2 + "01234567", "0123456789ABCDEF" * 2 + "01234567"]
)
def test_key_in_place_of_an_app_id_is_refused(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """An API key as the app id is refused and not shown: as the name of a host, it would leave
    this machine."""
    monkeypatch.setenv("COMETCHAT_APP_ID", key)
    with pytest.raises(
        ConfigurationError, match=r"^app_id \(COMETCHAT_APP_ID\) looks like an API key"
    ) as caught:
        resolve()
    assert key not in repr(caught.value)


@given(st.text(st.characters(codec="utf-8")) | st.text(string.printable))
def test_no_app_id_names_another_host(app_id: str) -> None:
    """No app id moves the request to another host, port or path."""
    try:
        parts = urlsplit(base_url(app_id, "eu"))
    except ConfigurationError:
        return
    assert parts.netloc == f"{app_id.lower()}.api-eu.cometchat.io"
    assert re.fullmatch(r"[a-z0-9-]+\.api-eu\.cometchat\.io", parts.netloc)
    assert (parts.scheme, parts.path, parts.query, parts.fragment) == ("https", "/v3", "", "")


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
        ("http://[::1]:8080/v3/", "http://[::1]:8080/v3"),
    ],
)
def test_valid_base_url(monkeypatch: pytest.MonkeyPatch, given_url: str, resolved: str) -> None:
    """A base URL ends in /v3, with or without a slash. Plain HTTP is for loopback addresses
    only."""
    assert resolve(base_url=given_url) == resolved
    monkeypatch.setenv("COMETCHAT_BASE_URL", given_url)
    assert resolve() == resolved


@pytest.mark.parametrize(
    "address",
    [
        # neither TLS nor a loopback address
        *["http://chat.example/v3", "http://10.0.0.1/v3", "http://127.0.0.1.evil.example/v3"],
        *["http://localhost.evil.example/v3", "http://chat.localhost/v3", "http://[::2]/v3"],
        *[
            "http://2130706433/v3",
            "http://127.1/v3",
            "http://0.0.0.0/v3",
            "http://[::ffff:10.0.0.1]/v3",
        ],
        # no scheme, or another scheme
        *[
            "chat.example/v3",
            "//chat.example/v3",
            "ftp://chat.example/v3",
            "file:///v3",
            "/v3",
            "v3",
        ],
        # user info, query, fragment, even if they are empty
        *["https://u:p@chat.example/v3", "https://@chat.example/v3", "https://u@chat.example/v3"],
        *[
            "https://chat.example/v3?",
            "https://chat.example/v3?x=1",
            "https://chat.example/v3?a=/v3",
        ],
        *["https://chat.example/v3#", "https://chat.example/v3#x"],
        *["https://chat.example/#/v3", "https://chat.example?/v3"],
        # another path
        *[
            "https://chat.example",
            "https://chat.example/",
            "https://chat.example/v2",
            "https://chat.example/v4",
        ],
        *["https://chat.example/V3", "https://chat.example/v3/users", "https://chat.example/xv3"],
        *["https://chat.example/v3//", "https://chat.example//v3", "https://chat.example/a//v3"],
        *[
            "https://chat.example/../v3",
            "https://chat.example/./v3",
            "https://chat.example/%2e%2e/v3",
        ],
        *["https://chat.example/%2e/v3", "https://chat.example/a%2fb/v3"],
        *["https://chat.example\\v3", "https://chat.example/a\\b/v3"],
        *["https://chat.example/a;b/v3", "https://chat.example/{x}/v3"],
        # invalid hosts and ports
        *[
            "https:///v3",
            "https://:443/v3",
            "https://chat.example:/v3",
            "https://chat.example:0/v3",
        ],
        *[
            "https://chat.example:65536/v3",
            "https://chat.example:x/v3",
            "https://chat.example:-1/v3",
        ],
        *["https://chat.example:080/v3", "https://chat..example/v3", "https://.example/v3"],
        *[
            "https://-a.example/v3",
            f"https://{'x' * 64}.example/v3",
            "https://chat.example.:1:2/v3",
        ],
        *["https://1.2.3/v3", "https://1.2.3.256/v3", "https://[::1/v3", "https://[::1]x/v3"],
        *[
            "https://[fe80::1%25eth0]/v3",
            "https://[x]/v3",
            "https://a,b/v3",
            "https://%61.example/v3",
        ],
        # nothing, control characters and non-ASCII characters
        *["", " ", "https://chat.example/v3\x00", "https://chät.example/v3"],
        "https://chat.example/\u2025/v3",
        # another type
        *[b"https://chat.example/v3", 1, ["https://chat.example/v3"], object()],
    ],
)
def test_invalid_base_url_is_refused(address: Any) -> None:
    """Any other base URL is refused. The error names the argument and the variable, and shows a
    valid address."""
    advice = r"(be .*https://chat\.example\.com/v3|begin with https://)"
    with pytest.raises(
        ConfigurationError, match=rf"^base_url \(COMETCHAT_BASE_URL\) must {advice}"
    ):
        resolve(base_url=address)


@pytest.mark.parametrize(
    "host",
    [
        "mock:8080",
        "10.0.0.1",
        "192.168.1.2:81",
        "[fd00::1]",
        "chat.local",
        "a.test",
        "chat.internal",
        "host.docker.internal:8080",
        "mock_1",
    ],
)
def test_http_for_a_test_host(any_client: AnyClient, host: str) -> None:
    """With `allow_http`, a test host may use plain HTTP; without it, only this machine may."""
    address = f"http://{host}/v3"
    with isolated_client(any_client, base_url=address, api_key=KEY, allow_http=True) as client:
        assert client.base_url == address
    with pytest.raises(ConfigurationError, match="with allow_http=True, for a test host"):
        any_client.client(base_url=address)


@pytest.mark.parametrize(
    "host",
    [
        "chat.example",
        "8.8.8.8",
        "[2001:4860:4860::8888]",
        "0x08080808",
        "134744072",
        "a.test.example",
    ],
)
def test_http_for_no_public_host(host: str) -> None:
    """Plain HTTP to a public host is refused, with `allow_http` as well."""
    with pytest.raises(ConfigurationError, match=r"^base_url"):
        resolve(base_url=f"http://{host}/v3", allow_http=True)


@pytest.mark.parametrize(
    "address",
    [
        SECRET,
        f"https://{SECRET}",
        f"https://u:{SECRET}@chat.example/v3",
        f"http://{SECRET}@localhost/v3",
        f"https://u:{SECRET}@[chat.example/v3",
        f"https://chat.example:{SECRET}/v3",
        f"https://[{SECRET}]/v3",
        f"https://u:{SECRET}\u2100@chat.example/v3",
        f"https://chat.example/v3?apikey={SECRET}",
    ],
)
def test_refused_base_url_is_not_shown(address: str) -> None:
    """Neither the text nor a cause of the error shows a base URL, which may hold a password."""
    with pytest.raises(ConfigurationError) as caught:
        resolve(base_url=address)
    assert SECRET not in repr(caught.value)
    assert caught.value.__context__ is None


@given(
    st.lists(
        st.sampled_from(["https:", "http:", "localhost", "a.example", ":8000", "v3"])
        | st.text("/.%2e@?#\\\n:[]")
    )
)
def test_any_accepted_base_url_is_plain(pieces: list[str]) -> None:
    """An accepted base URL has a host, no user info, query or fragment, and no empty or dot
    segment."""
    try:
        address = resolve(base_url="https://" + "".join(pieces) + "/v3")
    except ConfigurationError:
        return
    parts = urlsplit(address)
    assert parts.hostname
    assert (parts.username, parts.password, parts.query, parts.fragment) == (None, None, "", "")
    assert {"", ".", ".."}.isdisjoint(map(unquote, parts.path.split("/")[1:]))
    assert parts.path.endswith("/v3")
