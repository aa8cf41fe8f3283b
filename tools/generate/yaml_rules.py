"""Values of a YAML document that some readers take for others: YAML 1.1 and 1.2 differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from tools.description import escaped

#: A text, and the merge key, which has the keys of another object.
_KEYS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")
_BOOLEAN = "tag:yaml.org,2002:bool"
_TIME = "tag:yaml.org,2002:timestamp"
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
#: The numbers that both versions read alike.
_COMMON_NUMBER = re.compile(
    r"""
    [-+]? (0 | [1-9][0-9]*)                         # 12
    | [-+]? [0-9]+ \. [0-9]* ([eE] [-+] [0-9]+)?    # 0.5, 1.5e+3
    | [-+]? \. [0-9]+                               # .5
    | [-+]? \. (inf | Inf | INF) | \. (nan | NaN | NAN)
    """,
    re.VERBOSE,
)
#: Other numbers of YAML 1.2; some are texts in YAML 1.1.
_NUMBER = re.compile(
    r"""
    [-+]? [0-9]+ (\. [0-9]*)? ([eE] [-+]? [0-9]+)?  # 08, 1e3
    | 0o [0-7]+
    | 0x [0-9A-Fa-f]+
    """,
    re.VERBOSE,
)


def ambiguous_values(text: str) -> Iterator[str]:
    """Yield the place of each value that needs quotes."""
    if not text.lstrip().startswith("{"):
        yield from _below("", yaml.compose(text, Loader=yaml.CSafeLoader))


def _below(pointer: str, node: yaml.Node | None) -> Iterator[str]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            place = f"{pointer}/{escaped(key.value)}"
            yield from _faults_of_key(pointer, place, key)
            yield from _below(place, value)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _below(f"{pointer}/{number}", value)
    elif isinstance(node, yaml.ScalarNode) and _is_ambiguous(pointer, node):
        yield f"{pointer}: readers differ about {node.value}; put a text into quotes"


def _faults_of_key(pointer: str, place: str, key: yaml.ScalarNode) -> Iterator[str]:
    is_status = pointer.endswith("/responses") and re.fullmatch(r"[1-5]\d\d", key.value)
    if key.tag == _BOOLEAN:
        yield f"{place}: some readers take {key.value} for a boolean; put it into quotes"
    elif not is_status and (key.tag not in _KEYS or _is_ambiguous(place, key)):
        yield f"{place}: some readers do not take {key.value} for a text; put it into quotes"


def _is_ambiguous(pointer: str, node: yaml.ScalarNode) -> bool:
    if node.style:
        return False
    if node.tag == _TIME:
        # A date stays as it is, and a time would get another notation.
        return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", node.value) is None
    if node.tag == _BOOLEAN:
        is_value = re.search("/enum/[0-9]+$", pointer) is not None
        return is_value or node.value.lower() not in ("true", "false")
    is_number = node.tag in _NUMBERS or _NUMBER.fullmatch(node.value) is not None
    return is_number and _COMMON_NUMBER.fullmatch(node.value) is None
