"""The keyword lists whose terms `reviewed stats --by term` and `reviewed report` count."""

from collections.abc import Sequence

from cometchat_desk.commands.command import label_of, open_client
from cometchat_desk.exit_codes import StopError
from cometchat_desk.insight.collected import Records
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.term_stats import ListName, TermStats, named_lists, read_lists, term_stats
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote


def count_terms(target: Target, records: Records) -> TermStats:
    """Count the terms of the lists that the rules of the records name."""
    missing: dict[ListName, str] = {}
    lists: dict[ListName, ListTerms] = {}
    named, read = named_lists(records), set[ListName]()
    apps = connection.app_targets(target, all_apps=False)
    for app, one in apps.items():
        # The records of one app need not say its name.
        is_only = len(apps) == len({name for name, _ in named}) == 1
        label = app or label_of(one)
        of_app = [name for name in named if is_only or name[0] == label]
        found, unknown = _read(one, of_app)
        lists |= found
        missing |= unknown
        read.update(of_app)
    unread = [name for name in named if name[0] and name not in read]
    missing |= {name: f"its app was not named; use --app {name[0]}" for name in unread}
    with ProgressNote("Counting terms"):
        return term_stats(records, lists, missing=missing)


def _read(target: Target, names: Sequence[ListName]) -> tuple[dict[ListName, ListTerms], dict[ListName, str]]:
    """Read the lists of one app."""
    if not names:
        return {}, {}
    try:
        with open_client(target) as chat, ProgressNote("Reading the lists of the rules"):
            return read_lists(names, chat.keywords.get)
    except StopError as error:
        raise StopError(error.code, f"the terms are in the lists of the service: {error}") from None
