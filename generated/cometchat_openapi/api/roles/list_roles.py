from typing import Any

from ...client import AsyncClient, Call, Client, Operation
from ...models.role_list import RoleList
from ...types import Response


def _parse(document: Any, odd: list[type] | None) -> RoleList:
    if odd is not None and type(document) is not dict:
        odd.append(RoleList)
    return RoleList.from_dict(document if type(document) is dict else {}, odd)


OPERATION: Operation[RoleList] = Operation(
    name="list_roles",
    method="GET",
    path="/roles",
    success=((200, 200),),
    result=RoleList,
    parse=_parse,
)


def prepare(
    *,
    page: int | None = None,
    per_page: int | None = None,
) -> Call[RoleList]:
    """List roles.

    Returns one page of the roles of the app (service.md, section 4.4).

    Args:
        page: The page to return, counted from 1.
        per_page: How many roles one page holds.

    Returns:
        A call that a client can send.
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
    """As `sync`, with status, headers and body beside the result."""
    call = prepare(
        page=page,
        per_page=per_page,
    )

    return client.send(call)


def sync(
    *,
    client: Client,
    page: int | None = None,
    per_page: int | None = None,
) -> RoleList:
    """List roles.

    Returns one page of the roles of the app (service.md, section 4.4).

    Args:
        page: The page to return, counted from 1.
        per_page: How many roles one page holds.

    Returns:
        What the service answered.
    """
    call = prepare(
        page=page,
        per_page=per_page,
    )

    return client.send(call).parsed


async def asyncio_detailed(
    *,
    client: AsyncClient,
    page: int | None = None,
    per_page: int | None = None,
) -> Response[RoleList]:
    """As `sync_detailed`, awaited."""
    call = prepare(
        page=page,
        per_page=per_page,
    )

    return await client.send(call)


async def asyncio(
    *,
    client: AsyncClient,
    page: int | None = None,
    per_page: int | None = None,
) -> RoleList:
    """As `sync`, awaited."""
    call = prepare(
        page=page,
        per_page=per_page,
    )

    return (await client.send(call)).parsed
