"""The inputs of keyword lists, and the terms and sentences of lists, inputs and CSV files."""

from .csv_file import MAX_FILE_SIZE as MAX_FILE_SIZE
from .csv_file import CsvFile as CsvFile
from .csv_file import FileSource as FileSource
from .entries import csv_text as csv_text
from .entries import entries_of as entries_of
from .entries import from_keyword_list as from_keyword_list
from .entries import from_terms as from_terms
from .entries import list_entries as list_entries
from .entries import unquoted as unquoted
from .inputs import LINE_BREAK as LINE_BREAK
from .inputs import SEPARATOR as SEPARATOR
from .inputs import KeywordListInput as KeywordListInput
from .inputs import PatternListInput as PatternListInput
from .inputs import Quotes as Quotes
from .inputs import SentenceSimilarityListInput as SentenceSimilarityListInput
from .inputs import WordListInput as WordListInput
from .inputs import fault_in_text as fault_in_text
from .inputs import parse as parse

# `help(keyword_input)` lists these.
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
    "csv_text",
    "entries_of",
    "fault_in_text",
    "from_keyword_list",
    "from_terms",
    "list_entries",
    "parse",
    "unquoted",
]
