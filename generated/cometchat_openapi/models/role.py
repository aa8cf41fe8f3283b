from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class Role(Model):
    """A role that users can have (service.md, section 2.4).

    Attributes:
        role: Role identifier.
        name: Role name.
        created_at: When it was made, in Unix seconds.
        description: What the role is for.
        metadata: Whatever the app keeps with a role.
        settings: What users of a role may do; open sets.
        updated_at: When it was last changed, in Unix seconds; absent when it never was.
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
        self.role = v_role = get("role")
        if type(v_role) is not str:
            known += MISFIT
        self.name = v_name = get("name")
        if type(v_name) is not str:
            known += MISFIT
        self.created_at = v_created_at = get("createdAt")
        if type(v_created_at) is not int:
            known += MISFIT
        self.description = v_description = get("description")
        if type(v_description) is not str:
            known += 1 if v_description is None else MISFIT
        v_metadata = get("metadata")
        if type(v_metadata) is dict:
            self.metadata = RoleMetadata.from_dict(v_metadata, odd)
        else:
            self.metadata = None
            known += 1 if v_metadata is None else MISFIT
        v_settings = get("settings")
        if type(v_settings) is dict:
            self.settings = RoleSettings.from_dict(v_settings, odd)
        else:
            self.settings = None
            known += 1 if v_settings is None else MISFIT
        self.updated_at = v_updated_at = get("updatedAt")
        if type(v_updated_at) is not int:
            known += 1 if v_updated_at is None else MISFIT
        self._extra = None
        if known != 7:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_metadata is not None and not (type(v_metadata) is dict):
                extra["metadata"] = v_metadata
            if v_settings is not None and not (type(v_settings) is dict):
                extra["settings"] = v_settings
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.role is not None:
            fields["role"] = self.role
        if self.name is not None:
            fields["name"] = self.name
        if self.created_at is not None:
            fields["createdAt"] = self.created_at
        if self.description is not None:
            fields["description"] = self.description
        if self.metadata is not None:
            fields["metadata"] = self.metadata.to_dict()
        if self.settings is not None:
            fields["settings"] = self.settings.to_dict()
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.role_metadata import RoleMetadata
from ..models.role_settings import RoleSettings
