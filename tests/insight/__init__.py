"""Tests of the layer `insight`."""
