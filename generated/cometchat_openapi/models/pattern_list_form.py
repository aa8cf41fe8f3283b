from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from attrs import define as _attrs_define

from ..types import (
    MISMATCH,
    File,
    JsonObject,
    Model,
    RequestFiles,
)


@_attrs_define(kw_only=True, repr=False, eq=False)
class PatternListForm(Model):
    """The form for a list of regular expressions.

    Attributes:
        category: Regular expressions.
        search_terms: The regular expressions, separated by commas.
        id: The list's identifier.
        name: Descriptive name.
        description: Purpose of the list.
        file: A CSV file with the regular expressions.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "category": "category",
        "searchTerms": "search_terms",
        "id": "id",
        "name": "name",
        "description": "description",
        "file": "file",
    }

    NULLABLE: ClassVar[Mapping[str, bool]] = {
        "file": False,
    }

    category: Literal["pattern"] = "pattern"
    search_terms: str
    id: str | None = None
    name: str | None = None
    description: str | None = None
    file: File | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.category = v_category = src_dict.get("category")
        if not v_category == "pattern":
            matched += MISMATCH
        self.search_terms = v_search_terms = src_dict.get("searchTerms")
        if type(v_search_terms) is not str:
            matched += MISMATCH
        self.id = v_id = src_dict.get("id")
        if type(v_id) is not str:
            matched += 1 if v_id is None else MISMATCH
        self.name = v_name = src_dict.get("name")
        if type(v_name) is not str:
            matched += 1 if v_name is None else MISMATCH
        self.description = v_description = src_dict.get("description")
        if type(v_description) is not str:
            matched += 1 if v_description is None else MISMATCH
        self.file = v_file = src_dict.get("file")
        if v_file is None:
            matched += 1
        self._extra = None
        if not src_dict.keys() <= self.JSON_NAMES.keys():
            matched += MISMATCH
        if matched != 6:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.category is not None:
            fields["category"] = self.category
        if self.search_terms is not None:
            fields["searchTerms"] = self.search_terms
        if self.id is not None:
            fields["id"] = self.id
        if self.name is not None:
            fields["name"] = self.name
        if self.description is not None:
            fields["description"] = self.description
        if self.file is not None:
            fields["file"] = self.file
        if self._extra:
            fields.update(self._extra)
        return fields

    def to_multipart(self) -> RequestFiles:
        """The form parts, in the order of the description."""
        files: RequestFiles = []
        files.append(("category", (None, self.category, None)))
        files.append(("searchTerms", (None, self.search_terms, None)))
        if self.id is not None:
            files.append(("id", (None, self.id, None)))
        if self.name is not None:
            files.append(("name", (None, self.name, None)))
        if self.description is not None:
            files.append(("description", (None, self.description, None)))
        if self.file is not None:
            files.append(("file", self.file.to_tuple()))
        return files
