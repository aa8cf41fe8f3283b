"""`Journal`: record each update before it is sent, find out outcomes later, and plan how to undo an update."""

from __future__ import annotations

import getpass
import logging
import os
import sqlite3
import sys
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

import platformdirs

from cometchat_desk.lists.plan_text import describe_plan
from cometchat_rest import Client, KeywordList, KeywordListInput, KeywordPlan, KeywordUpdate
from cometchat_rest.errors import ApiError, CometChatError, InvalidRequestError, UnexpectedResponse

from . import queries
from .records import CARRIED_OUT, ListState, Revision, RevisionDetail, RevisionOutcome, storable
from .settling import Unsettled, settle, text_or_none
from .store import JournalError, Store, TryAgain

#: The environment variable with the path of the journal.
JOURNAL_VARIABLE = "COMETCHAT_JOURNAL"
#: Seconds to wait for a journal that another program has locked.
LOCK_TIMEOUT = 5.0

_FILE_NAME = "journal.sqlite3"
_UPDATE = "update_keyword_list"
_logger = logging.getLogger("cometchat_rest.desk")


def default_path() -> Path:
    """The path of the journal: `COMETCHAT_JOURNAL`, or a file in the user's state folder.

    Raises:
        JournalError: the variable is not set, and the user has no home directory.
    """
    if given := os.environ.get(JOURNAL_VARIABLE):
        return Path(given)
    try:
        folder = platformdirs.user_state_path("cometchat-desk", appauthor=False)
    except RuntimeError:
        folder = Path("~")
    # Older versions of platformdirs return a path with a "~" instead of an error.
    if not folder.is_absolute():
        raise JournalError(f"no home directory, so there is no default journal: set {JOURNAL_VARIABLE}")
    return folder / _FILE_NAME


class Journal:
    """A file that records the updates of keyword lists, so that each update can be seen and undone.

    An update is recorded before it is sent. If it cannot be recorded, it is not sent. Afterwards its outcome is
    recorded. If the program is killed in between, the outcome stays `unknown` until the list is read again: `apply`,
    `settle` and `rollback_plan` do that.

    The journal holds the entries of the lists and the addresses of the apps. It holds no API key and no token. Only the
    user can access the file (mode 600). Several threads and processes can use the same journal at the same time.

    As a context manager, it first makes sure that updates can be recorded. There is nothing to close.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, lock_timeout: float = LOCK_TIMEOUT) -> None:
        """Name the journal. The file is created when the first update is recorded.

        Args:
            path: the file; `None` for `COMETCHAT_JOURNAL`, or else `journal.sqlite3` in the user's state folder. Only
                this default folder is created.
            lock_timeout: seconds to wait while another program has locked the file, or updates the same list.

        Raises:
            JournalError: the path is invalid; or there is no default path, because the user has no home directory.
        """
        self.path: Path = default_path() if path is None else Path(path)
        if "\0" in str(self.path):
            raise JournalError("path must not hold a NUL character")
        self._makes_folder = path is None and not os.environ.get(JOURNAL_VARIABLE)
        self._session = uuid.uuid4().hex
        self._lock_timeout = lock_timeout
        self._store = Store(self.path, lock_timeout=lock_timeout)

    def __enter__(self) -> Self:
        self.check()
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __repr__(self) -> str:
        return f"Journal({str(self.path)!r})"

    # Updates.

    def check(self) -> None:
        """Make sure that updates can be recorded. The file is created if it does not exist.

        Raises:
            JournalError: the file cannot be written, or is not a journal.
        """
        self._make_folder()
        self._store.write(queries.check_tables)

    def apply(
        self,
        chat: Client,
        plan: KeywordPlan,
        *,
        app: str = "",
        max_removed: float = 0.2,
    ) -> KeywordUpdate:
        """Record a planned update, apply it with `Keywords.apply`, and record its outcome.

        If the journal has earlier updates of this list whose outcome is unknown, the list is read first to find it out.

        Args:
            chat: the client of the app.
            plan: the result of `chat.keywords.plan()`.
            app: a name for the app; the journal shows it.
            max_removed: the largest allowed share of removed entries, 0 to 1.

        Returns:
            The result of `Keywords.apply`. If the update was sent but its outcome cannot be recorded, a warning is
            logged, and the outcome stays `unknown` until the next use.

        Raises:
            JournalError: the update cannot be recorded; it was not sent.
            CometChatError: any error of `Keywords.apply`.
        """
        _check(plan, chat.base_url, max_removed)
        found = None
        if unsettled := self._unsettled(chat.base_url, plan.list_id):
            try:
                found = chat.keywords.get(plan.list_id)
            except CometChatError:
                found = None
        entry = self._begin(chat.base_url, plan, app, unsettled, found)
        try:
            update = chat.keywords.apply(plan, max_removed=max_removed)
        except CometChatError as error:
            self._finish_failed(entry, error)
            raise
        self._finish(entry, update)
        return update

    # Outcomes.

    def settle(self, chat: Client, list_id: str) -> None:
        """Find out the outcomes of unknown updates of a list. The list is read only if there are such updates.

        Raises:
            JournalError: the journal cannot be read or written.
            CometChatError: any error of reading the list.
        """
        if unsettled := self._unsettled(chat.base_url, list_id):
            self._settle(unsettled, chat.keywords.get(list_id))

    def is_settled(self, list_id: str, *, app: str) -> bool:
        """Whether the history of a list is complete without reading the list; see `settle`.

        Args:
            list_id: the list's identifier.
            app: the base URL of the app.

        Raises:
            JournalError: the journal cannot be read.
        """
        return not self._unsettled(app, list_id)

    def _unsettled(self, base_url: str, list_id: str) -> Unsettled:
        wanted = storable(list_id)
        return self._store.read(lambda connection: queries.select_unsettled(connection, base_url, wanted), Unsettled())

    def _settle(self, unsettled: Unsettled, found: KeywordList) -> None:
        self._store.write(lambda connection: _record_found(connection, unsettled, found))

    # Recording.

    def _begin(
        self, base_url: str, plan: KeywordPlan, app: str, unsettled: Unsettled, found: KeywordList | None
    ) -> _Entry:
        """Record an update before it is sent."""
        hidden, started_at = plan.current is None, time.time()
        values = {
            "app": storable(app),
            "base_url": base_url,
            "list_id": plan.list_id,
            "started_at": started_at,
            "user": storable(_user()),
            "program": storable(Path(sys.argv[0]).name),
            "session": self._session,
            "outcome": "unknown",
            "revision_before": text_or_none(plan.revision_id),
            "updated_before": text_or_none(plan.keyword_list.updated_at),
            "added": None if hidden else len(plan.added),
            "removed": None if hidden else len(plan.removed),
            "plan": storable("\n".join(describe_plan(plan))),
        }
        before, planned = ListState.of_list(plan.keyword_list), ListState.of_plan(plan)
        end = time.monotonic() + self._lock_timeout

        def insert(connection: sqlite3.Connection) -> int:
            if found is not None:
                _record_found(connection, unsettled, found)
            # The service has no condition for an update. If two programs check the list and then update it at the same
            # time, one of the updates is lost. A killed program never ends its update, so this does not wait for ever.
            if queries.is_running(connection, base_url, plan.list_id) and time.monotonic() < end:
                raise TryAgain
            return queries.insert_update(connection, values, before, planned)

        self._make_folder()
        return _Entry(self._store.write(insert), started_at)

    def _finish(self, entry: _Entry, update: KeywordUpdate) -> None:
        outcome: RevisionOutcome = "recovered" if update.recovered else "done"
        self._record(entry, outcome, _note(update), update.keyword_list)

    def _finish_failed(self, entry: _Entry, error: CometChatError) -> None:
        note = " ".join([str(error), *getattr(error, "__notes__", ())])
        self._record(entry, _outcome_of(error), note, None)

    def _record(self, entry: _Entry, outcome: RevisionOutcome, note: str, found: KeywordList | None) -> None:
        """Record an outcome. An update that was sent is not undone if that fails, so the error is only logged."""

        advice = "It stays unknown until the list is read again."

        def record(connection: sqlite3.Connection) -> bool:
            return queries.record_outcome(connection, entry.number, outcome, note, found, started_at=entry.started_at)

        try:
            # A file that was deleted is not created again: it would be a journal without this update.
            if self._store.write_existing(record):
                return
            reason = f"the journal {self.path} was deleted or replaced while the update was sent"
            advice = "The journal does not have this update, so it cannot undo it."
        except JournalError as error:
            reason = str(error)
        _logger.warning("the outcome of update %d could not be recorded: %s. %s", entry.number, reason, advice)

    def _make_folder(self) -> None:
        if self._makes_folder:
            try:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise JournalError(f"the folder {self.path.parent} cannot be created: {error.strerror}") from error

    # Reading.

    def history(self, list_id: str, *, app: str | None = None) -> tuple[Revision, ...]:
        """The updates of a list, the oldest first.

        Args:
            list_id: the list's identifier.
            app: the base URL of an app, or a name under which it was recorded; `None` for all apps. All names of one
                base URL share the history.

        Raises:
            JournalError: the journal cannot be read.
        """
        wanted = storable(list_id)
        return tuple(self._store.read(lambda connection: queries.select_history(connection, wanted, app), ()))

    def revision(self, number: int) -> RevisionDetail:
        """An update with the content of the list before and after it.

        Args:
            number: the number that `history` shows.

        Raises:
            InvalidRequestError: the journal has no such update.
            JournalError: the journal cannot be read.
        """
        if (detail := self._store.read(lambda connection: queries.select_detail(connection, number), None)) is None:
            raise InvalidRequestError(f"the journal {self.path} has no update {number}")
        return detail

    def known_lists(self, app: str | None = None, *, session: str | None = None) -> tuple[str, ...]:
        """The identifiers of all lists in the journal, the latest update first.

        Args:
            app: the base URL or the name of an app; `None` for all apps.
            session: only the lists that have an update of this session, as `Revision.session` shows it.

        Raises:
            JournalError: the journal cannot be read.
        """
        return tuple(self._store.read(lambda connection: queries.select_lists(connection, app, session), ()))

    # Undo.

    def last_update(self, list_id: str, *, app: str) -> Revision | None:
        """The last update of a list that was carried out, or whose outcome is unknown.

        Args:
            list_id: the list's identifier.
            app: the base URL or the name of the app.

        Raises:
            JournalError: the journal cannot be read.
        """
        return next((each for each in reversed(self.history(list_id, app=app)) if _may_be_carried_out(each)), None)

    def rollback_plan(self, chat: Client, list_id: str, to: int | None = None) -> KeywordPlan:
        """Plan an update that restores an earlier content of a list. Nothing is sent; apply the plan with `apply`.

        The plan restores the category, the entries, the name and the description. A name or description that was empty
        cannot be restored, because an update cannot remove it.

        Args:
            chat: the client of the app.
            list_id: the list's identifier.
            to: the number of an update: restore the content after it. 0 restores the content before the first update
                in the journal. `None` undoes the last update: it restores the content before it. An undone update is
                an update as well, so `None` after a rollback undoes the rollback.

        Raises:
            InvalidRequestError: the journal has no such update of this list in this app, or its content cannot be
                restored.
            JournalError: the journal cannot be read or written.
            CometChatError: any error of reading the list.
        """
        self.settle(chat, list_id)
        return chat.keywords.plan(list_id, self._content_for(chat.base_url, list_id, to))

    def _content_for(self, base_url: str, list_id: str, to: int | None) -> KeywordListInput:
        history = self.history(list_id, app=base_url)
        if to is not None and to != 0:
            return self._content_after(to, history, list_id)
        chosen = [each.number for each in history if _may_be_carried_out(each)]
        if not chosen:
            raise InvalidRequestError(f"the journal {self.path} has no update of {list_id} in this app to undo")
        number = chosen[-1] if to is None else chosen[0]
        return _content(self.revision(number).before, f"the content of {list_id} before update {number}")

    def _content_after(self, number: int, history: Sequence[Revision], list_id: str) -> KeywordListInput:
        found = next((each for each in history if each.number == number), None)
        if found is None:
            raise InvalidRequestError(f"update {number} is not in the history of {list_id} in this app")
        if found.outcome not in CARRIED_OUT:
            outcome = found.outcome.replace("_", " ")
            raise InvalidRequestError(
                f"update {number} of {list_id} is not known to be carried out (its outcome: {outcome}); "
                "name another update"
            )
        return _content(self.revision(number).after, f"the content of {list_id} after update {number}")


class _Entry(NamedTuple):
    """An update that was recorded before it was sent."""

    number: int
    started_at: float


def _record_found(connection: sqlite3.Connection, unsettled: Unsettled, found: KeywordList) -> None:
    """Record the outcomes that a list shows."""
    queries.record_verdicts(connection, tuple(settle(unsettled.pending, found, datetime.now(UTC))), found)
    late = unsettled.late_update(found)
    if late is not None and unsettled.latest is not None:
        queries.record_late_update(connection, late, unsettled.latest, found)


def _check(plan: object, base_url: str, max_removed: float) -> None:
    """Refuse a plan that `Keywords.apply` refuses before it sends anything: there is nothing to record."""
    if not isinstance(plan, KeywordPlan):
        raise InvalidRequestError(f"plan must be the result of keywords.plan(), not {type(plan).__name__}")
    plan.check_app(base_url)
    plan.check_removed(max_removed)


def _content(state: ListState, name: str) -> KeywordListInput:
    try:
        return state.to_input()
    except InvalidRequestError as error:
        raise InvalidRequestError(f"{name} cannot be restored: {error}") from None


def _may_be_carried_out(revision: Revision) -> bool:
    return revision.outcome not in ("refused", "not_sent")


def _outcome_of(error: CometChatError) -> RevisionOutcome:
    if error.outcome_unknown:
        return "unknown"
    answered = isinstance(error, ApiError | UnexpectedResponse) and error.operation == _UPDATE
    return "refused" if answered else "not_sent"


def _note(update: KeywordUpdate) -> str:
    """A sentence about an update that was carried out; empty if the list matches it."""
    if update.error is not None:
        return f"The list could not be read back: {update.error}"
    if update.matches is None:
        return "The entries are not verified, because the service does not show them."
    if update.matches:
        return ""
    counts = f"{len(update.missing)} missing, {len(update.unexpected)} unexpected"
    return f"The list that was read back differs: {', '.join([counts, *update.differing_fields])}."


def _user() -> str:
    """The user of this computer; empty if it is unknown."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""
