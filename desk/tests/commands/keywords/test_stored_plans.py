"""Plans in files: `keywords plan --output` and `keywords apply --plan`."""

import os
import re
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from .conftest import BEFORE, LIST, records, terms, updates


@pytest.fixture
def saved(cli: CommandLine) -> CommandLine:
    cli.write("words.txt", "\n".join([*BEFORE, "new"]))
    done = cli("keywords", "plan", LIST, "words.txt", "--output", "plan.json")
    assert (done.code, done.err) == (0, "Wrote the plan to plan.json.\n")
    return cli


def test_apply(saved: CommandLine, simulator: Simulator) -> None:
    """A stored plan is applied with the limit of removals that it was made with; a second time,
    it changes nothing."""
    done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes", "--format", "table")
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "new"])
    assert "+ new\n" in done.err
    assert " UTC, allowed to remove at most the usual share.\n" in done.err
    assert done.out.startswith(f"{LIST} updated: 1 added (new). Undo:\n  ")
    done = saved("keywords", "apply", "--plan", "plan.json", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")


def test_approval(cli: CommandLine, simulator: Simulator) -> None:
    """A stored plan names its author, time and reason, and may remove the share that was
    approved."""
    cli.write("words.txt", "spam\n")
    plan = ("keywords", "plan", LIST, "words.txt", "--reason", "a smaller list")
    assert cli(*plan, "--output", "large.json", "--max-removed", "90%").code == 0
    cli.env.setenv("LOGNAME", "bob")
    done = cli("keywords", "apply", "--plan", "large.json", "--yes")
    assert re.match(
        r"Planned by \w+ on [0-9-]{10} [0-9:]{5} UTC, .* at most 90%: a smaller list\.\n", done.err
    )
    assert "Planned by bob" not in done.err
    assert (done.code, terms(simulator)) == (0, ["spam"])


def test_plan_is_shown(two: CommandLine, simulator: Simulator) -> None:
    """`apply --plan --dry-run` shows a stored plan of all its apps with its approval."""
    two.write("words.txt", "\n".join([*BEFORE, "new", " newer"]))
    planned = ("keywords", "plan", LIST, "words.txt", "--all-apps")
    assert two(*planned, "--output", "plan.json", "--reason", "Tuesday").code == 0
    done = two("keywords", "apply", "--plan", "plan.json", "--dry-run")
    assert (done.code, updates(simulator)) == (0, 0)
    shown = done.err.splitlines()
    assert re.fullmatch(
        r"Planned by .* UTC, allowed to remove at most the usual share: Tuesday\.", shown[0]
    )
    assert {"+ new", "+ ' newer'", f"# shop ({simulator.base_url})"} <= set(shown)


def test_reason_in_the_history(cli: CommandLine) -> None:
    """The history has the reason of an approved plan: in its output, and for a single
    update."""
    cli.write("words.txt", "\n".join([*BEFORE, "new"]))
    assert (
        cli(
            "keywords", "plan", LIST, "words.txt", "--output", "plan.json", "--reason", "Tuesday"
        ).code
        == 0
    )
    assert cli("keywords", "apply", "--plan", "plan.json", "--yes").code == 0
    forms = ("table", "json", "csv", f"table {LIST}", f"table {LIST} 1", f"json {LIST} 1")
    shown = {form: cli("keywords", "history", "--format", *form.split()).out for form in forms}
    assert {form for form, out in shown.items() if "Tuesday" in out} == set(forms)


def test_from_standard_input(saved: CommandLine, simulator: Simulator) -> None:
    """A stored plan can come from standard input."""
    assert (
        saved(
            "keywords", "apply", LIST, "--plan", "-", "--yes", stdin=Path("plan.json").read_bytes()
        ).code
        == 0
    )
    assert terms(simulator) == [*BEFORE, "new"]


def test_changed_plan(saved: CommandLine, simulator: Simulator) -> None:
    """A plan that somebody edited is refused with 2, and nothing is sent."""
    text = Path("plan.json").read_text("utf-8")
    saved.write("plan.json", text.replace('"new"', '"old"'))
    before = len(simulator.requests)
    done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
    assert (
        done.code,
        "plan.json: the plan was changed after it was stored; make" in done.line,
    ) == (2, True)
    assert len(simulator.requests) == before


def test_plan_for_another_app(saved: CommandLine, simulator: Simulator) -> None:
    """A plan for another address is refused with 2 before the question, and the journal has no
    entry of it."""
    with Simulator() as other:
        saved.env.setenv("COMETCHAT_BASE_URL", other.base_url)
        done = saved("keywords", "apply", LIST, "--plan", "plan.json")
        assert (done.code, len(other.requests)) == (2, 0)
        assert f"the plans are for: {simulator.base_url}" in done.err


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"category": "word", "terms": ["a"]}', "is not a plan"),
        (b'{"plans": {}}', "is not a plan"),
    ],
)
def test_other_files(cli: CommandLine, simulator: Simulator, content: bytes, fault: str) -> None:
    """A file that holds no plan is refused in one line with 2, and nothing is sent."""
    (cli.folder / "plan.json").write_bytes(content)
    done = cli("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
    assert (done.code, simulator.requests) == (2, [])
    assert done.line.startswith("cometchat-desk: plan.json: ")
    assert fault in done.line


@pytest.mark.parametrize(
    ("typed", "code", "fault"),
    [
        (
            "scam-patterns --plan plan.json",
            2,
            f"the plan is for the list '{LIST}', not for 'scam-patterns'",
        ),
        (
            f"{LIST} words.txt --plan plan.json",
            2,
            "--plan cannot be combined with FILE, --category",
        ),
        (LIST, 2, "give either LIST and FILE, or --plan"),
        (
            f"{LIST} --plan plan.json --category word",
            2,
            "--plan cannot be combined with FILE, --category",
        ),
        (
            "--plan plan.json --max-removed 100%",
            2,
            "--plan cannot be combined with FILE, --category",
        ),
        (f"{LIST} --plan missing.json", 11, "missing.json"),
    ],
)
def test_wrong_arguments(saved: CommandLine, typed: str, code: int, fault: str) -> None:
    """A plan for another list, a missing file, and a FILE beside the plan are refused."""
    done = saved("keywords", "apply", *typed.split(), "--yes")
    assert (done.code, fault in done.line) == (code, True)


def test_plan_is_replaced_after_a_question(saved: CommandLine) -> None:
    """A plan in the file, which may be that of a colleague, is replaced only after a question,
    or with --yes."""
    before = Path("plan.json").read_bytes()
    saved.write("words.txt", "\n".join([*BEFORE, "other"]))
    done = saved("keywords", "plan", LIST, "words.txt", "--output", "plan.json")
    assert (done.code, Path("plan.json").read_bytes()) == (2, before)
    assert "Replace plan.json?" in done.err
    assert saved("keywords", "plan", LIST, "words.txt", "--output", "plan.json", "--yes").code == 0
    assert "other" in Path("plan.json").read_text("utf-8")


def test_changed_list(saved: CommandLine, simulator: Simulator) -> None:
    """If the list has changed since the plan, the plan is refused before the question, and is
    not recorded."""
    assert saved("keywords", "add", LIST, "theirs", "--yes").code == 0
    done = saved("keywords", "apply", "--plan", "plan.json")
    assert (done.code, updates(simulator), terms(simulator)) == (6, 1, [*BEFORE, "theirs"])
    assert "has changed since the plan was made" in done.err
    assert done.err.endswith("; make a new plan\n")
    assert "Standard input is not a terminal" not in done.err
    assert len(records(saved("keywords", "history", LIST, "--format", "jsonl"))) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_pipe_is_not_a_plan(saved: CommandLine) -> None:
    """A named pipe, which might wait for ever, is refused as a plan."""
    os.mkfifo("pipe.json")
    assert saved("keywords", "apply", LIST, "--plan", "pipe.json", "--yes").code == 2
    assert saved("keywords", "plan", LIST, "words.txt", "--output", "pipe.json").code == 2


def test_other_files_are_not_replaced(saved: CommandLine) -> None:
    """`--output` replaces a plan, and no other file."""
    assert saved("keywords", "plan", LIST, "words.txt", "--output", "plan.json", "--yes").code == 0
    saved.write("list.json", '{"category": "word", "terms": ["a"]}')
    before = sorted(Path().iterdir())
    codes = {"list.json": 2, "words.txt": 2, "no/such/plan.json": 11}
    assert {
        name: saved("keywords", "plan", LIST, "words.txt", "--output", name).code for name in codes
    } == codes
    assert sorted(Path().iterdir()) == before
    assert Path("list.json").read_text("utf-8") == '{"category": "word", "terms": ["a"]}'
    assert Path("words.txt").read_text("utf-8").startswith("spam\n")


def test_stored_plans(three: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """Plans of several apps are stored in one file, and are applied to the same apps without
    naming them."""
    three.write("words.txt", "\n".join([*BEFORE, "new"]))
    typed = ("--app", "shop", "--app", "forum", "--output", "plan.json", "--max-removed", "50%")
    assert three("keywords", "plan", LIST, "words.txt", *typed).code == 0
    done = three("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
    assert [(each["app"], each["outcome"]) for each in records(done)] == [
        ("shop", "updated"),
        ("forum", "updated"),
    ]
    assert terms(simulator) == terms(forum) == [*BEFORE, "new"]


def test_plan_of_a_colleague(three: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """A plan is for the app with its address, whatever name this app has here."""
    three.write("words.txt", "\n".join([*BEFORE, "new"]))
    assert (
        three("keywords", "plan", LIST, "words.txt", "--app", "shop", "--output", "plan.json").code
        == 0
    )
    three.profiles(app("myshop", simulator) + app("shop", forum))
    done = three("keywords", "apply", "--plan", "plan.json", "--app", "shop")
    assert f"the plans are for: {simulator.base_url}" in done.err
    assert (
        three("keywords", "apply", "--plan", "plan.json", "--app", "myshop", "--dry-run").code == 0
    )
    assert three("keywords", "apply", "--plan", "plan.json", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "new"]


def test_plan_without_the_name_of_an_app(three: CommandLine, simulator: Simulator) -> None:
    """A plan without the name of an app is for one app, which the options name; for several apps
    it is refused."""
    address = (
        "--base-url",
        simulator.base_url,
        "--api-key-file",
        three.write("a.key", simulator.api_key).name,
    )
    Path("a.key").chmod(0o600)
    three.write("words.txt", "\n".join([*BEFORE, "new"]))
    assert three("keywords", "plan", LIST, "words.txt", "--output", "plan.json", *address).code == 0
    arguments = ("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
    done = three(*arguments, "--app", "shop", "--app", "forum")
    assert (done.code, updates(simulator)) == (2, 0)
    assert f"the plans are for: {simulator.base_url}" in done.err
    assert [each["outcome"] for each in records(three(*arguments, "--app", "shop"))] == ["updated"]


def test_plans_are_saved_for_all_apps_or_for_none(three: CommandLine) -> None:
    """If an app has no plan, no file is written, and a line says so."""
    three.write("words.txt", "spam\n")
    done = three("keywords", "plan", LIST, "words.txt", "--all-apps", "--output", "plan.json")
    assert done.code == 4
    assert "plan.json was not written, because an app has no plan" in done.err
    assert not Path("plan.json").exists()
