"""Lists of services with wrong pagination: no item is lost or doubled, and each loop ends."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from cometchat_rest import UnexpectedResponse

from ..conftest import AnyClient
from ..described_calls import LARGEST_PAGE
from ..support import StubTransport, make_response, stub_client

# The services have 25 roles on pages of 10, and these values in place of the correct ones.

#: `None` means that the value is absent, and "right" that it is correct.
VALUES: list[Any] = [
    None,
    "right",
    "null",
    0,
    1,
    2,
    10**6,
    10**40,
    -3,
    "25",
    "many",
    2.5,
    True,
    [3],
    {"n": 3},
]
#: Each value with the correct one and with a promise of more, and combinations of missing and wrong
#: ones.
TOTALS: list[tuple[Any, Any]] = [
    *((value, other) for value in VALUES for other in ("right", 10**6)),
    *((other, value) for value in VALUES for other in ("right", 10**6)),
    *((one, other) for one in (None, "null", 0, "many") for other in (None, "null", 0, "many")),
]


def page_of_roles(count: int, page: int, size: int, /, **wrong: object) -> dict[str, Any]:
    """Return a page of a service with `count` roles; `wrong` replaces values of the pagination."""
    right = {
        "total": count,
        "total_pages": -(-count // size),
        "count": size,
        "per_page": size,
        "current_page": page,
    }
    pagination: dict[str, object] = {}
    for name, value in right.items():
        replacement = wrong.get(name, "right")
        if replacement == "null":
            pagination[name] = None
        elif replacement is not None:
            pagination[name] = value if replacement == "right" else replacement
    first = (page - 1) * size
    records = [
        {"role": f"r{index}", "name": "R", "createdAt": 1}
        for index in range(first, min(first + size, count))
    ]
    return {"data": records, "meta": {"pagination": pagination}}


def serving(make: Callable[[int, int], object]) -> StubTransport:
    """Return a service that creates each page from its number and its size."""

    def respond(request: httpx.Request) -> httpx.Response:
        query = parse_qs(request.url.query.decode())
        return make_response(200, make(int(query.get("page", ["1"])[0]), int(query["perPage"][0])))

    return StubTransport(respond)


def names_from(any_client: AnyClient, stub: StubTransport, per_page: int = 10) -> list[str]:
    """The identifiers of all roles of a service."""
    found = any_client.collect(
        lambda chat: chat.roles.list(per_page=per_page), stub_client(any_client, stub)
    )
    return [role.role for role in found]


def r(count: int) -> list[str]:
    """The identifiers of the first roles of a service."""
    return [f"r{index}" for index in range(count)]


def promise_more(total: Any, total_pages: Any = None) -> bool:
    """Whether the totals that are numbers, perhaps as text, all promise more than the roles and
    pages of these tests."""
    promises = []
    for shown, real in ((total, 25), (total_pages, 3)):
        if shown == "right":
            promises.append(False)
        elif type(shown) is int or shown == "25":
            promises.append(int(shown) > real)
    return bool(promises) and all(promises)


def assert_error_with_numbers(any_client: AnyClient, stub: StubTransport, *numbers: object) -> None:
    with pytest.raises(
        UnexpectedResponse, match="the service may not know the page parameter"
    ) as caught:
        names_from(any_client, stub)
    assert all(str(number) in caught.value.reason for number in numbers)


@pytest.mark.parametrize(("total", "total_pages"), TOTALS, ids=repr)
def test_iter_with_wrong_totals(any_client: AnyClient, total: Any, total_pages: Any) -> None:
    """No role is lost or doubled. If the totals promise roles that do not come, the loop raises
    an error with them."""
    stub = serving(partial(page_of_roles, 25, total=total, total_pages=total_pages))
    if promise_more(total, total_pages):
        assert_error_with_numbers(any_client, stub, 25)
    else:
        assert names_from(any_client, stub) == r(25)
        assert len(stub.requests) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [*((name, value) for name in ("per_page", "count") for value in VALUES)],
    ids=repr,
)
def test_iter_with_wrong_sizes(any_client: AnyClient, name: str, value: Any) -> None:
    """With wrong sizes, no role is lost or doubled, and `iter` sends at most one request more."""
    stub = serving(partial(page_of_roles, 25, **{name: value}))
    assert names_from(any_client, stub) == r(25)
    assert len(stub.requests) <= 4


@pytest.mark.parametrize(("size", "shown"), [(5, 10), (10, "right")])
def test_iter_with_a_reduced_page_size(any_client: AnyClient, size: int, shown: Any) -> None:
    """If the service reduces the page size, all roles arrive, whether it says so or not."""
    stub = serving(lambda page, _: page_of_roles(25, page, size, per_page=shown))
    assert names_from(any_client, stub, per_page=LARGEST_PAGE) == r(25)


@pytest.mark.parametrize("count", [0, 10, 20])
@pytest.mark.parametrize("total", [None, "right", 0, 10**6], ids=repr)
def test_iter_after_a_full_last_page(any_client: AnyClient, count: int, total: Any) -> None:
    """If the last page is full, every role arrives, and `iter` requests at most one empty page."""
    stub = serving(partial(page_of_roles, count, total=total, total_pages=total))
    if promise_more(total):
        assert_error_with_numbers(any_client, stub, count)
    else:
        assert names_from(any_client, stub) == r(count)
        assert len(stub.requests) <= (max(1, count // 10) if total == "right" else count // 10 + 1)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_iter_with_another_page(any_client: AnyClient, value: Any) -> None:
    """A response that shows another page than the request asked for ends the loop with an error,
    also if it shows the number as a text."""
    stub = serving(partial(page_of_roles, 25, current_page=value))
    if type(value) is int or value == "25":
        assert_error_with_numbers(any_client, stub, value)
    else:
        assert names_from(any_client, stub) == r(25)


@pytest.mark.parametrize("current", ["right", None])
def test_service_that_ignores_the_page_number(any_client: AnyClient, current: Any) -> None:
    """If the service always lists the first page, the loop raises an error, and does not end as
    if this were all."""
    stub = serving(lambda _, size: page_of_roles(250, 1, size, current_page=current))
    assert_error_with_numbers(any_client, stub, 2, 10, 250)


@pytest.mark.parametrize(
    "body",
    [
        {"data": [], "meta": {"pagination": {"total": "many", "total_pages": 0}}},
        {"data": []},
        {"data": [], "meta": None},
        {"data": [], "meta": []},
        {"data": [], "meta": {"pagination": []}},
        {"data": [None, 5, "x", []], "meta": {"pagination": {"total": "many", "total_pages": 0}}},
    ],
    ids=json.dumps,
)
def test_iter_ends_after_a_page_without_roles(any_client: AnyClient, body: object) -> None:
    """A page without a role is the last page, unless its totals promise more."""
    stub = serving(lambda *_: body)
    assert names_from(any_client, stub, per_page=2) == []
    assert len(stub.requests) <= 2


def test_iter_removes_duplicates(any_client: AnyClient) -> None:
    """A role that is on several pages, or twice on one page, arrives once."""

    def make(page: int, size: int) -> object:
        # The pages overlap, as if roles were created meanwhile; each role is twice on its page.
        first = (page - 1) * 3
        records = [
            {"role": f"r{first + index // 2}", "name": "R", "createdAt": page}
            for index in range(size)
        ]
        return {
            "data": records[: 2 * (13 - first)],
            "meta": {"pagination": {"total": 13, "total_pages": 5}},
        }

    stub = serving(make)
    assert sorted(names_from(any_client, stub)) == sorted(r(13))
    assert len(stub.requests) <= 6


@pytest.mark.parametrize("name", [None, 5, 5.5, True, [], {}, ["a"], {"a": 1}, "absent"], ids=repr)
def test_iter_with_invalid_role_identifiers(any_client: AnyClient, name: Any) -> None:
    """A role whose identifier is not a string arrives like the others, and `iter` ends."""
    invalid = {"name": "R", "createdAt": 1} | ({} if name == "absent" else {"role": name})
    stub = serving(
        lambda *_: {"data": [invalid, {"role": "r1", "name": "R", "createdAt": 1}], "meta": {}}
    )
    found = any_client.collect(
        lambda chat: chat.roles.list(per_page=2), stub_client(any_client, stub)
    )
    assert {"role": "r1", "name": "R", "createdAt": 1} in [role.to_dict() for role in found]
    assert invalid in [role.to_dict() for role in found]
    assert len(stub.requests) <= 3


@pytest.mark.parametrize(
    ("place", "odd"), [(1, None), (1, 5), (1, "r0"), (2, 5), (2, "r0"), (2, "r1")]
)
@pytest.mark.parametrize("repeats", [False, True], ids=["empty", "repeated"])
@pytest.mark.parametrize("total", [4, None])
def test_no_page_after_the_last_one(
    any_client: AnyClient, place: int, odd: object, total: int | None, *, repeats: bool
) -> None:
    """The number of pages ends the loop, also if an item came twice or is not an object: the
    service may answer a request for the page after it with its last page."""

    def make(page: int, size: int) -> object:
        shown = min(page, 2) if repeats else page
        body = page_of_roles(4, shown, size, total=total)
        if shown == place:
            record = {"role": odd, "name": "R", "createdAt": 1} if isinstance(odd, str) else odd
            body["data"][-1] = record
        return body

    stub = serving(make)
    assert names_from(any_client, stub, per_page=2) == [
        name for index, name in enumerate(r(4)) if index != place * 2 - 1
    ]
    assert len(stub.requests) == 2
