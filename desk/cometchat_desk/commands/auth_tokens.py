"""`cometchat-desk auth-tokens`: revoke the tokens that a user logs in with."""

import re
from collections.abc import Sequence
from typing import Annotated

import typer

from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.lists.files import LARGEST
from cometchat_desk.messages import (
    app_place,
    print_error,
    reason_for,
    write_note,
)
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import LIKE_A_TOKEN
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many
from cometchat_rest import TokenRevocation

from .command import DryRun, Yes, command

# The service has no request that shows whether a token exists.
_UNKNOWN = (
    "A token may or may not have been revoked. Revoke it again: repeating a revocation is safe."
)
# The service reports success for every unknown token. So a text that cannot be a token must not be
# sent: it holds characters that are not printable ASCII, or the quotes of its file, or it is the
# title of a column.
_VALID_TOKEN = re.compile("(?!(?i:(auth.?)?tokens?)$)[!#-&(-+\\--:<-~]+")

_COLUMNS = (
    Column(title="Number", value=lambda record: record["number"], width=6),
    Column(title="User", value=lambda record: record["uid"], width=16, style="bold"),
    Column(title="Outcome", value=lambda record: record["outcome"], width=12),
    Column(title="Error", value=lambda record: record["error"]),
)


@command()
def revoke(
    target: Target,
    uid: Annotated[
        str | None,
        typer.Argument(
            metavar="USER", help="The user. Without it, each line of standard input is USER,TOKEN."
        ),
    ] = None,
    tokens: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    *,
    output_format: Format,
) -> Code:
    """Revoke auth tokens, so that nobody can log in with them. Other sessions of the users stay
    valid.

    At a terminal, a prompt asks for one token and does not show it. Otherwise, standard input
    holds the tokens, one token in each line.

    The outcome not_found is not an error, but if the token was misspelt, the right token is still
    valid.

    Examples:
      cometchat-desk auth-tokens revoke alice
      cometchat-desk auth-tokens revoke alice --yes < tokens.txt
      cometchat-desk auth-tokens revoke --yes < users-and-tokens.csv
    """
    _check_user(uid, tokens)
    app = connection.find_app(target)
    with app.client() as chat:
        pairs = _read_tokens(uid)
        users = visible(uid) if uid else many(len({user for user, _ in pairs}), "user", "users")
        kept = f"Other sessions of {users} stay valid."
        place = visible(app_place(app.name, chat.base_url))
        task = f"{many(len(pairs), 'token', 'tokens')} of {users} in {place}"
        if dry_run:
            say(f"This would revoke {task}. {kept} Nothing was changed.")
            return Code.DONE
        prompts.confirm(f"Revoke {task}? {kept}", yes=yes)
        answered: list[TokenRevocation] = []
        try:
            with ProgressNote("Revoking tokens"):
                done = chat.auth_tokens.revoke_all(pairs, on_result=answered.append)
        except KeyboardInterrupt as interruption:
            interruption.add_note(f"{len(answered):,} of {task} had a result. {_UNKNOWN}")
            raise
    try:
        records = [
            _record(number, revocation, app.name, chat.base_url)
            for number, revocation in enumerate(done, 1)
        ]
        show(records, _COLUMNS, output_format)
    finally:
        code = _report(done, f"{task}. {kept}")
    return code


def _check_user(uid: str | None, tokens: Sequence[str] | None) -> None:
    """Refuse tokens as arguments."""
    if tokens or LIKE_A_TOKEN.search(uid or ""):
        raise StopError(
            Code.USAGE,
            "a token must not be an argument, because other users of this machine can see it: write"
            " < FILE for the tokens in a file, or type one at the prompt",
        )


def _report(done: Sequence[TokenRevocation], task: str) -> Code:
    """Say how many tokens were revoked, and return the highest exit code."""
    failed = [revocation.error for revocation in done if revocation.error is not None]
    if failed:
        tokens = many(len(done), "token", "tokens")
        print_error(f"{len(failed):,} of {tokens} may still be valid; run the command again")
    else:
        revoked = [revocation for revocation in done if revocation.outcome == "revoked"]
        say(f"Revoked {len(revoked):,} of {task}")
    unknown = [revocation for revocation in done if revocation.outcome == "not_found"]
    if unknown:
        tokens = many(len(unknown), "token", "tokens")
        write_note(
            f"the service does not know {tokens}: a token may be deleted already, or misspelt. If"
            " it was misspelt, the right token is still valid"
        )
    return max(map(code_for, failed), default=Code.DONE)


def _read_tokens(uid: str | None) -> Sequence[tuple[str, str]]:
    """The tokens with their users; without a `uid`, each line names its user."""
    if prompts.can_ask():
        question = f"{'Token' if uid else 'USER,TOKEN'} (not shown)"
        lines = {"the typed text": prompts.ask_secret(question)}
    else:
        text = prompts.stdin_bytes(LARGEST).decode("utf-8-sig", "replace")
        lines = {
            f"line {number} of standard input": line
            for number, line in enumerate(text.splitlines(), 1)
        }
    pairs = [_pair(uid, place, line) for place, line in lines.items() if line.strip()]
    if not pairs:
        raise StopError(
            Code.USAGE, "no token was given: write each token in its own line of standard input"
        )
    return pairs


def _pair(uid: str | None, place: str, line: str) -> tuple[str, str]:
    """The user and the token of a line."""
    user = uid
    token = line.strip()
    form = "one token"
    advice = "copy it again, without a title"
    if user is None:
        user, comma, token = map(str.strip, line.partition(","))
        form = "USER,TOKEN"
        if not comma:
            advice = "write a comma after USER"
    # The message must not show the line: it may hold a token.
    if not _VALID_TOKEN.fullmatch(token) or LIKE_A_TOKEN.search(user):
        raise StopError(
            Code.USAGE, f"{place} must hold {form} and nothing else, in printable ASCII; {advice}"
        )
    return user, token


def _record(number: int, done: TokenRevocation, app: str, base_url: str) -> Record:
    error = None if done.error is None else CallError(done.error, app, base_url)
    return {
        "number": number,
        "uid": done.uid,
        "outcome": done.outcome or "failed",
        "error": error and reason_for(error, _UNKNOWN),
        "app": app or None,
        "base_url": base_url,
    }
