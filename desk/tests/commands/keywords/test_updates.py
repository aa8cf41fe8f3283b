"""Updates of lists: the question, the guards, and the result of each list in each app."""

import csv
import io
import os
import re
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from .conftest import BEFORE, LIST, records, terms, updates


def test_question_names_all_apps(
    three: CommandLine, simulator: Simulator, forum: Simulator
) -> None:
    """The one question names each app that would change, with its address."""
    done = three("keywords", "remove", LIST, "scam", "--app", "shop", "--app", "forum")
    assert (
        f"Update {LIST} in shop ({simulator.base_url}), forum ({forum.base_url})? Standard input is"
        in done.err
    )
    done = three("keywords", "remove", LIST, "own word", "--app", "shop", "--app", "forum")
    assert f"Update {LIST} in forum ({forum.base_url})? Standard input is" in done.err


def test_failed_app(three: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """An app that fails is named, has a line in the output, sets the exit code, and stops no
    other app."""
    done = three("keywords", "remove", LIST, "scam", "--all-apps", "--yes")
    assert [(row["app"], row["outcome"], row["exit_code"]) for row in records(done)] == [
        ("shop", "updated", 0),
        ("forum", "updated", 0),
        ("closed", "failed", 4),
    ]
    assert (done.code, "403" in records(done)[2]["error"], terms(forum)) == (4, True, ["own word"])
    done = three("keywords", "add", LIST, "clickbait", "--all-apps", "--yes", "--format", "csv")
    table = csv.DictReader(io.StringIO(done.out))
    assert [(row["app"], row["outcome"], row["added"]) for row in table] == [
        ("shop", "updated", "clickbait"),
        ("forum", "updated", "clickbait"),
        ("closed", "failed", ""),
    ]
    apps = ("--app", "shop", "--app", "closed")
    done = three("keywords", "apply", LIST, "list.txt", *apps, "--yes", "--format", "table")
    assert f"# shop ({simulator.base_url})\n" in done.err
    assert f"cometchat-desk: {LIST} in closed (" in done.err
    assert done.out.startswith(
        f"shop: {LIST} updated: 2 added (scam, new), 1 removed (clickbait). Undo:\n  "
    )
    assert terms(simulator) == [*BEFORE, "new"]


def refused(cli: CommandLine, simulator: Simulator, secret: str, *arguments: str) -> str:
    """The line that refuses an update. Nothing was sent, and the secret is not shown."""
    sent = updates(simulator)
    done = cli("keywords", *arguments, "--yes")
    assert (done.code, updates(simulator)) == (2, sent), done
    assert secret not in done.out + done.err
    return done.err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", LIST, "key {key}"),
        ("add", LIST, "--from", f"lists/{LIST}.txt"),
        ("remove", LIST, "scam"),
        ("apply", LIST, f"lists/{LIST}.txt"),
        ("sync", "lists"),
        ("undo", LIST),
    ],
    ids=" ".join,
)
def test_key_of_an_app_is_never_sent(
    two: CommandLine, simulator: Simulator, forum: Simulator, arguments: tuple[str, ...]
) -> None:
    """No command sends or shows an entry that holds the key of any profile."""
    key = "key-of-a-closed-app"
    file = str(two.write(f"lists/{LIST}.txt", "\n".join([*BEFORE, f"key {key}"])))
    # The desk does not know the key yet, so the journal and the list get it.
    assert two("keywords", "apply", LIST, file, "--yes").code == 0
    assert two("keywords", "add", LIST, "new", "--yes").code == 0
    two.profiles(app("shop", simulator) + app("forum", forum) + app("closed", forum, key=key))
    line = refused(two, simulator, key, *(argument.format(key=key) for argument in arguments))
    assert "holds the API key of an app; remove it, or, if it is not a secret" in line


@pytest.mark.parametrize("source", ["environment", "file", "pipe"])
def test_key_of_the_options_is_never_sent(
    bare_cli: CommandLine, simulator: Simulator, source: str
) -> None:
    """An entry that holds the key of COMETCHAT_API_KEY or --api-key-file, also of a pipe, is
    neither sent nor shown."""
    key, options = (
        simulator.api_key,
        ["--api-key-file", str(bare_cli.write("shop.key", simulator.api_key))],
    )
    if source == "environment":
        bare_cli.env.setenv("COMETCHAT_API_KEY", key)
        options = []
    elif source == "pipe":
        key_read, key_write = os.pipe()
        os.write(key_write, key.encode())
        os.close(key_write)
        options[1] = f"/dev/fd/{key_read}"
    line = refused(
        bare_cli, simulator, key, "add", LIST, f"x{key}", "--base-url", simulator.base_url, *options
    )
    assert " holds the API key of an app" in line


def test_auth_token_is_never_sent(cli: CommandLine, simulator: Simulator) -> None:
    """An entry that looks like the auth token of a user is neither sent nor shown."""
    token = f"alice_1700000000{'0123456789abcdef' * 2}"
    assert "new entry 1 looks like an auth token of a user" in refused(
        cli, simulator, token, "add", LIST, f"x{token}"
    )


@pytest.mark.parametrize(
    "typed",
    [
        f"keywords apply {LIST} list.txt",
        f"keywords get {LIST} --output tokens.json",
        "auth-tokens revoke alice",
    ],
)
def test_nothing_changes_without_confirmation(
    cli: CommandLine, simulator: Simulator, typed: str
) -> None:
    """Without a terminal and --yes, a command that changes something ends with 2 and changes
    nothing."""
    cli.write("list.txt", "\n".join([*BEFORE, "new"]))
    cli.write("tokens.json", "")
    done = cli(*typed.split(), stdin=simulator.auth_tokens["alice"][0])
    assert (done.code, "--yes" in done.err, terms(simulator)) == (2, True, BEFORE)
    assert (Path("tokens.json").read_text(), len(simulator.auth_tokens["alice"])) == ("", 3)


def test_too_many_removals_are_refused(cli: CommandLine, simulator: Simulator) -> None:
    """Without --max-removed, not all entries of a list are removed: the plan is shown, without a
    question."""
    cli.write("list.txt", "new\n")
    done = cli("keywords", "apply", LIST, "list.txt")
    assert done.code == 6
    *plan, line = done.err.splitlines()
    assert "- scam" in plan
    assert line.startswith(
        f"cometchat-desk: {LIST} in the app at {simulator.base_url}: 6 of 6 entries"
    )
    assert line.endswith("--max-removed 100% allows the update. No update was sent.")
    assert [request.method for request in simulator.requests] == ["GET"]
    assert cli("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "100%").code == 0
    assert terms(simulator) == ["new"]


def test_limit_of_hidden_entries(cli: CommandLine, simulator: Simulator) -> None:
    """If the service does not show the entries, the refusal names one value of --max-removed, and
    this value allows the update."""
    del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    cli.write("list.txt", "I know where you live\n")
    apply = ("keywords", "apply", "threat-sentences", "list.txt", "--yes")
    done = cli(*apply)
    (option,) = re.findall(r"--max-removed[ =]\S+", done.err)
    assert (done.code, updates(simulator)) == (6, 0)
    assert cli(*apply, *option.split()).code == 0
    assert updates(simulator) == 1


@pytest.mark.parametrize(
    ("before", "removed", "options", "code"),
    [
        (10, 5, (), 0),
        (9, 5, (), 6),
        (6, 5, ("--max-removed", "83%"), 6),
        (6, 5, ("--max-removed", "84%"), 0),
        (4, 1, ("--max-removed", "20%"), 6),
        (30, 20, (), 6),
        (30, 3, (), 0),
    ],
)
def test_limit_of_removals(
    cli: CommandLine,
    simulator: Simulator,
    before: int,
    removed: int,
    options: tuple[str, ...],
    code: int,
) -> None:
    """By default, the limit is that of the client; a share that the user gives is meant exactly."""
    words = simulator.keyword_lists[LIST]["searchTerms"] = [
        f"word {number}" for number in range(before)
    ]
    cli.write("list.txt", "\n".join(words[removed:]))
    apply = ("keywords", "apply", LIST, "list.txt", *options)
    assert (cli(*apply, "--dry-run").code, cli(*apply, "--yes").code) == (code, code)


@pytest.mark.parametrize(
    "arguments", [("add", LIST, "new"), ("remove", LIST, "spam"), ("apply", LIST, "list.txt")]
)
def test_name_and_description_stay(cli: CommandLine, arguments: tuple[str, ...]) -> None:
    """Name and description of a list stay, even if the service clears what is not sent."""
    cli.write("list.txt", "\n".join([*BEFORE, "new"]))
    with Simulator(omitted_fields="cleared") as service:
        cli.profiles(app("shop", service))
        before = {name: service.keyword_lists[LIST].get(name) for name in ("name", "description")}
        assert all(before.values())
        assert cli("keywords", *arguments, "--app", "shop", "--yes").code == 0
        assert before.items() <= service.keyword_lists[LIST].items()
        assert cli("keywords", "undo", LIST, "--app", "shop", "--yes").code == 0
        assert before.items() <= service.keyword_lists[LIST].items()


def test_all_reasons(two: CommandLine) -> None:
    """An update is refused with all reasons."""
    two.write("new.txt", "phishing\nSch\u00c3\u00b6n\n")
    done = two("keywords", "apply", LIST, "new.txt", "--app", "shop", "--app", "forum", "--yes")
    assert done.code == 6
    last = done.err.splitlines()[-1]
    assert "6 of 6 entries (100.0%) would be removed; by default, --max-removed allows" in last
    assert "; 1 error in the new entries (mis-decoded). Correct the entries" in last


@pytest.mark.parametrize(
    ("profile", "word"),
    [
        ('app_id = "abc"\napi_key_file = "open.key"', "chmod 600"),
        ('app_id = "abc"\napi_key_file = "missing.key"', "missing.key"),
        ('app_id = "abc"', "api_key_file"),
        ('app_id = "abc"\napi_key = "k"\nregion = "EU"', "region"),
    ],
    ids=["open", "missing", "no key", "region"],
)
def test_broken_profile(three: CommandLine, simulator: Simulator, profile: str, word: str) -> None:
    """A broken profile stops no other app, is named with its problem, and sets the exit code."""
    three.write("home/.config/cometchat-desk/open.key", "k", mode=0o644)
    three.profiles(f"[apps.broken]\n{profile}\n" + app("shop", simulator))
    planned = three("keywords", "apply", "--dry-run", LIST, "list.txt", "--all-apps")
    outcomes = {row["app"]: row["outcome"] for row in records(planned)}
    assert outcomes == {"broken": "failed", "shop": "planned"}
    applied = three("keywords", "apply", LIST, "list.txt", "--all-apps", "--yes")
    outcomes = {row["app"]: (row["outcome"], word in str(row["error"])) for row in records(applied)}
    assert outcomes == {"broken": ("failed", True), "shop": ("updated", False)}
    lines = [done.err.splitlines()[-1].partition(": broken: ") for done in (planned, applied)]
    assert [(before, word in problem) for before, _, problem in lines] == [
        ("cometchat-desk", True)
    ] * 2
    assert (planned.code, applied.code, "new" in terms(simulator)) == (3, 3, True)


def test_problem_in_one_app(two: CommandLine, forum: Simulator) -> None:
    """Too many removals in one app stop no other app; the reason comes once, before the
    question."""
    forum.keyword_lists[LIST]["searchTerms"] = [*BEFORE, "more", "words"]
    typed = ("keywords", "apply", LIST, "list.txt", "--app", "shop", "--app", "forum")
    two.write("list.txt", "\n".join([*BEFORE, "new"]))
    *_, reason, question = two(*typed, "--max-removed", "20%").err.splitlines()
    assert reason.startswith(
        f"cometchat-desk: {LIST} in forum ({forum.base_url}): 2 of 8 entries (25.0%) would be"
    )
    assert "? Standard input is not a terminal" in question
    done = two(*typed, "--max-removed", "20%", "--yes")
    assert [(row["app"], row["outcome"]) for row in records(done)] == [
        ("shop", "updated"),
        ("forum", "failed"),
    ]
    assert done.code == 6


def test_unknown_app(three: CommandLine, simulator: Simulator) -> None:
    """An app without a profile stops the command before any request: the name may be mistyped."""
    done = three(
        "keywords", "apply", "--dry-run", LIST, "list.txt", "--app", "shop", "--app", "frum"
    )
    assert (done.code, done.out) == (3, "")
    assert "'frum'" in done.line
    assert simulator.requests == []


def test_dry_run_says_that_the_update_is_refused(cli: CommandLine) -> None:
    """With --dry-run, a plan that removes too much is refused, with the share and the option that
    allows it."""
    cli.write("words.txt", "spam\n")
    apply = ("keywords", "apply", LIST, "words.txt")
    done = cli(*apply, "--dry-run", "--max-removed", "20%")
    assert (done.code, records(done)[0]["outcome"]) == (6, "failed")
    assert "5 of 6 entries (83.3%) would be removed; --max-removed allows 20.0%" in done.err
    assert "--max-removed 83.4% allows the update. No update was sent.\n" in done.err
    shares = ("83.4%", "84 %", "0.84", "100%")
    codes = [cli(*apply, "--dry-run", "--max-removed", share).code for share in shares]
    assert codes == [0] * len(shares)
    assert cli(*apply, "--max-removed", "83.4%", "--yes").code == 0


@pytest.mark.parametrize(
    "typed",
    [
        f"add {LIST} new",
        f"remove {LIST} spam",
        f"apply {LIST} words.txt --max-removed 100%",
        f"undo {LIST}",
    ],
)
def test_dry_run(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """With --dry-run, a command shows its plan and its result in advance, and sends no update."""
    cli.write("words.txt", "spam\nnew\n")
    assert cli("keywords", "add", LIST, "first", "--yes").code == 0
    done = cli("keywords", *typed.split(), "--dry-run")
    assert (done.code, records(done)[0]["outcome"], updates(simulator)) == (0, "planned", 1)
    assert " removed" in done.err
