"""Explain a reviewed message: who wrote it, which rule found it, and which terms of the rule's list it contains now."""

from collections.abc import Callable
from datetime import datetime

from attrs import evolve, frozen

from cometchat_desk.times import utc
from cometchat_rest import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, NotFoundError

from .matcher import RULES, ListTerms, Match, Matcher, UnsupportedPattern
from .reviewed import Reviewed

_UNKNOWN_LISTS = "the record does not show which list its rule names; search a .jsonl export"


@frozen(kw_only=True)
class ListExplanation:
    """A list that the rule names, and the terms of it that the message contains now."""

    keyword_id: str  # the identifier in the condition
    category: str | None = None  # the category of the list; `None` if the list could not be read
    revision_id: str | None = None  # the revision of the list now
    updated_at: datetime | None = None  # the time of the last change of the list, in UTC
    # whether the list has changed since the review, so that its terms were perhaps different; `None` if a time is
    # unknown
    changed_since: bool | None = None
    matches: tuple[Match, ...] = ()  # the terms that the text contains, by position
    # the patterns of the list that were not used, because RE2 does not compile them
    unsupported: tuple[UnsupportedPattern, ...] = ()
    sentences: int = 0  # how many sentences the list holds; they are not matched
    deleted: bool = False  # whether the service has no list with this identifier
    problem: str | None = None  # the reason why the terms are unknown; `None` if they were compared with the text
    error: CometChatError | None = None  # the error of reading the list; `None` if the list was read or is deleted


@frozen(kw_only=True)
class Explanation:
    """The record of a review, and the lists that its rule names."""

    message: Reviewed  # who wrote what to whom and when; the rule, the condition, the actions and the status
    lists: tuple[ListExplanation, ...]  # the lists that the condition names, with the terms that the text contains now
    problem: str | None  # the reason why `lists` is empty; `None` if it is not empty
    rules: str = RULES  # the rules of matching; the service does not document its rules, so its results may differ


def explain(message: Reviewed, get_list: Callable[[str], KeywordList]) -> Explanation:
    """Explain a record; `get_list` reads a list, and if it fails, the explanation holds the error."""
    problem = None
    if not message.lists:
        shows_condition = message.condition_operator is not None
        problem = "the rule names no keyword list" if shows_condition else _UNKNOWN_LISTS
    lists = tuple(_explain_list(keyword_id, message, get_list) for keyword_id in message.lists)
    return Explanation(message=message, lists=lists, problem=problem)


def _explain_list(keyword_id: str, message: Reviewed, get_list: Callable[[str], KeywordList]) -> ListExplanation:
    try:
        live = get_list(keyword_id)
    except NotFoundError:
        return ListExplanation(
            keyword_id=keyword_id, deleted=True, problem="the service has no list with this identifier"
        )
    except CometChatError as error:
        return ListExplanation(keyword_id=keyword_id, problem=f"the list could not be read: {error}", error=error)
    updated_at = utc(live.updated_at)
    changed = None if updated_at is None or message.created_utc is None else updated_at > message.created_utc
    listed = ListExplanation(
        keyword_id=keyword_id,
        category=live.category,
        revision_id=live.revision_id,
        updated_at=updated_at,
        changed_since=changed,
        problem=None if message.text else "the message has no text",
    )
    try:
        matcher = Matcher(ListTerms.of(live))
    except InvalidRequestError as error:
        # The record is useful without the terms.
        return evolve(listed, problem=str(error))
    matches = matcher.find(message.text or "")
    return evolve(listed, matches=matches, unsupported=matcher.unsupported, sentences=matcher.sentences)
