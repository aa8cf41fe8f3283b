"""Invalid use of base URLs and keys: each marked line is a type error. Checked, never run."""

from cometchat_rest.endpoint import base_url, resolve_api_key, resolve_base_url

base_url(1)  # error
base_url("app", None)  # error
base_url("app", b"eu")  # error
resolve_base_url("app", "eu", None)  # error
resolve_api_key(b"key")  # error
