"""`cometchat-desk reviewed report`: a page about reviewed messages, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import Since, Yes, command, output_option
from cometchat_desk.commands.keywords.term_lists import Above, MinDecided, count_terms, term_notes
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight import stats
from cometchat_desk.insight.collected import Records
from cometchat_desk.insight.report.report import write_report
from cometchat_desk.insight.stats import Marks
from cometchat_desk.insight.term_stats import TermStats
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import CometChatError

from .chosen import MostRecords, RecordFiles, read


@command()
def report(
    target: Target,
    output: Annotated[Path, output_option("The .html file to write; an existing file is replaced after a question.")],
    files: RecordFiles = None,
    since: Since = None,
    terms: Annotated[bool, typer.Option(help="Count the terms of the lists that the rules name.")] = True,
    min_decided: MinDecided = 10,
    above: Above = 0.5,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of the page.")] = "Moderation report",
    limit: MostRecords = None,
    yes: Yes = False,
) -> None:
    """Write a page with charts and a table of all messages, as one file that loads nothing.

    The page opens in any browser, also on a phone and without a network. It holds the texts of the messages, so only
    you can read the file. It is written completely or not at all.

    The terms come from the lists of the service that the rules name. Without a key, the page has no terms.

    Examples:
      cometchat-desk reviewed report --records reviewed.jsonl --output report.html
      cometchat-desk reviewed report --records reviewed.jsonl --since 7d --output week.html
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise StopError(Code.USAGE, f"{visible(str(output))}: the name of a report must end in .html")
    prompts.confirm_replacement(output, yes=yes)
    marks = stats.Marks(min_decided, above)
    records = read(target, files, since, limit)
    counts, notes = _terms(target, records, marks) if terms else (None, [])
    for note in notes if counts is None else term_notes(counts):
        write_note(note)
    with ProgressNote("Writing the report"):
        shown = write_report(records, output, terms=counts, marks=marks, notes=notes, title=title)
    count = len(records)
    rest = "" if shown == count else f"; the table holds the latest {shown:,}"
    say(f"Wrote a report about {count:,} messages to {visible(str(output))}{rest}.")


def _terms(target: Target, records: Records, marks: Marks) -> tuple[TermStats | None, list[str]]:
    """The counts of the terms, or the reason why the terms are unknown. The report is then written without terms."""
    try:
        return count_terms(target, records, marks=marks), []
    except (StopError, CometChatError) as error:
        return None, [f"the report has no terms: {error}"]
