"""Uses of keyword inputs that type checkers must accept, and the types they must infer. Checked,
never run."""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, assert_never, assert_type

from attrs import evolve

from cometchat_openapi.models import KeywordList, KeywordListForm
from cometchat_rest import Client
from cometchat_rest.keyword_input import (
    CsvFile,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    from_keyword_list,
    parse,
)
from cometchat_rest.keyword_input.inputs import to_multipart_form as form


def terms_from_any_iterable(lines: Iterator[str]) -> None:
    WordListInput(search_terms=["spam"])
    WordListInput(search_terms=("spam",), id="list", name="List", description="Bad words")
    PatternListInput(search_terms={"a+"})
    PatternListInput(search_terms=lines)
    PatternListInput(search_terms="a+,b+")
    SentenceSimilarityListInput(disallowed_sentences=lines)


def files_of_any_kind(path: Path) -> None:
    WordListInput(file=b"spam")
    WordListInput(file="keywords.csv")
    WordListInput(file=path)
    WordListInput(file=io.BytesIO(b"spam"))
    WordListInput(file=CsvFile("keywords.csv", b"spam"))
    WordListInput(file=None, search_terms=["spam"])
    SentenceSimilarityListInput(disallowed_sentences=["a"], file=path)
    with path.open("rb") as opened, path.open("rb", buffering=0) as raw:
        PatternListInput(file=opened)
        PatternListInput(file=raw)
    with tempfile.TemporaryFile() as anonymous, tempfile.NamedTemporaryFile() as named:
        PatternListInput(file=anonymous)
        PatternListInput(file=named)


def types_of_fields() -> None:
    new = WordListInput(search_terms=["spam"], file=b"spam")
    assert_type(new.category, Literal["word"])
    assert_type(new.search_terms, str | tuple[str, ...])
    assert_type(new.file, CsvFile | None)
    assert_type(new.id, str | None)


def category_narrows_in_if(new: KeywordListInput) -> None:
    if new.category == "word":
        assert_type(new, WordListInput)
    elif new.category == "pattern":
        assert_type(new, PatternListInput)
    else:
        assert_type(new, SentenceSimilarityListInput)
        assert_type(new.disallowed_sentences, tuple[str, ...])


def class_narrows_in_match(new: KeywordListInput) -> str | tuple[str, ...]:
    match new:
        case WordListInput() | PatternListInput():
            return new.search_terms
        case SentenceSimilarityListInput(disallowed_sentences=sentences):
            return sentences
        case _:
            assert_never(new)


def category_narrows_in_match(new: KeywordListInput) -> None:
    match new.category:
        case "word":
            assert_type(new, WordListInput)
        case "pattern":
            assert_type(new, PatternListInput)
        case "sentence-similarity":
            assert_type(new, SentenceSimilarityListInput)


def get_change_update(shown: KeywordList) -> None:
    new = from_keyword_list(shown)
    assert_type(new, KeywordListInput)
    changed = evolve(new, description="Bad words")
    assert_type(form(changed), KeywordListForm)


def terms_can_be_replaced(new: WordListInput) -> None:
    assert_type(evolve(new, search_terms=["spam"], file=None), WordListInput)


def mappings_of_anything(parsed: dict[str, object], texts: dict[str, str]) -> None:
    assert_type(parse(parsed), KeywordListInput)
    parse(texts)


def updates_from_plain_dicts(chat: Client) -> None:
    assert_type(
        chat.keywords.update("a", {"category": "word", "searchTerms": ["spam"]}), KeywordList
    )
    chat.keywords.plan(
        "a", {"category": "sentence-similarity", "disallowedSentences": ["spam"], "name": "List"}
    )
    chat.keywords.update("a", {"category": "pattern", "file": b"a+"})
