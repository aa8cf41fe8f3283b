from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, File, Model, array_fits, read, types_of

from ..models.keyword_category import KeywordCategory


@_attrs_define(kw_only=True, repr=False, eq=False)
class KeywordListForm(Model):
    """The new content of a keyword list. The category decides which fields are allowed: searchTerms
    for word and pattern, disallowedSentences for sentence-similarity. Both are required.

    Attributes:
        category: The kind of the entries of a keyword list.
        id: The list's identifier. (minLength 1)
        name: Descriptive name. (minLength 1)
        description: Purpose of the list.
        search_terms: The words or regular expressions, separated by commas; used if there is no file.
        disallowed_sentences: The sentences. Each is sent as a separate form part. (minItems 1)
        file: A CSV file with the words or regular expressions.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "category": "category",
        "id": "id",
        "name": "name",
        "description": "description",
        "searchTerms": "search_terms",
        "disallowedSentences": "disallowed_sentences",
        "file": "file",
    }
    IS_CLOSED: ClassVar[bool] = True

    category: KeywordCategory
    id: str | None = None
    name: str | None = None
    description: str | None = None
    search_terms: str | None = None
    disallowed_sentences: list[str] | None = None
    file: File | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("category")
        self.category, fits = read(types_of(type(self))["category"], value, mismatches)
        count += 0 if fits and value is not None else MISMATCH
        self.id = value = get("id")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.name = value = get("name")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.description = value = get("description")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.search_terms = value = get("searchTerms")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        value = get("disallowedSentences")
        count += 0 if array_fits(value, str) else 1 if value is None else MISMATCH
        self.disallowed_sentences = value if type(value) is list else None
        self.file = value = get("file")
        count += 0 if value is not None else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 7:
            self._keep_rest(src_dict, mismatches, count)
        return self
