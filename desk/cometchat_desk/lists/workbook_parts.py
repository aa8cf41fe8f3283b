"""The elements of the parts of a workbook, which are XML documents in a zip archive. What a
stranger's file can cost is limited by its size, packed and unpacked."""

import re
import zipfile
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

# The size of all parts that are read, in bytes: 250,000 entries need less.
_LARGEST = 32 << 20
_CHUNK = 1 << 16
# The elements without text that are read. The others describe how a spreadsheet looks.
_READ = ("Relationship", "sheet", "row", "f", "numFmt", "cellXfs", "xf")
# A character that XML cannot hold, or the underscore of a text that looks like one. Halves of pairs
# stay.
_ESCAPE = re.compile("_x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")


class WorkbookError(Exception):
    """A workbook cannot be read; the text is the end of a sentence about the file."""


class Element(NamedTuple):
    """An element, with names without prefixes. Cells and shared strings have their text."""

    name: str
    attributes: dict[str, str]
    text: str = ""


class Parts:
    """The parts of a workbook. All that are read share one limit."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        """Read from an open archive."""
        self._archive = archive
        self._left = _LARGEST

    def elements(self, name: str) -> Iterator[Element]:
        """The elements of a part, each at its beginning; cells and shared strings at their end."""
        info = self._archive.getinfo(name)
        # `zipfile` unpacks other compressions at once, whatever the size, and of these no more than
        # the size.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile
        self._left -= info.file_size
        if self._left < 0:
            raise WorkbookError(
                f"is larger than {_LARGEST >> 20} MiB when it is unpacked; save the list as CSV"
                " UTF-8"
            )
        handler = _Handler()
        with self._archive.open(info) as opened:
            while chunk := opened.read(_CHUNK):
                handler.parser.Parse(chunk)
                yield from handler.taken()
        handler.parser.Parse(b"", True)  # noqa: FBT003 - the parser takes no keyword
        yield from handler.taken()


class _Handler:
    """Collects the elements that the parser finds."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        # No spreadsheet writes a document type, which could define texts that grow without end.
        self.parser.StartDoctypeDeclHandler = self._refuse
        self._elements: list[Element] = []
        self._attributes: dict[str, str] = {}
        self._texts: list[str] = []
        self._is_text = False
        self._is_hint = False

    def taken(self) -> list[Element]:
        """The elements since the last call."""
        elements = self._elements
        self._elements = []
        return elements

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = _local(name)
        if name in ("t", "v"):
            self._is_text = True
        elif name in ("c", "si"):
            self._attributes = attributes
            self._texts = []
        elif name == "is":
            # Some programs write a number before the text, which no spreadsheet shows.
            self._texts = []
        elif name == "rPh":
            # How Japanese characters are pronounced is not a part of the text.
            self._is_hint = True
        elif name in _READ:
            self._elements.append(
                Element(name, {_local(key): attributes[key] for key in attributes})
            )

    def _characters(self, text: str) -> None:
        if self._is_text and not self._is_hint:
            self._texts.append(text)

    def _end(self, name: str) -> None:
        name = _local(name)
        self._is_text = False
        if name == "rPh":
            self._is_hint = False
        elif name in ("c", "si"):
            text = "".join(self._texts)
            if "_x" in text:
                text = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
            self._elements.append(Element(name, self._attributes, text))

    def _refuse(self, *_: object) -> None:
        raise WorkbookError("is not a workbook that can be read; save the list as CSV UTF-8")


def _local(name: str) -> str:
    return name.rpartition(":")[2] if ":" in name else name
