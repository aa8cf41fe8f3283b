"""Roles: a page at a time, or all of them, whatever the service says of how many there are."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import httpx
import pytest

from cometchat_rest import BadRequestError, InvalidRequestError, Role, RoleList, ServerError, UnexpectedResponse
from cometchat_rest.roles import MAX_PAGES
from cometchat_rest.testing import Simulator

from .support import StubTransport, error_from, make_response, stub_client

if TYPE_CHECKING:
    from conftest import AnyClient

NAMES = [str(role["role"]) for role in Simulator().roles]


def queries(simulator: Simulator) -> list[str]:
    return [request.query for request in simulator.requests]


def test_list(any_client: AnyClient, simulator: Simulator) -> None:
    """Without arguments the service's own page arrives, typed and whole, and no query is sent."""
    found = any_client.call(lambda chat: chat.roles.list())
    assert isinstance(found, RoleList)
    assert [role.to_dict() for role in found.data] == simulator.roles
    for role, raw in zip(found.data, simulator.roles, strict=True):
        told: Any = raw
        assert isinstance(role, Role)
        assert (role.role, role.created_at, role.updated_at) == (raw["role"], raw["createdAt"], raw.get("updatedAt"))
        assert (role.settings.list_users if role.settings else None) == told.get("settings", {}).get("listUsers")
        assert (role.metadata.to_dict() if role.metadata else None) == raw.get("metadata")
    pagination = found.meta.pagination
    assert (pagination.total, pagination.count, pagination.per_page) == (25, 25, 100)
    assert (pagination.current_page, pagination.total_pages) == (1, 1)
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == ("GET", "/v3/roles", "", b"")


@pytest.mark.parametrize("per_page", [1, 10, 1000])
@pytest.mark.parametrize("page", [1, 3, 2**53])
def test_list_a_page(any_client: AnyClient, simulator: Simulator, page: int, per_page: int) -> None:
    """Page and size go out under the service's own names, and the page asked for arrives."""
    found = any_client.call(lambda chat: chat.roles.list(page=page, per_page=per_page))
    assert [role.role for role in found.data] == NAMES[(page - 1) * per_page : page * per_page]
    assert found.meta.pagination.current_page == page
    assert queries(simulator) == [f"page={page}&perPage={per_page}"]


def str_of(value: object) -> str:
    # Python refuses to write integers of thousands of digits.
    return "10**5000" if value == SENSELESS[-1] else repr(value)


SENSELESS = [0, -1, True, 1.0, "5", b"5", [5], float("nan"), 2**53 + 1, 10**5000]


@pytest.mark.parametrize("value", [*SENSELESS, 1001], ids=str_of)
def test_a_size_that_no_page_has(any_client: AnyClient, simulator: Simulator, value: Any) -> None:
    """A page size outside 1 to 1000 is refused by name before anything is sent, by list and by iter."""
    client = any_client.client()
    with pytest.raises(InvalidRequestError, match="per_page"):
        any_client.call(lambda chat: chat.roles.list(per_page=value), client)
    with pytest.raises(InvalidRequestError, match="per_page"):
        client.roles.iter(per_page=value)
    assert simulator.requests == []


@pytest.mark.parametrize("value", SENSELESS, ids=str_of)
def test_a_page_that_is_none(any_client: AnyClient, simulator: Simulator, value: Any) -> None:
    """A page that is no whole number from 1 up is refused by name before anything is sent."""
    with pytest.raises(InvalidRequestError, match="page"):
        any_client.call(lambda chat: chat.roles.list(page=value))
    assert simulator.requests == []


@pytest.mark.parametrize(
    ("per_page", "pages"), [(10, 3), (9, 3), (13, 2), (25, 1), (24, 2), (26, 1), (1000, 1), (1, 25), (5, 5)]
)
def test_iter(any_client: AnyClient, simulator: Simulator, per_page: int, pages: int) -> None:
    """All roles arrive in order, each once, in as many requests as there are pages and not one more."""
    found = any_client.call(lambda chat: chat.roles.iter(per_page=per_page))
    assert [role.to_dict() for role in found] == simulator.roles
    assert queries(simulator) == [f"page={page}&perPage={per_page}" for page in range(1, pages + 1)]


def test_iter_asks_for_the_service_s_own_size(any_client: AnyClient, simulator: Simulator) -> None:
    """Without a size, pages of 100 are asked for."""
    assert len(any_client.call(lambda chat: chat.roles.iter())) == 25
    assert queries(simulator) == ["page=1&perPage=100"]


def take(number: int) -> Callable[[Any], Any]:
    """So many roles of a client, and then no more of them are asked for."""

    def action(chat: Any) -> Any:
        roles = chat.roles.iter(per_page=10)
        if isinstance(roles, Iterator):
            return [next(roles) for _ in range(number)]

        async def taken() -> list[Role]:
            assert isinstance(roles, AsyncIterator)
            return [await anext(roles) for _ in range(number)]

        return taken()

    return action


@pytest.mark.parametrize(("number", "pages"), [(0, 0), (1, 1), (10, 1), (11, 2), (20, 2), (21, 3), (25, 3)])
def test_iter_asks_for_a_page_when_it_is_needed(
    any_client: AnyClient, simulator: Simulator, number: int, pages: int
) -> None:
    """A page is asked for when the roles before it have been taken, so that who stops early pays no more."""
    taken = any_client.call(take(number))
    assert [role.role for role in taken] == NAMES[:number]
    assert len(simulator.requests) == pages


def test_iter_over_no_roles(any_client: AnyClient, simulator: Simulator) -> None:
    """An app without roles costs one request."""
    simulator.roles = []
    assert any_client.call(lambda chat: chat.roles.iter()) == []
    assert len(simulator.requests) == 1


def test_iter_raises_what_a_page_raises(any_client: AnyClient, simulator: Simulator) -> None:
    """An error on a later page reaches whoever iterates, after the roles before it."""
    client = any_client.client(max_retries=0)
    roles = client.roles.iter(per_page=10)
    taken = []

    def drain(_: Any) -> Any:
        if isinstance(roles, Iterator):
            for role in roles:
                note(role)
            return None

        async def drained() -> None:
            async for role in roles:
                note(role)

        return drained()

    def note(role: Role) -> None:
        taken.append(role.role)
        if len(taken) == 5:
            simulator.fail(operation="list_roles", status=500)

    error = error_from(any_client, drain, client)
    assert isinstance(error, ServerError)
    assert taken == NAMES[:10]


def test_iter_survives_a_page_that_is_tried_again(any_client: AnyClient, simulator: Simulator) -> None:
    """A page that fails for a moment is asked for again, and no role is lost or doubled."""
    simulator.fail(operation="list_roles", status=503, headers={"Retry-After": "0"})
    found = any_client.call(lambda chat: chat.roles.iter(per_page=10))
    assert [role.role for role in found] == NAMES
    assert len(simulator.requests) == 4


def test_iter_is_stopped_by_a_page_that_is_no_list(any_client: AnyClient, simulator: Simulator) -> None:
    """A page without an array of roles is an UnexpectedResponse that points at the place."""
    simulator.fail(operation="list_roles", status=200, body={"data": {"role": "x"}, "meta": {}})
    with pytest.raises(UnexpectedResponse) as caught:
        any_client.call(lambda chat: chat.roles.iter())
    assert (caught.value.pointer, caught.value.operation) == ("/data", "list_roles")


# Services that do not tell the truth. Each has 25 roles on pages of 10 and says what it says about them.

TOTALS: dict[str, Any] = {
    "absent": None,
    "zero": 0,
    "one": 1,
    "small": 2,
    "right": "right",
    "large": 10**6,
    "huge": 10**40,
    "negative": -3,
    "text": "25",
    "words": "many",
    "fraction": 2.5,
    "true": True,
    "null": "null",
    "array": [3],
    "object": {"n": 3},
}


def telling(count: int, page: int, size: int, /, **figures: object) -> dict[str, object]:
    """A page of a service with so many roles, and with these figures instead of the right ones."""
    right = {"total": count, "total_pages": -(-count // size), "count": size, "per_page": size, "current_page": page}
    told: dict[str, object] = {}
    for name, value in right.items():
        figure = figures.get(name, "right")
        if figure == "null":
            told[name] = None
        elif figure is not None:
            told[name] = value if figure == "right" else figure
    first = (page - 1) * size
    records = [{"role": f"r{index}", "name": "R", "createdAt": 1} for index in range(first, min(first + size, count))]
    return {"data": records, "meta": {"pagination": told}}


def serving(make: Callable[[int, int], object]) -> StubTransport:
    """A service that makes each page from its number and its size."""

    def respond(request: httpx.Request) -> httpx.Response:
        query = parse_qs(request.url.query.decode())
        return make_response(200, make(int(query["page"][0]), int(query["perPage"][0])))

    return StubTransport(respond)


@pytest.mark.parametrize("total", TOTALS.values(), ids=TOTALS)
def test_iter_ends_whatever_the_totals_say(any_client: AnyClient, total: Any) -> None:
    """Wrong totals never lose a role nor repeat one, and never cost more than one request past the end."""
    for total_pages in TOTALS.values():
        stub = serving(partial(telling, 25, total=total, total_pages=total_pages))
        found = any_client.call(lambda chat: chat.roles.iter(per_page=10), stub_client(any_client, stub))
        assert [role.role for role in found] == [f"r{index}" for index in range(25)], total_pages
        assert len(stub.requests) == 3, total_pages


@pytest.mark.parametrize("figure", ["per_page", "count", "current_page"])
def test_iter_ends_whatever_the_other_figures_say(any_client: AnyClient, figure: str) -> None:
    """Wrong sizes and page numbers never lose a role either, and cost one request more at the most."""
    for told in TOTALS.values():
        stub = serving(partial(telling, 25, **{figure: told}))
        found = any_client.call(lambda chat: chat.roles.iter(per_page=10), stub_client(any_client, stub))
        assert [role.role for role in found] == [f"r{index}" for index in range(25)], told
        assert len(stub.requests) <= 4, told


@pytest.mark.parametrize("count", [0, 10, 20])
def test_iter_ends_where_the_last_page_is_full(any_client: AnyClient, count: int) -> None:
    """Where the last page is full, too, every role arrives, at the price of at most one empty page."""
    for total in TOTALS.values():
        for total_pages in TOTALS.values():
            stub = serving(partial(telling, count, total=total, total_pages=total_pages))
            found = any_client.call(lambda chat: chat.roles.iter(per_page=10), stub_client(any_client, stub))
            assert len(found) == count
            believed = total == total_pages == "right"
            assert len(stub.requests) <= (max(1, count // 10) if believed else count // 10 + 1)


@pytest.mark.parametrize("total", [None, 10**6, "right"])
def test_iter_ends_on_the_same_page_for_ever(any_client: AnyClient, total: Any) -> None:
    """A service that ignores the page number costs one request more than it should, and no role is doubled."""
    stub = serving(lambda _, size: telling(10, 1, size, total=total, total_pages=total))
    found = any_client.call(lambda chat: chat.roles.iter(per_page=10), stub_client(any_client, stub))
    assert [role.role for role in found] == NAMES_OF_TEN
    assert len(stub.requests) <= 2


NAMES_OF_TEN = [f"r{index}" for index in range(10)]


@pytest.mark.parametrize(
    "body",
    [
        {"data": [], "meta": {"pagination": {"total": 100, "total_pages": 10}}},
        {"data": []},
        {"data": [], "meta": None},
        {"data": [], "meta": []},
        {"data": [], "meta": {"pagination": []}},
        {"data": [None, 5, "x", []], "meta": {"pagination": {"total": 100, "total_pages": 10}}},
    ],
    ids=json.dumps,
)
def test_iter_ends_on_an_empty_page(any_client: AnyClient, body: object) -> None:
    """A page without a role is the last one, whatever stands beside it."""
    stub = serving(lambda *_: body)
    assert any_client.call(lambda chat: chat.roles.iter(per_page=2), stub_client(any_client, stub)) == []
    assert len(stub.requests) <= 2


def test_iter_goes_on_over_pages_that_are_capped(any_client: AnyClient) -> None:
    """A service that gives fewer roles a page than asked for, and says so, is asked for all of them."""

    def make(page: int, size: int) -> object:
        assert size == 1000
        return telling(25, page, 10)

    stub = serving(make)
    found = any_client.call(lambda chat: chat.roles.iter(per_page=1000), stub_client(any_client, stub))
    assert [role.role for role in found] == [f"r{index}" for index in range(25)]
    assert len(stub.requests) == 3


def test_iter_drops_doubles(any_client: AnyClient) -> None:
    """A role that several pages hold, or one page twice, arrives once, the first time it is seen."""

    def make(page: int, size: int) -> object:
        # Overlapping pages, as when a role is made while they are read; each role twice on its page.
        first = (page - 1) * 3
        records = [{"role": f"r{first + index // 2}", "name": "R", "createdAt": page} for index in range(size)]
        return {"data": records[: 2 * (13 - first)], "meta": {"pagination": {"total": 13, "total_pages": 5}}}

    stub = serving(make)
    found = any_client.call(lambda chat: chat.roles.iter(per_page=10), stub_client(any_client, stub))
    assert Counter(role.role for role in found) == Counter(f"r{index}" for index in range(13))
    assert len(stub.requests) <= 6


@pytest.mark.parametrize("name", [None, 5, 5.5, True, [], {}, ["a"], {"a": 1}, "absent"], ids=repr)
def test_iter_takes_roles_with_odd_names(any_client: AnyClient, name: Any) -> None:
    """A role whose name is no string does not spoil its page, nor make iter go on for ever."""
    odd = {"name": "R", "createdAt": 1} | ({} if name == "absent" else {"role": name})
    stub = serving(lambda *_: {"data": [odd, {"role": "r1", "name": "R", "createdAt": 1}], "meta": {}})
    found = any_client.call(lambda chat: chat.roles.iter(per_page=2), stub_client(any_client, stub))
    assert {"role": "r1", "name": "R", "createdAt": 1} in [role.to_dict() for role in found]
    assert odd in [role.to_dict() for role in found]
    assert len(stub.requests) <= 3


def test_iter_gives_up_on_a_service_that_never_ends(any_client: AnyClient) -> None:
    """A service that always brings new roles ends in an UnexpectedResponse after MAX_PAGES pages, not before."""
    fresh = itertools.count()

    def respond(_: httpx.Request) -> httpx.Response:
        body = b'{"data":[{"role":"r%d","name":"R","createdAt":1}]}' % next(fresh)
        return make_response(200, body)

    stub = StubTransport(respond)
    client = stub_client(any_client, stub)
    found = 0

    def drain(chat: Any) -> Any:
        nonlocal found
        roles = chat.roles.iter(per_page=1)
        if isinstance(roles, Iterator):
            for _ in roles:
                found += 1
            return None

        async def drained() -> None:
            nonlocal found
            async for _ in roles:
                found += 1

        return drained()

    error = error_from(any_client, drain, client)
    assert isinstance(error, UnexpectedResponse)
    assert error.operation == "list_roles"
    assert len(stub.requests) == found == MAX_PAGES


def test_list_that_the_service_refuses(any_client: AnyClient, simulator: Simulator) -> None:
    """A page the service will not give is a BadRequestError with its details."""
    simulator.fail(status=400, body={"error": {"code": "ERR_BAD_REQUEST", "details": {"page": ["too far"]}}})
    with pytest.raises(BadRequestError) as caught:
        any_client.call(lambda chat: chat.roles.list(page=2))
    assert caught.value.details == {"page": ["too far"]}
