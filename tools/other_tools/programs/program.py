"""Calls every operation with the client that openapi-generator made for Python."""

import sys
from collections.abc import Callable
from pathlib import Path

import openapi_client as chat  # type: ignore[import-not-found]  # the generated client

base_url, key, token, path = sys.argv[1:]
client = chat.ApiClient(chat.Configuration(host=base_url, api_key={"apikey": key}))
keywords = chat.KeywordsApi(client)
update = keywords.update_keyword_list
terms = ("terms.csv", Path(path).read_bytes())
sentences = ["Go, now.", "Leave."]


def show(name: str, call: Callable[[], object]) -> None:
    """Print the name of a call, and its result or its error."""
    try:
        print(name, call(), sep="\t")
    except Exception as error:  # noqa: BLE001 - every error is a result
        print(name, "!" + " ".join(str(error).split()), sep="\t")


show("get", lambda: keywords.get_keyword_list("profanity-list").data.id)
show("words", lambda: update("words", "word", search_terms="spam,scam") and "sent")
show("patterns", lambda: update("patterns", "pattern", search_terms="[0-9]{4}") and "sent")
show("sentences", lambda: update("sentences", "sentence-similarity", disallowed_sentences=sentences) and "sent")
show("file", lambda: update("file", "word", search_terms="", file=terms) and "sent")
show("messages", lambda: len(chat.ReviewedMessagesApi(client).list_reviewed_messages(limit=2).data))
show("roles", lambda: len(chat.RolesApi(client).list_roles(page=2, per_page=10).data))
show("delete", lambda: chat.AuthTokensApi(client).delete_auth_token("alice", token).data.success)
