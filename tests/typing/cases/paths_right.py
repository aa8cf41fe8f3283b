"""Valid use of paths. Checked, never run."""

from typing import assert_type

from cometchat_rest._call.paths import expand, matches

assert_type(expand("/users/{uid}", {"uid": "alice"}), str)
assert_type(matches("/users/{uid}", "/users/alice"), bool)
