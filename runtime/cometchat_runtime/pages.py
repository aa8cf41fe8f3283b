"""Lists with several pages: which page comes next, and which of its items are new.

Each response is checked: it must show the page that was asked for, and a page without a new item
ends the list only if the totals agree.
"""

from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any, Generic, NoReturn, Self, TypeVar, cast

from attrs import evolve

from .api import Api, AsyncApi
from .errors import InvalidRequestError, UnexpectedResponse
from .headers import integer_in
from .model import Model
from .operation import Call

ItemT = TypeVar("ItemT")
MetaT = TypeVar("MetaT")


class _Turns:
    """Decides which page to request next, and which items of a page are new (pure)."""

    def __init__(self, call: Call[object]) -> None:
        if call.operation.paging is None:
            raise InvalidRequestError("this operation has no pages", operation=call.operation.name)
        self._call = call
        self._paging = call.operation.paging
        self._number = _integer(call.query.get(self._paging.page)) or 1
        self._first = self._number
        self._size = _integer(call.query.get(self._paging.size or "")) or self._paging.default_size
        self._seen: set[object] = set()
        self._has_ended = False

    def take(self, page: Any) -> list[Any]:
        """The items of a page that were not on an earlier page, each once."""
        items = _items(page)
        by_identity = {self._identity(item): item for item in items}
        new = [item for identity, item in by_identity.items() if identity not in self._seen]
        self._seen.update(by_identity)
        current, pages, total, shown_size = self._numbers(page)
        # The service may reduce the size of a page, and then says so in its response.
        size = min(filter(None, (self._size, shown_size)), default=0)
        listed = (self._first - 1) * size + len(self._seen)
        promises_more = self._promises_more(pages, listed, total)
        is_other_page = current not in (None, self._number)
        if is_other_page or (promises_more and not new):
            raise UnexpectedResponse(
                f"the response to the request for page {self._number} shows page {current} of"
                f" {pages} with {len(new)} new items, and {listed} of {total} items are"
                " listed; the service may not know the page parameter",
                operation=self._call.operation.name,
                outcome_unknown=False,
            )
        is_short = not new or len(items) < size
        self._has_ended = self._is_last(pages, size, total) or (is_short and not promises_more)
        return new

    def next(self) -> Call[object] | None:
        """The call for the next page; `None` after the last page."""
        if self._has_ended:
            return None
        self._number += 1
        return evolve(self._call, query={**self._call.query, self._paging.page: self._number})

    def _promises_more(self, pages: int | None, listed: int, total: int | None) -> bool:
        """Whether each total that the page shows promises more; totals that contradict each other
        promise nothing."""
        if pages is None and total is None:
            return False
        more_pages = pages is None or self._number < pages
        more_items = total is None or listed < total
        return more_pages and more_items

    def _is_last(self, pages: int | None, size: int, total: int | None) -> bool:
        """Whether this is the last page of those that the service states, and the total of items
        fits their number.

        Fewer items may be listed: one may be on two pages, or may not be an object.
        """
        if pages != self._number:
            return False
        return total is None or (self._number - 1) * size < total <= self._number * size

    def _numbers(self, page: Any) -> list[int | None]:
        """The numbers that a page shows about itself: its own, that of all pages, that of all
        items, and its size; `None` for each that is no integer."""
        # A described object can be absent, or `None` if the description does not require it.
        paging = self._paging
        pagination = getattr(page.meta, paging.pagination, None)
        names = (paging.current, paging.pages, paging.total, paging.shown_size)
        return [_integer(getattr(pagination, name, None)) for name in names]

    def _identity(self, item: Any) -> object:
        """The value that identifies an item: the attribute that the description names, or the
        whole item."""
        value = getattr(item, self._paging.identity or "", None)
        if isinstance(value, str | int):
            return value
        return repr(item.to_dict() if isinstance(item, Model) else item)


def _items(page: Any) -> list[Any]:
    # Absent if the description does not require it.
    return page.data or []


def _integer(value: object) -> int | None:
    if isinstance(value, str):
        return integer_in(value)  # some services write numbers as texts
    return value if type(value) is int else None


def _next_call(call: Call[object], page: object) -> Call[object] | None:
    """The call for the page after this one; `None` if this is the last page."""
    turns = _Turns(call)
    turns.take(page)
    return turns.next()


class _NoClient:
    """Stands in place of the client in a copy of a page."""

    def send(self, call: Call[object]) -> NoReturn:
        reason = "this copy of a page has no client to read more: read the list again"
        raise InvalidRequestError(reason, operation=call.operation.name)


class _Page(Generic[ItemT, MetaT]):
    """A page of a list. An awaited client reads it later: `_page` is then `None` until the list is
    awaited."""

    def __init__(self, api: Api | AsyncApi, call: Call[object]) -> None:
        self._api: Any = api
        self._call = call
        self._page: Any = None

    # A copy or a pickle has neither the client nor the path of the call: both may hold a secret.
    def __getstate__(self) -> tuple[object, ...]:
        return self._call.operation, self._call.query, self._page

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        operation, query, self._page = state
        self._call = Call(operation, query=query)
        self._api = _NoClient()

    @property
    def data(self) -> list[ItemT]:
        """The items of this page."""
        return cast("list[ItemT]", self._read_page().data)

    @property
    def meta(self) -> MetaT:
        """The pagination of this page."""
        return cast("MetaT", self._read_page().meta)

    @property
    def page(self) -> Model:
        """The whole page, as its model."""
        return cast("Model", self._read_page())

    @property
    def has_next_page(self) -> bool:
        """Whether the service promises items after this page."""
        return _next_call(self._call, self._read_page()) is not None

    def to_dict(self) -> dict[str, Any]:
        """The page as the JSON object that the service sent."""
        return self.page.to_dict()

    def __getitem__(self, index: int) -> ItemT:
        """An item of this page."""
        return self.data[index]

    def __bool__(self) -> bool:
        return bool(self.data)

    def __len__(self) -> int:
        """The number of items of this page, if no page follows it."""
        if self.has_next_page:
            raise TypeError("the length is not known before the last page; data has this page")
        return len(self.data)

    def _call_of_next_page(self) -> Call[object]:
        call = _next_call(self._call, self._read_page())
        if call is None:
            reason = "this is the last page: look at has_next_page first"
            raise InvalidRequestError(reason, operation=self._call.operation.name)
        return call

    def _read_page(self) -> Any:
        if self._page is None:
            raise TypeError("await this list before you look at its page, or use `async for`")
        return self._page

    def __repr__(self) -> str:
        shown = "not yet read" if self._page is None else repr(self._page)
        return f"<pages of {self._call.operation.name}: {shown}>"


class Pages(_Page[ItemT, MetaT]):
    """A page of a list; a loop over it yields every item of this page and of all later pages
    once.

    `page[0]` is an item of this page. `len()` is an error if there are later pages. A copy or a
    pickle has no client, so it cannot read the next page.
    """

    def __init__(self, api: Api, call: Call[object]) -> None:
        super().__init__(api, call)
        self._page = api.send(call).parsed

    def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""
        return type(self)(self._api, self._call_of_next_page())

    def pages(self) -> Iterator[Self]:
        """This page, and then all later pages."""
        return (page for page, _ in self._turn())

    def __iter__(self) -> Iterator[ItemT]:
        for _, items in self._turn():
            yield from items

    def _turn(self) -> Iterator[tuple[Self, list[ItemT]]]:
        """Each page, with the items that were not on an earlier page."""
        turns = _Turns(self._call)
        page = self
        while True:
            yield page, turns.take(page.page)
            call = turns.next()
            if call is None:
                return
            page = type(self)(self._api, call)


class AsyncPages(_Page[ItemT, MetaT]):
    """A page of a list; `async for` yields every item of this page and of all later pages once.

    To look at this page only, await this object, and use the result.
    """

    # Without this, a plain `for` would end silently after this page.
    __iter__ = None

    def __await__(self) -> Generator[Any, Any, Self]:
        return self._read().__await__()

    async def _read(self) -> Self:
        if self._page is None:
            self._page = (await self._api.send(self._call)).parsed
        return self

    async def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""
        return await type(self)(self._api, self._call_of_next_page())

    async def pages(self) -> AsyncIterator[Self]:
        """This page, and then all later pages."""
        async for page, _ in self._turn():
            yield page

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for _, items in self._turn():
            for item in items:
                yield item

    async def _turn(self) -> AsyncIterator[tuple[Self, list[ItemT]]]:
        """Each page, with the items that were not on an earlier page."""
        turns = _Turns(self._call)
        page = await self
        while True:
            yield page, turns.take(page.page)
            call = turns.next()
            if call is None:
                return
            page = await type(self)(self._api, call)
