"""Sends a call of each operation to the simulator over real HTTP, and shows the results: `make
demo`."""

from __future__ import annotations

from cometchat_rest import Client, KeywordList, NotFoundError, ReviewedMessage
from cometchat_rest.keyword_input import list_entries
from cometchat_testing import Simulator


def show_step(title: str, call: str) -> None:
    """Print the title of a step, and the Python call that the step makes."""
    print(f"\n{title}\n  {call}")


def show_list(words: KeywordList) -> None:
    """Print the entries of a keyword list."""
    entries = list_entries(words)
    shown = "(the service does not show the entries)" if entries is None else ", ".join(entries)
    print(f"  -> {shown or '(an empty list)'}")


def show_reviewed(records: list[ReviewedMessage]) -> None:
    """Print reviewed messages as a table."""
    row = "     {:20} {:14} {:30} {:12} {}"
    print(row.format("rule", "from, to", "message", "status", "action"))
    for record in records:
        message = record.message
        data = message.data
        moderation = data.moderation if data else None
        print(
            row.format(
                str(record.rule_name),
                f"{message.sender}, {message.receiver}",
                str(data.text if data and data.text else f"({message.type_})")[:30],
                str(getattr(moderation, "status", "-")),
                str(record.action),
            )
        )


def delete_twice(chat: Client, uid: str, token: str) -> None:
    """Delete a token, then try to delete it again."""
    deletion = chat.auth_tokens.delete(uid, token)
    print(f"  -> success: {deletion.success}")
    try:
        chat.auth_tokens.delete(uid, token)
    except NotFoundError as error:
        print(f"     The same call again raises NotFoundError: {error.status_code} {error.code}")


def main() -> None:
    """Start the simulator and send the calls."""
    with (
        Simulator() as simulator,
        Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat,
    ):
        print(f"The simulator listens at {chat.base_url}.\nNo request leaves this machine.")

        show_step("1. Get a keyword list", 'chat.keywords.get("profanity-list")')
        show_list(chat.keywords.get("profanity-list"))

        show_step(
            "2. Update the list",
            'chat.keywords.update("profanity-list", [*terms, "phishing"])',
        )
        terms = chat.keywords.get("profanity-list").search_terms or []
        show_list(chat.keywords.update("profanity-list", [*terms, "phishing"]))

        show_step("3. List reviewed messages", "chat.reviewed_messages.list(limit=8)")
        show_reviewed(chat.reviewed_messages.list(limit=8).data)

        show_step("4. List all roles, 10 for each request", "chat.roles.list(per_page=10)")
        roles = list(chat.roles.list(per_page=10))
        print(f"  -> {len(roles)} roles: {', '.join(str(role.role) for role in roles[:10])}, ...")

        show_step("5. Delete an auth token", 'chat.auth_tokens.delete("alice", token)')
        delete_twice(chat, "alice", simulator.auth_tokens["alice"][0])


if __name__ == "__main__":
    main()
