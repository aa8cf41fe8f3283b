"""`cometchat-rest auth-tokens`: the tokens users log in with."""

import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from . import prompts
from .columns import Column, Record
from .command import Yes, command, opened
from .escaping import visible
from .exit_codes import Code, StopError, code_for, print_error, reason_for, warn_if_interrupted
from .output import Output, show
from .progress import ProgressNote
from .target import Target

if TYPE_CHECKING:
    from cometchat_rest import Client, TokenRevocation

group = typer.Typer(name="auth-tokens", help="The tokens users log in with.")

#: A user and a token.
Pair: TypeAlias = tuple[str, str]

# So many are handed over at a time: as many as are revoked at a time, so that each outcome is shown when it is known.
_BATCH = 8
# Looking would tell nothing: there is no way to ask for a token.
_AGAIN = "; revoke it again: that is safe, and settles it."
# A uid, a time of ten digits, and digits at random.
_LIKE_A_TOKEN = re.compile(r".*_\d{10}[0-9a-f]{20,}")
# The service calls gone whatever it does not know. So what no token holds must not get there: anything but printable
# ASCII, and the quotes of the file that it was copied from.
_SOUND = re.compile("[!#-&(-~]+")

_COLUMNS = (
    Column(title="Number", value=lambda record: record["number"], width=6),
    Column(title="User", value=lambda record: record["uid"], width=16, style="bold"),
    Column(title="Outcome", value=lambda record: record["outcome"], width=12),
    Column(title="Error", value=lambda record: record["error"]),
)


@command(
    group,
    examples=[
        "cometchat-rest auth-tokens revoke alice",
        "cometchat-rest auth-tokens revoke alice --yes < tokens.txt",
        "cometchat-rest auth-tokens revoke --yes < users-and-tokens.txt",
    ],
)
def revoke(
    target: Target,
    uid: Annotated[str | None, typer.Argument(metavar="USER", help="Whose tokens they are.")] = None,
    tokens: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    yes: Yes = False,
    output: Output = None,
) -> Code:
    """Make sure that tokens are good for nothing any more.

    Tokens come from stdin, one to a line; at a terminal, a prompt asks for one and does not show it. Without USER, a
    line holds a user and a token, with a blank between them.

    A token that is gone already is no failure. The service cannot tell one from a token that is mistyped: that, too,
    is already_gone.
    """
    if tokens or (uid is not None and _LIKE_A_TOKEN.fullmatch(uid)):
        raise StopError(
            Code.USAGE, "tokens are read from stdin or asked for; as arguments, everybody on this machine can see them"
        )
    with opened(target) as chat:
        pairs = _given(uid)
        prompts.confirm(_question(pairs), yes=yes)
        done: list[TokenRevocation] = []
        records = _records(chat, pairs, done)
        with warn_if_interrupted("It" if len(pairs) == 1 else "What no outcome is shown for", _AGAIN):
            try:
                show(records, _COLUMNS, output)
            except OSError:
                # The tokens are to be revoked, whether or not anybody can still read of it.
                deque(records, 0)
                raise
            finally:
                failed = [each.error for each in done if each.error is not None]
                if failed:
                    print_error(f"{len(failed):,} of {len(done):,} may still be good")
    return max((code_for(error) for error in failed), default=Code.DONE)


def _given(uid: str | None) -> Sequence[Pair]:
    """The tokens to revoke, from the terminal or from stdin."""
    if prompts.can_ask():
        typed = prompts.ask_secret("Token (not shown)" if uid else "User and token (not shown)")
        lines = {"what was typed": typed}
    else:
        lines = {f"line {number} of stdin": line for number, line in enumerate(sys.stdin.read().splitlines(), 1)}
    pairs = [_pair(uid, place, line.split()) for place, line in lines.items() if line.strip()]
    if not pairs:
        raise StopError(Code.USAGE, "there is no token to revoke")
    return pairs


def _pair(uid: str | None, place: str, words: Sequence[str]) -> Pair:
    given = words if uid is None else [uid, *words]
    # Never the line itself: it may well hold a token.
    if len(given) != 2:
        needed = "a user and a token, with a blank between them" if uid is None else "one token"
        raise StopError(Code.USAGE, f"{place} must hold {needed}")
    if "\ufffd" in given[0]:
        raise StopError(Code.USAGE, f"{place}: a user whose name is not UTF-8")
    if not _SOUND.fullmatch(given[1]):
        raise StopError(Code.USAGE, f"{place}: a token holds no quotes, and nothing but printable ASCII")
    return given[0], given[1]


def _question(pairs: Sequence[Pair]) -> str:
    users = list(dict.fromkeys(uid for uid, _ in pairs))
    whose = visible(users[0]) if len(users) == 1 else f"{len(users):,} users"
    return f"Revoke {len(pairs):,} {'token' if len(pairs) == 1 else 'tokens'} of {whose}?"


def _records(chat: "Client", pairs: Sequence[Pair], done: "list[TokenRevocation]") -> Iterator[Record]:
    """What became of each token, as soon as it is known; kept in `done` as well."""
    work = ProgressNote("Revoking", len(pairs))
    for start in range(0, len(pairs), _BATCH):
        with work:
            batch = chat.auth_tokens.revoke_all(pairs[start : start + _BATCH])
            work.advance(len(batch))
        for each in batch:
            done.append(each)
            yield _record(len(done), each)


def _record(number: int, done: "TokenRevocation") -> Record:
    return {
        "number": number,
        "uid": done.uid,
        "outcome": done.outcome or "failed",
        "error": None if done.error is None else reason_for(done.error, _AGAIN),
    }
