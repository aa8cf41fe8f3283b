"""The records that a command reads, without those of other apps."""

from cometchat_desk.insight.collected import Records
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many


def keep_apps(target: Target, records: Records) -> None:
    """Leave out the records of other apps than those of --app; the notes about the records go to
    stderr."""
    for note in records.notes:
        write_note(note)
    if not target.app:
        return
    left_out = records.keep_apps(target.app)
    if left_out:
        count = many(
            sum(left_out.values()), "record of another app is", "records of other apps are"
        )
        options = " ".join(f"--app {name}" for name in (*target.app, *left_out))
        write_note(visible(f"{count} left out; to count all, use {options}"))
