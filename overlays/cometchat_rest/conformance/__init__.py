"""Compares responses of the real service with the description; a report contains no value of a response."""

from .calls import probe
from .exchanges import Difference, Exchange, Kind
from .reports import Report, read_report

__all__ = ["Difference", "Exchange", "Kind", "Report", "probe", "read_report"]
