"""What goes into the update form."""

import copy
import csv
import io
import os
import pickle
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.keyword_input import (
    DEFAULT_FILE_NAME,
    MAX_FILE_SIZE,
    CsvFile,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    entries_of,
    from_keyword_list,
    parse,
)
from cometchat_rest.keywords.inputs import to_multipart_form as form

TERM_CLASSES = [WordListInput, PatternListInput]
CSV = b"spam\nscam\n"
LINE_BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]

# Any script, and, more often than chance has it, what CSV and the form take for their own.
texts = (st.text(st.characters(codec="utf-8")) | st.text('a{1,3}"\r\n')).filter(str.strip)


def one_of_each() -> list[KeywordListInput]:
    return [
        WordListInput(search_terms=["spam"]),
        PatternListInput(search_terms=["a+"]),
        SentenceSimilarityListInput(disallowed_sentences=["Send me money"]),
        WordListInput(file=CSV),
    ]


def with_file(file: Any) -> CsvFile:
    held = WordListInput(file=file).file
    assert held is not None
    return held


def wire_fields(new: KeywordListInput) -> list[tuple[str, str | CsvFile]]:
    """Name and value of each part of the form, in order."""
    parts = form(new).to_multipart()
    return [
        (name, content if isinstance(content, str) else CsvFile(filename or "", content))
        for name, (filename, content, _) in parts
    ]


def fetched(**fields: Any) -> KeywordList:
    return KeywordList.from_dict({"id": "list", "name": "List", "isCSV": False, **fields})


class TestClasses:
    def test_category_is_set_by_the_class(self) -> None:
        """Each class has its category, which cannot be passed."""
        assert [each.category for each in one_of_each()] == ["word", "pattern", "sentence-similarity", "word"]
        with pytest.raises(TypeError, match="category"):
            WordListInput(search_terms=["spam"], category="word")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    def test_a_field_of_another_category_is_a_type_error(self) -> None:
        """A field that the category does not have is refused by the class itself."""
        with pytest.raises(TypeError, match="disallowed_sentences"):
            WordListInput(disallowed_sentences=["a"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
        with pytest.raises(TypeError, match="search_terms"):
            SentenceSimilarityListInput(disallowed_sentences=["a"], search_terms=["a"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    def test_fields_are_given_by_name(self) -> None:
        """There is no order of fields to get wrong."""
        with pytest.raises(TypeError, match="positional"):
            WordListInput(["spam"])  # type: ignore[call-arg,arg-type]  # pyright: ignore[reportCallIssue]

    @pytest.mark.parametrize("new", one_of_each(), ids=repr)
    def test_inputs_are_values(self, new: KeywordListInput) -> None:
        """An input is frozen, and equal, hashable, copied and pickled by value."""
        with pytest.raises(FrozenInstanceError):
            new.name = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
        again = pickle.loads(pickle.dumps(new))  # noqa: S301 - made one line up
        assert again == new == copy.deepcopy(new)
        assert {new, again} == {new}
        assert not hasattr(new, "__dict__")

    def test_inputs_do_not_follow_what_they_were_made_of(self) -> None:
        """Changing the list or the bytes afterwards changes nothing."""
        terms, content = ["spam"], bytearray(CSV)
        by_terms, by_file = WordListInput(search_terms=terms), WordListInput(file=content)
        terms.append("scam")
        content[:4] = b"ham!"
        assert by_terms == WordListInput(search_terms=("spam",))
        assert by_file == WordListInput(file=CSV)

    def test_categories_are_never_equal(self) -> None:
        """The same terms as words and as patterns are two different inputs."""
        words, patterns = WordListInput(search_terms=["a"]), PatternListInput(search_terms=["a"])
        assert len({words, patterns}) == 2

    @pytest.mark.parametrize("name", ["id", "name", "description"])
    @pytest.mark.parametrize("value", ["", " ", "\n", 1, b"x", ["x"], "\ud800"])
    def test_texts_are_texts(self, name: str, value: Any) -> None:
        """A common field is a `str` with something in it, and the text names the one that is not."""
        with pytest.raises(InvalidRequestError, match=f"^{name} "):
            WordListInput(search_terms=["spam"], **{name: value})

    @pytest.mark.parametrize("new", one_of_each(), ids=repr)
    def test_evolve_changes_one_field(self, new: KeywordListInput) -> None:
        """`attrs.evolve` gives a changed copy, with the file it had."""
        changed = evolve(new, name="New")
        assert changed.name == "New"
        assert changed.file is new.file
        assert evolve(changed, name=None) == new

    def test_evolve_swaps_terms_and_file(self) -> None:
        """Terms take a file's place when the file is dropped in the same step, and not before."""
        new = WordListInput(file=CSV)
        assert evolve(new, file=None, search_terms=["spam"]) == WordListInput(search_terms=["spam"])
        with pytest.raises(InvalidRequestError, match="excludes file"):
            evolve(new, search_terms=["spam"])

    def test_repr_is_short(self) -> None:
        """A `repr` shows what is set, of long lists only the length, and never what is in a file."""
        assert repr(WordListInput(search_terms=["spam", "scam"])) == "WordListInput(search_terms=('spam', 'scam'))"
        assert repr(WordListInput(search_terms=["x"] * 1200)) == "WordListInput(search_terms=<1200 entries>)"
        assert repr(WordListInput(search_terms="x" * 1200)) == "WordListInput(search_terms=<1200 characters>)"
        assert repr(WordListInput(id="i", file=CSV)) == (
            "WordListInput(id='i', file=CsvFile(name='keywords.csv', content=<10 bytes>))"
        )
        assert repr(SentenceSimilarityListInput(disallowed_sentences=["a"])) == (
            "SentenceSimilarityListInput(disallowed_sentences=('a',))"
        )


@pytest.mark.parametrize("cls", TERM_CLASSES)
class TestSearchTerms:
    @pytest.mark.parametrize("make", [list, tuple, iter, lambda terms: (term for term in terms), dict.keys])
    def test_any_iterable_is_taken(self, cls: type[WordListInput], make: Any) -> None:
        """Terms come from any iterable, which is read once."""
        check_terms = make(["b", "a"] if make is not dict.keys else {"b": 1, "a": 2})
        assert cls(search_terms=check_terms).search_terms == ("b", "a")

    def test_one_str_goes_verbatim(self, cls: type[WordListInput]) -> None:
        """One `str` is what goes on the wire, commas, line breaks, blanks and all."""
        new = cls(search_terms=" spam,,\nscam, ")
        assert new.search_terms == " spam,,\nscam, "
        assert ("searchTerms", " spam,,\nscam, ") in wire_fields(new)

    @pytest.mark.parametrize("separator", [",", *LINE_BREAKS])
    def test_a_term_that_would_become_two_is_refused(self, cls: type[WordListInput], separator: str) -> None:
        """A term with a comma or a line break is refused, and the text says which, and what to do."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms\[1\] .*as file") as caught:
            cls(search_terms=["ok", f"a{{1{separator}3}}"])
        assert repr(f"a{{1{separator}3}}") in str(caught.value)

    @pytest.mark.parametrize("blank", ["", " ", "\t", "\n", "\u3000"])
    def test_a_blank_term_is_refused(self, cls: type[WordListInput], blank: str) -> None:
        """A blank term is refused, and so is one blank `str`."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms\[1\] is blank"):
            cls(search_terms=["ok", blank])
        with pytest.raises(InvalidRequestError, match=r"^search_terms is empty"):
            cls(search_terms=blank)

    @pytest.mark.parametrize("terms", [None, [], (), "", iter(())])
    def test_no_terms_are_refused(self, cls: type[WordListInput], terms: Any) -> None:
        """An input without terms needs a file."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms "):
            cls(**({} if terms is None else {"search_terms": terms}))
        cls(file=CSV, **({} if terms is None else {"search_terms": terms}))

    @pytest.mark.parametrize("terms", [["spam"], "spam", " "])
    def test_terms_and_file_exclude_each_other(self, cls: type[WordListInput], terms: Any) -> None:
        """Terms beside a file are refused: the service does not say which one wins."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms excludes file"):
            cls(search_terms=terms, file=CSV)

    @pytest.mark.parametrize(
        "terms",
        [
            None,
            1,
            b"spam",
            bytearray(b"spam"),
            memoryview(b"spam"),
            {"spam": 1},
            io.StringIO("spam\nscam"),
            object(),
        ],
        ids=lambda terms: type(terms).__name__,
    )
    def test_what_is_no_list_of_terms_is_refused(self, cls: type[WordListInput], terms: Any) -> None:
        """Bytes, mappings and files can be iterated over, and are no terms."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms must be an iterable of str"):
            cls(search_terms=terms)

    @pytest.mark.parametrize("term", [None, 1, b"spam", ["spam"], ("spam",)])
    def test_a_term_is_a_str(self, cls: type[WordListInput], term: Any) -> None:
        """A term that is no `str` is refused rather than formatted."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms\[0\] must be a string"):
            cls(search_terms=[term])

    @pytest.mark.parametrize("terms", [["ok", "a\ud800"], "a\udfff"])
    def test_a_term_can_be_encoded(self, cls: type[WordListInput], terms: Any) -> None:
        """Half of a surrogate pair is refused here, not by an encoder later."""
        with pytest.raises(InvalidRequestError, match=r"^search_terms.*lone surrogate"):
            cls(search_terms=terms)

    def test_a_long_term_is_shown_in_part(self, cls: type[WordListInput]) -> None:
        """An error shows no more of a term than it takes to find it."""
        with pytest.raises(InvalidRequestError) as caught:
            cls(search_terms=["x" * 30 + "," + "y" * 1000])
        assert "x" * 30 in str(caught.value)
        assert "y" * 30 not in str(caught.value)

    @given(terms=st.lists(texts, min_size=1))
    def test_terms_survive_the_wire(self, cls: type[WordListInput], terms: list[str]) -> None:
        """Terms in any script are refused, or come out of the form one by one and character by character."""
        try:
            (value,) = (value for name, value in wire_fields(cls(search_terms=terms)) if name == "searchTerms")
        except InvalidRequestError:
            assert any("," in term or len(f"{term}x".splitlines()) > 1 for term in terms)
            return
        assert isinstance(value, str)
        assert value.encode().decode().split(",") == terms


class TestDisallowedSentences:
    def test_each_is_a_part(self) -> None:
        """Sentences go each in a part of its own, with their commas and line breaks."""
        new = SentenceSimilarityListInput(disallowed_sentences=iter(["Send me, now,\nmoney", "Hi"]))
        assert wire_fields(new) == [
            ("category", "sentence-similarity"),
            ("disallowedSentences", "Send me, now,\nmoney"),
            ("disallowedSentences", "Hi"),
        ]

    def test_they_are_required(self) -> None:
        """Sentences are required, with a file too."""
        with pytest.raises(TypeError, match="disallowed_sentences"):
            SentenceSimilarityListInput(file=CSV)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
        for file in (None, CSV):
            with pytest.raises(InvalidRequestError, match=r"^disallowed_sentences must hold at least one"):
                SentenceSimilarityListInput(disallowed_sentences=[], file=file)
        assert SentenceSimilarityListInput(disallowed_sentences=["a"], file=CSV).file

    def test_one_str_is_refused(self) -> None:
        """A bare `str` would become one sentence for each character."""
        with pytest.raises(InvalidRequestError, match=r"^disallowed_sentences .*not one str"):
            SentenceSimilarityListInput(disallowed_sentences="Send me money")

    @pytest.mark.parametrize("sentence", ["", " \n", None, 1, b"x", "\ud800"])
    def test_each_is_a_text(self, sentence: Any) -> None:
        """A sentence that is blank, no `str` or not encodable is refused, and the text says which."""
        with pytest.raises(InvalidRequestError, match=r"^disallowed_sentences\[1\] "):
            SentenceSimilarityListInput(disallowed_sentences=["ok", sentence])

    @pytest.mark.parametrize("sentences", [None, 1, b"x", {"x": 1}])
    def test_what_is_no_list_is_refused(self, sentences: Any) -> None:
        """What is no iterable of texts is refused."""
        with pytest.raises(InvalidRequestError, match=r"^disallowed_sentences must be an iterable"):
            SentenceSimilarityListInput(disallowed_sentences=sentences)


class Trickle(io.RawIOBase):
    """A pipe, as far as a reader can tell: not seekable, and it gives less than it is asked for."""

    def __init__(self, content: bytes, step: int) -> None:
        self.content, self.step, self.given = content, step, 0

    def read(self, size: int = -1, /) -> bytes:
        assert size >= 0, "whoever reads everything cannot stop at the limit"
        piece = self.content[self.given : self.given + min(size, self.step)]
        self.given += len(piece)
        return piece


class TestFile:
    @pytest.mark.parametrize("content", [CSV, bytearray(CSV), memoryview(CSV), memoryview(CSV)[::1]])
    def test_content(self, content: Any) -> None:
        """Bytes of any kind are the content."""
        assert with_file(content) == CsvFile("keywords.csv", CSV)

    @pytest.mark.parametrize("kind", [str, Path])
    def test_path(self, tmp_path: Path, kind: type) -> None:
        """A path is read at once, and names the file."""
        path = tmp_path / "sub" / "Schimpfwörter 1.csv"
        path.parent.mkdir()
        path.write_bytes(CSV)
        held = with_file(kind(path))
        path.unlink()
        assert held == CsvFile("Schimpfwörter 1.csv", CSV)

    def test_open_file(self, tmp_path: Path) -> None:
        """An open file is read from where it stands, and left open."""
        path = tmp_path / "x.csv"
        path.write_bytes(b"header\n" + CSV)
        with path.open("rb") as opened:
            opened.readline()
            assert with_file(opened) == CsvFile("keywords.csv", CSV)
            assert not opened.closed
        with tempfile.NamedTemporaryFile() as wrapped:
            wrapped.write(CSV)
            wrapped.seek(0)
            assert with_file(wrapped).content == CSV
        assert with_file(io.BytesIO(CSV)).content == CSV

    def test_pipe(self) -> None:
        """A pipe is read to its end, however small the pieces in which it gives."""
        read_end, write_end = os.pipe()

        def write() -> None:
            os.write(write_end, CSV)
            os.close(write_end)

        writer = threading.Thread(target=write)
        writer.start()
        with open(read_end, "rb", buffering=0) as pipe:  # noqa: PTH123 - a descriptor has no path
            assert with_file(pipe).content == CSV
        writer.join()
        assert with_file(Trickle(CSV, 3)).content == CSV

    @pytest.mark.parametrize("empty", [b"", bytearray(), io.BytesIO(), io.BytesIO(b"x")])
    def test_empty_is_refused(self, tmp_path: Path, empty: Any) -> None:
        """A file with nothing in it is refused: it could wipe the list."""
        if isinstance(empty, io.BytesIO):
            empty.seek(0, io.SEEK_END)
        path = tmp_path / "empty.csv"
        path.touch()
        for file in (empty, path):
            with pytest.raises(InvalidRequestError, match=r"^file is empty"):
                WordListInput(file=file)

    def test_size_is_bounded(self, tmp_path: Path) -> None:
        """1 MiB is taken and one byte more is refused, without reading what comes after."""
        path = tmp_path / "big.csv"
        for size, fits in ((MAX_FILE_SIZE, True), (MAX_FILE_SIZE + 1, False)):
            content = b"x" * size
            path.write_bytes(content)
            for file in (content, memoryview(content), path, io.BytesIO(content), Trickle(content, 2**16)):
                if fits:
                    assert len(with_file(file).content) == size
                    continue
                with pytest.raises(InvalidRequestError, match=r"^file is larger than 1048576 bytes"):
                    WordListInput(file=file)
        endless = Trickle(b"x" * 3 * MAX_FILE_SIZE, 2**16)
        with pytest.raises(InvalidRequestError, match=r"^file is larger"):
            WordListInput(file=endless)
        assert endless.given == MAX_FILE_SIZE + 1

    def test_size_is_measured_in_bytes(self) -> None:
        """The limit counts bytes, not the items of a wider view."""
        wide = memoryview(bytearray(MAX_FILE_SIZE + 8)).cast("Q")
        with pytest.raises(InvalidRequestError, match=r"^file is larger"):
            WordListInput(file=wide)

    def test_text_mode_is_refused(self, tmp_path: Path) -> None:
        """A file in text mode is refused, whatever wraps it, and the text says how to open it."""
        path = tmp_path / "x.csv"
        path.write_bytes(b"\xff\xfe secret")
        with (
            path.open(encoding="utf-8") as opened,
            tempfile.NamedTemporaryFile("w+", encoding="utf-8") as wrapped,
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as undecodable,
        ):
            wrapped.write("secret")
            wrapped.seek(0)
            Path(undecodable.name).write_bytes(b"\xff\xfe secret")
            for file in (opened, wrapped, undecodable, io.StringIO("secret")):
                with pytest.raises(InvalidRequestError, match=r'^file is open in text mode.*"rb"') as caught:
                    WordListInput(file=file)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
                assert "secret" not in str(caught.value)
            assert opened.tell() == 0

    def test_a_path_that_cannot_be_read_is_refused(self, tmp_path: Path) -> None:
        """A missing file is an invalid request, with the cause kept."""
        with pytest.raises(InvalidRequestError, match=r"^file is a path .*No such file") as caught:
            WordListInput(file=tmp_path / "missing.csv")
        assert isinstance(caught.value.__cause__, FileNotFoundError)

    def test_a_path_to_something_else_is_refused(self, tmp_path: Path) -> None:
        """A directory, and a named pipe that nobody writes to, are refused at once."""
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        for path in (tmp_path, fifo, "", "/dev/zero"):
            with pytest.raises(InvalidRequestError, match=r"^file is a path to something other than a regular file"):
                WordListInput(file=path)

    @pytest.mark.parametrize("content", ["spam\nscam", "spam\r\nscam", "spam\x00", "x" * 5000])
    def test_a_str_is_never_content(self, content: str) -> None:
        """Content given as a `str` is refused as the path that it is not, and not shown."""
        with pytest.raises(InvalidRequestError, match=r"^file is a (str|path)") as caught:
            WordListInput(file=content)
        assert content[:4] not in str(caught.value)
        assert ("holds a line break" in str(caught.value)) == ("\n" in content)

    @pytest.mark.parametrize("file", [1, 1.5, ["spam"], {"a": 1}, object(), True])
    def test_what_is_no_file_is_refused(self, file: Any) -> None:
        """What can be none of bytes, path and file is refused by its type."""
        with pytest.raises(InvalidRequestError, match=r"^file must be bytes, a path or a file"):
            WordListInput(file=file)

    def test_a_path_of_bytes_is_refused(self) -> None:
        """A path-like that gives bytes is refused, not a TypeError."""

        class BytesPath:
            def __fspath__(self) -> bytes:
                return b"x"

        with pytest.raises(InvalidRequestError, match=r"^file is a path .* that is invalid"):
            WordListInput(file=BytesPath())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def test_what_cannot_be_read_is_refused(self) -> None:
        """A file that fails, is closed, gives nothing yet or wants to be awaited is an invalid request."""

        class Broken(io.RawIOBase):
            def read(self, _size: int = -1, /) -> bytes:
                raise OSError(5, "Input/output error")

        class Polled(io.RawIOBase):
            def read(self, _size: int = -1, /) -> None:
                return None

        class Awaited:
            async def read(self, _size: int = -1, /) -> bytes:
                return CSV

        closed = io.BytesIO(CSV)
        closed.close()
        for file, text in (
            (Broken(), "cannot be read: Input/output error"),
            (closed, "cannot be read: it is closed"),
            (Polled(), "returned NoneType"),
            (Awaited(), "is an asynchronous file"),
        ):
            with pytest.raises(InvalidRequestError, match=f"^file {text}") as caught:
                WordListInput(file=file)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            assert isinstance(caught.value.__cause__, OSError) == isinstance(file, Broken)

    @pytest.mark.parametrize("name", ["a\nb.csv", "a\udce9.csv", "a\x7f", " "])
    def test_a_name_that_no_header_can_carry_is_replaced(self, tmp_path: Path, name: str) -> None:
        """A file whose name cannot go on the wire goes under the default name."""
        (tmp_path / name).write_bytes(CSV)
        assert with_file(tmp_path / name).name == DEFAULT_FILE_NAME

    def test_a_file_of_ones_own_is_held_to_the_same_rules(self) -> None:
        """A `CsvFile` made by hand keeps the limits, and goes in as it is."""
        mine = CsvFile("mine.csv", CSV)
        assert with_file(mine) is mine
        for content in (b"", b"x" * (MAX_FILE_SIZE + 1)):
            with pytest.raises(InvalidRequestError, match=r"^file is "):
                CsvFile("mine.csv", content)


class TestParse:
    @pytest.mark.parametrize(
        ("mapping", "expected"),
        [
            ({"category": "word", "searchTerms": ["a", "b"]}, WordListInput(search_terms=["a", "b"])),
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
    def test_picks_the_class(self, mapping: dict[str, object], expected: KeywordListInput) -> None:
        """The category decides on the class; the other keys, in the service's spelling, are its fields."""
        assert parse(mapping) == expected

    @pytest.mark.parametrize("category", ["Word", "words", "", None, 1, ["word"], "toxicity"])
    def test_names_the_categories_that_exist(self, category: object) -> None:
        """An unknown or missing category is refused with the three that exist."""
        for mapping in ({"category": category, "searchTerms": ["a"]}, {"searchTerms": ["a"]}):
            with pytest.raises(InvalidRequestError, match=r"^category ") as caught:
                parse(mapping)
            for name in ("'word'", "'pattern'", "'sentence-similarity'"):
                assert name in str(caught.value)

    @pytest.mark.parametrize(
        ("mapping", "key"),
        [
            ({"category": "word", "searchTerms": ["a"], "disallowedSentences": ["a"]}, "disallowedSentences"),
            (
                {"category": "sentence-similarity", "disallowedSentences": ["a"], "searchTerms": "a"},
                "searchTerms",
            ),
            ({"category": "word", "search_terms": ["a"]}, "search_terms"),
            ({"category": "word", "searchTerms": ["a"], 1: "a"}, "1"),
        ],
    )
    def test_names_the_key_that_does_not_belong(self, mapping: dict[str, object], key: str) -> None:
        """A key that the category does not have is refused by name."""
        with pytest.raises(InvalidRequestError, match=f"has no '{key}'"):
            parse(mapping)

    @pytest.mark.parametrize(
        "mapping",
        [
            {"category": "word"},
            {"category": "sentence-similarity"},
            {"category": "sentence-similarity", "disallowedSentences": None},
            {"category": "sentence-similarity", "disallowedSentences": "a"},
            {"category": "word", "searchTerms": 1},
            {"category": "word", "searchTerms": False, "file": CSV},
            {"category": "word", "searchTerms": ["a"], "name": 1},
        ],
    )
    def test_holds_values_to_the_rules_of_the_class(self, mapping: dict[str, object]) -> None:
        """A missing or wrong value is an invalid request, never a TypeError."""
        with pytest.raises(InvalidRequestError):
            parse(mapping)

    def test_opens_no_path_from_outside(self, tmp_path: Path) -> None:
        """A `str` as file is refused, since parsed JSON would read this machine's files; a `Path` is not."""
        path = tmp_path / "x.csv"
        path.write_bytes(CSV)
        with pytest.raises(InvalidRequestError, match=r"^file must not be a str"):
            parse({"category": "word", "file": str(path)})
        assert parse({"category": "word", "file": path}) == WordListInput(file=path)

    @pytest.mark.parametrize("mapping", [None, "word", ["word"], [("category", "word")]])
    def test_takes_a_mapping(self, mapping: Any) -> None:
        """What is no mapping is refused."""
        with pytest.raises(InvalidRequestError, match="must be a mapping"):
            parse(mapping)


class TestFromKeywordList:
    def test_takes_over_what_can_be_changed(self) -> None:
        """A fetched list becomes an input with its id, name, description and terms."""
        shown = fetched(category="word", searchTerms=["spam", "scam"], description="Bad", revisionId="r")
        assert from_keyword_list(shown) == WordListInput(
            id="list", name="List", description="Bad", search_terms=["spam", "scam"]
        )

    def test_leaves_out_what_is_not_set(self) -> None:
        """Missing and blank texts, and blank terms, are left out rather than refused."""
        shown = fetched(category="pattern", searchTerms=["a+", "", " "], description="", id=None, name=" ")
        assert from_keyword_list(shown) == PatternListInput(search_terms=["a+"])

    @pytest.mark.parametrize(
        "where",
        [{"disallowedSentences": ["a", "b"]}, {"searchTerms": ["a", "b"]}],
        ids=lambda where: next(iter(where)),
    )
    def test_finds_sentences_wherever_they_are(self, where: dict[str, object]) -> None:
        """Sentences are taken from `disallowedSentences`, or else from `searchTerms`."""
        shown = fetched(category="sentence-similarity", **where)
        assert from_keyword_list(shown) == SentenceSimilarityListInput(
            id="list", name="List", disallowed_sentences=["a", "b"]
        )

    def test_prefers_the_place_that_is_named_after_sentences(self) -> None:
        """Where both places hold something, `disallowedSentences` wins."""
        shown = fetched(category="sentence-similarity", disallowedSentences=["a"], searchTerms=["b"])
        new = from_keyword_list(shown)
        assert new.category == "sentence-similarity"
        assert new.disallowed_sentences == ("a",)

    def test_takes_terms_that_came_as_one_text(self) -> None:
        """Terms that the service gave as one text are taken apart: going through them gives terms, not letters."""
        new = from_keyword_list(fetched(category="pattern", searchTerms="a+,b+"))
        assert new == PatternListInput(id="list", name="List", search_terms=["a+", "b+"])

    @pytest.mark.parametrize("given", [None, {"category": "word"}, "profanity-list"])
    def test_takes_only_what_was_fetched(self, given: Any) -> None:
        """Anything but a fetched list is refused, by its type."""
        with pytest.raises(InvalidRequestError, match=type(given).__name__):
            from_keyword_list(given)

    @pytest.mark.parametrize("terms", [["a{1,3}", 'say "hi"', "plain"], ["two\nlines", "cr\rhere"]])
    def test_terms_that_cannot_be_joined_go_as_a_file(self, terms: list[str]) -> None:
        """Where one term holds a comma or a line break, all go as CSV, one to a row."""
        new = from_keyword_list(fetched(category="pattern", searchTerms=terms))
        assert new.category == "pattern"
        assert new.search_terms == ()
        assert new.file
        rows = csv.reader(io.StringIO(new.file.content.decode(), newline=""))
        assert [row for row in rows] == [[term] for term in terms]  # noqa: C416 - a reader, not a list

    @given(terms=st.lists(texts, min_size=1), from_file=st.booleans())
    def test_no_term_is_lost(self, terms: list[str], *, from_file: bool) -> None:
        """Whatever terms a list has, the input carries each of them, in order, without the quotes of a file."""
        shown = ['"' + term.replace('"', '""') + '"' for term in terms] if from_file else terms
        new = from_keyword_list(fetched(category="word", searchTerms=shown, isCSV=from_file))
        assert new.category == "word"
        assert entries_of(new) == tuple(terms)

    def test_quotes_of_a_file_do_not_become_content(self) -> None:
        """A list from CSV that shows its terms quoted goes back without: sent as text, they would be a part of each."""
        new = from_keyword_list(fetched(category="word", searchTerms=['"spam"', '"say ""hi"""', '""'], isCSV=True))
        assert new == WordListInput(id=new.id, name=new.name, search_terms=["spam", 'say "hi"'])

    def test_quotes_that_came_out_of_a_file_are_not_doubled(self) -> None:
        """A list from CSV shows its terms quoted: those go back as they are, others are quoted."""
        terms = ['"a{1,3}"', "b,c", 'd "e"', "f"]
        new = from_keyword_list(fetched(category="pattern", searchTerms=terms, isCSV=True))
        assert new.file == CsvFile("keywords.csv", b'"a{1,3}"\n"b,c"\n"d ""e"""\nf\n')
        new = from_keyword_list(fetched(category="pattern", searchTerms=terms, isCSV=False))
        assert new.file == CsvFile("keywords.csv", b'"""a{1,3}"""\n"b,c"\n"d ""e"""\nf\n')

    @pytest.mark.parametrize("category", ["toxicity", "", None, 3])
    def test_other_categories_are_refused(self, category: object) -> None:
        """A list of a category that cannot be updated is refused, and the text says which it is."""
        with pytest.raises(InvalidRequestError, match=r"^category must be one of 'word'") as caught:
            from_keyword_list(fetched(category=category, searchTerms=["a"]))
        if category:
            assert "missing or not a str" in str(caught.value) or repr(category) in str(caught.value)

    @pytest.mark.parametrize("category", ["word", "pattern", "sentence-similarity"])
    @pytest.mark.parametrize("shown", [{}, {"searchTerms": []}, {"searchTerms": [""]}, {"searchTerms": None}])
    def test_a_list_without_its_terms_is_refused(self, category: str, shown: dict[str, object]) -> None:
        """Where the service did not show the terms there is nothing to take over, and the text says so."""
        with pytest.raises(InvalidRequestError, match="the service shows no entries"):
            from_keyword_list(fetched(category=category, **shown))

    @pytest.mark.parametrize(
        "shown", [{"searchTerms": ["a", 1]}, {"searchTerms": {"a": 1}}, {"searchTerms": ["a"], "name": 1}]
    )
    def test_odd_values_are_refused(self, shown: dict[str, object]) -> None:
        """What a lenient reader let by is not sent back as something else."""
        with pytest.raises(InvalidRequestError, match=r"^(search_terms|name)"):
            from_keyword_list(fetched(category="word", **shown))

    def test_get_change_update_is_three_lines(self) -> None:
        """Fetched, changed and ready to send: what was not changed stays."""
        shown = fetched(category="word", searchTerms=["spam"])
        new = evolve(from_keyword_list(shown), description="Bad words")
        assert wire_fields(new) == [
            ("category", "word"),
            ("id", "list"),
            ("name", "List"),
            ("description", "Bad words"),
            ("searchTerms", "spam"),
        ]


class TestWireFields:
    @pytest.mark.parametrize("cls", TERM_CLASSES)
    def test_are_the_parts_in_order(self, cls: type[WordListInput]) -> None:
        """The form has the service's names, category first and file last, and nothing for what is not set."""
        new = cls(description="d", name="n", id="i", search_terms=["b", "a"])
        assert wire_fields(new) == [
            ("category", new.category),
            ("id", "i"),
            ("name", "n"),
            ("description", "d"),
            ("searchTerms", "b,a"),
        ]

    @pytest.mark.parametrize("cls", TERM_CLASSES)
    def test_search_terms_go_out_empty_beside_a_file(self, cls: type[WordListInput]) -> None:
        """The contract requires `searchTerms`: with a file alone they go out empty."""
        new = cls(file=CSV)
        assert wire_fields(new) == [
            ("category", new.category),
            ("searchTerms", ""),
            ("file", CsvFile("keywords.csv", CSV)),
        ]

    def test_hold_the_file_of_sentences_too(self) -> None:
        """A file beside sentences goes out after them."""
        new = SentenceSimilarityListInput(disallowed_sentences=["a"], file=CSV)
        assert [name for name, _ in wire_fields(new)] == ["category", "disallowedSentences", "file"]

    @pytest.mark.parametrize("new", [None, {"category": "word"}, "spam", ["spam"]])
    def test_need_an_input(self, new: Any) -> None:
        """What is none of the three inputs is refused, and the text names them."""
        with pytest.raises(InvalidRequestError, match=r"WordListInput, PatternListInput.*parse\(\)"):
            wire_fields(new)
