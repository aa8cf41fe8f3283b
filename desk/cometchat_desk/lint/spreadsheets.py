"""Rules about entries that a spreadsheet changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from .checks import Listed, Problem
from .findings import Severity, shown

#: The error values of spreadsheets, in the languages in which they are common.
ERROR_VALUE = re.compile(
    r"#(?:NAME|¿?NOMBRE|NOME|NOM|NAVN|NAMN|NIMI|ИМЯ|AD|NAZWA|NÁZEV|NÉV|SAYI)[?!]"
    r"|#¡?(?:REF|VALUE|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|UNKNOWN|WERT|BEZUG|ZAHL|ÜBERLAUF|KALK|VALEUR|NOMBRE|NUL"
    r"|VALOR|NULO|VALORE|RIF|NUM|WAARDE|VERW|GETAL|LEEG!?|ЗНАЧ|ССЫЛКА|ЧИСЛО|ПУСТО|DEĞER|SAYI|BOŞ|ADR|LICZBA|ZERO"
    r"|VÆRDI|VERDI|VÄRDEFEL|REFERENS|SAKNAS|ARVO|VIITTAUS|HODNOTA|ODKAZ|ÉRTÉK|HIV|SZÁM)!"
    r"|#¡?DIV/0!|#N/?[AVDБ]|#\u041d/Д|#YOK|#GETTING_DATA|#####+|(?:Err|Fehler|Erreur|Errore):5[0-9]{2}",
    re.IGNORECASE,
)


# Each error value has one of these parts.
_MAY_BE_ERROR_VALUE = re.compile("#|:5[0-9][0-9]")


def spreadsheet_error(listed: Listed) -> Iterator[Problem]:
    """An entry is an error value."""
    for index, entry, _ in listed.matching(_MAY_BE_ERROR_VALUE):
        if ERROR_VALUE.fullmatch(entry.strip()):
            yield Problem(index, f"{shown(entry)} is an error value of a spreadsheet; take the entry from its source")


_SCIENTIFIC = re.compile(r"[-+]?[0-9](?:(?:[.,][0-9]+)?[Ee][-+][0-9]{2,3}|[.,][0-9]+[Ee][0-9]{1,3})")
_DECIMAL = re.compile(r"[0-9]{5,}\.0")
_ROUNDED = re.compile(r"[1-9][0-9]{13}[0-9]0+")
_MAY_BE_NUMBER = re.compile(r"[0-9](?:[Ee][-+0-9]|[0-9]{14}|\.0)")


def spreadsheet_number(listed: Listed) -> Iterator[Problem]:
    """An entry is a number as a spreadsheet writes it."""
    for index, entry, _ in listed.matching(_MAY_BE_NUMBER):
        number = entry.strip()
        if _SCIENTIFIC.fullmatch(number):
            yield Problem(index, f"{shown(entry)} is a number that a spreadsheet changed; take it from its source")
        elif _DECIMAL.fullmatch(number):
            message = f"{shown(entry)} ends in .0, which a program may have added to a number"
            yield Problem(index, message, Severity.WARNING)
        elif _ROUNDED.fullmatch(number):
            message = f"{shown(entry)} ends in zeros after its 15th digit; a spreadsheet may have rounded it"
            yield Problem(index, message, Severity.WARNING)
    yield from _lost_zeros(listed)


def _lost_zeros(listed: Listed) -> Iterator[Problem]:
    """Numbers that are one digit shorter than nearly all others, in a list without any leading zero."""
    numbers = [(index, entry) for index, entry in enumerate(listed.entries) if entry.isdecimal() and entry.isascii()]
    lengths = Counter(len(entry) for _, entry in numbers)
    if len(numbers) < 5 or any(entry[0] == "0" for _, entry in numbers):
        return
    usual, count = lengths.most_common(1)[0]
    if usual < 4 or count < 0.6 * len(numbers):
        return
    for index, entry in numbers:
        if len(entry) == usual - 1:
            message = f"{shown(entry)} has one digit less than most numbers here; a leading zero may be lost"
            yield Problem(index, message, Severity.WARNING)


_MONTH = (
    r"(?:jan|feb|mar|mär|mrz|apr|may|mai|maj|mag|jun|jul|aug|ago|ağu|sep|sept|oct|okt|ott|out|nov|dec|dez|dic|déc|janv|févr"
    r"|avr|juin|juil|août|gen|giu|lug|set|ene|abr|fev|mars|янв|фев|мар|апр|май|мая|июн|июл|авг|сен|окт|ноя|дек)"
)
_DATE_OF_A_SPREADSHEET = re.compile(
    rf"[0-3]?[0-9]-{_MONTH}\.?(?:-[0-9]{{2,4}})?|{_MONTH}\.?-[0-9]{{2}}|[0-3][0-9]\.[ ]?{_MONTH}\.?(?:[ ][0-9]{{2,4}})?"
    rf"|{_MONTH}[ .][0-9]{{2}}|[0-9]{{4}}-[01][0-9]-[0-3][0-9][ T]00:00(?::00)?(?:\.0+)?Z?",
    re.IGNORECASE,
)
_DATE = re.compile(r"[0-3]?[0-9]([./-])[01]?[0-9]\1(?:[0-9]{2}|[0-9]{4})|[0-9]{4}([./-])[01]?[0-9]\2[0-3]?[0-9]")
_TIME = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.0+)?)?(?:Z|[ ]?[AP]M)?"
_DATE_OR_TIME = re.compile(
    rf"(?:{_DATE.pattern})(?:[ T]{_TIME})?|{_TIME}|[0-3]?[0-9][/.]{_MONTH}\.?|[01]?[0-9]月[0-3]?[0-9]日", re.IGNORECASE
)
_LONGEST_DATE = 30
# Each date has a separator beside a digit.
_MAY_BE_DATE = re.compile(r"[0-9][-./ :月]|[-./ ][0-9]")


def spreadsheet_date(listed: Listed) -> Iterator[Problem]:
    """An entry is a date as a spreadsheet writes it."""
    for index, entry, _ in listed.matching(_MAY_BE_DATE):
        if len(entry) > _LONGEST_DATE:
            continue
        if _DATE_OF_A_SPREADSHEET.fullmatch(entry.strip()):
            yield Problem(index, f"{shown(entry)} is a date that a spreadsheet made; take the entry from its source")
        elif _DATE_OR_TIME.fullmatch(entry.strip()):
            message = f"{shown(entry)} is a date or a time; check that no spreadsheet made it"
            yield Problem(index, message, Severity.WARNING)


_LOGICAL = frozenset(
    ("TRUE", "FALSE", "WAHR", "FALSCH", "VRAI", "FAUX", "VERDADERO", "FALSO", "VERO", "ИСТИНА", "ЛОЖЬ")
)
# A formula, a text that a spreadsheet will read as a formula, and the apostrophe that marks a text.
_FORMULA = re.compile(r"""=["A-Za-z0-9(+-].*|[+@-]\w.*|'[=+@0-9-].*""", re.DOTALL)
# A call of a function, or a cell.
_CERTAIN_FORMULA = re.compile(
    r"[=+@-][A-ZÀ-Ž][A-ZÀ-Ž0-9.]+\(.*|=\$?[A-Z]{1,3}\$?[0-9]+(?:[-+*/&:;,!^<>=].*)?", re.DOTALL
)


def spreadsheet_value(listed: Listed) -> Iterator[Problem]:
    """An entry is a logical value, or a spreadsheet would read it as a formula."""
    for index, entry in enumerate(listed.entries):
        if entry in _LOGICAL:
            yield Problem(index, f"{shown(entry)} is a logical value; check that no spreadsheet made it")
        elif entry[:1] not in ("=", "+", "-", "@", "'") or listed.has_patterns:
            continue
        elif _CERTAIN_FORMULA.fullmatch(entry):
            message = f"{shown(entry)} is a formula of a spreadsheet; take the entry from its source"
            yield Problem(index, message, Severity.ERROR)
        elif _FORMULA.fullmatch(entry):
            yield Problem(
                index, f"a spreadsheet changes {shown(entry)}, because it reads the entry as a formula or a mark"
            )


_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?%?")


# Numbers as a spreadsheet formats them: people rarely write the zeros.
_FORMATTED = re.compile(r"[-+]?[0-9]+[.,]00%?")
_DAY_AND_MONTH = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})\.?")


def spreadsheet_change(listed: Listed) -> Iterator[Problem]:
    """A new entry is a live entry as a spreadsheet writes it: the same number, or a date made from it."""
    if listed.before is None:
        return
    now, before = set(listed.entries), set(listed.before)
    # Additions keep the live entry, so a number that looks formatted is compared with all of them.
    numbers = {_value(entry): entry for entry in listed.before if _NUMBER.fullmatch(entry)}
    days = {_day(found.groups()): entry for entry in listed.before if (found := _DAY_AND_MONTH.fullmatch(entry))}
    for index, entry in enumerate(listed.entries if numbers or days else ()):
        if entry in before:
            continue
        live = None
        if _NUMBER.fullmatch(entry):
            live = numbers.get(_value(entry))
            if live in now and not _FORMATTED.fullmatch(entry):
                live = None
        elif _DATE.fullmatch(entry):
            parts = re.findall("[0-9]+", entry)
            live = days.get(_day(parts[1:] if len(parts[0]) == 4 else parts[:2]))
        if live is not None:
            yield Problem(
                index,
                f"{shown(entry)} is {shown(live)} of the live list, as a spreadsheet changes it",
                others=(live,),
            )


def _day(parts: Iterable[str]) -> tuple[int, ...]:
    """The day and the month, in any order: a spreadsheet writes them as the language of its user does."""
    return tuple(sorted(map(int, parts)))


def _value(number: str) -> float | str:
    """The value of a number as a spreadsheet knows it."""
    text = number.removesuffix("%").replace(",", ".")
    if len(text) > 15 and text.isdigit():
        # A spreadsheet keeps 15 digits of a long number.
        return f"{text[:15]} {len(text)}"
    return float(text) if len(text) < 400 else number
