"""Results in pydantic and FastAPI, and as ordinary Python values."""

import copy
import json
import pickle
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import attrs
import pytest
from fastapi import Body, FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from pydantic import BaseModel, TypeAdapter, ValidationError

from cometchat_openapi.models import (
    AuthTokenDeletionResponse,
    Error,
    KeywordListForm,
    KeywordListResponse,
)
from cometchat_rest import (
    AuthTokenDeletion,
    KeywordList,
    ReviewedMessage,
    ReviewedMessageList,
    Role,
    RoleList,
)
from cometchat_runtime.model import Model
from cometchat_testing import Simulator
from tools.description import examples

from .description import DOCUMENT, OPERATIONS, SCHEMAS

#: An example of each class that a method of a client returns.
EXAMPLES: dict[type[Model], dict[str, Any]] = {
    KeywordList: OPERATIONS["get_keyword_list"].example["data"],
    ReviewedMessageList: OPERATIONS["list_reviewed_messages"].example,
    RoleList: OPERATIONS["list_roles"].example,
    AuthTokenDeletion: OPERATIONS["delete_auth_token"].example["data"],
}
each_result = pytest.mark.parametrize("cls", EXAMPLES, ids=lambda cls: cls.__name__)
NO_ROLES: dict[str, Any] = {**EXAMPLES[RoleList], "data": []}
#: With an unknown field, an absent one, and a name that is not text.
ODD = {"role": "guest", "name": 7, "addedIn2031": {"by": ["the", "service"]}}


def described(node: Any) -> Any:
    """A part of the description as a JSON Schema: without its extensions, and with the
    enumeration in place."""
    if isinstance(node, list):
        return [described(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("$ref") == "#/components/schemas/KeywordCategory":
        node = SCHEMAS["KeywordCategory"]
    return {name: described(each) for name, each in node.items() if not name.startswith("x-")}


class Report(BaseModel):
    """A user's own model."""

    roles: RoleList
    subject: KeywordList | Role | None = None


def test_fastapi_returns_results_and_describes_them() -> None:
    """A FastAPI operation sends a result as the service sent it, and describes it as
    openapi.yaml does."""
    app = FastAPI()

    @app.get("/annotated")
    def annotated() -> RoleList:
        return RoleList.from_dict({**NO_ROLES, "data": [ODD]})

    @app.post("/echo")
    def echo(role: Annotated[Role, Body()]) -> list[Role]:
        return [role]

    for cls, example in EXAMPLES.items():
        app.get(f"/{cls.__name__}", response_model=cls)(partial(cls.from_dict, example, None))

    with TestClient(app) as http:
        assert http.get("/annotated").json() == {**NO_ROLES, "data": [ODD]}
        for cls, example in EXAMPLES.items():
            assert http.get(f"/{cls.__name__}").json() == example
        role = EXAMPLES[RoleList]["data"][0]
        assert http.post("/echo", json=role).json() == [role]
        assert http.post("/echo", json=ODD).status_code == 422
        schemas = http.get("/openapi.json").json()["components"]["schemas"]
    ours = schemas.keys() & SCHEMAS.keys()
    assert {
        "ReviewedMessage",
        "Condition",
        "RoleSettings",
        "KeywordList",
        "AuthTokenDeletion",
    } <= ours
    for name in ours:
        assert schemas[name] == described(SCHEMAS[name])


@each_result
def test_json_encoders_accept_results(cls: type[Model]) -> None:
    """`jsonable_encoder` and `dict` return the object of the service, also for an empty list."""
    example = EXAMPLES[cls]
    assert jsonable_encoder(cls.from_dict(example)) == example
    assert dict(cls.from_dict(example)) == example
    assert jsonable_encoder({"roles": RoleList.from_dict(NO_ROLES)}) == {"roles": NO_ROLES}


def test_pydantic_fields_hold_results() -> None:
    """A pydantic field holds a result, reads it from JSON, and refuses JSON that differs from
    the description."""
    roles = RoleList.from_dict(EXAMPLES[RoleList])
    report = Report(roles=roles, subject=roles.data[0])
    assert report.roles is roles
    assert report.model_dump() == json.loads(report.model_dump_json())
    assert Report.model_validate_json(report.model_dump_json()) == report
    given = copy.deepcopy(EXAMPLES[RoleList])
    read = TypeAdapter(RoleList).validate_python(given)
    assert given == EXAMPLES[RoleList]
    assert read == roles
    for wrong in (ODD, 5, None, {**EXAMPLES[RoleList], "data": 5}):
        with pytest.raises(
            ValidationError, match=r"description of .*RoleList|must be a JSON object"
        ):
            TypeAdapter(RoleList).validate_python(wrong)
    # A result of the service is accepted as it is.
    assert Report(roles=RoleList.from_dict({"data": [ODD]})).model_dump()["roles"] == {
        "data": [ODD]
    }


def test_stored_records_are_read_again(simulator: Simulator) -> None:
    """Every record of the simulator can be stored as the JSON of a pydantic model, and read from
    it again."""
    simulator.review(20)
    bodies: list[tuple[type[Model], Any]] = [
        *((ReviewedMessage, each) for each in simulator.reviewed_messages),
        *((KeywordList, each) for each in simulator.keyword_lists.values()),
        *((Role, each) for each in simulator.roles),
    ]
    for cls, body in bodies:
        stored: TypeAdapter[Model] = TypeAdapter(cls)
        text = stored.dump_json(cls.from_dict(body))
        assert stored.validate_json(text).to_dict() == body


def widened(value: Any) -> Any:
    """A JSON value whose objects have two more fields."""
    if isinstance(value, dict):
        return {
            **{name: widened(each) for name, each in value.items()},
            "addedIn2031": None,
            "addedIn2032": 1,
        }
    return [widened(each) for each in value] if isinstance(value, list) else value


def with_a_null(value: Any) -> Iterator[Any]:
    """A JSON value with null in place of each described value in turn."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield {**value, name: None}
            # The names of this object are not described.
            yield from ({**value, name: other} for other in with_a_null(each) if name != "metadata")
    elif isinstance(value, list):
        yield from (
            [*value[:index], other]
            for index, each in enumerate(value)
            for other in with_a_null(each)
        )


ERROR = next(
    examples(
        DOCUMENT, DOCUMENT["components"]["responses"]["Refusal"]["content"]["application/json"]
    )
)
BODIES: list[tuple[type[Model], Any]] = [
    (KeywordListResponse, {"data": EXAMPLES[KeywordList]}),
    (ReviewedMessageList, EXAMPLES[ReviewedMessageList]),
    (RoleList, EXAMPLES[RoleList]),
    (AuthTokenDeletionResponse, {"data": EXAMPLES[AuthTokenDeletion]}),
    (Error, ERROR),
]


@pytest.mark.parametrize(("cls", "example"), BODIES)
def test_pydantic_fields_accept_new_fields_and_no_null(cls: type[Model], example: Any) -> None:
    """A pydantic field reads a body with new fields in any object, and refuses an empty one and
    null for any value."""
    read = TypeAdapter(cls).validate_python
    wide = widened(example)
    assert read(wide).to_dict() == wide
    for wrong in ({}, *with_a_null(example)):
        with pytest.raises(ValidationError, match="differs from the description"):
            read(wrong)


def test_pydantic_names_the_place() -> None:
    """The error of a pydantic field names the first place that is not as described."""
    place = "/data/0/createdAt is not an integer"
    (role, *_) = EXAMPLES[RoleList]["data"]
    roles = {**EXAMPLES[RoleList], "data": [{**role, "createdAt": "today"}]}
    with pytest.raises(ValidationError, match=f"description of Role: {place}"):
        TypeAdapter(RoleList).validate_python(roles)


def test_pydantic_fields_hold_forms() -> None:
    """A pydantic field reads a form with any optional fields, and refuses every other one;
    `from_dict` reads any."""
    read = TypeAdapter(KeywordListForm).validate_python
    whole: dict[str, Any] = {"category": "word", "id": "a", "name": "b", "description": "c"}
    for name in whole:
        absent = {key: value for key, value in whole.items() if key != name}
        wrong = [{**whole, name: None}, {**whole, name: 7}, {**absent, "colour": "red"}]
        if name == "category":
            wrong.append(absent)
        else:
            assert read(absent).to_dict() == absent
        for each in wrong:
            with pytest.raises(ValidationError, match="description of KeywordListForm"):
                read(each)
            assert isinstance(KeywordListForm.from_dict(each), KeywordListForm)


def test_lists_are_iterable() -> None:
    """A list result can be iterated and has a length; like any empty list, an empty page is
    false."""
    roles = RoleList.from_dict(EXAMPLES[RoleList])
    assert [role.role for role in roles] == ["default", "moderator"]
    assert (len(roles), bool(roles)) == (2, True)
    empty = RoleList.from_dict(NO_ROLES)
    assert (list(empty), len(empty), bool(empty)) == ([], 0, False)
    with pytest.raises(TypeError, match="not iterable"):
        iter(roles.data[0])  # type: ignore[call-overload]
    with pytest.raises(KeyError):
        roles.data[0]["updatedAt"]


@each_result
def test_results_are_ordinary_values(cls: type[Model]) -> None:
    """Results compare by value, can be copied, pickled and changed, and have no hash."""
    result = cls.from_dict(EXAMPLES[cls])
    pickled = pickle.loads(pickle.dumps(result))
    for other in (copy.copy(result), copy.deepcopy(result), pickled, attrs.evolve(result)):
        assert other == result
        assert other is not result
        other.additional_properties["new"] = 1
        assert other != result
        assert "new" not in result.to_dict()
    assert result != EXAMPLES[cls]
    assert result != Role.from_dict({"role": "another class"})
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)
