"""Explain a reviewed message: who wrote it, which rule found it, and which terms of the rule's list it contains now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from cometchat_rest import review_times
from cometchat_rest.errors import CometChatError, InvalidRequestError, NotFoundError

from .matcher import RULES, ListTerms, Match, Matcher, UnsupportedPattern

if TYPE_CHECKING:
    from cometchat_rest import KeywordList, ReviewedMessage


@frozen(kw_only=True)
class ListExplanation:
    """A list that the rule names, and the terms of it that the message contains now.

    Attributes:
        list_id: the identifier in the condition.
        category: the category of the list; `None` if the list could not be read.
        revision_id: the revision of the list now.
        updated_at: the time of the last change of the list, in UTC.
        changed_since: whether the list has changed since the review, so that its terms were perhaps different; `None`
            if a time is unknown.
        matches: the terms that the text contains, by position.
        unsupported: the patterns of the list that were not used, because RE2 does not compile them.
        sentences: how many sentences the list holds; they are not matched.
        deleted: whether the service has no list with this identifier.
        problem: the reason why the terms are unknown; `None` if they were compared with the text.
        error: the error that prevented reading the list; `None` if there was none, or if the list is deleted.
    """

    list_id: str
    category: str | None = None
    revision_id: str | None = None
    updated_at: datetime | None = None
    changed_since: bool | None = None
    matches: tuple[Match, ...] = ()
    unsupported: tuple[UnsupportedPattern, ...] = ()
    sentences: int = 0
    deleted: bool = False
    problem: str | None = None
    error: CometChatError | None = None


@frozen(kw_only=True)
class Explanation:
    """Everything that a record says about the review of a message. `None`: the record does not say it.

    Attributes:
        message_id: the identifier of the message.
        message_type: the kind of the message, such as `text` or `image`.
        text: the text; `None` for a message without text.
        url: the address of the file of a media message.
        sender: the uid of the sender.
        sender_name: the name of the sender.
        receiver_type: `user` or `group`.
        receiver: the uid of the receiver, or the identifier of the group.
        receiver_name: the name of the receiver.
        conversation_id: the conversation.
        sent_at: when the message was sent, in UTC.
        reviewed_at: when the record was made, in UTC.
        rule_id: the identifier of the rule.
        rule_name: the name of the rule.
        revision_id: the revision of the rule.
        condition: the condition in words.
        actions: the actions on the message.
        status: the moderation status.
        list_ids: the keyword lists that the condition names; `None` if the record does not show the condition, as in
            a CSV file.
        lists: these lists, with the terms that the text contains now.
        rules: the rules of matching; the service does not document its rules, so its results may differ.
    """

    message_id: str | None
    message_type: str | None
    text: str | None
    url: str | None
    sender: str | None
    sender_name: str | None
    receiver_type: str | None
    receiver: str | None
    receiver_name: str | None
    conversation_id: str | None
    sent_at: datetime | None
    reviewed_at: datetime | None
    rule_id: str | None
    rule_name: str | None
    revision_id: str | None
    condition: str | None
    actions: tuple[str, ...]
    status: str | None
    list_ids: tuple[str, ...] | None
    lists: tuple[ListExplanation, ...]
    rules: str = RULES


def explain(record: ReviewedMessage, get_list: Callable[[str], KeywordList]) -> Explanation:
    """Explain a record (service.md, section 2.3).

    ```python
    with Client() as chat:
        for record in chat.reviewed_messages.list().data:
            print(explain(record, chat.keywords.get))
    ```

    Args:
        record: the record.
        get_list: returns the list with an identifier; for example `chat.keywords.get`. It is called once for each list
            that the rule names. If it fails, the explanation holds the error.

    Raises:
        ConfigurationError: the extra `insight` is not installed.
    """
    raw = record.to_dict()
    message = _object_at(raw, "message")
    data = _object_at(message, "data")
    text = _text_at(data, "text")
    reviewed_at = review_times.utc(raw.get("createdAt"))
    list_ids = named_lists(record)
    return Explanation(
        message_id=_text_at(message, "id"),
        message_type=_text_at(message, "type"),
        text=text,
        url=_text_at(data, "url"),
        sender=_text_at(message, "sender"),
        sender_name=_text_at(data, "entities", "sender", "entity", "name"),
        receiver_type=_text_at(message, "receiverType"),
        receiver=_text_at(message, "receiver"),
        receiver_name=_text_at(data, "entities", "receiver", "entity", "name"),
        conversation_id=_text_at(message, "conversationId"),
        sent_at=review_times.utc(message.get("sentAt")),
        reviewed_at=reviewed_at,
        rule_id=_text_at(raw, "ruleId"),
        rule_name=_text_at(raw, "ruleName"),
        revision_id=_text_at(raw, "revisionId"),
        condition=_words_of(_object_at(raw, "condition").get("message")),
        actions=_texts(raw.get("action")),
        status=_text_at(data, "moderation", "status"),
        list_ids=list_ids,
        lists=tuple(_explain_list(list_id, text, reviewed_at, get_list) for list_id in list_ids or ()),
    )


def named_lists(record: ReviewedMessage) -> tuple[str, ...] | None:
    """The identifiers of the keyword lists that the rule of a record names (service.md, section 2.3).

    A condition with `isKeywordsReferencePresent` holds the identifiers in its `value`.

    Args:
        record: the record.

    Returns:
        The identifiers, each once; empty if the rule names no list. `None` if the record does not show the condition.
    """
    condition = record.to_dict().get("condition")
    if not isinstance(condition, Mapping) or "isKeywordsReferencePresent" not in condition:
        return None
    if condition["isKeywordsReferencePresent"] is not True:
        return ()
    return tuple(dict.fromkeys(each for each in _texts(condition.get("value")) if each.strip()))


def records_of(message_id: str, records: Iterable[ReviewedMessage]) -> tuple[ReviewedMessage, ...]:
    """The records of one message: one for each rule that found it.

    Args:
        message_id: the identifier of the message.
        records: the records to search.
    """
    return tuple(each for each in records if each.message.id == message_id)


def _explain_list(
    list_id: str, text: str | None, reviewed_at: datetime | None, get_list: Callable[[str], KeywordList]
) -> ListExplanation:
    try:
        found = get_list(list_id)
    except NotFoundError:
        return ListExplanation(list_id=list_id, deleted=True, problem="the service has no list with this identifier")
    except CometChatError as error:
        return ListExplanation(list_id=list_id, problem=f"the list could not be read: {error}", error=error)
    updated_at = review_times.utc(found.updated_at)
    changed = None if updated_at is None or reviewed_at is None else updated_at > reviewed_at
    problem = None if text else "the message has no text"
    try:
        matcher = Matcher(ListTerms.of(found))
    except InvalidRequestError:
        matcher, problem = Matcher(), "the service does not show the entries of the list"
    return ListExplanation(
        list_id=list_id,
        category=found.category,
        revision_id=found.revision_id,
        updated_at=updated_at,
        changed_since=changed,
        matches=matcher.find(text or ""),
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
        problem=problem,
    )


# Records are read leniently, so any value may have any type.


def _object_at(raw: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = raw.get(name)
    return found if isinstance(found, Mapping) else {}


def _text_at(raw: Mapping[str, object], *path: str) -> str | None:
    *parents, name = path
    for parent in parents:
        raw = _object_at(raw, parent)
    found = raw.get(name)
    return found if isinstance(found, str) and found else None


def _texts(values: object) -> tuple[str, ...]:
    return tuple(each for each in values if isinstance(each, str)) if isinstance(values, list) else ()


def _words_of(message: object) -> str | None:
    # The service sends one text or several.
    return message if isinstance(message, str) else "; ".join(_texts(message)) or None
