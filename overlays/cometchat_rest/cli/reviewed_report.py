"""`cometchat-rest reviewed report`: a page about reviewed messages, as one HTML file."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import prompts
from .command import Yes, command
from .escaping import visible
from .exit_codes import Code, StopError
from .progress import ProgressNote
from .reviewed import Limit, Since, group
from .reviewed_stats import Files, MemoryLimit, opened
from .target import Target


@command(
    group,
    examples=[
        "cometchat-rest reviewed report reviewed.jsonl --html report.html",
        "cometchat-rest reviewed report 'reviewed-*.jsonl.gz' --since 7d --html week.html --title 'Last week'",
    ],
)
def report(
    target: Target,
    html: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write; an existing file is replaced after confirmation.")
    ],
    files: Files = None,
    since: Since = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of the page.")] = "Moderation report",
    limit: Limit = None,
    memory_limit: MemoryLimit = "1GB",
    yes: Yes = False,
) -> None:
    """Write a page with charts and a table of all messages, as one file that loads nothing.

    The page opens in any browser, also on a phone and without a network. It holds the texts of the messages, so keep it
    as safe as the export. The file is written completely or not at all.
    """
    from cometchat_rest.insight.report import write_report

    if html.suffix.lower() not in (".html", ".htm"):
        raise StopError(Code.USAGE, f"{visible(str(html))}: the name of a report must end in .html")
    if html.exists():
        prompts.confirm(f"Replace {visible(str(html))}?", yes=yes)
    with opened(target, files, since, limit, memory_limit) as records, ProgressNote("Writing the report"):
        shown = write_report(records, html, title=title)
        count = len(records)
    rest = "" if shown == count else f"; the table holds the latest {shown:,}"
    print(f"Wrote a report about {count:,} messages to {visible(str(html))}{rest}.", file=sys.stderr)
