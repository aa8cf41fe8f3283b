"""`cometchat-desk keywords`: show lists, write them to files, plan changes and apply them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest import keyword_input
from cometchat_rest.testing import Simulator

from ...conftest import CommandLine

LIST = "profanity-list"


def terms(simulator: Simulator, list_id: str = LIST) -> object:
    return simulator.keyword_lists[list_id]["searchTerms"]


def test_get_shows_the_record(cli: CommandLine, simulator: Simulator) -> None:
    """Without a terminal, `get` writes the record as the service sent it, as one line of JSON."""
    done = cli("keywords", "get", LIST)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert json.loads(done.out) == simulator.keyword_lists[LIST]


def test_get_as_table(cli: CommandLine) -> None:
    """The table describes the list, and shows each entry in its own script."""
    done = cli("keywords", "get", LIST, "--output", "table")
    assert done.out.startswith("Profanity\nword, 6 entries\n")
    assert "2025-09-15 17:05:51 UTC" in done.out
    assert done.out.endswith("\nSchimpfwort\nmalparido\nバカ\n")


def test_entries_are_plain_text(cli: CommandLine, simulator: Simulator) -> None:
    """An entry is never interpreted as markup, as an emoji name or as a control sequence."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["[bold]x[/bold]", "[a-z]", ":smile:", "\x1b[2J"]
    shown = ["[bold]x[/bold]", "[a-z]", ":smile:", r"\u001b[2J"]
    assert cli("keywords", "get", LIST, "-o", "table").out.splitlines()[-4:] == shown


def test_long_lines_are_not_broken(cli: CommandLine, simulator: Simulator) -> None:
    """An entry or a line of a plan that is wider than the terminal is not broken, so that it can be copied."""
    long = "free " * 19 + "coins"
    simulator.keyword_lists[LIST]["searchTerms"] = [long]
    cli.write("list.txt", "spam\n")
    assert f"\n{long}\n" in cli("keywords", "get", LIST, "-o", "table").out
    assert f"\n- {long}\n" in cli("keywords", "plan", LIST, "list.txt", "-o", "table").out


@pytest.mark.parametrize("list_id", [LIST, "imported-phrases", "scam-patterns", "threat-sentences"])
def test_get_as_csv_gives_a_file_for_plan(cli: CommandLine, list_id: str) -> None:
    """The output of `get -o csv` is a file that changes nothing when it is planned."""
    cli.write("list.csv", cli("keywords", "get", list_id, "-o", "csv").out)
    done = cli("keywords", "plan", list_id, "list.csv", "--exit-code")
    assert done.code == 0
    assert json.loads(done.out)["entries_after"] >= 3


@pytest.mark.parametrize("form", ["csv", "jsonl", "table"])
def test_get_of_a_lone_surrogate(cli: CommandLine, simulator: Simulator, form: str) -> None:
    """Half of a surrogate pair, which JSON can hold and a file cannot, is shown as an escape."""
    record = {**simulator.keyword_lists[LIST], "searchTerms": ["a\ud800"]}
    simulator.fail("get_keyword_list", status=200, body=json.dumps({"data": record}))
    done = cli("keywords", "get", LIST, "-o", form)
    assert (done.code, done.err) == (0, "")
    assert "\\ud800" in done.out


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.json"])
def test_dump_edit_plan_apply(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """A list that is dumped, edited and applied has the added entry, and no other change."""
    assert cli("keywords", "dump", LIST, name).code == 0
    before = keyword_input.entries_of(keyword_input.load(name, category="word"))
    changed = keyword_input.from_terms("word", [*before, "phishing"])
    keyword_input.dump(changed, name)

    planned = cli("keywords", "plan", LIST, name)
    assert planned.code == 0
    assert (json.loads(planned.out)["added"], json.loads(planned.out)["removed"]) == (["phishing"], [])
    assert terms(simulator) == list(before)

    applied = cli("keywords", "apply", LIST, name, "--yes")
    assert applied.code == 0
    assert "+ phishing\n" in applied.err
    assert json.loads(applied.out)["outcome"] == "updated"
    assert terms(simulator) == [*before, "phishing"]

    again = cli("keywords", "apply", LIST, name)
    assert (again.code, json.loads(again.out)["outcome"]) == (0, "unchanged")


def test_nothing_changes_without_confirmation(cli: CommandLine, simulator: Simulator) -> None:
    """Without a terminal and --yes, a command that changes something ends with 2 and changes nothing."""
    cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    cli.write("tokens.json", "")
    before = terms(simulator)
    for arguments in (
        ("keywords", "apply", LIST, "list.txt"),
        ("keywords", "dump", LIST, "tokens.json"),
        ("auth-tokens", "revoke", "alice"),
    ):
        done = cli(*arguments, stdin=simulator.auth_tokens["alice"][0])
        assert done.code == 2
        assert "--yes" in done.err
    assert terms(simulator) == before
    assert Path("tokens.json").read_text() == ""
    assert len(simulator.auth_tokens["alice"]) == 3


def test_too_many_removals_are_refused(cli: CommandLine, simulator: Simulator) -> None:
    """Without --max-removed, more than a fifth of a list is not removed: the plan is shown, without a question."""
    cli.write("list.txt", "spam\n")
    done = cli("keywords", "apply", LIST, "list.txt")
    assert done.code == 6
    *plan, line = done.err.splitlines()
    assert "- scam" in plan
    assert line == (
        f"cometchat-desk: {LIST}: the update would remove 5 of 6 entries (83.3%), and --max-removed allows 20.0%; "
        "--max-removed 83.4% allows the update. No update was sent."
    )
    assert [request.method for request in simulator.requests] == ["GET"]
    assert cli("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "1").code == 0
    assert terms(simulator) == ["spam"]


def test_file_that_holds_only_new_entries(cli: CommandLine, simulator: Simulator) -> None:
    """A file that was meant for `keywords add` is refused with this command first, and with all other reasons."""
    cli.write("two new.txt", "phishing\nSch\u00c3\u00b6n\n")
    for options in ((), ("--app", "shop", "--app", "forum")):
        cli.profiles(
            "".join(
                f'[apps.{name}]\nbase_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
                for name in ("shop", "forum")
            )
        )
        done = cli("keywords", "apply", LIST, "two new.txt", *options)
        assert done.code == 6
        last = done.err.splitlines()[-1]
        hint = f"to add 2 new entries and keep all others, use cometchat-desk keywords add {LIST} --from 'two new.txt'"
        assert f"{hint}; the update would remove 6 of 6 entries (100.0%)" in last
        assert "There is another problem: 1 error in the new entries" in last
        assert "(mis-decoded). Correct the entries, or add --accept mis-decoded. No update was sent." in last
    assert f"refuse this plan: {hint}; " in cli("keywords", "plan", LIST, "two new.txt", "-o", "table").out


def test_result_that_differs(cli: CommandLine, simulator: Simulator) -> None:
    """If the list that is read back differs from the file, the exit code is 6 and the entries are shown."""
    cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    assert done.code == 6
    assert json.loads(done.out)["missing"] == ["new"]
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = cli("keywords", "apply", LIST, "list.txt", "--yes", "--output", "table")
    assert "was updated, but differs from the request: 1 entry is missing, 0 unexpected. Undo: " in done.out
    assert done.out.endswith(f"{LIST}\n- new\n")


def test_entries_that_differ(cli: CommandLine, simulator: Simulator) -> None:
    """The table shows fifty differing entries of each kind, and all of them with --all."""
    before: Any = simulator.keyword_lists[LIST]
    cli.write("list.txt", "".join(f"new {number}\n" for number in range(60)))
    for more, count in (((), 50), (("--all",), 60)):
        simulator.fail("update_keyword_list", status=200, body={"data": before})
        typed = ("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "1", "-o", "table")
        done = cli(*typed, *more)
        first, *entries = done.out.splitlines()
        assert "60 entries are missing, 6 unexpected" in first
        assert len([line for line in entries if line.startswith("- new ")]) == count
        assert ("- ... and 10 more" in entries) == (count == 50)
        assert entries[-6:] == [f"+ {term}" for term in before["searchTerms"]]


class TestEntriesThatAreNotShown:
    """The service does not show the entries of a list."""

    @pytest.fixture
    def hidden(self, cli: CommandLine, simulator: Simulator) -> CommandLine:
        del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
        cli.write("list.txt", "I know where you live\n")
        return cli

    def test_plan(self, hidden: CommandLine) -> None:
        """With --exit-code, unknown changes count as changes."""
        assert hidden("keywords", "plan", "threat-sentences", "list.txt", "--exit-code").code == 1

    def test_get(self, hidden: CommandLine) -> None:
        """The table says that the entries are not shown; CSV and `dump` end with 10 and write nothing."""
        hidden_text = "the service does not show its entries"
        done = hidden("keywords", "get", "threat-sentences", "-o", "table")
        assert (done.code, hidden_text in done.out, "0 entries" in done.out) == (0, True, False)
        done = hidden("keywords", "get", "threat-sentences", "-o", "csv")
        assert (done.code, done.out, done.line) == (10, "", f"cometchat-desk: threat-sentences: {hidden_text}")
        assert hidden("keywords", "dump", "threat-sentences", "kept.txt") == done
        assert not Path("kept.txt").exists()


def test_lost_response(cli: CommandLine, simulator: Simulator) -> None:
    """After a lost response, the list is read back. If the outcome stays unknown, the code is 12, with advice."""
    cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    simulator.fail("update_keyword_list", status=504)
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    assert done.code == 12
    assert done.err.endswith(
        "The update may or may not have been made. "
        "Wait a minute, and look at the list with cometchat-desk keywords get before you try again.\n"
    )
    simulator.fail("update_keyword_list", cut="after_processing")
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    assert (done.code, json.loads(done.out)["recovered"]) == (0, True)


def test_unchanged_list_proves_nothing(cli: CommandLine, simulator: Simulator) -> None:
    """If the list is unchanged after a lost response, the outcome is still unknown: the code is 12."""
    cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    before = terms(simulator)
    simulator.fail("update_keyword_list", cut="before_headers")
    done = cli("keywords", "apply", LIST, "list.txt", "--yes")
    record = json.loads(done.out)
    assert (done.code, record["outcome"], record["exit_code"]) == (12, "unknown", 12)
    assert (record["added"], record["removed"], record["revision_id"]) == (["new"], [], None)
    assert "the service may carry out the update later" in done.err
    assert "look at the list with cometchat-desk keywords get" in done.err
    assert "nothing was changed" not in done.err.casefold()
    assert terms(simulator) == before
    assert [request.method for request in simulator.requests].count("PUT") == 1


def test_plan_as_csv(cli: CommandLine) -> None:
    """As CSV, a plan has a row for each change; with --exit-code, changes give exit code 1."""
    cli.write("list.txt", "spam\nnew\n")
    done = cli("keywords", "plan", LIST, "list.txt", "--output", "csv", "--exit-code")
    assert done.code == 1
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["change"], row["entry"]) for row in rows] == [
        *(("removed", term) for term in ("scam", "free coins", "Schimpfwort", "malparido", "バカ")),
        ("added", "new"),
    ]


def test_plan_as_csv_has_no_formulas(cli: CommandLine) -> None:
    """As CSV, two different entries stay different, even if one looks like a formula."""
    cli.write("list.txt", "-x\n'-x\n")
    rows = csv.DictReader(io.StringIO(cli("keywords", "plan", LIST, "list.txt", "-o", "csv").out))
    assert [row["entry"] for row in rows if row["change"] == "added"] == ["'-x", "''-x"]


class TestSeveralApps:
    """Commands for several apps of the profiles."""

    @pytest.fixture
    def two(self, cli: CommandLine, simulator: Simulator) -> CommandLine:
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        gone = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.auth_only_key}"\n'
        cli.profiles(f"[apps.shop]\n{app}[apps.forum]\n{app}[apps.closed]\n{gone}")
        cli.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
        return cli

    def test_each_app_has_an_outcome(self, two: CommandLine) -> None:
        """Each app has its own outcome. An app that fails stops no other, is named, and sets the exit code."""
        done = two("keywords", "plan", LIST, "list.txt", "--all-apps")
        assert [json.loads(line)["app"] for line in done.out.splitlines()] == ["shop", "forum"]
        assert done.code == 4
        assert done.line.startswith("cometchat-desk: closed (")

    def test_apply(self, two: CommandLine, simulator: Simulator) -> None:
        """`apply` shows the plan and the result of each app under its name."""
        done = two("keywords", "apply", LIST, "list.txt", "--app", "shop", "--app", "closed", "--yes", "-o", "table")
        assert f"# shop ({simulator.base_url})\n" in done.err
        assert done.code == 4
        assert "cometchat-desk: closed (" in done.err
        assert done.out == (
            f"shop: {LIST} updated: 1 added. Undo: cometchat-desk keywords rollback {LIST} --app shop\n"
        )
        assert terms(simulator) == ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ", "new"]

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
    def test_broken_profile(self, two: CommandLine, simulator: Simulator, profile: str, word: str) -> None:
        """A broken profile stops no other app, is named with its problem, and sets the exit code."""
        two.write("home/.config/cometchat-desk/open.key", "k", mode=0o644)
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        two.profiles(f"[apps.broken]\n{profile}\n[apps.shop]\n{app}")
        for command in ("plan", "apply"):
            done = two("keywords", command, LIST, "list.txt", "--all-apps", *(["--yes"] if command == "apply" else []))
            lines = [json.loads(line) for line in done.out.splitlines()]
            assert [line["app"] for line in lines if not line.get("error")] == ["shop"]
            failed = [(line["app"], line["outcome"], word in line["error"]) for line in lines if line.get("error")]
            assert failed == ([("broken", "failed", True)] if command == "apply" else [])
            assert done.code == 3
            assert done.err.splitlines()[-1].startswith("cometchat-desk: broken: ")
            assert word in done.err.splitlines()[-1]
        assert "new" in str(terms(simulator))

    def test_invalid_region_in_a_profile(self, two: CommandLine) -> None:
        """The message for an invalid setting names the profile, also with a single app."""
        path = two.profiles('[apps.broken]\napp_id = "abc"\napi_key = "k"\nregion = "EU"')
        done = two("keywords", "plan", LIST, "list.txt", "--app", "broken")
        assert (done.code, done.out) == (3, "")
        assert done.line.startswith(f"cometchat-desk: [apps.broken] in {path}: region must be one of")

    def test_failed_update(self, two: CommandLine, simulator: Simulator) -> None:
        """If only one of several apps is updated and fails, its name is shown as well."""
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        two.profiles(f"[apps.broken]\napp_id = 'abc'\n[apps.shop]\n{app}")
        simulator.fail("update_keyword_list", status=403)
        done = two("keywords", "apply", LIST, "list.txt", "--all-apps", "--yes")
        assert done.code == 4
        assert done.err.splitlines()[-1].startswith("cometchat-desk: shop (")

    def test_unknown_app(self, two: CommandLine, simulator: Simulator) -> None:
        """An app without a profile stops the command before any request: the name may be mistyped."""
        done = two("keywords", "plan", LIST, "list.txt", "--app", "shop", "--app", "frum")
        assert (done.code, done.out) == (3, "")
        assert "'frum'" in done.line
        assert simulator.requests == []

    def test_several_apps_are_refused_elsewhere(self, two: CommandLine) -> None:
        """Commands for one app refuse several apps."""
        assert "takes one app" in two("roles", "list", "--app", "shop", "--app", "forum").line


def test_dump_says_that_the_category_is_lost(cli: CommandLine) -> None:
    """A text or CSV file of a list of patterns does not hold the category, and the command says so."""
    assert "need --category pattern" in cli("keywords", "dump", "scam-patterns", "a.txt").err
    for list_id, name in (("scam-patterns", "a.json"), ("profanity-list", "a.csv")):
        assert "--category" not in cli("keywords", "dump", list_id, name).err
