"""The inputs of keyword lists, and the terms and sentences of lists, inputs and CSV files."""

from .csv_file import MAX_FILE_SIZE, CsvFile, FileSource
from .entries import (
    check_updatable,
    csv_text,
    entries_of,
    from_keyword_list,
    from_terms,
    list_entries,
    unquoted,
)
from .inputs import (
    LINE_BREAK,
    SEPARATOR,
    KeywordListInput,
    PatternListInput,
    Quotes,
    SentenceSimilarityListInput,
    WordListInput,
    fault_in_text,
    parse,
)

__all__ = [
    "LINE_BREAK",
    "MAX_FILE_SIZE",
    "SEPARATOR",
    "CsvFile",
    "FileSource",
    "KeywordListInput",
    "PatternListInput",
    "Quotes",
    "SentenceSimilarityListInput",
    "WordListInput",
    "check_updatable",
    "csv_text",
    "entries_of",
    "fault_in_text",
    "from_keyword_list",
    "from_terms",
    "list_entries",
    "parse",
    "unquoted",
]
