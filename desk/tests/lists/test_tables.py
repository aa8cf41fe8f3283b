"""Lists in a column of a table: a text file with several columns, or a workbook."""

from typing import Any

import pytest

from cometchat_desk.lists.files import ListFileError
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout

from .test_workbooks import FIRST, PARTS, sheet, workbook


@pytest.mark.parametrize("column", ["3", "c", "Word"])
def test_workbook(column: str) -> None:
    """A workbook is read by the number, the letter or the title of the column, with the rows of
    the cells."""
    content = read_list(workbook(), "words.xlsx", layout=Layout(column=column, header=True))
    assert content.entries == ("free coins", "バカ", "88")
    assert content.lines == [2, 4, 5]
    assert content.titles == ["Word"]


@pytest.mark.parametrize("layout", [{"column": "Word"}, {"column": "B", "header": True}])
def test_title_above_the_titles(layout: dict[str, Any]) -> None:
    """The title of a table, above the titles of its columns, is not an entry."""
    rows = [["Moderation, 2026"], [], ["Nr", "Word"], ["1", "spam"], ["2", "scam"]]
    cells = ["".join(f'<c t="str"><v>{text}</v></c>' for text in row) for row in rows]
    table = sheet(*(f"<row>{row}</row>" for row in cells))
    lines = "".join(f"{';'.join(row)}\n" for row in rows).encode()
    files = ((workbook({**PARTS, FIRST: table}), "a.xlsx"), (lines, "a.csv"))
    contents = [read_list(data, name, layout=Layout(**layout)) for data, name in files]
    assert [(each.entries, each.titles) for each in contents] == [(("spam", "scam"), ["Word"])] * 2


@pytest.mark.parametrize("layout", [{"column": "A"}, {"column": "1"}, {"header": True}])
def test_title_above_the_title_of_one_column(layout: dict[str, Any]) -> None:
    """A table with one column may have a title above that of the column."""
    lines = b"Moderation list 2026,\n,\nWord,\nspam,\nscam,\n"
    content = read_list(lines, "a.csv", layout=Layout(**layout))
    assert (content.entries, content.titles) == (
        ("spam", "scam"),
        ["Moderation list 2026", "Word"],
    )


@pytest.mark.parametrize(
    ("text", "layout", "entries"),
    [
        ("spam\nscam\nname\nfoo\n", {"column": "1"}, ["spam", "scam", "name", "foo"]),
        ("1,spam\n2,scam\n3,name\n", {"column": "2"}, ["spam", "scam", "name"]),
        ("spam\nterm\nfoo\n", {"header": True}, ["term", "foo"]),
    ],
)
def test_entries_like_titles(text: str, layout: dict[str, Any], entries: list[str]) -> None:
    """An entry that could be a title, below other entries, ends no list and begins none."""
    content = read_list(text.encode(), "a.csv", layout=Layout(**layout))
    assert list(content.entries) == entries


def test_rows_above_the_titles() -> None:
    """All cells of the column above its title are skipped, and named: one may be an entry."""
    content = read_list(
        b"airdrop\nhoneypot;my comment\nscam;\n", "a.csv", layout=Layout(column="1", header=True)
    )
    assert (content.entries, content.titles) == (("scam",), ["airdrop", "honeypot"])


RECORDS = '[{"id": 1, "match": "kale"}, {"id": 2, "match": "le\u0065k", "tags": ["x"]}, {"id": 3}]'


@pytest.mark.parametrize("column", ["match", "2"])
def test_records_of_json(column: str) -> None:
    """An array of objects is a table, whose columns are the fields."""
    content = read_list(RECORDS.encode(), "a.json", layout=Layout(column=column))
    assert (content.entries, content.titles, content.lines) == (("kale", "leek"), (), ())
    assert read_list(b'[{"word": "kale"}, {"word": ""}]', "a.json").entries == ("kale",)


TITLED = "Moderation list,\n,\n{head}\nspinach,1\nkale,2\n{head}\nbeet,3\n"


@pytest.mark.parametrize("head", ["word,level", "Begriff,Stufe"])
@pytest.mark.parametrize("column", ["1", "A", None])
def test_head_that_nobody_names(head: str, column: str | None) -> None:
    """The title of a table and the row with the titles of its columns are skipped and named, also
    if the column has a number and the row is repeated."""
    layout = Layout(column=column or head.partition(",")[0])
    content = read_list(TITLED.format(head=head).encode(), "a.csv", layout=layout)
    assert content.entries == ("spinach", "kale", "beet")
    assert content.lines == [4, 5, 7]
    assert content.titles == ["Moderation list", head.partition(",")[0]]


@pytest.mark.parametrize("text", ["kale,\nbeet,see above\nleek,\n", "kale,1\nbeet,2\n"])
def test_rows_without_a_head(text: str) -> None:
    """A first row that is not certainly one of titles holds an entry; `--no-header` says so."""
    content = read_list(text.encode(), "a.csv", layout=Layout(column="1"))
    assert content.entries[:2] == ("kale", "beet")
    titled = read_list(b"word,level\nkale,1\n", "a.csv", layout=Layout(column="1", header=False))
    assert titled.entries == ("word", "kale")


TABLE = 'Nr;Word\r\n1;spam\r\n2;"free; coins"\r\n\r\n4;"two\r\nlines"\r\n5;a\u2028b\r\n'
WORDS = ("spam", "free; coins", "two\r\nlines", "a\u2028b")


@pytest.mark.parametrize(
    ("name", "text", "layout", "entries"),
    [
        ("a.csv", TABLE, {"column": "2", "header": True}, WORDS),
        ("a.csv", TABLE, {"column": "Word"}, WORDS),
        ("a.csv", f"sep=;\r\n{TABLE}", {"column": "Nr"}, ("1", "2", "4", "5")),
        ("a.csv", "sep=|\nspam|1\nscam\n", {"column": "1"}, ("spam", "scam")),
        ("a.csv", "sep=;\nspam\n", {}, ("spam",)),
        ("a.csv", "2025;2026\nspam;scam\n", {"column": "2026"}, ("scam",)),
        ("a.csv", '"Wort, a";Wort\n"a, b";c\n', {"column": "Wort"}, ("c",)),
        ("a.csv", "a\tb\n", {"column": "1"}, ("a",)),
        ("a.tsv", 'a\t"b;c"\n', {"column": "2"}, ("b;c",)),
        ("a.tsv", "a, b\nc\n", {}, ("a, b", "c")),
        ("a.txt", "a\tb\nc\td\n", {"column": "2"}, ("b", "d")),
        ("a.csv", "a,,\nb,,\n", {}, ("a", "b")),
        ("a.csv", "a\rb\r", {}, ("a", "b")),
        # A note may hold more commas than there are columns.
        (
            "a.csv",
            "Wort;Bemerkung\nspam;häufig, oft, immer\nscam;selten, böse, alt\n",
            {"column": "Wort"},
            ("spam", "scam"),
        ),
    ],
)
def test_column_of_a_text_file(
    name: str, text: str, layout: dict[str, Any], entries: tuple[str, ...]
) -> None:
    """A text file with several columns is read by the number or the title of one, with any
    delimiter."""
    assert read_list(text.encode(), name, layout=Layout(**layout)).entries == entries


@pytest.mark.parametrize(
    ("layout", "fault"),
    [
        ({"sheet": "x"}, "--sheet is for .xlsx"),
        ({"column": "C"}, "has no column 'C'; name the column with --column: 1 (Nr), 2 (Word)"),
        ({}, "has several columns; name the column with --column: 1 (Nr), 2 (Word)"),
    ],
)
def test_option_that_does_not_fit(layout: dict[str, Any], fault: str) -> None:
    """An option that does not fit the file is refused, and the message names what does."""
    with pytest.raises(ListFileError) as raised:
        read_list(b"Nr;Word\n1;spam\n", "a.csv", layout=Layout(**layout))
    assert fault in str(raised.value)


TEXT = "spam\r\nGrüße\r\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode("utf-16"), None),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "cp1252"),
        (TEXT.encode("cp1252"), "cp1252"),
        (TEXT.encode(), "cp1252"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv"])
def test_encodings(name: str, data: bytes, encoding: str | None) -> None:
    """UTF-16 with its mark and UTF-8 are read at once, and any other encoding by its name."""
    assert read_list(data, name, layout=Layout(encoding=encoding)).entries == ("spam", "Grüße")


@pytest.mark.parametrize("encoding", ["cp9999", "hex", "idna", "utf-16-be"])
def test_wrong_encoding(encoding: str) -> None:
    """A name that is not an encoding, or not that of the file, is refused, and the message names
    the option."""
    with pytest.raises(ListFileError, match="--encoding"):
        read_list(TEXT.encode("cp1252"), "a.csv", layout=Layout(encoding=encoding))


@pytest.mark.parametrize(
    ("name", "data", "is_text"),
    [
        ("words.csv", b"a,b\nc,d\n", True),
        ("words.json", b'[{"a": "x", "b": "y"}]', False),
        ("words.xlsx", workbook(), False),
    ],
)
def test_advice_about_quotes(name: str, data: bytes, *, is_text: bool) -> None:
    """Only for a text file, the message says that a comma may belong to an entry in quotes."""
    with pytest.raises(ListFileError, match="name the column with --column: 1") as caught:
        read_list(data, name)
    assert ("in a CSV file, an entry with a comma needs quotes" in str(caught.value)) is is_text
