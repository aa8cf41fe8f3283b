"""The checks before a planned update, and the result after it (pure, except for the log);
`resource` makes the calls."""

from collections.abc import Collection, Container, Iterator

from attrs import evolve

from cometchat_openapi.api.keywords import update_keyword_list
from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, RevisionConflictError
from cometchat_rest.keyword_input.entries import entries_of, file_rows, list_entries, unquoted
from cometchat_rest.keyword_input.inputs import KeywordListInput, Quotes
from cometchat_runtime.observe import log

from .plan import KeywordPlan, KeywordUpdate, revision_of, without
from .text import readable

_OPERATION = update_keyword_list.OPERATION.name
# For a text that was never set, the service shows null or an empty text.
_UNSET = (None, "")
# To read the rows of a file takes a hundred times as long as to send them, so it is not done for a
# larger one.
_MOST_COMPARED_BYTES = 2**18


def check_revision(plan: KeywordPlan, now: KeywordList) -> None:
    """Make sure that the list has not changed since the plan was made."""
    if _has_changed(plan, now):
        raise RevisionConflictError(
            "the list has changed since the plan was made: its revision was"
            f" {readable(plan.revision_id)} and is now {readable(now.revision_id)}; make a new"
            " plan",
            path_values={"keyword_id": plan.keyword_id},
            planned_revision=plan.revision_id,
            current_revision=revision_of(now),
        )


def _has_changed(plan: KeywordPlan, now: KeywordList) -> bool:
    if plan.revision_id is not None or now.revision_id is not None:
        return plan.revision_id != revision_of(now)
    before = plan.keyword_list
    return (before.updated_at, list_entries(before)) != (now.updated_at, list_entries(now))


def resolve_update(
    plan: KeywordPlan, sent: KeywordList | CometChatError, now: KeywordList | CometChatError
) -> KeywordUpdate:
    """The result of an update.

    Without a valid response, the service may also carry out the update later: an unchanged list
    does not prove that the update failed.
    """
    if not isinstance(sent, CometChatError):
        if isinstance(now, CometChatError):
            return KeywordUpdate(keyword_list=sent, matches=None, error=now)
        return _result(plan, now)
    if isinstance(now, CometChatError):
        reading = f"Reading the list failed as well: {now}."
    else:
        update = _result(plan, now)
        has_changed = _has_changed(plan, now)
        # A list that already matched before the update shows nothing.
        if update.matches and (has_changed or not _result(plan, plan.keyword_list).matches):
            return evolve(update, recovered=True)
        reading = "The list is still unchanged, but the service may carry out the update later."
        if has_changed:
            reading = (
                f"The revision of the list was {readable(plan.revision_id)} and is now"
                f" {readable(now.revision_id)}, but the list is not known to match the update."
            )
    sent.add_note(f"{reading} Read the list again before you send the update again.")
    raise sent


def _result(plan: KeywordPlan, now: KeywordList) -> KeywordUpdate:
    """The list after the update, compared with the plan."""
    differing = tuple(_differing_fields(plan, now))
    shown = list_entries(now)
    if shown is None:
        matches = False if differing else None
        return KeywordUpdate(keyword_list=now, matches=matches, differing_fields=differing)
    missing, unexpected = _differences(plan.new, plan.entries, shown, plan.quotes)
    return KeywordUpdate(
        keyword_list=now,
        matches=not (missing or unexpected or differing),
        missing=missing,
        unexpected=unexpected,
        differing_fields=differing,
    )


def _differences(
    new: KeywordListInput,
    entries: tuple[str, ...],
    shown: tuple[str, ...],
    quotes: Quotes | None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The entries of an update that a list does not show, and the entries that only the list
    shows."""
    sent = dict.fromkeys(entries)
    listed = dict.fromkeys(_entries_of_rows(new, shown, sent, quotes))
    return without(sent, listed), without(listed, sent)


def _entries_of_rows(
    new: KeywordListInput, rows: tuple[str, ...], sent: Container[str], quotes: Quotes | None
) -> Iterator[str]:
    """The entries that a list shows.

    The service does not document whether it shows the rows of a file with their double quotes.
    """
    entries = file_rows(new)
    for row in rows:
        if row in entries:
            yield entries[row]
        elif quotes == "csv" and row not in sent:
            yield unquoted(row)
        else:
            yield row


def warn_about_response(new: KeywordListInput, now: KeywordList, quotes: Quotes | None) -> None:
    """Log a warning if the response to an update shows other entries than were sent.

    The service may separate entries by another character than the documents say.
    """
    if new.file is not None and len(new.file.content) > _MOST_COMPARED_BYTES:
        return
    shown = list_entries(now)
    if shown is not None:
        missing, unexpected = _differences(new, entries_of(new), shown, quotes)
        warn_about_entries(missing, unexpected)


def warn_about_entries(missing: Collection[str], unexpected: Collection[str]) -> None:
    """Log a warning if a list does not show exactly the entries that were sent."""
    if missing or unexpected:
        log.warning(
            "%s: the list does not show the entries that were sent (missing: %d, unexpected: %d)",
            _OPERATION,
            len(missing),
            len(unexpected),
            extra={
                "event_name": "entries",
                "operation": _OPERATION,
                "missing": len(missing),
                "unexpected": len(unexpected),
            },
        )


def _differing_fields(plan: KeywordPlan, now: KeywordList) -> Iterator[str]:
    """The fields that are not as sent, or were not sent and have changed: the service may clear
    what is not sent."""
    for name in ("category", "id", "name", "description", "active", "default"):
        sent = getattr(plan.new, name, None)
        current = getattr(now, name)
        expected = getattr(plan.keyword_list, name) if sent is None else sent
        if current != expected and not (current in _UNSET and expected in _UNSET):
            yield name
