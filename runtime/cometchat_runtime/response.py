"""From a response to the result of a call, or to its error (pure)."""

from collections.abc import Callable
from itertools import islice
from typing import Generic, TypeAlias, TypeVar

from attrs import define, field

from cometchat_openapi import Call, Operation
from cometchat_openapi.types import Response
from cometchat_runtime.errors import CometChatError, RateLimit, UnexpectedResponse

from .body import RawResponse, decode
from .drift import Drift, deviations, fields_of, mismatch
from .failures import Hide, abbreviated, api_error, redacted_headers, sample
from .headers import request_id

T = TypeVar("T")

#: Checks the body of a success. If the body does not confirm the change: a JSON pointer, and the
#: value expected there.
Confirm: TypeAlias = Callable[[T], tuple[str, str] | None]

# Only the first differences are reported: the search for them is much slower than reading.
_MOST_MISMATCHES = 100


@define(eq=False)
class _Unusable(Exception):  # noqa: N818 - it never leaves this module
    """The reason why a response cannot be used, and whether it proves that the request was
    carried out."""

    reason: str
    pointer: str | None = None
    carried_out: bool = False


@define(eq=False, repr=False)
class Reading(Generic[T]):
    """The reading of one response."""

    _operation: Operation[T]
    _raw: RawResponse
    _hide: Hide
    _confirm: Confirm[T] | None
    _strict: bool
    drifts: list[Drift] = field(factory=list, init=False)

    def outcome(self) -> Response[T] | CometChatError:
        """The result of the call, or its error; `drifts` gets the mismatches."""
        operation, raw = self._operation, self._raw
        if not any(first <= raw.status <= last for first, last in operation.success):
            return self._refusal()
        is_empty = operation.result is object and not raw.body and raw.fault is None
        try:
            parsed = (
                operation.parse(None, [])
                if operation.result is None or is_empty
                else self._parsed()
            )
        except _Unusable as unusable:
            return self._unexpected(unusable)
        return Response(raw.status, raw.body, raw.headers, parsed)

    def _parsed(self) -> T:
        """The body of a success in its type."""
        mismatches: list[type] = []
        parsed = self._operation.parse(_document(self._raw), mismatches)
        if mismatches:
            # Before the confirmation, which needs an object.
            _check_essentials(self._operation.result, decode(self._raw.body))
        unconfirmed = None if self._confirm is None else self._confirm(parsed)
        if mismatches:
            # Only strict reading refuses this response, so it proves that the request was carried
            # out.
            self._find_drifts(carried_out=self._strict and unconfirmed is None)
        if unconfirmed is not None:
            pointer, expected = unconfirmed
            raise _Unusable(f"{pointer} is not {expected}", pointer)
        return parsed

    def _find_drifts(self, *, carried_out: bool) -> None:
        """Find the first mismatches of a body; there may be none, because 5.0 is an integer for
        JSON Schema."""
        operation = self._operation
        # Decoded again, because reading consumed the document.
        document = decode(self._raw.body)
        for pointer, expected in islice(deviations(operation.result, document), _MOST_MISMATCHES):
            if self._strict:
                raise _Unusable(f"{pointer} is not {expected}", pointer, carried_out)
            self.drifts.append(Drift(operation.name, pointer, expected))

    def _refusal(self) -> CometChatError:
        operation, raw, hide = self._operation, self._raw, self._hide
        if 400 <= raw.status < 600:
            return api_error(operation, raw.status, raw.headers, raw.body, hide)
        fault = "a status that openapi.yaml does not describe"
        if 300 <= raw.status < 400 and "location" in raw.headers:
            target = abbreviated(hide(raw.headers["location"]))
            fault = f"a redirect to {target}; redirects are not followed, so check base_url"
        return self._unexpected(_Unusable(fault))

    def _unexpected(self, unusable: _Unusable) -> UnexpectedResponse:
        headers = redacted_headers(self._raw.headers, self._hide)
        return UnexpectedResponse(
            self._hide(f"the response has status {self._raw.status}: {unusable.reason}"),
            operation=self._operation.name,
            status_code=self._raw.status,
            pointer=unusable.pointer,
            headers=headers,
            body=sample(self._raw.body, self._hide),
            request_id=request_id(headers),
            rate_limit=RateLimit.from_headers(headers),
            outcome_unknown=self._operation.method != "GET" and not unusable.carried_out,
        )


def _document(response: RawResponse) -> object:
    """The decoded body."""
    if response.fault is not None:
        raise _Unusable(f"its body {response.fault}")
    try:
        return decode(response.body)
    except (ValueError, RecursionError):
        raise _Unusable("its body is not JSON" if response.body else "its body is empty") from None


def _check_essentials(expected: object, document: object) -> None:
    """Refuse a body that is of another type, or whose `data` is."""
    if (required := mismatch(expected, document)) is not None:
        raise _Unusable(f"its body is not {required}", "")
    fields = fields_of(expected)[0] if hasattr(expected, "JSON_NAMES") else {}
    if "data" not in fields or not isinstance(document, dict):
        return
    inner, is_required = fields["data"]
    required = (
        mismatch(inner, document["data"])
        if "data" in document
        else "present"
        if is_required
        else None
    )
    if required is not None:
        raise _Unusable(f"/data is not {required}", "/data")


def repeats_arguments(call: Call[object], *, required: bool = False) -> Confirm[object] | None:
    """The check of the arguments that a response repeats, if there are any; one may be missing,
    unless `required`."""
    if not call.operation.repeated:
        return None

    def confirm(body: object) -> tuple[str, str] | None:
        for name, pointer in call.operation.repeated:
            value = _at(body, pointer)
            if value == call.path_values[name] or not (required or isinstance(value, str)):
                continue
            if value not in (allowed := _allowed(call, name, pointer)):
                return pointer, " or ".join(map(repr, allowed))
        return None

    return confirm


def _allowed(call: Call[object], name: str, pointer: str) -> list[object]:
    """The values that a response may repeat: that of the path, or a new one in the form of an
    update."""
    field = pointer.rpartition("/")[2]
    new = [content for part, (_, content, _) in call.files or () if part == field]
    return list(dict.fromkeys([call.path_values[name], *new]))


def _at(content: object, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        content = getattr(content, getattr(content, "JSON_NAMES", {}).get(part, ""), None)
    return content
