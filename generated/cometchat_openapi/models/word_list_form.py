from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from attrs import define as _attrs_define

from ..types import MISFIT, File, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        self.category = v_category = get("category")
        if not v_category == "word":
            known += MISFIT
        self.search_terms = v_search_terms = get("searchTerms")
        if type(v_search_terms) is not str:
            known += MISFIT
        self.id = v_id = get("id")
        if type(v_id) is not str:
            known += 1 if v_id is None else MISFIT
        self.name = v_name = get("name")
        if type(v_name) is not str:
            known += 1 if v_name is None else MISFIT
        self.description = v_description = get("description")
        if type(v_description) is not str:
            known += 1 if v_description is None else MISFIT
        self.file = v_file = get("file")
        if v_file is None:
            known += 1
        self._extra = None
        if known != 6:
            fits = known < MISFIT and not any(
                v is None and k in cls.JSON_NAMES and k not in ("file",) for k, v in src_dict.items()
            )
            fits = fits and src_dict.keys() <= cls.JSON_NAMES.keys()
            if odd is not None and not fits:
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
