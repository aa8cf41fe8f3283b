"""The base of the clients of a service: their options, their connections, and any call."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from attrs import NOTHING, NothingType, evolve

from .checks import check_type
from .errors import InvalidRequestError, RateLimit
from .hooks import OnAttempt
from .options import Headers, Options, check_headers, check_on_behalf_of, hide_headers
from .secrets import Secret

# httpx takes half of the time to the first response. A program that makes no client loads neither
# httpx nor the modules that use it.
if TYPE_CHECKING:
    import httpx

    from .api import Api, AsyncApi
    from .operation import Response

ApiT = TypeVar("ApiT", bound="Api | AsyncApi")


class BaseClient(ABC, Generic[ApiT]):
    """The part that both kinds of clients share."""

    _api: ApiT
    # Only the client that made the connections closes them.
    _is_owner = False

    def __init__(self, options: Options, *connections: Any) -> None:
        """Make a client that closes its connections.

        Args:
            options: the checked options.
            connections: what a user gave for them: a transport, a client of httpx, and
                certificates.
        """
        self._is_owner = True
        self._api = self._new_api(options, *connections)

    @abstractmethod
    def _new_api(self, options: Options, *connections: Any) -> ApiT:
        """The object that sends the calls; its transports check the `connections`."""

    @property
    def api(self) -> ApiT:
        """Sends the calls that generated functions prepare, such as
        `chat.api.send(list_items.prepare())`."""
        return self._api

    def with_options(
        self,
        *,
        timeout: "float | httpx.Timeout | NothingType | None" = NOTHING,
        max_retries: int | NothingType = NOTHING,
        deadline: float | NothingType = NOTHING,
        on_behalf_of: str | NothingType | None = NOTHING,
        headers: Headers | NothingType = NOTHING,
        on_attempt: OnAttempt | NothingType | None = NOTHING,
    ) -> Self:
        """A derived client with other options that shares the connections; this client does not
        change.

        Closing the derived client, or leaving its `with` block, closes nothing: only the original
        client closes the connections.

        Args:
            timeout: as for `Client`; `None` for the default.
            max_retries: as for `Client`.
            deadline: as for `Client`.
            on_behalf_of: as for `Client`; `None` to act for no user.
            headers: headers to send in addition to those of the client and of earlier options.
            on_attempt: as for `Client`, in place of the hook of this client; `None` for no hook.

        Raises:
            ConfigurationError: a number is invalid or too small, or `on_attempt` is not a plain
                function.
            InvalidRequestError: only the client may set the header, or the value would not stay one
                header.
        """
        from .api import AsyncResource, Resource  # noqa: PLC0415 - few programs need it

        options = self._api.options
        if headers is not NOTHING:
            headers = hide_headers(headers)  # so that no frame shows a secret
            added = check_headers(headers, options.service, InvalidRequestError)
            headers = {**options.headers, **added}
        if on_behalf_of is not NOTHING:
            check_on_behalf_of(on_behalf_of, InvalidRequestError)
        changes: dict[str, Any] = {
            "timeout": timeout,
            "max_retries": max_retries,
            "deadline": deadline,
            "on_behalf_of": on_behalf_of,
            "headers": headers,
            "on_attempt": on_attempt,
        }
        changes = {name: value for name, value in changes.items() if value is not NOTHING}
        derived = object.__new__(type(self))
        # The attributes of a subclass, without the resources that were made for other options.
        for name, value in vars(self).items():
            if not isinstance(getattr(type(self), name, None), cached_property):
                setattr(derived, name, value)
        derived._is_owner = False
        derived._api = evolve(self._api, options=evolve(options, **changes))
        for name, value in list(vars(derived).items()):
            # A subclass may keep a resource, which acts with the options of its client.
            is_resource = isinstance(value, Resource | AsyncResource)
            if is_resource and value._api is self._api:  # noqa: SLF001 - not that of another client
                resource: Any = copy(value)
                resource._api = derived._api  # noqa: SLF001
                setattr(derived, name, resource)
        return derived

    # The name that Python shows in its messages about wrong arguments.
    with_options.__qualname__ = "Client.with_options"

    @property
    def base_url(self) -> str:
        """The address that all paths are relative to, without a slash at the end."""
        return self._api.options.base_url

    @property
    def rate_limit(self) -> RateLimit:
        """The rate limit as the last response gave it."""
        from .headers import rate_limit  # noqa: PLC0415 - few programs need it

        return rate_limit(self._api.shared.headers, self._api.options.service)

    def __repr__(self) -> str:
        name = type(self).__name__
        # A traceback may show a client that is not finished.
        if "_api" not in vars(self):
            return f"{name}(unfinished)"
        return repr(self._api.options).replace("Options", name, 1)


def _hidden_values(path_values: Mapping[str, str | Secret] | None) -> dict[str, Secret]:
    if path_values is not None:
        check_type("path_values", path_values, Mapping, "a mapping of names to values")
    return {name: Secret(value) for name, value in (path_values or {}).items()}


class BlockingClient(BaseClient["Api"]):
    """A client with blocking calls."""

    def request(
        self,
        method: str,
        path: str | Secret,
        *,
        path_values: Mapping[str, str | Secret] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
    ) -> "Response[object]":
        """Make a call that openapi.yaml does not describe, under all rules of the client.

        Args:
            method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Only a GET is retried after it may
                have been processed.
            path: the path below the base URL, such as `/users/{uid}`. Put identifiers and tokens
                into `path_values`, where they are checked, and hidden in logs and errors.
            path_values: the value of each name in the path; each becomes exactly one segment.
            query: query parameters; logs show them. A list is sent as a repeated parameter.
            json: the body as JSON values.

        Returns:
            `status_code`, `headers`, `content`, and the decoded JSON in `parsed`, which is `None`
            for an empty body.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        from .arguments import other_call  # noqa: PLC0415 - few programs need it

        path = Secret(path)
        path_values = _hidden_values(path_values)
        call = other_call(method, path, path_values, query, json, self._api.options)
        return self._api.send(call)

    def close(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._is_owner and not self._api.transports.closed:
            self._api.transports.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new_api(self, options: Options, *connections: Any) -> "Api":
        from .api import Api  # noqa: PLC0415
        from .transport import Transports  # noqa: PLC0415

        transports = Transports(options, *connections)
        return Api(options=options, transports=transports)


class AwaitedClient(BaseClient["AsyncApi"]):
    """A client with awaited calls."""

    async def request(
        self,
        method: str,
        path: str | Secret,
        *,
        path_values: Mapping[str, str | Secret] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
    ) -> "Response[object]":
        """Like `Client.request`, awaited."""
        from .arguments import other_call  # noqa: PLC0415 - few programs need it

        path = Secret(path)
        path_values = _hidden_values(path_values)
        call = other_call(method, path, path_values, query, json, self._api.options)
        return await self._api.send(call)

    async def aclose(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._is_owner and not self._api.transports.closed:
            await self._api.transports.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _new_api(self, options: Options, *connections: Any) -> "AsyncApi":
        from .api import AsyncApi  # noqa: PLC0415
        from .async_transport import AsyncTransports  # noqa: PLC0415

        transports = AsyncTransports(options, *connections)
        return AsyncApi(options=options, transports=transports)
