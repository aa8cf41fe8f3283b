"""Large responses, which msgspec parses if it is installed."""

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cometchat_rest import Client, UnexpectedResponse
from cometchat_rest.testing import Simulator

from ..support import AnyClient

#: Spaces around JSON have no meaning. With this many, a response is large.
PADDING = b" " * 2**16

NUMBERS = st.sampled_from(
    [
        *("0", "-0", "-0.0", "1.0", "1e5", "1E-5", "5e-324", "2e-324", "1e-400", "1e308", "1e309", "-1e999"),
        *("NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1.", "1e", "0x1", "1_0"),
        *("9007199254740993", "18446744073709551615", "18446744073709551616", "-9223372036854775809"),
        *("9007199254740993.0", "0.1000000000000000055511151231257827", "123456789012345678901234567890"),
    ]
) | st.integers(1, 4400).map(lambda length: "7" * length)
TEXTS = st.lists(
    st.text(st.characters(codec=None), max_size=3)
    | st.sampled_from([r"\ud800", r"\udc00", r"\ud83d\ude00", r"\u0000", r"\x", r"\/", r"\"", "\\", "\x7f", "\ufeff"])
).map(lambda parts: '"' + "".join(parts) + '"')
KEYS = st.sampled_from(['"a"', '"b"', '""', r'"\u0061"', '"\ud800"', "a"])
SCALARS = NUMBERS | TEXTS | st.sampled_from(["null", "true", "false", "nul", "", " ", "\t1\n", "\xa01", "'a'", "/**/1"])


def arrays(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.lists(values, max_size=4), st.sampled_from(["]", ",]", ""])).map(
        lambda parts: "[" + ",".join(parts[0]) + parts[1]
    )


def objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(KEYS, values).map(":".join)
    return st.lists(pairs, max_size=4).map(lambda members: "{" + ",".join(members) + "}")


ODD = st.recursive(SCALARS, lambda values: arrays(values) | objects(values), max_leaves=6)
ENCODINGS: list[Callable[[str], bytes]] = [
    lambda text: text.encode("utf-8", "surrogatepass") + PADDING,
    lambda text: PADDING + text.encode("utf-8", "replace"),
    lambda text: b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass") + PADDING,
    lambda text: (text + PADDING.decode()).encode("utf-16", "surrogatepass"),
    lambda text: (text + PADDING.decode()).encode("utf-16-le", "surrogatepass"),
    lambda text: (text + PADDING.decode()).encode("utf-32", "surrogatepass"),
    lambda text: text.encode("latin-1", "replace") + PADDING,
    lambda text: text.encode("utf-8", "surrogatepass") + PADDING + b"\x00",
]


def text(value: object) -> str:
    """A JSON value as text: in Python, 1 equals 1.0 and True, and NaN does not equal itself."""
    return json.dumps(value, sort_keys=True)


def test_unusual_responses_are_read_like_the_standard_library(any_client: AnyClient, simulator: Simulator) -> None:
    """A large response is read exactly as `json.loads` reads it, and refused if `json.loads` refuses it."""
    chat = any_client.client(max_response_bytes=2**22)

    @settings(
        derandomize=True, database=None, deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(ODD, st.sampled_from(ENCODINGS))
    @example("[" * 900 + "]" * 900, ENCODINGS[0])
    @example("[" * 100_000, ENCODINGS[0])
    @example('{"a":' * 5_000 + "1" + "}" * 5_000, ENCODINGS[0])
    def check(odd: str, encode: Callable[[str], bytes]) -> None:
        role = f'{{"role": "guest", "name": "Guest", "createdAt": 1, "createdAt": 2, "metadata": {{"odd": {odd}}}}}'
        body = encode(f'{{"meta": {{}}, "data": [{role}]}}')
        simulator.fail("list_roles", body=body)
        try:
            expected: Any = json.loads(body)
        except (ValueError, RecursionError):
            with pytest.raises(UnexpectedResponse, match="not JSON"):
                any_client.call(lambda chat: chat.roles.list(), chat)
            return
        assert text(any_client.call(lambda chat: chat.roles.list(), chat).to_dict()) == text(expected)

    check()


def test_msgspec_reads_large_responses(simulator: Simulator) -> None:
    """If msgspec is installed, it parses a large response; a small one is not worth its import."""
    msgspec = pytest.importorskip("msgspec")
    parsers: list[str] = []

    def see(_frame: object, event: str, function: Any) -> None:
        if event == "c_call" and isinstance(getattr(function, "__self__", None), msgspec.json.Decoder):
            parsers.append(function.__name__)

    pagination = dict.fromkeys(("total", "count", "per_page", "current_page", "total_pages"), 0)
    body = json.dumps({"data": [], "meta": {"pagination": pagination}}).encode()
    for padding, expected in ((b"", []), (PADDING, ["decode"])):
        simulator.fail("list_roles", body=body + padding)
        parsers.clear()
        with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
            sys.setprofile(see)
            try:
                chat.roles.list()
            finally:
                sys.setprofile(None)
        assert parsers == expected
