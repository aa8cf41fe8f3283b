from typing import Any

from ...client import AsyncClient, Call, Client, Operation, Parameter
from ...models.role_list import RoleList
from ...types import Response, instantiate


def _parse(document: Any, mismatches: list[type]) -> RoleList:
    if type(document) is not dict:
        mismatches.append(RoleList)
    return instantiate(RoleList)._read(document if type(document) is dict else {}, mismatches)


OPERATION: Operation[RoleList] = Operation(
    name="list_roles",
    method="GET",
    path="/roles",
    success=((200, 200),),
    result=RoleList,
    parse=_parse,
    parameters=(
        Parameter("page", "page", type="integer", minimum=1, default=1),
        Parameter("perPage", "per_page", type="integer", minimum=1, maximum=1000, default=100),
    ),
    item_key="role",
)


def prepare(
    *,
    page: int | None = None,
    per_page: int | None = None,
) -> Call[RoleList]:
    """List roles.

    Returns one page of the roles of the app.

    Args:
        page: The page to return, counted from 1.
        per_page: The number of roles per page.

    Returns:
        The call, to be sent by a client.
    """
    return Call(
        OPERATION,
        query={
            "page": page,
            "perPage": per_page,
        },
    )


def sync_detailed(
    *,
    client: Client,
    page: int | None = None,
    per_page: int | None = None,
) -> Response[RoleList]:
    """List roles.

    Returns one page of the roles of the app.

    Args:
        page: The page to return, counted from 1.
        per_page: The number of roles per page.

    Returns:
        The response: status, headers, body, and the parsed body.
    """
    call = prepare(
        page=page,
        per_page=per_page,
    )
    del page, per_page
    return client.send(call)


def sync(
    *,
    client: Client,
    page: int | None = None,
    per_page: int | None = None,
) -> RoleList:
    """List roles.

    Returns one page of the roles of the app.

    Args:
        page: The page to return, counted from 1.
        per_page: The number of roles per page.

    Returns:
        The parsed response.
    """
    call = prepare(
        page=page,
        per_page=per_page,
    )
    del page, per_page
    return client.send(call).parsed


async def asyncio_detailed(
    *,
    client: AsyncClient,
    page: int | None = None,
    per_page: int | None = None,
) -> Response[RoleList]:
    """List roles.

    Returns one page of the roles of the app.

    Args:
        page: The page to return, counted from 1.
        per_page: The number of roles per page.

    Returns:
        The response: status, headers, body, and the parsed body.
    """
    call = prepare(
        page=page,
        per_page=per_page,
    )
    del page, per_page
    return await client.send(call)


async def asyncio(
    *,
    client: AsyncClient,
    page: int | None = None,
    per_page: int | None = None,
) -> RoleList:
    """List roles.

    Returns one page of the roles of the app.

    Args:
        page: The page to return, counted from 1.
        per_page: The number of roles per page.

    Returns:
        The parsed response.
    """
    call = prepare(
        page=page,
        per_page=per_page,
    )
    del page, per_page
    return (await client.send(call)).parsed
