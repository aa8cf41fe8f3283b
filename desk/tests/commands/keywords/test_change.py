"""`keywords add` and `remove`, stored plans, standard input, and the question with the address of each app."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.commands.keywords.view import place
from cometchat_desk.terminal.shares import parse_share, percent
from cometchat_rest import Client, KeywordPlan
from cometchat_rest.testing import Simulator

from ...conftest import CommandLine, Result

LIST = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def terms(simulator: Simulator, list_id: str = LIST) -> Any:
    return simulator.keyword_lists[list_id]["searchTerms"]


def records(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.out.splitlines()]


def updates(simulator: Simulator) -> int:
    return [request.method for request in simulator.requests].count("PUT")


def change_between(
    simulator: Simulator, monkeypatch: pytest.MonkeyPatch, *added: str, times: int = 1, removed: str = ""
) -> None:
    """Let somebody else change the entries after each of the first plans: before every second reading."""
    receive = simulator.receive
    left = [times]

    def meddle(request: Any) -> Any:
        if request.method == "GET" and left[0] and len(simulator.requests) % 2:
            left[0] -= 1
            record = simulator.keyword_lists[LIST]
            terms = [*(each for each in record["searchTerms"] if each != removed), *added]
            simulator.keyword_lists[LIST] = {**record, "searchTerms": terms, "revisionId": f"theirs_{left[0]}"}
        return receive(request)

    monkeypatch.setattr(simulator, "receive", meddle)


class TestAddAndRemove:
    def test_add(self, cli: CommandLine, simulator: Simulator) -> None:
        """Words are added after the entries that the list has; the plan is on stderr, the result on stdout."""
        done = cli("keywords", "add", LIST, "phishing", "get rich quick", "--yes")
        assert done.code == 0
        assert terms(simulator) == [*BEFORE, "phishing", "get rich quick"]
        assert "+ phishing\n+ get rich quick\n2 added, 0 removed, 6 unchanged\n" in done.err
        (record,) = records(done)
        assert (record["outcome"], record["added"], record["removed"]) == (
            "updated",
            ["phishing", "get rich quick"],
            [],
        )
        assert record["previous_revision"].endswith("_1")
        assert record["revision_id"].endswith("_2")
        assert (record["exit_code"], record["error"], record["planned_again"]) == (0, None, 0)

    def test_remove(self, cli: CommandLine, simulator: Simulator) -> None:
        """Named entries are removed without a limit; the others keep their order."""
        done = cli("keywords", "remove", LIST, *BEFORE[1:5], "--yes", "-o", "table")
        assert (done.code, terms(simulator)) == (0, ["spam", "バカ"])
        assert done.out == f"{LIST} updated: 4 removed. Undo: cometchat-desk keywords rollback {LIST}\n"

    def test_entries_that_need_no_change(self, cli: CommandLine, simulator: Simulator) -> None:
        """Entries that are already there, or not there, are shown as warnings. If no others remain, nothing is sent."""
        done = cli("keywords", "add", LIST, "spam", "new", "--yes")
        assert "! 1 entry to add is already in the list:\n!   spam\n" in done.err
        done = cli("keywords", "remove", LIST, "sapm", "new", "--yes")
        assert "! 1 entry to remove is not in the list:\n!   sapm\n" in done.err
        sent = updates(simulator)
        done = cli("keywords", "add", LIST, "spam", "-o", "table")
        assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")
        done = cli("keywords", "remove", LIST, "sapm")
        assert "! 1 entry to remove is not in the list:\n!   sapm\n" in done.err
        assert (done.code, records(done)[0]["outcome"], updates(simulator)) == (0, "unchanged", sent)

    @pytest.mark.parametrize("command", ["add", "remove"])
    def test_confirmation(self, cli: CommandLine, simulator: Simulator, command: str) -> None:
        """Without a terminal and --yes, nothing changes, and the message has the question with the address."""
        done = cli("keywords", command, LIST, "spam" if command == "remove" else "new")
        assert done.code == 2
        assert f"Update {LIST} of the app at {simulator.base_url}? There is no terminal" in done.err
        assert terms(simulator) == BEFORE

    @pytest.mark.parametrize("name", ["words.txt", "words.csv", "words.json", "-"])
    def test_from_a_file(self, cli: CommandLine, simulator: Simulator, name: str) -> None:
        """Entries come from a file or from standard input, after those of the arguments."""
        content = '{"category": "word", "terms": ["two words", "b"]}' if name.endswith("json") else "two words\nb\n"
        if name != "-":
            cli.write(name, content)
        done = cli("keywords", "add", LIST, "a", "--from", name, "--yes", stdin=content)
        assert (done.code, terms(simulator)) == (0, [*BEFORE, "a", "two words", "b"])

    def test_findings_about_a_file(self, cli: CommandLine, simulator: Simulator) -> None:
        """Additions from a file have the findings that the file has alone, and its errors stop them."""
        for text, severity in (
            ("idiot moron loser clown shot crack strip grifter\n", "warning separator"),
            ("Schimpfwörter\nidiot\n", "warning header-row"),
            ("term\nidiot\n", "error header-row"),
            ("- idiot\n- moron\n", "error list-item"),
            ("“idiot”\n“moron”\n“clown”\n", "error quotes"),
        ):
            cli.write("words.txt", text)
            done = cli("keywords", "add", LIST, "word", "--from", "words.txt")
            assert f"! {severity}: " in done.err, (text, done.err)
            assert ("There is no terminal" in done.err) == severity.startswith("warning"), text
        assert terms(simulator) == BEFORE

    def test_errors_that_cannot_be_accepted(self, cli: CommandLine) -> None:
        """Each error has a line with its rule; --accept is advised only for entries that the service takes."""
        done = cli("keywords", "add", LIST, "x" * 101, "scam\u200bmer", "y" * 101)
        for rule, count in (("too-long", 2), ("invisible-character", 1)):
            assert done.err.count(f"! error {rule}: ") == count
        assert done.err.splitlines()[-1].endswith(
            "3 errors in the new entries (too-long, invisible-character). Correct the entries, or add --accept "
            "invisible-character. The service refuses entries that break too-long. Shorten the word or the pattern. "
            "Sentences may be longer. No update was sent."
        )
        done = cli("keywords", "add", "scam-patterns", "spam.*")
        assert "! error unbounded-pattern: " in done.err
        assert (
            "Correct the entries. The service refuses entries that break unbounded-pattern. Replace * with {0,20}"
            in done.err
        )

    def test_category_of_a_file(self, cli: CommandLine, simulator: Simulator) -> None:
        """Entries of a JSON file for another category are refused."""
        cli.write("words.json", '{"category": "pattern", "terms": ["a+"]}')
        done = cli("keywords", "add", LIST, "--from", "words.json", "--yes")
        assert (done.code, terms(simulator)) == (2, BEFORE)
        assert "is a list of category word, and the file holds entries of category pattern" in done.line

    def test_entry_that_begins_with_a_hyphen(self, cli: CommandLine, simulator: Simulator) -> None:
        """After --, an entry may begin with a hyphen."""
        assert cli("keywords", "add", LIST, "--yes", "--", "-x", "--all-apps").code == 0
        assert terms(simulator) == [*BEFORE, "-x", "--all-apps"]

    @pytest.mark.parametrize(
        ("typed", "code", "fault"),
        [
            ((), 2, "no entry was given: write TERM arguments, or use --from FILE"),
            (("a", " "), 2, "TERM 2 is blank"),
            (("a\udcff",), 2, "TERM 1 is not valid UTF-8"),
            (("--from", "missing.txt"), 11, "missing.txt"),
            (("--from", "-"), 2, "standard input:1:1: holds no terms"),
        ],
    )
    def test_invalid_entries(
        self, cli: CommandLine, simulator: Simulator, typed: tuple[str, ...], code: int, fault: str
    ) -> None:
        """Invalid entries are refused in one line before anything is sent."""
        done = cli("keywords", "add", LIST, *typed, "--yes")
        assert (done.code, done.out) == (code, "")
        assert fault in done.line
        assert simulator.requests == []

    @pytest.mark.parametrize("command", ["add", "remove"])
    def test_name_of_an_app(self, cli: CommandLine, simulator: Simulator, command: str) -> None:
        """A term that is the name of an app is refused with advice about --app; after --, it is an entry."""
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        cli.profiles(f"[apps.shop]\n{app}[apps.forum]\n{app}")
        done = cli("keywords", command, LIST, "spam", "--app", "shop", "forum", "--yes")
        assert (done.code, simulator.requests) == (2, [])
        assert "TERM 2 is the name of an app: for several apps, use --app shop --app forum; for the entry" in done.line
        done = cli("keywords", command, LIST, "--app", "shop", "--yes", "--", "forum")
        assert (done.code, "forum" in terms(simulator)) == (0, command == "add")

    def test_removals_of_a_file(self, cli: CommandLine, simulator: Simulator) -> None:
        """Removals from a file have the limit of apply; entries that the user names have none."""
        cli.write("words.txt", "\n".join(BEFORE[1:]))
        done = cli("keywords", "remove", LIST, "--from", "words.txt", "--yes")
        assert (done.code, terms(simulator)) == (6, BEFORE)
        assert "would remove 5 of 6 entries (83.3%), and --max-removed allows 20.0%" in done.err
        assert cli("keywords", "remove", LIST, "--from", "words.txt", "--yes", "--max-removed", "84%").code == 0
        assert terms(simulator) == BEFORE[:1]

    def test_all_entries_removed(self, cli: CommandLine, simulator: Simulator) -> None:
        """A list cannot become empty; the message says what to do."""
        done = cli("keywords", "remove", LIST, *BEFORE, "--yes")
        assert (done.code, terms(simulator)) == (2, BEFORE)
        assert done.line.endswith("an empty list cannot be sent; keep at least one entry")

    def test_hidden_entries(self, cli: CommandLine, simulator: Simulator) -> None:
        """If the service does not show the entries, nothing is sent."""
        del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
        done = cli("keywords", "add", "threat-sentences", "Go.", "--yes")
        assert done.code == 2
        assert "the service does not show the entries" in done.line
        assert updates(simulator) == 0

    def test_list_that_changes_in_between(
        self, cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If somebody changes the list after the plan, the same changes are planned again and keep that change."""
        change_between(simulator, monkeypatch, "theirs")
        done = cli("keywords", "add", LIST, "mine", "--yes", "-o", "table")
        assert (done.code, terms(simulator)) == (0, [*BEFORE, "theirs", "mine"])
        assert "The list had changed since the plan was shown, so the same changes were planned again." in done.out
        assert (updates(simulator), done.err.count("[y/N]")) == (1, 0)

    def test_damaged_entry_that_somebody_else_removes(
        self, cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A new plan is checked as well: a damaged entry that was in the list before does not come back."""
        damaged = "zero\u200bwidth"
        record = simulator.keyword_lists[LIST]
        simulator.keyword_lists[LIST] = {**record, "searchTerms": [*BEFORE, damaged]}
        change_between(simulator, monkeypatch, removed=damaged)
        done = cli("keywords", "add", LIST, "phishing", damaged, "--yes")
        assert done.code == 2
        assert "--accept" in done.err
        assert terms(simulator) == BEFORE
        assert updates(simulator) == 0

    def test_settings_of_the_linter_hold_for_a_new_plan(
        self, cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A rule that the settings beside the file turn off does not stop the changes when they are planned again."""
        cli.write("cometchat-lint.toml", '[rules]\ninvisible-character = "off"\n')
        cli.write("words.txt", "zero\u200bwidth\n")
        change_between(simulator, monkeypatch, "theirs")
        done = cli("keywords", "add", LIST, "--from", "words.txt", "--yes")
        assert (done.code, terms(simulator)) == (0, [*BEFORE, "theirs", "zero\u200bwidth"]), done.err

    def test_somebody_else_adds_the_same_entry(
        self, cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If somebody adds the same entry in between, no update is sent, and the command succeeds."""
        change_between(simulator, monkeypatch, "mine")
        done = cli("keywords", "add", LIST, "mine", "--yes")
        (record,) = records(done)
        assert (done.code, record["outcome"], record["planned_again"]) == (0, "unchanged", 1)
        assert (updates(simulator), terms(simulator)) == (0, [*BEFORE, "mine"])

    def test_list_that_always_changes(
        self, cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """After five changes in a row, the command gives up with 6, sends no update, and says what to do."""
        change_between(simulator, monkeypatch, times=1000)
        done = cli("keywords", "add", LIST, "mine", "--yes")
        assert done.code == 6
        assert done.err.endswith("The list changed 5 times in a row. No update was sent. Try again later.\n")
        assert updates(simulator) == 0
        assert records(done)[0]["outcome"] == "failed"

    def test_unknown_outcome(self, cli: CommandLine, simulator: Simulator) -> None:
        """If the outcome is unknown, the code is 12, and the advice is to run the same command again."""
        simulator.fail("update_keyword_list", status=504)
        done = cli("keywords", "add", LIST, "mine", "--yes")
        (record,) = records(done)
        assert (done.code, record["outcome"], record["added"]) == (12, "unknown", ["mine"])
        for text in (record["error"], done.err):
            assert "run the same command again" in text
            assert "with the file" not in text
        assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
        assert terms(simulator) == [*BEFORE, "mine"]


class TestSeveralApps:
    @pytest.fixture
    def three(self, cli: CommandLine, simulator: Simulator) -> Any:
        with Simulator() as forum:
            forum.keyword_lists[LIST]["searchTerms"] = ["own word", "scam"]
            cli.profiles(
                f'[apps.shop]\nbase_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
                f'[apps.forum]\nbase_url = "{forum.base_url}"\napi_key = "{forum.api_key}"\n'
                f'[apps.closed]\nbase_url = "{forum.base_url}"\napi_key = "{forum.auth_only_key}"\n'
            )
            yield cli, forum

    def test_each_app_keeps_its_entries(self, three: Any, simulator: Simulator) -> None:
        """The same words are added to several apps with one question, and each app keeps its own words."""
        cli, forum = three
        done = cli("keywords", "add", LIST, "one", "two", "--app", "shop", "--app", "forum", "--yes")
        assert [(each["app"], each["outcome"]) for each in records(done)] == [("shop", "updated"), ("forum", "updated")]
        assert terms(simulator) == [*BEFORE, "one", "two"]
        assert terms(forum) == ["own word", "scam", "one", "two"]
        assert f"# shop ({simulator.base_url})\n" in done.err
        assert f"# forum ({forum.base_url})\n" in done.err

    def test_question_names_all_apps(self, three: Any, simulator: Simulator) -> None:
        """The one question names each app that would change, with its address."""
        cli, forum = three
        done = cli("keywords", "remove", LIST, "scam", "--app", "shop", "--app", "forum")
        assert f"Update {LIST} in shop ({simulator.base_url}), forum ({forum.base_url})? There is no" in done.err
        done = cli("keywords", "remove", LIST, "own word", "--app", "shop", "--app", "forum")
        assert f"Update {LIST} in forum ({forum.base_url})? There is no" in done.err

    def test_failed_app(self, three: Any) -> None:
        """An app that fails has a line in the output, sets the exit code, and stops no other app."""
        cli, forum = three
        done = cli("keywords", "remove", LIST, "scam", "--all-apps", "--yes")
        assert done.code == 4
        assert [(each["app"], each["outcome"], each["exit_code"]) for each in records(done)] == [
            ("shop", "updated", 0),
            ("forum", "updated", 0),
            ("closed", "failed", 4),
        ]
        assert "403" in records(done)[2]["error"]
        assert "cometchat-desk: closed (" in done.err
        assert terms(forum) == ["own word"]
        rows = list(
            csv.DictReader(io.StringIO(cli("keywords", "add", LIST, "x", "--all-apps", "--yes", "-o", "csv").out))
        )
        assert [(row["app"], row["outcome"], row["added"]) for row in rows] == [
            ("shop", "updated", "x"),
            ("forum", "updated", "x"),
            ("closed", "failed", ""),
        ]

    def test_stored_plans(self, three: Any, simulator: Simulator) -> None:
        """Plans of several apps are stored in one file, and are applied to the same apps without naming them."""
        cli, forum = three
        cli.write("words.txt", "\n".join([*BEFORE, "new"]))
        typed = ("--app", "shop", "--app", "forum", "--save", "plan.json")
        assert cli("keywords", "plan", LIST, "words.txt", *typed).code == 0
        done = cli("keywords", "apply", LIST, "--plan", "plan.json", "--app", "closed", "--yes")
        assert (done.code, updates(simulator)) == (2, 0)
        assert "no plan for the app 'closed'; there is a plan for: shop, forum" in done.err
        done = cli("keywords", "apply", LIST, "--plan", "plan.json", "--yes", "--max-removed", "50%")
        assert [(each["app"], each["outcome"]) for each in records(done)] == [("shop", "updated"), ("forum", "updated")]
        assert terms(simulator) == terms(forum) == [*BEFORE, "new"]

    def test_plan_without_the_name_of_an_app(self, three: Any, simulator: Simulator) -> None:
        """A plan that `to_dict()` made is for one app, which the options name; for several apps it is refused."""
        cli, _ = three
        with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
            cli.write("plan.json", json.dumps(chat.keywords.plan(LIST, [*BEFORE, "new"]).to_dict()))
        arguments = ("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
        done = cli(*arguments, "--app", "shop", "--app", "forum")
        assert (done.code, updates(simulator)) == (2, 0)
        assert "no plan for the app 'shop'; there is a plan for: one app without a name" in done.err
        assert [each["outcome"] for each in records(cli(*arguments, "--app", "shop"))] == ["updated"]

    def test_plans_are_saved_for_all_apps_or_for_none(self, three: Any) -> None:
        """If an app has no plan, no file is written, and a line says so."""
        cli, _ = three
        cli.write("words.txt", "spam\n")
        done = cli("keywords", "plan", LIST, "words.txt", "--all-apps", "--save", "plan.json")
        assert done.code == 4
        assert "plan.json was not written, because an app has no plan" in done.err
        assert not Path("plan.json").exists()


class TestStoredPlan:
    @pytest.fixture
    def saved(self, cli: CommandLine) -> CommandLine:
        cli.write("words.txt", "\n".join([*BEFORE, "new"]))
        done = cli("keywords", "plan", LIST, "words.txt", "--save", "plan.json")
        assert (done.code, done.err) == (0, "Wrote the plan to plan.json.\n")
        return cli

    def test_apply(self, saved: CommandLine, simulator: Simulator) -> None:
        """A stored plan is applied once. After that the list has another revision, and the plan is refused."""
        done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes", "-o", "table")
        assert (done.code, terms(simulator)) == (0, [*BEFORE, "new"])
        assert "+ new\n" in done.err
        assert done.out.startswith(f"{LIST} updated: 1 added. Undo: ")
        done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
        assert (done.code, updates(simulator)) == (6, 1)
        assert "has changed since the plan was made" in done.err

    def test_from_standard_input(self, saved: CommandLine, simulator: Simulator) -> None:
        """A stored plan can come from standard input."""
        assert saved("keywords", "apply", LIST, "--plan", "-", "--yes", stdin=Path("plan.json").read_bytes()).code == 0
        assert terms(simulator) == [*BEFORE, "new"]

    def test_python_reads_it(self, saved: CommandLine, simulator: Simulator) -> None:
        """The file of one app without a name is a plan for Python, and a plan from Python is a file for the command."""
        plan = KeywordPlan.from_dict(json.loads(Path("plan.json").read_text("utf-8")))
        assert (plan.list_id, plan.added) == (LIST, ("new",))
        with Client() as chat:
            saved.write("python.json", json.dumps(chat.keywords.plan_changes(LIST, remove=BEFORE[1:]).to_dict()))
        assert saved("keywords", "apply", LIST, "--plan", "python.json", "--yes", "--max-removed", "1").code == 0
        assert terms(simulator) == ["spam"]

    def test_changed_plan(self, saved: CommandLine, simulator: Simulator) -> None:
        """A plan that somebody edited is refused with 2, and nothing is sent."""
        text = Path("plan.json").read_text("utf-8")
        saved.write("plan.json", text.replace('"new"', '"old"'))
        before = len(simulator.requests)
        done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
        assert (done.code, done.line) == (
            2,
            "cometchat-desk: plan.json: the plan was changed after it was stored; make a new plan",
        )
        assert len(simulator.requests) == before

    def test_plan_for_another_app(self, saved: CommandLine, simulator: Simulator) -> None:
        """A plan for another address is refused with 2 before the question, and the journal has no entry of it."""
        with Simulator() as other:
            saved.env.setenv("COMETCHAT_BASE_URL", other.base_url)
            done = saved("keywords", "apply", LIST, "--plan", "plan.json")
            assert (done.code, len(other.requests)) == (2, 0)
            assert f"was made for {simulator.base_url}, not for {other.base_url}; " in done.line
        assert done.line.endswith("No update was sent.")

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"", "not valid JSON"),
            (b"\xff\xfe{\x00}\x00", "not valid JSON"),
            (b"gr\xfc\xdfe", "not valid JSON"),
            (b"[" * 100_000, "not valid JSON"),
            (b"[]", "is not a plan"),
            (b'{"category": "word", "terms": ["a"]}', "is not a plan"),
            (b'{"version": 1, "plans": {}}', "is not a plan"),
            (b'{"version": 2, "plans": {}}', "another release"),
            (b'{"version": 2, "checksum": "x"}', "install a newer release"),
        ],
    )
    def test_other_files(self, cli: CommandLine, simulator: Simulator, content: bytes, fault: str) -> None:
        """A file that holds no plan is refused in one line with 2, and nothing is sent."""
        (cli.folder / "plan.json").write_bytes(content)
        done = cli("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
        assert (done.code, simulator.requests) == (2, [])
        assert done.line.startswith("cometchat-desk: plan.json: ")
        assert fault in done.line

    def test_wrong_arguments(self, saved: CommandLine, simulator: Simulator) -> None:
        """A plan for another list, another app, a missing file, and a FILE beside the plan are refused."""
        for typed, code, fault in (
            (
                ["scam-patterns", "--plan", "plan.json"],
                2,
                f"the plan is for the list '{LIST}', not for 'scam-patterns'",
            ),
            ([LIST, "words.txt", "--plan", "plan.json"], 2, "give either a FILE or --plan"),
            ([LIST], 2, "give either a FILE or --plan"),
            ([LIST, "--plan", "plan.json", "--category", "word"], 2, "--category cannot be combined with --plan"),
            ([LIST, "--plan", "missing.json"], 11, "missing.json"),
        ):
            done = saved("keywords", "apply", *typed, "--yes")
            assert (done.code, fault in done.line) == (code, True), done
        with Simulator() as other:
            saved.env.setenv("COMETCHAT_BASE_URL", other.base_url)
            done = saved("keywords", "apply", LIST, "--plan", "plan.json", "--yes")
            assert (done.code, other.requests) == (2, [])
            assert f"was made for {simulator.base_url}, not for {other.base_url}" in done.err

    def test_other_files_are_not_replaced(self, saved: CommandLine) -> None:
        """`--save` replaces a plan, and no other file."""
        assert saved("keywords", "plan", LIST, "words.txt", "--save", "plan.json").code == 0
        saved.write("list.json", '{"category": "word", "terms": ["a"]}')
        for name, code in (("list.json", 2), ("words.txt", 2), ("no/such/plan.json", 11)):
            before = sorted(Path().iterdir())
            assert saved("keywords", "plan", LIST, "words.txt", "--save", name).code == code, name
            assert sorted(Path().iterdir()) == before
        assert Path("list.json").read_text("utf-8") == '{"category": "word", "terms": ["a"]}'
        assert Path("words.txt").read_text("utf-8").startswith("spam\n")


class TestStandardInput:
    @pytest.mark.parametrize(
        ("text", "form", "added"),
        [
            ("a, b\n", "txt", ["a, b"]),
            ('"a, b"\nc\n', "csv", ["a, b", "c"]),
            ('{"category": "word", "terms": ["a, b"]}', "json", ["a, b"]),
        ],
    )
    def test_formats(self, cli: CommandLine, text: str, form: str, added: list[str]) -> None:
        """FILE may be -, which means standard input; its format is text by default."""
        typed = ["--input-format", form] if form != "txt" else []
        done = cli("keywords", "plan", LIST, "-", *typed, stdin=text)
        assert (done.code, records(done)[0]["added"]) == (0, added)

    def test_apply(self, cli: CommandLine, simulator: Simulator) -> None:
        """`apply -` needs --yes, because standard input cannot also hold the answer to the question."""
        text = "\n".join([*BEFORE, "new"])
        done = cli("keywords", "apply", LIST, "-", stdin=text)
        assert (done.code, terms(simulator)) == (2, BEFORE)
        assert "use --yes" in done.err
        assert cli("keywords", "apply", LIST, "-", "--yes", stdin=text).code == 0
        assert terms(simulator) == [*BEFORE, "new"]

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"", ":1:1: holds no terms"),
            (b"a\ngr\xfc\xdfe\n", ":2:3: is not UTF-8"),
            ("a\n".encode("utf-16"), ":1:1: is in UTF-16"),
            (b"a\rb\n", ":1:2: holds"),
        ],
    )
    def test_invalid_content(self, cli: CommandLine, simulator: Simulator, content: bytes, fault: str) -> None:
        """The error names standard input, the line and the column."""
        done = cli("keywords", "apply", LIST, "-", "--yes", stdin=content)
        assert (done.code, simulator.requests) == (2, [])
        assert done.line.startswith(f"cometchat-desk: standard input{fault}")


class TestRefusal:
    def test_plan_says_that_apply_would_refuse(self, cli: CommandLine) -> None:
        """`plan` already says that `apply` would refuse, with the share and the option that allows it."""
        cli.write("words.txt", "spam\n")
        done = cli("keywords", "plan", LIST, "words.txt", "-o", "table")
        assert done.code == 0
        assert done.out.splitlines()[-1] == (
            "! apply would refuse this plan: the update would remove 5 of 6 entries (83.3%), and --max-removed allows "
            "20.0%; --max-removed 83.4% allows the update"
        )
        assert "5 of 6" in records(cli("keywords", "plan", LIST, "words.txt"))[0]["refused"]
        for share in ("83.4%", "84 %", "0.84", "100%", "1"):
            allowed = cli("keywords", "plan", LIST, "words.txt", "--max-removed", share)
            assert records(allowed)[0]["refused"] is None, share
        assert cli("keywords", "apply", LIST, "words.txt", "--max-removed", "83.4%", "--yes").code == 0

    def test_list_that_is_not_active(self, cli: CommandLine, simulator: Simulator) -> None:
        """The plan says that a list is not active."""
        simulator.keyword_lists[LIST]["active"] = False
        cli.write("words.txt", "spam\n")
        assert "! the list is not active\n" in cli("keywords", "plan", LIST, "words.txt", "-o", "table").out
        assert records(cli("keywords", "plan", LIST, "words.txt"))[0]["active"] is False

    @pytest.mark.parametrize("text", ["20", "-1%", "101%", "1.1", "nan", "", "%", "a", "2e-1", "٢٠%", "1_0%"])
    def test_invalid_share(self, cli: CommandLine, simulator: Simulator, text: str) -> None:
        """A share that is neither a percentage nor a number from 0 to 1 is refused, because 20 could mean either."""
        cli.write("words.txt", "spam\n")
        done = cli("keywords", "apply", LIST, "words.txt", f"--max-removed={text}", "--yes")
        assert (done.code, simulator.requests) == (2, [])
        assert "--max-removed" in done.line
        assert "such as 20%" in done.line

    def test_shares(self) -> None:
        """A percentage and a share are the same number; a suggested percentage is never too small."""
        assert [parse_share(text) for text in ("20%", "0.2", ".2", " 20 % ", "0", "100%", "1")] == [
            *(0.2, 0.2, 0.2, 0.2),
            *(0.0, 1.0, 1.0),
        ]
        for whole in range(1, 60):
            for part in range(whole + 1):
                assert 0 <= parse_share(percent(part / whole)) - part / whole < 0.00101


def test_places() -> None:
    """A question names the app and its address; a hosted app has a short address."""
    assert place("shop", "https://253179cf5f665257.api-eu.cometchat.io/v3") == "shop (253179cf5f665257, eu)"
    assert place("", "https://253179cf5f665257.api-eu.cometchat.io/v3") == "app 253179cf5f665257 (eu)"
    assert place("clinic", "https://chat.example.com/v3") == "clinic (https://chat.example.com/v3)"
    assert place("\x1b[31m", "https://a.api-eu.cometchat.io/v3") == r"\u001b[31m (a, eu)"


def test_table_with_100_000_entries(cli: CommandLine, simulator: Simulator) -> None:
    """A table with 100,000 entries shows each of them, and does not need many seconds of CPU time."""
    entries = [f"größe {number} \x1b[2J" for number in range(100_000)]
    simulator.keyword_lists[LIST]["searchTerms"] = entries
    cli("keywords", "get", "scam-patterns", "-o", "table")
    before = os.times()
    done = cli("keywords", "get", LIST, "-o", "table")
    after = os.times()
    assert done.out.splitlines()[-100_000:] == [f"größe {number} \\u001b[2J" for number in range(100_000)]
    assert after.user - before.user < 3
