from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Role(Model):
    """A role that users can have.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        role: Role identifier.
        name: Role name.
        created_at: Creation time, in Unix seconds.
        description: Purpose of the role; absent if it has none.
        metadata: Any data that the app stores with a role.
        settings: The permissions of users with a role; new values are possible.
        updated_at: Time of the last change, in Unix seconds; absent if the role was never changed.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "role": "role",
        "name": "name",
        "createdAt": "created_at",
        "description": "description",
        "metadata": "metadata",
        "settings": "settings",
        "updatedAt": "updated_at",
    }

    role: str
    name: str
    created_at: int
    description: str | None = None
    metadata: RoleMetadata | None = None
    settings: RoleSettings | None = None
    updated_at: int | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.role = value = get("role")
        count += 0 if type(value) is str else MISMATCH
        self.name = value = get("name")
        count += 0 if type(value) is str else MISMATCH
        self.created_at = value = get("createdAt")
        count += 0 if type(value) is int else MISMATCH
        self.description = value = get("description")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        value = get("metadata")
        count += 0 if type(value) is dict else 1 if value is None else MISMATCH
        self.metadata = (
            instantiate(RoleMetadata)._read(value, mismatches) if type(value) is dict else None
        )
        value = get("settings")
        count += 0 if type(value) is dict else 1 if value is None else MISMATCH
        self.settings = (
            instantiate(RoleSettings)._read(value, mismatches) if type(value) is dict else None
        )
        self.updated_at = value = get("updatedAt")
        count += 0 if type(value) is int else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 7:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.role_metadata import RoleMetadata
from ..models.role_settings import RoleSettings
