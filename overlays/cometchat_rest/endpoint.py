"""The address and the key of an app: from arguments and environment variables to validated values.

The text of an error never repeats a refused value.
"""

import os
import re

from cometchat_openapi.server import BASE_PATH, SERVER
from cometchat_openapi.server import DEFAULT_REGION as DEFAULT_REGION
from cometchat_openapi.server import Region as Region
from cometchat_runtime.errors import ConfigurationError
from cometchat_runtime.hosts import LARGEST_PORT, is_host, is_private
from cometchat_runtime.hosts import is_loopback as is_loopback
from cometchat_runtime.options import trimmed
from cometchat_runtime.secrets import Secret

#: The environment variable for each argument.
APP_ID_VARIABLE = "COMETCHAT_APP_ID"
REGION_VARIABLE = "COMETCHAT_REGION"
API_KEY_VARIABLE = "COMETCHAT_API_KEY"
BASE_URL_VARIABLE = "COMETCHAT_BASE_URL"


# All patterns are for `fullmatch`, because `$` also matches before a newline at the end. They spell
# out A-Z, because re.IGNORECASE also matches the long s and the Kelvin sign.
_DNS_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_API_KEY = re.compile(r"[0-9A-Fa-f]{40}")
_HEADER_VALUE = re.compile(r"[!-~]+")
_ADDRESS = re.compile(
    r"""
    (?P<scheme>[Hh][Tt][Tt][Pp][Ss]?)://
    (?P<host>
        [A-Za-z0-9_.-]+          # chat.example.com
        | \[[0-9A-Fa-f:.]+\]     # [::1]
    )
    (?: : (?P<port>[1-9][0-9]{0,4}) )?
    (?P<path>
        (?: / (?!\.\.?/) [A-Za-z0-9._~-]+ )*    # /api, but not /.. or /.
        BASE_PATH
    )/?
    """.replace("BASE_PATH", re.escape(BASE_PATH)),
    re.VERBOSE,
)


def base_url(app_id: str, region: Region | str = DEFAULT_REGION) -> str:
    """The address of one app in one region (`servers` in `openapi.yaml`).

    Args:
        app_id: the app's identifier: one DNS label of ASCII letters, digits and inner hyphens, so
            that no value can change the host of a request.
        region: a `Region`, or exactly its value, such as `"eu"`.

    Returns:
        An address that ends in `/v3`, without a slash at the end.

    Raises:
        ConfigurationError: an argument is invalid.
    """
    app_id = _trimmed("app_id", app_id)
    region = _trimmed("region", region)
    if not isinstance(app_id, str) or not _DNS_LABEL.fullmatch(app_id):
        raise _fault("app_id", "must be 1 to 63 ASCII letters, digits and inner hyphens")
    if _API_KEY.fullmatch(app_id):
        raise _fault(
            "app_id", "looks like an API key, which a host name would show: give the id of the app"
        )
    try:
        checked = Region(region)
    except ValueError:
        names = ", ".join(repr(name.value) for name in Region)
        raise _fault("region", f"must be one of {names}, in lower case") from None
    # The case of a host does not matter, so each app gets one spelling.
    return SERVER.format(appId=app_id.lower(), region=checked)


def resolve_base_url(
    *,
    app_id: str | None,
    region: Region | str | None,
    base_url: str | None,
    allow_http: bool = False,
) -> str:
    """The address for the settings of a client, which `Client` documents: arguments first, then the
    environment.

    Raises:
        ConfigurationError: a setting is missing or invalid, or two settings exclude each other.
    """
    by_app = app_id is not None or region is not None
    if base_url is not None and by_app:
        raise _fault("base_url", "is a complete address: give it without app_id and region")
    if base_url is None and not by_app:
        base_url = _variable(BASE_URL_VARIABLE)
    if base_url is None:
        return _address_of_settings(app_id, region)
    return _checked_address(base_url, allow_http=allow_http)


def _address_of_settings(app_id: str | None, region: Region | str | None) -> str:
    if app_id is None:
        app_id = _variable(APP_ID_VARIABLE)
    if app_id is None:
        raise _fault(
            "app_id",
            "is missing: give the argument or set the variable, or give base_url"
            f" ({BASE_URL_VARIABLE}) in place of app_id and region",
        )
    if region is None:
        region = _variable(REGION_VARIABLE) or DEFAULT_REGION
    return base_url(app_id, region)


def resolve_api_key(api_key: str | Secret | None) -> Secret:
    """The key to send in the `apikey` header.

    Args:
        api_key: the key; `None` means `COMETCHAT_API_KEY`. White space around the key is removed.

    Raises:
        ConfigurationError: the key is missing, or invalid in a header; the text never contains the
            key. An empty argument is an error, too: the key of the environment may be a different
            one.
    """
    api_key = Secret(os.environ.get(API_KEY_VARIABLE, "") if api_key is None else api_key)
    if not isinstance(api_key.reveal(), str):
        raise _fault("api_key", "must be a str")
    api_key = trimmed(api_key, "api_key", API_KEY_VARIABLE)
    if not api_key.reveal():
        raise _fault(
            "api_key",
            "is missing or empty: give the argument, or leave it out and set the variable",
        )
    if not _HEADER_VALUE.fullmatch(api_key.reveal()):
        raise _fault("api_key", "contains a control or non-ASCII character: copy it again")
    return api_key


def _variable(name: str) -> str | None:
    return os.environ.get(name, "").strip() or None


def _trimmed(argument: str, value: str) -> str:
    return trimmed(Secret(value), argument, f"COMETCHAT_{argument.upper()}").reveal()


def _fault(argument: str, reason: str) -> ConfigurationError:
    return ConfigurationError(
        reason, argument=argument, also_called=f"COMETCHAT_{argument.upper()}"
    )


def _checked_address(address: str, *, allow_http: bool) -> str:
    address = _trimmed("base_url", address)
    match = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
    if match is None or not _is_valid(match):
        raise _fault(
            "base_url",
            f"must be an address such as https://chat.example.com{BASE_PATH}: a valid host, perhaps"
            f" a port, and a path that ends in {BASE_PATH}; without user info, query, fragment, dot"
            " segments and percent-encoding",
        )
    scheme = match["scheme"].lower()
    host = match["host"].lower()
    may_be_plain = is_loopback(host) or (allow_http and is_private(host))
    if scheme == "http" and not may_be_plain:
        raise _fault(
            "base_url",
            "must begin with https://; http:// is for this machine and, with allow_http=True, for a"
            " test host: a private address, a name of one label, or one that ends in .local, .test"
            " or .internal",
        )
    port = f":{match['port']}" if match["port"] else ""
    return f"{scheme}://{host}{port}{match['path']}"


def _is_valid(match: re.Match[str]) -> bool:
    return int(match["port"] or 1) <= LARGEST_PORT and is_host(match["host"].lower())
