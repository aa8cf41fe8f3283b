"""Read the cells of a workbook (.xlsx), in little more memory than its longest texts need."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from .files import WITHOUT_OPTION

# The size of all parts that are read, in bytes, and the depth of nested elements.
_LARGEST, _DEEPEST, _SAVE = 8 << 20, 99, "save the list as CSV UTF-8"
_PLACE = re.compile("([A-Z]{1,3})([0-9]{1,7})")
# A spreadsheet keeps 15 digits of a number, and replaces characters that XML cannot hold.
_WHOLE, _ESCAPE = re.compile("-?[0-9]{1,15}"), re.compile("_x(00[01][0-9A-Fa-f]|005F)_")
#: The number of a row and of a column, and the content of the cell.
Cell: TypeAlias = tuple[int, int, str]


class WorkbookError(Exception):
    """A workbook cannot be read; the text is the end of a sentence about the file."""


class Unclear(str):
    """The content of a cell that may show another text."""

    kind = "a date or a number"  # a date, a logical value, or a number with a format


class Fault(Unclear):
    """The content of a cell with an error value, such as #NAME?."""

    kind = "an error value"


def read_cells(data: bytes, sheet: str | None = None) -> Sequence[Cell]:
    """The cells of a sheet, by default of the only one that has some."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Book(archive).cells(sheet)
    # `zipfile` raises RuntimeError for a part with a password.
    except (ParseError, zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, ValueError) as error:
        raise WorkbookError(f"is not a workbook that can be read; {_SAVE}") from error


class _Book:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive, self._left = archive, _LARGEST
        # A part has an absolute name, or one that is relative to this folder.
        parts = {
            link["Id"]: posixpath.normpath(posixpath.join("/xl", link["Target"]))[1:]
            for link, _ in self._elements("xl/_rels/workbook.xml.rels", "Relationship")
        }
        self._sheets = {one["name"]: parts[one["id"]] for one, _ in self._elements("xl/workbook.xml", "sheet")}
        shared = {"xl/sharedStrings.xml"}.intersection(archive.namelist())
        self._strings = [text for part in shared for _, text in self._elements(part, "si")]

    def cells(self, name: str | None) -> Sequence[Cell]:
        """The cells of the sheet of this name, or of the only one that has some."""
        if name is not None and name not in self._sheets:
            raise WorkbookError(f"has no sheet {name!r}; the sheets are: {', '.join(self._sheets)}")
        sheets = {one: [*self._filled(part)] for one, part in self._sheets.items() if name in (None, one)}
        filled = [one for one, cells in sheets.items() if cells]
        if len(filled) > 1:
            raise WorkbookError(f"has several sheets; name one with --sheet: {', '.join(filled)}; {WITHOUT_OPTION}")
        return sheets[filled[0]] if filled else ()

    def _filled(self, part: str) -> Iterator[Cell]:
        for given, text in self._elements(part, "c"):
            if (content := self._content(given, text)).strip():
                place = _PLACE.fullmatch(given["r"])
                if place is None:
                    raise ValueError(given["r"])
                column = 0
                for letter in place[1]:
                    column = 26 * column + ord(letter) - ord("A") + 1
                yield int(place[2]), column, content

    def _content(self, given: Mapping[str, str], text: str) -> str:
        kind = given.get("t", "n")
        if kind == "e":
            return Fault(text or "#")
        if kind in ("s", "str", "inlineStr") or not text:
            return self._strings[int(text)] if kind == "s" and text else text
        # Another style than the first one may have a format.
        is_plain = kind == "n" and given.get("s", "0") == "0" and _WHOLE.fullmatch(text)
        return text if is_plain else Unclear(text)

    def _elements(self, part: str, name: str) -> Iterator[tuple[Mapping[str, str], str]]:
        """The attributes and the text of each element of this name."""
        parser: XMLPullParser[Element] = XMLPullParser(("start", "end"))
        path: list[Element] = []
        # Other compressions are unpacked at once, whatever the size.
        if self._archive.getinfo(part).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile(part)
        with self._archive.open(part) as opened:
            while data := opened.read(1 << 20):
                self._left -= len(data)
                # A declaration could define texts that repeat each other.
                if len(path) > _DEEPEST or b"<!DOCTYPE" in data:
                    raise ParseError(part)
                if self._left < 0:
                    raise WorkbookError(f"is larger than {_LARGEST >> 20} MiB when it is unpacked; {_SAVE}")
                parser.feed(data)
                for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
                    if event == "start":
                        path.append(element)
                        continue
                    path.pop()
                    if _local(element.tag) == name:
                        yield {_local(key): value for key, value in element.items()}, _text(element)
                        path[-1].clear()  # and forget the element
        parser.close()


def _text(element: Element) -> str:
    # Below rPh is the pronunciation.
    parts = (part for child in element if _local(child.tag) != "rPh" for part in child.iter())
    text = "".join(part.text or "" for part in parts if _local(part.tag) in ("t", "v"))
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)


def _local(name: str) -> str:
    """A name without its namespace: workbooks have several."""
    return name.rpartition("}")[2]
