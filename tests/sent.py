"""Sent requests, read by code that is independent of the client."""

from urllib.parse import unquote

import httpx
from attrs import frozen
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import (
    Data,
    Epilogue,
    Field,
    File,
    MultipartDecoder,
    NeedData,
    Preamble,
)

from cometchat_testing import ReceivedRequest


@frozen
class Part:
    """One part of a form, read by an independent parser."""

    name: str
    content: bytes
    filename: str | None = None
    content_type: str | None = None


def form_of(request: httpx.Request | ReceivedRequest) -> list[Part]:
    """The parts of a multipart form, in order, decoded by werkzeug."""
    if isinstance(request, ReceivedRequest):
        header, body = request.header("content-type") or "", request.body
    else:
        header, body = request.headers["content-type"], request.content
    kind, options = parse_options_header(header)
    assert kind == "multipart/form-data"
    decoder = MultipartDecoder(options["boundary"].encode())
    decoder.receive_data(body)
    decoder.receive_data(None)
    parts: list[Part] = []
    while not isinstance(event := decoder.next_event(), Epilogue):
        assert not isinstance(event, NeedData), "the form is incomplete"
        if isinstance(event, Preamble):
            assert not event.data.strip(), "there are bytes before the first part"
        elif isinstance(event, Field | File):
            filename = event.filename if isinstance(event, File) else None
            parts.append(Part(event.name or "", b"", filename, event.headers.get("content-type")))
        elif isinstance(event, Data):
            last = parts.pop()
            parts.append(
                Part(last.name, last.content + event.data, last.filename, last.content_type)
            )
    assert not event.data.strip(), "there are bytes after the last part"
    return parts


def path_of(request: httpx.Request | ReceivedRequest) -> str:
    """The path as it is sent, without the query."""
    if isinstance(request, ReceivedRequest):
        return request.path
    return request.url.raw_path.decode("ascii").partition("?")[0]


def values_in(template: str, path: str) -> dict[str, str] | None:
    """The values of a path for a template, segment by segment; `None` if the path does not match.

    The client does not use this function, so a bug in the client's own check cannot hide here.
    """
    own, sent = template.split("/"), path.split("/")
    if len(own) != len(sent):
        return None
    values = {}
    for expected, segment in zip(own, sent, strict=True):
        if expected.startswith("{"):
            values[expected.strip("{}")] = value = unquote(segment, errors="strict")
            if not value or any(mark in segment for mark in "?#") or value in (".", ".."):
                return None
        elif expected != segment:
            return None
    return values
