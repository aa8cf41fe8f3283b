"""The address of the service, and the header with the key."""

from enum import StrEnum

#: The address of an app; the names in braces are variables.
SERVER = "https://{appId}.api-{region}.cometchat.io/v3"
#: The path that every address ends in.
BASE_PATH = "/v3"
#: The header with the API key.
KEY_HEADER = "apikey"


class Region(StrEnum):
    """The region of the app. There are no other values."""

    US = "us"
    EU = "eu"
    IN = "in"


DEFAULT_REGION = Region.US
