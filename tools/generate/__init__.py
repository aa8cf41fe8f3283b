"""Writes generated/cometchat_openapi from openapi.yaml."""
