"""`cometchat-desk keywords try`: the entries that a text contains, or the messages that a new list
would match, before the list is used."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from attrs import asdict, evolve

from cometchat_desk import lint
from cometchat_desk.commands.command import Since, Yes, command, open_client, output_option
from cometchat_desk.commands.records import keep_apps
from cometchat_desk.commands.shown_lists import read_list
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import write_file
from cometchat_desk.insight.chats import Messages, open_messages
from cometchat_desk.insight.matcher import RULES, ListTerms, Match, Matcher, not_matched
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_desk.insight.try_list import TryResult, try_list
from cometchat_desk.lists.files import SUFFIXES
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show, table_bytes
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import parse_share, percent
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.times import start_of
from cometchat_desk.wording import many
from cometchat_rest import KeywordListInput, keyword_input

from .entry_input import STDIN, TO_READ, Category, FileOptions, read_content
from .known_lists import read_lists, report
from .list_argument import complete_list
from .typed_entries import is_file
from .view import write_marked

# The number of terms that a table shows by default.
_SHOWN_TERMS = 50
_SIGNS: Mapping[object, str] = {"added": "+", "removed": "-"}


def _matched_by_others(messages: object) -> str:
    """The text in place of the first message that only the new list matches."""
    if messages == 1:
        return "1 message contains it; other entries match it"
    return f"{messages:,} messages contain it; other entries match all of them"


_TABLE = (
    Column(title="Entry", value=itemgetter("term"), width=20, style="bold"),
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
        value=lambda term: term["example"] or _matched_by_others(term["messages"]),
        least=28,
    ),
)
# The suffixes of lists that may have columns.
_TABLES = (".csv", ".tsv", ".json", ".xlsx")
# Reads the terms of a file, whose category is the second argument if nothing else names it.
_Read: TypeAlias = Callable[[Path, str], ListTerms]


@command()
def try_(
    target: Target,
    keyword_id: Annotated[
        str,
        typer.Argument(
            metavar="LIST",
            help="The list's identifier; or only a text, to try it on all known lists.",
            autocompletion=complete_list,
        ),
    ],
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE_OR_TEXT",
            help=(
                "The whole new list: .txt, .csv, .json, .xlsx, or - for standard input. Or a text:"
                " a message, or with --records, a new entry."
            ),
        ),
    ] = None,
    messages_in: Annotated[
        list[str] | None,
        typer.Option(
            "--records",
            metavar="FILE",
            help=(
                "The messages: an export; a .txt file with one message per line; a .csv or .jsonl"
                " file with a column text, or that of --messages-column; or - for standard input."
                " Repeat the option for several files."
            ),
        ),
    ] = None,
    messages_column: Annotated[
        str | None,
        typer.Option(
            metavar="N|NAME",
            help=(
                "The column of the messages. Default: --column, unless the list is in a .csv, .tsv,"
                " .json or .xlsx file; else text."
            ),
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            **TO_READ,
            help="Compare with this file, and not with the list of the service.",
        ),
    ] = None,
    additions: Annotated[
        bool, typer.Option("--additions", help="Try FILE as additions to the list.")
    ] = False,
    output: Annotated[
        Path | None,
        output_option(
            "The file for the newly matched messages: .txt, .csv, .xlsx, or - for lines on standard"
            " output."
        ),
    ] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            parser=parse_share,
            help=(
                "Exit with 1 if more than this share of the messages is newly matched, such as"
                " 0.5%."
            ),
        ),
    ] = None,
    category: Category = None,
    since: Since = None,
    yes: Yes = False,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> Code:
    """Show the entries that a text contains, or the messages that a new list would match and the
    live list does not. With --records and without a new list, the live list is tried on them.

    Nothing is changed. --app leaves out the records of other apps, and the first --app names the
    app of the list.

    Examples:
      cometchat-desk keywords try 'Want free coins?'
      cometchat-desk keywords try profanity-list 'Want free coins?'
      cometchat-desk keywords try profanity-list --records chat.txt
      cometchat-desk keywords try profanity-list giveaway --records reviewed.jsonl
      cometchat-desk keywords try profanity-list words.txt --records reviewed.jsonl --since 7d
      cometchat-desk keywords try profanity-list words.txt --records chat.txt --fail-above 0.5%
    """
    read = partial(read_terms, category=category, options=file_options)
    names_file = _names_file(text)
    files = messages_in or []
    _check_messages(files, names_file, output, fail_above)
    column = _column_of_messages((text, against), messages_column, file_options.column)
    _check_output(output, yes=yes)
    if text is None and not files:
        return _try_all(target, keyword_id, output_format)
    live = _live(target, keyword_id, against, read)
    if text is not None and not files:
        _show_matches([("", keyword_id, live)], text, output_format)
        return Code.DONE
    live, new = _compared(live, text, read, additions=additions)
    messages = _messages(target, files, since, file_options.encoding, column)
    newly_matched: list[Reviewed] = []
    with ProgressNote("Trying the list"):
        keep = newly_matched.append if output else None
        result = try_list(live, new, messages, on_newly_matched=keep)
    _check_read(result, messages, files, since)
    if new.terms == live.terms:
        write_note("the list already has all these entries")
    _write_messages(newly_matched, output)
    if output != STDIN:
        _show_result(keyword_id, text, (live, new), result, output_format)
    return _verdict(result, fail_above)


def read_terms(
    path: Path, default: str, *, category: str | None, options: FileOptions
) -> ListTerms:
    """The terms of a file. If the user, the file and its settings name no category, it is
    `default`."""
    if not _is_table(path):
        # A list without columns: this is the column of the messages.
        options = replace(options, column=None)
    content = read_content(path, options, category)
    if isinstance(content, KeywordListInput):
        return ListTerms(category=content.category, terms=keyword_input.entries_of(content))
    return ListTerms(category=lint.find_settings(path).category_for(path) or default, terms=content)


def _compared(
    live: ListTerms, text: str | None, read: _Read, *, additions: bool
) -> tuple[ListTerms, ListTerms]:
    """The list now, and the new one. Without a new one, the list is tried as if it were new."""
    if text is None:
        return evolve(live, terms=()), live
    names_file = _names_file(text)
    new = read(Path(text), live.category) if names_file else evolve(live, terms=(text,))
    if additions or not names_file:
        new = evolve(live, terms=tuple(dict.fromkeys([*live.terms, *new.terms])))
    return live, new


def _is_table(list_of: str | Path | None) -> bool:
    """Whether a list is in a file that may have columns."""
    return _names_file(list_of) and Path(list_of or "").suffix.lower() in _TABLES


def _column_of_messages(
    lists: Iterable[str | Path | None], of_messages: str | None, column: str | None
) -> str | None:
    """The column of the messages; `--column` names it if no list can have columns."""
    if column is None or any(map(_is_table, lists)):
        return of_messages
    if of_messages is not None:
        raise StopError(
            Code.USAGE,
            f"--column: the list has no columns; name a list in a {', '.join(_TABLES)} file, or"
            " leave the option out",
        )
    return column


def _names_file(argument: str | Path | None) -> bool:
    """Whether an argument is the name of a list in a file, or of standard input."""
    if argument is None:
        return False
    text = str(argument)
    # A message may end in the name of a file.
    has_suffix = Path(text).suffix.lower() in SUFFIXES and " " not in text
    return text == str(STDIN) or has_suffix or is_file(text)


def _check_messages(
    files: Sequence[str], names_file: bool, output: Path | None, fail_above: float | None
) -> None:
    needs_messages = names_file or output is not None or fail_above is not None
    if needs_messages and not files:
        raise StopError(
            Code.USAGE,
            "name the messages to try the list on with --records; - stands for standard input",
        )


def _messages(
    target: Target,
    files: Sequence[str],
    since: str | None,
    encoding: str | None,
    column: str | None,
) -> Messages:
    """The messages to try the list on, of which --app leaves those of other apps out."""
    start = start_of(since)
    with ProgressNote("Reading messages"):
        messages = open_messages(files, since=start, encoding=encoding, column=column)
    if messages.records is not None:
        keep_apps(target, messages.records)
    return messages


def _check_output(output: Path | None, *, yes: bool) -> None:
    if output is None or output == STDIN:
        return
    if output.suffix.lower() not in (".txt", ".csv", ".xlsx"):
        raise StopError(
            Code.USAGE, f"{visible(str(output))}: the suffix must be .txt, .csv or .xlsx"
        )
    prompts.confirm_replacement(output, yes=yes)


def _live(target: Target, keyword_id: str, against: Path | None, read: _Read) -> ListTerms:
    """The list to compare with: a file, or the list of the service."""
    if against is not None:
        connection.check_names(target)
        return read(against, "word")
    of_list = replace(target, app=(target.app or [])[:1])
    with open_client(of_list) as chat, ProgressNote(f"Reading {visible(keyword_id)}"):
        return ListTerms.of(*read_list(chat, keyword_id))


def _try_all(target: Target, text: str, output_format: OutputFormat) -> Code:
    """Show the entries of all known lists that a text contains."""
    if is_file(text):
        problem = f"{visible(text)} is a file: name the LIST first, and the messages with --records"
        raise StopError(Code.USAGE, problem)
    contents, errors = read_lists(target, None, all_apps=False)
    several = len(target.app or ()) > 1
    lists = [(app if several else "", name, terms) for app, name, terms in contents]
    _show_matches(lists, text, output_format)
    write_note(
        "only lists that are known here were tried: the service cannot name its lists; keywords"
        " try LIST TEXT tries another list"
    )
    return report(errors)


def _show_matches(
    lists: Iterable[tuple[str, str, ListTerms]], text: str, output_format: OutputFormat
) -> None:
    """Show the entries of lists that a text contains."""
    rows: list[Record] = []
    answers: list[str] = []
    for app, keyword_id, terms in lists:
        matcher = Matcher(terms)
        matches = matcher.find(text)
        rows += [{"app": app or None, "list": keyword_id, **asdict(match)} for match in matches]
        name = f"{keyword_id} in {app}" if app else keyword_id
        answers.append(_answer(name, matches, matcher, active=terms.active))
    if output_format is not OutputFormat.TABLE:
        show(rows, (), output_format)
    for answer in answers:
        if output_format is OutputFormat.TABLE:
            write(answer)
        else:
            say(visible(answer))
    write_note(RULES)


def _answer(name: str, matches: Sequence[Match], matcher: Matcher, *, active: bool) -> str:
    entries = ", ".join(dict.fromkeys(match.term for match in matches))
    contained = f"entries of {name}: {entries}." if entries else f"no entry of {name}."
    notes = [*not_matched(matcher.unsupported, matcher.sentences)]
    if matches and not active:
        notes.append("this list is not active, so it blocks nothing now")
    return " ".join([f"The text contains {contained}", *(f"But {note}." for note in notes)])


def _check_read(
    result: TryResult, messages: Messages, files: Iterable[str], since: str | None
) -> None:
    if not result.messages:
        since_then = f" since {since}" if since else ""
        problem = f"no message{since_then} has a text"
        raise StopError(Code.USAGE, visible(f"{', '.join(files)}: {problem}"))
    write_note(RULES)
    if messages.records is not None:
        write_note(
            "an export holds only messages that a rule has found already; to see which harmless"
            " messages the new list would match, try it on ordinary messages too"
        )


def _write_messages(messages: Sequence[Reviewed], output: Path | None) -> None:
    """Write the newly matched messages: each as a line, or with all values to a spreadsheet."""
    if output is None:
        return
    lines = [" ".join((message.text or "").splitlines()) for message in messages]
    if output == STDIN:
        print(*map(visible, lines), sep="\n")
        return
    if output.suffix.lower() == ".txt":
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    else:
        rows = [[getattr(message, name) for name in COLUMNS] for message in messages]
        data = table_bytes(output, [COLUMNS, *rows])
    write_file(output, data, mode=0o600)
    count = many(len(messages), "newly matched message", "newly matched messages")
    say(f"Wrote {count} to {visible(str(output))}.")


def _verdict(result: TryResult, fail_above: float | None) -> Code:
    share = result.newly_matched / result.messages
    if fail_above is None or share <= fail_above:
        return Code.DONE
    print_error(
        f"the new list newly matches {percent(share)} of the messages, and --fail-above allows"
        f" {percent(fail_above)}"
    )
    return Code.NO


def _show_result(
    keyword_id: str,
    text: str | None,
    lists: tuple[ListTerms, ListTerms],
    result: TryResult,
    output_format: OutputFormat,
) -> None:
    """Show the counts, and each changed term. Without a status, nobody knows what was approved."""
    live, new = lists
    has_status = bool(result.with_status)
    terms = [
        {**asdict(term), "approved": term.approved if has_status else None} for term in result.terms
    ]
    if output_format is OutputFormat.TABLE:
        named = {f"now: {keyword_id}": live, f"new: {text}": new}
        if text is None:
            named = {keyword_id: new}
        heads = [
            f"{name}, {terms_of.category}, {many(len(terms_of.terms), 'entry', 'entries')}"
            for name, terms_of in named.items()
        ]
        _show_table([*heads, *_summary(result)], terms)
    elif output_format is OutputFormat.CSV:
        show(terms, (), output_format)
    else:
        unknown = () if has_status else ("newly_matched_approved", "no_longer_matched_approved")
        record = {
            "keyword_id": keyword_id,
            "file": text,
            "category": live.category,
            "new_category": new.category,
            **asdict(result),
            **dict.fromkeys(unknown),
            "terms": terms,
        }
        show([record], (), output_format)


def _show_table(lines: Iterable[str], terms: Sequence[Record]) -> None:
    write_marked(lines)
    shown = terms[:_SHOWN_TERMS]
    if shown:
        write("")
        show(shown, _TABLE, OutputFormat.TABLE)
    if len(shown) < len(terms):
        write(f"... and {len(terms) - len(shown):,} more entries; --format csv shows them", "dim")


def _summary(result: TryResult) -> Iterator[str]:
    tried = (
        f"{many(result.messages, 'message', 'messages')}, {result.matched_by_both:,} matched by"
        " both lists"
    )
    counts = {"without text": result.without_text, "repeated": result.repeated}
    left_out = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count)
    yield f"{tried} (not tried: {left_out})" if left_out else tried
    yield _change(result, "+ {} newly matched", result.newly_matched, result.newly_matched_approved)
    yield _change(
        result,
        "- {} no longer matched",
        result.no_longer_matched,
        result.no_longer_matched_approved,
    )
    if result.newly_matched + result.no_longer_matched and not result.with_status:
        yield (
            "! These messages have no moderation status, so the number of approved messages is"
            " unknown."
        )
    yield from (f"! {note}" for note in not_matched(result.unsupported, result.sentences))


def _change(result: TryResult, text: str, count: int, approved: int) -> str:
    """A line such as `+ 3 newly matched (1.5%), 2 of them approved by a moderator`."""
    share = round(100 * count / result.messages, 1)
    line = f"{text.format(f'{count:,}')} ({share:g}%)"
    if result.with_status and count:
        line += f", {approved:,} of them approved by a moderator"
    return line
