"""Updates: the check of the revision, the result, and unknown outcomes over real HTTP: the list is read once."""

import json
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Self

import pytest

from cometchat_rest import (
    CometChatError,
    KeywordPlan,
    KeywordUpdate,
    RequestTimeoutError,
    RevisionConflictError,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
from cometchat_rest.keyword_input import Quotes, WordListInput, from_terms
from cometchat_rest.keywords.apply import check_revision, resolve_update

from ..conftest import AnyClient
from ..servers import WireServer, read_request
from ..support import LIST_ID
from .test_plan import fetched, planned

BEFORE, AFTER = ["spam", "scam"], ["spam", "scam", "phishing"]
ADVICE = "Read the list again before you send the update again."
STATUSES = (500, 502, 503, 504, 520, 522, 524)
# How the response to the update is lost, and the error if the list never shows the update.
LOSSES: dict[str, type[CometChatError]] = {
    "dropped": TransportError,
    "reset": TransportError,
    "cut": TransportError,
    "timeout": RequestTimeoutError,
    "html": UnexpectedResponse,
    **{str(status): ServerError for status in STATUSES},
}


def response(status: int, body: object) -> bytes:
    return http(status, json.dumps(body).encode())


def http(status: int, content: bytes) -> bytes:
    """A response on a connection that is closed afterwards."""
    return b"HTTP/1.1 %d x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (status, len(content), content)


class LossyService:
    """A service with one list. It loses the response to an update, and carries the update out or not.

    Attributes:
        updates: the number of updates received.
        readings: the number of readings received after the first update.
        loss: how the response to an update is lost, one of `LOSSES`.
        base_url: the address for a client.
    """

    def __init__(self, loss: str, *, applies: Sequence[str] | None = AFTER, readings: Sequence[bytes] = ()) -> None:
        """Set up the service.

        Args:
            loss: how the response to an update is lost, one of `LOSSES`.
            applies: the entries after the update; `None` if the service never carries it out.
            readings: the responses to the first readings after the update, in place of the list; b"" for no response.
        """
        self.updates = self.readings = 0
        self._over = threading.Event()
        self.loss, self._applies, self._spoiled = loss, applies, readings
        self._list = {"id": LIST_ID, "name": "List", "category": "word", "isCSV": False, "createdAt": 1}
        self._list |= {"updatedAt": 1, "revisionId": "r_1", "searchTerms": BEFORE}
        self._server = WireServer(self._respond, self._read)
        self.base_url = self._server.base_url

    def _read(self, connection: socket.socket) -> bytes:
        received = read_request(connection)
        if received.startswith(b"PUT") and self.loss == "reset":
            # Closing the connection then sends a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return received

    def _respond(self, received: bytes) -> Iterator[bytes]:
        if received.startswith(b"PUT"):
            yield from self._update()
            return
        if self.updates:
            self.readings += 1
            if self.readings <= len(self._spoiled):
                yield self._spoiled[self.readings - 1]
                return
        yield response(200, {"data": self._list})

    def _update(self) -> Iterator[bytes]:
        self.updates += 1
        if self._applies is not None:
            self._list |= {"updatedAt": 2, "revisionId": "r_2", "searchTerms": self._applies}
        if self.loss == "cut":
            yield response(200, {"data": self._list})[:-20]
        elif self.loss == "html":
            yield http(200, b"<html>")
        elif self.loss == "timeout":
            self._over.wait(20)
        elif self.loss.isdigit():
            yield response(int(self.loss), {"error": {"code": "ERR_INTERNAL", "message": "No."}})

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *details: object) -> None:
        self._over.set()
        self._server.__exit__(*details)


def apply(any_client: AnyClient, service: LossyService) -> KeywordUpdate:
    """Plan and apply the update with a client of this service."""
    timeout = 1 if service.loss == "timeout" else 30
    client = any_client.client(base_url=service.base_url, max_retries=0, timeout=timeout)
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, AFTER), client)
    update: KeywordUpdate = any_client.call(lambda chat: chat.keywords.apply(plan), client)
    return update


def error_of(any_client: AnyClient, service: LossyService) -> CometChatError:
    """The error of the update. Its outcome is unknown, it says so, and the update was sent once."""
    with pytest.raises(CometChatError) as caught:
        apply(any_client, service)
    assert caught.value.outcome_unknown is True
    assert caught.value.__notes__[-1].endswith(ADVICE)
    assert service.updates == 1
    return caught.value


@pytest.mark.parametrize("loss", LOSSES)
def test_an_update_that_was_carried_out(any_client: AnyClient, loss: str) -> None:
    """An update whose response was lost has succeeded if the list shows it; the update is sent once."""
    with LossyService(loss) as service:
        update = apply(any_client, service)
        assert (update.matches, update.recovered, update.keyword_list.search_terms) == (True, True, AFTER)
        assert (service.updates, service.readings) == (1, 1)


@pytest.mark.parametrize("loss", LOSSES)
def test_an_update_that_is_never_carried_out(any_client: AnyClient, loss: str) -> None:
    """An unchanged list proves nothing: the error says that the outcome is unknown, and to read the list again."""
    with LossyService(loss, applies=None) as service:
        error = error_of(any_client, service)
        assert isinstance(error, LOSSES[loss])
        assert "still unchanged, but the service may carry out the update later" in error.__notes__[-1]
        assert service.readings == 1


def test_a_change_by_somebody_else(any_client: AnyClient) -> None:
    """If the list changes but does not match the update, the outcome stays unknown."""
    with LossyService("dropped", applies=["something else"]) as service:
        error = error_of(any_client, service)
        assert "was r_1 and is now r_2, but the list is not known to match the update" in error.__notes__[-1]


@pytest.mark.parametrize("status", [302, 401, 404, 503])
def test_a_reading_that_is_refused(any_client: AnyClient, status: int) -> None:
    """If the list cannot be read, the error of the update is raised, and its note names the other error."""
    with LossyService("500", readings=[response(status, {})] * 20) as service:
        error = error_of(any_client, service)
        assert isinstance(error, ServerError)
        assert (service.readings, str(status) in error.__notes__[-1]) == (1, True)


class TestCheckRevision:
    @pytest.mark.parametrize(
        ("before", "after", "moved"),
        [
            ({}, {}, False),
            ({}, {"searchTerms": ["z"], "updatedAt": 9}, False),
            ({}, {"revisionId": "r_2"}, True),
            ({}, {"revisionId": None}, True),
            ({"revisionId": None}, {}, True),
            ({"revisionId": None}, {"revisionId": None}, False),
            ({"revisionId": None}, {"revisionId": None, "updatedAt": 9}, True),
            ({"revisionId": None}, {"revisionId": None, "searchTerms": ["z"]}, True),
        ],
        ids=repr,
    )
    def test_list_that_has_changed(self, before: dict[str, Any], after: dict[str, Any], *, moved: bool) -> None:
        """The revision shows whether a list has changed; without a revision, its time and its entries do."""
        plan, found = planned(fetched("a", **before), "b"), fetched("a", **after)
        if not moved:
            check_revision(plan, found)
            return
        with pytest.raises(RevisionConflictError) as caught:
            check_revision(plan, found)
        assert caught.value.planned_revision == plan.revision_id
        assert caught.value.current_revision == found.revision_id


class TestResolveUpdate:
    def test_result_of_an_update(self) -> None:
        """An entry that was sent but is not in the list is missing; one that was not sent is unexpected."""
        plan = KeywordPlan.compare("list", fetched("a"), WordListInput(search_terms=["a", "B"], name="New"))
        good = fetched("B", "a", "a", name="New", revisionId="r_2")
        update = resolve_update(plan, good, good)
        assert (update.matches, update.missing, update.unexpected, update.differing_fields) == (True, (), (), ())
        update = resolve_update(plan, good, fetched("a", "b", revisionId="r_2"))
        assert (update.matches, update.missing, update.unexpected) == (False, ("B",), ("b",))
        assert (update.differing_fields, update.recovered, update.error) == (("name",), False, None)
        update = resolve_update(plan, good, fetched(searchTerms=None, name="New"))
        assert (update.matches, update.missing) == (None, ())
        update = resolve_update(plan, good, fetched(searchTerms=None))
        assert (update.matches, update.differing_fields) == (False, ("name",))

    @pytest.mark.parametrize(
        ("changed", "differing"),
        [
            ({"description": ""}, ("description",)),
            ({"name": None, "active": False}, ("name", "active")),
            ({"category": "pattern", "default": True}, ("category", "default")),
            ({"metadata": ""}, ()),
        ],
        ids=repr,
    )
    def test_fields_that_were_not_sent(self, changed: dict[str, Any], differing: tuple[str, ...]) -> None:
        """A field that an update does not send must not change; for a text, null and an empty text are the same."""
        before = {"description": "Bad words", "active": True, "default": False}
        plan = KeywordPlan.compare("list", fetched("a", **before), WordListInput(search_terms=["b"]))
        found = fetched("b", **before | {"revisionId": "r_2"} | changed)
        update = resolve_update(plan, found, found)
        assert (update.matches, update.differing_fields) == (not differing, differing)
        plan = KeywordPlan.compare("list", fetched("a", description=None), WordListInput(search_terms=["b"]))
        assert resolve_update(plan, found, fetched("b", description="")).matches is True

    @pytest.mark.parametrize("shown", [('"b, c"', '"say ""hi"""', '"""d"""'), ("b, c", 'say "hi"', '"d"')], ids=repr)
    @pytest.mark.parametrize("quotes", [None, "csv", "literal"])
    def test_quotes_in_the_result(self, shown: tuple[str, ...], quotes: Quotes | None) -> None:
        """Entries of a file match, whether the list shows the rows of the file or the entries."""
        new = from_terms("word", ["b, c", 'say "hi"', '"d"'])
        plan, found = KeywordPlan.compare("list", fetched("a"), new, quotes=quotes), fetched(*shown, revisionId="r_2")
        assert resolve_update(plan, found, found).matches is True
        found = fetched(*shown[1:], '"a"')
        assert resolve_update(plan, found, found).missing == ("b, c",)
        found = fetched('"x"', '"y"')
        plan = KeywordPlan.compare("list", found, WordListInput(search_terms=["x", '"y"']), quotes=quotes)
        assert resolve_update(plan, found, found).matches is (quotes == "csv")

    def test_rows_of_a_file_that_the_list_already_showed(self) -> None:
        """A list that shows the rows of the file before and after the update shows nothing."""
        old, lost = fetched('"b, c"', isCSV=True), TransportError("cut")
        plan = KeywordPlan.compare("list", old, from_terms("word", ["b, c"]))
        assert plan.has_changes
        with pytest.raises(TransportError, match="cut"):
            resolve_update(plan, lost, old)

    def test_entries_that_are_hidden_after_a_lost_response(self) -> None:
        """If the service does not show the entries, a new revision does not show that the update was carried out."""
        error, found = TransportError("cut"), fetched(searchTerms=None, revisionId="r_2")
        error.outcome_unknown = True
        with pytest.raises(TransportError) as caught:
            resolve_update(planned(fetched("a"), "b"), error, found)
        assert caught.value is error
        assert error.outcome_unknown is True
        assert "not known to match the update" in error.__notes__[0]

    def test_plan_without_changes(self) -> None:
        """A list that already matched before the update shows nothing, unless its revision has changed."""
        plan, lost = planned(fetched("a"), "a"), TransportError("cut")
        with pytest.raises(TransportError, match="cut") as caught:
            resolve_update(plan, lost, fetched("a"))
        assert "still unchanged" in caught.value.__notes__[0]
        assert resolve_update(plan, lost, fetched("a", revisionId="r_2")).recovered
