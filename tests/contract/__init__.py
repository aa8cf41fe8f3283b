"""Tests of the contract: the description itself, the simulator against the description, the
client against it."""
