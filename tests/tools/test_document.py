"""Reading a description: what cannot be used is refused in one line."""

from pathlib import Path

import pytest

from tools.description import read

CYCLE = "openapi: 3.1.0\npaths: &paths\n  /roles: *paths\n"
LARGE = "openapi: 3.1.0\npaths:\n" + "# one of a million lines\n" * 1_000_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("paths: [", "neither JSON nor YAML"),
        ("- 1", "not an OpenAPI document"),
        (CYCLE, "more than 100 nested levels"),
        (LARGE, "more than 500,000 lines"),
        ("paths: {/roles: {$ref: 'https://example.com/roles.yaml'}}", "which is not read; first merge"),
        ("paths: {/roles: {get: {$ref: 'file:///roles.yaml'}}}", "which is not read; first merge"),
    ],
    ids=["syntax", "no description", "cycle", "a million lines", "URL", "file"],
)
def test_unusable_description_is_reported_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    """A description that cannot be used gives one line with the next step, and no other file is read."""
    path = tmp_path / "openapi.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=problem) as raised:
        read(path)
    assert str(raised.value).startswith("openapi.yaml: ")
    assert "\n" not in str(raised.value)
