"""The journal: each update of a keyword list is written to a file before it is sent, so that it
can be undone."""

from .journal import Journal, user_name
from .records import Revision, RevisionDetail
from .store import JournalError

__all__ = ["Journal", "JournalError", "Revision", "RevisionDetail", "user_name"]
