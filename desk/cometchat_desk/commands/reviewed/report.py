"""`cometchat-desk reviewed report`: a page about reviewed messages, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import Since, Yes, command, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight.report.report import write_report
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many
from cometchat_rest import CometChatError

from .chosen import RecordFiles, count_terms, read


@command()
def report(
    target: Target,
    output: Annotated[
        Path,
        output_option("The .html file to write; an existing file is replaced after a question."),
    ],
    files: RecordFiles = None,
    since: Since = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="The title of the page.")
    ] = "Moderation report",
    yes: Yes = False,
) -> None:
    """Write a page with charts and a table of all messages, as one file that needs no network.

    The page opens in any browser, also on a phone and without a network. It holds the texts of the
    messages, so only you can read the file. It is written completely or not at all.

    The entries come from the lists of the service that the rules name. Without a key, the page has
    no entries. For the latest records of several apps, or the entries of several apps in the files,
    repeat --app.

    Examples:
      cometchat-desk reviewed report --records reviewed.jsonl --output report.html
      cometchat-desk reviewed report --records reviewed.jsonl --since 7d --output week.html
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise StopError(
            Code.USAGE, f"{visible(str(output))}: the name of a report must end in .html"
        )
    prompts.confirm_replacement(output, yes=yes)
    records = read(target, files, since)
    terms = None
    notes: list[str] = []
    try:
        terms = count_terms(target, records)
    except (StopError, CometChatError) as error:
        notes = [f"the report has no entries: {error}"]
    for note in notes if terms is None else terms.notes:
        write_note(note)
    with ProgressNote("Writing the report"):
        write_report(records, output, terms=terms, notes=notes, title=title)
    say(
        f"Wrote a report about {many(len(records), 'message', 'messages')} to"
        f" {visible(str(output))}."
    )
