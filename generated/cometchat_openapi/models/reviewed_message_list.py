from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate, pop_in_order


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReviewedMessageList(Model):
    """Reviewed messages, with the page size.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        data: The records.
        meta: Information about this response.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "data": "data",
        "meta": "meta",
    }

    data: list[ReviewedMessage]
    meta: ReviewedMessageListMeta
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_data = src_dict.get("data")
        if type(v_data) is list and {dict}.issuperset(map(type, v_data)):
            self.data = [
                instantiate(ReviewedMessage)._read(each, mismatches)
                for each in (v_data if mismatches is None else pop_in_order(v_data))
            ]
        else:
            self.data = (
                [
                    instantiate(ReviewedMessage)._read(v_data_, mismatches)
                    for v_data_ in v_data
                    if type(v_data_) is dict
                ]
                if type(v_data) is list
                else []
            )
            matched += MISMATCH
        v_meta = src_dict.get("meta")
        if type(v_meta) is dict:
            self.meta = instantiate(ReviewedMessageListMeta)._read(v_meta, mismatches)
        else:
            self.meta = instantiate(ReviewedMessageListMeta)._read({}, mismatches)
            matched += MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 2:
            self._missing = tuple(k for k in ["data", "meta"] if k not in src_dict)
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {
                    "data": (type(v_data) is list and {dict}.issuperset(map(type, v_data))),
                    "meta": type(v_meta) is dict,
                },
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if "data" not in self._missing:
            fields["data"] = [each.to_dict() for each in self.data]
        if "meta" not in self._missing:
            fields["meta"] = self.meta.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields

    def __iter__(self) -> Iterator[ReviewedMessage]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.reviewed_message import ReviewedMessage
from ..models.reviewed_message_list_meta import ReviewedMessageListMeta
