"""How a list is read page by page: inferred from its description, or as the mark `x-pages` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from attrs import frozen

from tools.description import Node, mapping

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
#: An object with one of these names, or with a number of such a name, says how long a list is.
_PAGINATIONS = {"pagination", *_NUMBERS["pages"], *_NUMBERS["total"]}
#: The names that the mark can state.
_KEYS = (*_PARAMETERS, "pagination", *_NUMBERS, "identity")

#: The name for each role; `None` for a role without a name.
Names: TypeAlias = dict[str, str | None]
Fields: TypeAlias = Mapping[str, Node]


@frozen
class PagingView:
    """How a template describes a list with pages.

    Attributes:
        page: the parameter for the number of the page.
        code: the expression that makes its `Paging`; see the runtime.
        text: the decision, for the output of `make generate`.
    """

    page: str | None
    code: str
    text: str


def paging_of(operation: Method) -> PagingView | None:
    """How further pages are read; `None` if the operation has no pages."""
    names = _names(operation)
    if names is None:
        return None
    size = _queries(operation).get(names["size"] or "", {})
    arguments: dict[str, Any] = {**names}
    for role in ("pagination", *_NUMBERS, "identity"):
        # A field has another name in Python.
        name = names[role]
        arguments[role] = name and attribute_name(name)
    arguments["default_size"] = size.get("default")
    code = ", ".join(f"{role}={value!r}" for role, value in arguments.items())
    parameters = " and ".join(filter(None, [names["page"], names["size"]]))
    identity = names["identity"] or "the whole item"
    return PagingView(
        page=names["page"],
        code=f"Paging({code})",
        text=f"pages by {parameters}, identity {identity}",
    )


def shows_one_page(operation: Method) -> bool:
    """Whether the response is a part of a list whose other parts the client does not read."""
    return _names(operation) is None and _pagination(operation) is not None


def faults_of_paging(operation: Method) -> Iterator[str]:
    """Say which parts of the description a pager would need."""
    mark = _mark(operation)
    names = _names(operation)
    if mark is not False and (not isinstance(mark, Mapping) or mark.keys() - {*_KEYS}):
        yield f"x-pages must be false, or an object with some of {', '.join(_KEYS)}"
    elif names is not None:
        yield from _absent_parts(operation, names)
    elif mark:
        yield "has x-pages, but no page parameter or no pagination in meta; remove the mark"


def _absent_parts(operation: Method, names: Names) -> Iterator[str]:
    queries = _queries(operation)
    for role in _PARAMETERS:
        name = names[role]
        if name is not None and name not in queries:
            yield f"x-pages names {name}, which is no query parameter"
    pagination = names["pagination"]
    numbers = _integers(_in_meta(operation, pagination))
    absent = ", ".join(names[role] or role for role in _NUMBERS if names[role] not in numbers)
    if absent:
        yield (
            f"a pager needs integers in meta.{pagination} for {absent};"
            " describe them, name them in x-pages, or say x-pages: false"
        )
    identity = names["identity"]
    item = operation.fields(mapping(operation.success_fields["data"], "items"))
    if identity and mapping(item, identity).get("type") not in ("string", "integer"):
        yield f"the identity {identity} must be a text or an integer of the item"


def _mark(operation: Method) -> Any:
    return operation.node.get("x-pages", {})


def _names(operation: Method) -> Names | None:
    """The name for each role; `None` for an operation without pages."""
    mark = _mark(operation)
    if not isinstance(mark, Mapping):
        return None
    names: Names = dict.fromkeys(_KEYS)
    names |= _usual_names(_queries(operation), _PARAMETERS)
    names["pagination"] = _pagination(operation)
    names |= mark
    if not names["pagination"] or not names["page"]:
        return None
    numbers = _in_meta(operation, names["pagination"])
    return names | _usual_names(numbers, _NUMBERS) | dict(mark)


def _usual_names(fields: Fields, usual: Mapping[str, tuple[str, ...]]) -> Names:
    """For each role, the first integer with a usual name."""
    by_spelling = {_plain(name): name for name in _integers(fields)}
    names: Names = {}
    for role, spellings in usual.items():
        described = [by_spelling[spelling] for spelling in spellings if spelling in by_spelling]
        names[role] = next(iter(described), None)
    return names


def _pagination(operation: Method) -> str | None:
    """The object in `meta` of a list that says how many items or pages the list has."""
    if operation.success_fields.get("data", {}).get("type") != "array":
        return None
    for name in _meta(operation):
        spellings = {_plain(field) for field in _in_meta(operation, name)}
        if _PAGINATIONS & {name, *spellings}:
            return name
    return None


def _meta(operation: Method) -> Fields:
    return operation.fields(operation.success_fields.get("meta", {}))


def _in_meta(operation: Method, name: str | None) -> Fields:
    return operation.fields(mapping(_meta(operation), name or ""))


def _queries(operation: Method) -> Fields:
    return {
        parameter["name"]: operation.target(mapping(parameter, "schema"))
        for parameter in operation.parameters
        if parameter["in"] == "query"
    }


def _integers(fields: Fields) -> list[str]:
    return [name for name, field in fields.items() if "integer" in field.get("type", "")]


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
