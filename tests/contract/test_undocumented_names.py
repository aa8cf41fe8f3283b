"""Names of other libraries that the package uses although their documentation does not promise them.

`tests/unit/test_simulator.py` checks the undocumented names of uvicorn. These tests also run with the oldest and the
newest dependencies.
"""

import importlib
from operator import attrgetter
from typing import Any

import pytest


def undocumented(module: str, path: str, user: str) -> Any:
    """Return an undocumented name. If it is gone, the failure says which file has to change."""
    try:
        return attrgetter(path)(importlib.import_module(module))
    except AttributeError:
        pytest.fail(f"{module} has no {path}: change cometchat_rest/{user}, which uses this undocumented name")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("utf-8", "ab"), ("utf-16-le", "ab"), ("utf-16-be", "ab"), ("utf-32-le", "ab"), ("utf-32-be", "ab")],
)
def test_json_detects_the_encoding_of_a_body(encoding: str, text: str) -> None:
    """`json.detect_encoding` exists, and names the encoding of a body without a byte order mark."""
    detect = undocumented("json", "detect_encoding", "_call/api_errors.py")
    assert text.encode(encoding).decode(detect(text.encode(encoding))) == text


def test_typer_raises_its_own_exception() -> None:
    """`typer.TyperException` exists. It is the base of the errors for wrong arguments, and has their text."""
    base = undocumented("typer", "TyperException", "cli/app.py")
    problem = undocumented("typer", "BadParameter", "cli/app.py")("is wrong")
    assert isinstance(problem, base)
    assert "is wrong" in undocumented("typer", "TyperException.format_message", "cli/app.py")(problem)


def test_typer_asks_a_command_for_its_usage_line() -> None:
    """`TyperCommand.collect_usage_pieces` exists, and `get_usage` calls it."""
    command_class = undocumented("typer.core", "TyperCommand", "cli/command.py")
    undocumented("typer.core", "TyperCommand.collect_usage_pieces", "cli/command.py")
    argument_class = undocumented("typer.core", "TyperArgument", "cli/command.py")

    def usage(command: Any, context: Any) -> list[str]:
        arguments = [each for each in command.get_params(context) if isinstance(each, argument_class)]
        return [f"{each.metavar} {each.required} {each.hidden}" for each in arguments]

    argument = argument_class(param_decls=["name"], required=True, metavar="NAME", hidden=False)
    command = type("Command", (command_class,), {"collect_usage_pieces": usage})(name="show", params=[argument])
    with command.make_context("show", ["x"]) as context:
        assert "NAME True False" in command.get_usage(context)
