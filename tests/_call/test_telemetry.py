"""The setting `telemetry`: which values it takes, and which providers of OpenTelemetry it uses."""

import subprocess
import sys

import pytest
from opentelemetry import trace

from cometchat_rest import ConfigurationError, Telemetry
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, AnyClient


def test_invalid_telemetry(any_client: AnyClient) -> None:
    """The constructor refuses an invalid value of `telemetry`, and an invalid provider."""
    for value in ("yes", 1, None, trace.get_tracer_provider(), Telemetry(tracer_provider=object())):  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError, match="telemetry"):
            any_client.client(telemetry=value)


def test_telemetry_is_off_by_default(simulator: Simulator) -> None:
    """Without `telemetry`, no module of OpenTelemetry is imported; with it and without OpenTelemetry, the error names
    the extra."""
    code = f"""
import sys
from cometchat_rest import Client, ConfigurationError
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}, on_attempt=print) as chat:
    chat.keywords.update({LIST_ID!r}, ["spam"])
assert not [name for name in sys.modules if name.startswith("opentelemetry")]
sys.modules["opentelemetry"] = None
try:
    Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}, telemetry=True)
except ConfigurationError as error:
    sys.exit(str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert (
        done.stderr
        == "telemetry needs OpenTelemetry: install the extra 'otel' (in a checkout: pip install '.[otel]')\n"
    )


def test_global_providers(simulator: Simulator) -> None:
    """`telemetry=True` uses the global providers of OpenTelemetry, also if the program sets them later."""
    code = f"""
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from cometchat_rest import Client
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}, telemetry=True) as chat:
    trace.set_tracer_provider(TracerProvider())
    trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter := InMemorySpanExporter()))
    chat.roles.list()
print(*[span.name for span in exporter.get_finished_spans()])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "GET /roles\n"
