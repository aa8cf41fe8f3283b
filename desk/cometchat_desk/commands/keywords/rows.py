"""Rows of commands about lists in apps: the plan of each list in each app, the problems, and the
result."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from attrs import define

from cometchat_desk.exit_codes import Code, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.lint import Finding
from cometchat_desk.messages import joined, print_error, reason_for
from cometchat_desk.terminal.columns import Record
from cometchat_desk.terminal.text import Command
from cometchat_desk.wording import HIDDEN, many
from cometchat_rest import CometChatError, KeywordPlan, KeywordUpdate
from cometchat_rest.keywords.text import readable

# The number of entries that a result names.
_NAMED = 5


@define(kw_only=True, eq=False)
class Row:
    """One list in one app."""

    app: str  # the name of the app; empty if it has none
    keyword_id: str  # the list's identifier
    address: str | None = None  # the base URL of the app; `None` if its settings are invalid
    plan: KeywordPlan | None = None  # `None` after an error, and without a change
    file: Path | None = None  # the file with the whole new content
    findings: Sequence[Finding] = ()  # the findings of the linter in the new entries
    # why the list was not updated, or why the outcome is unknown
    error: CometChatError | None = None
    # whether the new entries must not be sent, so that a command without a question sends nothing
    stops_all: bool = False
    # the result of the update; `None` if no update was sent, or its outcome is unknown
    update: KeywordUpdate | None = None
    absent: Sequence[str] = ()  # the entries to remove that the list did not have
    # the added and removed entries with which an undo would change what somebody else did
    of_others: Collection[str] = ()
    # the largest share of entries that it may remove; `None`: that of the command
    max_removed: float | None = None
    # the command that undoes the update; `None` without an update, or if it cannot be undone
    undo: Command | None = None

    @property
    def named_error(self) -> CallError | None:
        """The error with its app, for people."""
        return (
            None
            if self.error is None
            else CallError(self.error, self.app, self.address or "", self.keyword_id)
        )

    @property
    def pending(self) -> KeywordPlan | None:
        """The plan, if nothing prevents it and it may change the list. Hidden entries may
        always change."""
        plan = self.plan
        if self.error is not None or plan is None:
            return None
        return plan if plan.has_changes or plan.current is None else None

    @property
    def outcome(self) -> str:
        """The result in one word, for programs."""
        if self.error is not None:
            return "unknown" if self.error.outcome_unknown else "failed"
        if self.update is None:
            return "planned" if self.pending is not None else "unchanged"
        return {True: "updated", False: "different", None: "unverified"}[self.update.matches]

    @property
    def code(self) -> Code:
        """The exit code for this result."""
        error = self.error if self.update is None else self.update.error
        if error is not None:
            return code_for(error)
        return Code.CONFLICT if self.outcome == "different" else Code.DONE

    def record(self) -> Record:
        """The result as a record for programs."""
        update = self.update
        before = None if self.plan is None else self.plan.revision_id
        now = before if self.outcome in ("unchanged", "planned") else None
        sent = None if self.outcome in ("failed", "unchanged") else self.plan
        return {
            "app": self.app or None,
            "keyword_id": self.keyword_id,
            "outcome": self.outcome,
            "previous_revision": before,
            "revision_id": now if update is None else update.keyword_list.revision_id,
            **_changes(sent),
            **_differences(update),
            "absent": self.absent,
            "recovered": update is not None and update.recovered,
            "exit_code": int(self.code),
            "error": None if self.named_error is None else reason_for(self.named_error),
            "undo": self.undo,
        }

    def sentences(self) -> str:
        """The result for people, before the command that undoes it."""
        sentences = [f"{self.app}: {self._result()}" if self.app else self._result()]
        sentences += ["Undo:"] if self.undo else []
        return joined(sentences)

    def _result(self) -> str:
        update = self.update
        keyword_id = self.keyword_id
        if update is None:
            if self.pending is not None:
                return (
                    f"{keyword_id} would be updated: {_counts(self.pending)}. No update was sent."
                )
            if self.absent:
                return f"{keyword_id} does not have {_some(self.absent)}: no update was sent."
            return f"{keyword_id} is already as requested: no update was sent."
        if update.error is not None:
            return (
                f"{keyword_id} was updated, but reading it back failed: {reason_for(update.error)}"
            )
        if update.matches is None:
            return f"{keyword_id} was updated. The entries are not verified: {HIDDEN}."
        if update.matches:
            lost = (
                " The response to the update was lost, but the list that was read back matches it."
                if update.recovered
                else ""
            )
            return f"{keyword_id} updated: {_counts(self.plan)}.{lost}"
        missing = many(len(update.missing), "entry is missing", "entries are missing")
        different = ", ".join(
            [missing, f"{len(update.unexpected):,} unexpected", *update.differing_fields]
        )
        return f"{keyword_id} was updated, but differs from the request: {different}."


def _changes(sent: KeywordPlan | None) -> Record:
    """The entries that an update adds and removes."""
    if sent is None:
        return {"added": (), "removed": ()}
    return {"added": sent.added, "removed": sent.removed}


def _differences(update: KeywordUpdate | None) -> Record:
    """How a list that was read back differs from its update."""
    if update is None:
        return dict.fromkeys(("missing", "unexpected", "differing_fields"), ())
    return {
        "missing": update.missing,
        "unexpected": update.unexpected,
        "differing_fields": update.differing_fields,
    }


def _counts(plan: KeywordPlan | None) -> str:
    """The changes of a plan in words: `2 added (spam, free coins), changed: name`."""
    if plan is None or plan.current is None:
        return "the number of changes is unknown"
    counts = [
        f"{len(entries):,} {done} ({_some(entries)})"
        for entries, done in ((plan.added, "added"), (plan.removed, "removed"))
        if entries
    ]
    return ", ".join([*counts, *(f"changed: {name}" for name in plan.changed_fields)])


def _some(entries: Sequence[str]) -> str:
    """The first entries, and the number of the others."""
    names = [f'"{entry}"' if "," in entry else entry for entry in map(readable, entries[:_NAMED])]
    if len(entries) > _NAMED:
        names.append(f"and {len(entries) - _NAMED:,} more")
    return ", ".join(names)


def print_errors(rows: Iterable[Row]) -> None:
    """Print the error of each row with its place. An error that all lists of an app share is
    printed once."""
    errors: dict[int, CallError | None] = {}
    for row in rows:
        errors.setdefault(id(row.error), row.named_error)
    for error in filter(None, errors.values()):
        print_error(reason_for(error, check=True))
