"""The facts about CometChat that the generated code does not say: its headers, and how to read an
error."""

from collections.abc import Mapping

from cometchat_openapi.server import BASE_PATH, KEY_HEADER
from cometchat_runtime.service import ErrorFields, Service

from .version import __version__

#: The error code of the service for an auth token that is gone.
GONE = "ERR_AUTH_TOKEN_NOT_FOUND"


# The names under which servers in front of the service write a reason, the best first.
_REASONS = (
    "message",
    "Message",  # AWS
    "errorMessage",  # AWS Lambda
    "msg",  # FastAPI, in `detail`
    "detail",
    "error_description",
    "error",
    "errors",
    "reason",
    "fault",  # Apigee, with `faultstring`
    "faultstring",
    "title",
)


def read_error(document: object) -> ErrorFields:
    """The fields of the object under `error` (`ErrorBody` in `openapi.yaml`), each if it has its
    type; in a body of any other shape, the reason."""
    error = document.get("error") if isinstance(document, Mapping) else None
    if not isinstance(error, Mapping):
        return ErrorFields(reason=_reason(document))
    return ErrorFields(
        code=_text(error.get("code")),
        message=_text(error.get("message")),
        dev_message=_text(error.get("devMessage")),
        source=_text(error.get("source")),
        reason=_reason(error) or _reason(document),
        details=_details(error.get("details")),
    )


def _reason(value: object) -> str | None:
    """The reason in a text, in a list of reasons, or in an object with a reason."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_reason, value)))
    if isinstance(value, Mapping):
        return next(filter(None, (_reason(value.get(name)) for name in _REASONS)), None)
    return _text(value)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _details(details: object) -> dict[str, list[str]]:
    """For each field, a list of messages; a single message counts as such a list."""
    if not isinstance(details, Mapping):
        return {}
    return {
        str(name): [str(text) for text in (texts if isinstance(texts, list) else [texts])]
        for name, texts in details.items()
    }


#: The service of this client. The vendor's pages spell the headers of rate limits in several ways.
SERVICE = Service(
    user_agent=f"cometchat-rest/{__version__}",
    base_path=BASE_PATH,
    key_header=KEY_HEADER,
    user_header="onBehalfOf",
    limit_headers=("x-rate-limit", "x-rate-limit-limit", "x-ratelimit-limit"),
    remaining_headers=("x-rate-limit-remaining", "x-ratelimit-remaining"),
    reset_headers=("x-rate-limit-reset", "x-ratelimit-reset"),
    read_error=read_error,
)
