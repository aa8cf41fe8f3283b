"""The work of the linter grows with the length of the entries and with their number, and not faster."""

# ruff: noqa: RUF001 - the tables hold curly apostrophes

import time

import pytest

from cometchat_desk.lint import lint_entries

# Each of these texts once took time that grew with the square of its length, or could do so.
LONG = [
    "(a|", "a|", "word ", "GrÃ¼", "é", "[a", "'' ", "a, ", "a; ", "f?", "a\u0301", "e\u200b", "don’", "<a ", "%C3",
    "1 ", "A{%1", "%20", "= ", "- ", "([{", "a? ", "# ", "“",
]  # fmt: skip


def work(entries: list[str], category: str, runs: int = 1) -> float:
    """The processor time of linting a list, the least of some runs."""

    def once() -> float:
        begin = time.process_time()
        lint_entries(entries, category=category)
        return time.process_time() - begin

    return min(once() for _ in range(runs))


@pytest.mark.parametrize("category", ["word", "pattern", "sentence-similarity"])
def test_length_of_an_entry(category: str) -> None:
    """An entry of 640,000 characters takes less than 250 times the work of one of 16,000: a square would be 1,600."""

    def is_slow(text: str) -> bool:
        small, large = (f"({text * size}"[:size] + "z" for size in (16_000, 640_000))
        return work([large, "zzz"], category) >= 250 * work([small, "zzz"], category, runs=3)

    assert [text for text in LONG if is_slow(text)] == []


@pytest.mark.parametrize(
    "entry",
    ["term{}", "GrÃ¼ÃŸe{}", "f?ck{}", "a, b{}", "1{}", "don’t{}", "é{}", "{}", "<b{}", "a{};b", "“{}”", "# x{}"],
)
def test_number_of_entries(entry: str) -> None:
    """Sixteen times as many entries take less than 64 times the work: a square would be 256."""
    small, large = ([entry.format(number) for number in range(size)] for size in (500, 8_000))
    assert work(large, "word") < 64 * work(small, "word", runs=3)
