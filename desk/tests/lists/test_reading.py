"""Lists as files: they are read exactly as written, and errors have a line and the next step."""

import csv
import io
import os
import tempfile
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.files import ListFile, ListFileError, read_bytes
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout
from cometchat_desk.lists.writing import write
from cometchat_openapi.models import KeywordList
from cometchat_rest import InvalidRequestError, KeywordListInput
from cometchat_rest.keyword_input import (
    LINE_BREAK,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    entries_of,
    fault_in_text,
    from_keyword_list,
    from_terms,
)

derandomized = settings(derandomize=True, deadline=None, database=None)
# Any script, and often the special characters of the formats.
characters = st.characters(codec="utf-8", exclude_characters="\0")
texts = (st.text(characters) | st.text('a{1,3}"\\\r\n\ufeff\x1c\u2028 ')).filter(
    lambda text: fault_in_text(text) is None
)
lines = texts.filter(lambda text: not LINE_BREAK.search(text))
categories = st.sampled_from(["word", "pattern", "sentence-similarity"])
HARD = [
    "marked\ufeff",
    '"quoted"',
    "a, b",
    'say "hi"',
    " blanks ",
    "\\n",
    "a\r\nb",
    "x\r",
    "приве́т",
    "👩🏽‍🚀",
    "#",
]


def read(path: Path, *, header: bool = False) -> ListFile:
    return read_list(read_bytes(path), path, layout=Layout(header=header))


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
    @given(
        terms=st.lists(texts, min_size=1),
        category=categories,
        suffix=st.sampled_from([".csv", ".json", ".xlsx"]),
    )
    @example(terms=HARD, category="word", suffix=".csv")
    @example(terms=["a;b", "c;d", "e\tf"], category="word", suffix=".csv")
    @example(terms=["sep=;", "c;d"], category="word", suffix=".csv")
    @example(terms=HARD, category="word", suffix=".json")
    @example(terms=[*HARD, "_x0041_", "\x01", "=1+1", "007"], category="word", suffix=".xlsx")
    def test_any_text(self, terms: list[str], category: str, suffix: str) -> None:
        """A list is read from a table or JSON exactly as it was written, with any text without
        NUL in its terms."""
        new = from_terms(category, terms)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"list{suffix}")
            write(path, new)
            found = load(path, category=category)
            assert found == new
            assert entries_of(found) == tuple(terms)

    @derandomized
    @given(terms=st.lists(lines, min_size=1), category=categories)
    @example(terms=["marked\ufeff", '"quoted"', "a, b", " blanks "], category="pattern")
    @example(terms=["[\"']", "[{]", "[']"], category="pattern")
    def test_any_line(self, terms: list[str], category: str) -> None:
        """A list is read from a text file exactly as it was written, if no term holds a line
        break."""
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

    @pytest.mark.parametrize("suffix", [".txt", ".csv", ".json", ".xlsx"])
    @pytest.mark.parametrize(
        ("shown", "terms"),
        [(['"a, b"', '"c"', "d"], ("a, b", "c", "d")), (['"c"', "d", '" "'], ("c", "d"))],
    )
    def test_fetched_list(
        self, folder: Path, suffix: str, shown: list[str], terms: tuple[str, ...]
    ) -> None:
        """A fetched list is written without the quotes that belong to its CSV file."""
        record = {
            "id": "list",
            "name": "List",
            "isCSV": True,
            "category": "word",
            "searchTerms": shown,
        }
        path = folder / f"list{suffix}"
        write(path, from_keyword_list(KeywordList.from_dict(record), quotes="csv"))
        new = load(path, category="word")
        assert entries_of(new) == terms
        assert (new.id, new.name) == (("list", "List") if suffix == ".json" else (None, None))

    @pytest.mark.parametrize(
        ("new", "terms"),
        [
            (WordListInput(search_terms="a, b"), ("a", " b")),
            (WordListInput(file=b'"a"\r\nb'), ("a", "b")),
        ],
        ids=["text", "file"],
    )
    def test_inputs_with_one_text_or_a_file(
        self, folder: Path, new: WordListInput, terms: tuple[str, ...]
    ) -> None:
        """An input with one text or a CSV file is written entry by entry."""
        write(folder / "list.csv", new)
        assert load(folder / "list.csv", category="word") == WordListInput(search_terms=terms)


class TestReading:
    def test_header(self, folder: Path) -> None:
        """With `header`, the first entry of a file in any format is skipped as its title."""
        path = holding(folder, "list.csv", "\n term\r\nspam\r\nscam\r\n")
        content = read(path, header=True)
        assert (content.entries, content.titles) == (("spam", "scam"), ["term"])
        assert (
            read_list(
                path.read_bytes(), "standard input", suffix=".CSV", layout=Layout(header=True)
            )
            == content
        )
        array, lists = '["term", "spam"]', '{"category": "word", "terms": ["term", "spam"]}'
        for name, text in (("a.txt", "\nterm\nspam"), ("b.json", array), ("c.json", lists)):
            content = read(holding(folder, name, text), header=True)
            assert (content.entries, content.titles) == (("spam",), ["term"])
        for name, text in (("a.csv", "term\n"), ("a.txt", "term\n"), ("a.json", '["term"]')):
            fault = fault_of(holding(folder, name, text), header=True)
            assert fault == f"{name}: holds no entries"

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
    def test_variants_of_writing(
        self, folder: Path, suffix: str, content: str, mark: str, end: str
    ) -> None:
        """A byte order mark, CRLF, blank lines and a missing last line break make no difference."""
        path = holding(folder, f"list{suffix}", mark + content.replace("|", end))
        assert load(path, category="word") == WordListInput(
            search_terms=["spam", "free coins", "バカ"]
        )

    @pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
    def test_csv_of_the_csv_module(self, folder: Path, quoting: Literal[0, 1]) -> None:
        """CSV written by Python's csv module is read correctly, even with CRLF within a term."""
        written = io.StringIO(newline="")
        csv.writer(written, quoting=quoting).writerows([each] for each in HARD)
        # Without a byte order mark, the mark of the first term would be read as one.
        path = holding(folder, "list.csv", "\ufeff" + written.getvalue())
        assert entries_of(load(path, category="word")) == tuple(HARD)

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.txt", "spam\rfree coins\r\rバカ\r"),
            ("a.csv", 'spam\r"free coins"\rバカ\r'),
            ("a.json", '["spam", "free coins", "", "バカ"]'),
            ("b.json", '{"version": 2, "words": ["spam", "free coins", "バカ"]}'),
        ],
    )
    def test_other_programs(self, folder: Path, name: str, content: str) -> None:
        """The line ends of the first Macs are read, and a JSON array without a category, also in an
        object with one array; blank texts are left out."""
        content_of_file = read(holding(folder, name, content))
        assert content_of_file.entries == ("spam", "free coins", "バカ")
        assert content_of_file.category is None

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
            (".txt", "", " holds no entries"),
            (".txt", " \n\r\n", " holds no entries"),
            (".txt", "spam\nfoo\rbar\n", r"2: holds '\r', which would split the entry in two; save it as UTF-8 with"),
            (".txt", "a\r\nb\r\nspam\rx", r"3: holds '\r', which would split"),
            (".txt", "\r\r", " holds no entries"),
            (".txt", "spam\r\r\n", r"1: holds '\r', which would split"),
            (".txt", "a\n\nバカバカ\u2028x", r"3: holds '\u2028', which would split"),
            (".txt", '["spam", "scam"]', " holds JSON or a list of a program; put each entry in its own line, save it as"),
            (".txt", "[\n'spam',\n'scam'\n]", " holds JSON or a list of a program; put each entry in its own line, save it as"),
            (".txt", '{"id": "a"}', " holds JSON or a list of a program; put each entry in its own line, save it as"),
            (".txt", '[{"word": "a"}]', " holds JSON or a list of a program; put each entry in its own line, save it as"),
            (".json", "['spam', 'scam']", "1: is not valid JSON: Expecting value; an example: [\"spam\", \"free coins\"]"),
            (".txt", b"\xef\xbb\xbfa\n\xd0\xbf\xffb", "2: is not in the encoding utf-8, as its first bytes say; save it again as UTF-8"),
            (".txt", b"\x89PNG\r\n", " is a picture or an archive; choose another file"),
            (".txt", b"%PDF-1.7\n%\xe2", " is a document or a web page; save the list as CSV UTF-8"),
            (".csv", "", " holds no entries"),
            (".csv", b"a\n\xfc", "2: is not UTF-8: byte 0xfc; save it as UTF-8"),
            (".csv", "a\nb{1,2}\n", " has several columns; name the column with --column: 1 (b{1), 2 (2})"),
            (".csv", "a;x\nb;\n", " has several columns; name the column with --column: 1 (a), 2 (x)"),
            (".csv", 'a\n"b\nc', "2: is not a valid table: unexpected end of data"),
            (".csv", '"a"\n"b"c\n', "2: is not a valid table: ',' expected after"),
            (".csv", b"a\n\x81", "2: is not UTF-8: byte 0x81; save it as UTF-8 (in Excel: CSV UTF-8), or name"),
            (".csv", b"PK\x03\x04\x14\xff", " is a workbook or a zip archive; give an .xlsx workbook its suffix"),
            (".csv", b"\xd0\xcf\x11\xe0", " is an Excel workbook (.xls); open it in the spreadsheet"),
            (".csv", b"\x1f\x8b\x08", " is a picture or an archive; choose another"),
            (".json", "", "1: is not valid JSON: Expecting value"),
            (".json", "[]", " terms must be an array with at least one string; an example: "),
            (".json", "7", " must be a JSON object with category and terms, or an example: "),
            (".json", '[{"word": "a"}, "b"]', " entry 1 must be a string, not dict; an example: "),
            (".json", '[{"a": "x", "b": 1}]', " has several columns; name the column with --column: 1 (a), 2 (b)"),
            (".json", '[{"a": ["x", "y"]}]', " column 1, row 1 holds several values, not text;"),
            (".json", '[" "]', " terms must be an array with at least one string; an example: "),
            (".json", " {}", " category must be one of"),
            (".json", '{"category": "word", "terms": []}', " terms must be an array with at least one"),
            (".json", '{"terms": ["a"]}', " category must be one of"),
            (".json", '{\n "category": "words"}', " category must be one of pattern, sentence-similarity, word"),
            (".json", '{"category": "word", "terms": [\n"a",\n  7]}', " entry 2 must be a string, not int"),
            (".json", '{"terms": [\n"a" 1]}', "2: is not valid JSON: Expecting ',' delimiter"),
            (".json", '{"terms": "a"}', " category must be one of"),
            (".json", '{"terms": [" "], "category": "word"}', " terms must be an array with at least"),
            (".json", '{"terms": ["\\ud800"], "category": "word"}', " entry 1 holds a lone surrogate"),
            (".json", '{"terms": ["a\nb"]}', "1: is not valid JSON: Invalid control character at"),
            (".json", '{"name": null}', " name must be a string, not NoneType"),
            (".json", '{"searchTerms": "a"}', " 'searchTerms' is not a field of a list; the fields are: id"),
            (".json", '{"errors": ["Not found"]}', " 'errors' is not a field of a list; the fields are: id"),
            (".json", '{"id": "other", "words": ["a"]}', " 'words' is not a field of a list; the fields are: id"),
            (".json", '{"words": ["a"], "more": ["b"]}', " 'more' is not a field of a list; the fields are: id"),
            (".json", '{"category": "word", "terms": ["a"]}\n}', "2: is not valid JSON: Extra data"),
            (".json", b'{"name": "\xff"}', "1: is not UTF-8: byte 0xff"),
            (".json", "[" * 100_000, " is nested too deeply, or holds a number"),
            (".json", '{"name": ' + "1" * 5000 + "}", " is nested too deeply, or holds a number"),
            (".json", '{"category": "word", "terms": {"terms": ["a"]}}', " terms must be an array with at least"),
            (".json", '{"terms": ["\\"],[", [1], {"a": [2, 3]}], "category": "word"}', " entry 2 must be a"),
            (".json", '{"terms": [],\n"category": NaN}', " category must be a string, not float"),
        ],
    )  # fmt: skip
    def test_invalid_content(
        self, folder: Path, suffix: str, content: str | bytes, fault: str
    ) -> None:
        """An error in a file has its line, if there is one, and the next step."""
        assert fault_of(holding(folder, f"a{suffix}", content)).startswith(f"a{suffix}:{fault}")

    def test_invalid_path(self, folder: Path) -> None:
        """A missing file, a folder and a named pipe are refused by name."""
        assert fault_of(folder / "no.txt") == "no.txt: cannot be read: No such file or directory"
        (folder / "folder.csv").mkdir()
        assert fault_of(folder / "folder.csv") == "folder.csv: is not a regular file"
        os.mkfifo(folder / "pipe.json")
        assert fault_of(folder / "pipe.json") == "pipe.json: is not a regular file"
        with pytest.raises(ListFileError, match="cannot be read"):
            read(Path("a\0.txt"))

    @pytest.mark.parametrize("name", ["list.xml", "list", ".txt"])
    def test_unknown_suffix(self, folder: Path, name: str) -> None:
        """A file with an unknown suffix is refused by name, and the message has those that
        exist."""
        fault = fault_of(holding(folder, name, "a"))
        assert fault.startswith(
            f"{name}: the suffix must be one of .txt, .csv, .tsv, .json, .xlsx; save"
        )

    def test_category(self, folder: Path) -> None:
        """A text file needs a category; a JSON file has its own, and another is refused."""
        path = holding(folder, "list.txt", "a")
        with pytest.raises(InvalidRequestError, match="category is required"):
            load(path)
        with pytest.raises(InvalidRequestError, match="category must be one of"):
            load(path, category="words")
        assert load(path, category="sentence-similarity") == SentenceSimilarityListInput(
            disallowed_sentences=["a"]
        )
        path = holding(folder, "list.json", '{"category": "pattern", "terms": ["a"]}')
        assert load(path) == PatternListInput(search_terms=["a"])
        with pytest.raises(
            InvalidRequestError,
            match="category is 'word', but the category in the file is 'pattern'",
        ):
            load(path, category="word")
