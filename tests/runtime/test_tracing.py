"""What Sentry and ddtrace see of a call: nothing by default, and the whole address of a call
through `http_client`."""

import subprocess
import sys

import pytest

from cometchat_testing import Simulator

TOKEN = "alice_token_of_nobody"
CALLS = f"""
import sys
import httpx
from cometchat_rest import Client

inner = httpx.Client() if sys.argv[3] == "http_client" else None
with Client(base_url=sys.argv[1], api_key=sys.argv[2], http_client=inner) as chat:
    chat.roles.list()
    chat.auth_tokens.revoke("alice", "{TOKEN}")
"""
SENTRY = f"""
import sentry_sdk
from sentry_sdk.integrations.httpx import HttpxIntegration

class Transport(sentry_sdk.transport.Transport):
    def capture_envelope(self, envelope):
        for item in envelope.items:
            print(*(span["description"] for span in item.payload.json.get("spans", [])), sep="\\n")

# By default Sentry imports each framework that is installed.
sentry_sdk.init(
    dsn="https://key@sentry.example/1",
    transport=Transport,
    traces_sample_rate=1.0,
    auto_enabling_integrations=False,
    integrations=[HttpxIntegration()],
)
with sentry_sdk.start_transaction(name="test"):
    {CALLS.replace(chr(10), chr(10) + "    ")}
"""
DDTRACE = f"""
from ddtrace import patch
from ddtrace.trace import TraceFilter, tracer

class Filter(TraceFilter):
    def process_trace(self, trace):
        print(*(span.get_tag("http.url") for span in trace), sep="\\n")

tracer.configure(trace_processors=[Filter()])
patch(httpx=True)
{CALLS}
tracer.flush()
"""


# In a process of its own, because these tools change httpx for the whole process.
@pytest.mark.parametrize("program", [SENTRY, DDTRACE], ids=["Sentry", "ddtrace"])
@pytest.mark.parametrize("way", ["own", "http_client"])
def test_what_the_tool_sees(simulator: Simulator, program: str, way: str) -> None:
    """By default the tool sees no call; through a client of httpx, it sees each address, with
    the token."""
    command = [sys.executable, "-c", program, simulator.base_url, simulator.api_key, way]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    seen = [f"{simulator.base_url}/roles", f"{simulator.base_url}/users/alice/auth_tokens/{TOKEN}"]
    assert len(simulator.requests) == 2
    assert [address in done.stdout for address in seen] == [way == "http_client"] * 2
