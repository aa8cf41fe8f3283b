"""Tests of one call: the modules in `cometchat_rest._call`."""
