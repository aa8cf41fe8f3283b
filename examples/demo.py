"""Sends a call of each operation to the simulator over real HTTP, and shows the results: `make demo`."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from cometchat_rest import Client, KeywordList, NotFoundError, ReviewedMessage, WordListInput
from cometchat_rest.testing import Simulator

console = Console(highlight=False)


def show_step(title: str, call: str) -> None:
    """Print the title of a step, and the Python call that the step makes."""
    console.print(f"\n[bold]{title}[/]\n  [cyan]{call}[/]")


def show_text(text: str) -> None:
    """Print a result; every line is indented."""
    console.print(Padding(text, (0, 0, 0, 2), expand=False))


def show_list(words: KeywordList) -> None:
    """Print the entries of a keyword list."""
    show_text(", ".join(words.search_terms or ["(the service does not show the entries)"]))


def show_reviewed(records: list[ReviewedMessage]) -> None:
    """Print reviewed messages as a table."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for name, width in (("time (UTC)", 12), ("from, to", 12), ("message", 26), ("status", 11), ("action", 12)):
        table.add_column(name, width=width, no_wrap=True)
    for record in records:
        message = record.message
        data = message.data
        moderation = data.moderation if data else None
        table.add_row(
            datetime.fromtimestamp(record.created_at, UTC).strftime("%d %b %H:%M"),
            f"{message.sender}, {message.receiver}",
            data.text if data and data.text else f"[dim]({message.type_})[/]",
            (moderation.status if moderation else None) or "-",
            record.action[0] if record.action else "-",
        )
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def delete_twice(chat: Client, uid: str, token: str) -> None:
    """Delete a token, then try to delete it again."""
    deletion = chat.auth_tokens.delete(uid, token)
    show_text(f"success: {deletion.success}")
    try:
        chat.auth_tokens.delete(uid, token)
    except NotFoundError as error:
        show_text(f"The same call again raises NotFoundError: {error.status_code} {error.code}")


def main() -> None:
    """Start the simulator and send the calls."""
    with Simulator() as simulator, Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        console.print(f"The simulator listens at {chat.base_url}.\nNo request leaves this machine.")

        show_step("1. Get a keyword list", 'chat.keywords.get("profanity-list")')
        show_list(chat.keywords.get("profanity-list"))

        show_step("2. Update the list", 'chat.keywords.update("profanity-list", WordListInput(search_terms=[...]))')
        show_list(chat.keywords.update("profanity-list", WordListInput(search_terms=["spam", "scam", "phishing"])))

        show_step("3. List reviewed messages", "chat.reviewed_messages.list(limit=8)")
        show_reviewed(chat.reviewed_messages.list(limit=8).data)

        show_step("4. List all roles, 10 for each request", "chat.roles.iter(per_page=10)")
        roles = list(chat.roles.iter(per_page=10))
        show_text(f"{len(roles)} roles: {', '.join(role.role for role in roles)}")

        show_step("5. Delete an auth token", 'chat.auth_tokens.delete("alice", token)')
        delete_twice(chat, "alice", simulator.auth_tokens["alice"][0])


if __name__ == "__main__":
    main()
