"""The terms and sentences of lists, inputs and files."""

import csv
import io
from enum import Enum, StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest import KeywordPlan
from cometchat_rest.keyword_input import (
    LINE_BREAK,
    CsvFile,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    csv_text,
    entries_of,
    fault_in_text,
    from_keyword_list,
    from_terms,
    list_entries,
)
from cometchat_runtime.errors import InvalidRequestError

derandomized = settings(derandomize=True, deadline=None, database=None)
# Any script, and often the special characters of CSV and of the form.
texts = (st.text(st.characters(codec="utf-8")) | st.text('a{1,3}"\r\n')).filter(
    lambda text: fault_in_text(text) is None
)
categories = st.sampled_from(["word", "pattern", "sentence-similarity"])


#: What a service sends that does not show the entries.
NOT_TEXTS: list[Any] = [1, 0, False, []]
NOT_SHOWN: list[dict[str, Any]] = [
    {"category": "word"},
    {"category": "word", "searchTerms": None},
    {"category": "word", "searchTerms": [""]},
    {"category": "word", "searchTerms": [], "isCSV": True},
    {"category": "word", "searchTerms": [], "isCSV": "true"},
    {"category": "word", "searchTerms": ['""'], "isCSV": True},
    {"category": "pattern"},
    {"category": "pattern", "searchTerms": []},
    {"category": "sentence-similarity", "searchTerms": []},
    {"category": "sentence-similarity", "searchTerms": [], "disallowedSentences": []},
]


def fetched(**fields: Any) -> KeywordList:
    return KeywordList.from_dict(
        {"id": "list", "name": "List", "category": "word", "isCSV": False, **fields}
    )


class TestEntries:
    @pytest.mark.parametrize(
        ("new", "entries"),
        [
            (WordListInput(search_terms=["a", "b"]), ("a", "b")),
            (WordListInput(search_terms="a, b,,c\nd, "), ("a", " b", "c\nd")),
            (SentenceSimilarityListInput(disallowed_sentences=["a, b", "c"]), ("a, b", "c")),
            (SentenceSimilarityListInput(disallowed_sentences=["a"], file=b"b\n"), ("b",)),
            (WordListInput(file=b'\xef\xbb\xbfa\r\n\n"b, ""c"""\r\n"d\ne"\n  \nf'), ("a", 'b, "c"', "d\ne", "f")),
            # Rows that are not valid CSV of one column are terms exactly as written.
            (PatternListInput(file=b'a{1,3}\n"a",b\n"c\nd" e\n5" disk\n"open'), (
                "a{1,3}", '"a",b', '"c', 'd" e', '5" disk', '"open',
            )),
        ],
        ids=repr,
    )  # fmt: skip
    def test_entries_of_an_input(self, new: KeywordListInput, entries: tuple[str, ...]) -> None:
        """A text is split at commas, a file at rows; blank entries are left out."""
        assert entries_of(new) == entries

    @pytest.mark.parametrize(
        ("fields", "entries"),
        [
            ({"searchTerms": ["a", " ", '"b"']}, ("a", '"b"')),
            # The contract describes an array, so nobody knows how to split one text.
            ({"searchTerms": "a,b"}, None),
            ({"searchTerms": ["a", 1]}, None),
            ({"searchTerms": {"a": 1}}, None),
            ({"searchTerms": ["a"], "disallowedSentences": ["b"]}, ("a",)),
            (
                {
                    "searchTerms": ["a"],
                    "disallowedSentences": ["b"],
                    "category": "sentence-similarity",
                },
                ("b",),
            ),
            (
                {
                    "searchTerms": ["a"],
                    "disallowedSentences": [],
                    "category": "sentence-similarity",
                },
                ("a",),
            ),
            (
                {
                    "searchTerms": [],
                    "disallowedSentences": ["b"],
                    "category": "sentence-similarity",
                },
                ("b",),
            ),
            ({"searchTerms": "a, b", "category": "sentence-similarity"}, None),
            ({"disallowedSentences": "a, b", "category": "sentence-similarity"}, None),
        ],
        ids=repr,
    )
    def test_entries_of_a_fetched_list(
        self, fields: dict[str, Any], entries: tuple[str, ...] | None
    ) -> None:
        """Entries are read from the field of the category; `None` means that they are not shown."""
        assert list_entries(fetched(**fields)) == entries

    @pytest.mark.parametrize("fields", NOT_SHOWN, ids=repr)
    def test_list_without_entries_does_not_show_them(self, fields: dict[str, Any]) -> None:
        """A list without entries does not show them, whatever stands in place of them."""
        assert list_entries(fetched(**fields), quotes="csv") is None

    @pytest.mark.parametrize("fields", [{"isCSV": False}, {"isCSV": None}, {}], ids=repr)
    def test_list_of_words_without_entries_is_empty(self, fields: dict[str, Any]) -> None:
        """A list of words whose entries are an empty array is empty, because the contract promises
        them; it cannot become an input, and the error says why."""
        empty = fetched(searchTerms=[], **fields)
        assert list_entries(empty) == list_entries(empty, quotes="csv") == ()
        with pytest.raises(InvalidRequestError, match="the service shows this list as empty"):
            from_keyword_list(empty)


class TestCsvText:
    @derandomized
    @given(st.lists(texts))
    def test_is_read_by_the_csv_module(self, terms: list[str]) -> None:
        """Python's csv module reads the same terms, one per row."""
        text = csv_text(terms)
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        assert rows == [[term] for term in terms]

    def test_quotes_only_if_necessary(self) -> None:
        """Only a term that needs double quotes gets them."""
        assert (
            csv_text(["a b", "a, b", 'say "hi"', "a\nb"]) == 'a b\n"a, b"\n"say ""hi"""\n"a\nb"\n'
        )
        assert csv_text([]) == ""


class Word(StrEnum):
    SPAM = "spam"
    GREETING = "a, b"


class Markup(str):
    """A text of a template engine, which changes what it is joined with."""

    __slots__ = ()

    def __add__(self, other: object) -> str:
        return "changed"

    __radd__ = __add__

    def __format__(self, spec: str) -> str:
        return "changed"


class PlainWord(str, Enum):  # noqa: UP042 - users have such classes
    SPAM = "spam"
    GREETING = "a, b"


@pytest.mark.parametrize(
    "terms", [Word, PlainWord, [Markup("spam"), Markup("a, b")]], ids=["StrEnum", "Enum", "Markup"]
)
def test_terms_of_other_classes(terms: Any) -> None:
    """A member of an enumeration, or a text of a template engine, is sent as its characters."""
    new = from_terms("word", terms)
    assert new.file is not None
    assert new.file.content == b'spam\n"a, b"\n'


class TestFromKeywordList:
    def test_fetched_list_becomes_an_input(self) -> None:
        """A fetched list becomes an input with its id, name, description and terms."""
        shown = fetched(
            category="word", searchTerms=["spam", "scam"], description="Bad", revisionId="r"
        )
        assert from_keyword_list(shown) == WordListInput(
            id="list", name="List", description="Bad", search_terms=["spam", "scam"]
        )

    def test_terms_that_a_list_has_already(self) -> None:
        """A list may keep terms that could not be sent as new ones, also in the quotes of a CSV
        file. A new one is refused, and so is a text that no request can carry."""
        shown = fetched(category="word", searchTerms=["\ufeffspam", "\u200b", "scam"])
        terms = list_entries(shown) or ()
        assert entries_of(from_keyword_list(shown)) == terms
        assert KeywordPlan.compare("list", shown, [*terms, "new"]).added == ("new",)
        made = from_terms("word", ["new", *terms], shown=terms)
        assert entries_of(made) == ("new", *terms)
        with pytest.raises(
            InvalidRequestError, match=r"search_terms\[3\] begins with a byte order"
        ):
            from_terms("word", [*terms, "\ufeffnew"], shown=terms)
        rows = fetched(category="word", searchTerms=['"\ufeffspam"', '"scam, now"'], isCSV=True)
        entries = list_entries(rows, quotes="csv") or ()
        assert entries_of(from_keyword_list(rows, quotes="csv")) == ("\ufeffspam", "scam, now")
        plan = KeywordPlan.compare("list", rows, [*entries, "new"], quotes="csv")
        assert (plan.added, plan.removed) == (("new",), ())
        half = fetched(category="word", searchTerms=["spam", "\ud83d"])
        with pytest.raises(InvalidRequestError, match=r"search_terms\[1\] holds a lone surrogate"):
            from_keyword_list(half)

    def test_blank_values_are_left_out(self) -> None:
        """Missing and blank texts, and blank terms, are left out instead of refused."""
        shown = fetched(
            category="pattern", searchTerms=["a+", "", " "], description="", id=None, name=" "
        )
        assert from_keyword_list(shown) == PatternListInput(search_terms=["a+"])

    @given(terms=st.lists(texts, min_size=1), is_csv=st.booleans())
    def test_no_term_is_lost(self, terms: list[str], *, is_csv: bool) -> None:
        """The input holds each term of the list, in order: as shown, or without the quotes of
        its CSV file."""
        shown = fetched(
            searchTerms=['"' + term.replace('"', '""') + '"' for term in terms], isCSV=is_csv
        )
        with pytest.raises(InvalidRequestError, match="quotes must be"):
            from_keyword_list(shown)
        assert (
            entries_of(from_keyword_list(shown, quotes="csv"))
            == list_entries(shown, quotes="csv")
            == tuple(terms)
        )
        assert entries_of(from_keyword_list(shown, quotes="literal")) == list_entries(shown)

    def test_quotes_of_a_file(self) -> None:
        """Quotes of a CSV file are removed, and quotes of entries are kept; an empty entry in
        quotes is blank."""
        shown = fetched(
            category="pattern", searchTerms=['"a{1,3}"', "b,c", 'd "e"', "f", '""'], isCSV=True
        )
        new = from_keyword_list(shown, quotes="csv")
        assert new.file == CsvFile("keywords.csv", b'"a{1,3}"\n"b,c"\n"d ""e"""\nf\n')
        new = from_keyword_list(shown, quotes="literal")
        assert new.file == CsvFile("keywords.csv", b'"""a{1,3}"""\n"b,c"\n"d ""e"""\nf\n""""""\n')

    @pytest.mark.parametrize("category", ["toxicity", "", None, 3])
    def test_category_that_cannot_be_updated(self, category: object) -> None:
        """A list of a category that cannot be updated is refused; the error names the list and its
        category, and no argument."""
        shown = f"has category {category!r}" if isinstance(category, str) else "shows no category"
        fault = f"list: the list {shown}; only lists of category word, pattern, sentence-"
        with pytest.raises(InvalidRequestError, match=f"^{fault}") as caught:
            from_keyword_list(fetched(category=category, searchTerms=["a"]))
        assert caught.value.argument is None

    @pytest.mark.parametrize(
        ("shown", "fault"),
        [
            *(
                (shown, "the service does not show the entries")
                for shown in NOT_SHOWN
                if shown.get("searchTerms") != ['""']
            ),
            *(({"searchTerms": terms}, "^search_terms") for terms in (["a", 1], {"a": 1})),
            *(
                ({"searchTerms": ["a"], name: value}, f"^{name} must be a string")
                for name in ("id", "name", "description")
                for value in NOT_TEXTS
            ),
        ],
    )
    def test_unusable_list_is_refused(self, shown: dict[str, object], fault: str) -> None:
        """A list whose entries are not shown is refused, and so is an invalid value, which is
        not converted."""
        with pytest.raises(InvalidRequestError, match=fault):
            from_keyword_list(fetched(**shown))


class TestFromTerms:
    @derandomized
    @given(st.lists(texts, min_size=1), categories)
    def test_no_term_is_lost(self, terms: list[str], category: str) -> None:
        """The input holds each term, in order, as `search_terms` if possible."""
        new: KeywordListInput = from_terms(category, terms)
        assert (new.category, entries_of(new)) == (category, tuple(terms))
        needed = category != "sentence-similarity" and any(
            "," in term or LINE_BREAK.search(term) for term in terms
        )
        assert (new.file is not None) is needed

    @pytest.mark.parametrize(
        "terms", ["spam", b"spam", [], ["a", " "], ["a", 1], {"a": 1}, None], ids=repr
    )
    def test_invalid_terms(self, terms: Any) -> None:
        """One text, blank terms and values that are not texts are refused."""
        with pytest.raises(InvalidRequestError):
            from_terms("word", terms)

    def test_too_many_terms(self) -> None:
        """Terms that need a file, but are too large for a file, are refused before anything is
        sent."""
        with pytest.raises(InvalidRequestError, match="file is larger than"):
            from_terms("word", ["a, b" * 30_000] * 10)
