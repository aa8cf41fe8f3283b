from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..models.keyword_category import KeywordCategory
from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class KeywordList(Model):
    """A moderation keyword list, as get and update return it. It is not documented which field contains the
    sentences of a sentence-similarity list.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: The list's identifier.
        name: Descriptive name.
        category: The kind of the entries. A response may contain any text; a request accepts only the three
            categories.
        is_csv: Whether the list was made from a CSV file.
        created_at: Creation time, in Unix seconds.
        updated_at: Time of the last change, in Unix seconds.
        revision_id: The list's revision.
        active: Whether the list is in use.
        description: Purpose of the list.
        search_terms: The words or regular expressions. Present for category word.
        default: Whether it is a default list.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "name": "name",
        "category": "category",
        "isCSV": "is_csv",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "revisionId": "revision_id",
        "active": "active",
        "description": "description",
        "searchTerms": "search_terms",
        "default": "default",
    }

    id: str
    name: str
    category: KeywordCategory | str
    is_csv: bool
    created_at: int
    updated_at: int
    revision_id: str
    active: bool
    description: str | None = None
    search_terms: list[str] | None = None
    default: bool | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.id = v_id = src_dict.get("id")
        if type(v_id) is not str:
            matched += MISMATCH
        self.name = v_name = src_dict.get("name")
        if type(v_name) is not str:
            matched += MISMATCH
        self.category = v_category = src_dict.get("category")
        if type(v_category) is not str:
            matched += MISMATCH
        self.is_csv = v_is_csv = src_dict.get("isCSV")
        if type(v_is_csv) is not bool:
            matched += MISMATCH
        self.created_at = v_created_at = src_dict.get("createdAt")
        if type(v_created_at) is not int:
            matched += MISMATCH
        self.updated_at = v_updated_at = src_dict.get("updatedAt")
        if type(v_updated_at) is not int:
            matched += MISMATCH
        self.revision_id = v_revision_id = src_dict.get("revisionId")
        if type(v_revision_id) is not str:
            matched += MISMATCH
        self.active = v_active = src_dict.get("active")
        if type(v_active) is not bool:
            matched += MISMATCH
        self.description = v_description = src_dict.get("description")
        if type(v_description) is not str:
            matched += 1 if v_description is None else MISMATCH
        v_search_terms = src_dict.get("searchTerms")
        if type(v_search_terms) is list:
            self.search_terms = v_search_terms
            for each in v_search_terms:
                if type(each) is not str:
                    matched += MISMATCH
        else:
            self.search_terms = None
            matched += 1 if v_search_terms is None else MISMATCH
        self.default = v_default = src_dict.get("default")
        if type(v_default) is not bool:
            matched += 1 if v_default is None else MISMATCH
        self._extra = None
        if matched != 11:
            self._keep_rest(src_dict, mismatches, matched, {"searchTerms": type(v_search_terms) is list})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.id is not None:
            fields["id"] = self.id
        if self.name is not None:
            fields["name"] = self.name
        if self.category is not None:
            fields["category"] = self.category
        if self.is_csv is not None:
            fields["isCSV"] = self.is_csv
        if self.created_at is not None:
            fields["createdAt"] = self.created_at
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self.revision_id is not None:
            fields["revisionId"] = self.revision_id
        if self.active is not None:
            fields["active"] = self.active
        if self.description is not None:
            fields["description"] = self.description
        if self.search_terms is not None:
            fields["searchTerms"] = self.search_terms
        if self.default is not None:
            fields["default"] = self.default
        if self._extra:
            fields.update(self._extra)
        return fields
