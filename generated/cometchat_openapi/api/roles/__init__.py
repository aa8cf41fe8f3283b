"""Roles that users can have."""

from cometchat_runtime.api import AsyncResource, Resource
from cometchat_runtime.pages import AsyncPages, Pages

from ...models.role import Role
from ...models.role_list_meta import RoleListMeta
from . import list_roles as _list_roles


class Roles(Resource):
    """Roles that users can have."""

    def list(
        self, *, page: int | None = None, per_page: int | None = None
    ) -> Pages[Role, RoleListMeta]:
        """List roles.

        Returns one page of the roles of the app.

        `for item in ...` goes over all pages, from `page` on, and yields every item once.

        Source: `GET /roles` in openapi.yaml.

        Args:
            page: The page to return, counted from 1. (minimum 1)
            per_page: The number of roles per page. (minimum 1, maximum 1000)

        Returns:
            The first page: its items in `data`, and `meta`.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _list_roles.prepare(page=page, per_page=per_page)
        return Pages(self._api, call)


class AsyncRoles(AsyncResource):
    """Roles that users can have."""

    def list(
        self, *, page: int | None = None, per_page: int | None = None
    ) -> AsyncPages[Role, RoleListMeta]:
        """List roles.

        Returns one page of the roles of the app.

        `async for item in ...` goes over all pages, from `page` on, and yields every item once.

        Source: `GET /roles` in openapi.yaml.

        Args:
            page: The page to return, counted from 1. (minimum 1)
            per_page: The number of roles per page. (minimum 1, maximum 1000)

        Returns:
            The first page: its items in `data`, and `meta`.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _list_roles.prepare(page=page, per_page=per_page)
        return AsyncPages(self._api, call)
