"""The refusal of a request, which becomes an error response, and the refusal of an argument."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import define
from starlette.responses import JSONResponse, Response

_Validator: TypeAlias = Callable[[Any, Any, Any], None]


@define
class RefusalError(Exception):
    """The request is refused. Any function may raise it; one place turns it into a response."""

    status: int
    code: str
    message: str
    dev_message: str | None = None
    details: Mapping[str, Sequence[str]] | None = None
    headers: Mapping[str, str] | None = None

    def response(self) -> Response:
        """Make the error response; members without a value are left out."""
        error = {
            "code": self.code,
            "message": self.message,
            "devMessage": self.dev_message,
            "details": self.details,
        }
        if self.details is not None:
            error["source"] = "request"
        present = {name: value for name, value in error.items() if value is not None}
        return JSONResponse({"error": present}, self.status, self.headers)


def bad_request(details: Mapping[str, Sequence[str]]) -> RefusalError:
    """An error for invalid content; `details` maps each invalid field to its errors."""
    return RefusalError(
        400,
        "ERR_BAD_REQUEST",
        "The request is invalid.",
        f"Invalid: {', '.join(details)}.",
        details,
    )


def not_found(code: str, what: str, identifier: str) -> RefusalError:
    """An error for a request for something that does not exist."""
    return RefusalError(404, code, f"The {what} {identifier} does not exist.", f"Check the {what}.")


def must_be(wanted: str, fits: Callable[[Any], bool]) -> _Validator:
    """A validator of an attrs class that raises ValueError for a value that does not fit; the
    default fits."""

    def check(_: object, attribute: Any, value: object) -> None:
        if value is not attribute.default and not fits(value):
            raise ValueError(f"{attribute.name} must be {wanted}, not {value!r}")

    return check
