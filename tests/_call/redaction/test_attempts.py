"""Hooks: a record of an attempt shows no secret, and neither does an exception that a hook raises."""

from cometchat_rest import AttemptRecord, CometChatError
from cometchat_rest.testing import Simulator

from ...support import AnyClient
from .canaries import (
    DELETE,
    Action,
    Echo,
    RecordCollector,
    all_views,
    assert_hidden,
    each_operation,
    outcome_of,
    representations,
    secret_client,
)


@each_operation
def test_record_shows_no_secret(any_client: AnyClient, simulator: Simulator, action: Action) -> None:
    """A record shows neither the key, a token nor a value of the path, also if the service repeats them in a header
    that records keep."""
    echo = Echo(action)
    kept = {"X-Request-Id": echo.headers["X-Echo"], "Date": echo.headers["X-Echo"], "Server": "a-server"}
    simulator.fail(status=404, body=echo.error, headers={**echo.headers, **kept})
    found: list[AttemptRecord] = []
    assert isinstance(
        outcome_of(any_client, action.act, secret_client(any_client).with_options(on_attempt=found.append)),
        CometChatError,
    )
    (record,) = found
    assert record.headers["server"] == "a-server"
    assert "[redacted]" in record.headers["x-request-id"]
    assert_hidden(("the record", text) for text in representations(record))


def test_exception_of_a_hook(any_client: AnyClient, records: RecordCollector) -> None:
    """An interruption in a hook passes through the call unchanged, and no frame on its way holds a secret; neither does
    the log record of an exception that does not pass."""

    class Interruption(BaseException):
        pass

    for raised in (raised for raised in (Interruption(), LookupError(f"of the hook, {any_client.kind}"))):

        def hook(_: AttemptRecord, raised: BaseException = raised) -> None:
            raise raised

        hook.__qualname__ = f"hook of {any_client.kind}"
        outcome = outcome_of(any_client, DELETE.act, secret_client(any_client).with_options(on_attempt=hook))
        assert (outcome is raised) is isinstance(raised, Interruption)
        assert_hidden(all_views(raised))
    assert any("of the hook" in text for _, text in records.seen)
    assert_hidden(records.seen)
