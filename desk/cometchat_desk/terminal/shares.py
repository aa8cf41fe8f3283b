"""The option `--max-removed`: a share such as 0.2, or a percentage such as 20%."""

import math
import re
from typing import Annotated, TypeAlias

import typer

_SHARE = re.compile(r"(?P<percent>\d+(?:\.\d+)?) ?%|(?P<share>0|0?\.\d+)", re.ASCII)


def parse_share(text: str) -> float:
    """A share from 0 to 1. A number from 1 on needs its percent sign: 20 may mean 0.2, and 1 may
    mean one entry."""
    match = _SHARE.fullmatch(text.strip())
    share = float(match["share"] or float(match["percent"]) / 100) if match else math.inf
    if share > 1:
        raise typer.BadParameter(
            f"{text!r} is not a percentage from 0% to 100%: write one such as 20%"
        )
    return share


MaxRemoved: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        parser=parse_share,
        help=(
            "The largest share of the entries that the update may remove, such as 50%. Default: a"
            " small share, which the refusal names."
        ),
    ),
]


def percent(share: float) -> str:
    """A share as the shortest percentage that is not smaller, with at most one digit after the
    point."""
    # The first rounding removes errors of floating-point numbers, such as 28.000000000000004.
    return f"{math.ceil(round(share * 1000, 9)) / 10:g}%"
