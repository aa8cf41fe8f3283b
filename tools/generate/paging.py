"""How a list is read page by page: inferred from its description, or as the mark `x-pages` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
#: The types of a field that can identify an item.
_IDENTITIES = ("string", "integer")


@frozen
class PagingView:
    """The names that a pager uses, as the description has them; see `Paging` of the runtime."""

    page: str
    size: str | None
    default_size: int | None
    pagination: str
    numbers: Mapping[str, str]
    identity: str | None

    @property
    def code(self) -> dict[str, str]:
        """The arguments of `Paging`, as code."""
        values = {
            "page": self.page,
            "size": self.size,
            "default_size": self.default_size,
            "pagination": attribute_name(self.pagination),
            **{role: attribute_name(name) for role, name in self.numbers.items()},
            "identity": self.identity and attribute_name(self.identity),
        }
        return {name: repr(value) for name, value in values.items()}

    def __str__(self) -> str:
        parameters = self.page if self.size is None else f"{self.page} and {self.size}"
        return f"pages by {parameters}, identity {self.identity or 'the whole item'}"


def paging_of(operation: Method) -> PagingView | None:
    """How further pages are read; `None` if the operation has no pages, or a part is missing."""
    names = _names(operation)
    if names is None or any(faults_of_paging(operation)):
        return None
    size = names["size"]
    return PagingView(
        page=str(names["page"]),
        size=size,
        default_size=_queries(operation).get(size or "", {}).get("default"),
        pagination=str(names["pagination"]),
        numbers={role: str(names[role]) for role in _NUMBERS},
        identity=names["identity"],
    )


def faults_of_paging(operation: Method) -> Iterator[str]:
    """Say which parts of the description a pager would need."""
    mark = operation.node.get("x-pages", {})
    if mark is not False and (not isinstance(mark, Mapping) or mark.keys() - {*_KEYS}):
        yield f"x-pages must be false, or an object with some of {', '.join(_KEYS)}"
        return
    names = _names(operation)
    if names is None:
        if mark:
            yield "has x-pages, but no page parameter or no pagination in meta; remove the mark"
        return
    queries = _queries(operation)
    lacking = [names[role] for role in _PARAMETERS if names[role] not in (None, *queries)]
    if lacking:
        yield f"x-pages names {', '.join(map(str, lacking))}, which is no query parameter"
    numbers = _integers(_pagination_fields(operation, names["pagination"]))
    absent = [names[role] or role for role in _NUMBERS if names[role] not in numbers]
    if absent:
        yield (
            f"a pager needs integers in meta.{names['pagination']} for {', '.join(absent)};"
            " describe them, name them in x-pages, or say x-pages: false"
        )
    items = operation.target(mapping(operation.success_fields["data"], "items"))
    identity = operation.fields(items).get(names["identity"] or "", {})
    if names["identity"] is not None and identity.get("type") not in _IDENTITIES:
        yield f"the identity {names['identity']} must be a text or an integer of the item"


def shows_one_page(operation: Method) -> bool:
    """Whether the response is a part of a list whose other parts the client does not read."""
    is_part = _lists(operation) and _pagination(operation) is not None
    return is_part and paging_of(operation) is None


def _lists(operation: Method) -> bool:
    return operation.success_fields.get("data", {}).get("type") == "array"


def _names(operation: Method) -> dict[str, str | None] | None:
    """The name for each role; `None` for an operation without pages."""
    mark = operation.node.get("x-pages", {})
    if not isinstance(mark, Mapping) or not _lists(operation):
        return None
    pagination = mark.get("pagination", _pagination(operation))
    queries = _integers(_queries(operation))
    page = mark.get("page", _usual(queries, _PARAMETERS["page"]))
    if pagination is None or page is None:
        return None
    numbers = _integers(_pagination_fields(operation, pagination))
    inferred = {
        "page": page,
        "size": _usual(queries, _PARAMETERS["size"]),
        "pagination": pagination,
        **{role: _usual(numbers, usual) for role, usual in _NUMBERS.items()},
        "identity": None,
    }
    return {**inferred, **mark}


def _pagination(operation: Method) -> str | None:
    """The object in `meta` that says how many items or pages a list has."""
    usual = {*_NUMBERS["pages"], *_NUMBERS["total"]}
    for name in operation.fields(operation.success_fields.get("meta", {})):
        described = _pagination_fields(operation, name)
        if name == "pagination" or any(_plain(each) in usual for each in described):
            return name
    return None


def _pagination_fields(operation: Method, pagination: str | None) -> dict[str, Any]:
    meta = operation.fields(operation.success_fields.get("meta", {}))
    return operation.fields(meta.get(pagination or "", {}))


def _queries(operation: Method) -> dict[str, Any]:
    return {
        parameter["name"]: operation.target(mapping(parameter, "schema"))
        for parameter in operation.parameters
        if parameter["in"] == "query"
    }


def _integers(schemas: Mapping[str, Any]) -> dict[str, Any]:
    return {name: schema for name, schema in schemas.items() if "integer" in schema.get("type", "")}


def _usual(names: Mapping[str, Any], usual: tuple[str, ...]) -> str | None:
    """The first name with a usual spelling."""
    by_spelling = {_plain(name): name for name in names}
    return next((by_spelling[name] for name in usual if name in by_spelling), None)


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
