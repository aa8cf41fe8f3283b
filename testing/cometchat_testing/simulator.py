"""The simulator for tests: the state of the service, its server, and its faults."""

from collections.abc import Mapping
from typing import Literal, Self

from starlette.types import ASGIApp

from .described import base_path, description, operations
from .faults import Body, Cut, Fault, Operation
from .keywords import OpenQuestions
from .rates import RateLimit
from .server import LoopbackServer
from .service import Service
from .state import State

API_KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
AUTH_ONLY_KEY = "a90e5c2f7b316d84f25a09ce1d47b38065ef92a1"


class Simulator(State):
    """A simulated service on this machine: a context manager that serves real HTTP, and an ASGI
    application.

    All threads of a process may use the same simulator. After its `with` block has ended, it can be
    entered again; its state is kept.

    Attributes:
        api_key: The key with the scope fullAccess.
        auth_only_key: A key with the scope authOnly. Every operation refuses it with the status
            403; this is a rule of the simulator, because the contract does not say what the service
            does.
        app: The ASGI application, for use in process; all its paths begin with `/v3`.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        vendor_limits: bool = False,
        omitted_fields: Literal["kept", "cleared"] = "kept",
        page_parameter: Literal["page", "ignored"] = "page",
        quotes: Literal["shown", "removed"] = "shown",
        unknown_token: Literal["error", "success"] = "error",
        hidden_entries: Literal["none", "missing", "empty"] = "none",
    ) -> None:
        """Prepare the initial state. The port is opened when the simulator is entered.

        The arguments after `port` answer questions that the contract leaves open. Test with each
        answer.

        Args:
            host: Address to listen on.
            port: Port to listen on, 0 for any free one.
            vendor_limits: Whether an update must also keep limits that only the vendor's pages
                state, such as 100 characters for a term.
            omitted_fields: Whether the name and the description of a list keep their values in an
                update without them.
            page_parameter: Whether the list of roles knows the parameter `page`, or always returns
                the first page.
            quotes: Whether a list that was made from a CSV file shows the double quotes of the
                file.
            unknown_token: Whether the deletion of a token that does not exist is an error.
            hidden_entries: Whether responses hide the entries of patterns, of sentences and of
                lists that were made from a CSV file: the field is missing, or `searchTerms` is an
                empty array. `keyword_lists` still has the entries.

        Raises:
            ValueError: An argument is not one of its answers.
        """
        super().__init__()
        self.api_key: str = API_KEY
        self.auth_only_key: str = AUTH_ONLY_KEY
        answers = OpenQuestions(
            vendor_limits=vendor_limits,
            omitted_fields=omitted_fields,
            page_parameter=page_parameter,
            quotes=quotes,
            unknown_token=unknown_token,
            hidden_entries=hidden_entries,
        )
        self.app: ASGIApp = Service(self, self.api_key, self.auth_only_key, answers)
        self._host = host
        self._port = port
        self._server: LoopbackServer | None = None

    @property
    def base_url(self) -> str:
        """The address of the service, ending in `/v3`. Raises RuntimeError if the simulator is
        not running."""
        if self._server is None:
            raise RuntimeError(
                "the simulator is not running: use it as `with Simulator() as simulator`"
            )
        # 0.0.0.0 includes loopback, the only address that clients accept over http.
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)  # noqa: S104
        if ":" in host:
            host = f"[{host}]"
        return f"http://{host}:{self._server.port}{base_path()}"

    def __enter__(self) -> Self:
        """Start the server. Raises OSError if the port is in use, RuntimeError if the simulator
        is already running."""
        if self._server is not None:
            raise RuntimeError("the simulator is already running")
        server = LoopbackServer(self.app, self._host, self._port)
        server.start()
        self._server = server
        return self

    def __exit__(self, *_: object) -> None:
        """Close the port and every connection, even if a response is still due."""
        server = self._server
        self._server = None
        if server is not None:
            server.stop()

    def fail(
        self,
        operation: Operation | None = None,
        *,
        status: int | None = None,
        body: Body | None = None,
        headers: Mapping[str, str] | None = None,
        delay: float = 0.0,
        cut: Cut | None = None,
        trickle: tuple[int, float] | None = None,
        apply_after: float | None = None,
        times: int | None = 1,
        share: float = 1.0,
    ) -> None:
        """Queue a fault for the next requests. Each request takes the oldest queued fault that
        applies to it.

        With `status` or `body`, the response of the fault replaces the response of the operation.
        The operation is not carried out, and key and rate limit are not checked. With the cut
        `before_headers`, the operation is not carried out either. All other faults carry out the
        operation and change its response. `apply_after` is different: the change is always applied,
        but at another time.

        Args:
            operation: The operation that the fault applies to; `None` for every request, even to
                unknown paths.
            status: Status of the response, 100 to 999; 200 if only a body is given.
            body: Body of the response: bytes and text are sent unchanged, all other values as JSON.
                Without it, a status from 400 has an error body in the service's shape, and any
                other status has no body.
            headers: Headers to set on the response; they replace headers of the same name.
            delay: Seconds to wait before the response or the cut; the operation is carried out
                before the wait.
            cut: Where to close the connection: `before_headers` (without a response, and without
                carrying out the operation), `in_headers` (in the middle of the headers), `in_body`
                (after half of the promised length), `after_processing` (without a response, but the
                operation is carried out). In process, the application raises ConnectionCutError
                instead.
            trickle: A pair of bytes and seconds: the size of each piece of the body, and the pause
                after each piece.
            apply_after: Apply the change of a PUT or DELETE this many seconds after the request
                arrived, even if the response is an error or is lost (`status`, `body`, `cut`). 0
                applies it before the response. The fault hits only requests that change something.
                Key, form and rate limit are checked when the request arrives; a refused request
                changes nothing. A reset drops the changes that are still due, and so does the end
                of the simulator.
            times: How many requests the fault hits; `None` for all requests until the next reset.
            share: The probability that the fault hits a request that it applies to, above 0 and at
                most 1. A request that is not hit can take the next fault in the queue. The random
                choices are the same after every reset.

        Raises:
            ValueError: An argument is invalid, the arguments contradict each other, or the fault
                has no effect.
        """
        described = operations(description()["paths"])
        names = tuple(described_operation.name for described_operation in described)
        if operation not in (None, *names):
            raise ValueError(f"operation must be None or one of {names}, not {operation!r}")
        fault = Fault(
            operation, status, body, headers or {}, delay, cut, trickle, apply_after, times, share
        )
        with self.lock:
            self._faults.queue.append(fault)

    def rate_limit(self, limit: int, window: float = 60.0) -> None:
        """Accept only `limit` requests per `window` seconds, from now until the next reset.

        All other requests are refused with the status 429, with `Retry-After` in seconds and
        `X-Rate-Limit-Reset` as a Unix time. Raises ValueError for a negative limit, or if the
        window is not positive.
        """
        if limit < 0 or window <= 0:
            raise ValueError("limit must not be negative, and window must be positive")
        with self.lock:
            self._rate_limit = RateLimit(limit, window, enforced=True)
