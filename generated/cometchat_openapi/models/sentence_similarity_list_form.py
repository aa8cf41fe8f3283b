from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import File, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class SentenceSimilarityListForm(Model):
    """The form for a list of sentences.

    Attributes:
        category: Sentences.
        disallowed_sentences: The sentences. Each goes as a form part of its own.
        id: The list's identifier.
        name: Descriptive name.
        description: Purpose of the list.
        file: A CSV file.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "category": "category",
        "disallowedSentences": "disallowed_sentences",
        "id": "id",
        "name": "name",
        "description": "description",
        "file": "file",
    }

    category: Literal["sentence-similarity"] = "sentence-similarity"
    disallowed_sentences: list[str]
    id: str | None = None
    name: str | None = None
    description: str | None = None
    file: File | None = None
    # Required objects and arrays that the answer left out; an empty one stands in for each.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

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
        v_disallowed_sentences = get("disallowedSentences")
        self.disallowed_sentences = v_disallowed_sentences if type(v_disallowed_sentences) is list else []
        self.id = v_id = get("id")
        self.name = v_name = get("name")
        self.description = v_description = get("description")
        self.file = v_file = get("file")
        self._missing = ()
        self._extra = None
        fits = (
            v_category == "sentence-similarity"
            and (type(v_disallowed_sentences) is list and {str}.issuperset(map(type, v_disallowed_sentences)))
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
        if "disallowedSentences" not in self._missing:
            fields["disallowedSentences"] = self.disallowed_sentences
        if self.id is not None:
            fields["id"] = self.id
        if self.name is not None:
            fields["name"] = self.name
        if self.description is not None:
            fields["description"] = self.description
        if self.file is not None:
            fields["file"] = self.file
        return fields
