"""`cometchat-desk reviewed explain`: why a message was reviewed."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Annotated

import typer
from attrs import asdict
from rich.text import Text

import cometchat_rest
from cometchat_desk.commands.command import command, open_client
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.insight.explain import Explanation, ListExplanation
from cometchat_desk.insight.explain import explain as explain_message
from cometchat_desk.insight.matcher import Match
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Record, named_columns, text_of
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.table import console, warn, write
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import KeywordList

from .chosen import MostRecords, RecordFiles, read_app, read_files

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
    records = _records(target, message_id, files, limit)
    with ProgressNote("Reading the lists of the rule"):
        explanations = [explain_message(record, partial(get_list, record.app)) for record in records]
    _show(explanations, output_format)
    lists = [(each.message.app, explained) for each in explanations for explained in each.lists]
    errors = {(app, one.keyword_id): one.error for app, one in lists if one.error is not None}
    for (_, keyword_id), error in errors.items():
        print_error(f"{visible(keyword_id)}: the list could not be read, so its terms are missing: {reason_for(error)}")
    return max((code_for(error) for error in errors.values()), default=Code.DONE)


def _records(target: Target, message_id: str, files: list[str] | None, limit: int | None) -> Sequence[Reviewed]:
    """The records of a message: one for each rule that found it."""
    if files:
        records: Iterable[Reviewed] = read_files(files)
        where = f"there is no message {visible(message_id)} in {visible(', '.join(files))}"
        advice = "check the identifier, or search another export"
    else:
        latest = read_app(target, limit)
        records = map(Reviewed.of, latest.records)
        where = f"message {visible(message_id)} is not among the {len(latest.records):,} records of the service"
        advice = "search an export with --records FILE. To keep all records, run reviewed export regularly"
        if limit is not None and latest.is_full:
            advice = f"leave --limit out, or {advice}"
        else:
            where += ", and it lists no older ones"
    matching = [record for record in records if record.message_id == message_id]
    # An export of several apps may contain this identifier more than once.
    if of_app := [record for record in matching if target.app is None or record.app in (None, *target.app)]:
        return of_app
    if matching:
        where += f" from the app {visible(', '.join(target.app or ()))}"
    raise StopError(Code.NOT_FOUND, f"{where}: {advice}. {_WHERE_TO_FIND}")


def _list_reader(target: Target) -> Callable[[str | None, str], KeywordList]:
    """A function that reads a list, once for each app and identifier. It makes a client only if a rule names a list."""
    profiles = app_names(target.config)

    @cache
    def get_list(app: str | None, keyword_id: str) -> KeywordList:
        # The list of another app may have other terms.
        place = replace(target, app=[app]) if app is not None and app in profiles else target
        try:
            with open_client(place) as chat:
                return chat.keywords.get(keyword_id)
        except StopError as error:
            # The record is useful without the list.
            raise cometchat_rest.ConfigurationError(str(error)) from None
        except CallError as error:
            if isinstance(error.error, cometchat_rest.NotFoundError):
                # The explanation says itself that there is no such list.
                raise error.error from None
            raise

    return get_list


def _show(explanations: Sequence[Explanation], output_format: Format) -> None:
    if output_format is OutputFormat.TABLE:
        for explanation in explanations:
            _show_one(explanation)
            write("")
        warn(explanations[0].rules)
        return
    print_error(explanations[0].rules)
    if output_format is OutputFormat.CSV:
        show((row for explanation in explanations for row in _rows(explanation)), _CSV, output_format)
    else:
        show(map(_record, explanations), (), output_format)


def _record(explanation: Explanation) -> Record:
    """An explanation as a record for programs: the columns of an export, and the lists with their terms."""
    lists = [
        {**asdict(one, filter=lambda attribute, _: attribute.name != "error"), "problem": _problem(one)}
        for one in explanation.lists
    ]
    columns = {name: getattr(explanation.message, name) for name in COLUMNS}
    return {**columns, "problem": explanation.problem, "lists": lists, "rules": explanation.rules}


def _rows(explanation: Explanation) -> Iterator[Record]:
    """One row for each match. A message without a match has one row, with empty cells."""
    record = _record(explanation)
    lists = explanation.lists
    matches: list[Record] = [{"keyword_id": one.keyword_id, **asdict(match)} for one in lists for match in one.matches]
    for match in matches or [dict.fromkeys(("keyword_id", "term", "start", "end"))]:
        yield {**record, **match}


_CSV = named_columns(
    *("message_id", "sent_utc", "created_utc", "sender", "receiver_type", "receiver", "rule_name", "condition_message"),
    *("action", "status", "keyword_id", "term", "start", "end", "text"),
)


def _problem(explained: ListExplanation) -> str | None:
    """The problem with a list, without the names of functions."""
    if explained.error is None:
        return explained.problem
    return f"the list could not be read: {reason_for(explained.error)}"


def _values(message: Reviewed) -> dict[str, str | None]:
    """The lines about a message; `None` if a value is unknown."""
    kind = "group " if message.receiver_type == "group" else ""
    return {
        "Message": f"{message.message_id}, {message.message_type or 'of an unknown type'}",
        "From": _with_id(message.sender_name, message.sender),
        "To": kind + _with_id(message.receiver_name, message.receiver),
        "Sent": _utc(message.sent_utc),
        "Reviewed": _utc(message.created_utc),
        **({} if message.app is None else {"App": message.app}),
        "Rule": _with_id(message.rule_name, message.rule_id),
        "Condition": message.condition_message,
        "Action": text_of(message.action) or "none",
        "Status": message.status,
    }


def _show_one(explanation: Explanation) -> None:
    message = explanation.message
    for title, text in _values(message).items():
        _line(title, (text or "unknown", "green" if text == "approved" else ""))
    _line("Text", *_parts(message.text or "", [match for one in explanation.lists for match in one.matches]))
    if explanation.problem:
        _line("List", (explanation.problem, "dim"))
    for explained in explanation.lists:
        _show_list(explained)


def _show_list(explained: ListExplanation) -> None:
    revision = f"revision {explained.revision_id}" if explained.revision_id else None
    _line("List", (", ".join(filter(None, (explained.keyword_id, explained.category, revision))), ""))
    if explained.changed_since:
        changed = f"changed at {text_of(explained.updated_at)} UTC, after the review: it may have had other terms"
        _line("", (changed, "yellow"))
    if problem := _problem(explained) or ("" if explained.matches else "the text contains no term of this list now"):
        _line("", (problem, "yellow"))
    for match in explained.matches:
        _line("", (f"{match.term}  at characters {match.start + 1:,}-{match.end:,}", "bold"))
    for pattern in explained.unsupported:
        unused = f"not used, because RE2 does not compile it: {pattern.pattern}  ({pattern.reason})"
        _line("", (unused, "yellow"))
    if explained.sentences:
        _line("", (f"{many(explained.sentences, 'sentence was', 'sentences were')} not matched", "yellow"))


def _utc(time: datetime | None) -> str | None:
    return None if time is None else f"{text_of(time)} UTC"


def _with_id(name: str | None, identifier: str | None) -> str:
    if name and identifier and name != identifier:
        return f"{name} ({identifier})"
    return name or identifier or "unknown"


def _line(title: str, *parts: tuple[str, str]) -> None:
    label = f"{title}:" if title else ""
    text, target = Text.assemble(*((visible(text), style) for text, style in parts)), console()
    # A terminal shows it in lines that end at words.
    for number, line in enumerate(text.wrap(target, target.width - 11) if sys.stdout.isatty() else [text]):
        target.print(Text(f"{'' if number else label:<11}", "bold").append_text(line), soft_wrap=True)


def _parts(text: str, matches: Sequence[Match]) -> Iterator[tuple[str, str]]:
    """The parts of a text with their styles: matches stand out, and a long text is shown around them only."""
    if not matches:
        yield (text[:_BEGINNING], "") if text else ("none", "dim")
        if len(text) > _BEGINNING:
            yield f"... ({len(text):,} characters)", "dim"
        return
    styles = ["dim"] * len(text)
    for style, around in (("", _AROUND), ("bold reverse", 0)):
        for match in matches:
            for at in range(max(0, match.start - around), min(len(text), match.end + around)):
                styles[at] = style
    for style, part in groupby(zip(styles, text, strict=True), itemgetter(0)):
        yield " ... " if style == "dim" else "".join(character for _, character in part), style
