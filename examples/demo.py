"""All five operations against the simulator, over real HTTP, as a person would want to see them: `make demo`."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from cometchat_rest import Client, KeywordList, NotFoundError, ReviewedMessage, WordListInput
from cometchat_rest.testing import Simulator

console = Console()


def show_list(title: str, words: KeywordList) -> None:
    """A keyword list, with its revision."""
    console.print(f"\n[bold]{title}[/]  [dim]revision {words.revision_id}[/]")
    console.print("  " + ", ".join(words.search_terms or ["(the service shows no entries)"]))


def show_reviewed(records: list[ReviewedMessage]) -> None:
    """A table of reviewed messages."""
    table = Table(box=SIMPLE_HEAD, title="Reviewed messages", title_style="bold", title_justify="left", padding=0)
    for name, width in (
        ("when (UTC)", 13),
        ("from > to", 13),
        ("message", 24),
        ("status", 12),
        ("action", 12),
    ):
        table.add_column(name, width=width, no_wrap=True)
    for record in records:
        message = record.message
        data = message.data
        moderation = data.moderation if data else None
        table.add_row(
            datetime.fromtimestamp(record.created_at, UTC).strftime("%d %b %H:%M"),
            f"{message.sender} > {message.receiver}",
            data.text if data and data.text else f"[dim]({message.type_})[/]",
            (moderation.status if moderation else None) or "-",
            record.action[0] if record.action else "-",
        )
    console.print()
    console.print(table)


def show_roles(chat: Client) -> None:
    """Every role, read page by page."""
    roles = list(chat.roles.iter(per_page=10))
    console.print(f"\n[bold]Roles[/]  [dim]{len(roles)}, read 10 to a page[/]")
    console.print("  " + ", ".join(role.role for role in roles))


def delete_token(chat: Client, uid: str, token: str) -> None:
    """Delete a token, and see that it is gone."""
    deletion = chat.auth_tokens.delete(uid, token)
    console.print(f"\n[bold]Delete an auth token of {uid}[/]  success: {deletion.success}")
    try:
        chat.auth_tokens.delete(uid, token)
    except NotFoundError as error:
        console.print(f"  a second time: {error.status_code} {error.code}")


def main() -> None:
    """Start the simulator and make the calls."""
    with Simulator() as simulator, Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        console.print(f"[dim]Asking {chat.base_url}[/]")
        show_list("Keyword list before", chat.keywords.get("profanity-list"))
        chat.keywords.update("profanity-list", WordListInput(search_terms=["spam", "scam", "phishing"]))
        show_list("Keyword list after", chat.keywords.get("profanity-list"))
        show_reviewed(chat.reviewed_messages.list(limit=8).data)
        show_roles(chat)
        delete_token(chat, "alice", next(iter(simulator.auth_tokens["alice"])))


if __name__ == "__main__":
    main()
