"""`cometchat-desk reviewed explain`: why a message was reviewed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Annotated
from unicodedata import is_normalized

import typer
from attrs import asdict
from rich.table import Table
from rich.text import Text

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.insight.explain import Explanation, ListExplanation
from cometchat_desk.insight.explain import explain as explain_message
from cometchat_desk.insight.matcher import RULES, Match, not_matched
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Record, named_columns, text_of
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.table import console, write
from cometchat_desk.terminal.text import visible
from cometchat_rest import KeywordList
from cometchat_rest.keyword_input import Quotes

from .chosen import RecordFiles, read_app, read_files

_WHERE_TO_FIND = (
    "Identifiers, such as 390079, are in the output of cometchat-desk reviewed list and in the"
    " column message_id of an export"
)
_CSV = named_columns(
    *(
        "app",
        "message_id",
        "sent_utc",
        "created_utc",
        "sender",
        "receiver_type",
        "receiver",
        "rule_name",
    ),
    *("condition_message", "action", "status", "terms", "text"),
)


@command()
def explain(
    target: Target,
    message_id: Annotated[
        str, typer.Argument(metavar="MESSAGE_ID", help="The identifier of the message.")
    ],
    files: RecordFiles = None,
    *,
    output_format: Format,
) -> Code:
    """Show who wrote a message, which rule found it, and which terms of the rule's list it contains
    now.

    The terms come from the list as it is now, because the service does not show what a rule found.
    It has no operation that reads a chat, so the messages before and after this one cannot be
    shown.

    Examples:
      cometchat-desk reviewed explain 390079
      cometchat-desk reviewed explain 390079 --records reviewed.jsonl
    """
    if len(message_id.split()) > 1:
        raise StopError(
            Code.USAGE, f"MESSAGE_ID is the identifier of a message, not its text. {_WHERE_TO_FIND}"
        )
    get_list = _list_reader(target)
    records = _records(target, message_id, files)
    explanations = [explain_message(record, partial(get_list, record.app)) for record in records]
    _show(explanations, output_format)
    if lists := [
        (each.message.app, explained) for each in explanations for explained in each.lists
    ]:
        write_note(RULES)
    errors = {
        (app, one.keyword_id): (one.error, one.problem)
        for app, one in lists
        if one.error is not None
    }
    for (_, keyword_id), (_, problem) in errors.items():
        print_error(f"{visible(keyword_id)}: {problem}")
    return max((code_for(error) for error, _ in errors.values()), default=Code.DONE)


def _records(target: Target, message_id: str, files: list[str] | None) -> Sequence[Reviewed]:
    """The records of a message: one for each rule that found it."""
    if files:
        records: Iterable[Reviewed] = read_files(target, files)
        where = f"there is no message {visible(message_id)} in {visible(', '.join(files))}"
        advice = "check the identifier, or search another export"
    else:
        latest = read_app(target).records
        records = map(Reviewed.of, latest)
        where = (
            f"message {visible(message_id)} is not among the {len(latest):,} records of the service"
        )
        advice = (
            "search an export with --records FILE. To keep all records, run reviewed export"
            " regularly"
        )
    # An export of several apps may contain this identifier more than once.
    if matching := [record for record in records if record.message_id == message_id]:
        return matching
    raise StopError(Code.NOT_FOUND, f"{where}: {advice}. {_WHERE_TO_FIND}")


def _list_reader(target: Target) -> Callable[[str | None, str], tuple[KeywordList, Quotes | None]]:
    """A function that reads a list, once for each app and identifier. It makes a client only if
    a rule names a list."""
    from cometchat_desk.journal import Journal

    profiles = app_names(target.config)

    @cache
    def get_list(app: str | None, keyword_id: str) -> tuple[KeywordList, Quotes | None]:
        # The list of another app may have other terms.
        place = replace(target, app=[app]) if app is not None and app in profiles else target
        with (
            connection.find_app(place).client() as chat,
            ProgressNote("Reading the lists of the rule"),
        ):
            return Journal().read_list(chat, keyword_id)

    return get_list


def _show(explanations: Sequence[Explanation], output_format: Format) -> None:
    if output_format is not OutputFormat.TABLE:
        show(map(_record, explanations), _CSV, output_format)
        return
    for explanation in explanations:
        table = Table.grid(padding=(0, 1))
        table.add_column(width=10, style="bold")
        table.add_column(overflow="fold")
        for title, text in _lines(explanation):
            table.add_row(Text(f"{title}:" if title else ""), text)
        console().print(table)
        write("")


def _record(explanation: Explanation) -> Record:
    """An explanation as a record for programs: the columns of an export, and the lists with
    their terms."""
    lists = [
        asdict(one, filter=lambda attribute, _: attribute.name != "error")
        for one in explanation.lists
    ]
    columns = {name: getattr(explanation.message, name) for name in COLUMNS}
    terms = [match.term for one in explanation.lists for match in one.matches]
    return {
        **columns,
        "problem": explanation.problem,
        "terms": terms,
        "lists": lists,
        "rules": RULES,
    }


def _lines(explanation: Explanation) -> Iterator[tuple[str, Text]]:
    """The titles and the texts for people."""
    message = explanation.message
    texts = {
        "Message": f"{message.message_id}, {message.message_type or 'of an unknown type'}",
        "From": _with_id(message.sender_name, message.sender),
        "To": (
            "group " * (message.receiver_type == "group")
            + _with_id(message.receiver_name, message.receiver)
        ),
        "Sent": _utc(message.sent_utc),
        "Reviewed": _utc(message.created_utc),
        "App": message.app or "",
        "Rule": _with_id(message.rule_name, message.rule_id),
        "Condition": message.condition_message or "unknown",
        "Action": text_of(message.action) or "none",
        "Status": message.status or "unknown",
    }
    for title, text in texts.items():
        if text:
            yield title, Text(visible(text), "green" if text == "approved" else "")
    yield (
        "Text",
        _marked(
            message.text or "none", [match for one in explanation.lists for match in one.matches]
        ),
    )
    if not is_normalized("NFC", message.text or ""):
        yield (
            "",
            Text(
                "accents are separate characters here, so entries with accented letters do not"
                " match",
                "yellow",
            ),
        )
    if explanation.problem:
        yield "List", Text(explanation.problem, "dim")
    for explained in explanation.lists:
        revision = f"revision {explained.revision_id}" if explained.revision_id else None
        yield (
            "List",
            Text(
                visible(
                    ", ".join(filter(None, (explained.keyword_id, explained.category, revision)))
                )
            ),
        )
        for match in explained.matches:
            yield (
                "",
                Text(
                    visible(f"{match.term}  at characters {match.start + 1:,}-{match.end:,}"),
                    "bold",
                ),
            )
        for warning in _warnings(explained):
            yield "", Text(visible(warning), "yellow")


def _warnings(explained: ListExplanation) -> Iterator[str]:
    if explained.changed_since:
        yield (
            f"changed at {_utc(explained.updated_at)}, after the review: it may have had other"
            " terms"
        )
    if explained.problem or not (explained.matches or explained.sentences):
        yield explained.problem or "the text contains no term of this list now"
    yield from not_matched(explained.unsupported, explained.sentences)


def _utc(time: datetime | None) -> str:
    return "unknown" if time is None else f"{text_of(time)} UTC"


def _with_id(name: str | None, identifier: str | None) -> str:
    if name and identifier and name != identifier:
        return f"{name} ({identifier})"
    return name or identifier or "unknown"


def _marked(text: str, matches: Sequence[Match]) -> Text:
    """A text in which matches stand out."""
    marks = bytearray(len(text))
    for match in matches:
        marks[match.start : match.end] = b"\1" * (match.end - match.start)
    parts = groupby(zip(marks, text, strict=True), itemgetter(0))
    return Text.assemble(
        *(
            (visible("".join(each for _, each in part)), "bold reverse" if mark else "")
            for mark, part in parts
        )
    )
