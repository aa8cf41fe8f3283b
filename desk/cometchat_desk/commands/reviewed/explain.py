"""`cometchat-desk reviewed explain`: why a message was reviewed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated
from unicodedata import is_normalized

import typer
from attrs import asdict
from rich.table import Table
from rich.text import Text

from cometchat_desk.commands.command import command
from cometchat_desk.commands.keywords.entry_input import Category, FileOptions
from cometchat_desk.commands.keywords.try_ import read_terms
from cometchat_desk.commands.shown_lists import read_list
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.insight.explain import Explanation, ListExplanation, explain_with
from cometchat_desk.insight.explain import explain as explain_message
from cometchat_desk.insight.matcher import RULES, Match, not_matched
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Record, text_of
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.table import console, write
from cometchat_desk.terminal.text import visible
from cometchat_rest import KeywordList
from cometchat_rest.keyword_input import Quotes

from .chosen import RecordFiles, read_app, read_files

_WHERE_TO_FIND = (
    "Identifiers, such as 390079, are in the output of cometchat-desk reviewed list and in the"
    " column message_id of an export; for a text, use cometchat-desk keywords try TEXT"
)


@command()
def explain(
    target: Target,
    message_id: Annotated[
        str, typer.Argument(metavar="MESSAGE_ID", help="The identifier of the message.")
    ],
    files: RecordFiles = None,
    list_file: Annotated[
        Path | None,
        typer.Option(
            "--list",
            metavar="FILE",
            help="Look for the entries of this file, not for those of the lists of the service.",
        ),
    ] = None,
    category: Category = None,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> Code:
    """Show who wrote a message, which rule found it, and which entries of the rule's list it
    contains now.

    The entries come from the list as it is now, because the service does not show which entry a
    rule found. The service shows its latest records only, and has no operation that reads a chat,
    so the messages before and after this one cannot be shown. With --records and
    --list, no key is needed.

    Examples:
      cometchat-desk reviewed explain 390079
      cometchat-desk reviewed explain 390079 --records reviewed.jsonl
      cometchat-desk reviewed explain 390079 --records reviewed.jsonl --list words.txt
    """
    if list_file is not None:
        terms = read_terms(list_file, "word", category=category, options=file_options)
        explanations = [
            explain_with(record, str(list_file), terms)
            for record in _records(target, message_id, files)
        ]
    else:
        get_list = _list_reader(target)
        explanations = [
            explain_message(record, partial(get_list, record.app))
            for record in _records(target, message_id, files)
        ]
    _show(explanations, output_format)
    if any(explanation.lists for explanation in explanations):
        write_note(RULES)
    return _print_errors(explanations)


def _print_errors(explanations: Iterable[Explanation]) -> Code:
    """Print the error of each list that could not be read once, and return the exit code."""
    failed = {
        (explanation.message.app, explained.keyword_id): explained
        for explanation in explanations
        for explained in explanation.lists
        if explained.error is not None
    }
    for explained in failed.values():
        print_error(f"{visible(explained.keyword_id)}: {explained.problem}")
    codes = [code_for(explained.error) for explained in failed.values() if explained.error]
    return max(codes, default=Code.DONE)


def _records(target: Target, message_id: str, files: list[str] | None) -> Sequence[Reviewed]:
    """The records of a message: one for each rule that found it."""
    shown = visible(message_id)
    if files:
        records: Iterable[Reviewed] = read_files(target, files)
        problem = f"message {shown} has no record in {visible(', '.join(files))}"
        advice = "check the identifier, or search another export"
    else:
        latest = read_app(target).records
        records = map(Reviewed.of, latest)
        problem = (
            f"the service shows its latest records only, and message {shown} is not among these"
            f" {len(latest):,}"
        )
        advice = (
            "search an export with --records FILE. To keep all records, run reviewed export"
            " regularly"
        )
    # An export of several apps may contain this identifier more than once.
    matching = [record for record in records if record.message_id == message_id]
    if not matching:
        raise StopError(Code.NOT_FOUND, f"{problem}: {advice}. {_WHERE_TO_FIND}")
    return matching


def _list_reader(target: Target) -> Callable[[str | None, str], tuple[KeywordList, Quotes | None]]:
    """A function that reads a list, once for each app and identifier. It makes a client only if
    a rule names a list."""
    profiles = app_names(target.config)

    @cache
    def get_list(app: str | None, keyword_id: str) -> tuple[KeywordList, Quotes | None]:
        # The list of another app may have other terms.
        place = replace(target, app=[app]) if app is not None and app in profiles else target
        with (
            connection.find_app(place).client() as chat,
            ProgressNote("Reading the lists of the rule"),
        ):
            return read_list(chat, keyword_id)

    return get_list


def _show(explanations: Sequence[Explanation], output_format: Format) -> None:
    if output_format is not OutputFormat.TABLE:
        show(map(_record, explanations), (), output_format)
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
        asdict(explained, filter=lambda attribute, _: attribute.name != "error")
        for explained in explanation.lists
    ]
    columns = {name: getattr(explanation.message, name) for name in COLUMNS}
    return {
        **columns,
        "problem": explanation.problem,
        "terms": [match.term for match in _matches(explanation)],
        "lists": lists,
        "rules": RULES,
    }


def _matches(explanation: Explanation) -> Sequence[Match]:
    return [match for explained in explanation.lists for match in explained.matches]


def _lines(explanation: Explanation) -> Iterator[tuple[str, Text]]:
    """The titles and the texts for people."""
    message = explanation.message
    for title, text in _facts(message).items():
        if text:
            yield title, Text(visible(text), "green" if text == "approved" else "")
    yield "Text", _marked(message.text or "none", _matches(explanation))
    if not is_normalized("NFC", message.text or ""):
        yield _warning(
            "accents are separate characters here, so entries with accented letters do not match"
        )
    if explanation.problem:
        yield "List", Text(explanation.problem, "dim")
    for explained in explanation.lists:
        yield from _list_lines(explained)


def _facts(message: Reviewed) -> Mapping[str, str]:
    """What a record says about its message, by title."""
    kind = "group " if message.receiver_type == "group" else ""
    return {
        "Message": f"{message.message_id}, {message.message_type or 'of an unknown type'}",
        "From": _with_id(message.sender_name, message.sender),
        "To": f"{kind}{_with_id(message.receiver_name, message.receiver)}",
        "Sent": _utc(message.sent_utc),
        "Reviewed": _utc(message.created_utc),
        "App": message.app or "",
        "Rule": _with_id(message.rule_name, message.rule_id),
        "Condition": message.condition_message or "unknown",
        "Action": text_of(message.action) or "none",
        "Status": message.status or "unknown",
    }


def _list_lines(explained: ListExplanation) -> Iterator[tuple[str, Text]]:
    """The list, the terms that the text contains, and warnings."""
    revision = f"revision {explained.revision_id}" if explained.revision_id else None
    about = [part for part in (explained.keyword_id, explained.category, revision) if part]
    yield "List", Text(visible(", ".join(about)))
    for match in explained.matches:
        place = f"{match.term}  at characters {match.start + 1:,}-{match.end:,}"
        yield "", Text(visible(place), "bold")
    if explained.changed_since:
        yield _warning(
            f"changed at {_utc(explained.updated_at)}, after the review: it may have had other"
            " entries"
        )
    if explained.problem:
        yield _warning(explained.problem)
    elif not (explained.matches or explained.sentences):
        yield _warning("the text contains no entry of this list now")
    for note in not_matched(explained.unsupported, explained.sentences):
        yield _warning(note)


def _warning(text: str) -> tuple[str, Text]:
    return "", Text(visible(text), "yellow")


def _utc(time: datetime | None) -> str:
    return "unknown" if time is None else f"{text_of(time)} UTC"


def _with_id(name: str | None, identifier: str | None) -> str:
    if name and identifier and name != identifier:
        return f"{name} ({identifier})"
    return name or identifier or "unknown"


def _marked(text: str, matches: Sequence[Match]) -> Text:
    """A text in which matches stand out."""
    marked = [False] * len(text)
    for match in matches:
        marked[match.start : match.end] = [True] * (match.end - match.start)
    parts = Text()
    for is_match, characters in groupby(zip(marked, text, strict=True), itemgetter(0)):
        part = "".join(character for _, character in characters)
        parts.append(visible(part), "bold reverse" if is_match else "")
    return parts
