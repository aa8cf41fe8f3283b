from cometchat_runtime.operation import Call, Operation, Paging, Parameter

from ...models.role_list import RoleList

OPERATION: Operation[RoleList] = Operation(
    name="list_roles",
    method="GET",
    path="/roles",
    success=((200, 200),),
    result=RoleList,
    parameters=(
        Parameter("page", "page", type="integer", minimum=1),
        Parameter("perPage", "per_page", type="integer", minimum=1, maximum=1000),
    ),
    paging=Paging(
        page="page",
        size="perPage",
        pagination="pagination",
        current="current_page",
        pages="total_pages",
        total="total",
        shown_size="per_page",
        identity="role",
        default_size=100,
    ),
)


def prepare(*, page: int | None = None, per_page: int | None = None) -> Call[RoleList]:
    """List roles.

    Make the call, with the arguments of the method `list`.
    """
    return Call(
        OPERATION,
        query={"page": page, "perPage": per_page},
    )
