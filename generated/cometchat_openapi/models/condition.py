from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, array_fits


@_attrs_define(kw_only=True, repr=False, eq=False)
class Condition(Model):
    """A condition of a moderation rule. New values are possible in all its strings. Whether it refers
    to a keyword list is in one of two fields.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: Identifier of the condition.
        is_media_present: Whether the condition refers to media.
        entity: The kind of object that is checked.
        operand: The part of the object that is checked.
        category: The kind of content that is searched for.
        operator: The comparison.
        value: The values to compare with.
        is_keywords_reference_present: Whether the condition refers to a keyword list.
        is_list_reference_present: The same, in the conditions of some rules.
        message: The condition in words.
        weight: Weight of the condition.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "isMediaPresent": "is_media_present",
        "entity": "entity",
        "operand": "operand",
        "category": "category",
        "operator": "operator",
        "value": "value",
        "isKeywordsReferencePresent": "is_keywords_reference_present",
        "isListReferencePresent": "is_list_reference_present",
        "message": "message",
        "weight": "weight",
    }

    id: int
    is_media_present: bool
    entity: str
    operand: str
    category: str
    operator: str
    value: list[str]
    is_keywords_reference_present: bool | None = None
    is_list_reference_present: bool | None = None
    message: str | list[str] | None = None
    weight: float | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.id = value = get("id")
        count += 0 if type(value) is int else MISMATCH
        self.is_media_present = value = get("isMediaPresent")
        count += 0 if type(value) is bool else MISMATCH
        self.entity = value = get("entity")
        count += 0 if type(value) is str else MISMATCH
        self.operand = value = get("operand")
        count += 0 if type(value) is str else MISMATCH
        self.category = value = get("category")
        count += 0 if type(value) is str else MISMATCH
        self.operator = value = get("operator")
        count += 0 if type(value) is str else MISMATCH
        value = get("value")
        count += 0 if array_fits(value, str) else MISMATCH
        self.value = value if type(value) is list else []
        self.is_keywords_reference_present = value = get("isKeywordsReferencePresent")
        count += 0 if type(value) is bool else 1 if value is None else MISMATCH
        self.is_list_reference_present = value = get("isListReferencePresent")
        count += 0 if type(value) is bool else 1 if value is None else MISMATCH
        self.message = value = get("message")
        count += (
            0
            if (type(value) is str or array_fits(value, str))
            else 1
            if value is None
            else MISMATCH
        )
        self.weight = value = get("weight")
        count += (
            0 if (type(value) is float or type(value) is int) else 1 if value is None else MISMATCH
        )
        self._extra = None
        self._missing = ()
        if count != 11:
            self._keep_rest(src_dict, mismatches, count)
        return self
