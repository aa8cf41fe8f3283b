"""Both clients of this project behind a proxy and a mock of other people."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from cometchat_rest import (
    ApiError,
    AsyncClient,
    Client,
    CometChatError,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest.testing import Simulator
from tools.description import DESCRIPTION, read

from .workplace import NODE, Result, ToolError, npm_version

#: With a comma, which Prism refuses in a field without `allowReserved`.
CSV = b"ham\nspam,eggs\n"
#: The list of every call: a mock responds to each of them with the same example.
LIST = "profanity-list"


def _update(content: Any) -> Callable[[Any], Any]:
    return lambda chat: chat.keywords.update(LIST, content)


#: All operations, and all forms of the update.
CALLS: Mapping[str, Callable[[Any], Any]] = {
    "get": lambda chat: chat.keywords.get(LIST),
    "words": _update(WordListInput(search_terms=["spam", "scam"])),
    "one word": _update(WordListInput(search_terms="spam", id=LIST, name="Words", description="Some words")),
    "words in a file": _update(WordListInput(file=CSV)),
    "patterns": _update(PatternListInput(search_terms=["[0-9]{4}", "a|b"])),
    "patterns in a file": _update(PatternListInput(file=CSV, name="Patterns")),
    "sentences": _update(SentenceSimilarityListInput(disallowed_sentences=["Go, now.", "Leave."])),
    "one sentence": _update(SentenceSimilarityListInput(disallowed_sentences=["Go, now."])),
    "sentences with a file": _update(SentenceSimilarityListInput(disallowed_sentences=["Leave."], file=CSV)),
    "messages": lambda chat: chat.reviewed_messages.list(),
    "two messages": lambda chat: chat.reviewed_messages.list(limit=2),
    "roles": lambda chat: chat.roles.list(),
    "second page of roles": lambda chat: chat.roles.list(page=2, per_page=10),
}


def delete(token: str) -> Callable[[Any], Any]:
    """The call that deletes a token of alice."""
    return lambda chat: chat.auth_tokens.delete("alice", token)


def send(base_url: str, key: str, tokens: list[str], *, strict: bool) -> Iterator[tuple[str, str | None]]:
    """Make all calls with both clients; yield the name of each call, and its error."""
    options: Any = {"base_url": base_url, "api_key": key, "strict": strict, "max_retries": 0, "on_behalf_of": "bob"}
    for name, call in {**CALLS, "delete": delete(tokens[0])}.items():
        with Client(**options) as chat:
            yield f"Client: {name}", _error(partial(call, chat))
    for name, call in {**CALLS, "delete": delete(tokens[1])}.items():
        yield f"AsyncClient: {name}", _error(partial(asyncio.run, _awaited(call, options)))


async def _awaited(call: Callable[[Any], Any], options: Any) -> None:
    async with AsyncClient(**options) as chat:
        await call(chat)


def _error(call: Callable[[], Any]) -> str | None:
    try:
        call()
    except ApiError as error:
        # Prism gives its reasons as JSON, in a header or in the body; the client cuts both off.
        reason = re.search('"message":"([^"]+)"', f"{error.headers.get('sl-violations')} {error.body}")
        return f"status {error.status_code}" + (f": {reason[1]}" if reason else "")
    except CometChatError as error:
        return " ".join(str(error).split())
    return None


def _result(number: str, outcomes: Iterator[tuple[str, str | None]]) -> Result:
    found = list(outcomes)
    problems = [f"{name}: {error}" for name, error in found if error is not None]
    return Result(number, len(found) - len(problems), len(found), "".join(problems[:1])[:160])


@contextmanager
def _prism(*arguments: str) -> Iterator[str]:
    """Run Prism; yield its address. Prism ignores the path of an address, so each path gets the prefix /v3."""
    document = dict(read(DESCRIPTION))
    document["paths"] = {f"/v3{path}": item for path, item in document["paths"].items()}
    del document["servers"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "openapi.json"
        path.write_text(json.dumps(document), "utf-8")
        script = NODE / "@stoplight" / "prism-cli" / "dist" / "index.js"
        command = ["node", script, arguments[0], path, *arguments[1:], "--errors", "-p", "0"]
        process = subprocess.Popen(
            [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            yield _address(process)
        finally:
            # Prism starts a process for its server.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _address(process: subprocess.Popen[str]) -> str:
    output: list[str] = []
    for line in process.stdout or ():
        output.append(line)
        if "is listening on " in line:
            return line.split("is listening on ")[1].split()[0]
    raise ToolError("".join(output)[-160:])


def try_prism_proxy() -> Result:
    """Send all calls through Prism, which validates each request and response, to the simulator."""
    with Simulator() as simulator, _prism("proxy", simulator.base_url.removesuffix("/v3")) as address:
        outcomes = send(f"{address}/v3", simulator.api_key, simulator.auth_tokens["alice"], strict=True)
        return _result(npm_version("@stoplight/prism-cli"), outcomes)


def try_prism_mock() -> Result:
    """Send all calls to Prism, which responds with the examples of the description."""
    with _prism("mock") as address:
        outcomes = send(f"{address}/v3", "key", ["first", "second"], strict=True)
        return _result(npm_version("@stoplight/prism-cli"), outcomes)
