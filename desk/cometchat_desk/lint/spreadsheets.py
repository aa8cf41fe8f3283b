"""Rules about entries that a spreadsheet changed."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem

# The error values of spreadsheets, in the languages in which they are common.
_ERROR_VALUE = re.compile(
    r"""
      [#] (?: NAME | ¿?NOMBRE | NOME | NOM | ИМЯ | AD | NAZWA | SAYI ) [?!]    # #NAME?
    | [#] ¡? (?:                                                            # #REF!
          REF | VALUE | NUM | NULL | SPILL | CALC | FIELD | BLOCKED | CONNECT | UNKNOWN
        | WERT | BEZUG | ZAHL | ÜBERLAUF | KALK | VALEUR | NOMBRE | NUL
        | VALOR | NULO | VALORE | RIF | WAARDE | VERW | GETAL | LEEG!?
        | ЗНАЧ | ССЫЛКА | ЧИСЛО | ПУСТО | DEĞER | SAYI | BOŞ | ADR | LICZBA | ZERO
      ) !
    | [#] ¡? DIV/0!                                  # #DIV/0!
    | [#] (?: N/?[AVDБ] | \u041d/Д | YOK )           # #N/A
    | [#] GETTING_DATA                               # #GETTING_DATA
    | [#]{5,}                                        # #####
    | (?: Err | Fehler | Erreur | Errore ) :5[0-9]{2}  # Err:502
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FORMULA = re.compile(
    r"""
      [-=+@] [A-ZÀ-Ž] [A-ZÀ-Ž0-9.]+ \( .*                             # =SUM(A1:A9)
    | = \$? [A-Z]{1,3} \$? [0-9]+ (?: [-+*/&:;,!^<>=] .* )?           # =B7
    """,
    re.VERBOSE | re.DOTALL,
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


_DIGITS = "-+0123456789"
_NUMBER = re.compile(
    r"""
    [-+]? (?:
        [0-9] (?: [.,][0-9]+ )? [Ee] [-+] [0-9]{2,3}   # 1.00E+05
      | [0-9] [.,] [0-9]+ [Ee] [0-9]{1,3}              # 4.9172e11
      | [0-9]+ [.,] 00 %?                              # 100.00%
    )
    """,
    re.VERBOSE,
)


def spreadsheet_number(listed: Listed) -> Iterator[Problem]:
    """A spreadsheet changed a number, for example to 1E+05 or 100.00%.

    Take the entry from its source, and format the column as text before you paste.
    """
    for index, entry in enumerate(listed.heads):
        text = entry.strip()
        if text[0] in _DIGITS and _NUMBER.fullmatch(text):
            yield index, "is a number that a spreadsheet changed; take it from its source"


_MONTHS = """
    jan feb mar mär mrz apr may mai maj mag jun jul aug ago ağu sep sept oct okt ott out nov dec dez
    dic déc janv févr avr juin juil août gen giu lug set ene abr fev mars
    янв фев мар апр май мая июн июл авг сен окт ноя дек
"""
_MONTH = rf"(?: {' | '.join(_MONTHS.split())} )"
_DATE = re.compile(
    rf"""
      [0-3]?[0-9] - {_MONTH} \.? (?: -[0-9]{{2,4}} )?             # 2-Sep, 2-Sep-26
    | {_MONTH} \.? - [0-9]{{2}}                                   # Sep-26
    | [0-3][0-9] \. [ ]? {_MONTH} \.? (?: [ ][0-9]{{2,4}} )?      # 02. Jan, 02. Jan 2026
    | {_MONTH} \. [0-9]{{2}}                                      # Jan.26
    | [0-9]{{4}}-[01][0-9]-[0-3][0-9] [ T] 00:00 (?: :00 )? (?: \.0+ )? Z?   # 2026-02-01 00:00:00
    """,
    re.VERBOSE | re.IGNORECASE,
)


def spreadsheet_date(listed: Listed) -> Iterator[Problem]:
    """A spreadsheet changed an entry to a date, for example 1-2 to 02. Jan.

    Take the entry from its source.
    """
    for index, entry in enumerate(listed.heads):
        if _DATE.fullmatch(entry.strip()):
            yield index, "is a date that a spreadsheet made; take the entry from its source"
