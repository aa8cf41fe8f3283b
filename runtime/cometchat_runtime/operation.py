"""Operations of a description, and calls of them. Generated code makes both."""

import sys
import warnings
from collections.abc import Mapping
from types import FrameType
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from attrs import field, frozen

from .model import RequestFiles, read, without_secrets

T_co = TypeVar("T_co", covariant=True)

if TYPE_CHECKING:
    # Type checkers know this module without an installation.
    from typing_extensions import deprecated as deprecated


@frozen(eq=False)
class Parameter:
    """The facts that the description has about one parameter of an operation.

    Attributes:
        name: the name in a request, such as `maxItems`.
        argument: the name of the argument, such as `max_items`.
        type: the JSON type of its value, such as `integer`; `None` for any type.
        minimum: the smallest number.
        maximum: the largest number.
        choices: the values that are allowed; empty if the set is open.
    """

    name: str
    argument: str
    type: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[object, ...] = ()


@frozen(kw_only=True, eq=False)
class Paging:
    """How a list is read page by page: names in the request, and attributes of a page.

    Attributes:
        page: the query parameter with the number of the page.
        size: the query parameter with the number of items of a page; `None` if there is none.
        default_size: the size if the parameter is absent; `None` if that is unknown.
        pagination: the attribute of the page's `meta` with the five numbers below.
        current: the attribute with the number of the page that the response shows.
        pages: the attribute with the number of all pages.
        total: the attribute with the number of all items.
        shown_size: the attribute with the number of items that the service puts on a page.
        identity: the attribute that identifies an item; `None` if the whole item does.
    """

    page: str
    size: str | None
    default_size: int | None
    pagination: str
    current: str
    pages: str
    total: str
    shown_size: str
    identity: str | None


@frozen(eq=False)
class Operation(Generic[T_co]):
    """One operation of the description, without the arguments of a call.

    Attributes:
        name: such as `list_items`.
        method: the HTTP method in capitals.
        path: the path template, such as `/items/{item_id}`.
        success: the first and the last status of each range that means success.
        result: the type of the body; `None` if the response has no body.
        parameters: the parameters of path, query and header.
        repeated: arguments whose values the response repeats, with the place of each, as a JSON
            pointer.
        paging: how further pages are read; `None` if the operation is not a list with pages.
        deprecated: the text about its replacement; `None` if it is not deprecated.
    """

    name: str
    method: str
    # The path of a call that the description lacks comes from a user, and may hold a secret by
    # mistake.
    path: str = field(repr=False)
    success: tuple[tuple[int, int], ...]
    result: object
    parameters: tuple[Parameter, ...] = ()
    repeated: tuple[tuple[str, str], ...] = ()
    paging: Paging | None = None
    deprecated: str | None = None

    def parse(self, document: object, mismatches: list[type]) -> T_co:
        """Read the decoded body, which is consumed; this never raises.

        `mismatches` is as for `Model.from_dict`.
        """
        if self.result is None:
            return cast("T_co", None)
        body, fits = read(self.result, document, mismatches)
        if not fits:
            mismatches.append(object)
        return cast("T_co", body)


@frozen(eq=False)
class Call(Generic[T_co]):
    """One call of an operation, with its arguments.

    The repr does not show them, because some are secrets.
    """

    operation: Operation[T_co]
    path_values: Mapping[str, object] = field(repr=False, factory=dict)
    query: Mapping[str, object] = field(repr=False, factory=dict)
    headers: Mapping[str, object] = field(repr=False, factory=dict)
    files: RequestFiles | None = field(repr=False, default=None)
    json: object = field(repr=False, default=None)
    form: Mapping[str, object] | None = field(repr=False, default=None)
    content: bytes | None = field(repr=False, default=None)

    def __reduce__(self) -> str:
        raise TypeError("a call may contain a secret and cannot be pickled")


@frozen(eq=False)
class Response(Generic[T_co]):
    """A successful response. Its repr hides values whose names announce a secret.

    Attributes:
        status_code: its HTTP status.
        content: its body in bytes.
        headers: its headers, with names in lower case.
        parsed: its body as it is described.
        attempts: the number of attempts to send the request.
    """

    status_code: int
    content: bytes = field(repr=lambda content: f"<{len(content)} bytes>")
    headers: Mapping[str, str] = field(repr=lambda headers: repr(without_secrets("", headers)))
    parsed: T_co = field(repr=lambda parsed: repr(without_secrets("", parsed)))
    attempts: int = 1


def warn_deprecated(operation: Operation[object]) -> None:
    """Warn whoever uses a deprecated operation, at the line that calls a method of the client.

    Python shows a warning once for each place in a program.
    """
    method = sys._getframe(1)  # noqa: SLF001 - as `warnings` finds the caller
    level = 3
    while method.f_back is not None and _is_ours(method.f_back):
        method = method.f_back
        level += 1
    name = method.f_code.co_qualname
    text = f"{name} uses {operation.name}, which is deprecated: {operation.deprecated}"
    warnings.warn(text, DeprecationWarning, stacklevel=level)


def _is_ours(frame: FrameType) -> bool:
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return package in ("cometchat_openapi", "cometchat_rest", "cometchat_runtime")


if not TYPE_CHECKING:

    def deprecated(message):
        """Mark a method for type checkers; the operation that it uses warns."""

        def mark(method):
            method.__deprecated__ = message
            return method

        return mark
