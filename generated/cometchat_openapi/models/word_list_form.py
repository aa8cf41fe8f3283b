from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from attrs import define as _attrs_define

from ..types import File, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class WordListForm(Model):
    """The form for a list of words.

    Attributes:
        category: Words.
        search_terms: The words, separated by commas.
        id: The list's identifier.
        name: Descriptive name.
        description: Purpose of the list.
        file: A CSV file that holds the words.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "category": "category",
        "searchTerms": "search_terms",
        "id": "id",
        "name": "name",
        "description": "description",
        "file": "file",
    }

    category: Literal["word"] = "word"
    search_terms: str
    id: str | None = None
    name: str | None = None
    description: str | None = None
    file: File | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.category = v_category = get("category")
        self.search_terms = v_search_terms = get("searchTerms")
        self.id = v_id = get("id")
        self.name = v_name = get("name")
        self.description = v_description = get("description")
        self.file = v_file = get("file")
        self._extra = None
        fits = (
            v_category == "word"
            and type(v_search_terms) is str
            and (type(v_id) is str or "id" not in src_dict)
            and (type(v_name) is str or "name" not in src_dict)
            and (type(v_description) is str or "description" not in src_dict)
            and (True or "file" not in src_dict)
        )
        if odd is not None and not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
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
        return fields
