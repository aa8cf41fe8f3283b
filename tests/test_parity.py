"""Both clients offer the same settings, options, resources and methods, and the methods cover every operation."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import anyio
import pytest

import cometchat_openapi.api
from cometchat_openapi import Operation as GeneratedOperation
from cometchat_rest import AsyncClient, Client

from .conftest import AnyClient
from .described_calls import described_calls
from .support import (
    KEY,
    ON_PREMISE_URL,
    OPERATIONS,
    StubTransport,
    always_respond,
    path_of,
    stub_client,
    unused_transport,
    values_in,
)


def public_members(cls: type) -> dict[str, Any]:
    return {name: value for name, value in inspect.getmembers(cls) if not name.startswith("_")}


def signature_of(function: Any) -> list[tuple[str, Any, Any, str]]:
    """Names, kinds, defaults and annotations of a function, without the word `Async`."""
    signature = inspect.signature(function)
    parameters: list[tuple[str, Any, Any, str]] = [
        (each.name, each.kind, each.default, str(each.annotation)) for each in signature.parameters.values()
    ]
    parameters.append(("return", None, None, str(signature.return_annotation)))
    return [(name, kind, default, note.replace("Async", "").strip("'")) for name, kind, default, note in parameters]


def resources(client: Any) -> dict[str, Any]:
    """The resources of a client by name: the attributes that are made once, when they are first used."""
    members = {name: inspect.getattr_static(type(client), name, None) for name in dir(client)}
    return {name: getattr(client, name) for name, member in members.items() if isinstance(member, cached_property)}


@pytest.fixture
def both_clients() -> Iterator[tuple[Client, AsyncClient]]:
    with Client(base_url=ON_PREMISE_URL, api_key=KEY, transport=unused_transport()) as client:
        other = AsyncClient(base_url=ON_PREMISE_URL, api_key=KEY, transport=unused_transport())
        yield client, other
        anyio.run(other.aclose)


def test_both_clients_take_the_same_settings_and_options(both_clients: tuple[Client, AsyncClient]) -> None:
    """Both clients take the same keyword-only settings and options, and have the same attributes."""
    for function in ("__init__", "with_options"):
        ours, others = (signature_of(getattr(type(client), function)) for client in both_clients)
        assert ours == others
        assert all(kind in (inspect.Parameter.KEYWORD_ONLY, None) for name, kind, *_ in ours if name != "self")
    names, other_names = (set(public_members(type(client))) | set(vars(client)) for client in both_clients)
    assert names - {"close"} == other_names - {"aclose"}
    defaults = {name: default for name, _, default, _ in signature_of(Client.__init__)}
    assert (defaults["max_retries"], defaults["deadline"], defaults["max_response_bytes"]) == (2, 120.0, 10 * 2**20)
    assert (defaults["strict"], defaults["timeout"], defaults["on_drift"]) == (False, None, None)


# Parameters of the blocking client only: awaited calls are cancelled instead.
BLOCKING_ONLY = {"reviewed_messages.watch": {"stop"}}


def test_the_resources_have_the_same_methods(both_clients: tuple[Client, AsyncClient]) -> None:
    """Each resource has the same methods in both clients, with the same arguments, results and full docstrings."""
    ours, others = map(resources, both_clients)
    assert list(ours) == list(others) != []
    for name, resource in ours.items():
        methods, other_methods = public_members(type(resource)), public_members(type(others[name]))
        assert methods.keys() == other_methods.keys()
        for method, function in methods.items():
            alone = BLOCKING_ONLY.get(f"{name}.{method}", set())
            ours_without = [each for each in signature_of(function) if each[0] not in alone]
            assert ours_without == signature_of(other_methods[method]), f"{name}.{method}"
            for documented in (function, other_methods[method]):
                described = ["Raises", *(each for each in inspect.signature(documented).parameters if each != "self")]
                text = inspect.getdoc(documented) or ""
                missing = [each for each in described if f"{each}:" not in text and f"`{each}`" not in text]
                assert missing == [], f"{name}.{method}"
            *_, (_, _, _, returned) = ours_without
            assert inspect.iscoroutinefunction(other_methods[method]) is not returned.startswith(
                ("Iterator", "cometchat_openapi.client.Pages", "Pages")
            )
            assert not inspect.iscoroutinefunction(function)


def test_every_method_is_tested(both_clients: tuple[Client, AsyncClient]) -> None:
    """Each method of a resource is called by at least one test outside this file, which compares all methods.

    Tests of all operations call each generated method.
    """
    derived = {call.method for call in described_calls().values()}
    sources = [path.read_text("utf-8") for path in Path(__file__).parent.rglob("test_*.py") if path != Path(__file__)]
    tests = [
        ast.get_source_segment(source, each) or ""
        for source in sources
        for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    ]
    assert len(tests) > 100
    for name, resource in resources(both_clients[0]).items():
        for method in public_members(type(resource)):
            if f"{name}.{method}" not in derived:
                assert any(f"chat.{name}.{method}(" in test for test in tests), f"no test calls {name}.{method}"


def generated() -> dict[str, GeneratedOperation[Any]]:
    """The operations of the generated package, by name."""
    found = {}
    folder = cometchat_openapi.api
    for info in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        operation = getattr(importlib.import_module(info.name), "OPERATION", None)
        if operation is not None:
            found[operation.name] = operation
    return found


def test_every_operation_has_a_method(any_client: AnyClient) -> None:
    """A method of a resource sends each operation of the description."""
    carried_out: dict[str, tuple[str, str]] = {}
    for operation in OPERATIONS:
        stub = StubTransport(always_respond(operation.status, operation.body))
        any_client.call(operation.act, stub_client(any_client, stub))
        (request,) = stub.requests
        carried_out[operation.name] = (request.method, path_of(request).removeprefix("/v3"))
    assert carried_out.keys() == generated().keys()
    for name, described in generated().items():
        method, path = carried_out[name]
        assert method == described.method
        assert values_in(described.path, path) is not None
