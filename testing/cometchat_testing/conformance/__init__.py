"""Compares responses of the real service with the description; a report contains no value of a
response."""

from .calls import probe
from .description import openapi
from .exchanges import Difference, Exchange, Kind
from .reports import Report, read_report

__all__ = ["Difference", "Exchange", "Kind", "Report", "openapi", "probe", "read_report"]
