"""The option `--max-removed`: a share such as 0.2, or a percentage such as 20%."""

import math
import re
from typing import Annotated, TypeAlias

import typer

_SHARE = re.compile(r"(?P<number>\d+(?:\.\d+)?|\.\d+)(?P<percent> ?%)?", re.ASCII)


def parse_share(value: str | float) -> float:
    """A share from 0 to 1. Typer also passes the default value, which is a number."""
    text = str(value)
    match = _SHARE.fullmatch(text.strip())
    # 20 % may mean 20 or 0.2, so a number above 1 needs its percent sign.
    share = float(match["number"]) / (100 if match["percent"] else 1) if match else math.nan
    if not 0 <= share <= 1:
        raise typer.BadParameter(
            f"{text!r} is neither a percentage from 0% to 100%, such as 20%, nor a share such as 0.2"
        )
    # 1 may also mean one entry, or 1 %, and would allow every removal.
    if share == 1 and isinstance(value, str) and "%" not in value:
        raise typer.BadParameter(f"{text!r} may mean 1% or all entries: write 1% or 100%")
    return share


#: What an update may remove without this option.
USUAL_REMOVALS = "a fifth of the entries, or up to five, but not all of them"
MaxRemoved: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        parser=parse_share,
        help=f"The largest share of the entries that the update may remove, such as 50%. Default: {USUAL_REMOVALS}.",
    ),
]


def percent(share: float) -> str:
    """A share as the shortest percentage that is not smaller, with at most one digit after the point."""
    # The first rounding removes errors of floating-point numbers, such as 28.000000000000004.
    return f"{math.ceil(round(share * 1000, 9)) / 10:g}%"
