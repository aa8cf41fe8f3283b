"""`keywords status` and `sync`: a folder of files as the source of truth."""

from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from ...lists.test_workbooks import FIRST, PARTS, sheet, workbook
from .conftest import LIST, records, terms, updates

OTHER, PATTERNS = "default-profanity", "scam-patterns"


def write(cli: CommandLine, **files: list[str]) -> None:
    """Write lists into the folder `lists`."""
    for name, entries in files.items():
        cli.write(f"lists/{name.replace('_', '-')}.txt", "".join(f"{entry}\n" for entry in entries))


@pytest.fixture
def lists(cli: CommandLine, simulator: Simulator) -> CommandLine:
    """A folder with an equal list and a changed list."""
    write(
        cli,
        profanity_list=terms(simulator),
        default_profanity=[*terms(simulator, OTHER), "phishing"],
    )
    return cli


@pytest.fixture
def two(two: CommandLine, lists: CommandLine, forum: Simulator) -> CommandLine:  # noqa: ARG001 - it adds profiles
    """The apps `shop` and `forum`; `forum` does not have the list `default-profanity`."""
    del forum.keyword_lists[OTHER]
    return lists


class TestStatus:
    def test_states(self, lists: CommandLine, simulator: Simulator) -> None:
        """Each list is equal, differs with counts, or is missing in the app; nothing is changed."""
        write(lists, unknown=["spam"], profanity_list=[*terms(simulator)[1:], "new", "newer"])
        write(lists, scam_patterns=terms(simulator, PATTERNS))
        done = lists("keywords", "status", "lists")
        rows = {row["keyword_id"]: row for row in records(done)}
        assert {
            name: (row["state"], row["added"], row["removed"]) for name, row in rows.items()
        } == {
            OTHER: ("differs", 1, 0),
            LIST: ("differs", 2, 1),
            PATTERNS: ("equal", 0, 0),
            "unknown": ("missing", None, None),
        }
        assert "Only the dashboard can create a list" in rows["unknown"]["error"]
        assert (done.code, done.err, updates(simulator)) == (0, "", 0)
        assert all(
            row["base_url"] == simulator.base_url and row["app"] is None for row in rows.values()
        )

    def test_exit_code(self, lists: CommandLine, simulator: Simulator) -> None:
        """With --exit-code, a difference, a missing list and hidden entries end with 1, and
        equal lists with 0."""
        assert lists("keywords", "status", "lists", "--exit-code").code == 1
        write(lists, default_profanity=terms(simulator, OTHER))
        assert lists("keywords", "status", "lists", "--exit-code").code == 0
        write(lists, unknown=["spam"])
        assert lists("keywords", "status", "lists", "--exit-code").code == 1
        (lists.folder / "lists" / "unknown.txt").unlink()
        record: Any = dict(simulator.keyword_lists[LIST])
        del record["searchTerms"]
        simulator.keyword_lists[LIST] = record
        done = lists("keywords", "status", "lists", "--exit-code")
        assert [(row["state"], row["added"]) for row in records(done)] == [
            ("equal", 0),
            ("unknown", None),
        ]
        assert done.code == 1

    def test_exit_code_without_a_folder(self, lists: CommandLine, simulator: Simulator) -> None:
        """Without a folder, there is nothing to compare with, so --exit-code is refused."""
        done = lists("keywords", "status", "--exit-code")
        assert (done.code, simulator.requests) == (2, [])
        assert "--exit-code needs a FOLDER" in done.line

    def test_secret_in_a_file(self, lists: CommandLine, simulator: Simulator) -> None:
        """A file that holds a secret has a state as any other, and sync refuses it."""
        write(lists, profanity_list=[*terms(simulator), simulator.api_key])
        done = lists("keywords", "status", "lists")
        states = [(row["keyword_id"], row["state"]) for row in records(done)]
        assert (done.code, states) == (0, [(OTHER, "differs"), (LIST, "differs")])
        assert simulator.api_key not in done.out + done.err
        assert "add --accept secret" in lists("keywords", "sync", "lists", "--yes").err

    def test_formats(self, lists: CommandLine, simulator: Simulator) -> None:
        """The table says that a list is not active, with a note about the words; CSV has a row
        for each list."""
        done = lists("keywords", "status", "lists", "--format", "csv")
        assert done.out == (
            f"list,app,state,added,removed,note\n{OTHER},,differs,1,0,\n{LIST},,equal,0,0,\n"
        )
        simulator.keyword_lists[LIST] = {**simulator.keyword_lists[LIST], "active": False}
        done = lists("keywords", "status", "lists", "--format", "table")
        assert [line.split() for line in done.out.splitlines()] == [
            ["List", "App", "State", "Added", "Removed", "Note"],
            [OTHER, "differs", "1", "0"],
            [LIST, "equal", "0", "0", "not", "active"],
        ]
        assert done.line == "Note: keywords sync --dry-run shows the entries that differ."

    def test_several_apps(self, two: CommandLine) -> None:
        """A list that is missing in one app only is missing there, and compared in the other
        app."""
        done = two("keywords", "status", "lists", "--all-apps", "--exit-code")
        assert [(row["keyword_id"], row["app"], row["state"]) for row in records(done)] == [
            (OTHER, "shop", "differs"),
            (OTHER, "forum", "missing"),
            (LIST, "shop", "equal"),
            (LIST, "forum", "equal"),
        ]
        assert done.code == 1

    def test_refused_key(self, lists: CommandLine, simulator: Simulator) -> None:
        """If the service refuses the key, the other lists are not asked for, and there is one
        line."""
        lists.env.setenv("COMETCHAT_API_KEY", "wrong")
        done = lists("keywords", "status", "lists")
        assert [row["state"] for row in records(done)] == ["error", "error"]
        assert done.code == 4
        assert "401" in done.line
        assert len(simulator.requests) == 1


class TestBadFolders:
    @pytest.mark.parametrize("command", ["status", "sync"])
    @pytest.mark.parametrize(
        ("name", "content", "fault"),
        [
            (None, b"", "save the list LIST as LIST.txt. For several apps, keep a"),
            ("words.xlsx", b"PK\x03\x04", "words.xlsx: is not a workbook that can be read"),
            ("words", b"spam\n", "is not a list; lists are .txt, .csv, .tsv, .json, .xlsx files"),
            ("words.txt", "Stra\u00dfe\n".encode("cp1252"), "words.txt:1: is not UTF-8"),
            ("default-profanity.csv", b"spam\n", "are both for list default-profanity"),
        ],
        ids=["empty", "xlsx", "no suffix", "cp1252", "two files"],
    )
    def test_bad_folder(
        self,
        cli: CommandLine,
        simulator: Simulator,
        command: str,
        name: str | None,
        content: bytes,
        fault: str,
    ) -> None:
        """A folder that cannot be read as lists gives one line, and nothing is sent, not even
        for its valid files."""
        folder = cli.folder / "lists"
        folder.mkdir()
        if name is not None:
            write(cli, default_profanity=["spam"])
            (folder / name).write_bytes(content)
        done = cli("keywords", command, "lists")
        assert (done.code, done.out) == (2, "")
        assert fault in done.line
        assert simulator.requests == []

    @pytest.mark.parametrize("command", ["status", "sync"])
    def test_no_folder(self, cli: CommandLine, simulator: Simulator, command: str) -> None:
        """A file in place of the folder, and a missing folder, give one line that says what to
        do."""
        cli.write("words.txt", "spam\n")
        done = cli("keywords", command, "words.txt")
        assert (done.code, simulator.requests) == (2, [])
        assert "'FOLDER': Directory 'words.txt' is a file" in done.line
        done = cli("keywords", command, "lists")
        assert (done.code, simulator.requests) == (2, [])
        assert "'FOLDER': Directory 'lists' does not exist" in done.line


class TestSync:
    def test_sync(self, lists: CommandLine, simulator: Simulator) -> None:
        """Only lists that differ are updated; each list has a result, and its update is in the
        journal."""
        done = lists("keywords", "sync", "lists", "--yes")
        assert [(row["keyword_id"], row["outcome"], row["added"]) for row in records(done)] == [
            (OTHER, "updated", ["phishing"]),
            (LIST, "unchanged", []),
        ]
        assert (done.code, updates(simulator), terms(simulator, OTHER)[-1]) == (0, 1, "phishing")
        assert "+ phishing" in done.err
        assert lists("keywords", "status", "lists", "--exit-code").code == 0
        assert [row["added"] for row in records(lists("keywords", "history", OTHER))] == [1]
        assert lists("keywords", "undo", OTHER, "--yes").code == 0
        assert "phishing" not in terms(simulator, OTHER)

    def test_question(self, two: CommandLine, simulator: Simulator, forum: Simulator) -> None:
        """The one question names each list that will be updated, and each one that is refused,
        with its app."""
        done = two("keywords", "sync", "lists", "--app", "shop")
        assert f"Update {OTHER} in shop ({simulator.base_url})? " in done.err
        write(two, profanity_list=[*terms(simulator), "new"])
        done = two("keywords", "sync", "lists", "--all-apps")
        shop, forum_ = (
            f"{name} ({app.base_url})" for name, app in (("shop", simulator), ("forum", forum))
        )
        assert (
            f"Refused: {OTHER} in {forum_}. Update {OTHER}, {LIST} in {shop}; {LIST} in {forum_}? "
            in done.err
        )
        assert (done.code, updates(simulator), updates(forum)) == (2, 0, 0)

    def test_nothing_to_do(self, lists: CommandLine, simulator: Simulator) -> None:
        """If all lists are equal, there is no question, and a sentence for each list."""
        write(lists, default_profanity=terms(simulator, OTHER))
        done = lists("keywords", "sync", "lists", "--format", "table")
        assert (done.code, done.err) == (0, "")
        assert done.out == "".join(
            f"{each} is already as requested: no update was sent.\n" for each in (OTHER, LIST)
        )

    def test_list_missing_in_one_app(
        self, two: CommandLine, simulator: Simulator, forum: Simulator
    ) -> None:
        """A list that one app does not have is an error line there, and all other lists are
        updated."""
        write(two, profanity_list=[*terms(simulator), "new"])
        done = two("keywords", "sync", "lists", "--all-apps", "--yes")
        assert [
            (row["keyword_id"], row["app"], row["outcome"], row["exit_code"])
            for row in records(done)
        ] == [
            (OTHER, "shop", "updated", 0),
            (OTHER, "forum", "failed", 5),
            (LIST, "shop", "updated", 0),
            (LIST, "forum", "updated", 0),
        ]
        assert done.code == 5
        line, _note = done.err.splitlines()[-2:]
        assert line.startswith(f'cometchat-desk: There is no list "{OTHER}" in forum (')
        assert "Only the dashboard can create a list. Create it there, or remove its file" in line
        assert terms(forum)[-1] == terms(simulator)[-1] == "new"

    def test_app_without_a_key(self, two: CommandLine, simulator: Simulator) -> None:
        """An app without a key is an error of all its lists, with one line; the lists of the
        other app are updated."""
        two.profiles(app("shop", simulator) + f'[apps.forum]\nbase_url = "{simulator.base_url}"\n')
        fault = "cometchat-desk: forum: [apps.forum] needs an api_key_file or an api_key"
        done = two("keywords", "status", "lists", "--all-apps")
        assert [row["state"] for row in records(done)] == ["differs", "error", "equal", "error"]
        assert (done.code, done.line) == (3, fault)
        done = two("keywords", "sync", "lists", "--all-apps", "--yes")
        assert [row["outcome"] for row in records(done)] == [
            "updated",
            "failed",
            "unchanged",
            "failed",
        ]
        assert (done.code, done.err.count(fault)) == (3, 1)

    def test_refused_list(self, lists: CommandLine, simulator: Simulator) -> None:
        """A list that would lose too many entries stops no other list; the option that its line
        names allows it."""
        before = terms(simulator)
        write(lists, profanity_list=["phishing"])
        done = lists("keywords", "sync", "lists", "--yes")
        assert [row["outcome"] for row in records(done)] == ["updated", "failed"]
        assert (done.code, terms(simulator)) == (6, before)
        fault = f"cometchat-desk: {LIST} in the app at {simulator.base_url}: 6 of 6 entries"
        assert fault in done.err
        assert lists("keywords", "sync", "lists", "--yes", "--max-removed", "100%").code == 0
        assert terms(simulator) == ["phishing"]

    def test_failed_update(self, lists: CommandLine, simulator: Simulator) -> None:
        """An update that the service refuses does not stop the other lists."""
        write(lists, profanity_list=[*terms(simulator), "new"])
        simulator.fail("update_keyword_list", status=403)
        done = lists("keywords", "sync", "lists", "--yes")
        assert [row["outcome"] for row in records(done)] == ["failed", "updated"]
        assert (done.code, terms(simulator)[-1]) == (4, "new")

    def test_dry_run(self, lists: CommandLine, simulator: Simulator) -> None:
        """A dry run shows plans and problems without a question, sends nothing, and fails as the
        update would."""
        done = lists("keywords", "sync", "lists", "--dry-run")
        assert [(row["outcome"], row["added"]) for row in records(done)] == [
            ("planned", ["phishing"]),
            ("unchanged", []),
        ]
        assert done.code == 0
        assert "+ phishing" in done.err
        done = lists("keywords", "sync", "lists", "--dry-run", "--format", "table")
        assert done.out.startswith(
            f"{OTHER} would be updated: 1 added (phishing). No update was sent.\n"
        )
        write(lists, profanity_list=["phishing"])
        assert lists("keywords", "sync", "lists", "--dry-run").code == 6
        assert updates(simulator) == 0
        assert not (lists.folder / "home" / ".local" / "state").exists()


def test_workbook_in_a_folder(lists: CommandLine) -> None:
    """Where lint reads the workbook of a folder, status reads it too."""
    one = sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>fraud</t></is></c></row>')
    (lists.folder / "lists" / f"{PATTERNS}.xlsx").write_bytes(workbook({**PARTS, FIRST: one}))
    assert lists("keywords", "lint", "lists").code == 0
    assert lists("keywords", "status", "lists").code == 0


@pytest.mark.parametrize("command", ["status", "sync"])
def test_workbook_with_several_columns_in_a_folder(lists: CommandLine, command: str) -> None:
    """These commands have no option for the column of a workbook; their advice is to write a
    file with one column."""
    (lists.folder / "two.xlsx").write_bytes(workbook())
    (lists.folder / "lists" / f"{PATTERNS}.xlsx").write_bytes(workbook())
    assert (
        "takes no such option; convert the file once with keywords lint --fix --output FILE"
        in lists("keywords", command, "lists").line
    )
    (lists.folder / "lists" / f"{PATTERNS}.xlsx").unlink()
    output = f"lists/{PATTERNS}.txt"
    assert (
        lists("keywords", "lint", "--fix", "two.xlsx", "--column", "Word", "--output", output).code
        == 0
    )
    assert lists("keywords", "status", "lists").code == 0
