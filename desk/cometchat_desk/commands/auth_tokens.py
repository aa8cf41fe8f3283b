"""`cometchat-desk auth-tokens`: revoke the tokens that users log in with."""

import re
import shlex
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError, calls_of
from cometchat_desk.messages import app_place, print_error, reason_for, warn_if_interrupted
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import LIKE_A_TOKEN
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many
from cometchat_rest import Client, TokenRevocation

from .command import DryRun, Yes, command

#: A user and a token.
Pair: TypeAlias = tuple[str, str]

# The number of tokens in one call: the library revokes as many at the same time, so each outcome is shown early.
_BATCH = 8
# The service has no request that shows whether a token exists.
_ONE_UNKNOWN = "The token may or may not have been revoked. Revoke it again: repeating a revocation is safe."
_SOME_UNKNOWN = (
    "Tokens without an outcome may or may not have been revoked. Revoke them again: repeating a revocation is safe."
)
# The service reports success for every unknown token. So a text that cannot be a token must not be sent: it holds
# characters that are not printable ASCII, or the quotes of the file that it was copied from.
_VALID_TOKEN = re.compile("[!#-&(-~]+")
# A user and a token with spaces between them, or as in a CSV file, where double quotes may be around each of them.
_PAIR = re.compile(r'(?P<quote>"?)(?P<uid>[^",;\s]+)(?P=quote)(?:\s*[,;]\s*|\s+)(?P<end>"?)(?P<token>.*)(?P=end)')
# A title such as user and token: a token begins with its user, and even a mistyped one holds digits.
_TITLE = re.compile(r"(?P<uid>\S+) (?!(?P=uid))[^0-9]+")

_COLUMNS = (
    Column(title="Number", value=lambda record: record["number"], width=6),
    Column(title="User", value=lambda record: record["uid"], width=16, style="bold"),
    Column(title="Outcome", value=lambda record: record["outcome"], width=12),
    Column(title="Error", value=lambda record: record["error"]),
    Column(title="Note", value=lambda record: record["note"], spare=True),
    Column(title="App", value=lambda record: record["app"], width=12, spare=True),
    Column(title="Address", value=lambda record: record["base_url"], spare=True),
)


@command()
def revoke(
    target: Target,
    uid: Annotated[str | None, typer.Argument(metavar="USER", help="The user whose tokens to revoke.")] = None,
    tokens: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    *,
    output_format: Format,
) -> Code:
    """Revoke auth tokens, so that nobody can log in with them. Other sessions of the users stay valid.

    Tokens come from stdin, one in a line. At a terminal, a prompt asks for one token and does not show it. Without
    USER, each line holds a user and a token, separated by a space, a comma or a semicolon.

    The outcome not_found is not an error: the service knows no such token of this user. It was deleted, it belongs to
    another app, or it is misspelt, and then the right one is still valid.

    Examples:
      cometchat-desk auth-tokens revoke alice
      cometchat-desk auth-tokens revoke alice --yes < tokens.txt
      cometchat-desk auth-tokens revoke --yes < users-and-tokens.txt
    """
    if tokens or LIKE_A_TOKEN.search(uid or ""):
        raise StopError(
            Code.USAGE,
            "a token must not be an argument, because other users of this machine can see it: pass tokens on stdin, "
            "or type one at the prompt",
        )
    if uid and "." in uid and Path(uid).is_file():
        raise StopError(Code.USAGE, visible(f"{uid} is a file, not a user: to read it, write < {shlex.quote(uid)}"))
    app = connection.find_app(target)
    if yes:
        connection.check_chosen(target)
    with app.client() as chat:
        place = visible(app_place(app.name, chat.base_url))
        pairs = _read_pairs(uid)
        whose, others = _users(pairs)
        task = f"evoke {many(len(pairs), 'token', 'tokens')} of {whose} in {place}"
        if dry_run:
            say(f"This would r{task}. {others} Nothing was changed.")
            return Code.DONE
        prompts.confirm(f"R{task}? {others}", yes=yes)
        done: list[TokenRevocation] = []
        records = _records(chat, app.name, pairs, done)
        with warn_if_interrupted(_ONE_UNKNOWN if len(pairs) == 1 else _SOME_UNKNOWN):
            _show(records, done, output_format)
    return _report(pairs, done, f"{place}. {others}")


def _report(pairs: Sequence[Pair], done: Sequence[TokenRevocation], rest: str) -> Code:
    """Say how many tokens were revoked, and return the highest exit code."""
    count = f"{sum(one.outcome == 'revoked' for one in done):,} of {many(len(pairs), 'token', 'tokens')} revoked"
    failed = [one.error for one in done if one.error is not None]
    if not failed:
        say(f"{count} in {rest}")
    if mistyped := sum(map(_may_be_mistyped, pairs, done)):
        print_error(
            f"{count}: {many(mistyped, 'token does', 'tokens do')} not exist and may be mistyped. If so, the session "
            "of the user is still valid: copy the token again, and revoke it"
        )
    return max(map(code_for, failed), default=Code.DONE)


def _users(pairs: Sequence[Pair]) -> tuple[str, str]:
    """The users who lose tokens, and a sentence about their other sessions."""
    users = {user for user, _ in pairs}
    whose = visible(pairs[0][0]) if len(users) == 1 else f"{len(users):,} users"
    return whose, f"Other sessions of {whose if len(users) == 1 else 'these users'} stay valid."


def _show(records: Iterator[Record], done: list[TokenRevocation], output_format: Format) -> None:
    try:
        show(records, _COLUMNS, output_format)
    except OSError:
        # The output cannot be written any more, but all tokens must be revoked.
        deque(records, 0)
        raise
    finally:
        if failed := sum(one.error is not None for one in done):
            valid = "the token" if len(done) == 1 else f"{failed:,} of {len(done):,} tokens"
            print_error(f"{valid} may still be valid")


def _read_pairs(uid: str | None) -> Sequence[Pair]:
    if prompts.can_ask():
        typed = prompts.ask_secret("Token (not shown)" if uid else "User and token (not shown)")
        lines = {"the typed text": typed}
    else:
        lines = {f"line {number} of stdin": line for number, line in enumerate(sys.stdin.read().splitlines(), 1)}
    pairs = [_pair(uid, place, line.strip()) for place, line in lines.items() if line.strip()]
    if uid is None and pairs and _TITLE.fullmatch(" ".join(pairs[0])):
        del pairs[0]
    if not pairs:
        raise StopError(Code.USAGE, "no token was given: pass tokens on stdin, one in a line")
    return pairs


def _pair(uid: str | None, place: str, line: str) -> Pair:
    parts = _PAIR.fullmatch(line) if uid is None else None
    pair = (parts["uid"], parts["token"]) if parts else ("" if uid is None else uid, line)
    # The message must not show the line: it may hold a token.
    if not all(pair) or re.search(r"[\s,;]", pair[1]):
        two = "a user and a token and nothing else, separated by a space, a comma or a semicolon"
        one = "one token and nothing else; if it holds a user and a token, leave USER out"
        problem = f"{place} must hold {two if uid is None else one}"
    elif LIKE_A_TOKEN.search(pair[0]):
        problem = f"{place} holds a token in place of a user: write the user first, as in user,token"
    elif "\ufffd" in pair[0]:
        problem = f"{place}: the user is not valid UTF-8"
    elif not _VALID_TOKEN.fullmatch(pair[1]):
        problem = f"{place}: a token holds only printable ASCII characters and no quotes; copy the token again"
    else:
        return pair
    raise StopError(Code.USAGE, problem)


def _may_be_mistyped(pair: Pair, done: TokenRevocation) -> bool:
    """Whether the service does not know a token that does not begin as its tokens do: with the user."""
    uid, token = pair
    return done.outcome == "not_found" and not token.startswith(uid)


def _records(chat: Client, app: str, pairs: Sequence[Pair], done: list[TokenRevocation]) -> Iterator[Record]:
    """Yield the outcome of each token as soon as it is known, and add it to `done`."""
    progress = ProgressNote("Revoking", len(pairs))
    for start in range(0, len(pairs), _BATCH):
        batch = pairs[start : start + _BATCH]
        with progress, calls_of(app, chat.base_url):
            revocations = chat.auth_tokens.revoke_all(batch)
            progress.advance(len(batch))
        for pair, revocation in zip(batch, revocations, strict=True):
            done.append(revocation)
            error = revocation.error
            mistyped = "The token does not start with the user: it may be mistyped."
            yield {
                "number": len(done),
                "uid": revocation.uid,
                "outcome": revocation.outcome or "failed",
                "error": None if error is None else reason_for(CallError(error, app, chat.base_url), _ONE_UNKNOWN),
                "note": mistyped if _may_be_mistyped(pair, revocation) else None,
                "app": app or None,
                "base_url": chat.base_url,
            }
