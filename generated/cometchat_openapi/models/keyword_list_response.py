from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class KeywordListResponse(Model):
    """One keyword list.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        data: A moderation keyword list, as get and update return it. It is not documented which
            field contains the sentences of a sentence-similarity list.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "data": "data",
    }

    data: KeywordList

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("data")
        count += 0 if type(value) is dict else MISMATCH
        self.data = instantiate(KeywordList)._read(value if type(value) is dict else {}, mismatches)
        self._extra = None
        self._missing = ()
        if count != 1:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.keyword_list import KeywordList
