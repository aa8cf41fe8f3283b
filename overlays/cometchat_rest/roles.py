"""The roles users can have, a page at a time or one by one (service.md, section 4.4)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from cometchat_openapi import Call
from cometchat_openapi.api.roles import list_roles
from cometchat_openapi.models import Role, RoleList

from ._call.api import Api, AsyncApi
from ._support.checks import check_int
from .errors import InvalidRequestError, UnexpectedResponse

#: How many roles a page may hold (service.md, section 8), and holds unless told otherwise.
MAX_PER_PAGE, DEFAULT_PER_PAGE = 1000, 100
#: After so many pages of new roles, `iter` takes the service for one that never ends.
MAX_PAGES = 10_000


def _call(page: int | None, per_page: int | None) -> Call[RoleList]:
    if page is not None:
        check_int("page", page, least=1, refusal=InvalidRequestError)
    if per_page is not None:
        check_int("per_page", per_page, least=1, most=MAX_PER_PAGE, refusal=InvalidRequestError)
    return list_roles.prepare(page=page, per_page=per_page)


class _Pages:
    """Which page to ask for next, and which roles of a page are new (pure).

    Ending does not rest on the answer's figures alone, which may be wrong: a short page ends it, and so does one that
    brings nothing new. On a full page the figures decide, and unless both say that this was all, it goes on.
    """

    def __init__(self, per_page: int) -> None:
        self._per_page = check_int("per_page", per_page, least=1, most=MAX_PER_PAGE, refusal=InvalidRequestError)
        self._call: Call[RoleList] | None = _call(1, per_page)
        self._number = 1
        self._seen: set[str] = set()

    def next(self) -> Call[RoleList] | None:
        """The call for the next page, or `None` after the last."""
        if self._call is not None and self._number > MAX_PAGES:
            raise UnexpectedResponse(f"list_roles: still new roles after {MAX_PAGES} pages", operation="list_roles")
        return self._call

    def take(self, page: RoleList) -> list[Role]:
        """The roles of a page that have not been seen, each once."""
        found = {_identity(role): role for role in page.data}
        new = [role for name, role in found.items() if name not in self._seen]
        self._seen.update(found)
        told = page.meta.pagination
        # A service may cap the size that was asked for: then a page is full at the size it names.
        short = len(page.data) < min(self._per_page, _figure(told.per_page) or self._per_page)
        # As figures may contradict each other, and what came.
        all_told = _figure(told.total_pages) == self._number and _figure(told.total) == len(self._seen)
        self._number += 1
        self._call = None if not new or short or all_told else _call(self._number, self._per_page)
        return new


def _identity(role: Role) -> str:
    """What tells a role from others; a lenient reader lets odd names by, and those need not be hashable."""
    return role.role if isinstance(role.role, str) else repr(role.to_dict())


def _figure(value: object) -> int | None:
    """A figure of the pagination, or `None` for what a lenient reader let by that is none."""
    return value if type(value) is int else None


class Roles:
    """The roles of the app, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, *, page: int | None = None, per_page: int | None = None) -> RoleList:
        """One page of roles (service.md, section 4.4).

        Args:
            page: which page, from 1; the first by default.
            per_page: how many roles a page holds, 1 to 1000; 100 by default.

        Returns:
            The roles in `data`; in `meta.pagination`, which page it is and how many there are.

        Raises:
            InvalidRequestError: `page` or `per_page` is out of range; nothing was sent.
            CometChatError: whatever else can become of a call.
        """
        return self._api.send(_call(page, per_page)).parsed

    def iter(self, *, per_page: int = DEFAULT_PER_PAGE) -> Iterator[Role]:
        """Every role once; a page is asked for when the roles before it have been taken.

        Args:
            per_page: how many roles to ask for at a time, 1 to 1000.

        Raises:
            InvalidRequestError: `per_page` is out of range; raised at once, before anything is iterated.
            CometChatError: whatever can become of a call, while iterating.
        """
        return self._each(_Pages(per_page))

    def _each(self, pages: _Pages) -> Iterator[Role]:
        while (call := pages.next()) is not None:
            yield from pages.take(self._api.send(call).parsed)


class AsyncRoles:
    """The roles of the app, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, page: int | None = None, per_page: int | None = None) -> RoleList:
        """As `Roles.list`, awaited."""
        return (await self._api.send(_call(page, per_page))).parsed

    def iter(self, *, per_page: int = DEFAULT_PER_PAGE) -> AsyncIterator[Role]:
        """As `Roles.iter`, for `async for`."""
        return self._each(_Pages(per_page))

    async def _each(self, pages: _Pages) -> AsyncIterator[Role]:
        while (call := pages.next()) is not None:
            for role in pages.take((await self._api.send(call)).parsed):
                yield role
