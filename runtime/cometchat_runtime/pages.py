"""Lists with several pages: which page comes next, and which of its items are new.

The names of the page parameters are not in the contract, so each response is checked: it must show
the page that was asked for, and a page without a new item ends the list only if the totals agree.
"""

from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any, Self, TypeVar

from attrs import evolve

from cometchat_openapi import AsyncClient, Call, Client, client
from cometchat_runtime.errors import InvalidRequestError, UnexpectedResponse

ItemT = TypeVar("ItemT")
MetaT = TypeVar("MetaT")

# The names of both parameters in a request.
_PAGE, _PER_PAGE = "page", "perPage"


class _Turns:
    """Decides which page to request next, and which items of a page are new (pure)."""

    def __init__(self, call: Call[object]) -> None:
        self._call = call
        self._first = self._number = _integer(call.query.get(_PAGE)) or 1
        parameters = {parameter.name: parameter for parameter in call.operation.parameters}
        self._size = _integer(call.query.get(_PER_PAGE)) or _integer(parameters[_PER_PAGE].default)
        self._seen: set[object] = set()
        self._ended = False

    def take(self, page: Any) -> list[Any]:
        """The items of a page that were not on an earlier page, each once."""
        by_identity = {self._identity(item): item for item in page.data}
        new = [item for identity, item in by_identity.items() if identity not in self._seen]
        self._seen.update(by_identity)
        pagination = page.meta.pagination
        shown, pages, total = map(
            _integer, (pagination.current_page, pagination.total_pages, pagination.total)
        )
        # The service may reduce the page size; a page with as many items as the response says is
        # then full.
        sizes = [size for size in (self._size, _integer(pagination.per_page)) if size]
        listed = (self._first - 1) * min(sizes, default=0) + len(self._seen)
        # Totals that contradict each other promise nothing.
        totals = ((self._number, pages), (listed, total))
        promises = [reached < promised for reached, promised in totals if promised is not None]
        more = bool(promises) and all(promises)
        if shown not in (None, self._number) or (more and not new):
            raise UnexpectedResponse(
                f"the response to the request for page {self._number} shows page {shown} of {pages}"
                f" with {len(new)} new items, and {listed} of {total} items are listed; the service"
                " may not know the page parameter",
                operation=self._call.operation.name,
            )
        short = bool(sizes) and len(page.data) < min(sizes)
        # Both totals must agree with the items that arrived, because they may contradict each
        # other.
        self._ended = not more and (not new or short or (pages, total) == (self._number, listed))
        return new

    def next(self) -> Call[object] | None:
        """The call for the next page; `None` after the last page."""
        if self._ended:
            return None
        self._number += 1
        return evolve(self._call, query={**self._call.query, _PAGE: self._number})

    def _identity(self, item: Any) -> object:
        """The value that identifies an item: a field if the description has one for it,
        otherwise the whole item."""
        key = self._call.operation.item_key
        value = None if key is None else getattr(item, key, None)
        if isinstance(value, str | int):
            return value
        return repr(item.to_dict() if hasattr(item, "to_dict") else item)


def _integer(value: object) -> int | None:
    return value if type(value) is int else None


def _next_call(call: Call[object], page: object) -> Call[object] | None:
    """The call for the page after this one; `None` if this is the last page."""
    turns = _Turns(call)
    turns.take(page)
    return turns.next()


def _last_page(call: Call[object]) -> InvalidRequestError:
    return InvalidRequestError(
        "this is the last page: look at has_next_page first", operation=call.operation.name
    )


class Pages(client.Pages[ItemT, MetaT]):
    """A list with several pages, for `Client`."""

    def __init__(self, api: Client, call: Call[object]) -> None:
        super().__init__(call)
        self._api = api
        self._page = api.send(call).parsed

    @property
    def has_next_page(self) -> bool:
        """Whether the service promises items after this page."""
        return _next_call(self._call, self._page) is not None

    def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""
        if (call := _next_call(self._call, self._page)) is None:
            raise _last_page(self._call)
        return type(self)(self._api, call)

    def pages(self) -> Iterator[Self]:
        """This page, and then all later pages."""
        return (page for page, _ in self._turn())

    def __iter__(self) -> Iterator[ItemT]:
        for _, items in self._turn():
            yield from items

    def _turn(self) -> Iterator[tuple[Self, list[ItemT]]]:
        """Each page, with the items that were not on an earlier page."""
        turns, page = _Turns(self._call), self
        while True:
            yield page, turns.take(page.page)
            if (call := turns.next()) is None:
                return
            page = type(self)(self._api, call)


class AsyncPages(client.AsyncPages[ItemT, MetaT]):
    """A list with several pages, for `AsyncClient`."""

    def __init__(self, api: AsyncClient, call: Call[object]) -> None:
        super().__init__(call)
        self._api = api

    def __await__(self) -> Generator[Any, Any, Self]:
        return self._read().__await__()

    async def _read(self) -> Self:
        if self._page is None:
            self._page = (await self._api.send(self._call)).parsed
        return self

    @property
    def has_next_page(self) -> bool:
        """Whether the service promises items after this page."""
        return _next_call(self._call, self._read_page()) is not None

    async def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""
        if (call := _next_call(self._call, self._read_page())) is None:
            raise _last_page(self._call)
        return await type(self)(self._api, call)

    async def pages(self) -> AsyncIterator[Self]:
        """This page, and then all later pages."""
        async for page, _ in self._turn():
            yield page

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for _, items in self._turn():
            for item in items:
                yield item

    async def _turn(self) -> AsyncIterator[tuple[Self, list[ItemT]]]:
        """As for `Pages`."""
        turns, page = _Turns(self._call), await self
        while True:
            yield page, turns.take(page.page)
            if (call := turns.next()) is None:
                return
            page = await type(self)(self._api, call)
