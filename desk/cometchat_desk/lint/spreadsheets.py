"""Rules about entries that a spreadsheet changed."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem

# The error values of spreadsheets, in the languages in which they are common.
_ERROR_VALUE = re.compile(
    r"#(?:NAME|¿?NOMBRE|NOME|NOM|ИМЯ|AD|NAZWA|SAYI)[?!]"
    r"|#¡?(?:REF|VALUE|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|UNKNOWN|WERT|BEZUG|ZAHL|ÜBERLAUF|KALK|VALEUR|NOMBRE|NUL"
    r"|VALOR|NULO|VALORE|RIF|NUM|WAARDE|VERW|GETAL|LEEG!?|ЗНАЧ|ССЫЛКА|ЧИСЛО|ПУСТО|DEĞER|SAYI|BOŞ|ADR|LICZBA|ZERO)!"
    r"|#¡?DIV/0!|#N/?[AVDБ]|#\u041d/Д|#YOK|#GETTING_DATA|#####+|(?:Err|Fehler|Erreur|Errore):5[0-9]{2}",
    re.IGNORECASE,
)
# A call of a function, or a cell.
_FORMULA = re.compile(
    r"[=+@-][A-ZÀ-Ž][A-ZÀ-Ž0-9.]+\(.*|=\$?[A-Z]{1,3}\$?[0-9]+(?:[-+*/&:;,!^<>=].*)?", re.DOTALL
)


def spreadsheet_error(listed: Listed) -> Iterator[Problem]:
    """The entry is an error value or a formula of a spreadsheet, for example #NAME? or =SUM(A1:A9).

    The spreadsheet read an entry that begins with =, +, - or @ as a formula. Take the entry from
    its source, and format the column as text before you paste. A text or JSON file avoids the
    problem.
    """
    for index, entry in enumerate(listed.heads):
        if _ERROR_VALUE.fullmatch(entry.strip()):
            yield index, "is an error value of a spreadsheet; take the entry from its source"
        elif listed.category != "pattern" and _FORMULA.fullmatch(entry):
            yield index, "is a formula of a spreadsheet; take the entry from its source"


# Scientific, or with zeros that people rarely write.
_SCIENTIFIC = r"[-+]?[0-9](?:(?:[.,][0-9]+)?[Ee][-+][0-9]{2,3}|[.,][0-9]+[Ee][0-9]{1,3})"
_DIGITS = "-+0123456789"
_NUMBER = re.compile(rf"{_SCIENTIFIC}|[-+]?[0-9]+[.,]00%?")


def spreadsheet_number(listed: Listed) -> Iterator[Problem]:
    """A spreadsheet changed a number, for example to 1E+05 or 100.00%.

    Take the entry from its source, and format the column as text before you paste.
    """
    for index, entry in enumerate(listed.heads):
        text = entry.strip()
        if text[0] in _DIGITS and _NUMBER.fullmatch(text):
            yield index, "is a number that a spreadsheet changed; take it from its source"


_MONTH = (
    r"(?:jan|feb|mar|mär|mrz|apr|may|mai|maj|mag|jun|jul|aug|ago|ağu|sep|sept|oct|okt|ott|out|nov|dec|dez|dic|déc|janv|févr"
    r"|avr|juin|juil|août|gen|giu|lug|set|ene|abr|fev|mars|янв|фев|мар|апр|май|мая|июн|июл|авг|сен|окт|ноя|дек)"
)
_DATE_OF_A_SPREADSHEET = re.compile(
    rf"[0-3]?[0-9]-{_MONTH}\.?(?:-[0-9]{{2,4}})?|{_MONTH}\.?-[0-9]{{2}}|[0-3][0-9]\.["
    rf" ]?{_MONTH}\.?(?:[ ][0-9]{{2,4}})?"
    rf"|{_MONTH}\.[0-9]{{2}}|[0-9]{{4}}-[01][0-9]-[0-3][0-9][ T]00:00(?::00)?(?:\.0+)?Z?",
    re.IGNORECASE,
)


def spreadsheet_date(listed: Listed) -> Iterator[Problem]:
    """A spreadsheet changed an entry to a date, for example 1-2 to 02. Jan.

    Take the entry from its source.
    """
    for index, entry in enumerate(listed.heads):
        if _DATE_OF_A_SPREADSHEET.fullmatch(entry.strip()):
            yield index, "is a date that a spreadsheet made; take the entry from its source"
