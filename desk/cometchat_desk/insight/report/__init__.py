"""A report about reviewed messages: one HTML file that loads nothing from any network."""

from .report import LONGEST_TABLE, write_report

__all__ = ["LONGEST_TABLE", "write_report"]
