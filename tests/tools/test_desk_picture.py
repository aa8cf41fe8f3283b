"""The picture of the desk on its first page."""

import socket

import pytest

pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

from tools.site import desk_picture


def test_the_picture_shows_the_program() -> None:
    """The picture on the first page is what the program shows now. Run
    `python -m tools.site.desk_picture` after a change of its output."""
    with socket.socket() as probe:
        if not probe.connect_ex(("127.0.0.1", desk_picture.PORT)):
            pytest.skip(f"another program listens on port {desk_picture.PORT}")
    assert desk_picture.draw() == desk_picture.PICTURE.read_text("utf-8")
