"""Models and operations, generated from openapi.yaml. Nothing in this package sends a request."""
