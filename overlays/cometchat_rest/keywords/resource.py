"""Moderation keyword lists: get, update, plan and apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cometchat_openapi import Call
from cometchat_openapi.api.keywords import GeneratedAsyncKeywords, GeneratedKeywords, get_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListResponse
from cometchat_rest._call.api import Api, AsyncApi, BaseApi
from cometchat_rest._call.exchange import Steps
from cometchat_rest._call.redaction import Redactor
from cometchat_rest._call.repeated import repeats_arguments
from cometchat_rest.errors import CometChatError, InvalidRequestError

if TYPE_CHECKING:
    from .inputs import KeywordListInput, NewContent
    from .plan import KeywordPlan, KeywordUpdate

# The functions below import late: a program that only gets lists needs neither inputs nor plans.


def _get(api: BaseApi[Any], list_id: str) -> Steps[KeywordList]:
    keyword_list = yield from _list_or_error(api, get_keyword_list.prepare(list_id))
    if isinstance(keyword_list, CometChatError):
        raise keyword_list
    return keyword_list


def _update(api: BaseApi[Any], list_id: str, new: NewContent) -> Steps[KeywordList]:
    content = _content(api, new)
    if not isinstance(content, tuple):
        return (yield from _send(api, list_id, content))
    with api.settings.span("keywords.update"):
        return (yield from _send(api, list_id, _input_for((yield from _get(api, list_id)), content)))


def _send(api: BaseApi[Any], list_id: str, new: KeywordListInput) -> Steps[KeywordList]:
    from cometchat_openapi.api.keywords import update_keyword_list  # noqa: PLC0415 - see above

    from .inputs import to_multipart_form  # noqa: PLC0415 - see above

    update = update_keyword_list.prepare(list_id, body=to_multipart_form(new))
    return (yield from api.response(update)).parsed.data


def _plan(api: BaseApi[Any], list_id: str, new: NewContent) -> Steps[KeywordPlan]:
    from .plan import KeywordPlan  # noqa: PLC0415 - see above

    content = _content(api, new)
    keyword_list = yield from _get(api, list_id)
    if isinstance(content, tuple):
        content = _input_for(keyword_list, content)
    plan = KeywordPlan.compare(list_id, keyword_list, content, base_url=api.settings.base_url)
    # A plan shows its entries.
    if api.settings.holds_key(map(str.encode, plan.entries)):
        raise InvalidRequestError("an entry holds the API key of this client; remove the entry", list_id=list_id)
    return plan


def _apply(api: BaseApi[Any], plan: KeywordPlan, max_removed: float) -> Steps[KeywordUpdate]:
    # The update is never sent again: the service may have carried it out, and somebody may have changed the list since.
    from .apply import check_revision, prepare_update, resolve_update  # noqa: PLC0415 - see above

    with api.settings.span("keywords.apply"):
        update = prepare_update(plan, max_removed, api.settings.base_url)
        check_revision(plan, (yield from _get(api, plan.list_id)))
        sent = yield from _list_or_error(api, update)
        if isinstance(sent, CometChatError) and not sent.outcome_unknown:
            raise sent
        now = yield from _list_or_error(api, get_keyword_list.prepare(plan.list_id))
        return resolve_update(plan, sent, now)


def _list_or_error(api: BaseApi[Any], call: Call[KeywordListResponse]) -> Steps[KeywordList | CometChatError]:
    # Nobody should change a list by the content of another one, so its id is not read leniently.
    confirm = repeats_arguments(call, required=call.operation.method == "GET")
    outcome = yield from api.steps(call, confirm)
    return outcome if isinstance(outcome, CometChatError) else outcome.parsed.data


def _content(api: BaseApi[Any], new: NewContent) -> KeywordListInput | tuple[str, ...]:
    from .inputs import check_content  # noqa: PLC0415 - see above

    try:
        return check_content(new)
    except InvalidRequestError as error:
        # It shows the name of an unknown field, or the beginning of a term.
        reason, argument = Redactor(lambda: api.settings.secrets)(error.reason), error.argument
    raise InvalidRequestError(reason, argument=argument)


def _input_for(keyword_list: KeywordList, terms: tuple[str, ...]) -> KeywordListInput:
    from .entries import from_terms, strip_csv_quotes  # noqa: PLC0415 - see above

    return from_terms(keyword_list.category, strip_csv_quotes(keyword_list, terms))


class _Methods:
    """The methods of both clients, with their documentation."""

    def update(self, list_id: str, new: NewContent) -> object:
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

    def plan(self, list_id: str, new: NewContent) -> object:
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

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> object:
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


class Keywords(_Methods, GeneratedKeywords[Api]):
    """The keyword lists of an app, for `Client`."""

    def update(self, list_id: str, new: NewContent) -> KeywordList:
        steps = _update(self._client, list_id, new)
        # They may hold a key by mistake, which no traceback shows.
        del list_id, new
        return self._client.run(steps)

    def plan(self, list_id: str, new: NewContent) -> KeywordPlan:
        steps = _plan(self._client, list_id, new)
        del list_id, new
        return self._client.run(steps)

    def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        return self._client.run(_apply(self._client, plan, max_removed))


class AsyncKeywords(_Methods, GeneratedAsyncKeywords[AsyncApi]):
    """The keyword lists of an app, for `AsyncClient`."""

    async def update(self, list_id: str, new: NewContent) -> KeywordList:
        steps = _update(self._client, list_id, new)
        del list_id, new
        return await self._client.run(steps)

    async def plan(self, list_id: str, new: NewContent) -> KeywordPlan:
        steps = _plan(self._client, list_id, new)
        del list_id, new
        return await self._client.run(steps)

    async def apply(self, plan: KeywordPlan, *, max_removed: float = 0.2) -> KeywordUpdate:
        return await self._client.run(_apply(self._client, plan, max_removed))
