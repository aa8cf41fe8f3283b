"""Read the entries of lists for commands that change nothing."""

from cometchat_desk.messages import write_note
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import Client, KeywordList, keyword_input
from cometchat_rest.keyword_input import Quotes


def read_list(chat: Client, keyword_id: str) -> tuple[KeywordList, Quotes | None]:
    """Read a list; to what the double quotes belong that it shows. If nobody knows it, they count
    as those of a CSV file, and a note says so."""
    # The help of a command does not load SQLite.
    from cometchat_desk.journal import Journal

    keyword_list, quotes = Journal().read_list(chat, keyword_id)
    shown = keyword_input.list_entries(keyword_list) or ()
    quoted = {*shown}.difference(keyword_input.list_entries(keyword_list, quotes="csv") or ())
    if quotes is not None or not quoted:
        return keyword_list, quotes
    write_note(
        f"{visible(keyword_id)} shows {many(len(quoted), 'entry', 'entries')} in double quotes,"
        " which are read without them; an update asks for --quotes"
    )
    return keyword_list, "csv"
