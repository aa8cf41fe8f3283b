from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Role(Model):
    """A role that users can have.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        role: Role identifier.
        name: Role name.
        description: Purpose of the role.
        created_at: Creation time, in Unix seconds.
        metadata: Any data that the app stores with a role.
        settings: The permissions of users with a role; new values are possible.
        updated_at: Time of the last change, in Unix seconds; absent if the role was never changed.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "role": "role",
        "name": "name",
        "description": "description",
        "createdAt": "created_at",
        "metadata": "metadata",
        "settings": "settings",
        "updatedAt": "updated_at",
    }

    role: str
    name: str
    description: str
    created_at: int
    metadata: RoleMetadata | None = None
    settings: RoleSettings | None = None
    updated_at: int | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.role = v_role = src_dict.get("role")
        if type(v_role) is not str:
            matched += MISMATCH
        self.name = v_name = src_dict.get("name")
        if type(v_name) is not str:
            matched += MISMATCH
        self.description = v_description = src_dict.get("description")
        if type(v_description) is not str:
            matched += MISMATCH
        self.created_at = v_created_at = src_dict.get("createdAt")
        if type(v_created_at) is not int:
            matched += MISMATCH
        v_metadata = src_dict.get("metadata")
        if type(v_metadata) is dict:
            self.metadata = instantiate(RoleMetadata)._read(v_metadata, mismatches)
        else:
            self.metadata = None
            matched += 1 if v_metadata is None else MISMATCH
        v_settings = src_dict.get("settings")
        if type(v_settings) is dict:
            self.settings = instantiate(RoleSettings)._read(v_settings, mismatches)
        else:
            self.settings = None
            matched += 1 if v_settings is None else MISMATCH
        self.updated_at = v_updated_at = src_dict.get("updatedAt")
        if type(v_updated_at) is not int:
            matched += 1 if v_updated_at is None else MISMATCH
        self._extra = None
        if matched != 7:
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {"metadata": type(v_metadata) is dict, "settings": type(v_settings) is dict},
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.role is not None:
            fields["role"] = self.role
        if self.name is not None:
            fields["name"] = self.name
        if self.description is not None:
            fields["description"] = self.description
        if self.created_at is not None:
            fields["createdAt"] = self.created_at
        if self.metadata is not None:
            fields["metadata"] = self.metadata.to_dict()
        if self.settings is not None:
            fields["settings"] = self.settings.to_dict()
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.role_metadata import RoleMetadata
from ..models.role_settings import RoleSettings
