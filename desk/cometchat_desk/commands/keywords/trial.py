"""`cometchat-desk keywords try`: the messages that a new list would match, before the list is used."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import Yes, command, open_client
from cometchat_desk.exit_codes import Code, StopError, print_error, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Output, OutputFormat, format_for, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many

from .content import Category, ListId, NewContent, group
from .entry_input import STDIN, Header, InputFormat, StdinFormat
from .term_lists import read_terms

if TYPE_CHECKING:
    from cometchat_desk.insight.matcher import ListTerms
    from cometchat_desk.insight.messages import Messages
    from cometchat_desk.insight.try_list import TermChange, TryResult

# The number of terms that a table shows by default.
_SHOWN_TERMS = 50

Since: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Only messages reviewed since then: 24h, 7d, 2w, or a date such as 2026-11-01.",
    ),
]


@command(
    group,
    name="try",
    examples=[
        "cometchat-desk keywords try profanity-list words.txt --on reviewed.jsonl",
        "cometchat-desk keywords try profanity-list words.txt --on reviewed.jsonl --since 7d --matched-out new.csv",
        "cometchat-desk keywords try profanity-list words.txt --against old.txt --on chat.txt --fail-above 0.5%",
    ],
)
def try_(
    target: Target,
    list_id: ListId,
    file: NewContent,
    on: Annotated[
        list[str],
        typer.Option(
            "--on",
            metavar="FILE",
            help="The messages: an exported .jsonl or .csv, a .csv with a column text, a .txt with one message per "
            "line, or - for standard input. Repeat it for several files.",
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with this file and not with the list on the service."),
    ] = None,
    category: Category = None,
    input_format: StdinFormat = InputFormat.TXT,
    header: Header = None,
    since: Since = None,
    matched_out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all newly matched messages to this file, .jsonl or .csv: completely or not at all.",
        ),
    ] = None,
    fail_above: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Exit with 1 if the new list newly matches more than this share of the messages: 0.5% or 0.005.",
        ),
    ] = None,
    all_terms: Annotated[bool, typer.Option("--all", help=f"Show all terms, not only {_SHOWN_TERMS}.")] = False,
    yes: Yes = False,
    output: Output = None,
) -> Code:
    """Show which messages a new list would match that the live list does not, and the reverse.

    Nothing is changed. An export holds only messages that a rule has found already, so it cannot show which harmless
    messages a new term would match: for that, name a file of ordinary messages with --on. The service does not document
    how it matches. Here, words match as whole words and case is ignored (as substrings in scripts without spaces).
    Patterns are RE2 regular expressions. Sentences are not matched.
    """
    from cometchat_desk.insight.messages import Messages
    from cometchat_desk.insight.since import since_time

    limit = None if fail_above is None else _share(fail_above)
    earliest = None if since is None else since_time(since)
    if [*on, str(file), str(against)].count(str(STDIN)) > 1:
        raise StopError(Code.USAGE, "only one of FILE, --against and --on can be standard input (-)")
    if matched_out is not None:
        _check_matched_out(matched_out, [*on, str(file), str(against or file)], yes=yes)
    read = partial(read_terms, category=category, stdin_format=input_format, header=header)
    live, new = _lists(target, list_id, file, against, read)
    with ProgressNote("Reading messages"):
        messages = Messages(on, since=earliest)
    with messages:
        found = _try(live, new, messages, on, matched_out)
    _show(found, messages, (list_id, live), (file, new), output, all_terms=all_terms)
    if matched_out is not None:
        count = many(found.newly_matched, "newly matched message", "newly matched messages")
        print_error(f"wrote {count} to {visible(str(matched_out))}")
    if limit is not None and found.share_newly_matched > limit:
        share = _percent(found.share_newly_matched)
        print_error(f"the new list newly matches {share} of the messages, and --fail-above allows {_percent(limit)}")
        return Code.NO
    return Code.DONE


def _try(
    live: "ListTerms", new: "ListTerms", messages: "Messages", on: Iterable[str], matched_out: Path | None
) -> "TryResult":
    from cometchat_desk.insight.try_list import try_list

    from .matched_file import MatchedFile

    if matched_out is None:
        with ProgressNote("Trying the list"):
            found = try_list(live, new, messages)
        _check_read(found, messages, on)
        return found
    # An error in this block leaves an existing file unchanged.
    with MatchedFile(matched_out) as matched:
        with ProgressNote("Trying the list"):
            found = try_list(live, new, messages, on_newly_matched=matched.add)
        _check_read(found, messages, on)
    return found


def _lists(
    target: Target, list_id: str, file: Path, against: Path | None, read: "Callable[[Path, str], ListTerms]"
) -> "tuple[ListTerms, ListTerms]":
    from attrs import evolve

    from cometchat_desk.insight.matcher import ListTerms

    if against is not None:
        live = read(against, "word")
        return live, read(file, live.category)
    # An error in the file is shown before the service is asked.
    new = read(file, "")
    with open_client(target, list_id) as chat, ProgressNote(f"Reading {visible(list_id)}"):
        live = ListTerms.of(chat.keywords.get(list_id))
    return live, new if new.category else evolve(new, category=live.category)


def _check_matched_out(path: Path, inputs: Iterable[str], *, yes: bool) -> None:
    if path.suffix.lower() not in (".jsonl", ".csv"):
        raise StopError(Code.USAGE, f"--matched-out {visible(str(path))}: the suffix must be .jsonl or .csv")
    if any(each != "-" and path.resolve() == Path(each).resolve() for each in inputs):
        raise StopError(
            Code.USAGE, f"--matched-out {visible(str(path))}: is also an input of this command; choose another file"
        )
    if path.exists():
        prompts.confirm(f"Replace {visible(str(path))}?", yes=yes)


def _check_read(found: "TryResult", messages: "Messages", on: Iterable[str]) -> None:
    from cometchat_desk.insight.records import note_of_beginning

    if messages.skipped:
        lines = many(messages.skipped, "line is not a complete record", "lines are not complete records")
        print_error(f"{lines}; skipped")
    for note in note_of_beginning(messages.begins):
        write_note(note)
    if messages.has_exports:
        write_note(
            "an export holds only messages that a rule has found already; to see which harmless messages the new list "
            "would match, try it on ordinary messages too"
        )
    if not found.messages:
        names = visible(", ".join(on))
        raise StopError(Code.USAGE, f"{names}: there is no message with a text that could be tried")


def _share(given: str) -> float:
    number = given.strip().removesuffix("%")
    try:
        share = float(number) / (100 if given.strip().endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise StopError(Code.USAGE, f"--fail-above must be a share such as 0.5% or 0.005, not {visible(given)}")
    return share


def _percent(share: float) -> str:
    """A share as text with as many digits as it needs: a small share must not look like zero."""
    return "0%" if not share else f"{100 * share:.1f}%" if share >= 0.001 else f"{100 * share:.2g}%"


# Output.


def _show(
    found: "TryResult",
    messages: "Messages",
    live: "tuple[str, ListTerms]",
    new: "tuple[Path, ListTerms]",
    output: Output,
    *,
    all_terms: bool,
) -> None:
    output_format = format_for(output)
    if output_format is OutputFormat.TABLE:
        _show_table(found, live, new, all_terms=all_terms)
        return
    print_error(found.rules)
    if output_format is OutputFormat.CSV:
        show((_term_record(found, each) for each in found.terms), _TERM_CSV, output_format)
    else:
        show([_record(found, messages, live, new)], (), output_format)


def _record(
    found: "TryResult", messages: "Messages", live: "tuple[str, ListTerms]", new: "tuple[Path, ListTerms]"
) -> Record:
    """The result as one record for programs."""
    known = found.with_status > 0
    return {
        "list_id": live[0],
        "file": str(new[0]),
        "category": live[1].category,
        "new_category": new[1].category,
        "rules": found.rules,
        "live_terms": found.live_terms,
        "new_terms": found.new_terms,
        "messages": found.messages,
        "without_text": found.without_text,
        "repeated": found.repeated,
        "skipped_lines": messages.skipped,
        "matched_by_both": found.matched_by_both,
        "newly_matched": found.newly_matched,
        "newly_matched_approved": found.newly_matched_approved if known else None,
        "share_newly_matched": found.share_newly_matched,
        "no_longer_matched": found.no_longer_matched,
        "no_longer_matched_approved": found.no_longer_matched_approved if known else None,
        "share_no_longer_matched": found.share_no_longer_matched,
        "unsupported_patterns": [{"pattern": each.pattern, "reason": each.reason} for each in found.unsupported],
        "sentences_not_matched": found.sentences,
        "terms": [_term_record(found, each) for each in found.terms],
    }


def _term_record(found: "TryResult", each: "TermChange") -> Record:
    return {
        "term": each.term,
        "category": each.category,
        "change": each.change,
        "messages": each.messages,
        "newly_matched": each.affected if each.change == "added" else 0,
        "no_longer_matched": each.affected if each.change == "removed" else 0,
        "approved": each.approved if found.with_status else None,
        "example_id": each.example_id,
        "example": each.example,
    }


_TERM_CSV = tuple(
    Column(title=name, value=itemgetter(name))
    for name in (
        *("term", "category", "change", "messages", "newly_matched", "no_longer_matched", "approved", "example_id"),
        "example",
    )
)


def _affected(record: Record) -> object:
    added = record["change"] == "added"
    return f"+{record['newly_matched']:,}" if added else f"-{record['no_longer_matched']:,}"


def _approved(record: Record) -> object:
    return "?" if record["approved"] is None else f"{record['approved']:,}"


_TERM_TABLE = (
    Column(title="Term", value=itemgetter("term"), width=20, style="bold"),
    Column(title="Messages", value=_affected, width=10),
    Column(title="Approved", value=_approved, width=8),
    Column(title="First message", value=itemgetter("example"), least=28),
)


def _show_table(
    found: "TryResult",
    live: "tuple[str, ListTerms]",
    new: "tuple[Path, ListTerms]",
    *,
    all_terms: bool,
) -> None:
    from cometchat_desk.terminal.table import write

    write(f"--- {live[0]}: {live[1].category}, {many(len(live[1].terms), 'entry', 'entries')}", "bold")
    write(f"+++ {new[0]}: {new[1].category}, {many(len(new[1].terms), 'entry', 'entries')}", "bold")
    for line, style in _summary(found):
        write(line, style)
    shown = found.terms if all_terms else found.terms[:_SHOWN_TERMS]
    if shown:
        write("")
        rows = ({**_term_record(found, each), "example": each.example or _without_effect(each)} for each in shown)
        show(rows, _TERM_TABLE, OutputFormat.TABLE)
    if len(shown) < len(found.terms):
        write(f"... and {len(found.terms) - len(shown):,} more terms; --all shows them", "dim")
    write("")
    write(f"! {found.rules}", "yellow")


def _without_effect(term: "TermChange") -> str:
    still = "matched already" if term.change == "added" else "still matched"
    return f"({many(term.messages, 'message', 'messages')}, all {still} by other entries)"


def _summary(found: "TryResult") -> Iterator[tuple[str, str]]:
    others = (
        (found.without_text, "without text"),
        (found.repeated, "that occur again"),
    )
    left_out = ", ".join(f"{count:,} {which}" for count, which in others if count)
    tried = many(found.messages, "message", "messages")
    yield (
        f"{tried}, {found.matched_by_both:,} matched by both lists" + (f" (not tried: {left_out})" if left_out else ""),
        "",
    )
    rows: tuple[tuple[str, int, float, int, str], ...] = (
        ("+", found.newly_matched, found.share_newly_matched, found.newly_matched_approved, "newly matched"),
        (
            *("-", found.no_longer_matched, found.share_no_longer_matched, found.no_longer_matched_approved),
            "no longer matched",
        ),
    )
    for mark, count, share, approved, what in rows:
        known = f", {approved:,} of them approved by a moderator" if found.with_status and count else ""
        yield f"{mark} {count:,} {what} ({_percent(share)}){known}", "green" if mark == "+" else "red"
    if found.newly_matched + found.no_longer_matched and not found.with_status:
        yield "! These messages have no moderation status, so the number of approved messages is unknown.", "yellow"
    if found.unsupported:
        patterns = many(len(found.unsupported), "pattern was", "patterns were")
        yield f"! {patterns} not used, because RE2 does not support the syntax:", "yellow"
        for each in found.unsupported:
            yield f"!   {each.pattern}  ({each.reason})", "yellow"
    if found.sentences:
        yield f"! {many(found.sentences, 'sentence was', 'sentences were')} not matched.", "yellow"
