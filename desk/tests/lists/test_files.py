"""Lists as files: they are read exactly as written, errors have a line and a column, and no file is half-written."""

import csv
import errno
import io
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.files import ListFile, ListFileError, UnreadableFileError, parse, read_bytes, write
from cometchat_openapi.models import KeywordList
from cometchat_rest import InvalidRequestError, KeywordListInput
from cometchat_rest.keyword_input import (
    LINE_BREAK,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    entries_of,
    from_keyword_list,
    from_terms,
)

derandomized = settings(derandomize=True, deadline=None, database=None)
# Any script, and often the special characters of the formats.
characters = st.characters(codec="utf-8", exclude_characters="\0")
texts = (st.text(characters) | st.text('a{1,3}"\\\r\n\ufeff\x1c\u2028 ')).filter(str.strip)
lines = texts.filter(lambda text: not LINE_BREAK.search(text))
categories = st.sampled_from(["word", "pattern", "sentence-similarity"])
HARD = ["\ufeffmarked", '"quoted"', "a, b", 'say "hi"', " blanks ", "\\n", "a\r\nb", "x\r", "приве́т", "👩🏽‍🚀", "#"]


def read(path: Path, *, header: bool = False) -> ListFile:
    return parse(read_bytes(path), path, header=header)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def holding(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def load(path: Path, *, category: str | None = None) -> KeywordListInput:
    return read(path).to_input(category)


def fault_of(path: Path, *, header: bool = False) -> str:
    """The error for a file, without the folder."""
    with pytest.raises(ListFileError) as caught:
        read(path, header=header)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(f"{path.parent}{os.sep}")


class TestRoundTrip:
    @derandomized
    @given(terms=st.lists(texts, min_size=1), category=categories, suffix=st.sampled_from([".csv", ".json"]))
    @example(terms=HARD, category="word", suffix=".csv")
    @example(terms=HARD, category="word", suffix=".json")
    def test_any_text(self, terms: list[str], category: str, suffix: str) -> None:
        """A list is read from CSV and JSON exactly as it was written, with any text without NUL in its terms."""
        new = from_terms(category, terms)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"list{suffix}")
            write(path, new)
            found = load(path, category=category)
            assert found == new
            assert entries_of(found) == tuple(terms)

    @derandomized
    @given(terms=st.lists(lines, min_size=1), category=categories)
    @example(terms=["\ufeffmarked", "\ufeff\ufeffx", '"quoted"', "a, b", " blanks "], category="pattern")
    def test_any_line(self, terms: list[str], category: str) -> None:
        """A list is read from a text file exactly as it was written, if no term holds a line break."""
        new = from_terms(category, terms)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "list.txt")
            write(path, new)
            assert load(path, category=category) == new

    @derandomized
    @given(texts, texts, texts)
    def test_other_fields(self, id: str, name: str, description: str) -> None:  # noqa: A002
        """JSON keeps the id, the name, the description and the category, with any text in them."""
        new = PatternListInput(search_terms=["a"], id=id, name=name, description=description)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "list.json")
            write(path, new)
            assert load(path) == load(path, category="pattern") == new

    @pytest.mark.parametrize("suffix", [".txt", ".csv", ".json"])
    def test_fetched_list(self, folder: Path, suffix: str) -> None:
        """A fetched list is written without the quotes that belong to its CSV file."""
        record = {
            "id": "list",
            "name": "List",
            "isCSV": True,
            "category": "word",
            "searchTerms": ['"a, b"', '"c"', "d"],
        }
        path = folder / f"list{suffix}"
        for terms, shown in (
            (("a, b", "c", "d"), record),
            (("c", "d"), {**record, "searchTerms": ['"c"', "d", '" "']}),
        ):
            write(path, from_keyword_list(KeywordList.from_dict(shown), quotes="csv"))
            new = load(path, category="word")
            assert entries_of(new) == terms
            assert (new.id, new.name) == (("list", "List") if suffix == ".json" else (None, None))

    def test_inputs_with_one_text_or_a_file(self, folder: Path) -> None:
        """An input with one text or a CSV file is written entry by entry."""
        for new, terms in (
            (WordListInput(search_terms="a, b"), ("a", " b")),
            (WordListInput(file=b'"a"\r\nb'), ("a", "b")),
        ):
            write(folder / "list.csv", new)
            assert load(folder / "list.csv", category="word") == WordListInput(search_terms=terms)


class TestReading:
    def test_header(self, folder: Path) -> None:
        """With `header`, the first row of a CSV file that is not blank is ignored; other formats have no header."""
        path = holding(folder, "list.csv", "\n term,severity\r\nspam\r\nscam\r\n")
        content = read(path, header=True)
        assert (content.entries, content.title) == (("spam", "scam"), " term,severity")
        assert parse(path.read_bytes(), "standard input", suffix=".CSV", header=True) == content
        assert read(holding(folder, "list.txt", "term\nspam\n"), header=True).entries == ("term", "spam")
        assert fault_of(holding(folder, "list.csv", "term\n"), header=True) == "list.csv:1:1: holds no terms"

    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize(
        ("suffix", "content"),
        [
            (".txt", "spam|free coins|||バカ"),
            (".csv", 'spam|"free coins"|||バカ|'),
            (".TXT", "spam|free coins|バカ|  |"),
            (".json", '{"category": "word",|"terms": ["spam", "free coins",|"\\u30d0カ"]}|'),
        ],
    )
    def test_variants_of_writing(self, folder: Path, suffix: str, content: str, mark: str, end: str) -> None:
        """A byte order mark, CRLF, blank lines and a missing last line break make no difference."""
        path = holding(folder, f"list{suffix}", mark + content.replace("|", end))
        assert load(path, category="word") == WordListInput(search_terms=["spam", "free coins", "バカ"])

    def test_csv_of_the_csv_module(self, folder: Path) -> None:
        """CSV written by Python's csv module is read correctly, even with CRLF within a term."""
        for quoting in (csv.QUOTE_ALL, csv.QUOTE_MINIMAL):
            written = io.StringIO(newline="")
            csv.writer(written, quoting=quoting).writerows([each] for each in HARD)
            # Without a byte order mark, the mark of the first term would be read as one.
            path = holding(folder, "list.csv", "\ufeff" + written.getvalue())
            assert entries_of(load(path, category="word")) == tuple(HARD)

    def test_quotes_inside_a_row(self, folder: Path) -> None:
        """Double quotes in a CSV file that do not begin a row belong to the term."""
        assert read(holding(folder, "list.csv", 'a\n\n "b')).entries == ("a", ' "b')

    def test_csv_for_the_csv_module(self, folder: Path) -> None:
        """CSV written by this package is read correctly by Python's csv module."""
        write(folder / "list.csv", from_terms("word", HARD))
        with (folder / "list.csv").open(encoding="utf-8-sig", newline="") as opened:
            assert [row for row in csv.reader(opened, strict=True)] == [[each] for each in HARD]  # noqa: C416

    @pytest.mark.parametrize(
        ("suffix", "content", "fault"),
        [
            (".txt", "", "1:1: holds no terms"),
            (".txt", " \n\r\n", "1:1: holds no terms"),
            (".txt", "spam\nfoo\rbar\n", r"2:4: holds '\r', which would split the term in two; save it as UTF-8 with"),
            (".txt", "a\r\nb\r\nspam\rx", r"3:5: holds '\r', which would split"),
            (".txt", "spam\r\r\n", r"1:5: holds '\r', which would split"),
            (".txt", "a\n\nバカバカ\u2028x", r"3:5: holds '\u2028', which would split"),
            (".txt", b"\xef\xbb\xbfa\n\xd0\xbf\xffb", "2:2: is not UTF-8: byte 0xff; save it as UTF-8"),
            (".txt", "spam".encode("utf-16"), "1:1: is in UTF-16; save it as UTF-8"),
            (".txt", b"\x89PNG\r\n", "1:1: is a picture; choose another file"),
            (".txt", b"%PDF-1.7\n%\xe2", "1:1: is a PDF document; save the list as CSV UTF-8"),
            (".csv", "", "1:1: holds no terms"),
            (".csv", b"a\n\xfc", "2:1: is not UTF-8: byte 0xfc; save it as UTF-8"),
            (".csv", "a\nb{1,2}\n", "2:4: begins a second column; name one with --column"),
            (".csv", 'a\n"b",c', "2:4: begins a second column"),
            (".csv", '"a\nb",c', "2:3: begins a second column"),
            (".csv", "a\nidiot,,,\n", "2:6: begins empty columns; delete these columns"),
            (".csv", '"a",, \n"b",c', "1:4: begins empty columns"),
            (".csv", 'a\n"b\nc', "2:1: opens double quotes and never closes them"),
            (".csv", '"a"\n"b"c\n', "2:4: continues after the closing double quotes; if this is another column"),
            (".csv", '"a\n""b"c', "2:5: continues after the closing double quotes"),
            (".csv", "a\rb", "1:2: holds a carriage return without a line feed; save it as UTF-8 with"),
            (".csv", 'a\n" "\n', "2:1: holds a blank term"),
            (".csv", b"PK\x03\x04\x14\xff", "1:1: is a workbook or a zip archive; give an .xlsx workbook its suffix"),
            (".csv", b"\xd0\xcf\x11\xe0", "1:1: is an Excel workbook (.xls); open it in the spreadsheet"),
            (".csv", b"\x1f\x8b\x08", "1:1: is a gzip archive; unpack it"),
            (".json", "", "1:1: is not valid JSON: Expecting value"),
            (".json", "[]", "1:1: must be a JSON object with category and terms"),
            (".json", " {}", "1:1: holds no terms"),
            (".json", '{"category": "word", "terms": []}', "1:1: holds no terms"),
            (".json", '{"terms": ["a"]}', "1:1: has no category"),
            (".json", '{\n "category": "words"}', "2:14: category must be one of pattern, sentence-similarity, word"),
            (".json", '{"terms": [\n"a",\n  7]}', "3:3: a term must be a string, not int"),
            (".json", '{"terms": [\n"a" 1]}', "2:5: is not valid JSON: Expecting ',' delimiter"),
            (".json", '{"terms": "a"}', "1:11: terms must be an array of strings"),
            (".json", '{"terms": ["a", " "]}', "1:17: a term is blank"),
            (".json", '{"terms": ["\\ud800"]}', "1:12: a term holds a lone surrogate"),
            (".json", '{"terms": ["a\nb"]}', "1:14: is not valid JSON: Invalid control character at line 1, column 14"),
            (".json", '{"name": null}', "1:10: name must be a string, not NoneType"),
            (".json", '{"name": "a",\n"name": "b"}', "2:1: has name twice"),
            (".json", '{"terms": ["a"], "terms": ["a"]}', "1:18: has terms twice"),
            (".json", '{"searchTerms": ["a"]}', "1:2: 'searchTerms' is not a field of a list; the fields are: id"),
            (".json", '{"category": "word", "terms": ["a"]}\n}', "2:1: is not valid JSON: Extra data"),
            (".json", b'{"name": "\xff"}', "1:11: is not UTF-8: byte 0xff"),
            (".json", "[" * 100_000, "1:1: is nested too deeply, or holds a number"),
            (".json", '{"name": ' + "1" * 5000 + "}", "1:1: is nested too deeply, or holds a number"),
            (".json", '{"name": {"name": 1, "name": 2}}', "1:10: name must be a string, not tuple"),
            (".json", '{"terms": {"terms": ["a"]}}', "1:11: terms must be an array of strings"),
            (".json", '{"terms": ["\\"],[", [1], "a"]}', "1:21: a term must be a string, not list"),
            (".json", '{"terms": [],\n"category": NaN}', "2:13: category must be a string, not float"),
        ],
    )  # fmt: skip
    def test_invalid_content(self, folder: Path, suffix: str, content: str | bytes, fault: str) -> None:
        """An error in a file has its line and column, both counted from 1 and in characters, and the next step."""
        assert fault_of(holding(folder, f"a{suffix}", content)).startswith(f"a{suffix}:{fault}")

    def test_invalid_path(self, folder: Path) -> None:
        """A missing file, a folder, a named pipe and an unknown suffix are refused by name."""
        assert fault_of(folder / "no.txt") == "no.txt: cannot be read: No such file or directory"
        (folder / "folder.csv").mkdir()
        assert fault_of(folder / "folder.csv") == "folder.csv: is not a regular file"
        os.mkfifo(folder / "pipe.json")
        assert fault_of(folder / "pipe.json") == "pipe.json: is not a regular file"
        for name in ("list.xml", "list", ".txt"):
            path = holding(folder, name, "a")
            assert fault_of(path).startswith(f"{name}: the suffix must be one of .txt, .csv, .json, .xlsx; save")
        with pytest.raises(UnreadableFileError, match="cannot be read"):
            read(Path("a\0.txt"))

    def test_category(self, folder: Path) -> None:
        """A text file needs a category; a JSON file has its own, and another is refused."""
        path = holding(folder, "list.txt", "a")
        with pytest.raises(InvalidRequestError, match="category is required"):
            load(path)
        with pytest.raises(InvalidRequestError, match="category must be one of"):
            load(path, category="words")
        assert load(path, category="sentence-similarity") == SentenceSimilarityListInput(disallowed_sentences=["a"])
        path = holding(folder, "list.json", '{"category": "pattern", "terms": ["a"]}')
        assert load(path) == PatternListInput(search_terms=["a"])
        with pytest.raises(InvalidRequestError, match="category is 'word', but the category in the file is 'pattern'"):
            load(path, category="word")


class TestWriting:
    def test_written_text(self, folder: Path) -> None:
        """Files suit version control: one line per term, and only the necessary quotes."""
        new = from_terms("pattern", ["a{1,3}", 'é"', "c"])
        for suffix, content in (
            (".txt", 'a{1,3}\né"\nc\n'),
            (".csv", '\ufeff"a{1,3}"\n"é"""\nc\n'),
            (".json", '{\n  "category": "pattern",\n  "terms": [\n    "a{1,3}",\n    "é\\"",\n    "c"\n  ]\n}\n'),
        ):
            write(folder / f"list{suffix}", new)
            assert (folder / f"list{suffix}").read_bytes() == content.encode()
        assert json.loads((folder / "list.json").read_text("utf-8"))["terms"] == list(entries_of(new))

    def test_no_line_break_in_a_text_file(self, folder: Path) -> None:
        """A text file cannot hold a term with a line break; the existing file stays."""
        path = holding(folder, "list.txt", "before")
        for mark in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
            with pytest.raises(InvalidRequestError, match=r"list\.txt: a text file cannot hold .* use \.csv or \.json"):
                write(path, SentenceSimilarityListInput(disallowed_sentences=[f"a{mark}b"]))
        assert path.read_text() == "before"

    @pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
    def test_nothing_is_half_written(self, folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
        """If writing fails at any step, the file is unchanged and no temporary file is left."""
        path = holding(folder, "list.txt", "before")

        def fail(*_: object, **__: object) -> Any:
            raise OSError(errno.ENOSPC, "No space left on device")

        if failing == "write":
            monkeypatch.setattr("os.open", fail)
        elif failing == "fsync":
            monkeypatch.setattr("os.fsync", fail)
        else:
            monkeypatch.setattr("pathlib.Path.replace", fail)
        with pytest.raises(
            InvalidRequestError, match=r"list\.txt: cannot be written: No space left on device"
        ) as caught:
            write(path, WordListInput(search_terms=["a"]))
        assert isinstance(caught.value.__cause__, OSError)
        monkeypatch.undo()
        assert path.read_text() == "before"
        assert list(folder.iterdir()) == [path]

    def test_interruption(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ctrl-C while writing leaves the file unchanged and no temporary file."""
        path = holding(folder, "list.txt", "before")

        def interrupt(_: object) -> None:
            assert len(list(folder.iterdir())) == 2, "there is a temporary file"
            raise KeyboardInterrupt

        monkeypatch.setattr("os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(path, WordListInput(search_terms=["a"]))
        assert path.read_text() == "before"
        assert list(folder.iterdir()) == [path]

    def test_content_is_on_disk_before_the_name(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The content is on disk before the file gets its name, and the name afterwards."""
        synced: list[tuple[bool, bool]] = []
        path = folder / "list.txt"
        real = os.fsync

        def note(descriptor: int) -> None:
            synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.exists()))
            real(descriptor)

        monkeypatch.setattr("os.fsync", note)
        write(path, WordListInput(search_terms=["a"]))
        assert synced == [(False, False), (True, True)]

    @pytest.mark.parametrize("kind", ["folder", "pipe"])
    def test_folder_and_pipe_are_not_replaced(self, folder: Path, kind: Literal["folder", "pipe"]) -> None:
        """A folder or a pipe with this name is not replaced."""
        path = folder / "list.txt"
        if kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
        with pytest.raises(InvalidRequestError, match="cannot be written: it is not a regular file"):
            write(path, WordListInput(search_terms=["a"]))
        assert list(folder.iterdir()) == [path]
