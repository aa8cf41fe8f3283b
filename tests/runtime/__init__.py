"""Tests of one call: the modules in `cometchat_runtime`."""
