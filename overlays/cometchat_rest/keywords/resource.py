"""Moderation keyword lists: get, update, plan and apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cometchat_openapi.api.keywords import (
    GeneratedAsyncKeywords,
    GeneratedKeywords,
    get_keyword_list,
    update_keyword_list,
)
from cometchat_openapi.models import KeywordList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._call.exchange import CallOutcome, Flow, raise_if_error
from cometchat_rest._call.request import holds_key
from cometchat_rest.errors import CometChatError, InvalidRequestError

if TYPE_CHECKING:
    from cometchat_rest._call.settings import Settings

    from .inputs import KeywordListInput, NewContent
    from .plan import KeywordPlan, KeywordUpdate

# The functions below import late: a program that only gets lists needs neither inputs nor plans.


def _get(list_id: str) -> Flow[KeywordList]:
    keyword_list: KeywordList = raise_if_error((yield get_keyword_list.prepare(list_id))).parsed.data
    return keyword_list


def _update(list_id: str, new: NewContent, settings: Settings) -> Flow[KeywordList]:
    from .inputs import check_content  # noqa: PLC0415 - see above

    content = check_content(new)
    if not isinstance(content, tuple):
        return (yield from _send(list_id, content))
    with settings.span("keywords.update"):
        return (yield from _send(list_id, _input_for((yield from _get(list_id)), content)))


def _send(list_id: str, new: KeywordListInput) -> Flow[KeywordList]:
    from .inputs import to_multipart_form  # noqa: PLC0415 - see above

    update = update_keyword_list.prepare(list_id, body=to_multipart_form(new))
    keyword_list: KeywordList = raise_if_error((yield update)).parsed.data
    return keyword_list


def _plan(list_id: str, new: NewContent, settings: Settings) -> Flow[KeywordPlan]:
    from .inputs import check_content  # noqa: PLC0415 - see above
    from .plan import KeywordPlan  # noqa: PLC0415 - see above

    content = check_content(new)
    keyword_list = yield from _get(list_id)
    if isinstance(content, tuple):
        content = _input_for(keyword_list, content)
    plan = KeywordPlan.compare(list_id, keyword_list, content, base_url=settings.base_url)
    # A plan shows its entries.
    if holds_key(settings, map(str.encode, plan.entries)):
        raise InvalidRequestError("an entry holds the API key of this client; remove the entry", list_id=list_id)
    return plan


def _apply(plan: KeywordPlan, max_removed: float, settings: Settings) -> Flow[KeywordUpdate]:
    # The update is never sent again: the service may have carried it out, and somebody may have changed the list since.
    from .apply import check_revision, prepare_update, resolve_update  # noqa: PLC0415 - see above

    with settings.span("keywords.apply"):
        update = prepare_update(plan, max_removed, settings.base_url)
        check_revision(plan, (yield from _get(plan.list_id)))
        sent = _list_in((yield update))
        if isinstance(sent, CometChatError) and not sent.outcome_unknown:
            raise sent
        return resolve_update(plan, sent, _list_in((yield get_keyword_list.prepare(plan.list_id))))


def _input_for(keyword_list: KeywordList, terms: tuple[str, ...]) -> KeywordListInput:
    from .entries import from_terms, strip_csv_quotes  # noqa: PLC0415 - see above

    return from_terms(keyword_list.category, strip_csv_quotes(keyword_list, terms))


def _list_in(outcome: CallOutcome | None) -> KeywordList | CometChatError:
    if isinstance(outcome, CometChatError):
        return outcome
    keyword_list: KeywordList = raise_if_error(outcome).parsed.data
    return keyword_list


class Keywords(GeneratedKeywords[Api]):
    """The keyword lists of an app, for `Client`."""

    def update(self, list_id: str, new: NewContent) -> KeywordList:
        """Replace the content of a list, and return the list after the change (operation `updateKeywordList`).

        The service does not document whether a field that is not sent keeps its value.

        Args:
            list_id: the list's identifier.
            new: the new content, as an input of the class for its category, or as a dict with the names of the service,
                such as `{"category": "word", "searchTerms": ["spam"]}`; or only its terms or sentences, as for
                `plan()`. For terms, the list is read first, because an update needs the category of the list.

        Raises:
            InvalidRequestError: `list_id` is not a valid identifier, or `new` is not an input and not terms; nothing
                was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service may have carried
                out the update: get the list to see.
        """
        flow = _update(list_id, new, self._client.settings)
        # It may hold a key by mistake, which no traceback shows.
        del new
        return self._client.run(flow)

    def plan(self, list_id: str, new: NewContent) -> KeywordPlan:
        """Plan an update without sending it; `print(plan)` shows the changes (operation `getKeywordList`).

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
        flow = _plan(list_id, new, self._client.settings)
        del new
        return self._client.run(flow)

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        """Send a planned update, and read the list to see the result.

        The list is also read before the update, to see whether it has changed since the plan. Somebody else may still
        change it between that reading and the update: the service has no way to prevent this.

        The update is sent once. If its outcome is unknown (the response was lost, invalid or a 5xx), the list read
        after it may show that the update was carried out. Otherwise the service may still carry it out later.

        Args:
            plan: the result of `plan()` or `KeywordPlan.compare()`, for this app.
            max_removed: the largest allowed share of removed entries, 0 to 1. If the service does not show the list's
                entries, only 1 is enough.

        Returns:
            The list after the update, whether it matches the update, and the differences.

        Raises:
            PlanRefusedError: a larger share than `max_removed` would be removed; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not sent.
            InvalidRequestError: an argument is invalid, or the plan was made for another app; nothing was sent.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the update may have been
                carried out, or may still be carried out: read the list again before you send the update again.
        """
        return self._client.run(_apply(plan, max_removed, self._client.settings))


class AsyncKeywords(GeneratedAsyncKeywords[AsyncApi]):
    """The keyword lists of an app, for `AsyncClient`."""

    async def update(self, list_id: str, new: NewContent) -> KeywordList:
        """Like `Keywords.update`, awaited."""
        flow = _update(list_id, new, self._client.settings)
        del new
        return await self._client.run(flow)

    async def plan(self, list_id: str, new: NewContent) -> KeywordPlan:
        """Like `Keywords.plan`, awaited."""
        flow = _plan(list_id, new, self._client.settings)
        del new
        return await self._client.run(flow)

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        """Like `Keywords.apply`, awaited."""
        return await self._client.run(_apply(plan, max_removed, self._client.settings))
