"""`cometchat-desk reviewed explain`: why a message was reviewed."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import command, open_client
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Output, OutputFormat, format_for, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many

from .messages import group
from .records import MostRecords

if TYPE_CHECKING:
    from cometchat_desk.insight.explain import Explanation, ListExplanation
    from cometchat_desk.insight.matcher import Match
    from cometchat_desk.insight.records import Record as Reviewed
    from cometchat_rest import KeywordList

GetList: TypeAlias = "Callable[[str], KeywordList]"

# Characters of a long text that are shown around a match, and at the beginning of a text without a match.
_AROUND, _BEGINNING = 200, 1000

_WHERE_TO_FIND = (
    "Identifiers, such as 390079, are in the output of cometchat-desk reviewed list and in the column message_id of an "
    "export"
)


@command(
    group,
    examples=[
        "cometchat-desk reviewed explain 390079",
        "cometchat-desk reviewed explain 390079 --in reviewed.jsonl",
    ],
)
def explain(
    target: Target,
    message_id: Annotated[str, typer.Argument(metavar="MESSAGE_ID", help="The identifier of the message.")],
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--in",
            metavar="FILE",
            help="An exported file with the record. Repeat it for several files. Default: the latest records of the "
            "service.",
        ),
    ] = None,
    limit: MostRecords = None,
    output: Output = None,
) -> Code:
    """Show who wrote a message, which rule found it, and which terms of the rule's list it contains now.

    The terms come from the list as it is now, because the service does not show what a rule found. The service does not
    document how it matches, so the terms may differ.
    """
    from cometchat_desk.insight.explain import explain as explain_message

    if len(message_id.split()) > 1:
        raise StopError(Code.USAGE, f"MESSAGE_ID is the identifier of a message, not its text. {_WHERE_TO_FIND}")
    get_list = _list_reader(target)
    records = _find(target, message_id, file, limit)
    with ProgressNote("Reading the lists of the rule"):
        explanations = [explain_message(record, get_list) for record in records]
    _show(explanations, output)
    lists = [explained for explanation in explanations for explained in explanation.lists]
    errors = {explained.list_id: explained.error for explained in lists if explained.error is not None}
    for list_id, error in errors.items():
        print_error(f"{visible(list_id)}: the list could not be read, so its terms are missing: {reason_for(error)}")
    return max((code_for(error) for error in errors.values()), default=Code.DONE)


def _find(target: Target, message_id: str, files: Sequence[str] | None, limit: int | None) -> "Sequence[Reviewed]":
    """The records of a message: one for each rule that found it."""
    if files:
        from cometchat_desk.insight.records import open_records

        with ProgressNote("Searching the message"), open_records(files) as records:
            matching = [record for record in records if record.message_id == message_id]
        where = f"there is no message {visible(message_id)} in {visible(', '.join(files))}"
        advice = "check the identifier, or search another export"
    else:
        from cometchat_desk.insight.latest import read_latest
        from cometchat_desk.insight.summary import ReviewSummary

        with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
            latest = read_latest(chat, limit)
        summaries = map(ReviewSummary.of, latest.records)
        matching = [record for record in summaries if record.message_id == message_id]
        where = f"message {visible(message_id)} is not among the {len(latest.records):,} records of the service"
        if limit is None or not latest.is_full:
            where += ", and it lists no older ones"
        more = "leave --limit out, or " if limit is not None and latest.is_full else ""
        advice = (
            f"{more}search an export with --in FILE. To keep all records, run cometchat-desk reviewed export regularly"
        )
    if not matching:
        raise StopError(Code.NOT_FOUND, f"{where}: {advice}. {_WHERE_TO_FIND}")
    return matching


def _list_reader(target: Target) -> GetList:
    """A function that reads a list, once for each identifier. It makes a client only if a rule names a list."""
    known: dict[str, KeywordList] = {}

    def get_list(list_id: str) -> "KeywordList":
        import cometchat_rest

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


def _problem(found: "ListExplanation") -> str | None:
    """The problem with a list, without the names of functions."""
    return found.problem if found.error is None else f"the list could not be read: {reason_for(found.error)}"


def _show(explanations: "Sequence[Explanation]", output: Output) -> None:
    output_format = format_for(output)
    if output_format is OutputFormat.TABLE:
        from cometchat_desk.terminal.table import write

        for number, each in enumerate(explanations):
            if number:
                write("")
            _show_one(each)
        write("")
        write(f"! {explanations[0].rules}", "yellow")
        return
    print_error(explanations[0].rules)
    if output_format is OutputFormat.CSV:
        show((row for each in explanations for row in _rows(each)), _CSV, output_format)
    else:
        show(map(_record, explanations), (), output_format)


def _record(each: "Explanation") -> Record:
    """An explanation as a record for programs."""
    message = each.message
    return {
        "message_id": message.message_id,
        "message_type": message.message_type,
        "text": message.text,
        "sender": message.sender,
        "sender_name": message.sender_name,
        "receiver_type": message.receiver_type,
        "receiver": message.receiver,
        "receiver_name": message.receiver_name,
        "conversation_id": message.conversation_id,
        "sent_utc": _utc(message.sent),
        "reviewed_utc": _utc(message.created),
        "rule_id": message.rule_id,
        "rule_name": message.rule_name,
        "rule_revision_id": message.revision_id,
        "condition": message.condition,
        "actions": message.actions,
        "status": message.status,
        "problem": each.problem,
        "lists": [
            {
                "list_id": found.list_id,
                "category": found.category,
                "revision_id": found.revision_id,
                "updated_utc": _utc(found.updated_at),
                "changed_since": found.changed_since,
                "deleted": found.deleted,
                "problem": _problem(found),
                "matches": [{"term": match.term, "start": match.start, "end": match.end} for match in found.matches],
                "unsupported_patterns": [
                    {"pattern": pattern.pattern, "reason": pattern.reason} for pattern in found.unsupported
                ],
                "sentences_not_matched": found.sentences,
            }
            for found in each.lists
        ],
        "rules": each.rules,
    }


def _rows(each: "Explanation") -> Iterator[Record]:
    """One row for each match. A message without a match has one row, with empty cells."""
    record = _record(each)
    empty: Record = {"list_id": None, "term": None, "start": None, "end": None}
    matches: list[Record] = [
        {"list_id": found.list_id, "term": match.term, "start": match.start, "end": match.end}
        for found in each.lists
        for match in found.matches
    ]
    for match in matches or [empty]:
        yield {**record, **match}


def _column(name: str) -> Column:
    return Column(title=name, value=lambda record: record[name])


_CSV = tuple(
    map(
        _column,
        (
            *(
                "message_id",
                "sent_utc",
                "reviewed_utc",
                "sender",
                "receiver_type",
                "receiver",
                "rule_name",
                "condition",
            ),
            *("actions", "status", "list_id", "term", "start", "end", "text"),
        ),
    )
)


def _utc(time: datetime | None) -> str | None:
    return None if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def _show_one(each: "Explanation") -> None:
    message = each.message
    who = _person(message.sender, message.sender_name)
    kind = "group " if message.receiver_type == "group" else ""
    _line("Message", f"{message.message_id}, {message.message_type or 'of an unknown type'}")
    _line("From", who)
    _line("To", kind + _person(message.receiver, message.receiver_name))
    _line("Sent", f"{_utc(message.sent) or 'unknown'} UTC")
    _line("Reviewed", f"{_utc(message.created) or 'unknown'} UTC")
    _line("Rule", _with_id(message.rule_name, message.rule_id))
    _line("Condition", message.condition or "unknown")
    _line("Action", ", ".join(message.actions) or "none")
    _line("Status", message.status or "unknown", "green" if message.status == "approved" else "")
    _show_text(message.text, [match for found in each.lists for match in found.matches])
    if each.problem:
        _line("List", each.problem, "dim")
    for found in each.lists:
        _show_list(found)


def _show_list(found: "ListExplanation") -> None:
    about = [found.list_id, *([found.category] if found.category else [])]
    if found.revision_id:
        about.append(f"revision {found.revision_id}")
    _line("List", ", ".join(about))
    if found.changed_since:
        _line("", f"changed at {_utc(found.updated_at)} UTC, after the review: it may have had other terms", "yellow")
    if problem := _problem(found):
        _line("", problem, "yellow")
    elif not found.matches:
        _line("", "the text contains no term of this list now", "yellow")
    for match in found.matches:
        _line("", f"{match.term}  at characters {match.start + 1:,}-{match.end:,}", "bold")
    for pattern in found.unsupported:
        _line("", f"not used, because RE2 does not support the syntax: {pattern.pattern}  ({pattern.reason})", "yellow")
    if found.sentences:
        _line("", f"{many(found.sentences, 'sentence was', 'sentences were')} not matched", "yellow")


def _person(uid: str | None, name: str | None) -> str:
    return _with_id(name, uid)


def _with_id(name: str | None, identifier: str | None) -> str:
    if name and identifier and name != identifier:
        return f"{name} ({identifier})"
    return name or identifier or "unknown"


def _line(title: str, value: str, style: str = "") -> None:
    from rich.text import Text

    from cometchat_desk.terminal.table import console

    label = f"{title}:" if title else ""
    console().print(Text.assemble((f"{label:<11}", "bold"), (visible(value), style)), soft_wrap=True)


def _show_text(text: str | None, matches: "Sequence[Match]") -> None:
    """The text with its matches highlighted; the parts of a long text that are far from a match are left out."""
    from rich.text import Text

    from cometchat_desk.terminal.table import console

    shown = Text(f"{'Text:':<11}", style="bold")
    if not text:
        shown.append("none", "not bold dim")
    for part, style in _parts(text or "", matches):
        shown.append(visible(part), style)
    console().print(shown, soft_wrap=True)


def _parts(text: str, matches: "Sequence[Match]") -> Iterator[tuple[str, str]]:
    """The parts of a text with their styles."""
    plain = "not bold"
    if not matches:
        yield text[:_BEGINNING], plain
        if len(text) > _BEGINNING:
            yield f"... ({len(text):,} characters)", "not bold dim"
        return
    spans = _joined(matches)
    end = 0
    for (first, last), following in zip_longest(spans, spans[1:]):
        yield from _gap(text, end, first, plain)
        yield text[first:last], "bold reverse"
        end = last
        if following is None:
            yield from _gap(text, end, len(text), plain)


def _gap(text: str, first: int, last: int, style: str) -> Iterator[tuple[str, str]]:
    """The text between two matches, without its middle if it is long."""
    if last - first <= 2 * _AROUND:
        yield text[first:last], style
        return
    yield text[first : first + _AROUND] if first else "", style
    yield " ... ", "not bold dim"
    yield text[last - _AROUND : last] if last < len(text) else "", style


def _joined(matches: "Sequence[Match]") -> list[tuple[int, int]]:
    """The spans of matches from left to right; overlapping spans become one."""
    spans: list[tuple[int, int]] = []
    for match in sorted(matches, key=lambda each: (each.start, each.end)):
        if spans and match.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], match.end))
        else:
            spans.append((match.start, match.end))
    return spans
