"""`cometchat-desk keywords lint --fix`, and files with several columns."""

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
from ...lists.test_workbooks import workbook
from .conftest import LIST, terms

DAMAGED = (
    'Term\n spam \n"free coins"\nspam\ndon\u2019t\nze\u200bro\nGrÃ¼ÃŸe\ncafe\u0301\n"unpaired!\n'
)


def test_clean_repairs_a_list(cli: CommandLine) -> None:
    """Certain damage is repaired, each change has its line and its rule, and damage that stays
    gives code 1."""
    cli.write("words.txt", DAMAGED)
    done = cli("keywords", "lint", "--fix", "words.txt", "--output", "clean.txt")
    assert done.code == 1
    assert (cli.folder / "clean.txt").read_text("utf-8").splitlines() == [
        "spam",
        "free coins",
        "don't",
        "zero",
        "GrÃ¼ÃŸe",
        "café",
        '"unpaired!',
    ]
    assert "words.txt:2: ' spam ' becomes 'spam' (spaces)" in done.out
    assert "words.txt:4: 'spam' is removed (duplicate)" in done.out
    assert "left alone: words.txt:7: error mis-decoded: 'GrÃ¼ÃŸe'" in done.out
    assert "5 entries changed, 2 removed, 2 left alone." in done.err
    again = cli("keywords", "lint", "--fix", "clean.txt")
    assert "0 entries changed, 0 removed" in again.err


def test_clean_asks_before_it_replaces(cli: CommandLine) -> None:
    """Without --output, the file itself is replaced, after a question; --dry-run only shows the
    changes."""
    path = cli.write("words.txt", " spam\n")
    assert cli("keywords", "lint", "--fix", "words.txt", "--dry-run").code == 0
    assert cli("keywords", "lint", "--fix", "words.txt").code == 2
    assert path.read_text("utf-8") == " spam\n"
    assert cli("keywords", "lint", "--fix", "words.txt", "--yes").code == 0
    assert path.read_text("utf-8") == "spam\n"


def test_workbook_in_commands(cli: CommandLine, simulator: Simulator) -> None:
    """`apply`, `add` and `lint` read a column of a workbook."""
    (cli.folder / "words.xlsx").write_bytes(workbook())
    assert (
        "name the column with --column: 1 (Added), 3 (Word)"
        in cli("keywords", "apply", "--dry-run", LIST, "words.xlsx").line
    )
    words = ("words.xlsx", "--column", "Word")
    assert cli("keywords", "add", LIST, "--from", *words, "--yes").code == 0
    assert "88" in terms(simulator)
    assert "name the file to write with --output" in cli("keywords", "lint", "--fix", *words).err
    assert (
        "name the column with --column: "
        in cli("keywords", "lint", "--fix", "words.xlsx", "--column", "Wrd").line
    )
    assert cli("keywords", "lint", "--fix", *words, "--dry-run").code == 0
    assert cli("keywords", "lint", "--fix", *words, "--output", "words.csv").code == 0
    assert (cli.folder / "words.csv").read_text(
        "utf-8-sig"
    ) == "free coins\r\nバカ\r\n88\r\n".replace("\r", "")


def test_file_with_several_columns(bare_cli: CommandLine) -> None:
    """For a file with semicolons in each row, `lint` names the options for its columns."""
    bare_cli.write("words.csv", "word;who\nspam;Ann\nscam;Bob\n")
    err = bare_cli("keywords", "lint", "words.csv").err
    assert "has several columns; name the column with --column: 1 (word), 2 (who)" in err
    done = bare_cli("keywords", "lint", "--fix", "words.csv", "--column", "word", "-o", "clean.txt")
    assert (done.code, (bare_cli.folder / "clean.txt").read_text()) == (0, "spam\nscam\n")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            ("--column", "word"),
            "words.csv would lose all but this column; name the file to write with --output",
        ),
        (
            ("--column", "word", "--output", "words.csv"),
            "words.csv would lose all but this column; ",
        ),
        (("--category", "words"), "category must be one of "),
    ],
)
def test_options_that_are_refused(
    bare_cli: CommandLine, options: tuple[str, ...], fault: str
) -> None:
    """Options that would lose a column, or that nobody can mean, are refused, and the file stays
    as it is."""
    file = bare_cli.write("words.csv", "word;who\n spam;Ann\n")
    done = bare_cli("keywords", "lint", "--fix", "words.csv", *options, "--yes")
    assert (done.code, file.read_text()) == (2, "word;who\n spam;Ann\n")
    assert fault in done.err


def test_phrases_and_cells_stay_whole(bare_cli: CommandLine) -> None:
    """A line with one comma, and a cell of a table, stay one entry, which a warning names."""
    lines = ["the,kale", "buy now, pay later", "ready, steady, go"]
    bare_cli.write("pairs.txt", "\n".join(lines))
    done = bare_cli("keywords", "lint", "--fix", "pairs.txt", "--output", "new.txt")
    assert (bare_cli.folder / "new.txt").read_text().splitlines() == lines
    assert done.out.count("left alone: pairs.txt:1: warning comma: 'the,kale'") == 1
    bare_cli.write("cells.csv", 'Wort;Stufe\n"a b, c d, e f";1\nspinach, kale, leek;2\n')
    fix = ("keywords", "lint", "--fix", "cells.csv", "--column", "Wort", "--output", "cells.txt")
    assert bare_cli(*fix).code == 1
    written = (bare_cli.folder / "cells.txt").read_text().splitlines()
    assert written == ["a b, c d, e f", "spinach, kale, leek"]


def test_accepted_rule(bare_cli: CommandLine) -> None:
    """A rule that is accepted repairs nothing."""
    file = bare_cli.write("words.txt", " kale\ndon\u2019t\n")
    accept = ("--accept", "curly-apostrophe")
    done = bare_cli("keywords", "lint", "--fix", "words.txt", *accept, "--yes")
    assert (done.code, file.read_text("utf-8")) == (0, "kale\ndon\u2019t\n")
    assert "left alone: words.txt:2: note curly-apostrophe" in done.out


@pytest.mark.parametrize(
    ("damaged", "code", "fault"),
    [(b"gr\xfc\xdfe\n", 2, "g2.txt:1: is not UTF-8"), (b"# old\n", 1, "no entry is left")],
)
def test_damaged_file_between_others(
    bare_cli: CommandLine, damaged: bytes, code: int, fault: str
) -> None:
    """A file that cannot be repaired stops no other one, and the exit code is that of its
    error."""
    files = [bare_cli.write(f"g{number}.txt", " kale\n") for number in (1, 2, 3)]
    files[1].write_bytes(damaged)
    done = bare_cli("keywords", "lint", "--fix", *(file.name for file in files), "--yes")
    assert (done.code, fault in done.err) == (code, True)
    assert [file.read_bytes() for file in files] == [b"kale\n", damaged, b"kale\n"]


def test_file_without_an_entry(bare_cli: CommandLine) -> None:
    """A file that holds only comments is not replaced by an empty file."""
    file = bare_cli.write("words.txt", "# old words\n")
    done = bare_cli("keywords", "lint", "--fix", "words.txt", "--yes")
    assert (done.code, "was not written: no entry is left; name a file" in done.err) == (1, True)
    assert file.read_text() == "# old words\n"
