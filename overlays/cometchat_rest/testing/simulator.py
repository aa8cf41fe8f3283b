"""The simulator as tests see it: the state of the service, its server, and the faults it is told to show."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from starlette.types import ASGIApp

from .faults import Body, Cut, Fault, Operation
from .rates import RateLimit
from .server import LoopbackServer
from .service import Service
from .state import State

API_KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
AUTH_ONLY_KEY = "a90e5c2f7b316d84f25a09ce1d47b38065ef92a1"


class Simulator(State):
    """The service on this machine: a context manager that serves it over real HTTP, or an ASGI application.

    All threads of a process may use one simulator. It can be entered again after it was left, with its state
    as it was.

    Attributes:
        api_key: The key with the scope fullAccess.
        auth_only_key: A key with the scope authOnly, which none of the operations accepts.
        app: The ASGI application, for use in process; everything below `/v3`.
    """

    def __init__(self, *, api_key: str = API_KEY, host: str = "127.0.0.1", port: int = 0) -> None:
        """Prepare the first state; nothing is bound before the simulator is entered.

        Args:
            api_key: The key that callers have to send.
            host: Address to listen on.
            port: Port to listen on, 0 for any free one.
        """
        super().__init__()
        self.api_key = api_key
        self.auth_only_key: str = AUTH_ONLY_KEY
        self.app: ASGIApp = Service(self, self.api_key, self.auth_only_key)
        self._host = host
        self._port = port
        self._server: LoopbackServer | None = None

    @property
    def base_url(self) -> str:
        """The address of the service, ending in `/v3`; raises RuntimeError unless it is being served."""
        if self._server is None:
            raise RuntimeError("the simulator has no address until it is entered: with Simulator() as simulator")
        # Who listens at every address does so at that of the machine itself as well, where no client refuses to go.
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)  # noqa: S104
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self._server.port}/v3"

    def __enter__(self) -> Self:
        """Serve from now on; raises OSError if the port is taken, RuntimeError if it is served already."""
        if self._server is not None:
            raise RuntimeError("the simulator is being served already")
        server = LoopbackServer(self.app, self._host, self._port)
        server.start()
        self._server = server
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close every connection, answered or not, and the port."""
        server, self._server = self._server, None
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
        times: int | None = 1,
        share: float = 1.0,
    ) -> None:
        """Make the next requests go wrong; faults queue up, and each request uses up the oldest that applies.

        A fault with `status` or `body` answers instead of the operation, which is then not carried out; key
        and rate limit are not looked at. Any other fault, except for the cut `before_headers`, lets the
        operation be carried out and spoils its answer.

        Args:
            operation: The operation to hit; `None` for every request, unknown paths included.
            status: Status to answer, 100 to 999; 200 if only a body is given.
            body: What to answer: bytes and text go out as they are, all else as JSON. Without it, a status
                from 400 up comes with an error in the service's shape, any other with nothing.
            headers: Headers to set on the answer, in place of its own of the same name.
            delay: Seconds to wait before the answer, or before the cut; the operation is carried out first.
            cut: Where to close the connection: `before_headers` (nothing is carried out or answered),
                `in_headers` (amid the header block), `in_body` (after half of the promised length),
                `after_processing` (carried out, but nothing answered). In process the application raises
                ConnectionCutError.
            trickle: Send the body in pieces of so many bytes, so many seconds apart.
            times: How many requests to hit; `None` for all until the next reset.
            share: How likely a request is to be hit that could be, above 0 and up to 1; those that are spared may
                meet the next fault in the queue. The draws are the same after every reset.

        Raises:
            ValueError: The fault would do nothing, contradicts itself, or cannot be sent.
        """
        if times is not None and not (isinstance(times, int) and times >= 1):
            raise ValueError(f"times must be None or a whole number from 1 up, not {times!r}")
        if not (isinstance(share, int | float) and 0 < share <= 1):
            raise ValueError(f"share must be a number above 0 and at most 1, not {share!r}")
        fault = Fault(operation, status, body, headers or {}, delay, cut, trickle)
        with self.lock:
            self._faults.add(fault, times, share)

    def rate_limit(self, limit: int, window: float = 60.0) -> None:
        """Let `limit` requests through per `window` seconds, from now until the next reset.

        The rest are answered 429 and not carried out, with `Retry-After` in seconds and `X-Rate-Limit-Reset`
        as a Unix time. Raises ValueError for a negative limit or a window that is not positive.
        """
        if limit < 0 or window <= 0:
            raise ValueError("limit must not be negative, and window must be positive")
        with self.lock:
            self._rate_limit = RateLimit(limit, window, enforced=True)
