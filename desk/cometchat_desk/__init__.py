"""The moderation desk: a command line for keyword lists and reviewed messages, on top of
`cometchat_rest`."""

__version__ = "0.1.0"
