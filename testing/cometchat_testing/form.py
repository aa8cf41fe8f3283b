"""Split a multipart/form-data body into its parts. Malformed bodies are refused, never repaired."""

import logging

from attrs import Factory, define, frozen
from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header

# The parser logs a warning for every malformed form. The response reports that already.
logging.getLogger("python_multipart").addHandler(logging.NullHandler())


class FormError(ValueError):
    """The body is not a well-formed multipart/form-data form."""


@frozen
class Part:
    """One part of a form; `filename` is `None` for a part that is not a file."""

    name: str
    filename: str | None
    content_type: str
    data: bytes

    @property
    def text(self) -> str:
        """The content as text. Raises FormError unless it is plain text in UTF-8."""
        if self.filename is not None:
            raise FormError("must be a text part, without a filename")
        kind, options = parse_options_header(self.content_type)
        charset = options.get(b"charset", b"utf-8").lower()
        if kind not in (b"", b"text/plain") or charset not in (b"utf-8", b"us-ascii"):
            raise FormError("must be text/plain in UTF-8")
        return _utf8(self.data)


@define
class _Collector:
    """Receives the parser's callbacks. The form classes of the library would silently repair
    invalid UTF-8."""

    parts: list[Part] = Factory(list)
    ended: bool = False
    _headers: dict[str, str] = Factory(dict)
    _name: bytearray = Factory(bytearray)
    _value: bytearray = Factory(bytearray)
    _data: bytearray = Factory(bytearray)

    def header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def end_header(self) -> None:
        name = self._name.decode("latin-1").lower()
        self._headers[name] = self._value.decode("latin-1")
        self._name = bytearray()
        self._value = bytearray()

    def part_data(self, data: bytes, start: int, end: int) -> None:
        self._data += data[start:end]

    def end_part(self) -> None:
        disposition, options = parse_options_header(self._headers.get("content-disposition"))
        if disposition != b"form-data" or b"name" not in options:
            raise FormError("every part needs Content-Disposition: form-data with a name")
        filename = options.get(b"filename")
        part = Part(
            name=_utf8(options[b"name"]),
            filename=None if filename is None else _utf8(filename),
            content_type=self._headers.get("content-type", ""),
            data=bytes(self._data),
        )
        self.parts.append(part)
        self._headers = {}
        self._data = bytearray()

    def end(self) -> None:
        self.ended = True


def parse(content_type: str, body: bytes) -> list[Part]:
    """Split `body` into its parts, in order.

    Raises FormError for another content type, a missing boundary, a malformed or incomplete body,
    and names that are not UTF-8.
    """
    kind, options = parse_options_header(content_type)
    if kind != b"multipart/form-data":
        raise FormError("the content type must be multipart/form-data")
    if not options.get(b"boundary"):
        raise FormError("the content type must contain the boundary")
    collector = _Collector()
    try:
        parser = MultipartParser(
            options[b"boundary"],
            {
                "on_header_field": collector.header_name,
                "on_header_value": collector.header_value,
                "on_header_end": collector.end_header,
                "on_part_data": collector.part_data,
                "on_part_end": collector.end_part,
                "on_end": collector.end,
            },
        )
        parser.write(body)
    except FormParserError as error:
        raise FormError("the form is malformed") from error
    if not collector.ended:
        raise FormError("the form ends before its last boundary")
    return collector.parts


def _utf8(data: bytes | bytearray) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormError("must be valid UTF-8") from error
