"""The roles that users can have: one page, or all of them (service.md, section 4.4)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from cometchat_openapi import Call
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import Role, RoleList

from ._call.api import Api, AsyncApi
from ._support.checks import check_int
from .errors import InvalidRequestError, UnexpectedResponse

#: The largest and the default number of roles on a page (service.md, section 8).
MAX_PER_PAGE, DEFAULT_PER_PAGE = 1000, 100
#: After this many pages with new roles, `iter` assumes that the service never ends, and raises an error.
MAX_PAGES = 10_000


def _page_call(page: int | None, per_page: int | None) -> Call[RoleList]:
    if page is not None:
        check_int("page", page, least=1, error=InvalidRequestError)
    if per_page is not None:
        check_int("per_page", per_page, least=1, most=MAX_PER_PAGE, error=InvalidRequestError)
    return list_roles.prepare(page=page, per_page=per_page)


class _Pages:
    """Decides which page to request next, and which roles of a page are new (pure).

    The pagination of a response may be wrong, so it is not trusted alone. A page that is not full is the last page, and
    so is a page without a new role. A full page is the last one only if the total numbers of pages and of roles both
    say so.
    """

    def __init__(self, per_page: int) -> None:
        self._per_page = check_int("per_page", per_page, least=1, most=MAX_PER_PAGE, error=InvalidRequestError)
        self._next_call: Call[RoleList] | None = _page_call(1, per_page)
        self._number = 1
        self._seen: set[str] = set()

    def next(self) -> Call[RoleList] | None:
        """Return the call for the next page, or `None` after the last page."""
        if self._next_call is not None and self._number > MAX_PAGES:
            raise UnexpectedResponse(
                f"after {MAX_PAGES} pages the service still lists new roles; iter() stops here",
                operation="list_roles",
            )
        return self._next_call

    def take(self, page: RoleList) -> list[Role]:
        """Return the roles of a page that were not on an earlier page, each once."""
        found = {_identity(role): role for role in page.data}
        new = [role for name, role in found.items() if name not in self._seen]
        self._seen.update(found)
        pagination = page.meta.pagination
        # The service may reduce the page size; a page with as many roles as the response says is then full.
        short = len(page.data) < min(self._per_page, _integer(pagination.per_page) or self._per_page)
        # Both totals must agree with the roles that arrived, because they may contradict each other.
        complete = _integer(pagination.total_pages) == self._number and _integer(pagination.total) == len(self._seen)
        self._number += 1
        self._next_call = None if not new or short or complete else _page_call(self._number, self._per_page)
        return new


def _identity(role: Role) -> str:
    """Return the identifier of a role. If it is not a string, it may not be hashable, so use the whole role instead."""
    return role.role if isinstance(role.role, str) else repr(role.to_dict())


def _integer(value: object) -> int | None:
    """Return an integer from the pagination, else `None`."""
    return value if type(value) is int else None


class Roles:
    """The roles of the app, with blocking calls."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, *, page: int | None = None, per_page: int | None = None) -> RoleList:
        """List one page of roles (service.md, section 4.4).

        Args:
            page: the number of the page, from 1; by default the first page.
            per_page: the number of roles on a page, 1 to 1000; by default 100.

        Returns:
            The roles in `data`; the number of the page and the number of roles in `meta.pagination`.

        Raises:
            InvalidRequestError: `page` or `per_page` is out of range; nothing was sent.
            CometChatError: the call failed.
        """
        return self._api.send(_page_call(page, per_page)).parsed

    def iter(self, *, per_page: int = DEFAULT_PER_PAGE) -> Iterator[Role]:
        """Yield every role once. The next page is requested after all roles of the page before were taken.

        Args:
            per_page: the number of roles to request at a time, 1 to 1000.

        Raises:
            InvalidRequestError: `per_page` is out of range; raised at once, before the iteration begins.
            CometChatError: a call failed; raised during the iteration.
        """
        return self._iterate(_Pages(per_page))

    def _iterate(self, pages: _Pages) -> Iterator[Role]:
        while (call := pages.next()) is not None:
            yield from pages.take(self._api.send(call).parsed)


class AsyncRoles:
    """The roles of the app, with awaited calls."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, page: int | None = None, per_page: int | None = None) -> RoleList:
        """Like `Roles.list`, awaited."""
        return (await self._api.send(_page_call(page, per_page))).parsed

    def iter(self, *, per_page: int = DEFAULT_PER_PAGE) -> AsyncIterator[Role]:
        """Like `Roles.iter`, for `async for`."""
        return self._iterate(_Pages(per_page))

    async def _iterate(self, pages: _Pages) -> AsyncIterator[Role]:
        while (call := pages.next()) is not None:
            for role in pages.take((await self._api.send(call)).parsed):
                yield role
