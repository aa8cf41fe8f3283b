"""Workbooks: what Excel writes, and what no list needs."""

import io
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.lists.files import ListFile, ListFileError
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(**targets: str) -> str:
    kinds = {
        name: "worksheet" if "sheets/" in target else Path(target).stem
        for name, target in targets.items()
    }
    links = (
        f'<Relationship Id="{name}" Type="{LINKS}/{kinds[name]}" Target="{target}"/>'
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{"".join(links)}</Relationships>'


def sheet(*rows: str) -> str:
    return f"<worksheet {MAIN}><sheetData>{''.join(rows)}</sheetData></worksheet>"


#: A workbook as Excel writes it: texts are shared, and numbers have a format.
PARTS = {
    "_rels/.rels": relations(rId1="xl/workbook.xml"),
    "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{LINKS}"><sheets><sheet name="Words" sheetId="1" r:id="rId1"/>'
    '<sheet name="Dates" sheetId="2" r:id="rId2"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relations(
        rId1="worksheets/sheet1.xml",
        rId2="/xl/worksheets/sheet2.xml",
        rId3="sharedStrings.xml",
        rId4="styles.xml",
    ),
    "xl/sharedStrings.xml": f'<sst {MAIN}><si><t>Word</t></si><si><r><t xml:space="preserve">free </t></r><r>'
    "<t>coins</t></r></si><si><t>バカ</t><rPh><t>ばか</t></rPh></si></sst>",
    "xl/styles.xml": f'<styleSheet {MAIN}><numFmts><numFmt numFmtId="164" formatCode="General"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": sheet(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Added</t></is></c><c r="C1" t="s"><v>0</v></c></row>',
        '<row r="2"><c r="A2" s="1"><v>45000</v></c><c r="C2" t="s"><v>1</v></c></row>',
        '<row r="4"><c r="C4" t="s"><v>2</v></c></row><row r="5"><c r="C5" s="2"><v>88</v></c></row>',
    ),
    "xl/worksheets/sheet2.xml": sheet(),
}
FIRST = "xl/worksheets/sheet1.xml"
DATES = '<row r="3"><c r="B3" s="1"><v>45000</v></c></row><row><c r="B4"><v>1.5</v></c></row>'
TWO = {**PARTS, "xl/worksheets/sheet2.xml": sheet(DATES)}


def workbook(parts: Mapping[str, str] = PARTS) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


def read(data: bytes, **layout: Any) -> ListFile:
    return read_list(data, "words.xlsx", layout=Layout(**layout))


def cell(content: str) -> dict[str, str]:
    """A workbook with one cell."""
    return {**PARTS, FIRST: sheet(f'<row r="2"><c r="A2" {content}</c></row>')}


@pytest.mark.parametrize(
    ("layout", "parts", "reason"),
    [
        ({}, PARTS, "has several columns; name the column with --column: 1 (Added), 3 (Word)"),
        (
            {"column": "Term"},
            PARTS,
            "has no column 'Term'; name the column with --column: 1 (Added), 3 (Word)",
        ),
        ({"column": "Word"}, TWO, "has several sheets; name one with --sheet: Words, Dates"),
        (
            {"sheet": "Words", "column": "B"},
            TWO,
            "words.xlsx: has no column 'B'; name the column",
        ),
        (
            {"sheet": "Dates"},
            TWO,
            "column 2, rows 3, 4 hold a date or a number, not text; format the column as text and",
        ),
        ({"sheet": "Dates"}, PARTS, "words.xlsx: holds no entries"),
        ({"sheet": "Terms"}, PARTS, "has no sheet 'Terms'; the sheets are: Words, Dates"),
        ({"encoding": "cp1252"}, PARTS, "--encoding is for text files"),
        ({}, {"word/document.xml": "<x/>"}, "is not a workbook that can be read"),
        ({}, {**PARTS, "xl/workbook.xml": "<workbook"}, "is not a workbook that can be read"),
        ({}, {**PARTS, "xl/workbook.xml": "<workbook/>"}, "holds no entries"),
        ({}, cell('t="s"><v>7</v>'), "is not a workbook that can be read"),
        ({}, cell('t="e"><v>#NAME?</v>'), "column 1, row 2 holds an error value, not text"),
        ({}, cell('t="b"><v>1</v>'), "column 1, row 2 holds a logical value, not text"),
        (
            {},
            cell('><f>B2&amp;"s"</f><v/>'),
            "row 2 holds a formula without a stored value, not text; format the column",
        ),
        (
            {},
            cell("><v>1234567890123456</v>"),
            "column 1, row 2 holds a date or a number, not text",
        ),
        (
            {},
            {**PARTS, FIRST: f'<!DOCTYPE x [<!ENTITY a "{"b" * 99}">]>{sheet()}'},
            "is not a workbook that can be",
        ),
        (
            {},
            {**PARTS, FIRST: f"{sheet()}{' ' * (33 << 20)}"},
            "is larger than 32 MiB when it is unpacked",
        ),
        (
            {},
            {
                **PARTS,
                "xl/sharedStrings.xml": f"<sst {MAIN}><si><t>{'x' * (1 << 20)}</t></si></sst>",
                FIRST: sheet('<row><c t="s"><v>0</v></c></row>' * 5),
            },
            "holds more than 4 MiB of text",
        ),
    ],
)
def test_workbook_that_is_refused(
    layout: dict[str, str], parts: Mapping[str, str], reason: str
) -> None:
    """A workbook without one clear list of texts, or larger than any list, is refused with a
    reason."""
    with pytest.raises(ListFileError) as raised:
        read(workbook(parts), **layout)
    assert reason in str(raised.value)


SPAM = '<row r="1"><c r="A1" t="str"><v>spam</v></c></row>'
#: Small files that a reader with regular expressions, or with a table of all cells, needs minutes
#: or gigabytes for.
HOSTILE = {
    "spaces": sheet(SPAM, f"<row{' ' * (1 << 20)}/>"),
    "rows": sheet(SPAM, "<row/>" * 200_000),
    "hidden place": sheet(SPAM, '<row x=">" r="1048576"><c x=">" r="XFD1048576"/></row>'),
    "empty cells": sheet(SPAM, "<row>" + "<c/>" * 200_000 + "</row>"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_workbook_of_a_stranger(name: str) -> None:
    """Whatever a small workbook declares, it is read within seconds, and within memory that its
    size limits."""
    program = (
        "import resource as r, sys; from cometchat_desk.lists.reading import read_list; "
        "r.setrlimit(r.RLIMIT_AS, (2 << 30, 2 << 30)); r.setrlimit(r.RLIMIT_CPU, (30, 30)); "
        "print(read_list(sys.stdin.buffer.read(), 'a.xlsx').entries)"
    )
    data = workbook({**PARTS, FIRST: HOSTILE[name]})
    done = subprocess.run(
        [sys.executable, "-c", program], input=data, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, b"('spam',)"), done.stderr[-300:]


def test_hidden_rows_and_sheets() -> None:
    """Entries in hidden or filtered rows are read, and the plan shows them; a hidden sheet is not
    the only one."""
    rows = (SPAM, '<row r="2" hidden="1"><c r="A2" t="str"><v>scam</v></c></row>')
    book = PARTS["xl/workbook.xml"].replace('name="Dates"', 'name="Dates" state="veryHidden"')
    data = workbook({**TWO, FIRST: sheet(*rows), "xl/workbook.xml": book})
    assert read(data).entries == ("spam", "scam")


def test_formulas() -> None:
    """A formula counts as the text that the spreadsheet has stored for it, which may be empty."""
    rows = (
        '<row><c t="str"><f>B1</f><v>scam</v></c></row>',
        '<row><c t="str"><f>B2</f><v></v></c></row>',
        "<row><c/></row>",
    )
    assert read(workbook({**PARTS, FIRST: sheet(SPAM, *rows)})).entries == ("spam", "scam")


def test_text_beside_a_value() -> None:
    """If a cell holds a text and a number, the entry is the text, as a spreadsheet shows it."""
    row = '<row><c t="inlineStr"><v>1.0</v><is><r><t>1.</t></r></is></c></row>'
    assert read(workbook({**PARTS, FIRST: sheet(SPAM, row)})).entries == ("spam", "1.")


def test_sizes_that_a_workbook_does_not_declare() -> None:
    """A workbook whose parts are larger than it declares is refused, and no more than that is
    unpacked."""
    strings = f"<sst {MAIN}>{'<si><t>word</t></si>' * 1000}</sst>"
    whole, end = workbook({**PARTS, "xl/sharedStrings.xml": strings}), strings.encode()[:500]
    sizes = struct.pack("<I", zlib.crc32(strings.encode())), struct.pack("<I", len(strings))
    # The list of parts at the end names their sizes and their check sums once more.
    at = whole.index(b"PK\1\2")
    small = (
        whole[at:]
        .replace(sizes[0], struct.pack("<I", zlib.crc32(end)))
        .replace(sizes[1], struct.pack("<I", 500))
    )
    with pytest.raises(ListFileError, match="is not a workbook that can be read"):
        read(whole[:at] + small, column="3")
