"""Read the rows of a workbook (.xlsx) with limits on its size, without formulas, formats or links.

The standard library is enough for texts, so that no further package reads files of strangers.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from xml.etree import ElementTree

_LARGEST = 64 << 20
_MOST_CELLS, _MOST_COLUMNS = 1_000_000, 256
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL = re.compile("([A-Z]{1,3})([0-9]{1,7})")
# General, whole numbers and texts. Any other format shows another text than the number, for example a date.
_AS_WRITTEN = ("0", "1", "49")


class WorkbookError(Exception):
    """A workbook cannot be read; the text is the end of a sentence about the file."""


def read_rows(data: bytes, sheet: str | None = None) -> Sequence[tuple[int, Sequence[str]]]:
    """The rows of a sheet, each with its number and its cells as texts."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _rows(archive, sheet)
    except (
        zipfile.BadZipFile,
        ElementTree.ParseError,
        KeyError,
        IndexError,
        ValueError,
        NotImplementedError,
        StopIteration,
    ) as error:
        raise WorkbookError("is not a workbook that can be read; save the list as CSV UTF-8") from error


def _rows(archive: zipfile.ZipFile, sheet: str | None) -> Sequence[tuple[int, Sequence[str]]]:
    if sum(part.file_size for part in archive.infolist()) > _LARGEST:
        raise WorkbookError(f"is larger than {_LARGEST >> 20} MiB when it is unpacked, so it is not a list")
    path, shared, styles = _path(archive, sheet), _shared(archive), _styles(archive)
    rows: dict[int, list[str]] = {}
    for count, cell in enumerate(_part(archive, path).iter(f"{_MAIN}c")):
        place = _CELL.fullmatch(cell.attrib.get("r", ""))
        column = 0 if place is None else _number(place[1])
        if place is None or column > _MOST_COLUMNS or count > _MOST_CELLS:
            raise WorkbookError("has too many cells, or cells without a place; save the list as CSV UTF-8")
        if text := _value(cell, shared, styles):
            row = rows.setdefault(int(place[2]), [])
            row.extend([""] * (column - len(row)))
            row[column - 1] = text
    return sorted(rows.items())


def _path(archive: zipfile.ZipFile, sheet: str | None) -> str:
    """The name of the part with the cells of a sheet, by default of the first one."""
    listed = _part(archive, "xl/workbook.xml").iter(f"{_MAIN}sheet")
    sheets = {each.attrib["name"]: each.attrib[_LINK] for each in listed}
    if sheet is not None and sheet not in sheets:
        raise WorkbookError(f"has no sheet {sheet!r}; the sheets are: {', '.join(sheets)}")
    links = {link.attrib["Id"]: link.attrib["Target"] for link in _part(archive, "xl/_rels/workbook.xml.rels")}
    target = links[sheets[next(iter(sheets)) if sheet is None else sheet]]
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _shared(archive: zipfile.ZipFile) -> Sequence[str]:
    """The texts that cells name by number."""
    name = "xl/sharedStrings.xml"
    return [_text(item) for item in _part(archive, name)] if name in archive.namelist() else []


def _styles(archive: zipfile.ZipFile) -> Sequence[str]:
    """The format of numbers in each style that cells name by number."""
    name = "xl/styles.xml"
    styles = _part(archive, name).find(f"{_MAIN}cellXfs") if name in archive.namelist() else None
    return [] if styles is None else [style.attrib.get("numFmtId", "0") for style in styles]


def _part(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    with archive.open(name) as opened:
        content = opened.read(_LARGEST + 1)
    if len(content) > _LARGEST or b"<!" in content[:1024] or b"\0" in content[:4]:
        raise WorkbookError("is not a workbook that can be read: it is too large, or holds declarations")
    return ElementTree.fromstring(content)  # noqa: S314 - without declarations there are no entities


def _value(cell: ElementTree.Element, shared: Sequence[str], styles: Sequence[str]) -> str:
    kind, value = cell.attrib.get("t", "n"), cell.findtext(f"{_MAIN}v") or ""
    if kind == "inlineStr":
        return "".join(map(_text, cell.iter(f"{_MAIN}is")))
    if kind == "s":
        return shared[int(value)]
    if kind == "n" and value:
        style = int(cell.attrib.get("s", "0"))
        if (styles[style] if styles else "0") not in _AS_WRITTEN or not value.lstrip("-").isdecimal():
            place = cell.attrib["r"]
            raise WorkbookError(
                f"holds a date or a number in cell {place}; format the column as text, and type it again"
            )
    return value


def _text(item: ElementTree.Element) -> str:
    """The text of an item, in one run or in several runs, without hints for the pronunciation."""
    runs = [item, *item.findall(f"{_MAIN}r")]
    return "".join(run.findtext(f"{_MAIN}t") or "" for run in runs)


def _number(letters: str) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
