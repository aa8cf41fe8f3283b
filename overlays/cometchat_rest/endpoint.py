"""The address and the key of an app: from arguments and environment variables to validated values.

The text of an error never repeats a refused value.
"""

from __future__ import annotations

import os
import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import SplitResult, urlsplit

from cometchat_openapi.client import DEFAULT_REGION as DEFAULT_REGION
from cometchat_openapi.client import SERVER
from cometchat_openapi.client import Region as Region

from .errors import ConfigurationError
from .secrets import Secret

#: The environment variable for each argument.
APP_ID_VARIABLE = "COMETCHAT_APP_ID"
REGION_VARIABLE = "COMETCHAT_REGION"
API_KEY_VARIABLE = "COMETCHAT_API_KEY"
BASE_URL_VARIABLE = "COMETCHAT_BASE_URL"


# All patterns are for `fullmatch`, because `$` also matches before a newline at the end. They spell out A-Z, because
# re.IGNORECASE also matches the long s and the Kelvin sign.
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DNS_LABEL = re.compile(_LABEL)
# The host of an on-premise installation may contain underscores, as container names do.
_HOST = re.compile(r"(?:{0}\.)*{0}".format(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"))
_LONGEST_HOST = 253
_VISIBLE_ASCII = re.compile(r"[!-~]+")
_HEADER_VALUE = re.compile(r"[ -~]+")
_LITERAL = r"[A-Za-z0-9._~-]+"
_BASE_PATH = re.compile(rf"(?:/{_LITERAL})*/v3")


def base_url(app_id: str, region: Region | str = DEFAULT_REGION) -> str:
    """The address of one app in one region (`servers` in `openapi.yaml`).

    Args:
        app_id: the app's identifier: one DNS label of ASCII letters, digits and inner hyphens, so that no value can
            change the host of a request.
        region: a `Region`, or exactly its value, such as `"eu"`.

    Returns:
        An address that ends in `/v3`, without a slash at the end.

    Raises:
        ConfigurationError: an argument is invalid.
    """
    if not isinstance(app_id, str) or not _DNS_LABEL.fullmatch(app_id):
        raise _fault("app_id", "must be 1 to 63 ASCII letters, digits and inner hyphens")
    try:
        known = Region(region)
    except ValueError:
        names = ", ".join(repr(name.value) for name in Region)
        raise _fault("region", f"must be one of {names}, in lower case") from None
    # The case of a host does not matter, so each app gets one spelling.
    return SERVER.format(appId=app_id.lower(), region=known)


def resolve_base_url(*, app_id: str | None, region: Region | str | None, base_url: str | None) -> str:
    """The address for these settings: arguments first, then the environment.

    An explicit `app_id` or `region` takes precedence over `COMETCHAT_BASE_URL`; among variables alone,
    `COMETCHAT_BASE_URL` does. An empty variable counts as unset; an empty argument is an error.

    Args:
        app_id: as for `base_url()`; `None` means `COMETCHAT_APP_ID`.
        region: as for `base_url()`; `None` means `COMETCHAT_REGION`, and without that the default of `openapi.yaml`.
        base_url: a complete address that ends in `/v3`, instead of the other two arguments. `https`, except for this
            machine (`localhost`, `127.0.0.0/8`, `::1`).

    Raises:
        ConfigurationError: a setting is missing or invalid, or two settings exclude each other.
    """
    by_app = app_id is not None or region is not None
    if base_url is not None and by_app:
        others = f"app_id ({APP_ID_VARIABLE}) and region ({REGION_VARIABLE})"
        raise _fault("base_url", f"is a complete address: give it without {others}")
    if base_url is None and not by_app:
        base_url = os.environ.get(BASE_URL_VARIABLE) or None
    return _address_of_settings(app_id, region) if base_url is None else _checked_address(base_url)


def _address_of_settings(app_id: str | None, region: Region | str | None) -> str:
    if app_id is None:
        app_id = os.environ.get(APP_ID_VARIABLE) or None
    if app_id is None and region is not None:
        raise _fault("app_id", "is missing, and region needs it: give the argument or set the variable")
    if app_id is None:
        other = f"base_url ({BASE_URL_VARIABLE})"
        raise _fault("app_id", f"is missing: give the argument or set the variable, or give {other}")
    if region is None:
        region = os.environ.get(REGION_VARIABLE) or DEFAULT_REGION
    return base_url(app_id, region)


def resolve_api_key(api_key: str | Secret | None) -> Secret:
    """The key to send in the `apikey` header.

    Args:
        api_key: the key; `None` means `COMETCHAT_API_KEY`. White space around the key is removed.

    Raises:
        ConfigurationError: the key is missing, or invalid in a header; the text never contains the key. An empty
            argument is an error, too: the key of the environment may be a different one.
    """
    explicit = api_key is not None
    api_key = Secret(os.environ.get(API_KEY_VARIABLE, "") if api_key is None else api_key)
    if not isinstance(api_key.reveal(), str):
        raise _fault("api_key", "must be a str")
    api_key = Secret(api_key.reveal().strip())
    if not api_key.reveal():
        missing = "is missing: give the argument or set the variable"
        raise _fault("api_key", "is empty: give a key, or None to read the variable" if explicit else missing)
    if not _HEADER_VALUE.fullmatch(api_key.reveal()):
        fault = "contains a control character or a character that is not ASCII: copy it again, without line breaks"
        raise _fault("api_key", fault)
    return api_key


def _fault(argument: str, reason: str) -> ConfigurationError:
    return ConfigurationError(reason, argument=argument, also_called=f"COMETCHAT_{argument.upper()}")


def _checked_address(address: object) -> str:
    if not isinstance(address, str):
        raise _fault("base_url", "must be a str")
    if fault := _fault_in_address(address):
        raise _fault("base_url", fault)
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.removesuffix('/')}"


def _fault_in_address(address: str) -> str | None:
    # Checked before urlsplit, which removes newlines and tabs and ignores an empty query.
    if not _VISIBLE_ASCII.fullmatch(address):
        return "must be printable ASCII without white space, and not empty"
    if "@" in address:
        return "must not contain user info or '@'"
    if "?" in address or "#" in address:
        return "must not have a query or a fragment"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "must be a valid address with a valid port"
    if parts.scheme not in ("https", "http"):
        return "must begin with https:// (http:// on this machine) and end in /v3"
    return _fault_in_origin(parts, host, port) or _fault_in_path(parts.path)


def _fault_in_origin(parts: SplitResult, host: str, port: int | None) -> str | None:
    shown = f"[{host}]" if ":" in host else host
    # urlsplit ignores text after a bracket, and an empty or unusual port.
    if parts.netloc.lower() != (shown if port is None else f"{shown}:{port}") or port == 0:
        return "must be a valid address with a valid port"
    if not is_host(host):
        return "must name a valid host"
    if parts.scheme == "http" and not is_loopback(host):
        return "must begin with https:// unless it is on this machine (localhost, 127.0.0.1, [::1])"
    return None


def _fault_in_path(path: str) -> str | None:
    if not _BASE_PATH.fullmatch(path.removesuffix("/")) or not {".", ".."}.isdisjoint(path.split("/")):
        return "must end in /v3, without an empty, dot or percent-encoded segment before it"
    return None


def is_host(host: str) -> bool:
    """Whether a text, in lower case and without brackets, is a valid host name or IP address."""
    if ":" in host or host.rpartition(".")[2].isdigit():
        return _ip(host) is not None
    return len(host) <= _LONGEST_HOST and _HOST.fullmatch(host) is not None


def is_loopback(host: str) -> bool:
    """Whether a host, in lower case and without brackets, is this machine."""
    address = _ip(host)
    return host == "localhost" if address is None else address.is_loopback


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    if "%" in host:  # a zone is valid on one machine only
        return None
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None
