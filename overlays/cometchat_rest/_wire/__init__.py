"""Sockets: connections to the service, directly or through a proxy.

A connection is a generator that yields each wait for the network. It is written once; `waits` carries it out in both
ways, blocking and awaited.
"""
