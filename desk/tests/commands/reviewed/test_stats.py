"""`reviewed stats`, and exports to Parquet and from files."""

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from cometchat_testing import History, Simulator

from ...conftest import CommandLine, app, exported


def test_list_and_export_write_the_same_csv(cli: CommandLine) -> None:
    """`list --format csv` and `export` write the same columns and the same cells."""
    exported(cli, "reviewed.csv")
    out = cli("reviewed", "list", "--limit", "300", "--format", "csv").out
    listed = list(csv.reader(io.StringIO(out, newline="")))
    with Path("reviewed.csv").open(encoding="utf-8-sig", newline="") as file:
        kept = list(csv.reader(file))
    assert listed[0] == kept[0]
    assert sorted(listed) == sorted(kept)


def test_stats(cli: CommandLine) -> None:
    """`stats` shows the counts and the approved share of each rule, and marks likely false
    positives."""
    exported(cli)
    done = cli("reviewed", "stats", "--records", "reviewed.jsonl")
    rows = {row["rule"]: row for row in map(json.loads, done.out.splitlines())}
    assert rows["Block toxicity"]["approved_share"] == 1.0
    assert [name for name, row in rows.items() if row["likely_false_positives"]] == [
        "Block toxicity"
    ]
    assert "moderators approved 50 of 50" in rows["Block toxicity"]["reason"]
    assert (rows["Block pattern"]["records"], rows["Block pattern"]["approved_share"]) == (50, None)
    assert (done.code, done.err) == (0, "")
    table = cli("reviewed", "stats", "--records", "reviewed.jsonl", "--format", "table").out
    assert "100%" in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.parametrize("by", ["rule", "entry"])
def test_stats_of_no_record(cli: CommandLine, by: str) -> None:
    """If there is no record to count, one line on stderr says so."""
    done = cli("reviewed", "stats", "--by", by, "--since", "2027-01-01", "--format", "table")
    assert (done.code, done.out) == (0, "")
    assert done.line == "Note: there is no record since 2027-01-01 00:00 UTC."


def test_stats_of_the_service(cli: CommandLine) -> None:
    """Without a file, `stats` counts the latest records of the service."""
    done = cli("reviewed", "stats", "--by", "sender", "--top", "2", "--format", "csv")
    assert [row.split(",")[:4] for row in done.out.splitlines()[1:]] == [
        ["alice", "50", "0", "50"],
        ["bob", "50", "50", "0"],
    ]
    assert "4 more rows are not shown; --top N" in done.err


def test_last_week_in_a_spreadsheet(cli: CommandLine) -> None:
    """`export week.csv --from FILE --since` writes a new CSV file with the same cells as an
    export."""
    exported(cli)
    exported(cli, "live.csv")
    assert cli("reviewed", "export", "--output", "all.csv", "--records", "reviewed.jsonl").code == 0
    assert Path("all.csv").read_bytes() == Path("live.csv").read_bytes()
    export = ("reviewed", "export", "--records", "reviewed.jsonl", "--output")
    assert (
        cli(*export, "week.csv", "--since", "2025-09-15T17:05:14").line
        == "week.csv: 2 added, 0 already there."
    )
    before = Path("week.csv").read_bytes()
    again = cli(*export, "week.csv")
    assert (
        again.code,
        again.line.startswith("cometchat-desk: week.csv: already exists; name a new"),
    ) == (2, True)
    assert Path("week.csv").read_bytes() == before
    assert cli(*export, "recent.csv", "--since", "7d").line.startswith("recent.csv: 0 a")


@pytest.mark.parametrize("name", ["week.jsonl", "week.csv"])
def test_export_of_the_last_week(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """`export --since` works for the records of the service in the same way as `stats --since`."""
    simulator.review(2)
    done = cli("reviewed", "export", "--output", name, "--since", "2025-09-15T17:05:14")
    assert done.line == f"{name}: 4 added, 0 already there."
    rows = cli("reviewed", "stats", "--since", "2025-09-15T17:05:14").out.splitlines()
    assert sum(json.loads(row)["records"] for row in rows) == 4


@pytest.mark.parametrize(
    ("code", "part", "arguments"),
    [
        (2, "contains no reviewed messages", ["stats", "--records", "foreign.jsonl"]),
        (11, "gone.jsonl: No such file", ["stats", "--records", "gone.jsonl"]),
        (2, "--since must be a span", ["stats", "--since", "soon", "--records", "foreign.jsonl"]),
        (
            2,
            "--records reads files",
            ["export", "--output", "a.csv", "--records", "reviewed.jsonl", "--limit", "5"],
        ),
        (
            2,
            "must be .xlsx or .csv",
            ["export", "--output", "a.jsonl", "--records", "reviewed.jsonl"],
        ),
        (2, "--follow writes a .jsonl file", ["export", "--output", "a.csv", "--follow"]),
        (
            11,
            "gone/a.csv: No such file",
            ["export", "--output", "gone/a.csv", "--records", "reviewed.jsonl"],
        ),
    ],
)
def test_bad_input(cli: CommandLine, code: int, part: str, arguments: list[str]) -> None:
    """Each mistake gives one line and its exit code, and leaves no file."""
    exported(cli)
    cli.write("foreign.jsonl", "notes\n")
    before = sorted(Path().rglob("*"))
    done = cli("reviewed", *arguments)
    assert (done.code, done.out) == (code, "")
    assert part in done.line
    assert sorted(Path().rglob("*")) == before


def test_without_the_extra(cli: CommandLine) -> None:
    """Without the extra, records can be collected. Other jobs say what it brings, and name no
    package to fetch."""
    for name in ("duckdb", "re2", "ahocorasick_rs"):
        cli.env.setitem(sys.modules, name, None)
    exported(cli)
    explained = json.loads(cli("reviewed", "explain", "390079").out)
    assert "matching terms needs ahocorasick_rs" in explained["lists"][0]["problem"]
    done = [cli("reviewed", *typed.split()) for typed in ("stats", "report -o a.html")]
    advice = "installs it; inside a checkout: python -m pip install . './desk[insight]'\n"
    assert [(each.code, each.err.endswith(advice)) for each in done] == [(3, True)] * 2


def test_several_apps(cli: CommandLine, simulator: Simulator) -> None:
    """Two apps are counted together: from one file, in which no record hides one of the other
    app, and directly."""
    with Simulator() as forum:
        cli.profiles(app("shop", simulator) + app("forum", forum))
        cli.env.delenv("COMETCHAT_BASE_URL")
        found = {}
        for name in ("shop", "forum"):
            cli("reviewed", "export", "--output", "both.jsonl", "--app", name)
        for source in ("--records both.jsonl", "--app shop --app forum"):
            out = cli("reviewed", "stats", *source.split(), "--by", "app").out
            counts = {row["app"]: row["records"] for row in map(json.loads, out.splitlines())}
            done = cli("reviewed", "report", *source.split(), "--output", "report.html", "--yes")
            found[source] = (
                counts,
                done.code,
                "<h2>Apps</h2>" in Path("report.html").read_text("utf-8"),
            )
        assert found == dict.fromkeys(found, ({"forum": 300, "shop": 300}, 0, True))
        table = cli(
            "reviewed", "stats", "--records", "both.jsonl", "--by", "app", "--format", "table"
        ).out
        assert table.splitlines()[0].split()[:3] == ["App", "Records", "Approved"]


def test_terms_of_several_apps(cli: CommandLine, simulator: Simulator) -> None:
    """A term of two apps is counted for each app, and a note names an app whose lists were not
    read."""
    with Simulator() as forum:
        forum.reviewed_messages = simulator.reviewed_messages
        cli.profiles('default = "shop"\n' + app("shop", simulator) + app("forum", forum))
        cli.env.delenv("COMETCHAT_BASE_URL")
        for name in ("shop", "forum"):
            cli("reviewed", "export", "--output", "both.jsonl", "--app", name)
        source = ("--records", "both.jsonl", "--app", "shop")
        both = cli("reviewed", "stats", *source, "--app", "forum", "--by", "entry")
        rows = [json.loads(line) for line in both.out.splitlines()]
        counts = [
            {row["entry"]: row["records"] for row in rows if row["app"] == name}
            for name in ("shop", "forum")
        ]
        assert counts[0] == counts[1] != {}
        table = cli(
            "reviewed", "stats", *source, "--app", "forum", "--by", "entry", "--format", "table"
        ).out
        assert re.search(r"^App: +forum$", table, re.MULTILINE)
        one = cli("reviewed", "stats", "--records", "both.jsonl", "--by", "entry")
        assert {json.loads(line)["app"] for line in one.out.splitlines()} == {"shop"}
        assert (
            "of forum are not counted: its app was not named; use --app forum --app shop" in one.err
        )
        options = (*source, "--app", "forum", "--output", "report.html", "--yes")
        assert cli("reviewed", "report", *options).code == 0
        assert "of forum)" in Path("report.html").read_text("utf-8")


def test_unused_terms(cli: CommandLine, history: History, simulator: Simulator) -> None:
    """`--unused` shows each entry of the lists of the rules that no message contains, and a note
    names these lists."""
    simulator.keyword_lists[history.keyword_list_id] |= {"searchTerms": ["crack", "never-typed"]}
    del simulator.keyword_lists["scam-patterns"]
    source = ("--records", "history.jsonl")
    done = cli("reviewed", "stats", *source, "--by", "entry", "--unused")
    assert [
        (row["entry"], row["list"], row["records"])
        for row in map(json.loads, done.out.splitlines())
    ] == [("never-typed", "community-words", 0)]
    assert (
        "Note: community-words: 1 entry is unused; lists that no rule names are left out.\n"
        in done.err
    )
    table = cli("reviewed", "stats", *source, "--by", "entry", "--unused", "--format", "table").out
    assert [line.split() for line in table.splitlines()] == [
        ["Entry", "List"],
        ["never-typed", "community-words"],
    ]
    assert cli("reviewed", "stats", *source, "--unused").code == 2
    simulator.keyword_lists[history.keyword_list_id] |= {"searchTerms": ["crack"]}
    done = cli("reviewed", "stats", *source, "--by", "entry", "--unused")
    assert (done.out, "Note: community-words: 0 entries are unused; lists" in done.err) == (
        "",
        True,
    )
