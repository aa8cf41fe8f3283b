"""The page about troubleshooting quotes messages that users really see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cometchat_rest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "troubleshooting.md"
SOURCES = "\n".join(path.read_text("utf-8") for path in Path(cometchat_rest.__file__).parent.rglob("*.py"))
#: Python's ssl module writes it. The service has codes that the simulator does not send.
OF_OTHERS = {"CERTIFICATE_VERIFY_FAILED", "ERR_PERMISSION_DENIED"}
QUOTED = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^### (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)))


@pytest.mark.parametrize("message", sorted(set(QUOTED) - OF_OTHERS))
def test_message_exists(message: str) -> None:
    """Each message on the page is a part of a message of the package or of the service."""
    regions = "'us', 'eu', 'in'"  # put together at run time
    assert message.replace(f"must be one of {regions}, ", "") in SOURCES


@pytest.mark.parametrize("start", ["api_key", "app_id", "base_url", "region"])
def test_every_setting_has_a_section(start: str) -> None:
    """The page explains the messages about each setting of a client."""
    assert start in PAGE.read_text("utf-8")
