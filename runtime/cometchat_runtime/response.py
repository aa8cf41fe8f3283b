"""From a response to the result of a call, or to its error (pure)."""

from collections.abc import Callable
from itertools import islice
from typing import TypeAlias, TypeVar

from attrs import define, frozen

from .body import RawResponse, decode
from .drift import deviations, types_of_fields
from .errors import CometChatError, UnexpectedResponse
from .failures import abbreviated, api_error, error_in, reason_of, response_facts
from .hooks import Drift
from .model import is_model, mismatch
from .operation import Call, Operation, Response
from .request import Attempt

T = TypeVar("T")


@frozen(eq=False, repr=False)
class Unconfirmed:
    """The place in a body that does not confirm a call, as a JSON pointer, the value expected
    there in words, and the reason that the body gives."""

    pointer: str
    expected: str
    reason: object = None

    @property
    def detail(self) -> str:
        """The reason, if it is a text."""
        return self.reason if isinstance(self.reason, str) else ""


#: Checks the body of a success; `None` if it confirms the call.
Confirm: TypeAlias = Callable[[T], Unconfirmed | None]

# Only the first differences are reported: the search for them is much slower than reading.
_MOST_MISMATCHES = 100


@define(eq=False)
class _Unusable(Exception):  # noqa: N818 - it never leaves this module
    """The reason why a response cannot be used, whether it proves that the request was carried out,
    and the reason that its body gives."""

    reason: str
    pointer: str | None = None
    carried_out: bool = False
    detail: str = ""


def read_response(
    call: Call[T],
    attempt: Attempt,
    raw: RawResponse,
    confirm: Confirm[T] | None,
    drifts: list[Drift],
) -> Response[T] | CometChatError:
    """The result of a call, or its error; `drifts` gets the differences from the description."""
    operation = call.operation
    try:
        if not any(first <= raw.status <= last for first, last in operation.success):
            return _refusal(attempt, raw)
        parsed = _parsed(operation, raw, confirm, drifts, strict=attempt.options.strict)
    except _Unusable as unusable:
        return _unexpected(attempt, raw, unusable)
    except RecursionError:
        return _unexpected(attempt, raw, _Unusable("its body is nested too deeply"))
    return Response(raw.status, raw.body, raw.headers, parsed, attempt.number)


def _parsed(
    operation: Operation[T],
    raw: RawResponse,
    confirm: Confirm[T] | None,
    drifts: list[Drift],
    *,
    strict: bool,
) -> T:
    """The body of a success in its type."""
    if _is_empty(operation, raw):
        return operation.parse(None, [])
    mismatches: list[type] = []
    parsed = operation.parse(_document(raw), mismatches)
    # Decoded again, because reading consumed the document.
    document = decode(raw.body) if mismatches else None
    if mismatches:
        # Before the confirmation, which needs an object.
        _check_essentials(operation.result, document)
    unconfirmed = None if confirm is None else confirm(parsed)
    if mismatches:
        # There may be no difference: 5.0 is an integer for JSON Schema.
        places = deviations(operation.result, document)
        drifts += [Drift(operation.name, *place) for place in islice(places, _MOST_MISMATCHES)]
    if drifts and strict:
        first = drifts[0]
        reason = f"{first.pointer} is not {first.expected}"
        # Only strict reading refuses this response, so it proves that the request was carried out.
        raise _Unusable(reason, first.pointer, carried_out=unconfirmed is None)
    if unconfirmed is not None:
        reason = f"{unconfirmed.pointer} is not {unconfirmed.expected}"
        raise _Unusable(reason, unconfirmed.pointer, detail=unconfirmed.detail)
    return parsed


def _is_empty(operation: Operation[object], raw: RawResponse) -> bool:
    if operation.result is object:
        return not raw.body and raw.fault is None
    return operation.result is None


def _refusal(attempt: Attempt, raw: RawResponse) -> CometChatError:
    request = attempt.request
    if 400 <= raw.status < 600:
        return api_error(attempt, raw)
    if 300 <= raw.status < 400 and "location" in raw.headers:
        target = abbreviated(request.hide(raw.headers["location"]))
        raise _Unusable(f"a redirect to {target}; redirects are not followed, so check base_url")
    raise _Unusable("a status that openapi.yaml does not describe")


def _unexpected(attempt: Attempt, raw: RawResponse, unusable: _Unusable) -> UnexpectedResponse:
    request = attempt.request
    fault = request.hide(f"the response has status {raw.status}: {unusable.reason}")
    if unusable.detail:
        fault += f": {abbreviated(request.hide(unusable.detail))}"
    return UnexpectedResponse(
        reason_of(fault, error_in(attempt, raw)),
        operation=request.call.operation.name,
        pointer=unusable.pointer,
        outcome_unknown=request.method != "GET" and not unusable.carried_out,
        **response_facts(attempt, raw),
    )


def _document(raw: RawResponse) -> object:
    """The decoded body."""
    if raw.fault is not None:
        raise _Unusable(f"its body {raw.fault}")
    try:
        return decode(raw.body)
    except (ValueError, RecursionError):
        raise _Unusable("its body is not JSON" if raw.body else "its body is empty") from None


def _check_essentials(expected: object, document: object) -> None:
    """Refuse a body that is of another type, or whose `data` is."""
    required = mismatch(expected, document)
    if required is not None:
        raise _Unusable(f"its body is not {required}", "")
    if not is_model(expected) or not isinstance(document, dict):
        return
    data = types_of_fields(expected).fields.get("data")
    if data is None:
        return
    if "data" in document:
        required = mismatch(data.kind, document["data"])
    elif data.is_required:
        required = "present"
    if required is not None:
        raise _Unusable(f"/data is not {required}", "/data")


def repeats_arguments(call: Call[object], *, required: bool) -> Confirm[object] | None:
    """The check of the arguments that a response repeats, if there are any.

    An argument may be missing in the response, unless it is `required`.
    """
    if not call.operation.repeated:
        return None

    def confirm(body: object) -> Unconfirmed | None:
        for name, pointer in call.operation.repeated:
            value = _at(body, pointer)
            may_be_missing = not required and not isinstance(value, str)
            allowed = _allowed(call, name, pointer)
            if value not in allowed and not may_be_missing:
                return Unconfirmed(pointer, " or ".join(map(repr, allowed)))
        return None

    return confirm


def _allowed(call: Call[object], name: str, pointer: str) -> list[object]:
    """The values that a response may repeat: that of the path, or a new one in the form of an
    update."""
    field_name = pointer.rpartition("/")[2]
    sent = [content for part, (_, content, _) in call.files or () if part == field_name]
    return list(dict.fromkeys([call.path_values[name], *sent]))


def _at(body: object, pointer: str) -> object:
    """The attribute of a model at a JSON pointer; `None` if there is none."""
    for name in pointer.split("/")[1:]:
        attribute = getattr(body, "JSON_NAMES", {}).get(name, "")
        body = getattr(body, attribute, None)
    return body
