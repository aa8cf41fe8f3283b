"""`cometchat-desk reviewed report`."""

import re
from pathlib import Path

from cometchat_testing import History

from ...conftest import CommandLine

PLANTED = {"shot", "crack", "strip"}


def test_report_names_the_planted_false_positives(cli: CommandLine, history: History) -> None:
    """The top of the report lists the planted words and no other entry, and the chart has the
    counts of all entries."""
    assert (
        cli("reviewed", "report", "--records", "history.jsonl", "--output", "report.html").code == 0
    )
    # Without the links of terms to their messages, and the heads for a phone.
    text = re.sub('</?a[^>]*>| data-head="[^"]*"', "", Path("report.html").read_text("utf-8"))
    top = text.partition("Likely false positives</h2>")[2].partition("</section>")[0]
    assert (
        set(re.findall(r"<td><bdi>(\w+)</bdi></td><td><bdi>entry of community-words</bdi>", top))
        == PLANTED
    )
    terms = text.partition("<h2>Top entries</h2>")[2].partition("</section>")[0]
    counts = re.findall(r'<td><bdi>([^<]*)</bdi></td><td class="number">(\d+)</td>', terms)
    assert history.by_term.items() <= {(term, int(count)) for term, count in counts}
    assert terms.count('class="warning"') == 3


def test_report_without_a_key(cli: CommandLine, history: History) -> None:
    """Without a key, the report has no entries, and the command and the page say how to get them."""
    assert history.messages
    cli.env.delenv("COMETCHAT_API_KEY")
    done = cli("reviewed", "report", "--records", "history.jsonl", "--output", "report.html")
    assert done.code == 0
    assert "the report has no entries" in done.err
    assert "no API key was given" in done.err
    text = Path("report.html").read_text("utf-8")
    assert "Top entries" not in text
    assert "The report has no entries" in text
