"""`cometchat-desk keywords try`: the messages that a new list would match, before the list is
used."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict, evolve

from cometchat_desk import lint
from cometchat_desk.commands.command import Since, command, open_client
from cometchat_desk.commands.reviewed.chosen import keep_apps
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight.chats import Messages, open_messages
from cometchat_desk.insight.matcher import RULES, ListTerms, Matcher, not_matched
from cometchat_desk.insight.try_list import TryResult, try_list
from cometchat_desk.lists.files import SUFFIXES
from cometchat_desk.messages import write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record, named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.times import start_of
from cometchat_desk.wording import many
from cometchat_rest import KeywordListInput, keyword_input

from .content import ListId
from .entry_input import STDIN, Category, FileOptions, read_content
from .typed_entries import is_file
from .update_options import find_journal
from .view import write_marked

# The number of terms that a table shows by default.
_SHOWN_TERMS = 50
_CSV = named_columns(
    "term", "category", "change", "messages", "affected", "approved", "example_id", "example"
)
_SIGNS: dict[object, str] = {"added": "+", "removed": "-"}
_MATCHED = "messages with it: {messages:,}, all matched by other entries"
_TABLE = (
    Column(title="Term", value=itemgetter("term"), width=20, style="bold"),
    Column(
        title="Messages",
        value=lambda term: f"{_SIGNS[term['change']]}{term['affected']:,}",
        width=10,
    ),
    Column(
        title="Approved",
        value=lambda term: "?" if term["approved"] is None else term["approved"],
        width=8,
    ),
    Column(
        title="First message",
        value=lambda term: term["example"] or _MATCHED.format_map(term),
        least=28,
    ),
)


@command()
def try_(
    target: Target,
    keyword_id: ListId,
    text: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_TEXT",
            help=(
                "The whole new list: .txt, .csv, .json, .xlsx, or - for standard input. Or a text:"
                " a message, or with "
                "--records, a new entry."
            ),
        ),
    ],
    messages_in: Annotated[
        list[str] | None,
        typer.Option(
            "--records",
            metavar="FILE",
            help="The messages: an exported .jsonl, a .csv with a column text, a .txt with one "
            "message per line, or - for standard input. Repeat it for several files.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Compare with this file and not with the list on the service."
        ),
    ] = None,
    additions: Annotated[
        bool, typer.Option("--additions", help="Try FILE as additions to the list.")
    ] = False,
    category: Category = None,
    since: Since = None,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> None:
    """Show the entries that a text contains, or the messages that a new list would match and the
    live list does not.

    Nothing is changed. --app leaves out the records of other apps; the first one is the app of the
    list.

    Examples:
      cometchat-desk keywords try profanity-list 'Want free coins?'
      cometchat-desk keywords try profanity-list giveaway --records reviewed.jsonl
      cometchat-desk keywords try profanity-list words.txt --records reviewed.jsonl --since 7d
      cometchat-desk keywords try profanity-list words.txt --against old.txt --records chat.txt
    """
    if not text.strip():
        raise StopError(Code.USAGE, "FILE_OR_TEXT is empty")
    read = partial(_read, category=category, options=file_options)
    names_file = _names_file(text)
    if not (names_file or messages_in):
        _try_text(keyword_id, _live(target, keyword_id, against, read), text, output_format)
        return
    _check_sources(text, messages_in, against)
    live = _live(target, keyword_id, against, read)
    new = read(Path(text), live.category) if names_file else evolve(live, terms=(text,))
    if additions or not names_file:
        new = _joined(live, new)
    messages = _messages(target, messages_in or (), since, file_options)
    with ProgressNote("Trying the list"):
        result = try_list(live, new, messages)
    _check_read(result, messages, messages_in or (), since)
    _note_same_entries(live, new, text)
    _show_result(result, live, new, keyword_id, text, output_format)


def _names_file(text: str) -> bool:
    has_suffix = Path(text).suffix.lower() in SUFFIXES
    return text == str(STDIN) or has_suffix or is_file(text)


def _joined(live: ListTerms, new: ListTerms) -> ListTerms:
    """The live list with the entries of the new one."""
    return evolve(live, terms=tuple(dict.fromkeys([*live.terms, *new.terms])))


def _check_sources(text: str, messages_in: Sequence[str] | None, against: Path | None) -> None:
    if not messages_in:
        raise StopError(
            Code.USAGE,
            "name the messages to try the file on with --records; - stands for standard input",
        )
    if [*messages_in, text, str(against)].count(str(STDIN)) > 1:
        raise StopError(
            Code.USAGE, "only one of FILE, --against and --records can be standard input (-)"
        )


def _messages(
    target: Target, names: Sequence[str], since: str | None, options: FileOptions
) -> Messages:
    with ProgressNote("Reading messages"):
        messages = open_messages(names, since=start_of(since), encoding=options.encoding)
    if messages.records is not None:
        keep_apps(target, messages.records)
    return messages


def _note_same_entries(live: ListTerms, new: ListTerms, text: str) -> None:
    """Say if the new list has the same entries, or lacks most of them."""
    if new.terms == live.terms:
        write_note("the list already has each entry")
    elif 2 * len({*live.terms}.intersection(new.terms)) < len(live.terms):
        write_note(
            f"{text} stands for the whole list, but lacks most of its entries; to only add, use"
            " --additions"
        )


def _show_result(
    result: TryResult,
    live: ListTerms,
    new: ListTerms,
    keyword_id: str,
    text: str,
    output_format: OutputFormat,
) -> None:
    terms = [asdict(term) for term in result.terms]
    if not result.with_status:
        terms = [{**term, "approved": None} for term in terms]
    if output_format is OutputFormat.TABLE:
        named = {f"now: {keyword_id}": live, f"new: {text}": new}
        heads = [
            f"{name}, {shown.category}, {many(len(shown.terms), 'entry', 'entries')}"
            for name, shown in named.items()
        ]
        _show_table([*heads, *_summary(result)], terms)
        return
    unknown = () if result.with_status else ("newly_matched_approved", "no_longer_matched_approved")
    whole = {
        "keyword_id": keyword_id,
        "file": text,
        "category": live.category,
        "new_category": new.category,
        **asdict(result),
        **dict.fromkeys(unknown),
        "terms": terms,
    }
    show(terms if output_format is OutputFormat.CSV else [whole], _CSV, output_format)


def _read(path: Path, default: str, *, category: str | None, options: FileOptions) -> ListTerms:
    """The terms of a file. If the user, the file and its settings name no category, it is
    `default`."""
    content = read_content(path, options, category)
    if isinstance(content, KeywordListInput):
        return ListTerms(category=content.category, terms=keyword_input.entries_of(content))
    return ListTerms(category=lint.find_settings(path).category_for(path) or default, terms=content)


def _live(
    target: Target, keyword_id: str, against: Path | None, read: Callable[[Path, str], ListTerms]
) -> ListTerms:
    if against is not None:
        connection.check_names(target)
        return read(against, "word")
    of_list = replace(target, app=(target.app or [])[:1])
    with open_client(of_list) as chat, ProgressNote(f"Reading {visible(keyword_id)}"):
        return ListTerms.of(*find_journal().read_list(chat, keyword_id))


def _try_text(keyword_id: str, live: ListTerms, text: str, output_format: OutputFormat) -> None:
    """Show the entries of a list that a text contains."""
    matcher = Matcher(live)
    matches = matcher.find(text)
    entries = ", ".join(dict.fromkeys(match.term for match in matches))
    contained = f"entries of {keyword_id}: {entries}" if entries else f"no entry of {keyword_id}"
    notes = not_matched(matcher.unsupported, matcher.sentences)
    answer = " ".join([f"The text contains {contained}.", *(f"But {note}." for note in notes)])
    if output_format is OutputFormat.TABLE:
        write(answer)
    else:
        show(map(asdict, matches), named_columns("term", "start", "end"), output_format)
        say(visible(answer))
    write_note(RULES)


def _check_read(
    result: TryResult, messages: Messages, on: Iterable[str], since: str | None
) -> None:
    if not result.messages:
        of_time = f" since {since}" if since else ""
        problem = f"no message{of_time} has a text that could be tried"
        raise StopError(Code.USAGE, visible(f"{', '.join(on)}: {problem}"))
    write_note(RULES)
    if messages.records is not None:
        write_note(
            "an export holds only messages that a rule has found already; to see which harmless"
            " messages the new list would match, try it on ordinary messages too"
        )


def _show_table(lines: Iterable[str], terms: Sequence[Record]) -> None:
    write_marked(lines)
    shown = terms[:_SHOWN_TERMS]
    if shown:
        write("")
        show(shown, _TABLE, OutputFormat.TABLE)
    if len(shown) < len(terms):
        write(f"... and {len(terms) - len(shown):,} more terms; --format csv shows them", "dim")


def _summary(result: TryResult) -> Iterator[str]:
    others = ((result.without_text, "without text"), (result.repeated, "that occur again"))
    left_out = ", ".join(f"{count:,} {which}" for count, which in others if count)
    tried = (
        f"{many(result.messages, 'message', 'messages')}, {result.matched_by_both:,} matched by"
        " both lists"
    )
    yield f"{tried} (not tried: {left_out})" if left_out else tried
    for sign, count, approved, verb in (
        ("+", result.newly_matched, result.newly_matched_approved, "newly matched"),
        ("-", result.no_longer_matched, result.no_longer_matched_approved, "no longer matched"),
    ):
        known = (
            f", {approved:,} of them approved by a moderator"
            if result.with_status and count
            else ""
        )
        yield f"{sign} {count:,} {verb} ({round(100 * count / result.messages, 1):g}%){known}"
    if result.newly_matched + result.no_longer_matched and not result.with_status:
        yield (
            "! These messages have no moderation status, so the number of approved messages is"
            " unknown."
        )
    yield from (f"! {note}" for note in not_matched(result.unsupported, result.sentences))
