"""Measures the CPU time of this package and of plain httpx."""
