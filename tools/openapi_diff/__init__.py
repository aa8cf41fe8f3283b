"""Compares two versions of an OpenAPI description: which differences reach the wire, and whom they break."""
