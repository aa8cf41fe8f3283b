"""Sockets: connections to the service, directly or through a proxy.

The methods of a connection are generators that yield each wait for the network. They are written once; `waits` carries
them out in both ways, blocking and awaited.
"""
