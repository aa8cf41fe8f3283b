from typing import Any

from ...client import Call, Operation, Parameter
from ...models.role_list import RoleList
from ...types import instantiate


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
