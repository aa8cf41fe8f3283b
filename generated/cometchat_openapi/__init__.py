"""Models and operations, generated from openapi.yaml. Nothing in this package sends a request."""

from .client import AsyncClient, AsyncPages, Call, Client, Operation, Pages, Parameter

__all__ = ("AsyncClient", "AsyncPages", "Call", "Client", "Operation", "Pages", "Parameter")
