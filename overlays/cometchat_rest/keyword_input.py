"""The public path to the inputs of keyword lists; the code is in `cometchat_rest.keywords`."""

from .keywords.csv_file import DEFAULT_FILE_NAME as DEFAULT_FILE_NAME
from .keywords.csv_file import MAX_FILE_SIZE as MAX_FILE_SIZE
from .keywords.csv_file import BinaryReader as BinaryReader
from .keywords.csv_file import CsvFile as CsvFile
from .keywords.csv_file import FileSource as FileSource
from .keywords.entries import csv_rows as csv_rows
from .keywords.entries import csv_text as csv_text
from .keywords.entries import entries_of as entries_of
from .keywords.entries import from_keyword_list as from_keyword_list
from .keywords.entries import from_terms as from_terms
from .keywords.entries import list_entries as list_entries
from .keywords.entries import strip_csv_quotes as strip_csv_quotes
from .keywords.inputs import LINE_BREAK as LINE_BREAK
from .keywords.inputs import SEPARATOR as SEPARATOR
from .keywords.inputs import KeywordListDict as KeywordListDict
from .keywords.inputs import KeywordListInput as KeywordListInput
from .keywords.inputs import PatternListDict as PatternListDict
from .keywords.inputs import PatternListInput as PatternListInput
from .keywords.inputs import SentenceSimilarityListDict as SentenceSimilarityListDict
from .keywords.inputs import SentenceSimilarityListInput as SentenceSimilarityListInput
from .keywords.inputs import WordListDict as WordListDict
from .keywords.inputs import WordListInput as WordListInput
from .keywords.inputs import check_terms as check_terms
from .keywords.inputs import fault_in_text as fault_in_text
from .keywords.inputs import parse as parse
