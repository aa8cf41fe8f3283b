"""Uses of keyword inputs that type checkers must refuse: exactly the marked lines. Checked,
never run."""

from pathlib import Path

from cometchat_rest.keyword_input import (
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    from_keyword_list,
    parse,
)
from cometchat_rest.keyword_input.inputs import to_multipart_form as form


def fields_of_another_category() -> None:
    WordListInput(disallowed_sentences=["a"])  # error
    PatternListInput(search_terms=["a"], disallowed_sentences=["a"])  # error
    SentenceSimilarityListInput(disallowed_sentences=["a"], search_terms=["a"])  # error
    WordListInput(search_terms=["a"], revision_id="r")  # error


def category_is_not_passed() -> None:
    WordListInput(search_terms=["a"], category="word")  # error
    PatternListInput(search_terms=["a"], category="word")  # error


def fields_are_given_by_name() -> None:
    WordListInput(["a"])  # error


def sentences_are_required(path: Path) -> None:
    SentenceSimilarityListInput()  # error
    SentenceSimilarityListInput(file=path)  # error


def values_of_the_wrong_type(path: Path) -> None:
    WordListInput(search_terms=None)  # error
    WordListInput(search_terms=[1])  # error
    WordListInput(search_terms=b"spam")  # error
    WordListInput(search_terms=["a"], name=1)  # error
    WordListInput(file=1)  # error
    with path.open(encoding="utf-8") as text:
        WordListInput(file=text)  # error


def inputs_are_frozen(new: WordListInput) -> None:
    new.name = "x"  # error
    new.category = "word"  # error


def fields_need_narrowing(new: KeywordListInput) -> None:
    new.search_terms  # noqa: B018  # error
    if new.category == "sentence-similarity":
        new.search_terms  # noqa: B018  # error
    else:
        new.disallowed_sentences  # noqa: B018  # error


def arguments_of_the_wrong_type() -> None:
    parse("word")  # error
    form({"category": "word"})  # error
    from_keyword_list({"category": "word"})  # error
