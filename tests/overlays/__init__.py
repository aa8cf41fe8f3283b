"""Tests of the overlays."""
