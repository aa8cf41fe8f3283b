"""Moderation keyword lists: get, update, plan and apply (service.md, sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cometchat_openapi import Call
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._call.exchange import Flow, raise_if_error

if TYPE_CHECKING:
    from cometchat_openapi.models import KeywordListResponse

    from .inputs import KeywordListInput
    from .plan import KeywordPlan, KeywordUpdate

# The functions below import late: a program that only gets lists needs neither inputs nor plans.


def _update(list_id: str, new: KeywordListInput) -> Call[KeywordListResponse]:
    from .inputs import to_multipart_form  # noqa: PLC0415 - see above

    return update_keyword_list.prepare(list_id, body=to_multipart_form(new))


def _plan(list_id: str, new: KeywordListInput | Iterable[str]) -> Flow[KeywordPlan]:
    from .entries import from_terms, strip_csv_quotes  # noqa: PLC0415 - see above
    from .inputs import KeywordListInput, check_terms  # noqa: PLC0415 - see above
    from .plan import compare  # noqa: PLC0415 - see above

    given = new if isinstance(new, KeywordListInput) else check_terms(new)
    found = raise_if_error((yield get_keyword_list.prepare(list_id))).parsed.data
    if isinstance(given, tuple):
        given = from_terms(found.category, strip_csv_quotes(found, given))
    return compare(list_id, found, given)


def _apply(api: Api | AsyncApi, plan: KeywordPlan, max_removed: float, settle_within: float) -> Flow[KeywordUpdate]:
    from .apply import apply  # noqa: PLC0415 - see above

    return apply(plan, max_removed, settle_within, api.settings.deadline)


class Keywords:
    """The keyword lists of an app, for `Client`."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, list_id: str) -> KeywordList:
        """Get a list with its entries (service.md, section 4.1).

        Args:
            list_id: the list's identifier.

        Raises:
            InvalidRequestError: `list_id` is not a valid identifier; nothing was sent.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        return self._api.send(get_keyword_list.prepare(list_id)).parsed.data

    def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """Replace the content of a list, and return the list after the change (service.md, section 4.2).

        The service does not document whether a field that is not sent keeps its value.

        Args:
            list_id: the list's identifier.
            new: the new content, as an input of the class for its category.

        Raises:
            InvalidRequestError: `list_id` is not a valid identifier, or `new` is not an input; nothing was sent.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service may have carried
                out the update: get the list to see.
        """
        return self._api.send(_update(list_id, new)).parsed.data

    def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordPlan:
        """Plan an update without sending it; `print(plan)` shows the changes (service.md, sections 2.2 and 4.1).

        Args:
            list_id: the list's identifier.
            new: the new content; or only its terms or sentences, for the category of the list. If one of these terms
                holds a comma or a line break, all of them are sent as a CSV file.

        Returns:
            The current list, the new content, and the difference.

        Raises:
            InvalidRequestError: `list_id` is not a valid identifier, or `new` holds a text that cannot be sent, or a
                file that is not UTF-8.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        return self._api.run(_plan(list_id, new))

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2, settle_within: float = 5.0) -> KeywordUpdate:
        """Send a planned update, and read the list to see the result (service.md, sections 4.1 and 4.2).

        The list is also read before the update, to see whether it has changed since the plan. Somebody else may still
        change it between that reading and the update: the service has no way to prevent this.

        The update is sent once. If its outcome is unknown (the response was lost, invalid or a 5xx), the service may
        still carry it out later. The list is then read again and again, until it matches the update or the time is
        over.

        Args:
            plan: the result of `plan()`.
            max_removed: the largest allowed share of removed entries, 0 to 1. If the service does not show the list's
                entries, only 1 is enough.
            settle_within: seconds to go on reading the list after an unknown outcome, but not longer than the client's
                deadline. 0 reads the list once. Each reading is a call with its own deadline, so the last one may end
                later.

        Returns:
            The list after the update, whether it matches the update, and the differences.

        Raises:
            PlanRefusedError: a larger share than `max_removed` would be removed; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not sent.
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the update may have been
                carried out, or may still be carried out: read the list again before you send the update again.
        """
        return self._api.run(_apply(self._api, plan, max_removed, settle_within))


class AsyncKeywords:
    """The keyword lists of an app, for `AsyncClient`."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def get(self, list_id: str) -> KeywordList:
        """Like `Keywords.get`, awaited."""
        return (await self._api.send(get_keyword_list.prepare(list_id))).parsed.data

    async def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """Like `Keywords.update`, awaited."""
        return (await self._api.send(_update(list_id, new))).parsed.data

    async def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordPlan:
        """Like `Keywords.plan`, awaited."""
        return await self._api.run(_plan(list_id, new))

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2, settle_within: float = 5.0) -> KeywordUpdate:
        """Like `Keywords.apply`, awaited."""
        return await self._api.run(_apply(self._api, plan, max_removed, settle_within))
