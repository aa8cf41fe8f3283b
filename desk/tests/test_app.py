"""Invalid input: one line on stderr, the documented exit code, and no incomplete file."""

import os

import pytest

import cometchat_rest
from cometchat_testing import Simulator

from .conftest import CommandLine

LIST = "profanity-list"

#: The arguments, the exit code, and a word of the error message.
TYPED: list[tuple[list[str], int, str]] = [
    (["rolls"], 2, "rolls"),
    (["keywords"], 2, "Missing command"),
    (["keywords", "get"], 2, "LIST"),
    (["keywords", "get", LIST, "--outpt", "json"], 2, "--outpt"),
    (["keywords", "get", LIST, "--format", "xml"], 2, "'--format' / '-f': 'xml' is not one of"),
    (
        ["--region", "eu", "reviewed", "list"],
        2,
        "No such option: --region",
    ),
    (["keywords", "get", "../users"], 2, "LIST"),
    (["keywords", "get", ""], 2, "LIST"),
    (["keywords", "get", "\x1b[31mred"], 2, "control character"),
    (["keywords", "apply", "--dry-run", LIST, "\x1b[31mred.txt"], 2, r"x1b[31mred.txt"),
    (["reviewed", "list", "--app", "\x1b[31mred"], 3, "[31mred"),
    (["keywords", "get", LIST, "--output", "list.doc"], 2, "suffix"),
    (
        ["keywords", "lint", "good.txt", "--dry-run"],
        2,
        "--output, --dry-run and --yes work only with --fix; add --fix",
    ),
    (["keywords", "apply", "--dry-run", LIST, "bad.json"], 2, "bad.json:1: is not valid JSON"),
    (
        ["keywords", "apply", "--dry-run", LIST, "two.csv"],
        2,
        "two.csv: has several columns; name the column with --column",
    ),
    (["keywords", "apply", "--dry-run", LIST, "good.txt", "--category", "words"], 2, "--category"),
    (["keywords", "apply", LIST, "good.txt", "--yes", "--max-removed", "2"], 2, "--max-removed"),
    (["keywords", "apply", LIST, "good.txt", "--yes", "--max-removed", "nan"], 2, "--max-removed"),
    (
        ["keywords", "apply", "--dry-run", LIST, "good.txt", "--all-apps"],
        3,
        "the file does not exist",
    ),
    (
        ["keywords", "add", LIST, "-spam-"],
        2,
        "No such option: -s. See: cometchat-desk keywords add --help",
    ),
    (
        ["keywords", "add", LIST, "new", "--accept", "nonsense"],
        2,
        "is not a rule; keywords lint",
    ),
    (["-x", "reviewed", "list"], 2, "No such option: -x. See: cometchat-desk --help"),
    (["check", "shop"], 2, "unexpected extra argument(s) (shop). See: cometchat-desk check --help"),
    (
        ["keywords", "apply", "--dry-run", LIST, "no.txt"],
        2,
        "File 'no.txt' does not exist. Usage: cometchat-desk",
    ),
    (["reviewed", "stats", "--records", "no.csv"], 11, "No such file or directory"),
    (
        ["keywords", "get", LIST, "-o", "no/list.txt"],
        11,
        "No such file or directory",
    ),
    (["keywords", "got"], 2, "Did you mean 'get'? See: cometchat-desk keywords --help"),
    (["reviewed", "list", "--limit", "0"], 2, "--limit"),
    (["reviewed", "list", "--limit", "many"], 2, "'--limit': 'many' is not a valid int"),
    (["reviewed", "watch", "--interval", "-1"], 2, "--interval"),
    (["reviewed", "watch", "--interval", "nan"], 2, "--interval"),
    (
        ["reviewed", "export", "--output", "week.xls", "--records", "other.jsonl"],
        2,
        "must be .jsonl, .xlsx or .csv",
    ),
    (["reviewed", "explain", "you are an idiot"], 5, "use cometchat-desk keywords try TEXT"),
    (["reviewed", "explain", "idiot"], 5, "the column message_id of an export"),
    (["keywords", "apply", "good.txt"], 2, "Missing argument 'FILE'. Usage: cometchat-desk"),
    (
        ["keywords", "apply", "good.txt", LIST],
        2,
        f"File '{LIST}' does not exist. Usage: cometchat-desk keywords apply [OPTIONS] LIST FILE;",
    ),
    (["keywords", "apply", LIST, "object.json"], 2, "object.json: "),
    (
        ["keywords", "try", LIST, "good.txt"],
        2,
        "name the messages to try the list on with --records",
    ),
    (
        ["keywords", "delete", LIST],
        2,
        "No such command 'delete'. See: cometchat-desk keywords --help",
    ),
    (["keywords", "undo", LIST, "shop"], 2, "'NUMBER': 'shop' is not a valid int"),
    (["keywords", "history", LIST, "7"], 2, "has no update 7; see cometchat-desk keywords history"),
    (["reviewed", "export", "--output", "no/such/reviewed.jsonl"], 11, "no/such/reviewed.jsonl"),
    (["reviewed", "export", "--output", "other.jsonl"], 2, "something other than exported"),
    (["reviewed", "list", "--region", "mars", "--app-id", "abc"], 3, "--region"),
    (["reviewed", "list", "--app-id", "a/b"], 3, "--app-id"),
    (["reviewed", "list", "--base-url", "http://chat.example.com/v3"], 3, "https"),
    (["reviewed", "list", "--base-url", "ftp://127.0.0.1"], 3, "--base-url"),
    (
        ["reviewed", "list", "--base-url", "https://chat.example.com/v3", "--app-id", "abc"],
        3,
        "is a complete address: give it without app_id",
    ),
    (["reviewed", "list", "--base-url", "http://127.0.0.1:1/v3"], 9, "127.0.0.1:1"),
    (["reviewed", "list", "--app", "shop"], 3, "shop"),
    (["check", "--app", "all", "--app", "shop"], 3, "no app is named 'all'"),
    (["reviewed", "list", "--app", "shop", "--region", "eu"], 2, "--app"),
    (["reviewed", "list", "--app", "shop", "--app", "forum"], 2, "takes only one --app"),
    (["reviewed", "list", "--config", "missing.toml"], 0, ""),
    (["reviewed", "list", "--app", "shop", "--config", "missing.toml"], 3, "missing.toml"),
    (
        ["reviewed", "list", "--api-key-file", "missing.key"],
        3,
        "missing.key: the file with the API key",
    ),
    (["reviewed", "list", "--api-key-file", "two.csv"], 3, "two.csv"),
    (["auth-tokens", "revoke", "alice", "--yes"], 2, "no token was given"),
    (["auth-tokens", "revoke", "--yes"], 2, "line 1 of standard input must hold USER,TOKEN"),
    (["auth-tokens", "revoke", "alice", "token"], 2, "must not be an argument"),
    (
        ["keywords", "add", LIST, "new", "--all", "--yes"],
        2,
        "(Possible options: --all-apps, --app)",
    ),
    (["keywords", "undo", LIST, "--force"], 2, "No such option: --force"),
    (["auth-tokens", "revoke", "alice", "--from", "a.txt"], 2, "No such option: --from"),
]


@pytest.mark.parametrize(
    ("typed", "code", "word"),
    TYPED,
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_invalid_arguments(cli: CommandLine, typed: list[str], code: int, word: str) -> None:
    """Invalid arguments give one line that names the problem, the documented exit code, and no
    output."""
    cli.write("good.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    cli.write("bad.json", '{"category": word}')
    cli.write("object.json", '{"shop": {}}')
    cli.write("two.csv", "one\ntwo,three\n")
    cli.write("other.jsonl", "something else\n")
    before = sorted(path.name for path in cli.folder.iterdir())
    done = cli(*typed, stdin="" if "alice" in typed else "one-word\n")
    assert done.code == code, done
    if code:
        assert done.line.startswith("cometchat-desk: ")
        assert word in done.line
        assert done.out == ""
    assert sorted(path.name for path in cli.folder.iterdir()) == before


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="needs a folder that this user cannot write"
)
def test_folder_that_cannot_be_written(cli: CommandLine) -> None:
    """A file in a folder that cannot be written gives exit code 11 and a message with its name."""
    (cli.folder / "closed").mkdir(mode=0o500)
    assert "closed/list.txt" in cli("keywords", "get", LIST, "--output", "closed/list.txt").line


@pytest.mark.parametrize("debug", [(), ("--debug",)], ids=["", "debug"])
def test_no_secret_is_shown(cli: CommandLine, simulator: Simulator, debug: tuple[str, ...]) -> None:
    """No command ever shows the API key or a token, with or without --debug."""
    token = simulator.auth_tokens["alice"][0]
    echo = {"error": {"code": "ERR", "message": f"{simulator.api_key} is no key"}}
    echoes = {"error": {"code": "ERR", "message": f"{token} and {simulator.api_key} do not fit"}}
    shown = ""
    for status in (None, 401, 500):
        simulator.reset()
        if status is not None:
            simulator.fail("delete_auth_token", status=status, body=echoes, times=None)
            simulator.fail(status=status, body=echo, times=None)
        for typed in (
            ["keywords", "get", LIST],
            ["check"],
            ["auth-tokens", "revoke", "alice", "--yes"],
            ["auth-tokens", "revoke", "bob", "--yes"],
            ["auth-tokens", "revoke", "--yes"],
            ["auth-tokens", "revoke", "alice", token],
            ["auth-tokens", "revoke", token],
            ["reviewed", "list", "--api-key-file", simulator.api_key],
            ["reviewed", "list", "--api-key", simulator.api_key],
            [simulator.api_key],
            ["keywords", "apply", LIST, simulator.api_key],
            ["keywords", "history", simulator.api_key],
            ["keywords", "get", f"apikey%3D{simulator.api_key}"],
        ):
            done = cli(*typed, *debug, stdin=token)
            shown += done.out + done.err
    assert "cometchat-desk: " in shown
    assert simulator.api_key not in shown
    assert token not in shown
    assert ("Traceback" in shown) == bool(debug)


def test_did_you_mean(bare_cli: CommandLine) -> None:
    """Mistyped commands give a suggestion, and a mistyped app the names of the apps."""
    bare_cli.profiles("[apps.shop]\napp_id = 'a'\n[apps.forum]\napp_id = 'b'\n")
    assert "Did you mean 'keywords'?" in bare_cli("keyword", "get").line
    assert "Did you mean 'get'?" in bare_cli("keywords", "gte").line
    assert "Did you mean 'check'?" in bare_cli("chek").line
    assert "Did you mean 'get'? See: cometchat-desk" in bare_cli("keywords", "gte").line
    assert "the apps are shop, forum" in bare_cli("reviewed", "list", "--app", "shpo").line


def test_help_fits_on_a_small_terminal(bare_cli: CommandLine) -> None:
    """The help of the program and the prompt after it fit on 24 lines. A call without arguments
    shows the same."""
    done = bare_cli("--help")
    assert len(done.out.splitlines()) < 24
    assert max(map(len, done.out.splitlines())) <= 80
    assert bare_cli() == done
    assert bare_cli("--version").out == f"{cometchat_rest.__version__}\n"
