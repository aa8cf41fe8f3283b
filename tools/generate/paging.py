"""How a list is read page by page: inferred from its description, or as the mark `x-pages` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from attrs import frozen

from tools.description import mapping

from .code import attribute_name
from .resources import Method

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
#: The names that the mark can state.
_KEYS = (*_PARAMETERS, "pagination", *_NUMBERS, "identity")

#: The name for each role; `None` for a role without a name.
Names: TypeAlias = dict[str, str | None]
Fields: TypeAlias = Mapping[str, Mapping[str, Any]]


@frozen
class PagingView:
    """The names that a pager uses, as the description has them; see `Paging` of the runtime."""

    names: Names
    default_size: int | None

    @property
    def code(self) -> dict[str, str]:
        """The arguments of `Paging`, as code."""
        attributes = {
            role: name and attribute_name(name)
            for role, name in self.names.items()
            if role not in _PARAMETERS
        }
        values = {**self.names, "default_size": self.default_size, **attributes}
        return {name: repr(value) for name, value in values.items()}

    def __str__(self) -> str:
        parameters = " and ".join(filter(None, [self.names["page"], self.names["size"]]))
        return f"pages by {parameters}, identity {self.names['identity'] or 'the whole item'}"


def paging_of(operation: Method) -> PagingView | None:
    """How further pages are read; `None` if the operation has no pages, or a part is missing."""
    names = _names(operation)
    if names is None or any(faults_of_paging(operation)):
        return None
    size = _queries(operation).get(names["size"] or "", {})
    return PagingView(names, size.get("default"))


def shows_one_page(operation: Method) -> bool:
    """Whether the response is a part of a list whose other parts the client does not read."""
    return paging_of(operation) is None and _pagination(operation) is not None


def faults_of_paging(operation: Method) -> Iterator[str]:
    """Say which parts of the description a pager would need."""
    mark = operation.node.get("x-pages", {})
    names = _names(operation)
    if mark is not False and (not isinstance(mark, Mapping) or mark.keys() - {*_KEYS}):
        yield f"x-pages must be false, or an object with some of {', '.join(_KEYS)}"
    elif names is not None:
        yield from _absent_parts(operation, names)
    elif mark:
        yield "has x-pages, but no page parameter or no pagination in meta; remove the mark"


def _absent_parts(operation: Method, names: Names) -> Iterator[str]:
    queries = (None, *_queries(operation))
    for name in (names["page"], names["size"]):
        if name not in queries:
            yield f"x-pages names {name}, which is no query parameter"
    numbers = _integers(_below_meta(operation, names["pagination"]))
    absent = [names[role] or role for role in _NUMBERS if names[role] not in numbers]
    if absent:
        yield (
            f"a pager needs integers in meta.{names['pagination']} for {', '.join(absent)};"
            " describe them, name them in x-pages, or say x-pages: false"
        )
    identity = names["identity"]
    item = operation.fields(mapping(operation.success_fields["data"], "items"))
    if identity and mapping(item, identity).get("type") not in ("string", "integer"):
        yield f"the identity {identity} must be a text or an integer of the item"


def _names(operation: Method) -> Names | None:
    """The name for each role; `None` for an operation without pages."""
    mark = operation.node.get("x-pages", {})
    if not isinstance(mark, Mapping):
        return None
    queries = _integers(_queries(operation))
    names: Names = {
        **{role: _usual(queries, usual) for role, usual in _PARAMETERS.items()},
        "pagination": _pagination(operation),
        **mark,
    }
    if not names["pagination"] or not names["page"]:
        return None
    numbers = _integers(_below_meta(operation, names["pagination"]))
    names = {**{role: _usual(numbers, usual) for role, usual in _NUMBERS.items()}, **names}
    return {role: names.get(role) for role in _KEYS}


def _pagination(operation: Method) -> str | None:
    """The object in `meta` of a list that says how many items or pages the list has."""
    if operation.success_fields.get("data", {}).get("type") != "array":
        return None
    usual = {"pagination", *_NUMBERS["pages"], *_NUMBERS["total"]}
    for name in operation.fields(operation.success_fields.get("meta", {})):
        if usual & {name, *map(_plain, _below_meta(operation, name))}:
            return name
    return None


def _below_meta(operation: Method, name: str | None) -> Fields:
    meta = operation.fields(operation.success_fields.get("meta", {}))
    return operation.fields(mapping(meta, name or ""))


def _queries(operation: Method) -> Fields:
    return {
        parameter["name"]: operation.target(mapping(parameter, "schema"))
        for parameter in operation.parameters
        if parameter["in"] == "query"
    }


def _integers(fields: Fields) -> Fields:
    return {name: field for name, field in fields.items() if "integer" in field.get("type", "")}


def _usual(fields: Fields, usual: tuple[str, ...]) -> str | None:
    """The first name with a usual spelling."""
    by_spelling = {_plain(name): name for name in fields}
    return next((by_spelling[name] for name in usual if name in by_spelling), None)


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
