"""An internal web service for moderators: lists, roles and logging out users.

uvicorn moderation_service:app
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

from fastapi import Body, Depends, FastAPI, Request
from fastapi.responses import JSONResponse
from opentelemetry import trace
from pydantic import BaseModel, SecretStr

from cometchat_rest import (
    AsyncClient,
    AttemptRecord,
    CometChatError,
    InvalidRequestError,
    KeywordList,
    KeywordPlan,
    NotFoundError,
    RateLimitError,
    RevisionConflictError,
    Role,
    keyword_input,
)


class State(TypedDict):
    """What the requests share."""

    chat: AsyncClient


class Changes(BaseModel):
    """The entries to add to a list, and to remove from it."""

    add: list[str] = []
    remove: list[str] = []


def make_span(record: AttemptRecord) -> None:
    """A span for each request to the chat service. It shows the template of the path, which
    holds no token."""
    end = time.time_ns()
    trace.get_tracer("moderation_service").start_span(
        f"{record.method} {record.path}",
        kind=trace.SpanKind.CLIENT,
        attributes={"http.response.status_code": record.status_code or 0},
        start_time=end - int(record.duration * 1e9),
    ).end(end)


@asynccontextmanager
async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
    """One client for the life of the program; its settings come from the environment."""
    async with AsyncClient(on_attempt=make_span) as chat:
        yield {"chat": chat}


def client(request: Request) -> AsyncClient:
    """The client, for `Depends`."""
    chat: AsyncClient = request.state.chat
    return chat


Chat = Annotated[AsyncClient, Depends(client)]
app = FastAPI(title="Moderation", lifespan=lifespan)

# The first class that fits decides.
_STATUSES: tuple[tuple[type[CometChatError], int], ...] = (
    (NotFoundError, 404),
    (RevisionConflictError, 409),
    (InvalidRequestError, 422),
    (RateLimitError, 503),
)


@app.exception_handler(CometChatError)
async def show_error(_request: Request, error: CometChatError) -> JSONResponse:
    """An error as JSON, without keys and tokens."""
    status = next((status for cls, status in _STATUSES if isinstance(error, cls)), 502)
    return JSONResponse(_as_json(error), status)


def _as_json(error: CometChatError) -> dict[str, object]:
    shown = ("operation", "outcome_unknown", "attempts")
    return {
        "type": type(error).__name__,
        "text": str(error),
        **{name: getattr(error, name) for name in shown},
    }


@app.get("/lists/{keyword_id}")
async def get_list(keyword_id: str, chat: Chat) -> KeywordList:
    """Show a keyword list."""
    return await chat.keywords.get(keyword_id)


@app.post("/lists/{keyword_id}/changes")
async def change_list(keyword_id: str, changes: Changes, chat: Chat) -> dict[str, Any]:
    """Add and remove single entries, and show the result."""
    keyword_list = await chat.keywords.get(keyword_id)
    entries = keyword_input.list_entries(keyword_list)
    if entries is None:
        raise InvalidRequestError(
            "the chat service does not show the entries", path_values={"keyword_id": keyword_id}
        )
    kept = [entry for entry in entries if entry not in changes.remove]
    terms = [*dict.fromkeys([*kept, *changes.add])]
    plan = KeywordPlan.compare(keyword_id, keyword_list, terms, base_url=chat.base_url)
    # No limit: the caller named each removed entry.
    update = await chat.keywords.apply(plan, max_removed=1.0)
    return {"matches": update.matches, "missing": update.missing, "unexpected": update.unexpected}


@app.get("/roles")
async def list_roles(chat: Chat) -> list[Role]:
    """Show all roles."""
    return [role async for role in chat.roles.list()]


@app.post("/users/{uid}/log-out")
async def log_out(
    uid: str, tokens: Annotated[list[SecretStr], Body()], chat: Chat
) -> list[dict[str, Any]]:
    """Revoke tokens of a user, and show the outcome for each of them."""
    found = await chat.auth_tokens.revoke_all((uid, token.get_secret_value()) for token in tokens)
    return [
        {"outcome": each.outcome, "error": each.error and _as_json(each.error)} for each in found
    ]
