"""The reading of a form."""

import httpx
import pytest

from .service_calls import LIST, code

FORM = "multipart/form-data; boundary=x"
PART = b"--x\r\nContent-Disposition: form-data; "


@pytest.mark.parametrize(
    ("content_type", "content"),
    [
        ("application/json", b'{"category": "word", "searchTerms": "a"}'),
        ("application/x-www-form-urlencoded", b"category=word&searchTerms=a"),
        ("multipart/form-data", b"--x--\r\n"),
        (FORM, b""),
        (FORM, b"nonsense"),
        (FORM, b"--x\r\nno name\r\n\r\nword\r\n--x--\r\n"),
        (FORM, b"--x\r\nContent-Disposition: form-data\r\n\r\nword\r\n--x--\r\n"),
        (FORM, PART + b'name="category"\r\n\r\nword\r\n--x\r\nContent-Disp'),
        (FORM, PART + b'name="caf\xe9"\r\n\r\nword\r\n--x--\r\n'),
    ],
)
def test_malformed_body_is_refused(
    http_client: httpx.Client, content_type: str, content: bytes
) -> None:
    """A body that is malformed, incomplete, or not multipart/form-data gets 400."""
    response = http_client.put(LIST, content=content, headers={"Content-Type": content_type})
    assert code(response) == (400, "ERR_BAD_REQUEST")
    assert set(response.json()["error"]["details"]) == {"body"}
