"""Moderation keyword lists: get, update, plan and apply."""

from cometchat_openapi.api import keywords as generated
from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListForm, KeywordListResponse
from cometchat_rest.errors import CometChatError
from cometchat_rest.keyword_input.inputs import (
    KeywordListInput,
    NewContent,
    Quotes,
    check_content,
    check_new_terms,
    to_multipart_form,
)
from cometchat_runtime.api import BaseApi
from cometchat_runtime.checks import check_type
from cometchat_runtime.operation import Response
from cometchat_runtime.steps import Steps

from .apply import check_revision, resolve_update, warn_about_entries, warn_about_response
from .plan import KeywordPlan, KeywordUpdate, check_unlimited


def _get_steps(api: BaseApi, keyword_id: str) -> Steps[KeywordList]:
    response = yield from api.response_steps(get_keyword_list.prepare(keyword_id=keyword_id))
    return response.parsed.data


def _list_or_error(
    steps: Steps[Response[KeywordListResponse] | CometChatError],
) -> Steps[KeywordList | CometChatError]:
    outcome = yield from steps
    return outcome if isinstance(outcome, CometChatError) else outcome.parsed.data


def update_steps(
    api: BaseApi,
    keyword_id: str,
    new: NewContent | KeywordListForm,
    quotes: Quotes | None,
    max_removed: float | None,
) -> Steps[KeywordList]:
    """Send an update. For terms alone, first read the list, whose other fields are sent again, and
    check how many entries would be removed."""
    content = new if isinstance(new, KeywordListForm) else check_content(new, quotes)
    if isinstance(content, tuple):
        plan = yield from plan_steps(api, keyword_id, content, quotes)
        plan.check_removed(max_removed)
        content = plan.new
    else:
        check_unlimited(max_removed)
    form = to_multipart_form(content) if isinstance(content, KeywordListInput) else content
    response = yield from api.response_steps(
        update_keyword_list.prepare(keyword_id=keyword_id, new=form)
    )
    now = response.parsed.data
    if isinstance(content, KeywordListInput):
        warn_about_response(content, now, quotes)
    return now


def plan_steps(
    api: BaseApi,
    keyword_id: str,
    new: NewContent,
    quotes: Quotes | None,
    *,
    change_category: bool = False,
) -> Steps[KeywordPlan]:
    """Read the list, and compare it with the new content."""
    content = check_content(new, quotes)
    keyword_list = yield from _get_steps(api, keyword_id)
    plan = KeywordPlan.compare(
        keyword_id,
        keyword_list,
        content,
        quotes=quotes,
        change_category=change_category,
        base_url=api.options.base_url,
    )
    if isinstance(content, tuple):
        check_new_terms(content, shown={*(plan.current or ())})
    return plan


def apply_steps(api: BaseApi, plan: KeywordPlan, max_removed: float | None) -> Steps[KeywordUpdate]:
    """Read the list, send the planned update if the list has not changed, and read it back."""
    check_type("plan", plan, KeywordPlan, "the result of keywords.plan()")
    plan.check_app(api.options.base_url)
    plan.check_removed(max_removed)
    update = update_keyword_list.prepare(
        keyword_id=plan.keyword_id, new=to_multipart_form(plan.new)
    )

    def check() -> Steps[None]:
        keyword_list = yield from _get_steps(api, plan.keyword_id)
        check_revision(plan, keyword_list)

    yield from check()
    sent = yield from _list_or_error(api.steps(update, recheck=check))
    if isinstance(sent, CometChatError) and not sent.outcome_unknown:
        raise sent
    now = yield from _list_or_error(api.steps(get_keyword_list.prepare(keyword_id=plan.keyword_id)))
    result = resolve_update(plan, sent, now)
    warn_about_entries(result.missing, result.unexpected)
    return result


class Keywords(generated.Keywords):
    """The keyword lists of an app, for `Client`."""

    def update(
        self,
        keyword_id: str,
        new: NewContent | KeywordListForm,
        *,
        quotes: Quotes | None = None,
        max_removed: float | None = None,
    ) -> KeywordList:
        """Replace the content of a list, and return the list after the change (operation
        `updateKeywordList`).

        All entries that are not among the new ones are removed. For terms, the list is read first:
        the removals have the limit of `apply`, and the category, name and description of the list
        are sent as well. An input is sent as it is, without a limit; the service does not document
        whether a field that is not sent keeps its value. A log record says so if the response shows
        other entries than were sent, unless a form or a file of more than 256 KiB is sent.

        Args:
            keyword_id: the list's identifier.
            new: the new content: an input of the class for its category; a mapping as
                `keyword_input.parse` reads it; or only the terms or sentences. A `KeywordListForm`
                is sent as it is.
            quotes: required for terms if the list shows entries in double quotes: `"csv"` if the
                quotes belong to its CSV file, and are removed from the terms; `"literal"` if they
                belong to the entries.
            max_removed: the allowed removals, for terms only: see `KeywordPlan.check_removed`. 1.0
                switches the limit off.

        Returns:
            The list, as the response to the update shows it.

        Raises:
            PlanRefusedError: more than `max_removed` allows would be removed; nothing was updated.
            InvalidRequestError: an argument is invalid; nothing was updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the service
                may have carried out the update: get the list to see.
        """
        return self._api.run(update_steps(self._api, keyword_id, new, quotes, max_removed))

    def plan(
        self,
        keyword_id: str,
        new: NewContent,
        *,
        quotes: Quotes | None = None,
        change_category: bool = False,
    ) -> KeywordPlan:
        """Plan an update without sending it; `print(plan)` shows the changes (operation
        `getKeywordList`).

        Args:
            keyword_id: the list's identifier.
            new: the new content, as for `update()`. If a term holds a comma or a line break, all
                terms are sent as a CSV file.
            quotes: as for `update()`. `"csv"` also removes the quotes of the list before it is
                compared with an input.
            change_category: whether an input may have another category than the list.

        Returns:
            The plan, for `apply`.

        Raises:
            InvalidRequestError: an argument is invalid, the category would change, or lists of its
                category cannot be updated.
            NotFoundError: there is no such list.
            CometChatError: any other error of a call.
        """
        steps = plan_steps(self._api, keyword_id, new, quotes, change_category=change_category)
        return self._api.run(steps)

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
        self,
        keyword_id: str,
        new: NewContent | KeywordListForm,
        *,
        quotes: Quotes | None = None,
        max_removed: float | None = None,
    ) -> KeywordList:
        """Like `Keywords.update`, awaited."""
        return await self._api.run(update_steps(self._api, keyword_id, new, quotes, max_removed))

    async def plan(
        self,
        keyword_id: str,
        new: NewContent,
        *,
        quotes: Quotes | None = None,
        change_category: bool = False,
    ) -> KeywordPlan:
        """Like `Keywords.plan`, awaited."""
        steps = plan_steps(self._api, keyword_id, new, quotes, change_category=change_category)
        return await self._api.run(steps)

    async def apply(self, plan: KeywordPlan, *, max_removed: float | None = None) -> KeywordUpdate:
        """Like `Keywords.apply`, awaited."""
        return await self._api.run(apply_steps(self._api, plan, max_removed))
