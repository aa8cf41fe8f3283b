"""The width of text on terminals, and lines of a limited width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cometchat_desk.terminal.cells import clusters, width_of, wrapped

FAMILY, THUMB, FLAG, HEART = "👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "❤\ufe0f"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("你好", 4),
        (FAMILY, 6),
        (THUMB, 4),
        (FLAG, 4),
        (HEART, 2),
        ("नमस्ते", 4),
    ],
)
def test_the_larger_width_counts(text: str, width: int) -> None:
    """The width of a text is the largest number of cells that a terminal needs for it."""
    assert width_of(text) == width


@pytest.mark.parametrize("cluster", [FAMILY, THUMB, FLAG, HEART, "e\u0301\u0302", "1\ufe0f\u20e3", "ने"])
def test_one_character_stays_whole(cluster: str) -> None:
    """An emoji, a flag and a letter with its marks are not divided between two lines."""
    assert list(clusters(cluster * 3)) == [cluster] * 3
    for line in wrapped(cluster * 20, 9):
        assert line == cluster * (len(line) // len(cluster))


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one  two", 4, ["one", "two"]),
        ("  one", 5, ["  one"]),
        ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]),
        ("a bcdefg", 4, ["a", "bcde", "fg"]),
        ("   ", 2, [""]),
        ("你好世界", 5, ["你好", "世界"]),
        ("你", 1, ["你"]),
    ],
)
def test_wrapped(text: str, width: int, lines: list[str]) -> None:
    """A line ends at a space if possible, and a long word continues in the next line."""
    assert wrapped(text, width) == lines


@given(st.text(alphabet=st.sampled_from("ab 你é\u0301\u200d\ufe0f👩👍🏽🇩🇪ने"), max_size=40), st.integers(2, 12))
def test_no_line_is_too_wide(text: str, width: int) -> None:
    """No line is wider than allowed, no character is lost, and no line is empty if the text is not."""
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(width_of, lines)) <= width
    assert max(map(cell_len, lines)) <= width
    assert all(lines) or lines == [""]
