"""Generated from openapi.yaml: models and operations, without anything that sends them."""

from .client import AsyncClient, Call, Client, Operation

__all__ = ("AsyncClient", "Call", "Client", "Operation")
