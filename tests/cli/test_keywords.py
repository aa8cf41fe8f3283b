"""`cometchat-rest keywords`: from a list to a file, and back by way of a plan."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest import keyword_input
from cometchat_rest.testing import Simulator

from .conftest import Desk

LIST = "profanity-list"


def terms(simulator: Simulator, list_id: str = LIST) -> object:
    return simulator.keyword_lists[list_id]["searchTerms"]


def test_get_shows_the_record(desk: Desk, simulator: Simulator) -> None:
    """Without a terminal, `get` writes the record as the service sent it, in one line of JSON."""
    done = desk("keywords", "get", LIST)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert json.loads(done.out) == simulator.keyword_lists[LIST]


def test_get_for_people(desk: Desk) -> None:
    """The table tells what the list is, and shows each entry in its own script."""
    done = desk("keywords", "get", LIST, "--output", "table")
    assert done.out.startswith("Profanity\nword, 6 entries\n")
    assert "2025-09-15 17:05:51 UTC" in done.out
    assert done.out.endswith("\nSchimpfwort\nmalparido\nバカ\n")


def test_entries_stay_text(desk: Desk, simulator: Simulator) -> None:
    """Nothing in an entry is taken for a colour, a name of an emoji, or anything that a terminal obeys."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["[bold]x[/bold]", "[a-z]", ":smile:", "\x1b[2J"]
    shown = ["[bold]x[/bold]", "[a-z]", ":smile:", r"\u001b[2J"]
    assert desk("keywords", "get", LIST, "-o", "table").out.splitlines()[-4:] == shown


def test_lines_stay_whole(desk: Desk, simulator: Simulator) -> None:
    """An entry or a plan's line that is longer than the terminal is wide is not broken: it can be copied."""
    long = "free " * 19 + "coins"
    simulator.keyword_lists[LIST]["searchTerms"] = [long]
    desk.write("list.txt", "spam\n")
    assert f"\n{long}\n" in desk("keywords", "get", LIST, "-o", "table").out
    assert f"\n- {long}\n" in desk("keywords", "plan", LIST, "list.txt", "-o", "table").out


@pytest.mark.parametrize("list_id", [LIST, "imported-phrases", "scam-patterns", "threat-sentences"])
def test_get_as_csv_is_a_file_for_apply(desk: Desk, list_id: str) -> None:
    """What `get -o csv` writes is a file that changes nothing when it is planned."""
    desk.write("list.csv", desk("keywords", "get", list_id, "-o", "csv").out)
    done = desk("keywords", "plan", list_id, "list.csv", "--exit-code")
    assert done.code == 0
    assert json.loads(done.out)["entries_after"] >= 3


@pytest.mark.parametrize("form", ["csv", "jsonl", "table"])
def test_get_of_what_no_encoding_has(desk: Desk, simulator: Simulator, form: str) -> None:
    """A half of a character, which JSON can hold and no file, is shown as an escape."""
    record = {**simulator.keyword_lists[LIST], "searchTerms": ["a\ud800"]}
    simulator.fail("get_keyword_list", status=200, body=json.dumps({"data": record}))
    done = desk("keywords", "get", LIST, "-o", form)
    assert (done.code, done.err) == (0, "")
    assert "\\ud800" in done.out


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.json"])
def test_dump_edit_plan_apply(desk: Desk, simulator: Simulator, name: str) -> None:
    """A list goes to a file, and comes back with what was added there and nothing else changed."""
    assert desk("keywords", "dump", LIST, name).code == 0
    before = keyword_input.entries_of(keyword_input.load(name, category="word"))
    changed = keyword_input.from_terms("word", [*before, "phishing"])
    keyword_input.dump(changed, name)

    planned = desk("keywords", "plan", LIST, name)
    assert planned.code == 0
    assert (json.loads(planned.out)["added"], json.loads(planned.out)["removed"]) == (["phishing"], [])
    assert terms(simulator) == list(before)

    applied = desk("keywords", "apply", LIST, name, "--yes")
    assert applied.code == 0
    assert "+ phishing\n" in applied.err
    assert json.loads(applied.out)["outcome"] == "updated"
    assert terms(simulator) == [*before, "phishing"]

    again = desk("keywords", "apply", LIST, name)
    assert (again.code, json.loads(again.out)["outcome"]) == (0, "unchanged")


def test_nothing_is_changed_without_a_yes(desk: Desk, simulator: Simulator) -> None:
    """Where nobody can be asked, what would change something ends with 2, and changes nothing."""
    desk.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    desk.write("tokens.json", "")
    before = terms(simulator)
    for arguments in (
        ("keywords", "apply", LIST, "list.txt"),
        ("keywords", "dump", LIST, "tokens.json"),
        ("auth-tokens", "revoke", "alice"),
    ):
        done = desk(*arguments, stdin=simulator.auth_tokens["alice"][0])
        assert done.code == 2
        assert "--yes" in done.err
    assert terms(simulator) == before
    assert Path("tokens.json").read_text() == ""
    assert len(simulator.auth_tokens["alice"]) == 3


def test_too_much_would_go(desk: Desk, simulator: Simulator) -> None:
    """More than a fifth of a list goes only if --max-removed allows it; the plan is shown, and not even asked about."""
    desk.write("list.txt", "spam\n")
    done = desk("keywords", "apply", LIST, "list.txt")
    assert done.code == 6
    *plan, line = done.err.splitlines()
    assert "- scam" in plan
    assert (
        line == f"cometchat-rest: {LIST}: 5 of 6 entries (83.3%) would be removed; "
        "max_removed allows 20.0% (--max-removed)"
    )
    assert [request.method for request in simulator.requests] == ["GET"]
    assert desk("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "1").code == 0
    assert terms(simulator) == ["spam"]


def test_a_list_that_is_not_what_was_sent(desk: Desk, simulator: Simulator) -> None:
    """Where the list that is read back is not what was sent, the code is 6 and the entries are named."""
    desk.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = desk("keywords", "apply", LIST, "list.txt", "--yes")
    assert done.code == 6
    assert json.loads(done.out)["missing"] == ["new"]
    simulator.fail("update_keyword_list", status=200, body={"data": simulator.keyword_lists[LIST]})
    done = desk("keywords", "apply", LIST, "list.txt", "--yes", "--output", "table")
    assert "is not what was sent: 1 entry is missing, 0 unexpected; now at revision" in done.out
    assert done.out.endswith(".\n- new\n")


def test_entries_that_differ(desk: Desk, simulator: Simulator) -> None:
    """Of the entries that differ fifty of each kind are shown to people, and all of them with --all."""
    before: Any = simulator.keyword_lists[LIST]
    desk.write("list.txt", "".join(f"new {number}\n" for number in range(60)))
    for more, count in (((), 50), (("--all",), 60)):
        simulator.fail("update_keyword_list", status=200, body={"data": before})
        typed = ("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "1", "-o", "table")
        done = desk(*typed, *more)
        first, *entries = done.out.splitlines()
        assert "60 entries are missing, 6 unexpected" in first
        assert len([line for line in entries if line.startswith("- new ")]) == count
        assert ("- ... and 10 more" in entries) == (count == 50)
        assert entries[-6:] == [f"+ {term}" for term in before["searchTerms"]]


class TestEntriesThatAreNotShown:
    """A list of which the service does not show the entries."""

    @pytest.fixture
    def hidden(self, desk: Desk, simulator: Simulator) -> Desk:
        del simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
        desk.write("list.txt", "I know where you live\n")
        return desk

    def test_plan(self, hidden: Desk) -> None:
        """With --exit-code, changes that cannot be told count as changes."""
        assert hidden("keywords", "plan", "threat-sentences", "list.txt", "--exit-code").code == 1

    def test_get(self, hidden: Desk) -> None:
        """For people it is said that they are not shown; a file of none of them ends with 10 instead."""
        said = "the service does not show its entries"
        done = hidden("keywords", "get", "threat-sentences", "-o", "table")
        assert (done.code, said in done.out, "0 entries" in done.out) == (0, True, False)
        done = hidden("keywords", "get", "threat-sentences", "-o", "csv")
        assert (done.code, done.out, done.line) == (10, "", f"cometchat-rest: threat-sentences: {said}")
        assert hidden("keywords", "dump", "threat-sentences", "kept.txt") == done
        assert not Path("kept.txt").exists()


def test_a_lost_answer(desk: Desk, simulator: Simulator) -> None:
    """An update whose answer is lost is recovered by reading; where that does not tell, it ends with 12 and says so."""
    desk.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
    simulator.fail("update_keyword_list", status=504)
    done = desk("keywords", "apply", LIST, "list.txt", "--yes")
    assert done.code == 12
    assert done.err.endswith("It may or may not have been carried out: look before you do it again.\n")
    simulator.fail("update_keyword_list", cut="after_processing")
    done = desk("keywords", "apply", LIST, "list.txt", "--yes")
    assert (done.code, json.loads(done.out)["recovered"]) == (0, True)


def test_plans_for_programs(desk: Desk) -> None:
    """As CSV, a plan has a row for each change; with --exit-code, changes end with 1."""
    desk.write("list.txt", "spam\nnew\n")
    done = desk("keywords", "plan", LIST, "list.txt", "--output", "csv", "--exit-code")
    assert done.code == 1
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["change"], row["entry"]) for row in rows] == [
        *(("removed", term) for term in ("scam", "free coins", "Schimpfwort", "malparido", "バカ")),
        ("added", "new"),
    ]


def test_a_plan_for_a_spreadsheet(desk: Desk) -> None:
    """As CSV, an entry that looks like a formula does not become the same as another."""
    desk.write("list.txt", "-x\n'-x\n")
    rows = csv.DictReader(io.StringIO(desk("keywords", "plan", LIST, "list.txt", "-o", "csv").out))
    assert [row["entry"] for row in rows if row["change"] == "added"] == ["'-x", "''-x"]


class TestSeveralApps:
    """The same for several apps of the profiles."""

    @pytest.fixture
    def two(self, desk: Desk, simulator: Simulator) -> Desk:
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        gone = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.auth_only_key}"\n'
        desk.profiles(f"[apps.shop]\n{app}[apps.forum]\n{app}[apps.closed]\n{gone}")
        desk.write("list.txt", "spam\nscam\nfree coins\nSchimpfwort\nmalparido\nバカ\nnew\n")
        return desk

    def test_each_has_an_outcome(self, two: Desk) -> None:
        """Every app has its own outcome; one that fails stops none, is named, and decides on the code."""
        done = two("keywords", "plan", LIST, "list.txt", "--all-apps")
        assert [json.loads(line)["app"] for line in done.out.splitlines()] == ["shop", "forum"]
        assert done.code == 4
        assert done.line.startswith("cometchat-rest: closed: ")

    def test_apply(self, two: Desk, simulator: Simulator) -> None:
        """Applying to several shows each plan under its app's name, and tells of each what came of it."""
        done = two("keywords", "apply", LIST, "list.txt", "--app", "shop", "--app", "closed", "--yes", "-o", "table")
        assert "# shop\n" in done.err
        assert done.code == 4
        assert "cometchat-rest: closed: " in done.err
        assert done.out.startswith("shop: profanity-list is as planned")
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
    def test_a_broken_profile(self, two: Desk, simulator: Simulator, profile: str, word: str) -> None:
        """A profile with a fault stops no other app, is named with what is wrong with it, and decides on the code."""
        two.write("home/.config/cometchat-rest/open.key", "k", mode=0o644)
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        two.profiles(f"[apps.broken]\n{profile}\n[apps.shop]\n{app}")
        for command in ("plan", "apply"):
            done = two("keywords", command, LIST, "list.txt", "--all-apps", *(["--yes"] if command == "apply" else []))
            assert [json.loads(line)["app"] for line in done.out.splitlines()] == ["shop"]
            assert done.code == 3
            assert done.err.splitlines()[-1].startswith("cometchat-rest: broken: ")
            assert word in done.err.splitlines()[-1]
        assert "new" in str(terms(simulator))

    def test_a_region_that_is_none(self, two: Desk) -> None:
        """For a single app as well, it is said in which profile a setting is wrong."""
        path = two.profiles('[apps.broken]\napp_id = "abc"\napi_key = "k"\nregion = "EU"')
        done = two("keywords", "plan", LIST, "list.txt", "--app", "broken")
        assert (done.code, done.out) == (3, "")
        assert done.line.endswith(f"in lower case ([apps.broken] in {path})")

    def test_an_update_that_fails(self, two: Desk, simulator: Simulator) -> None:
        """Where one app of several is left to be updated and fails, it is named as well."""
        app = f'base_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
        two.profiles(f"[apps.broken]\napp_id = 'abc'\n[apps.shop]\n{app}")
        simulator.fail("update_keyword_list", status=403)
        done = two("keywords", "apply", LIST, "list.txt", "--all-apps", "--yes")
        assert done.code == 4
        assert done.err.splitlines()[-1].startswith("cometchat-rest: shop: ")

    def test_a_name_that_is_mistyped(self, two: Desk, simulator: Simulator) -> None:
        """An app that no profile is for stops all: whoever typed it meant another."""
        done = two("keywords", "plan", LIST, "list.txt", "--app", "shop", "--app", "frum")
        assert (done.code, done.out) == (3, "")
        assert "'frum'" in done.line
        assert simulator.requests == []

    def test_elsewhere_one_app(self, two: Desk) -> None:
        """Commands for one app refuse several."""
        assert "takes one app" in two("roles", "list", "--app", "shop", "--app", "forum").line
