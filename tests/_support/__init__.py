"""Tests of helpers: the modules in `cometchat_rest._support`."""
