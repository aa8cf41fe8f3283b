"""Models read any JSON, and give it back without a loss."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest

from cometchat_runtime.drift import deviations
from tools.generate.generate import generate

NAME = "models_of_arrays"
TEXT = {"type": "string"}
GROUP = {"$ref": "#/components/schemas/Group"}
GROUPS = {"type": "array", "items": GROUP}
TEXT_OR_GROUP = {"oneOf": [GROUP, TEXT]}
#: Each field holds groups in another way.
HOLDER = {
    "type": "object",
    "properties": {
        "plain": GROUPS,
        "nullable": {"oneOf": [GROUPS, {"type": "null"}]},
        "rows": {"type": "array", "items": GROUPS},
        "mixed": {"type": "array", "items": TEXT_OR_GROUP},
        "tables": {"type": "array", "items": {"type": "array", "items": TEXT_OR_GROUP}},
    },
    "additionalProperties": GROUPS,
}
DESCRIPTION = {
    "openapi": "3.1.0",
    "info": {"title": "Arrays", "version": "1"},
    "tags": [{"name": "Things", "description": "Things."}],
    "paths": {
        "/thing": {
            "get": {
                "operationId": "getThing",
                "tags": ["Things"],
                "summary": "Get it.",
                "responses": {
                    "200": {
                        "description": "It.",
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Holder"}}
                        },
                    }
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Holder": HOLDER,
            "Group": {
                "type": "object",
                "required": ["items"],
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
                },
            },
            "Item": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
        }
    },
}
VALID = {"items": [{"a": 1}, {"a": 2}]}
WRONG = {"items": [{"a": 1}, {"a": "x"}, 5]}


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The class of a holder, generated from its description."""
    folder: Path = tmp_path_factory.mktemp("models")
    (folder / "openapi.yaml").write_text(json.dumps(DESCRIPTION), "utf-8")
    generate(folder / NAME, folder / "openapi.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        models: ModuleType = importlib.import_module(f"{NAME}.models")
        yield models.Holder


@pytest.mark.parametrize("name", [*HOLDER["properties"], "another"])
@pytest.mark.parametrize(
    "value",
    [
        [VALID],
        [WRONG, VALID],
        [VALID, 5],
        [VALID, None],
        [VALID, "x"],
        [[VALID], [VALID, VALID]],
        [[VALID, 5], [VALID]],
        [[VALID], 5],
        [[VALID], {"items": [VALID]}],
        VALID,
        None,
        5,
    ],
    ids=json.dumps,
)
def test_nothing_is_lost(holder: Any, name: str, value: object) -> None:
    """A holder of groups, read with or without a report of mismatches, gives the same JSON back,
    whatever stands in the place of a group."""
    document = {name: value, "plain": [VALID]} if name != "plain" else {name: value}
    text = json.dumps(document)
    assert holder.from_dict(json.loads(text)).to_dict() == document
    mismatches: list[type] = []
    assert holder.from_dict(json.loads(text), mismatches).to_dict() == document
    assert bool(mismatches) is any(deviations(holder, document))


@pytest.mark.parametrize(
    ("kind", "value", "other"),
    [(Literal[1, 2], 1, True), (Literal[True], True, 1), (Literal["a"], "a", "b")],
    ids=str,
)
def test_choice_of_another_type(kind: object, value: object, other: object) -> None:
    """A value that only equals a choice in Python differs from the description."""
    assert list(deviations(kind, value)) == []
    assert [pointer for pointer, _ in deviations(kind, other)] == [""]
