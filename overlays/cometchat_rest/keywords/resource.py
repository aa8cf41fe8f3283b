"""Moderation keyword lists: get, update, plan and apply."""

from typing import Generic, cast

from cometchat_openapi.api.keywords import AsyncKeywords as GeneratedAsyncKeywords
from cometchat_openapi.api.keywords import Keywords as GeneratedKeywords
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListForm, KeywordListResponse
from cometchat_openapi.types import Response
from cometchat_rest.keyword_input.entries import replace_entries
from cometchat_rest.keyword_input.inputs import NewContent, Quotes, check_content, to_multipart_form
from cometchat_runtime.api import Api, ApiT, AsyncApi, BaseApi
from cometchat_runtime.errors import CometChatError
from cometchat_runtime.steps import Steps

from .apply import check_revision, prepare_update, resolve_update
from .plan import KeywordPlan, KeywordUpdate


def _get(api: BaseApi, keyword_id: str) -> Steps[KeywordList]:
    return (yield from api.response(get_keyword_list.prepare(keyword_id))).parsed.data


def _list_or_error(
    steps: Steps[Response[KeywordListResponse] | CometChatError],
) -> Steps[KeywordList | CometChatError]:
    outcome = yield from steps
    return outcome if isinstance(outcome, CometChatError) else outcome.parsed.data


class _Methods(Generic[ApiT]):
    """Each method returns its steps; `Keywords` and `AsyncKeywords` carry them out, and inherit
    its docstring."""

    _client: ApiT

    def update(
        self, keyword_id: str, new: NewContent | KeywordListForm, *, quotes: Quotes | None = None
    ) -> Steps[KeywordList] | object:
        """Replace the content of a list, and return the list after the change (operation
        `updateKeywordList`).

        The service does not document whether a field that is not sent keeps its value. An input is
        sent as it is. For terms, the list is read first, and its category, name and description are
        sent as well. All entries may be removed: only `apply` has a limit.

        Args:
            keyword_id: the list's identifier.
            new: the new content: an input of the class for its category; a mapping as
                `keyword_input.parse` reads it; or only the terms or sentences. A `KeywordListForm`
                is sent as it is.
            quotes: required for terms if the list shows entries in double quotes: `"csv"` if the
                quotes belong to its CSV file, and are removed from the terms; `"literal"` if they
                belong to the entries.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service
                may have carried out the update: get the list to see.
        """
        if isinstance(new, KeywordListForm):
            form = new
        else:
            content = check_content(new, quotes)
            if isinstance(content, tuple):
                content = replace_entries(
                    (yield from _get(self._client, keyword_id)), content, quotes
                )
            form = to_multipart_form(content)
        return (
            yield from self._client.response(update_keyword_list.prepare(keyword_id, body=form))
        ).parsed.data

    def plan(
        self, keyword_id: str, new: NewContent, *, quotes: Quotes | None = None
    ) -> Steps[KeywordPlan] | object:
        """Plan an update without sending it; `print(plan)` shows the changes (operation
        `getKeywordList`).

        Args:
            keyword_id: the list's identifier.
            new: the new content, as for `update()`. If a term holds a comma or a line break, all
                terms are sent as a CSV file.
            quotes: as for `update()`. `"csv"` also removes the quotes of the list before it is
                compared with an input.

        Raises:
            InvalidRequestError: an argument is invalid, or a file is not UTF-8.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        content = check_content(new, quotes)
        keyword_list = yield from _get(self._client, keyword_id)
        base_url = self._client.options.base_url
        return KeywordPlan.compare(
            keyword_id, keyword_list, content, quotes=quotes, base_url=base_url
        )

    def apply(
        self, plan: KeywordPlan, *, max_removed: float | None = None
    ) -> Steps[KeywordUpdate] | object:
        """Send a planned update once, and read the list to see the result.

        The list is also read before the update, to see whether it has changed since the plan; the
        service cannot prevent a change after that reading. If the outcome of the update is unknown,
        the list may show that it was carried out. Otherwise the service may still carry it out
        later.

        Args:
            plan: the result of `plan()` or `KeywordPlan.compare()`, for this app.
            max_removed: the allowed removals, see `KeywordPlan.check_removed`.

        Raises:
            PlanRefusedError: more than `max_removed` allows would be removed; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not
                sent.
            InvalidRequestError: an argument is invalid, or the plan was made for another app;
                nothing was sent.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, read the
                list again before you send the update again.
        """
        update = prepare_update(plan, max_removed, self._client.options.base_url)

        def check() -> Steps[None]:
            check_revision(plan, (yield from _get(self._client, plan.keyword_id)))

        yield from check()
        sent = yield from _list_or_error(self._client.steps(update, recheck=check))
        if isinstance(sent, CometChatError) and not sent.outcome_unknown:
            raise sent
        now = yield from _list_or_error(
            self._client.steps(get_keyword_list.prepare(plan.keyword_id))
        )
        return resolve_update(plan, sent, now)


# `update` also takes the form of the generated method, with the name of its own argument.
# pyright: reportIncompatibleMethodOverride=false
class Keywords(_Methods[Api], GeneratedKeywords[Api]):
    """The keyword lists of an app, for `Client`."""

    def update(
        self, keyword_id: str, new: NewContent | KeywordListForm, *, quotes: Quotes | None = None
    ) -> KeywordList:
        return self._client.run(
            cast("Steps[KeywordList]", super().update(keyword_id, new, quotes=quotes))
        )

    def plan(
        self, keyword_id: str, new: NewContent, *, quotes: Quotes | None = None
    ) -> KeywordPlan:
        return self._client.run(
            cast("Steps[KeywordPlan]", super().plan(keyword_id, new, quotes=quotes))
        )

    def apply(self, plan: KeywordPlan, *, max_removed: float | None = None) -> KeywordUpdate:
        return self._client.run(
            cast("Steps[KeywordUpdate]", super().apply(plan, max_removed=max_removed))
        )


class AsyncKeywords(_Methods[AsyncApi], GeneratedAsyncKeywords[AsyncApi]):
    """The keyword lists of an app, for `AsyncClient`."""

    async def update(
        self, keyword_id: str, new: NewContent | KeywordListForm, *, quotes: Quotes | None = None
    ) -> KeywordList:
        return await self._client.run(
            cast("Steps[KeywordList]", super().update(keyword_id, new, quotes=quotes))
        )

    async def plan(
        self, keyword_id: str, new: NewContent, *, quotes: Quotes | None = None
    ) -> KeywordPlan:
        return await self._client.run(
            cast("Steps[KeywordPlan]", super().plan(keyword_id, new, quotes=quotes))
        )

    async def apply(self, plan: KeywordPlan, *, max_removed: float | None = None) -> KeywordUpdate:
        return await self._client.run(
            cast("Steps[KeywordUpdate]", super().apply(plan, max_removed=max_removed))
        )
