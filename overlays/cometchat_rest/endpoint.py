"""Where an app lives, and where a request goes: settings and ids in, addresses and paths out.

What is refused here is never repeated in the error's text, and no frame that raises still holds it: a base
URL can hold a password, a path can hold an auth token, and the environment holds the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from .errors import ConfigurationError, InvalidRequestError

#: The environment variable beside each argument.
APP_ID_VARIABLE = "COMETCHAT_APP_ID"
REGION_VARIABLE = "COMETCHAT_REGION"
API_KEY_VARIABLE = "COMETCHAT_API_KEY"
BASE_URL_VARIABLE = "COMETCHAT_BASE_URL"

#: How long an id or a token in a path may be, in characters; the service's own stay under 200.
MAX_PATH_VALUE = 1024
# How often something on the way may decode a path before we stop following: no honest id nests so deep.
_MAX_DECODINGS = 8

# All patterns are for fullmatch, since `$` would let a trailing newline through, and spell A-Z out, since
# re.IGNORECASE would let in the long s and the Kelvin sign.
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DNS_LABEL = re.compile(_LABEL)
# Host names of an installation of one's own may hold underscores, as container names do.
_HOST = re.compile(r"(?:{0}\.)*{0}".format(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"))
_VISIBLE_ASCII = re.compile(r"[!-~]+")
_HEADER_VALUE = re.compile(r"[ -~]+")
_LITERAL = r"[A-Za-z0-9._~-]+"
_BASE_PATH = re.compile(rf"(?:/{_LITERAL})*/v3")

_TEMPLATE = re.compile(rf"(?:/(?:{_LITERAL}|\{{\w+\}}))+")
_PARAMETER = re.compile(r"\{(\w+)\}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
# What the resources call a parameter that has another name in its path; errors tell both.
_ALSO_CALLED = {"keyword_id": "list_id"}
# What quote(value, safe="") can put on the wire.
_WIRE_SEGMENT = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Region(StrEnum):
    """The regions an app can live in (service.md, sections 1 and 9): a closed set."""

    US = "us"
    EU = "eu"
    IN = "in"


def base_url(app_id: str, region: Region | str = Region.US) -> str:
    """The address of one app in one region, as service.md, section 1, has it built.

    Args:
        app_id: the app's identifier: one DNS label of ASCII letters, digits and inner hyphens, so that no
            value can move a request to another host.
        region: a `Region`, or exactly `"us"`, `"eu"` or `"in"`.

    Returns:
        An address that ends in `/v3`, without a slash after it.

    Raises:
        ConfigurationError: either is anything else; the text names the argument and the variable.
    """
    address = _address(app_id, region)
    if isinstance(address, ConfigurationError):
        raise address
    return address


def resolve_base_url(
    *,
    app_id: str | None,
    region: Region | str | None,
    base_url: str | None,
    environ: Mapping[str, str],
) -> str:
    """The address that these settings mean (service.md, section 1): arguments first, then the environment.

    An explicit `app_id` or `region` beats `COMETCHAT_BASE_URL`; among variables alone that one wins. An empty
    variable counts as unset; an empty argument is an error.

    Args:
        app_id: as for `base_url()`; `None` means `COMETCHAT_APP_ID`.
        region: as for `base_url()`; `None` means `COMETCHAT_REGION`, and without that `us`.
        base_url: a whole address that ends in `/v3`; excludes the other two. `https`, except on this machine
            (`localhost`, `127.0.0.0/8`, `::1`).
        environ: the environment, such as `os.environ`.

    Returns:
        An address that ends in `/v3`, without a slash after it.

    Raises:
        ConfigurationError: a setting is missing or malformed, or two exclude each other; the text names the
            argument and the variable.
    """
    address = _resolved(app_id, region, base_url, environ)
    del app_id, region, base_url, environ
    if isinstance(address, ConfigurationError):
        raise address
    return address


def resolve_api_key(api_key: str | None, environ: Mapping[str, str]) -> str:
    """The key to send in the `apikey` header (service.md, section 5).

    Args:
        api_key: the key; `None` means `COMETCHAT_API_KEY`. White space around either is dropped.
        environ: the environment, such as `os.environ`.

    Returns:
        The key, fit for a header.

    Raises:
        ConfigurationError: there is no key, or it holds what no header may; the text never holds the key. An
            empty argument is an error too: whoever passed one meant a key, and perhaps not the environment's.
    """
    key = _key(api_key, environ)
    del api_key, environ
    if isinstance(key, ConfigurationError):
        raise key
    return key


def expand(template: str, values: Mapping[str, object]) -> str:
    """The path of one request: every `{name}` of the template replaced by its value, percent-encoded.

    Each value becomes exactly one segment, however often something between here and the service decodes it:
    `DELETE /users/alice/auth_tokens/..` would delete the user, and `%2e%2e` or `x/../..` would where a proxy
    decodes once more than it should. So a value is refused, not encoded, that is a dot segment or holds a
    slash or a backslash, be it plain or percent-encoded. Ids of this service hold none: nothing is lost.

    Args:
        template: a path of service.md, section 4, such as `/users/{uid}/auth_tokens/{authToken}`.
        values: for each name, a `str` of 1 to `MAX_PATH_VALUE` characters.

    Returns:
        The path as it goes on the wire; `matches(template, path)` holds.

    Raises:
        InvalidRequestError: a value is none of the above; the text names it and never shows it.
    """
    path = _expanded(template, values)
    del values
    if isinstance(path, InvalidRequestError):
        raise path
    return path


def matches(template: str, path: str) -> bool:
    """Whether a request with this path goes where the template says, segment by segment.

    Args:
        template: as for `expand()`; it may have the base URL's own path before it.
        path: a path as it goes on the wire, percent-encoded, without a query.
    """
    match = _pattern(template).fullmatch(path)
    return match is not None and not any(map(_fault_in_segment, match.groups()))


# These return the error rather than raise it, so that a traceback never passes through a frame that holds the
# environment, a key, a password or a token: some error reporters print the locals of each frame.


def _resolved(app_id: object, region: object, whole: object, environ: Mapping[str, str]) -> str | ConfigurationError:
    by_app = app_id is not None or region is not None
    if whole is not None:
        if by_app:
            return ConfigurationError(
                f"base_url ({BASE_URL_VARIABLE}) is a whole address and excludes app_id ({APP_ID_VARIABLE}) "
                f"and region ({REGION_VARIABLE}): give either the one or the others"
            )
        return _whole_address(whole)
    if not by_app and environ.get(BASE_URL_VARIABLE):
        return _whole_address(environ[BASE_URL_VARIABLE])
    if app_id is None:
        app_id = environ.get(APP_ID_VARIABLE) or None
    if app_id is None:
        return ConfigurationError(
            f"no app is named: give app_id or set {APP_ID_VARIABLE}, or else give base_url or set {BASE_URL_VARIABLE}"
        )
    if region is None:
        region = environ.get(REGION_VARIABLE) or Region.US
    return _address(app_id, region)


def _address(app_id: object, region: Any) -> str | ConfigurationError:
    if not isinstance(app_id, str) or not _DNS_LABEL.fullmatch(app_id):
        return ConfigurationError(f"app_id ({APP_ID_VARIABLE}) must be 1 to 63 ASCII letters, digits and inner hyphens")
    try:
        known = Region(region)
    except ValueError:
        names = ", ".join(repr(each.value) for each in Region)
        return ConfigurationError(f"region ({REGION_VARIABLE}) must be one of {names}, in lower case")
    # Hosts have no case: one spelling for each app.
    return f"https://{app_id.lower()}.api-{known.value}.cometchat.io/v3"


def _whole_address(address: object) -> str | ConfigurationError:
    if not isinstance(address, str):
        return ConfigurationError(f"base_url ({BASE_URL_VARIABLE}) must be a str")
    if fault := _fault_in_address(address):
        return ConfigurationError(f"base_url ({BASE_URL_VARIABLE}) {fault}")
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.removesuffix('/')}"


def _fault_in_address(address: str) -> str | None:
    # Before urlsplit, which drops newlines and tabs and forgets an empty query.
    if not _VISIBLE_ASCII.fullmatch(address):
        return "must be printable ASCII without white space, and not empty"
    if "@" in address:
        return "must hold no user info and no '@'"
    if "?" in address or "#" in address:
        return "must have neither a query nor a fragment"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "must be a valid address with a valid port"
    if parts.scheme not in ("https", "http"):
        return "must begin with https://"
    shown = f"[{host}]" if ":" in host else host
    # What urlsplit passes over in silence: text after a bracket, a port that is empty or spelled oddly.
    if parts.netloc.lower() != (shown if port is None else f"{shown}:{port}") or port == 0:
        return "must be a valid address with a valid port"
    if not is_host(host):
        return "must name a valid host"
    if parts.scheme == "http" and not is_loopback(host):
        return "must begin with https:// unless it is on this machine (localhost, 127.0.0.1, [::1])"
    path = parts.path.removesuffix("/")
    if not _BASE_PATH.fullmatch(path) or not {".", ".."}.isdisjoint(path.split("/")):
        return "must end in /v3, and have no empty, dot or percent-encoded segment before it"
    return None


def is_host(host: str) -> bool:
    """Whether this, in lower case and without brackets, is a name or a number that a host can have."""
    if ":" in host or host.rpartition(".")[2].isdigit():
        return _ip(host) is not None
    return _HOST.fullmatch(host) is not None


def is_loopback(host: str) -> bool:
    """Whether this host, in lower case and without brackets, is this machine, by its name or its number."""
    address = _ip(host)
    return host == "localhost" if address is None else address.is_loopback


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    if "%" in host:  # a zone, which means something on one machine only
        return None
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None


def _key(api_key: object, environ: Mapping[str, str]) -> str | ConfigurationError:
    explicit = api_key is not None
    key = api_key if explicit else environ.get(API_KEY_VARIABLE, "")
    if not isinstance(key, str):
        return ConfigurationError(f"api_key ({API_KEY_VARIABLE}) must be a str")
    key = key.strip()
    if not key:
        return ConfigurationError(
            f"api_key is empty: give a key, or None to read {API_KEY_VARIABLE}"
            if explicit
            else f"there is no key: give api_key or set {API_KEY_VARIABLE}"
        )
    if not _HEADER_VALUE.fullmatch(key):
        return ConfigurationError(f"api_key ({API_KEY_VARIABLE}) holds a control character or one that is not ASCII")
    return key


@lru_cache(maxsize=64)
def _pieces(template: str) -> tuple[str, ...]:
    """The template taken apart: literal text, a name, literal text, a name, ..."""
    if not _TEMPLATE.fullmatch(template):
        raise ValueError(f"not a path template: {template!r}")
    return tuple(_PARAMETER.split(template))


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    """What a path on the wire looks like for this template, with one group for each value."""
    pieces = _pieces(template)
    return re.compile(_WIRE_SEGMENT.join(map(re.escape, pieces[::2])))


def _expanded(template: str, values: Mapping[str, object]) -> str | InvalidRequestError:
    pieces = list(_pieces(template))
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        value = values.get(name)
        pieces[place] = _segment(value)
        if not pieces[place]:
            called = f"{_ALSO_CALLED[name]} ({name})" if name in _ALSO_CALLED else name
            return InvalidRequestError(f"{called} {_fault_in_value(value)}")
    return "".join(pieces)


def _segment(value: object) -> str:
    """The value as one segment on the wire; empty where it cannot be one."""
    if not isinstance(value, str) or len(value) > MAX_PATH_VALUE:
        return ""
    if _PLAIN.fullmatch(value):
        return value
    try:
        segment = quote(value, safe="")
    except UnicodeEncodeError:  # half of a surrogate pair
        return ""
    return "" if _fault_in_segment(segment) else segment


def _fault_in_value(value: object) -> str:
    if not isinstance(value, str):
        return f"must be a str, not {type(value).__name__}"
    if len(value) > MAX_PATH_VALUE:
        return f"must have at most {MAX_PATH_VALUE} characters"
    try:
        return _fault_in_segment(quote(value, safe="")) or ""
    except UnicodeEncodeError:
        return "must hold no lone surrogate"


def _fault_in_segment(segment: str) -> str | None:
    """Why a segment on the wire would not stay one, or become empty or a dot segment, however often it is decoded."""
    if _PLAIN.fullmatch(segment):
        return None
    for _ in range(_MAX_DECODINGS):
        decoded = unquote(segment)
        if decoded == segment:
            break
        segment = decoded
    else:
        return "must not be percent-encoded over and over"
    # Some servers drop `;...` from a segment, and white space around it, before they look for dots.
    name = decoded.partition(";")[0].strip()
    if not name:
        return "must not be empty or blank, nor begin with ';'"
    if name in (".", ".."):
        return "must not be '.' or '..', alone or before a ';', percent-encoded or not"
    if "/" in decoded or "\\" in decoded:
        return "must hold no '/' and no '\\', percent-encoded or not"
    return "must hold no control character, percent-encoded or not" if _CONTROL.search(decoded) else None
