"""`Journal`: record each update before it is sent, see outcomes later, and plan how to undo an
update."""

import contextlib
import getpass
import logging
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import platformdirs

from cometchat_desk.lists.plan_changes import Answer, plan_content, quotes_of
from cometchat_desk.lists.plan_text import describe_plan
from cometchat_rest import (
    Client,
    KeywordList,
    KeywordListInput,
    KeywordPlan,
    KeywordUpdate,
    keyword_input,
)
from cometchat_rest.errors import (
    ApiError,
    CometChatError,
    InvalidRequestError,
    UnexpectedResponse,
)
from cometchat_rest.keyword_input import Quotes

from . import queries
from .records import (
    CARRIED_OUT,
    ListState,
    Revision,
    RevisionDetail,
    RevisionOutcome,
    storable,
    text_or_none,
)
from .store import JournalError, Store
from .undoing import changes_of_others, without_update

#: The environment variable with the path of the journal.
JOURNAL_VARIABLE: Final = "COMETCHAT_JOURNAL"

# Seconds to wait for an update of the same list by another program; longer than the deadline of its
# calls.
_LONGEST_UPDATE = 300.0
_logger = logging.getLogger("cometchat_rest.desk")


def default_path() -> Path:
    """The path of the journal: `COMETCHAT_JOURNAL`, or a file in the user's state folder."""
    path = os.environ.get(JOURNAL_VARIABLE)
    if path:
        return Path(path)
    try:
        return platformdirs.user_state_path("cometchat-desk", appauthor=False) / "journal.sqlite3"
    except RuntimeError:
        raise JournalError(
            f"no home directory, so there is no default journal: set {JOURNAL_VARIABLE}"
        ) from None


def user_name() -> str:
    """The name of the user; empty if the system does not know it."""
    with contextlib.suppress(KeyError, OSError, ImportError):
        return getpass.getuser()
    return ""


class Journal:
    """A file that records the updates of keyword lists, so that each update can be seen and undone.

    An update is recorded before it is sent, and its outcome afterwards. If the program is killed in
    between, the outcome stays `unknown`: an undo removes what the list shows of the update.

    The journal holds no API key and no token. Each method raises `JournalError` if the file cannot
    be used. Apps are named by their base URL.
    """

    def __init__(
        self, path: Path | None = None, *, command: str = "", lock_timeout: float = 5.0
    ) -> None:
        """Name the journal. The file is created when the first update is recorded."""
        self.path = path or default_path()
        self._makes_folder = path is None and not os.environ.get(JOURNAL_VARIABLE)
        self._command = command
        self.session = uuid.uuid4().hex
        #: The numbers of the updates that this object recorded, by the app's address and the list
        self.numbers: dict[tuple[str, str], int] = {}
        self._store = Store(self.path, lock_timeout=lock_timeout)

    def check(self) -> None:
        """Make sure that updates can be recorded. The file is created if it does not exist."""
        if self._makes_folder:
            try:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise JournalError(
                    f"the folder {self.path.parent} cannot be created: {error.strerror}"
                ) from None
        # Reading a row fails if the file is damaged there.
        self._store.write(
            lambda connection: connection.execute("SELECT max(number) FROM updates").fetchone()
        )

    def apply(
        self,
        chat: Client,
        plan: KeywordPlan,
        *,
        app: str = "",
        reason: str = "",
        max_removed: float | None = None,
    ) -> KeywordUpdate:
        """Record a planned update, apply it with `Keywords.apply`, and record its outcome.

        A `JournalError` says that the update was not sent. `app` and `reason` are what the journal
        shows.
        """
        # A plan that is refused before anything is sent is not recorded.
        plan.check_app(chat.base_url)
        plan.check_removed(max_removed)
        self.check()
        with self._store.lock(f"{chat.base_url} {plan.keyword_id}", _LONGEST_UPDATE):
            number = self._begin(chat.base_url, plan, app, reason)
            self.numbers[chat.base_url, plan.keyword_id] = number
            try:
                update = chat.keywords.apply(plan, max_removed=max_removed)
            except CometChatError as error:
                note = " ".join([str(error), *getattr(error, "__notes__", ())])
                self._finish(number, _outcome_of(error), note)
                raise
            outcome: RevisionOutcome = "recovered" if update.recovered else "done"
            shown = keyword_input.list_entries(update.keyword_list) or ()
            quotes = ListState.of_plan(plan).quotes_in(shown)
            self._finish(number, outcome, _note(update), update.keyword_list, quotes)
            return update

    def _begin(self, base_url: str, plan: KeywordPlan, app: str, reason: str) -> int:
        """Record an update before it is sent; return its number."""
        hidden = plan.current is None
        values = {
            "app": storable(app),
            "base_url": base_url,
            "keyword_id": plan.keyword_id,
            "started_at": time.time(),
            "user": storable(user_name()),
            "command": self._command,
            "session": self.session,
            "reason": storable(reason),
            "outcome": "unknown",
            "revision_before": text_or_none(plan.revision_id),
            "added": None if hidden else len(plan.added),
            "removed": None if hidden else len(plan.removed),
            "before": ListState.of_list(plan.keyword_list, plan.quotes),
            "planned": ListState.of_plan(plan),
            "plan": storable("\n".join(describe_plan(plan))),
        }
        return self._store.write(lambda connection: queries.insert_update(connection, values))

    def _finish(
        self,
        number: int,
        outcome: RevisionOutcome,
        note: str,
        keyword_list: KeywordList | None = None,
        quotes: Quotes | None = None,
    ) -> None:
        """Record an outcome. An update that was sent is not undone if that fails, so the error
        is only logged."""
        try:
            self._store.write(
                lambda connection: queries.record_outcome(
                    connection, number, outcome, note, keyword_list, quotes
                )
            )
        except JournalError as error:
            _logger.warning(
                "the outcome of update %d could not be recorded: %s. It stays unknown.",
                number,
                error,
            )

    def history(
        self, keyword_id: str | None = None, *, app: str | None = None
    ) -> tuple[Revision, ...]:
        """The updates of a list, the oldest first; without a list or an app, those of all lists
        or apps."""
        places = "keyword_id = coalesce(?, keyword_id) AND base_url = coalesce(?, base_url)"
        values = (text_or_none(keyword_id), text_or_none(app))
        return tuple(
            self._store.read(
                lambda connection: queries.select(connection, Revision, places, values), ()
            )
        )

    def revision(self, number: int) -> RevisionDetail:
        """An update with the content of the list before and after it."""
        # SQLite has no larger numbers.
        values = (number if abs(number) < 2**63 else None,)
        updates: Sequence[RevisionDetail] = self._store.read(
            lambda connection: queries.select(connection, RevisionDetail, "number = ?", values), ()
        )
        if not updates:
            raise InvalidRequestError(
                f"{self.path} has no update {number}; see cometchat-desk keywords history"
            )
        return updates[0]

    def answer(self, quotes: Quotes | None) -> Answer:
        """To what the double quotes of a list belong: as the last update sent the entries that it
        shows in double quotes, or else as the user says; see `Quotes`."""

        def answer(base_url: str, keyword_id: str, keyword_list: KeywordList) -> Quotes | None:
            shown = keyword_input.list_entries(keyword_list) or ()
            with contextlib.suppress(JournalError):
                done = self.carried_out(keyword_id, base_url)
                planned = self.revision(done[-1].number).planned if done else None
                known = planned and planned.quotes_in(shown)
                return known or quotes or _quotes_of_file(shown)
            return quotes or _quotes_of_file(shown)

        return answer

    def read_list(
        self, chat: Client, keyword_id: str, quotes: Quotes | None = None
    ) -> tuple[KeywordList, Quotes | None]:
        """Read a list; to what the double quotes belong that it shows: see `answer`."""
        keyword_list = chat.keywords.get(keyword_id)
        return keyword_list, quotes_of(self.answer(quotes), chat.base_url, keyword_id, keyword_list)

    def known_lists(self, app: str | None = None) -> tuple[str, ...]:
        """The identifiers of all lists in the journal, the latest update first; without an app,
        those of all apps."""
        return tuple(dict.fromkeys(update.keyword_id for update in reversed(self.history(app=app))))

    def carried_out(self, keyword_id: str, app: str) -> Sequence[Revision]:
        """The updates that may have changed a list, the oldest first."""
        return [update for update in self.history(keyword_id, app=app) if update.may_be_carried_out]

    def plan_undo(
        self,
        chat: Client,
        keyword_id: str,
        number: int | None = None,
        quotes: Quotes | None = None,
    ) -> KeywordPlan | None:
        """Plan an update that undoes one update of a list, by default the last one.

        It removes what that update added, and adds what it removed; what others did since stays. A
        name or description that was empty cannot be restored, because an update cannot remove it.
        `quotes` is as for `keywords.plan()`, also for the content before that update. Nothing is
        sent; apply the plan with `apply`. The result is `None` if an undo changes nothing in an
        empty list.
        """
        update = self.update_to_undo(keyword_id, chat.base_url, number)
        before = self._content_before(update, quotes)
        shown, answer = self.read_list(chat, keyword_id, quotes)
        later = self._later(keyword_id, chat.base_url, update.number)
        content = without_update(shown, answer, update, before, later)
        if content is None:
            return None
        return KeywordPlan.compare(
            keyword_id,
            shown,
            content,
            quotes=answer,
            change_category=True,
            base_url=chat.base_url,
        )

    def update_to_undo(self, keyword_id: str, app: str, number: int | None) -> RevisionDetail:
        """The update of a list with this number, or the last one, if the list may have it."""
        done = self.carried_out(keyword_id, app)
        if number is None and not done:
            raise InvalidRequestError(
                f"the journal {self.path} has no update of the list {keyword_id} in this app. Undo"
                " an update of another computer on that computer, or use keywords add, remove or"
                " apply"
            )
        if number is not None and number not in [update.number for update in done]:
            raise InvalidRequestError(
                f"this app has no update {number} of {keyword_id} to undo; see cometchat-desk"
                f" keywords history {keyword_id}"
            )
        return self.revision(done[-1].number if number is None else number)

    def _content_before(self, update: RevisionDetail, quotes: Quotes | None) -> KeywordListInput:
        name = f"the content of {update.keyword_id} before update {update.number}"
        return _content(update.before, name, quotes)

    def plan_restore(
        self, chat: Client, keyword_id: str, to: int, quotes: Quotes | None = None
    ) -> KeywordPlan:
        """Plan an update that restores the content of a list after the update `to`; 0: before the
        first one.

        It also undoes what others did since: see `changes_of_others`. `quotes` is as for
        `plan_undo`.
        """
        if to:
            history = self.history(keyword_id, app=chat.base_url)
            state = self._state_after(to, history, keyword_id)
            name = f"the content of {keyword_id} after update {to}"
            content = _content(state, name, quotes)
        else:
            done = self.carried_out(keyword_id, chat.base_url)
            first = done[0].number if done else None
            content = self._content_before(
                self.update_to_undo(keyword_id, chat.base_url, first), quotes
            )
        return plan_content(chat, keyword_id, content, self.answer(quotes))

    def changes_of_others(self, plan: KeywordPlan, app: str, to: int) -> frozenset[str]:
        """The entries of a plan of `plan_restore` that somebody else has added or removed."""
        return changes_of_others(plan, self._later(plan.keyword_id, app, to))

    def _later(self, keyword_id: str, app: str, number: int) -> Iterator[RevisionDetail]:
        """The updates of a list after the one with this number."""
        for update in self.carried_out(keyword_id, app):
            if update.number > number:
                yield self.revision(update.number)

    def _state_after(self, number: int, history: Sequence[Revision], keyword_id: str) -> ListState:
        outcome = next(
            (revision.outcome for revision in history if revision.number == number), None
        )
        if outcome is None:
            raise InvalidRequestError(
                f"this app has no update {number} of {keyword_id}; see cometchat-desk keywords"
                f" history {keyword_id}"
            )
        if outcome not in CARRIED_OUT:
            problem = f"update {number} was not carried out"
            if outcome == "unknown":
                problem = f"nobody knows whether update {number} was carried out"
            raise InvalidRequestError(f"{problem}; name another update")
        return self.revision(number).after


def _content(state: ListState, name: str, quotes: Quotes | None) -> KeywordListInput:
    try:
        return state.to_input(quotes)
    except InvalidRequestError as error:
        if error.argument == "quotes":
            error.add_note(f"This is {name}.")
            raise
        raise InvalidRequestError(f"{name} cannot be restored: {error}") from None


def _outcome_of(error: CometChatError) -> RevisionOutcome:
    if error.outcome_unknown:
        return "unknown"
    answered = (
        isinstance(error, ApiError | UnexpectedResponse)
        and error.operation == "update_keyword_list"
    )
    return "refused" if answered else "not_sent"


def _note(update: KeywordUpdate) -> str:
    """A sentence about an update that was carried out; empty if the list matches it."""
    if update.error is not None:
        return f"The list could not be read back: {update.error}"
    if update.matches is None:
        return "The entries are not verified, because the service does not show them."
    return "" if update.matches else "The list that was read back differs from the update."


def _quotes_of_file(shown: Sequence[str]) -> Quotes | None:
    """`csv` if each entry in double quotes holds a comma or a line break: only a CSV file can send
    such an entry, and only in quotes."""
    quoted = [entry for entry in shown if keyword_input.unquoted(entry) != entry]
    return "csv" if all(map(keyword_input.SEPARATOR.search, quoted)) else None
