"""The words of the command line for the names of the client."""

from collections.abc import Mapping

#: The request of each operation.
REQUESTS: Mapping[str, str] = {
    "get_keyword_list": "the request for the keyword list",
    "update_keyword_list": "the update of the keyword list",
    "list_reviewed_messages": "the request for reviewed messages",
    "list_roles": "the request for roles",
    "delete_auth_token": "the deletion of the auth token",
}
#: The option or the argument that users type for an argument of the client.
OPTIONS: Mapping[str, str] = {
    "keyword_id": "LIST",
    "uid": "USER",
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            "app_id",
            "base_url",
            "category",
            "interval",
            "limit",
            "max_removed",
            "per_page",
            "quotes",
            "region",
        )
    },
}


def many(count: int, singular: str, plural: str) -> str:
    """A number and its noun."""
    return f"{count:,} {singular if count == 1 else plural}"


#: The message if a response has no entries, which does not mean that the list is empty.
HIDDEN = "the service does not show the entries of this list"
