"""Moderation keyword lists: get, update, plan and apply (service.md, sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._call.exchange import Flow, raise_if_error

if TYPE_CHECKING:
    from .inputs import KeywordListInput
    from .plan import KeywordPlan, KeywordUpdate

# The functions below import late: a program that only gets lists needs neither inputs nor plans.


def _update(list_id: str, new: KeywordListInput | Iterable[str]) -> Flow[KeywordList]:
    from .inputs import check_content, to_multipart_form  # noqa: PLC0415 - see above

    given = check_content(new)
    if isinstance(given, tuple):
        given = _input_for((yield from _get(list_id)), given)
    update = update_keyword_list.prepare(list_id, body=to_multipart_form(given))
    found: KeywordList = raise_if_error((yield update)).parsed.data
    return found


def _update_span(new: KeywordListInput | Iterable[str]) -> str | None:
    """The name of the span of an update: with terms it makes two calls, and with an input only one."""
    return None if hasattr(new, "category") else "keywords.update"


def _plan(list_id: str, new: KeywordListInput | Iterable[str], base_url: str) -> Flow[KeywordPlan]:
    from .inputs import check_content  # noqa: PLC0415 - see above
    from .plan import compare  # noqa: PLC0415 - see above

    given = check_content(new)
    found = yield from _get(list_id)
    if isinstance(given, tuple):
        given = _input_for(found, given)
    return compare(list_id, found, given, base_url=base_url)


def _plan_changes(list_id: str, add: Iterable[str], remove: Iterable[str], base_url: str) -> Flow[KeywordPlan]:
    from .changes import check_changes, plan_of_changes  # noqa: PLC0415 - see above

    add, remove = check_changes(add, remove)
    return plan_of_changes(list_id, (yield from _get(list_id)), add, remove, base_url=base_url)


def _apply(api: Api | AsyncApi, plan: KeywordPlan, max_removed: float, settle_within: float) -> Flow[KeywordUpdate]:
    from .apply import apply  # noqa: PLC0415 - see above

    return apply(plan, max_removed, settle_within, api.settings.deadline, api.settings.base_url)


def _get(list_id: str) -> Flow[KeywordList]:
    found: KeywordList = raise_if_error((yield get_keyword_list.prepare(list_id))).parsed.data
    return found


def _input_for(found: KeywordList, terms: tuple[str, ...]) -> KeywordListInput:
    from .entries import from_terms, strip_csv_quotes  # noqa: PLC0415 - see above

    return from_terms(found.category, strip_csv_quotes(found, terms))


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

    def update(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordList:
        """Replace the content of a list, and return the list after the change (service.md, section 4.2).

        The service does not document whether a field that is not sent keeps its value.

        Args:
            list_id: the list's identifier.
            new: the new content, as an input of the class for its category; or only its terms or sentences, as for
                `plan()`. For terms, the list is read first, because an update needs the category of the list.

        Raises:
            InvalidRequestError: `list_id` is not a valid identifier, or `new` is not an input and not terms; nothing
                was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service may have carried
                out the update: get the list to see.
        """
        with self._api.span(_update_span(new)):
            return self._api.run(_update(list_id, new))

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
        return self._api.run(_plan(list_id, new, self._api.settings.base_url))

    def plan_changes(self, list_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> KeywordPlan:
        """Plan to add and remove entries, without sending anything (service.md, sections 2.2 and 4.1).

        The list is read once. The entries that it has keep their order, and new entries are appended. An entry that the
        list already has, or does not have, is no error: the plan shows it. `max_removed` does not apply to the plan,
        because you named each removed entry.

        Args:
            list_id: the list's identifier.
            add: the terms or sentences to add. If one of the entries of the list then holds a comma or a line break,
                all of them are sent as a CSV file.
            remove: the terms or sentences to remove, exactly as the list has them. If a list made from CSV shows an
                entry in double quotes, the quotes may be left out.

        Returns:
            The current list, its new content, and the difference. If the list changes before the plan is applied, make
            the same plan again.

        Raises:
            InvalidRequestError: there are no entries, an entry cannot be sent or is in both arguments, the service does
                not show the entries of the list, or no entry would be left.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        return self._api.run(_plan_changes(list_id, add, remove, self._api.settings.base_url))

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2, settle_within: float = 5.0) -> KeywordUpdate:
        """Send a planned update, and read the list to see the result (service.md, sections 4.1 and 4.2).

        The list is also read before the update, to see whether it has changed since the plan. Somebody else may still
        change it between that reading and the update: the service has no way to prevent this.

        The update is sent once. If its outcome is unknown (the response was lost, invalid or a 5xx), the service may
        still carry it out later. The list is then read again and again, until it matches the update or the time is
        over.

        Args:
            plan: the result of `plan()`, `plan_changes()` or `KeywordPlan.from_dict()`, for this app.
            max_removed: the largest allowed share of removed entries, 0 to 1. If the service does not show the list's
                entries, only 1 is enough. It does not apply to a plan from `plan_changes()`.
            settle_within: seconds to go on reading the list after an unknown outcome, but not longer than the client's
                deadline. 0 reads the list once. Each reading is a call with its own deadline, so the last one may end
                later.

        Returns:
            The list after the update, whether it matches the update, and the differences.

        Raises:
            PlanRefusedError: a larger share than `max_removed` would be removed; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not sent.
            InvalidRequestError: an argument is invalid, or the plan was made for another app; nothing was sent.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the update may have been
                carried out, or may still be carried out: read the list again before you send the update again.
        """
        with self._api.span("keywords.apply"):
            return self._api.run(_apply(self._api, plan, max_removed, settle_within))


class AsyncKeywords:
    """The keyword lists of an app, for `AsyncClient`."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def get(self, list_id: str) -> KeywordList:
        """Like `Keywords.get`, awaited."""
        return (await self._api.send(get_keyword_list.prepare(list_id))).parsed.data

    async def update(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordList:
        """Like `Keywords.update`, awaited."""
        with self._api.span(_update_span(new)):
            return await self._api.run(_update(list_id, new))

    async def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> KeywordPlan:
        """Like `Keywords.plan`, awaited."""
        return await self._api.run(_plan(list_id, new, self._api.settings.base_url))

    async def plan_changes(self, list_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> KeywordPlan:
        """Like `Keywords.plan_changes`, awaited."""
        return await self._api.run(_plan_changes(list_id, add, remove, self._api.settings.base_url))

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2, settle_within: float = 5.0) -> KeywordUpdate:
        """Like `Keywords.apply`, awaited."""
        with self._api.span("keywords.apply"):
            return await self._api.run(_apply(self._api, plan, max_removed, settle_within))
