"""Both clients offer the same settings, options, resources and methods."""

import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import anyio
import pytest

from cometchat_rest import AsyncClient, Client

from ..support import KEY, ON_PREMISE_URL, unused_transport


def public_members(cls: type) -> dict[str, Any]:
    return {name: value for name, value in inspect.getmembers(cls) if not name.startswith("_")}


def signature_of(function: Any) -> list[tuple[str, Any, Any, str]]:
    """Names, kinds, defaults and annotations of a function, without the word `Async`."""
    signature = inspect.signature(function)
    parameters: list[tuple[str, Any, Any, str]] = [
        (each.name, each.kind, each.default, str(each.annotation))
        for each in signature.parameters.values()
    ]
    parameters.append(("return", None, None, str(signature.return_annotation)))
    return [
        (name, kind, default, note.replace("Async", "").strip("'"))
        for name, kind, default, note in parameters
    ]


def resources(client: type) -> dict[str, str]:
    """The name of the class of each resource of a client, by its attribute, which is made when
    it is first used."""
    names = [name for name in dir(client) if isinstance(getattr(client, name), cached_property)]
    return {name: getattr(client, name).func.__annotations__["return"] for name in names}


@pytest.fixture
def both_clients() -> Iterator[tuple[Client, AsyncClient]]:
    with Client(base_url=ON_PREMISE_URL, api_key=KEY, transport=unused_transport()) as client:
        other = AsyncClient(base_url=ON_PREMISE_URL, api_key=KEY, transport=unused_transport())
        yield client, other
        anyio.run(other.aclose)


@pytest.mark.parametrize("function", ["__init__", "with_options"])
def test_both_clients_take_the_same_settings_and_options(function: str) -> None:
    """Both clients take the same keyword-only settings and options."""
    ours, others = (signature_of(getattr(client, function)) for client in (Client, AsyncClient))
    assert ours == others
    assert all(
        kind in (inspect.Parameter.KEYWORD_ONLY, None) for name, kind, *_ in ours if name != "self"
    )


def test_both_clients_have_the_same_attributes(both_clients: tuple[Client, AsyncClient]) -> None:
    """Both clients have the same attributes and the same resources, and the defaults of the
    documentation."""
    names, other_names = (
        set(public_members(type(client))) | set(vars(client)) for client in both_clients
    )
    assert names - {"close"} == other_names - {"aclose"}
    assert list(resources(Client)) == list(resources(AsyncClient)) != []
    defaults = {name: default for name, _, default, _ in signature_of(Client.__init__)}
    assert (defaults["max_retries"], defaults["deadline"], defaults["max_response_bytes"]) == (
        2,
        120.0,
        10 * 2**20,
    )
    assert (defaults["strict"], defaults["timeout"], defaults["on_drift"]) == (False, None, None)
    watch = {
        name: default
        for name, _, default, _ in signature_of(type(both_clients[0].reviewed_messages).watch)
    }
    assert (watch["interval"], watch["limit"], watch["skip_existing"]) == (30.0, None, False)


# Parameters of the blocking client only: awaited calls are cancelled instead.
BLOCKING_ONLY = {"reviewed_messages.watch": {"stop"}}
# A resource that is only generated has no public name in `cometchat_rest`.
CLIENT = Client(base_url=ON_PREMISE_URL, api_key=KEY, transport=unused_transport())
METHODS = [
    (resource, method)
    for resource in resources(Client)
    for method in public_members(type(getattr(CLIENT, resource)))
]


@pytest.mark.parametrize(("resource", "name"), METHODS)
def test_the_resources_have_the_same_methods(
    both_clients: tuple[Client, AsyncClient], resource: str, name: str
) -> None:
    """Each method of a resource has the same arguments and results in both clients. Its docstring
    is full, or names the blocking method that it is like."""
    ours, others = (getattr(type(getattr(client, resource)), name) for client in both_clients)
    alone = BLOCKING_ONLY.get(f"{resource}.{name}", set())
    signature = [each for each in signature_of(ours) if each[0] not in alone]
    assert signature == signature_of(others)
    returned = signature[-1][-1]
    pages = ("collections.abc.Iterator", "cometchat_runtime.pages.Pages", "Pages")
    assert inspect.iscoroutinefunction(others) is not returned.startswith(pages)
    assert not inspect.iscoroutinefunction(ours)
    described = ["Raises", *(each for each in inspect.signature(ours).parameters if each != "self")]
    text = inspect.getdoc(ours) or ""
    assert [each for each in described if f"{each}:" not in text] == []
    text_of_other = inspect.getdoc(others) or ""
    assert "Raises:" in text_of_other or text_of_other.startswith(f"Like `{ours.__qualname__}`")
