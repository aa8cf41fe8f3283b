"""Sockets: connections to the service, directly or through a proxy."""
