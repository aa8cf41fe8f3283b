from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, overload

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, array_fits, instantiate, read_all


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReviewedMessageList(Model):
    """Reviewed messages, with the page size.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("data")
        count += 0 if array_fits(value, dict) else MISMATCH
        self.data = read_all(ReviewedMessage, value, mismatches) if type(value) is list else []
        value = get("meta")
        count += 0 if type(value) is dict else MISMATCH
        self.meta = instantiate(ReviewedMessageListMeta)._read(
            value if type(value) is dict else {}, mismatches
        )
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self

    def __iter__(self) -> Iterator[ReviewedMessage]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, key: int) -> ReviewedMessage: ...
    @overload
    def __getitem__(self, key: slice) -> list[ReviewedMessage]: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __getitem__(self, key: int | slice | str) -> Any:
        return super().__getitem__(key) if isinstance(key, str) else self.data[key]


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.reviewed_message import ReviewedMessage
from ..models.reviewed_message_list_meta import ReviewedMessageListMeta
