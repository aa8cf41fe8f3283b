"""`cometchat-desk keywords apply`."""

import csv
import io
import json
from pathlib import Path

import pytest

from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.writing import write
from cometchat_rest import keyword_input
from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, terms, updates


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.json"])
def test_dump_edit_plan_apply(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """A list that is dumped, edited and applied has the added entry, and no other change."""
    assert cli("keywords", "get", LIST, "--output", name).code == 0
    before = read_list(Path(name).read_bytes(), name).entries
    changed = keyword_input.from_terms("word", [*before, "phishing"])
    write(Path(name), changed)

    planned = cli("keywords", "apply", "--dry-run", LIST, name)
    assert planned.code == 0
    assert (json.loads(planned.out)["added"], json.loads(planned.out)["removed"]) == (
        ["phishing"],
        [],
    )
    assert terms(simulator) == list(before)

    applied = cli("keywords", "apply", LIST, name, "--yes")
    assert applied.code == 0
    assert "+ phishing\n" in applied.err
    assert json.loads(applied.out)["outcome"] == "updated"
    assert terms(simulator) == [*before, "phishing"]

    again = cli("keywords", "apply", LIST, name)
    assert (again.code, json.loads(again.out)["outcome"]) == (0, "unchanged")


def test_plan_as_csv(cli: CommandLine) -> None:
    """As CSV, a plan has a row for each app."""
    cli.write("list.txt", "spam\nnew\n")
    apply = ("keywords", "apply", LIST, "list.txt", "--max-removed", "100%")
    done = cli(*apply, "--dry-run", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert (row["added"], row["removed"]) == (
        "new",
        "scam, free coins, Schimpfwort, malparido, バカ",
    )


@pytest.mark.parametrize(
    "typed",
    [
        f"apply {LIST} scam.json",
        f"apply {LIST} scam.json --base scam.json",
        f"apply {LIST} scam.txt --base scam.json",
        f"add {LIST} --from scam.json",
        "sync lists",
    ],
)
def test_file_of_another_list(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """A file that names another list changes no list."""
    assert cli("keywords", "get", "scam-patterns", "--output", "scam.json").code == 0
    assert cli("keywords", "get", "scam-patterns", "--output", "scam.txt").code == 0
    cli.write(f"lists/{LIST}.json", Path("scam.json").read_text("utf-8"))
    options = [] if "add" in typed else ["--max-removed", "100%"]
    done = cli("keywords", *typed.split(), "--yes", "--accept", "separator", *options)
    assert "the file belongs to the list scam-patterns; name that list" in done.err
    assert (done.code, terms(simulator), updates(simulator)) == (2, BEFORE, 0)
    assert (
        cli(
            "keywords", "add", "scam-patterns", "--from", "scam.txt", "--from", "scam.json", "--yes"
        ).code
        == 0
    )


def test_apply_the_difference_of_two_files(cli: CommandLine, simulator: Simulator) -> None:
    """With --base, only what changed from the old file to the new one is sent: own entries of the
    list stay, and one undo takes it back."""
    cli.write("old.txt", "spam\nscam\nnwn\nbilge\n")
    cli.write("new.txt", "spam\nphishing\ngrifter\nbilge\n")
    apply = ("keywords", "apply", LIST, "new.txt", "--base", "old.txt")
    done = cli(*apply, "--yes")
    assert (done.code, terms(simulator)) == (
        0,
        [*(entry for entry in BEFORE if entry != "scam"), "phishing", "grifter"],
    )
    assert "! 1 entry to remove is not in the list:\n!   nwn" in done.err
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert sorted(terms(simulator)) == sorted(BEFORE)
    cli.write("new.txt", "spam\nscam\nnwn\nbilge\nthe\n")
    assert cli(*apply, "--yes").code == 2
    assert cli(*apply, "--yes", "--accept", "ordinary-word").code == 0
    assert terms(simulator)[-1] == "the"


def test_download_that_failed(cli: CommandLine, simulator: Simulator) -> None:
    """With --base, a new file that lacks much of the old one changes nothing, although the list has
    many other entries; --max-removed allows it."""
    words = [f"word {number}" for number in range(40)]
    simulator.keyword_lists[LIST]["searchTerms"] = words
    cli.write("old.txt", "\n".join(words[:4]))
    cli.write("new.txt", "404: Not Found")
    apply = ("keywords", "apply", LIST, "new.txt", "--base", "old.txt", "--yes")
    done = cli(*apply)
    assert (done.code, terms(simulator)) == (6, words)
    assert "from OLD to FILE, 4 of 4 entries (100.0%) would be removed" in done.err
    assert cli(*apply, "--max-removed", "100%").code == 0
    assert terms(simulator) == [*words[4:], "404: Not Found"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--base", "gone.txt"), "'--base': File 'gone.txt' does not exist"),
        (("--base", "old.txt", "--category", "pattern"), "holds entries of category pattern"),
    ],
)
def test_base_that_does_not_fit(
    cli: CommandLine, simulator: Simulator, options: tuple[str, ...], fault: str
) -> None:
    """Without the old file, or for a list of another category, nothing is sent."""
    cli.write("old.txt", "spam\n")
    cli.write("new.txt", "spam\nphishing\n")
    done = cli("keywords", "apply", LIST, "new.txt", *options, "--yes")
    assert (done.code != 0, terms(simulator)) == (True, BEFORE)
    assert fault in done.err
