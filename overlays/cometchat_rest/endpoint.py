"""Where an app lives, and where a request goes: settings and ids in, addresses and paths out.

What is refused here is never repeated in the error's text, and no frame that raises still holds it: a base
URL can hold a password, a path can hold an auth token, and the environment holds the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any
from urllib.parse import urlsplit

from .errors import ConfigurationError

#: The environment variable beside each argument.
APP_ID_VARIABLE = "COMETCHAT_APP_ID"
REGION_VARIABLE = "COMETCHAT_REGION"
API_KEY_VARIABLE = "COMETCHAT_API_KEY"
BASE_URL_VARIABLE = "COMETCHAT_BASE_URL"


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
