"""Moderation keyword lists: get, update, plan and apply."""

from __future__ import annotations

from typing import Generic, cast

from cometchat_openapi import Call
from cometchat_openapi.api.keywords import AsyncKeywords as GeneratedAsyncKeywords
from cometchat_openapi.api.keywords import Keywords as GeneratedKeywords
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListForm, KeywordListResponse
from cometchat_rest._call.api import AnyApi, Api, ApiT, AsyncApi
from cometchat_rest._call.steps import Steps
from cometchat_rest.errors import CometChatError
from cometchat_rest.keyword_input.entries import from_terms, strip_csv_quotes
from cometchat_rest.keyword_input.inputs import KeywordListInput, NewContent, check_content, to_multipart_form

from .apply import check_revision, prepare_update, resolve_update
from .plan import KeywordPlan, KeywordUpdate


def _update(api: AnyApi, keyword_id: str, new: NewContent | KeywordListForm) -> Steps[KeywordList]:
    if isinstance(new, KeywordListForm):
        return (yield from api.response(update_keyword_list.prepare(keyword_id, body=new))).parsed.data
    content = check_content(new)
    if isinstance(content, tuple):
        content = _input_for((yield from _get(api, keyword_id)), content)
    update = update_keyword_list.prepare(keyword_id, body=to_multipart_form(content))
    return (yield from api.response(update)).parsed.data


def _plan(api: AnyApi, keyword_id: str, new: NewContent) -> Steps[KeywordPlan]:
    content = check_content(new)
    keyword_list = yield from _get(api, keyword_id)
    if isinstance(content, tuple):
        content = _input_for(keyword_list, content)
    return KeywordPlan.compare(keyword_id, keyword_list, content, base_url=api.options.base_url)


def _apply(api: AnyApi, plan: KeywordPlan, max_removed: float) -> Steps[KeywordUpdate]:
    # The update is never sent again: the service may have carried it out, and somebody may have changed the list since.
    update = prepare_update(plan, max_removed, api.options.base_url)
    check_revision(plan, (yield from _get(api, plan.keyword_id)))
    sent = yield from _list_or_error(api, update)
    if isinstance(sent, CometChatError) and not sent.outcome_unknown:
        raise sent
    now = yield from _list_or_error(api, get_keyword_list.prepare(plan.keyword_id))
    return resolve_update(plan, sent, now)


def _get(api: AnyApi, keyword_id: str) -> Steps[KeywordList]:
    keyword_list = yield from _list_or_error(api, get_keyword_list.prepare(keyword_id))
    if isinstance(keyword_list, CometChatError):
        raise keyword_list
    return keyword_list


def _list_or_error(api: AnyApi, call: Call[KeywordListResponse]) -> Steps[KeywordList | CometChatError]:
    outcome = yield from api.steps(call)
    return outcome if isinstance(outcome, CometChatError) else outcome.parsed.data


def _input_for(keyword_list: KeywordList, terms: tuple[str, ...]) -> KeywordListInput:
    return from_terms(keyword_list.category, strip_csv_quotes(keyword_list, terms))


class _Methods(Generic[ApiT]):
    """Each method returns its steps; `Keywords` and `AsyncKeywords` carry them out, and inherit its docstring."""

    _client: ApiT

    def update(self, keyword_id: str, new: NewContent | KeywordListForm) -> object:
        """Replace the content of a list, and return the list after the change (operation `updateKeywordList`).

        The service does not document whether a field that is not sent keeps its value.

        Args:
            keyword_id: the list's identifier.
            new: the new content: an input of the class for its category; a mapping as `keyword_input.parse` reads it;
                or only the terms or sentences. For terms, the list is read first, because an update needs its category.
                A `KeywordListForm` is sent as it is.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service may have carried
                out the update: get the list to see.
        """
        return _update(self._client, keyword_id, new)

    def plan(self, keyword_id: str, new: NewContent) -> object:
        """Plan an update without sending it; `print(plan)` shows the changes (operation `getKeywordList`).

        Args:
            keyword_id: the list's identifier.
            new: the new content, as for `update()`. If a term holds a comma or a line break, all terms are sent as a
                CSV file.

        Returns:
            The current list, the new content, and the difference.

        Raises:
            InvalidRequestError: an argument is invalid, or a file is not UTF-8.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        return _plan(self._client, keyword_id, new)

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> object:
        """Send a planned update once, and read the list to see the result.

        The list is also read before the update, to see whether it has changed since the plan. The service has no way to
        prevent a change between that reading and the update. If the outcome of the update is unknown, the list read
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
            CometChatError: any other error of a call. If its `outcome_unknown` is true, read the list again before you
                send the update again.
        """
        return _apply(self._client, plan, max_removed)


# `update` also takes the form of the generated method, with the name of its own argument.
# pyright: reportIncompatibleMethodOverride=false
class Keywords(_Methods[Api], GeneratedKeywords[Api]):
    """The keyword lists of an app, for `Client`."""

    def update(self, keyword_id: str, new: NewContent | KeywordListForm) -> KeywordList:
        return self._client.run(cast("Steps[KeywordList]", super().update(keyword_id, new)))

    def plan(self, keyword_id: str, new: NewContent) -> KeywordPlan:
        return self._client.run(cast("Steps[KeywordPlan]", super().plan(keyword_id, new)))

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        return self._client.run(cast("Steps[KeywordUpdate]", super().apply(plan, max_removed=max_removed)))


class AsyncKeywords(_Methods[AsyncApi], GeneratedAsyncKeywords[AsyncApi]):
    """The keyword lists of an app, for `AsyncClient`."""

    async def update(self, keyword_id: str, new: NewContent | KeywordListForm) -> KeywordList:
        return await self._client.run(cast("Steps[KeywordList]", super().update(keyword_id, new)))

    async def plan(self, keyword_id: str, new: NewContent) -> KeywordPlan:
        return await self._client.run(cast("Steps[KeywordPlan]", super().plan(keyword_id, new)))

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        return await self._client.run(cast("Steps[KeywordUpdate]", super().apply(plan, max_removed=max_removed)))
