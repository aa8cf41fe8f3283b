from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Condition(Model):
    """A condition of a moderation rule. New values are possible in all its strings.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: Identifier of the condition.
        is_keywords_reference_present: Whether the condition refers to a keyword list.
        is_media_present: Whether the condition refers to media.
        entity: The kind of object that is checked.
        operand: The part of the object that is checked.
        category: The kind of content that is searched for.
        operator: The comparison.
        value: The values to compare with.
        message: The condition in words.
        weight: Weight of the condition.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "isKeywordsReferencePresent": "is_keywords_reference_present",
        "isMediaPresent": "is_media_present",
        "entity": "entity",
        "operand": "operand",
        "category": "category",
        "operator": "operator",
        "value": "value",
        "message": "message",
        "weight": "weight",
    }

    id: int
    is_keywords_reference_present: bool
    is_media_present: bool
    entity: str
    operand: str
    category: str
    operator: str
    value: list[str]
    message: str | list[str]
    weight: float
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.id = v_id = src_dict.get("id")
        if type(v_id) is not int:
            matched += MISMATCH
        self.is_keywords_reference_present = v_is_keywords_reference_present = src_dict.get(
            "isKeywordsReferencePresent"
        )
        if type(v_is_keywords_reference_present) is not bool:
            matched += MISMATCH
        self.is_media_present = v_is_media_present = src_dict.get("isMediaPresent")
        if type(v_is_media_present) is not bool:
            matched += MISMATCH
        self.entity = v_entity = src_dict.get("entity")
        if type(v_entity) is not str:
            matched += MISMATCH
        self.operand = v_operand = src_dict.get("operand")
        if type(v_operand) is not str:
            matched += MISMATCH
        self.category = v_category = src_dict.get("category")
        if type(v_category) is not str:
            matched += MISMATCH
        self.operator = v_operator = src_dict.get("operator")
        if type(v_operator) is not str:
            matched += MISMATCH
        v_value = src_dict.get("value")
        if type(v_value) is list:
            self.value = v_value
            for each in v_value:
                if type(each) is not str:
                    matched += MISMATCH
        else:
            self.value = []
            matched += MISMATCH
        self.message = v_message = src_dict.get("message")
        if not (
            type(v_message) is str or (type(v_message) is list and {str}.issuperset(map(type, v_message)))
        ):
            matched += MISMATCH
        self.weight = v_weight = src_dict.get("weight")
        if not (type(v_weight) is float or type(v_weight) is int):
            matched += MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 10:
            self._missing = tuple(k for k in ["value"] if k not in src_dict)
            self._keep_rest(src_dict, mismatches, matched, {"value": type(v_value) is list})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.id is not None:
            fields["id"] = self.id
        if self.is_keywords_reference_present is not None:
            fields["isKeywordsReferencePresent"] = self.is_keywords_reference_present
        if self.is_media_present is not None:
            fields["isMediaPresent"] = self.is_media_present
        if self.entity is not None:
            fields["entity"] = self.entity
        if self.operand is not None:
            fields["operand"] = self.operand
        if self.category is not None:
            fields["category"] = self.category
        if self.operator is not None:
            fields["operator"] = self.operator
        if "value" not in self._missing:
            fields["value"] = self.value
        if self.message is not None:
            fields["message"] = self.message
        if self.weight is not None:
            fields["weight"] = self.weight
        if self._extra:
            fields.update(self._extra)
        return fields
