"""Models and operations, generated from openapi.yaml. Nothing in this package sends a request."""

from .client import AsyncClient, Call, Client, Operation

__all__ = ("AsyncClient", "Call", "Client", "Operation")
