"""Lists in a column of a table: a CSV file with several columns, or a workbook."""

import pytest

from cometchat_desk.lists.files import ListFileError
from cometchat_desk.lists.tables import Table

from .test_workbooks import workbook


@pytest.mark.parametrize("column", ["3", "Word"])
def test_workbook(column: str) -> None:
    """A workbook is read from its first sheet, by the number or the title of the column, with the rows of the cells."""
    content = Table(column=column).read(workbook(), "words.xlsx", suffix=".xlsx", header=True)
    assert content.entries == ("free coins", "バカ", "88")
    assert content.places == [(2, 3), (4, 3), (5, 3)]
    assert content.title == "Word"


def test_column_of_a_csv_file() -> None:
    """A CSV file with several columns is read by the number or the title of one, with any delimiter."""
    data = 'Nr;Word\r\n1;spam\r\n2;"free; coins"\r\n\r\n4;"two\r\nlines"\r\n5;a\u2028b\r\n'.encode()
    for column, header, mark in (("2", True, ";"), ("Word", False, "semicolon"), ("Word", False, None)):
        content = Table(column=column, delimiter=mark).read(data, "a.csv", suffix=".csv", header=header)
        assert content.entries == ("spam", "free; coins", "two\r\nlines", "a\u2028b")
    quoted = Table(column="Wort").read(b'"Wort, a";Wort\n"a, b";c\n', "a.csv", suffix=".csv", header=False)
    assert quoted.entries == ("c",)
    tabs = Table(column="1", delimiter="tab").read(b"a\tb\n", "a.csv", suffix=".csv", header=False)
    assert tabs.entries == ("a",)
    for table, suffix in ((Table(column="x"), ".txt"), (Table(delimiter="ab"), ".csv"), (Table(sheet="x"), ".csv")):
        with pytest.raises(ListFileError):
            table.read(data, f"a{suffix}", suffix=suffix, header=False)
