"""The version, stated here only: the package's metadata and the User-Agent take it from here."""

__version__ = "0.1.0"
