"""Moderation keyword lists: get, update, plan and apply."""

from cometchat_openapi.api import keywords as generated
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListForm, KeywordListResponse
from cometchat_rest.errors import CometChatError
from cometchat_rest.keyword_input.entries import replace_entries
from cometchat_rest.keyword_input.inputs import (
    NewContent,
    Quotes,
    check_content,
    to_multipart_form,
)
from cometchat_runtime.api import BaseApi
from cometchat_runtime.operation import Response
from cometchat_runtime.steps import Steps

from .apply import check_revision, resolve_update, update_call
from .plan import KeywordPlan, KeywordUpdate


def _get_steps(api: BaseApi, keyword_id: str) -> Steps[KeywordList]:
    response = yield from api.response(get_keyword_list.prepare(keyword_id))
    return response.parsed.data


def _list_or_error(
    steps: Steps[Response[KeywordListResponse] | CometChatError],
) -> Steps[KeywordList | CometChatError]:
    outcome = yield from steps
    return outcome if isinstance(outcome, CometChatError) else outcome.parsed.data


def update_steps(
    api: BaseApi, keyword_id: str, new: NewContent | KeywordListForm, quotes: Quotes | None
) -> Steps[KeywordList]:
    """Send an update; for terms alone, first read the list, whose other fields are sent again."""
    if isinstance(new, KeywordListForm):
        form = new
    else:
        content = check_content(new, quotes)
        if isinstance(content, tuple):
            keyword_list = yield from _get_steps(api, keyword_id)
            content = replace_entries(keyword_list, content, quotes)
        form = to_multipart_form(content)
    response = yield from api.response(update_keyword_list.prepare(keyword_id, new=form))
    return response.parsed.data


def plan_steps(
    api: BaseApi, keyword_id: str, new: NewContent, quotes: Quotes | None
) -> Steps[KeywordPlan]:
    """Read the list, and compare it with the new content."""
    content = check_content(new, quotes)
    keyword_list = yield from _get_steps(api, keyword_id)
    base_url = api.options.base_url
    return KeywordPlan.compare(keyword_id, keyword_list, content, quotes=quotes, base_url=base_url)


def apply_steps(api: BaseApi, plan: KeywordPlan, max_removed: float | None) -> Steps[KeywordUpdate]:
    """Read the list, send the planned update if the list has not changed, and read it back."""
    update = update_call(plan, max_removed, api.options.base_url)

    def check() -> Steps[None]:
        keyword_list = yield from _get_steps(api, plan.keyword_id)
        check_revision(plan, keyword_list)

    yield from check()
    sent = yield from _list_or_error(api.steps(update, recheck=check))
    if isinstance(sent, CometChatError) and not sent.outcome_unknown:
        raise sent
    reading = get_keyword_list.prepare(plan.keyword_id)
    now = yield from _list_or_error(api.steps(reading))
    return resolve_update(plan, sent, now)


class Keywords(generated.Keywords):
    """The keyword lists of an app, for `Client`."""

    def update(
        self, keyword_id: str, new: NewContent | KeywordListForm, *, quotes: Quotes | None = None
    ) -> KeywordList:
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

        Returns:
            The list, as the response to the update shows it.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service
                may have carried out the update: get the list to see.
        """
        return self._api.run(update_steps(self._api, keyword_id, new, quotes))

    def plan(
        self, keyword_id: str, new: NewContent, *, quotes: Quotes | None = None
    ) -> KeywordPlan:
        """Plan an update without sending it; `print(plan)` shows the changes (operation
        `getKeywordList`).

        Args:
            keyword_id: the list's identifier.
            new: the new content, as for `update()`. If a term holds a comma or a line break, all
                terms are sent as a CSV file.
            quotes: as for `update()`. `"csv"` also removes the quotes of the list before it is
                compared with an input.

        Returns:
            The plan, for `apply`.

        Raises:
            InvalidRequestError: an argument is invalid, or a file is not UTF-8.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        return self._api.run(plan_steps(self._api, keyword_id, new, quotes))

    def apply(self, plan: KeywordPlan, *, max_removed: float | None = None) -> KeywordUpdate:
        """Send a planned update once, and read the list to see the result.

        The list is also read before the update, to see whether it has changed since the plan; the
        service cannot prevent a change after that reading. If the outcome of the update is unknown,
        the list may show that it was carried out. Otherwise the service may still carry it out
        later.

        Args:
            plan: the result of `plan()` or `KeywordPlan.compare()`, for this app.
            max_removed: the allowed removals, see `KeywordPlan.check_removed`.

        Returns:
            The list after the update, compared with the plan.

        Raises:
            PlanRefusedError: more than `max_removed` allows would be removed; nothing was sent.
            RevisionConflictError: the list has changed since the plan was made; the update was not
                sent.
            InvalidRequestError: an argument is invalid, or the plan was made for another app;
                nothing was sent.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, read the
                list again before you send the update again.
        """
        return self._api.run(apply_steps(self._api, plan, max_removed))


class AsyncKeywords(generated.AsyncKeywords):
    """The keyword lists of an app, for `AsyncClient`."""

    async def update(
        self, keyword_id: str, new: NewContent | KeywordListForm, *, quotes: Quotes | None = None
    ) -> KeywordList:
        """Like `Keywords.update`, awaited."""
        return await self._api.run(update_steps(self._api, keyword_id, new, quotes))

    async def plan(
        self, keyword_id: str, new: NewContent, *, quotes: Quotes | None = None
    ) -> KeywordPlan:
        """Like `Keywords.plan`, awaited."""
        return await self._api.run(plan_steps(self._api, keyword_id, new, quotes))

    async def apply(self, plan: KeywordPlan, *, max_removed: float | None = None) -> KeywordUpdate:
        """Like `Keywords.apply`, awaited."""
        return await self._api.run(apply_steps(self._api, plan, max_removed))
