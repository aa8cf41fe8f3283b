"""Tests of connections: the modules in `cometchat_rest._wire`."""
