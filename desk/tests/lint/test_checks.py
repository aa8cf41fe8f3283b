"""The work of the linter grows with the length of the entries and with their number, and not
faster."""

# ruff: noqa: RUF001 - the tables hold curly apostrophes

import time

import pytest

from cometchat_desk.lint import lint_entries

# These measure time, and other programs on a machine can make a measurement longer. So no change
# waits for them: they run with the long variants.
pytestmark = pytest.mark.deep

# Each of these texts once took time that grew with the square of its length, or could do so.
LONG = [
    "(a|", "a|", "word ", "GrÃ¼", "é", "[a", "'' ", "a, ", "a; ", "f?", "a\u0301", "e\u200b", "don’", "<a ", "%C3",
    "1 ", "A{%1", "%20", "= ", "- ", "([{", "a? ", "# ", "“",
]  # fmt: skip


def grows_less(small: list[str], large: list[str], category: str, times: int) -> bool:
    """Whether linting a larger list takes fewer times the work: other programs never make a
    measurement shorter."""

    def work(entries: list[str]) -> float:
        begin = time.process_time()
        lint_entries(entries, category=category)
        return time.process_time() - begin

    return any(work(large) < times * min(work(small) for _ in range(3)) for _ in range(9))


@pytest.mark.parametrize("category", ["word", "pattern", "sentence-similarity"])
def test_length_of_an_entry(category: str) -> None:
    """An entry of 640,000 characters takes less than 250 times the work of one of 16,000: a
    square would be 1,600."""

    def is_slow(text: str) -> bool:
        small, large = (f"({text * size}"[:size] + "z" for size in (16_000, 640_000))
        return not grows_less([small, "zzz"], [large, "zzz"], category, 250)

    assert [text for text in LONG if is_slow(text)] == []


@pytest.mark.parametrize(
    "entry",
    [
        "term{}",
        "GrÃ¼ÃŸe{}",
        "f?ck{}",
        "a, b{}",
        "1{}",
        "don’t{}",
        "é{}",
        "{}",
        "<b{}",
        "a{};b",
        "“{}”",
        "# x{}",
    ],
)
def test_number_of_entries(entry: str) -> None:
    """Sixteen times as many entries take less than 64 times the work: a square would be 256."""
    small, large = ([entry.format(number) for number in range(size)] for size in (500, 8_000))
    assert grows_less(small, large, "word", 64)
