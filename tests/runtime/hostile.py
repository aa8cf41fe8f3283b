"""Values that try to move a request to another path, and the operations that take them."""

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, settings

from ..support import UPDATE, EitherClient


def examples(number: int) -> settings:
    """Settings for a fixed sequence of so many examples, or of a seventh of them in a quick run."""
    return settings(
        max_examples=number * settings().max_examples // 100,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


class MisleadingText(str):
    """A string whose methods return something else than its characters."""

    __slots__ = ()

    def __str__(self) -> str:
        return ".."

    def __format__(self, _: str) -> str:
        return "../.."

    def encode(self, *_: Any, **__: Any) -> bytes:
        return b"../.."


class User(str, Enum):  # noqa: UP042 - the `str` of a `StrEnum` is its text
    """A text whose `str` is another text: `User.ALICE`."""

    ALICE = "alice"


HOSTILE_VALUES: list[Any] = [
    User.ALICE,
    "",
    ".",
    "..",
    "...",
    "....",
    " ",
    "  ..",
    ".. ",
    "\t",
    "\u00a0..",
    "..\u3000",
    "\ufeff..",
    ".\u200b.",
    "%2e",
    "%2E%2e",
    ".%2e",
    "%252e%252e",
    "%25252e%25252e",
    "%2e%2e%2f",
    "a%2f..",
    "..%5c",
    "%c0%ae",
    "%uff0e",
    "/",
    "//",
    "\\",
    "a/b",
    "../x",
    "x/..",
    "..\\..",
    "/etc",
    "//evil.example/",
    "\\\\evil.example",
    "a%2Fb",
    "..;",
    ";",
    "..;x=y",
    "a;b",
    ".;/..",
    ";/../",
    "..%3b",
    "%3b",
    "..%00",
    "%00",
    "%0d%0aX:%20y",
    "%7f",
    "?",
    "#",
    "a?b=c",
    "a#b",
    "?apikey=x",
    "a&b",
    "@evil.example",
    "user:x@evil.example",
    ":80",
    "http://a.example",
    "\0",
    "a\0b",
    "\r\n",
    "a\r\nX-Evil: 1",
    "a\nb",
    "\x1b[0m",
    "\x7f",
    "\x85",
    "\u2028",
    "\u2029",
    "\ud800",
    "a\udfffb",
    "\udc2e\udc2e",
    "\uff0e\uff0e",
    "\u2025",
    "\u3002\u3002",
    "\uff0f",
    "\uff3c",
    "\uff05\uff12\uff45",
    "\ufb00",
    "\u0130",
    "\u017f",
    "\u212a",
    "приве́т",
    "שלום",
    "你好",
    "👩🏽‍🚀",
    "e\u0301",
    "a" * 10_240,
    "../" * 5_000,
    "%2e" * 5_000,
    "é" * 10_240,
    "." * 10_240,
    "a" * 1024,
    "%25" * 340 + "2e",
    "alice",
    "profanity-list",
    "a.b",
    "a b",
    "100%",
    "%",
    "%zz",
    "%2",
    "~",
    "-",
    "_",
    "{uid}",
    "{keyword_id}",
    "\u202eabc",
    "a+b",
    "a=b",
    "a,b",
    "a'b",
    'a"b',
    "a<b>",
    "a|b",
    "^`",
    b"",
    b"alice",
    b"..",
    bytearray(b"x"),
    memoryview(b"x"),
    None,
    0,
    5,
    -1,
    1.5,
    True,
    [],
    ["a"],
    ("a",),
    {},
    object(),
    str,
    lambda: "x",
    Path("alice"),
    MisleadingText("alice"),
    MisleadingText(".."),
    MisleadingText("a/b"),
]
HOSTILE_PIECES = [
    ".",
    "..",
    "/",
    "\\",
    "%",
    "2e",
    "2E",
    "2f",
    "5c",
    "25",
    "%2e",
    "%2f",
    "%5c",
    "%25",
    "%00",
    "%0a",
    ";",
    "?",
    "#",
    "&",
    "=",
    "@",
    ":",
    " ",
    "\t",
    "\r",
    "\n",
    "\0",
    "\x7f",
    "\u2028",
    "\ud800",
    "\uff0e",
    "\uff0f",
    "é",
    "字",
    "a",
]

#: Refused values, by a text in the error.
REFUSED: dict[str, list[str]] = {
    "'.' or '..'": [".", "..", "..;", "..;x=1", " ..", ".. "],
    "not contain '/'": ["/", "\\", "a/b", "../x", "x/..", "a\\b"],
    "empty or blank": ["", " ", "\t", "\n", "\u3000", ";", ";x"],
    "control character": ["a\x00", "a\n", "a\x1f", "\x7f", "a\x80", "\x9f"],
    "surrogate": ["\ud800", "a\udfff"],
    "percent-encoded": [
        *[
            "%2e",
            "%2E%2e",
            ".%2e",
            "%2e.",
            "%252e%252E",
            "%20..",
            "%2f",
            "a%2Fb",
            "a%5cb",
            "%255c",
            "%20",
            "%c2%85",
        ],
        *["a%00", "a%0d%0aHost:x"],
    ],
}


@frozen
class Target:
    """An operation with path parameters.

    Attributes:
        act: calls it through its resource, with a client and the values of the parameters.
    """

    name: str
    template: str
    parameters: tuple[str, ...]
    act: Callable[..., Any]


_LIST_PATH = "/moderation/keywords/{keyword_id}"
TARGETS = (
    Target(
        "get_keyword_list",
        _LIST_PATH,
        ("keyword_id",),
        act=lambda chat, keyword_id: chat.keywords.get(keyword_id),
    ),
    Target(
        "update_keyword_list",
        _LIST_PATH,
        ("keyword_id",),
        act=lambda chat, keyword_id: chat.keywords.update(keyword_id, UPDATE),
    ),
    Target(
        "delete_auth_token",
        "/users/{uid}/auth_tokens/{auth_token}",
        ("uid", "auth_token"),
        act=lambda chat, *values: chat.auth_tokens.delete(*values),
    ),
)
DELETE_TOKEN = TARGETS[-1]


def call_with(act: Callable[..., Any], *values: Any) -> Callable[[EitherClient], Any]:
    """A call with these values, for either client."""
    return lambda chat: act(chat, *values)
