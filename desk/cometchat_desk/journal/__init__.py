"""The journal: each update of a keyword list is written to a file before it is sent, so that it can be undone."""

from .journal import Journal, default_path
from .records import ListState, Revision, RevisionDetail, RevisionOutcome, Undo
from .store import JournalError

__all__ = [
    "Journal",
    "JournalError",
    "ListState",
    "Revision",
    "RevisionDetail",
    "RevisionOutcome",
    "Undo",
    "default_path",
]
