"""Processes that fork: a child does not use what belongs to its parent."""

import os
import subprocess
import sys

import pytest

from ..support import EchoServer

FORKING = """
import os, sys
from cometchat_rest import Client

with Client(base_url=sys.argv[1], api_key="key") as chat:
    mine = chat.with_options(on_behalf_of="parent")
    print(mine.keywords.get("profanity-list").name, flush=True)
    if (child := os.fork()) == 0:
        print(chat.with_options(on_behalf_of="child").keywords.get("profanity-list").name, flush=True)
        chat.close()
        os._exit(0)
    os.waitpid(child, 0)
    print(mine.keywords.get("profanity-list").name, flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forked_process_opens_its_own_connections() -> None:
    """A forked process opens its own connections and does not touch the connections of its parent."""
    with EchoServer() as server:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-X", "dev", "-W", "error", "-c", FORKING, server.base_url],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("parent\nchild\nparent\n", "")
        assert server.connections == 2
