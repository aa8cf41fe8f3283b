"""The inputs and the update form."""

import copy
import io
import pickle
import traceback
from pathlib import Path
from typing import Any, get_args

import pytest
from attrs import evolve, fields
from attrs.exceptions import FrozenInstanceError

from cometchat_openapi.models import KeywordCategory, KeywordListForm
from cometchat_rest.keyword_input import (
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    parse,
)
from cometchat_runtime.errors import InvalidRequestError

TERM_CLASSES = [WordListInput, PatternListInput]
CSV = b"spam\nscam\n"
SENTENCES = "sentence-similarity"
#: The beginning of the error about a category.
CATEGORIES = r"^category .*'word', 'pattern'.*'sentence-similarity'"
BLANK = ["", " ", "\t", "\n", "\u3000"]
LINE_BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


def one_of_each() -> list[KeywordListInput]:
    return [
        WordListInput(search_terms=["spam"]),
        PatternListInput(search_terms=["a+"]),
        SentenceSimilarityListInput(disallowed_sentences=["Send me money"]),
        WordListInput(file=CSV),
    ]


class Table(list[str]):
    """A table as a loop sees it: the names of its columns. Data frames have this attribute."""

    columns = ("name of a column",)


def test_each_category_and_field_of_the_form_has_an_input() -> None:
    """Every category of `KeywordCategory` has a class of inputs, and every field of
    `KeywordListForm` is a field of a class: a new value or field of the description is not lost."""
    classes = get_args(KeywordListInput)
    categories = {fields(cls).category.default for cls in classes}
    assert {*get_args(KeywordCategory)} - categories == set(), "categories without a class"
    names = {attribute.name for cls in classes for attribute in fields(cls)}
    described = {*KeywordListForm.JSON_NAMES.values()}
    assert described - names == set(), "fields of the form that no class has"
    assert (categories - {*get_args(KeywordCategory)}, names - described) == (set(), set())


class TestClasses:
    def test_category_is_set_by_the_class(self) -> None:
        """Each class sets its category."""
        assert [each.category for each in one_of_each()] == [
            "word",
            "pattern",
            "sentence-similarity",
            "word",
        ]

    @pytest.mark.parametrize(
        ("make", "positional", "fields"),
        [
            (WordListInput, (["a"],), {}),
            (WordListInput, (), {"search_terms": ["a"], "category": "word"}),
            (WordListInput, (), {"search_terms": ["a"], "disallowed_sentences": ["a"]}),
            (
                SentenceSimilarityListInput,
                (),
                {"search_terms": ["a"], "disallowed_sentences": ["a"]},
            ),
            (SentenceSimilarityListInput, (), {"file": CSV}),
        ],
    )
    def test_other_fields_are_type_errors(
        self, make: Any, positional: tuple[Any, ...], fields: dict[str, Any]
    ) -> None:
        """Fields are passed by name. The category, and a field that the category does not have,
        cannot be passed."""
        with pytest.raises(
            TypeError, match=r"positional|category|disallowed_sentences|search_terms"
        ):
            make(*positional, **fields)

    @pytest.mark.parametrize("new", one_of_each(), ids=repr)
    def test_inputs_are_values(self, new: KeywordListInput) -> None:
        """An input is immutable; it is compared, hashed, copied and pickled by value."""
        with pytest.raises(FrozenInstanceError):
            new.name = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
        again = pickle.loads(pickle.dumps(new))
        assert again == new == copy.deepcopy(new)
        assert {new, again} == {new}
        assert not hasattr(new, "__dict__")

    def test_inputs_copy_their_arguments(self) -> None:
        """Changing the list or the file afterwards does not change the input."""
        terms, content = ["spam"], io.BytesIO(CSV)
        by_terms, by_file = WordListInput(search_terms=terms), WordListInput(file=content)
        terms.append("scam")
        content.getbuffer()[:4] = b"ham!"
        assert by_terms == WordListInput(search_terms=("spam",))
        assert by_file == WordListInput(file=CSV)

    @pytest.mark.parametrize("name", ["id", "name", "description"])
    @pytest.mark.parametrize("value", ["", " ", "\n", 1, b"x", ["x"], "\ud800"])
    def test_invalid_common_field(self, name: str, value: Any) -> None:
        """A common field must be a `str` that is not blank; the error names the field."""
        with pytest.raises(InvalidRequestError, match=f"^{name} "):
            WordListInput(search_terms=["spam"], **{name: value})

    @pytest.mark.parametrize("new", one_of_each(), ids=repr)
    def test_evolve_changes_one_field(self, new: KeywordListInput) -> None:
        """`attrs.evolve` returns a changed copy with the same file."""
        changed = evolve(new, name="New")
        assert changed.name == "New"
        assert changed.file is new.file
        assert evolve(changed, name=None) == new

    def test_traceback_with_locals(self) -> None:
        """A traceback that shows local variables can be made for a refused input."""
        with pytest.raises(InvalidRequestError) as refused:
            WordListInput(id="words", search_terms=["a,b"])
        shown = traceback.TracebackException.from_exception(refused.value, capture_locals=True)
        assert "WordListInput(id='words')" in "".join(shown.format())

    def test_repr_is_short(self) -> None:
        """A `repr` shows the fields that are set, the length of long values, and never the
        content of a file."""
        assert (
            repr(WordListInput(search_terms=["spam", "scam"]))
            == "WordListInput(search_terms=('spam', 'scam'))"
        )
        assert (
            repr(WordListInput(search_terms=["x"] * 1200))
            == "WordListInput(search_terms=<1200 entries>)"
        )
        assert (
            repr(WordListInput(search_terms="x" * 1200))
            == "WordListInput(search_terms=<1200 characters>)"
        )
        assert repr(WordListInput(id="i", file=CSV)) == (
            "WordListInput(id='i', file=CsvFile(name='keywords.csv', content=<10 bytes>))"
        )
        assert repr(SentenceSimilarityListInput(disallowed_sentences=["a"])) == (
            "SentenceSimilarityListInput(disallowed_sentences=('a',))"
        )


@pytest.mark.parametrize("cls", TERM_CLASSES)
class TestSearchTerms:
    @pytest.mark.parametrize(
        "make", [list, tuple, iter, lambda terms: (term for term in terms), dict.keys]
    )
    def test_any_iterable_is_accepted(self, cls: type[WordListInput], make: Any) -> None:
        """Terms come from any iterable, which is read once; one `str` is kept unchanged."""
        terms = make(["b", "a"] if make is not dict.keys else {"b": 1, "a": 2})
        assert cls(search_terms=terms).search_terms == ("b", "a")
        assert cls(search_terms=" spam,,\nscam, ").search_terms == " spam,,\nscam, "

    @pytest.mark.parametrize("separator", [",", *LINE_BREAKS])
    def test_term_with_separator_is_refused(self, cls: type[WordListInput], separator: str) -> None:
        """A term with a comma or a line break is refused; the error names the term and says what
        to do."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms\[1\] .*as file") as caught:
            cls(search_terms=["ok", f"a{{1{separator}3}}"])
        assert repr(f"a{{1{separator}3}}") in str(caught.value)

    @pytest.mark.parametrize("terms", [None, [], (), "", iter(())])
    def test_empty_terms_need_a_file(self, cls: type[WordListInput], terms: Any) -> None:
        """An input without terms needs a file."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms "):
            cls(**({} if terms is None else {"search_terms": terms}))
        cls(file=CSV, **({} if terms is None else {"search_terms": terms}))

    @pytest.mark.parametrize("terms", [["spam"], "spam", " "])
    def test_terms_and_file_exclude_each_other(self, cls: type[WordListInput], terms: Any) -> None:
        """Terms together with a file are refused: the service does not document which it uses."""
        with pytest.raises(
            InvalidRequestError, match=r"^search_terms cannot be combined with file"
        ):
            cls(search_terms=terms, file=CSV)

    @pytest.mark.parametrize(
        ("terms", "fault"),
        [
            *(
                (terms, " must be an iterable of str")
                for terms in (None, 1, b"spam", bytearray(b"spam"), {"spam": 1})
            ),
            *(
                (terms, " must be an iterable of str")
                for terms in (memoryview(b"x"), io.StringIO("a\nb"), object())
            ),
            (Table(["name of a column"]), " must be an iterable of str, not Table"),
            *(
                ([term], r"\[0\] must be a string")
                for term in (None, 1, b"spam", ["spam"], ("spam",))
            ),
            *((["ok", blank], r"\[1\] is blank") for blank in BLANK),
            *((blank, " is empty") for blank in BLANK),
            *((terms, ".*lone surrogate") for terms in (["ok", "a\ud800"], "a\udfff")),
            (["\ufeffspam", "scam"], r"\[0\] begins with a byte order mark: .*utf-8-sig"),
            ("\ufeffspam,scam", " begins with a byte order mark"),
            # The same mark, in a file that was read as Windows-1252.
            (["\u00ef\u00bb\u00bfspam"], r"\[0\] begins with a byte order mark"),
            (["ok", "\u200b\u200d"], r"\[1\] holds only invisible characters"),
        ],
    )
    def test_invalid_terms_are_refused(
        self, cls: type[WordListInput], terms: Any, fault: str
    ) -> None:
        """Bytes, mappings, tables and files can be iterated over, but they are not terms. A term
        must be a `str` that somebody can see and that can be encoded; other values are not
        converted. A byte order mark comes from a file that was read with the wrong encoding."""
        with pytest.raises(InvalidRequestError, match=f"^search_terms{fault}"):
            cls(search_terms=terms)

    def test_error_shows_part_of_a_long_term(self, cls: type[WordListInput]) -> None:
        """An error shows only the beginning of a long term."""
        with pytest.raises(InvalidRequestError) as caught:
            cls(search_terms=["x" * 30 + "," + "y" * 1000])
        assert "x" * 30 in str(caught.value)
        assert "y" * 30 not in str(caught.value)


class TestDisallowedSentences:
    @pytest.mark.parametrize("file", [None, CSV])
    def test_sentences_are_required(self, file: Any) -> None:
        """Sentences are required, even with a file."""
        with pytest.raises(
            InvalidRequestError, match=r"^disallowed_sentences must hold at least one"
        ):
            SentenceSimilarityListInput(disallowed_sentences=[], file=file)
        SentenceSimilarityListInput(disallowed_sentences=["a"], file=file)

    @pytest.mark.parametrize(
        ("sentences", "fault"),
        [
            *((["ok", sentence], r"\[1\] ") for sentence in ("", " \n", None, 1, b"x", "\ud800")),
            *(
                (sentences, " must be an iterable")
                for sentences in ("Send me money", None, 1, b"x", {"x": 1})
            ),
        ],
    )
    def test_invalid_sentences_are_refused(self, sentences: Any, fault: str) -> None:
        """Sentences are an iterable of texts that are not blank and can be encoded; the error
        names the sentence."""
        with pytest.raises(InvalidRequestError, match=f"^disallowed_sentences{fault}"):
            SentenceSimilarityListInput(disallowed_sentences=sentences)


class TestParse:
    @pytest.mark.parametrize(
        ("mapping", "expected"),
        [
            (
                {"category": "word", "searchTerms": ["a", "b"]},
                WordListInput(search_terms=["a", "b"]),
            ),
            ({"category": "pattern", "searchTerms": "a,b"}, PatternListInput(search_terms="a,b")),
            (
                {"category": "sentence-similarity", "disallowedSentences": ["a"]},
                SentenceSimilarityListInput(disallowed_sentences=["a"]),
            ),
            (
                {"category": "word", "file": CSV, "id": "i", "name": "n", "description": "d"},
                WordListInput(file=CSV, id="i", name="n", description="d"),
            ),
            (
                {"category": "word", "searchTerms": None, "file": CSV, "name": None},
                WordListInput(file=CSV),
            ),
        ],
    )
    def test_category_selects_the_class(
        self, mapping: dict[str, object], expected: KeywordListInput
    ) -> None:
        """The category selects the class; the other keys, named as in the service, are its
        fields."""
        assert parse(mapping) == expected

    @pytest.mark.parametrize(
        ("mapping", "fault"),
        [
            *(
                (mapping, "^mapping must be a mapping")
                for mapping in (None, "word", ["word"], [("category", "word")])
            ),
            ({"searchTerms": ["a"]}, CATEGORIES),
            *(
                ({"category": category, "searchTerms": ["a"]}, CATEGORIES)
                for category in ("Word", "words", "", None, 1, ["word"], "toxicity")
            ),
            (
                {"category": "word", "searchTerms": ["a"], "disallowedSentences": ["a"]},
                "has no 'disallowed",
            ),
            (
                {"category": SENTENCES, "disallowedSentences": ["a"], "searchTerms": "a"},
                "has no 'searchTerms'",
            ),
            ({"category": "word", "search_terms": ["a"]}, "has no 'search_terms'"),
            ({"category": "word", "searchTerms": ["a"], 1: "a"}, "has no '1'"),
            ({"category": "word"}, "^search_terms"),
            ({"category": "word", "searchTerms": 1}, "^search_terms"),
            ({"category": "word", "searchTerms": False, "file": CSV}, "^search_terms"),
            ({"category": SENTENCES}, "^disallowed_sentences"),
            ({"category": SENTENCES, "disallowedSentences": None}, "^disallowed_sentences"),
            ({"category": SENTENCES, "disallowedSentences": "a"}, "^disallowed_sentences"),
            ({"category": "word", "searchTerms": ["a"], "name": 1}, "^name"),
        ],
    )
    def test_invalid_mapping_is_refused(self, mapping: Any, fault: str) -> None:
        """A value that is not a mapping is refused, and so are an unknown category, a key that the
        category does not have, and a missing or invalid value. The error names the key, or the
        three categories."""
        with pytest.raises(InvalidRequestError, match=fault):
            parse(mapping)

    def test_str_is_never_a_path(self, tmp_path: Path) -> None:
        """A `str` as file is refused: parsed JSON could otherwise read any file. A `Path` is
        accepted."""
        path = tmp_path / "x.csv"
        path.write_bytes(CSV)
        with pytest.raises(InvalidRequestError, match=r"^file must not be a str"):
            parse({"category": "word", "file": str(path)})
        assert parse({"category": "word", "file": path}) == WordListInput(file=path)
