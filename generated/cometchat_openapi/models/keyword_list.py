from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..models.keyword_category import KeywordCategory
from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class KeywordList(Model):
    """A moderation keyword list as get and update return it (service.md, section 2.1). Where the sentences of a
    sentence-similarity list come back is not documented.

    Attributes:
        id: The list's identifier.
        name: Descriptive name.
        category: What the entries are. Open here, although a request takes only the three.
        is_csv: Whether the list was made from a CSV file.
        created_at: When it was made, in Unix seconds.
        updated_at: When it was last changed, in Unix seconds.
        description: Purpose of the list.
        search_terms: The words or regular expressions. Present for category word.
        revision_id: The list's revision.
        active: Whether the list is in use.
        default: Whether it is a default list.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "name": "name",
        "category": "category",
        "isCSV": "is_csv",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "description": "description",
        "searchTerms": "search_terms",
        "revisionId": "revision_id",
        "active": "active",
        "default": "default",
    }

    id: str
    name: str
    category: KeywordCategory | str
    is_csv: bool
    created_at: int
    updated_at: int
    description: str | None = None
    search_terms: list[str] | None = None
    revision_id: str | None = None
    active: bool | None = None
    default: bool | None = None

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
        self.id = v_id = get("id")
        if type(v_id) is not str:
            known += MISFIT
        self.name = v_name = get("name")
        if type(v_name) is not str:
            known += MISFIT
        self.category = v_category = get("category")
        if not (
            (
                type(v_category) is str
                and v_category
                in (
                    "pattern",
                    "sentence-similarity",
                    "word",
                )
            )
            or type(v_category) is str
        ):
            known += MISFIT
        self.is_csv = v_is_csv = get("isCSV")
        if type(v_is_csv) is not bool:
            known += MISFIT
        self.created_at = v_created_at = get("createdAt")
        if type(v_created_at) is not int:
            known += MISFIT
        self.updated_at = v_updated_at = get("updatedAt")
        if type(v_updated_at) is not int:
            known += MISFIT
        self.description = v_description = get("description")
        if type(v_description) is not str:
            known += 1 if v_description is None else MISFIT
        v_search_terms = get("searchTerms")
        if type(v_search_terms) is list:
            self.search_terms = v_search_terms
            for each in v_search_terms:
                if type(each) is not str:
                    known += MISFIT
        else:
            self.search_terms = None
            known += 1 if v_search_terms is None else MISFIT
        self.revision_id = v_revision_id = get("revisionId")
        if type(v_revision_id) is not str:
            known += 1 if v_revision_id is None else MISFIT
        self.active = v_active = get("active")
        if type(v_active) is not bool:
            known += 1 if v_active is None else MISFIT
        self.default = v_default = get("default")
        if type(v_default) is not bool:
            known += 1 if v_default is None else MISFIT
        self._extra = None
        if known != 11:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_search_terms is not None and not (type(v_search_terms) is list):
                extra["searchTerms"] = v_search_terms
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
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
        if self.description is not None:
            fields["description"] = self.description
        if self.search_terms is not None:
            fields["searchTerms"] = self.search_terms
        if self.revision_id is not None:
            fields["revisionId"] = self.revision_id
        if self.active is not None:
            fields["active"] = self.active
        if self.default is not None:
            fields["default"] = self.default
        if self._extra:
            fields.update(self._extra)
        return fields
