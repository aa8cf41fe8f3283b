"""Files that are no lists, given to each command that reads a list: one line of advice, and no
change."""

import os

import pytest

from cometchat_desk.terminal import prompts
from cometchat_testing import Simulator

from ...conftest import CommandLine
from ...lists.test_workbooks import FIRST, PARTS, sheet, workbook
from .conftest import BEFORE, LIST, records, terms

COMMANDS = {
    "lint": ["keywords", "lint", "FILE"],
    "apply": ["keywords", "apply", LIST, "FILE", "--yes", "--max-removed", "100%"],
    "add": ["keywords", "add", LIST, "--from", "FILE", "--yes"],
    "remove": ["keywords", "remove", LIST, "--from", "FILE", "--yes"],
    "try": ["keywords", "try", LIST, "FILE", "--records", "chat.txt"],
    "try-against": [
        "keywords",
        "try",
        LIST,
        "good.txt",
        "--against",
        "FILE",
        "--records",
        "chat.txt",
    ],
}

#: The name of the file, its content, the exit code, and a part of the advice.
BAD: dict[str, tuple[str, bytes | None, int, str]] = {
    "empty": ("bad.txt", b"", 2, "holds no entries"),
    "empty-csv": ("bad.csv", b"\xef\xbb\xbf", 2, "holds no entries"),
    "empty-json": ("bad.json", b"", 2, "is not valid JSON"),
    "blank": ("bad.txt", b" \r\n\r\n", 2, "holds no entries"),
    "xlsx": ("bad.xlsx", b"PK\x03\x04\x14\x00\x06\x00\xff", 2, "save"),
    "xlsx-as-csv": ("bad.csv", b"PK\x03\x04\x14\x00\x06\x00\xff", 2, "save the list as CSV UTF-8"),
    "png": ("bad.png", b"\x89PNG\r\n\x1a\n\xff", 2, "suffix"),
    "png-as-txt": ("bad.txt", b"\x89PNG\r\n\x1a\n\xff", 2, "choose another file"),
    "cp1252": ("bad.csv", "spam\r\nGrüße\r\n".encode("cp1252"), 2, "save it as UTF-8"),
    "utf-16-without-mark": ("bad.txt", "spam\nscam\n".encode("utf-16-le"), 2, "NUL characters"),
    "nul": ("bad.txt", b"spam\ngrif\0ter\n", 2, "NUL characters"),
    "nul-in-json": (
        "bad.json",
        b'{"category": "word", "terms": ["grif\\u0000ter"]}',
        2,
        "NUL characters",
    ),
    "rich-text": (
        "bad.txt",
        b"{\\rtf1\\ansi\\ansicpg1252\nspam}\n",
        2,
        "is a document or a web page",
    ),
    "web-page": (
        "bad.txt",
        b"<!DOCTYPE html><html>\n<td>spam</td>\n",
        2,
        "is a document or a web page",
    ),
    "xml": (
        "bad.txt",
        b"<?xml version='1.0'?>\n<Error><Code>AccessDenied</Code></Error>\n",
        2,
        "is a document or a web page",
    ),
    "lfs": (
        "bad.txt",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n",
        2,
        "run git lfs pull",
    ),
    "html": ("bad.txt", b"<ul>\n<li>spam</li>\n</ul>\n", 2, "is a document or a web page"),
    "json-as-txt": (
        "bad.txt",
        b'["spam", "grifter"]\n',
        2,
        "holds JSON",
    ),
    "pdf": ("bad.txt", b"%PDF-1.4\n1 0 obj\n", 2, "is a document or a web page"),
    "folder": ("folder.txt", None, 2, "is not a regular file"),
    "missing": ("missing.txt", None, 11, "cannot be read"),
    "missing-folder": ("no/such/file.csv", None, 11, "cannot be read"),
    "stdin": ("-", b"", 2, "holds no entries"),
    "stdin-too-large": ("-", b"a" * ((4 << 20) + 1), 2, "is larger than 4 MiB"),
    "too-many": (
        "bad.txt",
        b"a\n" * 250_001,
        2,
        "holds more than 250,000 entries; divide the file",
    ),
}


def run(cli: CommandLine, command: str, name: str, content: bytes | None) -> tuple[int, str]:
    """Run a command with a file. The result is the exit code and all lines of its output."""
    cli.write("good.txt", "spam\nscam\n")
    cli.write("chat.txt", "hello\n")
    if name == "folder.txt":
        (cli.folder / name).mkdir()
    elif content is not None and name != "-":
        (cli.folder / name).write_bytes(content)
    arguments = [name if each == "FILE" else each for each in COMMANDS[command]]
    done = cli(*arguments, stdin=content or b"")
    return done.code, done.out + done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_no_lists(cli: CommandLine, simulator: Simulator, command: str) -> None:
    """Each command says in one line what to do, returns the documented exit code, and changes
    nothing."""
    before = simulator.keyword_lists[LIST]
    expected = {kind: (code, [advice]) for kind, (_, _, code, advice) in BAD.items()}
    if command == "try":
        del expected["png"]  # a name without the suffix of a list is a text
    else:
        missing = (2, ["does not exist"])
        expected |= {"missing": missing, "missing-folder": missing}
        expected["folder"] = (2, ["the folder holds no" if command == "lint" else "is a directory"])
    found = {}
    for kind in expected:
        name, content, _, _ = BAD[kind]
        code, text = run(cli, command, name, content)
        (advice,) = expected[kind][1]
        found[kind] = (code, [advice if advice in line else line for line in text.splitlines()])
    assert found == expected
    assert simulator.keyword_lists[LIST] == before


def test_sync_refuses_the_same_files(cli: CommandLine, simulator: Simulator) -> None:
    """A folder with a file that is no list changes nothing, even if a rule about its characters
    is accepted."""
    before = simulator.keyword_lists[LIST]
    found, expected = {}, {}
    for kind, (name, content, _, advice) in BAD.items():
        if content is None or name == "-":
            continue
        file = cli.write(f"lists/{LIST}{name.removeprefix('bad')}", "")
        file.write_bytes(content)
        done = cli(
            "keywords",
            "sync",
            "lists",
            "--yes",
            "--max-removed",
            "100%",
            "--accept",
            "control-character",
        )
        file.unlink()
        expected[kind] = (2, "is not a list" if advice == "suffix" else advice)
        found[kind] = (
            done.code,
            expected[kind][1] if expected[kind][1] in done.line else done.line,
        )
    assert found == expected
    assert simulator.keyword_lists[LIST] == before


@pytest.mark.parametrize("count", [5000, pytest.param(100_000, marks=pytest.mark.deep)])
def test_large_files(cli: CommandLine, simulator: Simulator, count: int) -> None:
    """Each command works with 100,000 terms."""
    words = [f"zzterm{number}" for number in range(count)]
    found = {}
    for command in COMMANDS:
        simulator.reset()
        code, _ = run(cli, command, "large.txt", "\n".join(words).encode())
        found[command] = (code, len(set(words).intersection(terms(simulator))))
    assert found == {
        command: (0, count if command in ("apply", "add") else 0) for command in COMMANDS
    }


def test_standard_input(cli: CommandLine) -> None:
    """FILE may be -, which means standard input, with one entry in each line."""
    done = cli("keywords", "add", "--dry-run", LIST, "--from", "-", stdin="a, b\nc\n")
    assert (done.code, records(done)[0]["added"]) == (0, ["a, b", "c"])


def test_apply(cli: CommandLine, simulator: Simulator) -> None:
    """`apply -` needs --yes, because standard input cannot also hold the answer to the question."""
    text = "\n".join([*BEFORE, "new"])
    done = cli("keywords", "apply", LIST, "-", stdin=text)
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert "add --yes" in done.err
    assert cli("keywords", "apply", LIST, "-", "--yes", stdin=text).code == 0
    assert terms(simulator) == [*BEFORE, "new"]


def test_text_of_german_excel(cli: CommandLine, simulator: Simulator) -> None:
    """A file in cp1252 is read with --encoding, or after a question at a terminal, which shows
    some entries."""
    (cli.folder / "words.csv").write_bytes("spam\r\nGrüße\r\n".encode("cp1252"))
    add = ("keywords", "add", LIST, "--from", "words.csv")
    assert "or name its encoding, probably --encoding cp1252" in cli(*add, "--yes").line
    assert "Grüße" in cli(*add, "--encoding", "cp1252", "--dry-run").out
    cli.env.setattr(prompts, "can_ask", lambda: True)
    done = cli(*add, "--yes", stdin="n\n")
    assert (done.code, terms(simulator)) == (1, BEFORE)
    assert "words.csv is not UTF-8. Read it as cp1252 (Western Europe): Grüße? [y/N]" in done.err
    assert "name another encoding with --encoding: cp1252 (Western Europe), cp1250" in done.err
    assert cli(*add, "--yes", stdin="y\n").code == 0
    assert terms(simulator) == [*BEFORE, "Grüße"]


@pytest.mark.parametrize(
    "command",
    [
        ["lint", "terms.xlsx"],
        ["apply", LIST, "terms.xlsx", "--dry-run"],
        ["add", LIST, "--from", "terms.xlsx", "--dry-run"],
    ],
    ids=" ".join,
)
def test_skipped_title(cli: CommandLine, command: list[str]) -> None:
    """A note names each row that is skipped as a title: without a title, it is an entry."""
    row = '<row><c t="str"><v>{}</v></c></row>'
    parts = {**PARTS, FIRST: sheet(*map(row.format, ("airdrop", "honeypot")))}
    (cli.folder / "terms.xlsx").write_bytes(workbook(parts))
    done = cli("keywords", *command, "--sheet", "Words", "--column", "1", "--header")
    assert [line for line in done.err.splitlines() if "skipped" in line] == [
        "Note: terms.xlsx: skipped 'airdrop', the title of the column.",
    ]


def test_title_that_the_command_recognises(cli: CommandLine) -> None:
    """The note about a title that the user did not name says how to read it as an entry, and that
    works."""
    cli.write("terms.csv", "Word,Level\nairdrop,1\n")
    lint = ("keywords", "lint", "terms.csv", "--column", "1")
    note = "Note: terms.csv: skipped 'Word', the title of the column; if it is an entry, add --no-header."
    assert note in cli(*lint).err
    assert "skipped" not in cli(*lint, "--no-header").err
    assert "skipped" not in cli(*lint[:-1], "Word").err


@pytest.mark.parametrize(
    "command", [["get", LIST], ["get", "threat-sentences"], ["status"], ["history"]], ids=" ".join
)
@pytest.mark.parametrize("output_format", ["json", "jsonl"])
def test_output_of_a_command_as_a_file(
    cli: CommandLine, command: list[str], output_format: str
) -> None:
    """The output of a command is not entries; the message names the option that writes a list to
    a file."""
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    cli.write("words.txt", cli("keywords", *command, "--format", output_format).out)
    done = cli("keywords", "add", LIST, "--from", "words.txt", "--yes")
    assert (done.code, "with keywords get LIST --output FILE" in done.line) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few users make a link")
@pytest.mark.parametrize("typed", ["add {} --from {}", "apply {} {} --max-removed 100%"])
def test_link_to_a_file(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """A file that the user names may be a symbolic link to any place."""
    link = cli.write("lists/link.txt", "")
    link.unlink()
    link.symlink_to(cli.write("elsewhere/words.txt", "phishing\n"))
    assert cli("keywords", *typed.format(LIST, "lists/link.txt").split(), "--yes").code == 0
    assert terms(simulator)[-1] == "phishing"
