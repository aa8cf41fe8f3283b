"""Workbooks: what Excel writes, and what no list needs."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

import pytest

from cometchat_desk.lists.files import ListFileError
from cometchat_desk.lists.tables import Table

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(**targets: str) -> str:
    links = (
        f'<Relationship Id="{name}" Type="{LINKS}/{"worksheet" if "sheets" in target else "officeDocument"}" '
        f'Target="{target}"/>'
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
    "xl/_rels/workbook.xml.rels": relations(rId1="worksheets/sheet1.xml", rId2="/xl/worksheets/sheet2.xml"),
    "xl/sharedStrings.xml": f'<sst {MAIN}><si><t>Word</t></si><si><r><t xml:space="preserve">free </t></r><r>'
    "<t>coins</t></r></si><si><t>バカ</t><rPh><t>ばか</t></rPh></si></sst>",
    "xl/styles.xml": f'<styleSheet {MAIN}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": sheet(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Added</t></is></c><c r="C1" t="s"><v>0</v></c></row>',
        '<row r="2"><c r="A2" s="1"><v>45000</v></c><c r="C2" t="s"><v>1</v></c></row>',
        '<row r="4"><c r="C4" t="s"><v>2</v></c></row><row r="5"><c r="C5"><v>88</v></c></row>',
    ),
    "xl/worksheets/sheet2.xml": sheet(),
}
FIRST = "xl/worksheets/sheet1.xml"
TWO = {**PARTS, "xl/worksheets/sheet2.xml": sheet('<row r="3"><c r="B3" s="1"><v>45000</v></c></row>')}


def workbook(parts: Mapping[str, str] = PARTS) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


@pytest.mark.parametrize(
    ("table", "parts", "reason"),
    [
        (Table(), PARTS, "has several columns; name one with --column: 1 (Added), 3 (Word)"),
        (Table(column="Term"), PARTS, "has no column 'Term'; name one with --column: 1 (Added), 3 (Word)"),
        (Table(column="Word"), TWO, "has several sheets; name one with --sheet: Words, Dates; "),
        (Table(sheet="Dates"), TWO, "words.xlsx:3:2: holds a date or a number in this cell"),
        (Table(sheet="Terms"), PARTS, "has no sheet 'Terms'; the sheets are: Words, Dates"),
        (Table(delimiter=";"), PARTS, "--delimiter for .csv"),
        (Table(), {"word/document.xml": "<x/>"}, "is not a workbook that can be read"),
        (Table(), {**PARTS, "xl/workbook.xml": "<workbook"}, "is not a workbook that can be read"),
        (Table(), {**PARTS, "xl/workbook.xml": "<workbook/>"}, "is not a workbook that can be read"),
        (
            Table(),
            {**PARTS, FIRST: sheet('<row r="2"><c r="A2" t="e"><v>#NAME?</v></c></row>')},
            ":2:1: holds an error",
        ),
        (Table(), {**PARTS, FIRST: sheet('<row r="1"><c r="A1"><v>1234567890123456</v></c></row>')}, "or a number in"),
        (Table(), {**PARTS, FIRST: sheet('<row r="1048576"><c r="XFD1048576"/></row>')}, "too far from its beginning"),
        (Table(), {**PARTS, FIRST: sheet('<row r="1"><c r="xfd200000"><v>1</v></c></row>')}, "too far from its begin"),
        (Table(), {**PARTS, FIRST: sheet("<row><c/></row>" + "<row/>" * 50_000)}, "too many cells"),
        (
            Table(),
            {
                **PARTS,
                "xl/sharedStrings.xml": f"<sst {MAIN}><si><t>{'x' * (1 << 20)}</t></si></sst>",
                FIRST: sheet('<row r="1">' + '<c r="A1" t="s"><v>0</v></c>' * 2000 + "</row>"),
            },
            "too many cells",
        ),
        (Table(), {**PARTS, "xl/media.bin": "0" * (17 << 20)}, "is larger than 16 MiB when it is unpacked"),
    ],
)
def test_workbook_that_is_refused(table: Table, parts: Mapping[str, str], reason: str) -> None:
    """A workbook without one clear list of texts, or larger than any list, is refused with a reason."""
    with pytest.raises(ListFileError) as raised:
        table.read(workbook(parts), "words.xlsx", suffix=".xlsx", header=False)
    assert reason in str(raised.value)


def test_sizes_that_a_workbook_does_not_declare() -> None:
    """A workbook whose parts are larger than it declares is refused, and no more than that is unpacked."""
    strings = f"<sst {MAIN}>{'<si><t>word</t></si>' * 1000}</sst>"
    whole, end = workbook({**PARTS, "xl/sharedStrings.xml": strings}), strings.encode()[:500]
    sizes = struct.pack("<I", zlib.crc32(strings.encode())), struct.pack("<I", len(strings))
    # The list of parts at the end names their sizes and their check sums once more.
    at = whole.index(b"PK\1\2")
    small = whole[at:].replace(sizes[0], struct.pack("<I", zlib.crc32(end))).replace(sizes[1], struct.pack("<I", 500))
    with pytest.raises(ListFileError, match="is not a workbook that can be read"):
        Table(column="3").read(whole[:at] + small, "words.xlsx", suffix=".xlsx", header=True)
