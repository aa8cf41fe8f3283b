from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, array_fits


@_attrs_define(kw_only=True, repr=False, eq=False)
class KeywordList(Model):
    """A moderation keyword list, as get and update return it. It is not documented which field
    contains the sentences of a sentence-similarity list.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: The list's identifier.
        name: Descriptive name.
        category: The kind of the entries. A response may contain any text; a request accepts only the
            three categories.
        is_csv: Whether the list was made from a CSV file.
        created_at: Creation time, in Unix seconds.
        updated_at: Time of the last change, in Unix seconds.
        active: Whether the list is in use.
        description: Purpose of the list.
        search_terms: The words or regular expressions. Present for category word.
        revision_id: The list's revision; absent in some default lists.
        default: Whether it is a default list.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "name": "name",
        "category": "category",
        "isCSV": "is_csv",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "active": "active",
        "description": "description",
        "searchTerms": "search_terms",
        "revisionId": "revision_id",
        "default": "default",
    }

    id: str
    name: str
    category: str
    is_csv: bool
    created_at: int
    updated_at: int
    active: bool
    description: str | None = None
    search_terms: list[str] | None = None
    revision_id: str | None = None
    default: bool | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.id = value = get("id")
        count += 0 if type(value) is str else MISMATCH
        self.name = value = get("name")
        count += 0 if type(value) is str else MISMATCH
        self.category = value = get("category")
        count += 0 if type(value) is str else MISMATCH
        self.is_csv = value = get("isCSV")
        count += 0 if type(value) is bool else MISMATCH
        self.created_at = value = get("createdAt")
        count += 0 if type(value) is int else MISMATCH
        self.updated_at = value = get("updatedAt")
        count += 0 if type(value) is int else MISMATCH
        self.active = value = get("active")
        count += 0 if type(value) is bool else MISMATCH
        self.description = value = get("description")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        value = get("searchTerms")
        count += 0 if array_fits(value, str) else 1 if value is None else MISMATCH
        self.search_terms = value if type(value) is list else None
        self.revision_id = value = get("revisionId")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.default = value = get("default")
        count += 0 if type(value) is bool else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 11:
            self._keep_rest(src_dict, mismatches, count)
        return self
