"""Valid use of base URLs and keys. Checked, never run."""

import os
from typing import assert_type

from cometchat_rest import Secret
from cometchat_rest.endpoint import Region, base_url, resolve_api_key, resolve_base_url

assert_type(base_url("app"), str)
assert_type(base_url("app", "eu"), str)
assert_type(base_url("app", Region.EU), str)
assert_type(resolve_base_url(app_id=None, region=Region.US, base_url=None), str)
assert_type(resolve_api_key(os.environ.get("KEY")), Secret)
