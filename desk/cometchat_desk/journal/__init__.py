"""The journal: each update of a keyword list is written to a file before it is sent, so that it can be undone.

from cometchat_rest import Client
from cometchat_desk.journal import Journal

with Client() as chat, Journal() as journal:
    journal.apply(chat, chat.keywords.plan("profanity-list", ["spam", "scam"]))
    undo = journal.rollback_plan(chat, "profanity-list")
"""

from .journal import Journal, default_path
from .records import ListState, Revision, RevisionDetail, RevisionOutcome
from .store import JournalError

__all__ = [
    "Journal",
    "JournalError",
    "ListState",
    "Revision",
    "RevisionDetail",
    "RevisionOutcome",
    "default_path",
]
