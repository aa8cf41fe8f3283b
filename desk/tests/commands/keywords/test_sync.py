"""`cometchat-desk keywords sync`: a folder of files as the source of truth."""

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from ...lists.test_workbooks import FIRST, PARTS, sheet, workbook
from .conftest import LIST, OTHER, PATTERNS, records, terms, updates, write_lists


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
            write_lists(cli, default_profanity=["spam"])
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

    def test_question(
        self, two_of_lists: CommandLine, simulator: Simulator, forum: Simulator
    ) -> None:
        """The one question names each list that will be updated, and each one that is refused,
        with its app."""
        done = two_of_lists("keywords", "sync", "lists", "--app", "shop")
        assert f"Update {OTHER} in shop ({simulator.base_url})? " in done.err
        write_lists(two_of_lists, profanity_list=[*terms(simulator), "new"])
        done = two_of_lists("keywords", "sync", "lists", "--all-apps")
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
        write_lists(lists, default_profanity=terms(simulator, OTHER))
        done = lists("keywords", "sync", "lists", "--format", "table")
        assert (done.code, done.err) == (0, "")
        assert done.out == "".join(
            f"{each} is already as requested: no update was sent.\n" for each in (OTHER, LIST)
        )

    def test_list_missing_in_one_app(
        self, two_of_lists: CommandLine, simulator: Simulator, forum: Simulator
    ) -> None:
        """A list that one app does not have is an error line there, and all other lists are
        updated."""
        write_lists(two_of_lists, profanity_list=[*terms(simulator), "new"])
        done = two_of_lists("keywords", "sync", "lists", "--all-apps", "--yes")
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
        assert (
            "Only the dashboard can create a list. Create it in the dashboard, or remove its file"
            in line
        )
        assert terms(forum)[-1] == terms(simulator)[-1] == "new"

    def test_app_without_a_key(self, two_of_lists: CommandLine, simulator: Simulator) -> None:
        """An app without a key is an error of all its lists, with one line; the lists of the
        other app are updated."""
        two_of_lists.profiles(
            app("shop", simulator) + f'[apps.forum]\nbase_url = "{simulator.base_url}"\n'
        )
        fault = "cometchat-desk: forum: [apps.forum] needs an api_key_file or an api_key"
        done = two_of_lists("keywords", "status", "lists", "--all-apps")
        assert [row["state"] for row in records(done)] == ["differs", "error", "equal", "error"]
        assert (done.code, done.line) == (3, fault)
        done = two_of_lists("keywords", "sync", "lists", "--all-apps", "--yes")
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
        write_lists(lists, profanity_list=["phishing"])
        done = lists("keywords", "sync", "lists", "--yes")
        assert [row["outcome"] for row in records(done)] == ["updated", "failed"]
        assert (done.code, terms(simulator)) == (6, before)
        fault = f"cometchat-desk: {LIST} in the app at {simulator.base_url}: 6 of 6 entries"
        assert fault in done.err
        assert lists("keywords", "sync", "lists", "--yes", "--max-removed", "100%").code == 0
        assert terms(simulator) == ["phishing"]

    def test_failed_update(self, lists: CommandLine, simulator: Simulator) -> None:
        """An update that the service refuses does not stop the other lists."""
        write_lists(lists, profanity_list=[*terms(simulator), "new"])
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
        write_lists(lists, profanity_list=["phishing"])
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
