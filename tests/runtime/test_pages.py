"""Lists with several pages: one page, or all items."""

import copy
import pickle
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest

from cometchat_rest import InvalidRequestError, Role, RoleList, ServerError
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..described_calls import LARGEST_PAGE
from ..support import INVALID_NUMBERS, error_from
from .call_support import over

NAMES = [str(role["role"]) for role in Simulator().roles]


def queries(simulator: Simulator) -> list[str]:
    return [request.query for request in simulator.requests]


def test_list(any_client: AnyClient, simulator: Simulator) -> None:
    """Without arguments, no query is sent; the first page arrives with typed, complete roles."""
    found = any_client.call(lambda chat: chat.roles.list())
    assert isinstance(found.page, RoleList)
    assert {type(role) for role in found.data} == {Role}
    assert [role.to_dict() for role in found.data] == simulator.roles
    pagination = found.meta.pagination
    assert (pagination.total, pagination.count, pagination.per_page) == (25, 25, 100)
    assert (pagination.current_page, pagination.total_pages) == (1, 1)
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == (
        "GET",
        "/v3/roles",
        "",
        b"",
    )


@pytest.mark.parametrize("per_page", [1, 10, LARGEST_PAGE])
@pytest.mark.parametrize("page", [1, 3, 2**53])
def test_list_a_page(any_client: AnyClient, simulator: Simulator, page: int, per_page: int) -> None:
    """Page and size are sent as `page` and `perPage`, and the requested page arrives."""
    found = any_client.call(lambda chat: chat.roles.list(page=page, per_page=per_page))
    assert [role.role for role in found.data] == NAMES[(page - 1) * per_page : page * per_page]
    assert found.meta.pagination.current_page == page
    assert queries(simulator) == [f"page={page}&perPage={per_page}"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("page", "per_page") for value in (*INVALID_NUMBERS, 0, 1.0)),
        ("per_page", LARGEST_PAGE + 1),
        # JSON numbers are exact up to 2**53.
        ("page", 2**53 + 1),
    ],
)
def test_invalid_page_or_size_is_refused(
    any_client: AnyClient, simulator: Simulator, name: str, value: Any
) -> None:
    """A page or a page size that is too small or too large is refused before anything is sent;
    the error names it."""
    error = error_from(
        any_client, lambda chat: chat.roles.list(**{name: value}), any_client.client()
    )
    assert isinstance(error, InvalidRequestError)
    assert error.argument == name
    assert simulator.requests == []


@pytest.mark.parametrize(
    ("first", "size", "pages"),
    [
        (None, 10, 3),
        (None, 9, 3),
        (None, 25, 1),
        (None, 24, 2),
        (None, LARGEST_PAGE, 1),
        (None, 5, 5),
        (2, 10, 2),
    ],
)
def test_iter(
    any_client: AnyClient, simulator: Simulator, first: int | None, size: int, pages: int
) -> None:
    """All roles from a page on arrive in order, each once; the number of requests is the number
    of pages."""
    found = any_client.collect(lambda chat: chat.roles.list(page=first, per_page=size))
    assert [role.role for role in found] == NAMES[size * ((first or 1) - 1) :]
    later = range((first or 1) + 1, (first or 1) + pages)
    numbers = [f"page={first}&" if first else "", *(f"page={page}&" for page in later)]
    assert queries(simulator) == [f"{number}perPage={size}" for number in numbers]


def test_page_after_page(any_client: AnyClient, simulator: Simulator) -> None:
    """A page says whether there is a next one, reads it, and goes over all pages, as often as one
    likes, without a second request for itself; after the last page, it refuses."""
    client = any_client.client()
    page = any_client.call(lambda chat: chat.roles.list(per_page=10), client)
    pages = any_client.collect(lambda _: page.pages(), client)
    assert [[role.role for role in each.data] for each in pages] == [
        NAMES[:10],
        NAMES[10:20],
        NAMES[20:],
    ]
    assert [each.has_next_page for each in pages] == [True, True, False]
    second = any_client.call(lambda _: page.next_page(), client)
    assert second.to_dict() == pages[1].to_dict()
    assert isinstance(
        error_from(any_client, lambda _: pages[2].next_page(), client), InvalidRequestError
    )
    assert [*map(parse_qs, queries(simulator))][3:] == [{"page": ["2"], "perPage": ["10"]}]
    assert [role.role for role in any_client.collect(lambda _: page, client)] == NAMES
    assert len(simulator.requests) == 6


def test_length_of_a_list(any_client: AnyClient) -> None:
    """`len()` of a list with further pages is an error, because the length of its first page would
    be a wrong answer; `list()` and a condition still work."""
    client = any_client.client()
    whole = any_client.call(lambda chat: chat.roles.list(), client)
    first = any_client.call(lambda chat: chat.roles.list(per_page=10), client)
    none = any_client.call(lambda chat: chat.roles.list(page=9), client)
    assert (len(whole), len(none)) == (25, 0)
    with pytest.raises(TypeError, match="last page"):
        len(first)
    assert (bool(first), bool(none)) == (True, False)
    assert len(any_client.collect(lambda _: first, client)) == 25


def test_item_of_a_page(any_client: AnyClient) -> None:
    """An index is that of an item of this page. An awaited page is read with `async for`: a plain
    loop would end after it."""
    page = any_client.call(lambda chat: chat.roles.list(per_page=10))
    assert [page[0].role, page[9].role, page[-1].role] == [NAMES[0], NAMES[9], NAMES[9]]
    with pytest.raises(IndexError):
        page[10]
    if any_client.kind == "async":
        with pytest.raises(TypeError, match="not iterable"):
            list(page)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda page: pickle.loads(pickle.dumps(page))], ids=["copy", "pickle"]
)
def test_copy_of_a_page(
    any_client: AnyClient, simulator: Simulator, copied: Callable[[Any], Any]
) -> None:
    """A page can be copied and pickled, without its client and its key: the copy shows the whole
    page, and says that it cannot read the next one."""
    client = any_client.client()
    page = any_client.call(lambda chat: chat.roles.list(per_page=10), client)
    same = copied(page)
    assert (same.data, same.meta, same.to_dict()) == (page.data, page.meta, page.to_dict())
    assert (type(same), repr(same), same.has_next_page) == (type(page), repr(page), True)
    for read in (lambda _: same.next_page(), lambda _: over(same, lambda _: None)):
        error = error_from(any_client, read, client)
        assert isinstance(error, InvalidRequestError)
        assert "no client" in str(error)
    assert len(simulator.requests) == 1
    assert simulator.api_key.encode() not in pickle.dumps(page)


def test_first_page_before_it_is_awaited(any_client: AnyClient, simulator: Simulator) -> None:
    """An awaited list that was not awaited yet says so, in place of an empty page."""
    if any_client.kind == "sync":
        assert any_client.client().roles.list().data
    else:
        with pytest.raises(TypeError, match="await this list"):
            _ = any_client.client().roles.list().data
        assert simulator.requests == []


def test_iter_requests_a_page_when_it_is_needed(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """The next page is requested only after all roles before it were taken."""
    taken: list[tuple[object, int]] = []

    def note(role: Role) -> None:
        taken.append((role.role, len(simulator.requests)))

    any_client.call(lambda chat: over(chat.roles.list(per_page=10), note))
    assert taken == [(name, 1 + index // 10) for index, name in enumerate(NAMES)]


def test_iter_raises_the_error_of_a_later_page(any_client: AnyClient, simulator: Simulator) -> None:
    """An error on a later page is raised after the roles before it."""
    taken: list[object] = []

    def note(role: Role) -> None:
        taken.append(role.role)
        if len(taken) == 5:
            simulator.fail(operation="list_roles", status=500)

    client = any_client.client(max_retries=0)
    error = error_from(any_client, lambda chat: over(chat.roles.list(per_page=10), note), client)
    assert isinstance(error, ServerError)
    assert taken == NAMES[:10]
