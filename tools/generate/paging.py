"""How a list is read page by page: inferred from its description, or as the mark `x-pages` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from attrs import frozen

from tools.description import Node, Operation, followed, mapping

from .code import attribute_name

#: The usual names of the parameters and fields that a pager uses, in small letters without signs.
_PARAMETERS = {
    "page": ("page", "pagenumber", "currentpage"),
    "size": ("perpage", "pagesize", "size", "limit"),
}
_NUMBERS = {
    "current": ("currentpage", "page", "pagenumber"),
    "pages": ("totalpages", "pagecount", "lastpage", "pages"),
    "total": ("total", "totalcount", "totalitems"),
    "shown_size": ("perpage", "pagesize", "size", "limit"),
}
#: An object with one of these names, or with a number of such a name, says how long a list is.
_PAGINATIONS = {"pagination", *_NUMBERS["pages"], *_NUMBERS["total"]}
#: The names of fields of a page; in Python, a field can have another name.
_FIELDS = ("pagination", *_NUMBERS, "identity")
#: The names that the mark can state.
_KEYS = (*_PARAMETERS, *_FIELDS)

#: The name for each role; `None` for a role without a name.
Names: TypeAlias = dict[str, str | None]
Fields: TypeAlias = Mapping[str, Node]


@frozen
class Paging:
    """How further pages of a list are read.

    Attributes:
        names: the names that the description uses.
        parameters: the query parameters, with their schemas.
        numbers: the fields of the object that says how long the list is.
        item: the fields of an item.
    """

    names: Names
    parameters: Fields
    numbers: Fields
    item: Fields

    @property
    def code(self) -> str:
        """The expression that makes its `Paging`; see the runtime."""
        arguments: dict[str, Any] = {**self.names}
        for role in _FIELDS:
            name = self.names[role]
            arguments[role] = name and attribute_name(name)
        size = self.names["size"] or ""
        arguments["default_size"] = mapping(self.parameters, size).get("default")
        code = ", ".join(f"{role}={value!r}" for role, value in arguments.items())
        return f"Paging({code})"

    @property
    def text(self) -> str:
        """The decision, for the output of `make generate`."""
        parameters = [name for name in (self.names["page"], self.names["size"]) if name]
        identity = self.names["identity"] or "the whole item"
        return f"pages by {' and '.join(parameters)}, identity {identity}"


def paging_of(operation: Operation) -> Paging | None:
    """How further pages are read; `None` if the operation has no pages."""
    mark = _mark(operation)
    if not isinstance(mark, Mapping) or not _is_list(operation):
        return None
    parameters = _queries(operation)
    pagination = mark.get("pagination", _pagination(operation))
    numbers = _in_meta(operation, pagination)
    inferred: Names = {
        **_usual_names(parameters, _PARAMETERS),
        "pagination": pagination,
        **_usual_names(numbers, _NUMBERS),
        "identity": None,
    }
    names = inferred | dict(mark)
    if not names["page"] or not pagination:
        return None
    items = mapping(operation.success_fields["data"], "items")
    return Paging(names, parameters, numbers, operation.fields(items))


def shows_one_page(operation: Operation) -> bool:
    """Whether the response is a part of a list whose other parts the client does not read."""
    return paging_of(operation) is None and _pagination(operation) is not None


def faults_of_paging(operation: Operation) -> Iterator[str]:
    """Say which parts of the description a pager would need."""
    mark = _mark(operation)
    faults = [*_faults_of_mark(mark)]
    paging = None if faults else paging_of(operation)
    if faults:
        yield from faults
    elif paging is not None:
        yield from _faults_of_parameters(paging)
        yield from _faults_of_fields(paging)
    elif mark and not _is_list(operation):
        yield "has x-pages, but the response has no array in data; remove the mark"
    elif mark:
        yield "has x-pages, but no page parameter or no pagination in meta; remove the mark"


def _faults_of_mark(mark: Any) -> Iterator[str]:
    if mark is False:
        return
    if not isinstance(mark, Mapping) or mark.keys() - {*_KEYS}:
        yield f"x-pages must be false, or an object with some of {', '.join(_KEYS)}"
        return
    for key, name in mark.items():
        if not isinstance(name, str | None):
            yield f"{key} in x-pages must be a name; correct it"


def _faults_of_parameters(paging: Paging) -> Iterator[str]:
    numbers = _integers(paging.parameters)
    for role in _PARAMETERS:
        name = paging.names[role]
        if name is not None and name not in paging.parameters:
            yield f"x-pages names {name}, which is no query parameter"
        elif name is not None and name not in numbers:
            yield f"x-pages names {name}, which is not an integer; name another parameter"


def _faults_of_fields(paging: Paging) -> Iterator[str]:
    names = paging.names
    numbers = _integers(paging.numbers)
    absent = ", ".join(names[role] or role for role in _NUMBERS if names[role] not in numbers)
    if absent:
        yield (
            f"a pager needs integers in meta.{names['pagination']} for {absent};"
            " describe them, name them in x-pages, or say x-pages: false"
        )
    identity = names["identity"]
    if identity and mapping(paging.item, identity).get("type") not in ("string", "integer"):
        yield f"the identity {identity} must be a text or an integer of the item"


def _mark(operation: Operation) -> Any:
    return operation.node.get("x-pages", {})


def _usual_names(fields: Fields, usual: Mapping[str, tuple[str, ...]]) -> Names:
    """For each role, the first integer with a usual name."""
    by_spelling = {_plain(name): name for name in _integers(fields)}
    names: Names = {}
    for role, spellings in usual.items():
        described = [by_spelling[spelling] for spelling in spellings if spelling in by_spelling]
        names[role] = next(iter(described), None)
    return names


def _is_list(operation: Operation) -> bool:
    return mapping(operation.success_fields, "data").get("type") == "array"


def _pagination(operation: Operation) -> str | None:
    """The object in `meta` of a list that says how many items or pages the list has."""
    if not _is_list(operation):
        return None
    for name in _meta(operation):
        spellings = {_plain(field) for field in _in_meta(operation, name)}
        if _PAGINATIONS & {name, *spellings}:
            return name
    return None


def _meta(operation: Operation) -> Fields:
    return operation.fields(mapping(operation.success_fields, "meta"))


def _in_meta(operation: Operation, name: str | None) -> Fields:
    return operation.fields(mapping(_meta(operation), name or ""))


def _queries(operation: Operation) -> Fields:
    return {
        parameter["name"]: followed(operation.document, mapping(parameter, "schema"))
        for parameter in operation.parameters
        if parameter["in"] == "query"
    }


def _integers(fields: Fields) -> list[str]:
    return [name for name, field in fields.items() if "integer" in (field.get("type") or "")]


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
