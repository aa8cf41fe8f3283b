"""`cometchat-desk reviewed explain`: why a message was reviewed."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Annotated, TypeAlias

import typer
from attrs import asdict
from rich.text import Text

import cometchat_rest
from cometchat_desk.commands.command import command, open_client
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.insight.explain import Explanation, ListExplanation
from cometchat_desk.insight.explain import explain as explain_message
from cometchat_desk.insight.latest import read_latest
from cometchat_desk.insight.matcher import Match
from cometchat_desk.insight.record import Record as Reviewed
from cometchat_desk.insight.records import open_records
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.table import console, write
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import KeywordList

from .records import MostRecords, RecordFiles

GetList: TypeAlias = "Callable[[str], KeywordList]"

# Characters of a long text that are shown around a match, and at the beginning of a text without a match.
_AROUND, _BEGINNING = 200, 1000

_WHERE_TO_FIND = (
    "Identifiers, such as 390079, are in the output of cometchat-desk reviewed list and in the column message_id of an "
    "export"
)


@command()
def explain(
    target: Target,
    message_id: Annotated[str, typer.Argument(metavar="MESSAGE_ID", help="The identifier of the message.")],
    files: RecordFiles = None,
    limit: MostRecords = None,
    *,
    output_format: Format,
) -> Code:
    """Show who wrote a message, which rule found it, and which terms of the rule's list it contains now.

    The terms come from the list as it is now, because the service does not show what a rule found. The service does not
    document how it matches, so the terms may differ.

    Examples:
      cometchat-desk reviewed explain 390079
      cometchat-desk reviewed explain 390079 --records reviewed.jsonl
    """
    if len(message_id.split()) > 1:
        raise StopError(Code.USAGE, f"MESSAGE_ID is the identifier of a message, not its text. {_WHERE_TO_FIND}")
    get_list = _list_reader(target)
    records = _find(target, message_id, files, limit)
    with ProgressNote("Reading the lists of the rule"):
        explanations = [explain_message(record, get_list) for record in records]
    _show(explanations, output_format)
    lists = [explained for explanation in explanations for explained in explanation.lists]
    errors = {explained.list_id: explained.error for explained in lists if explained.error is not None}
    for list_id, error in errors.items():
        print_error(f"{visible(list_id)}: the list could not be read, so its terms are missing: {reason_for(error)}")
    return max((code_for(error) for error in errors.values()), default=Code.DONE)


def _find(target: Target, message_id: str, files: Sequence[str] | None, limit: int | None) -> Sequence[Reviewed]:
    """The records of a message: one for each rule that found it."""
    if files:
        with ProgressNote("Searching the message"):
            matching = [record for record in open_records(files) if record.message_id == message_id]
        where = f"there is no message {visible(message_id)} in {visible(', '.join(files))}"
        advice = "check the identifier, or search another export"
    else:
        with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
            latest = read_latest(chat, limit)
        summaries = map(Reviewed.of, latest.records)
        matching = [record for record in summaries if record.message_id == message_id]
        where = f"message {visible(message_id)} is not among the {len(latest.records):,} records of the service"
        if limit is None or not latest.is_full:
            where += ", and it lists no older ones"
        more = "leave --limit out, or " if limit is not None and latest.is_full else ""
        advice = f"{more}search an export with --records FILE. To keep all records, run reviewed export regularly"
    if not matching:
        raise StopError(Code.NOT_FOUND, f"{where}: {advice}. {_WHERE_TO_FIND}")
    return matching


def _list_reader(target: Target) -> GetList:
    """A function that reads a list, once for each identifier. It makes a client only if a rule names a list."""
    known: dict[str, KeywordList] = {}

    def get_list(list_id: str) -> KeywordList:
        if list_id not in known:
            try:
                with open_client(target) as chat:
                    known[list_id] = chat.keywords.get(list_id)
            except StopError as error:
                # The record is useful without the list.
                raise cometchat_rest.ConfigurationError(str(error)) from None
            except CallError as error:
                if isinstance(error.error, cometchat_rest.NotFoundError):
                    # The explanation says itself that there is no such list.
                    raise error.error from None
                raise
        return known[list_id]

    return get_list


# Output.


def _problem(explained: ListExplanation) -> str | None:
    """The problem with a list, without the names of functions."""
    if explained.error is None:
        return explained.problem
    return f"the list could not be read: {reason_for(explained.error)}"


def _show(explanations: Sequence[Explanation], output_format: Format) -> None:
    if output_format is OutputFormat.TABLE:
        for explanation in explanations:
            _show_one(explanation)
            write("")
        write(f"! {explanations[0].rules}", "yellow")
        return
    print_error(explanations[0].rules)
    if output_format is OutputFormat.CSV:
        show((row for explanation in explanations for row in _rows(explanation)), _CSV, output_format)
    else:
        show(map(_record, explanations), (), output_format)


def _record(explanation: Explanation) -> Record:
    """An explanation as a record for programs."""
    message = explanation.message
    names = ("message_id", "message_type", "text", "sender", "sender_name", "receiver_type", "receiver")
    return {
        **{name: getattr(message, name) for name in (*names, "receiver_name", "conversation_id")},
        "sent_utc": _utc(message.sent_utc),
        "reviewed_utc": _utc(message.created_utc),
        **{name: getattr(message, name) for name in ("rule_id", "rule_name")},
        "rule_revision_id": message.revision_id,
        "condition": message.condition_message,
        "actions": message.action,
        "status": message.status,
        "problem": explanation.problem,
        "lists": [
            {
                "list_id": explained.list_id,
                "category": explained.category,
                "revision_id": explained.revision_id,
                "updated_utc": _utc(explained.updated_at),
                "changed_since": explained.changed_since,
                "deleted": explained.deleted,
                "problem": _problem(explained),
                "matches": [asdict(match) for match in explained.matches],
                "unsupported_patterns": [asdict(pattern) for pattern in explained.unsupported],
                "sentences_not_matched": explained.sentences,
            }
            for explained in explanation.lists
        ],
        "rules": explanation.rules,
    }


def _rows(explanation: Explanation) -> Iterator[Record]:
    """One row for each match. A message without a match has one row, with empty cells."""
    record = _record(explanation)
    matches: list[Record] = [
        {"list_id": explained.list_id, **asdict(match)}
        for explained in explanation.lists
        for match in explained.matches
    ]
    for match in matches or [dict.fromkeys(("list_id", "term", "start", "end"))]:
        yield {**record, **match}


_CSV = tuple(
    Column(title=name, value=itemgetter(name))
    for name in (
        *("message_id", "sent_utc", "reviewed_utc", "sender", "receiver_type", "receiver", "rule_name", "condition"),
        *("actions", "status", "list_id", "term", "start", "end", "text"),
    )
)


def _utc(time: datetime | None) -> str | None:
    return None if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def _show_one(explanation: Explanation) -> None:
    message = explanation.message
    kind = "group " if message.receiver_type == "group" else ""
    _line("Message", f"{message.message_id}, {message.message_type or 'of an unknown type'}")
    _line("From", _with_id(message.sender_name, message.sender))
    _line("To", kind + _with_id(message.receiver_name, message.receiver))
    for title, time in (("Sent", message.sent_utc), ("Reviewed", message.created_utc)):
        _line(title, f"{_utc(time) or 'unknown'} UTC")
    _line("Rule", _with_id(message.rule_name, message.rule_id))
    _line("Condition", _with_id(message.condition_message, None))
    _line("Action", ", ".join(message.action) or "none")
    _line("Status", (message.status or "unknown", "green" if message.status == "approved" else ""))
    _line("Text", *_parts(message.text or "", _matches(explanation)))
    if explanation.problem:
        _line("List", (explanation.problem, "dim"))
    for explained in explanation.lists:
        _show_list(explained)


def _matches(explanation: Explanation) -> Sequence[Match]:
    return [match for explained in explanation.lists for match in explained.matches]


def _show_list(explained: ListExplanation) -> None:
    revision = f"revision {explained.revision_id}" if explained.revision_id else None
    _line("List", ", ".join(filter(None, (explained.list_id, explained.category, revision))))
    if explained.changed_since:
        changed = f"changed at {_utc(explained.updated_at)} UTC, after the review: it may have had other terms"
        _line("", (changed, "yellow"))
    if problem := _problem(explained):
        _line("", (problem, "yellow"))
    elif not explained.matches:
        _line("", ("the text contains no term of this list now", "yellow"))
    for match in explained.matches:
        _line("", (f"{match.term}  at characters {match.start + 1:,}-{match.end:,}", "bold"))
    for pattern in explained.unsupported:
        unused = f"not used, because RE2 does not support the syntax: {pattern.pattern}  ({pattern.reason})"
        _line("", (unused, "yellow"))
    if explained.sentences:
        _line("", (f"{many(explained.sentences, 'sentence was', 'sentences were')} not matched", "yellow"))


def _with_id(name: str | None, identifier: str | None) -> str:
    if name and identifier and name != identifier:
        return f"{name} ({identifier})"
    return name or identifier or "unknown"


def _line(title: str, *parts: str | tuple[str, str]) -> None:
    """Write a line of parts, each with its style."""
    styled = (part if isinstance(part, tuple) else (part, "") for part in parts)
    label = f"{title}:" if title else ""
    texts = ((visible(text), style) for text, style in styled)
    console().print(Text.assemble((f"{label:<11}", "bold"), *texts), soft_wrap=True)


def _parts(text: str, matches: Sequence[Match]) -> Iterator[tuple[str, str]]:
    """The parts of a text with their styles: matches stand out, and a long text is shown around them only."""
    if not matches:
        yield (text[:_BEGINNING], "") if text else ("none", "dim")
        if len(text) > _BEGINNING:
            yield f"... ({len(text):,} characters)", "dim"
        return
    end = 0
    for start, last in [*_joined(matches), (len(text), len(text))]:
        if start - end <= 2 * _AROUND:
            yield text[end:start], ""
        else:
            yield text[end : end + _AROUND] if end else "", ""
            yield " ... ", "dim"
            yield text[start - _AROUND : start] if start < len(text) else "", ""
        yield text[start:last], "bold reverse"
        end = last


def _joined(matches: Sequence[Match]) -> list[tuple[int, int]]:
    """The spans of matches from left to right; overlapping spans become one."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((match.start, match.end) for match in matches):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return spans
