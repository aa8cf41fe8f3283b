"""The linter in plans and updates."""

import json

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import LIST


def test_findings_in_new_entries_come_first(cli: CommandLine, simulator: Simulator) -> None:
    """A plan shows the findings in new entries before those in entries that the list already
    has."""
    old = [f"old\u200b{number}" for number in range(30)]
    simulator.keyword_lists[LIST]["searchTerms"] = list(old)
    cli.write("words.txt", "\n".join([*old, "new\u200b"]))
    out = cli("keywords", "plan", LIST, "words.txt", "--format", "table").out
    (first, *_) = (line for line in out.splitlines() if "invisible-character" in line)
    assert "'new\\u200b'" in first


def test_plan_shows_findings(cli: CommandLine) -> None:
    """A plan shows the findings, to people and to programs."""
    cli.write("words.txt", "spam\nGrÃ¼ÃŸe\n")
    assert (
        "! error mis-decoded" in cli("keywords", "plan", LIST, "words.txt", "--format", "table").out
    )
    record = json.loads(cli("keywords", "plan", LIST, "words.txt", "--format", "jsonl").out)
    assert "mis-decoded" in {each["rule"] for each in record["findings"]}


def test_title_in_a_table(cli: CommandLine) -> None:
    """With --yes, a new entry that may be the title of its column is refused; so is a known
    title of each file."""
    for column in ([], ["--column", "2"]):
        cli.write("team.csv", "Curse\ngrifter\n" if not column else "Who,Curse\nalice,grifter\n")
        typed = ["keywords", "add", LIST, "--from", "team.csv", *column, "--yes"]
        assert (
            "'Curse' may be the title of a column: add --header or --no-header. No update"
            in cli(*typed).err
        )
        assert "+ Curse\n" in cli(*typed, "--no-header", "--dry-run").err
        assert cli(*typed, "--header").code == 0
    assert cli(*typed[:5], "--column", "Curse", "--yes").code == 0
    cli.write("words.txt", "Word\nswatting\n")
    assert (
        "lint --fix words.txt. To send the "
        in cli("keywords", "add", LIST, "--from", "words.txt", "--yes").err
    )
    cli.write("words.txt", "# Words of the night team\nswatting\n")
    done = cli("keywords", "add", LIST, "--from", "words.txt", "--yes")
    assert "1 error in the new entries (comment)" in done.err
    cli.write(f"lists/{LIST}.csv", "Word\nswatting\n")
    assert (
        f"lint --fix lists/{LIST}.csv. To"
        in cli("keywords", "sync", "lists", "--max-removed", "99%", "--yes").err
    )


def test_apply_stops_at_an_error(cli: CommandLine) -> None:
    """No update adds a damaged entry, unless the user accepts the rule; lint --fix repairs the
    file if it can."""
    cli.write("zero.txt", "spam\nze\u200bro\n")
    done = cli("keywords", "add", LIST, "--from", "zero.txt", "--yes")
    repair = "keywords lint --fix zero.txt. To send the entries as they are, add --accept invisible-character."
    assert repair in done.err
    assert (
        cli(
            "keywords", "plan", LIST, "zero.txt", "--output", "plan.json", "--max-removed", "100%"
        ).code
        == 0
    )
    advice = (
        "(invisible-character). Correct the entries. To send the entries as they are, add --accept"
    )
    assert advice in cli("keywords", "apply", "--plan", "plan.json", "--yes").err
    assert (
        advice
        in cli(
            "keywords", "apply", LIST, "-", "--max-removed", "100%", "--yes", stdin="ze\u200bro\n"
        ).err
    )
    cli.write("words.txt", "spam\nGrÃ¼ÃŸe\n")
    arguments = ("keywords", "apply", LIST, "words.txt", "--yes", "--max-removed", "100%")
    done = cli(*arguments)
    assert done.code == 2
    assert "--accept mis-decoded. No update was sent." in done.err
    assert "GrÃ¼ÃŸe" not in cli("keywords", "get", LIST, "--format", "csv").out
    assert cli(*arguments, "--accept", "mis-decoded").code == 0
    # The live list has the entry now: it does not stop another change.
    cli.write("words.txt", "spam\nGrÃ¼ÃŸe\njunk\n")
    assert cli(*arguments).code == 0
