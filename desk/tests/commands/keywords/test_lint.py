"""`cometchat-desk keywords lint`."""

import json
import os
from pathlib import Path

import pytest

from ...conftest import CommandLine
from ...lists.test_workbooks import workbook


def test_files_and_formats(bare_cli: CommandLine) -> None:
    """Files are linted without a key, in each format; the exit code is 1 if there is an error."""
    bare_cli.write("lists/a.csv", "\ufeffterm\r\nspam\r\n")
    bare_cli.write("lists/b.txt", "Word\nzzz\n")
    bare_cli.write("lists/c.json", '["word", "zzz"]')
    done = bare_cli("keywords", "lint", "lists")
    assert (done.code, done.out.count("or skip it with --header")) == (1, 3)
    assert done.line.endswith("in 3 files.")
    assert (
        json.loads(bare_cli("keywords", "lint", "lists", "--format", "json").out)[0]["rule"]
        == "header-row"
    )
    assert bare_cli("keywords", "lint", "lists", "--accept", "header-row").code == 0
    assert bare_cli("keywords", "lint", "lists", "--header").code == 0


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few users make a link")
def test_link_in_a_folder(bare_cli: CommandLine) -> None:
    """A file that is found in a folder is not read if it is a link to another place; it stops no
    other file."""
    bare_cli.write("lists/a.txt", "spam\n")
    Path("lists/b.txt").symlink_to(bare_cli.write("key", "s\u200becret\n"))
    done = bare_cli("keywords", "lint", "lists")
    assert (done.code, done.out) == (2, "")
    assert "lists/b.txt: is a symbolic link to a file outside its folder" in done.err
    assert done.err.splitlines()[-1] == "0 errors and 0 warnings in 1 file."
    assert bare_cli("keywords", "lint", "lists/b.txt").code == 1


def test_findings_come_before_their_counts(cli: CommandLine) -> None:
    """A program that reads stdout and stderr together gets the records first, then the lines
    about them."""
    cli.write("lists/a.txt", "s\u200bpam\nzzz\n")
    together = cli.folder / "together.log"
    cli.env.setenv("COMETCHAT_API_KEY", "wrong")
    with (
        together.open("a", encoding="utf-8") as out,
        together.open("a", 1, encoding="utf-8") as err,
    ):
        cli.env.setattr("sys.stdout", out)
        cli.env.setattr("sys.stderr", err)
        cli("keywords", "lint", "lists")
        cli("keywords", "status", "lists", "--format", "jsonl")
    finding, counts, state, error = together.read_text("utf-8").splitlines()
    assert finding.startswith("lists/a.txt:1: error".replace("/", os.sep))
    assert counts == "1 error and 0 warnings in 1 file."
    assert json.loads(state)["state"] == "error"
    assert error.startswith("cometchat-desk: ")


def test_notes(bare_cli: CommandLine) -> None:
    """Notes are counted if there are any, and an accepted rule makes notes."""
    bare_cli.write("words.txt", "spam\nspam\nthe\n")
    done = bare_cli("keywords", "lint", "words.txt")
    assert (done.code, done.line) == (0, "0 errors and 1 warning and 1 note in 1 file.")
    accepted = bare_cli("keywords", "lint", "words.txt", "--accept", "ordinary-word")
    assert accepted.line == "0 errors and 0 warnings and 2 notes in 1 file."


def test_standard_input(bare_cli: CommandLine) -> None:
    """`-` is standard input, with one entry in each line."""
    done = bare_cli("keywords", "lint", "-", stdin="zzz\ns\u200bpam\n")
    assert (done.code, done.out.split(": error")[0]) == (1, "stdin.txt:2")


def test_rules_are_listed(bare_cli: CommandLine) -> None:
    """The rules are listed; an unknown rule is refused."""
    assert "mis-decoded" in bare_cli("keywords", "lint", "--list-rules").out
    bare_cli.write("words.txt", "spam\n")
    done = bare_cli("keywords", "lint", "words.txt", "--accept", "spacs")
    assert (done.code, "'spacs' is not a rule" in done.line) == (2, True)


def test_invalid_arguments(bare_cli: CommandLine) -> None:
    """No file and an empty folder are refused."""
    (bare_cli.folder / "empty").mkdir()
    assert bare_cli("keywords", "lint").code == 2
    assert "holds no" in bare_cli("keywords", "lint", "empty").line


def test_many_findings_are_bounded(bare_cli: CommandLine) -> None:
    """The findings of a rule in a file are bounded, the counts below them are complete, and JSON
    has all of them."""
    for number in range(30):
        bare_cli.write(f"lists/{number}.txt", "\n".join(f"x\u200b{each:02}" for each in range(40)))
    done = bare_cli("keywords", "lint", "lists")
    assert len(done.out.splitlines()) == 30 * 21
    assert done.line == "1,200 errors and 0 warnings in 30 files."
    assert len(json.loads(bare_cli("keywords", "lint", "lists", "--format", "json").out)) == 1200


def test_column_of_a_workbook(bare_cli: CommandLine) -> None:
    """`lint` reads a column of a workbook or of a file with several columns, as the other
    commands do."""
    (bare_cli.folder / "words.xlsx").write_bytes(workbook())
    done = bare_cli("keywords", "lint", "words.xlsx", "--column", "Word")
    assert done.code == 0, done
    assert (
        "name the column with --column: 1 (Added), 3 (Word)"
        in bare_cli("keywords", "lint", "words.xlsx").err
    )
    bare_cli.write("words.csv", "a;zzz\nb;s\u200bpam\n")
    done = bare_cli("keywords", "lint", "words.csv", "--column", "2")
    assert done.out.startswith("words.csv:2: error invisible-character")
