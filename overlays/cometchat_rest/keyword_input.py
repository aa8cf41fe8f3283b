"""The public path to the inputs of keyword lists; the code is in `cometchat_rest.keywords`."""

from .keywords.entries import (
    dump,
    entries_of,
    from_keyword_list,
    from_terms,
    list_entries,
    load,
    load_terms,
    parse_terms,
    raw_list_entries,
)
from .keywords.files import csv_text
from .keywords.inputs import (
    DEFAULT_FILE_NAME,
    MAX_FILE_SIZE,
    BinaryReader,
    CsvFile,
    FileSource,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    parse,
)
from .keywords.patterns import folded, invalid_patterns, is_unbounded
from .keywords.plan import LONGEST_TERM

__all__ = [
    "DEFAULT_FILE_NAME",
    "LONGEST_TERM",
    "MAX_FILE_SIZE",
    "BinaryReader",
    "CsvFile",
    "FileSource",
    "KeywordListInput",
    "PatternListInput",
    "SentenceSimilarityListInput",
    "WordListInput",
    "csv_text",
    "dump",
    "entries_of",
    "folded",
    "from_keyword_list",
    "from_terms",
    "invalid_patterns",
    "is_unbounded",
    "list_entries",
    "load",
    "load_terms",
    "parse",
    "parse_terms",
    "raw_list_entries",
]
