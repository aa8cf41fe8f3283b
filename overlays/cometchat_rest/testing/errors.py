"""How the service says no: one exception, and the answer it turns into."""

from collections.abc import Mapping, Sequence

from attrs import define
from starlette.responses import JSONResponse, Response


@define
class RefusalError(Exception):
    """A request that is refused; raised wherever that is found out, answered in one place."""

    status: int
    code: str
    message: str
    dev_message: str | None = None
    details: Mapping[str, Sequence[str]] | None = None
    headers: Mapping[str, str] | None = None

    def response(self) -> Response:
        """Make the answer, leaving out the members that have nothing to say."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.dev_message is not None:
            error["devMessage"] = self.dev_message
        if self.details is not None:
            error["source"] = "request"
            error["details"] = self.details
        return JSONResponse({"error": error}, self.status, self.headers)


def bad_request(details: Mapping[str, Sequence[str]]) -> RefusalError:
    """Refuse a request for its content; `details` maps each field to what is wrong with it."""
    return RefusalError(
        400,
        "ERR_BAD_REQUEST",
        "The request is not valid.",
        dev_message=f"Not valid: {', '.join(details)}.",
        details=details,
    )


def not_found(code: str, what: str, identifier: str) -> RefusalError:
    """Refuse a request for something that does not exist."""
    return RefusalError(404, code, f"The {what} {identifier} does not exist.", dev_message=f"Check the {what}.")
