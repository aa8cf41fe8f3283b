"""Compares responses of the real service with the description; a report contains no value of a
response."""

from cometchat_testing.description import openapi

from .calls import probe
from .exchanges import Difference, Exchange, Kind
from .reports import Report, read_report

__all__ = ["Difference", "Exchange", "Kind", "Report", "openapi", "probe", "read_report"]
