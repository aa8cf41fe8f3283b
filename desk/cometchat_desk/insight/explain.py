"""Explain a reviewed message: who wrote it, which rule found it, and which terms of the rule's
list it contains now."""

from datetime import datetime

from attrs import evolve, frozen

from cometchat_desk.exit_codes import StopError
from cometchat_desk.messages import reason_for
from cometchat_desk.times import text_of, utc
from cometchat_rest import CometChatError, InvalidRequestError, NotFoundError

from .matcher import ListReader, ListTerms, Match, Matcher
from .reviewed import Reviewed


@frozen(kw_only=True)
class ListExplanation:
    """A list that the rule names, and the terms of it that the message contains now."""

    keyword_id: str  # the identifier in the condition
    category: str | None = None  # the category of the list; `None` if the list could not be read
    revision_id: str | None = None  # the revision of the list now
    updated_at: datetime | None = None  # the time of the last change of the list, in UTC
    #: Whether the list has changed since the review; `None` if a time is unknown
    changed_since: bool | None = None
    matches: tuple[Match, ...] = ()  # the terms that the text contains, by position
    unsupported: tuple[str, ...] = ()  # the patterns that RE2 does not compile; they are not used
    sentences: int = 0  # how many sentences the list holds; they are not matched
    problem: str | None = None  # the reason why the terms were not compared with the text
    error: CometChatError | StopError | None = None  # the error of reading the list


@frozen(kw_only=True)
class Explanation:
    """The record of a review, and the lists that its rule names."""

    #: Who wrote what to whom and when; the rule, the condition, the actions and the status
    message: Reviewed
    #: The lists that the condition names, with the terms that the text contains now
    lists: tuple[ListExplanation, ...]
    problem: str | None  # the reason why `lists` is empty; `None` if it is not empty


def explain(message: Reviewed, get_list: ListReader) -> Explanation:
    """Explain a record; `get_list` reads a list, and if it fails, the explanation holds the
    error."""
    problem = None
    if not message.lists:
        shows_condition = message.condition_operator is not None
        problem = (
            "the rule names no keyword list"
            if shows_condition
            else "the record does not show its condition"
        )
    lists = tuple(_explain_list(keyword_id, message, get_list) for keyword_id in message.lists)
    return Explanation(message=message, lists=lists, problem=problem)


def explain_with(message: Reviewed, name: str, terms: ListTerms) -> Explanation:
    """Explain a record with the terms of a file, whatever list its rule names."""
    of_file = ListExplanation(keyword_id=name, category=terms.category)
    return Explanation(message=message, lists=(_compared(of_file, message, terms),), problem=None)


def _explain_list(keyword_id: str, message: Reviewed, get_list: ListReader) -> ListExplanation:
    explained = ListExplanation(keyword_id=keyword_id)
    try:
        live, quotes = get_list(keyword_id)
    except NotFoundError:
        return evolve(explained, problem="the service has no list with this identifier")
    except (CometChatError, StopError) as error:
        problem = f"the list could not be read: {reason_for(error)}"
        return evolve(explained, problem=problem, error=error)
    updated_at = utc(live.updated_at)
    changed_since = None
    if updated_at is not None and message.created_utc is not None:
        changed_since = updated_at > message.created_utc
    explained = evolve(
        explained,
        category=text_of(live.category),
        revision_id=text_of(live.revision_id),
        updated_at=updated_at,
        changed_since=changed_since,
    )
    try:
        terms = ListTerms.of(live, quotes)
    except InvalidRequestError as error:
        return evolve(explained, problem=str(error))
    return _compared(explained, message, terms)


def _compared(explained: ListExplanation, message: Reviewed, terms: ListTerms) -> ListExplanation:
    """The explanation with the terms that the text contains."""
    try:
        matcher = Matcher(terms)
    except InvalidRequestError as error:
        # The record is useful without the terms.
        return evolve(explained, problem=str(error))
    return evolve(
        explained,
        matches=matcher.find(message.text or ""),
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
        problem=None if message.text else "the message has no text",
    )
