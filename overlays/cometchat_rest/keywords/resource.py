"""Moderation keyword lists: get and update one (service.md, sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cometchat_openapi import Call
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._call.exchange import Flow, Outcome, raise_if_error
from cometchat_rest.errors import CometChatError

if TYPE_CHECKING:
    from cometchat_openapi.models import KeywordListResponse

    from .inputs import KeywordListInput
    from .plan import KeywordPlan, KeywordUpdate


def _update(list_id: str, new: KeywordListInput) -> Call[KeywordListResponse]:
    from .inputs import to_multipart_form  # noqa: PLC0415 - loaded wherever there is an input

    return update_keyword_list.prepare(list_id, body=to_multipart_form(new))


def _list_in(outcome: Outcome | None) -> KeywordList | CometChatError:
    if isinstance(outcome, CometChatError):
        return outcome
    found: KeywordList = raise_if_error(outcome).parsed.data
    return found


def _plan(list_id: str, new: KeywordListInput | Iterable[str]) -> Flow[KeywordPlan]:
    from .inputs import KeywordListInput, check_terms, from_terms, strip_csv_quotes  # noqa: PLC0415 - as in `_update`
    from .plan import compare  # noqa: PLC0415 - a program that only gets lists has no use for it

    given = new if isinstance(new, KeywordListInput) else check_terms(new)
    found = raise_if_error((yield get_keyword_list.prepare(list_id))).parsed.data
    if isinstance(given, tuple):
        given = from_terms(found.category, strip_csv_quotes(found, given))
    return compare(list_id, found, given)


def _apply(plan: KeywordPlan, max_removed: float) -> Flow[KeywordUpdate]:
    from .plan import check_removed, check_revision, resolve_update  # noqa: PLC0415 - loaded wherever there is a plan

    check_removed(plan, max_removed)
    get, update = get_keyword_list.prepare(plan.list_id), _update(plan.list_id, plan.new)
    check_revision(plan, raise_if_error((yield get)).parsed.data)
    sent = _list_in((yield update))
    if isinstance(sent, CometChatError) and not sent.outcome_unknown:
        raise sent
    # Never the update again: it may have been carried out, and somebody may have changed the list since.
    return resolve_update(plan, sent, _list_in((yield get)))


class Keywords:
    """The keyword lists of the app, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, list_id: str) -> KeywordList:
        """One list with its entries (service.md, section 4.1).

        Args:
            list_id: the list's identifier.

        Raises:
            InvalidRequestError: `list_id` cannot be one segment of a path; nothing was sent.
            NotFoundError: there is no such list.
            CometChatError: whatever else can become of a call.
        """
        return self._api.send(get_keyword_list.prepare(list_id)).parsed.data

    def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """Change one list and return it as it is afterwards (service.md, section 4.2).

        The service does not document whether fields that are left out keep their value.

        Args:
            list_id: the list's identifier.
            new: the new content, of the class that belongs to its category.

        Raises:
            InvalidRequestError: `list_id` cannot be one segment of a path, or `new` is no keyword input; nothing was
                sent.
            NotFoundError: there is no such list.
            CometChatError: whatever else can become of a call. Where its `outcome_unknown` is true, get the list to
                see.
        """
        return self._api.send(_update(list_id, new)).parsed.data

    def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordPlan:
        """What an update would change, without sending it; `print(plan)` shows it (service.md, sections 2.2 and 4.1).

        Args:
            list_id: the list's identifier.
            new: the new content; or its terms or sentences alone, for the category that the list has. Where one of
                those holds a comma or a line break, all of them go as a CSV file.

        Returns:
            The list as it was read, beside what it would become.

        Raises:
            InvalidRequestError: `list_id` cannot be one segment of a path, or `new` holds what cannot be sent, or
                cannot be read as UTF-8.
            NotFoundError: there is no such list.
            CometChatError: whatever else can become of a call.
        """
        return self._api.run(_plan(list_id, new))

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        """Send a planned update, and read the list back to see what became of it (service.md, sections 4.1 and 4.2).

        The list is read before the update as well, to see whether it is still what was planned for. Between that and
        the update somebody else may still change it: the service has no way to rule that out.

        An update whose answer was lost is never sent again. If the list that is read back is what was sent, it
        succeeded.

        Args:
            plan: what `plan()` returned.
            max_removed: the largest share of the list's entries that may go, 0 to 1. Only 1 allows a list whose entries
                the service does not show.

        Returns:
            The list as it was read back, whether it is what was sent, and what differs.

        Raises:
            PlanRefusedError: more than `max_removed` would go; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not sent.
            InvalidRequestError: `plan` is no plan, or `max_removed` no share; nothing was sent.
            CometChatError: whatever else can become of a call. Its `outcome_unknown` is true where the update's answer
                was lost, and reading the list back did not tell what became of it.
        """
        return self._api.run(_apply(plan, max_removed))


class AsyncKeywords:
    """The keyword lists of the app, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def get(self, list_id: str) -> KeywordList:
        """As `Keywords.get`, awaited."""
        return (await self._api.send(get_keyword_list.prepare(list_id))).parsed.data

    async def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """As `Keywords.update`, awaited."""
        return (await self._api.send(_update(list_id, new))).parsed.data

    async def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordPlan:
        """As `Keywords.plan`, awaited."""
        return await self._api.run(_plan(list_id, new))

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        """As `Keywords.apply`, awaited."""
        return await self._api.run(_apply(plan, max_removed))
