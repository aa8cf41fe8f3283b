"""The setting `telemetry=`: which providers of OpenTelemetry get the spans and durations of a client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cometchat_rest.errors import ConfigurationError

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from .tracing import Tracing


@frozen(kw_only=True)
class Telemetry:
    """The providers for the spans and durations of a client, for `telemetry=`.

    Attributes:
        tracer_provider: makes the spans; by default the global provider of OpenTelemetry.
        meter_provider: records the durations; by default the global provider of OpenTelemetry.
    """

    tracer_provider: TracerProvider | None = None
    meter_provider: MeterProvider | None = None


def check_telemetry(value: Telemetry | bool, base_url: str) -> Tracing:  # noqa: FBT001 - the value of an option
    """The tracing for the setting `telemetry`, unless it is `False`."""
    telemetry = Telemetry() if value is True else value
    if not isinstance(telemetry, Telemetry):
        raise ConfigurationError(
            f"must be True, False or a Telemetry, not {type(value).__name__}", argument="telemetry"
        )
    try:
        from .tracing import Tracing  # noqa: PLC0415 - only for clients with telemetry
    except ImportError:
        raise ConfigurationError(
            "needs OpenTelemetry: install the extra 'otel' (in a checkout: pip install '.[otel]')", argument="telemetry"
        ) from None
    try:
        return Tracing(base_url, telemetry.tracer_provider, telemetry.meter_provider)
    except Exception as error:
        raise ConfigurationError(f"telemetry: a provider is invalid or failed: {error}") from error
