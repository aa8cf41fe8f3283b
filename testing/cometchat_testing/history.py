"""Reviewed messages with a meaning: your own messages, and weeks of history with known answers."""

# Every record of a history has all fields that this module reads.
# pyright: reportTypedDictNotRequiredAccess=false

import random
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

from attrs import field, frozen

from .data import (
    CONTENT,
    as_receiver,
    condition_record,
    message_record,
    review_record,
    revision_id,
)
from .records import KeywordListRecord, ReviewedMessageRecord, RuleRecord, UserRecord

DAY = 86_400
_WORDS = CONTENT["history"]
#: The keyword list of the history.
LIST_ID: str = _WORDS["keyword_list"]["id"]
_SENDERS: list[str] = _WORDS["senders"]
_TERMS: Mapping[str, list[str]] = _WORDS["terms"]
# The rules with their conditions and actions.
_COMMUNITY_RULE = "Block community words"
_TOXICITY_RULE = "Block toxicity"
_RULES = (
    (_COMMUNITY_RULE, ("contains", LIST_ID), "blockMessage"),
    (_TOXICITY_RULE, ("equals", "toxicity_greaterThan_70"), "flagMessage"),
    ("Flag scam patterns", ("contains", "scam-patterns"), "flagMessage"),
)


@frozen(kw_only=True)
class History:
    """The correct answers to questions about a generated history, without the other messages of the
    simulator.

    Terms count messages, not occurrences.

    Attributes:
        keyword_list_id: the list that the rule "Block community words" names; it is in the
            simulator.
        messages: the number of messages.
        by_rule: the number of messages for each name of a rule.
        by_sender: the number of messages for each sender.
        by_status: the number of messages for each moderation status.
        by_day: the number of messages for each day in UTC, as `2026-11-22`.
        by_term: for each term of the list, the number of messages whose text contains it.
        approved_by_term: for each term of the list, the number of those messages that a moderator
            approved.
        false_positive_terms: the three terms that a moderator approves in most messages.
        unlisted_terms: terms that the list does not contain, but that messages contain.
        by_unlisted_term: for each of these terms, the number of messages that a list with the term
            would match too.
    """

    keyword_list_id: str
    messages: int
    by_rule: Mapping[str, int]
    by_sender: Mapping[str, int]
    by_status: Mapping[str, int]
    by_day: Mapping[str, int]
    by_term: Mapping[str, int]
    approved_by_term: Mapping[str, int]
    false_positive_terms: tuple[str, ...]
    unlisted_terms: tuple[str, ...]
    by_unlisted_term: Mapping[str, int]


def reviewed_message(
    message_id: str,
    text: str,
    *,
    sender: str,
    receiver: str,
    rule: str,
    condition: tuple[str, str],
    status: str,
    action: str,
    created_at: int,
    updated_at: int,
) -> ReviewedMessageRecord:
    """Make the record of a text message. `condition` is an operator and its value; the times are
    Unix times."""
    operator, value = condition
    category = "word" if operator == "contains" else value.partition("_")[0]
    # The rules of the initial state have such ids and names, so that "Block word" is the same rule.
    words = rule.removeprefix("Block ").lower().split(" ")
    rule_record: RuleRecord = {"id": "-".join(["rule", *words]), "name": rule}
    message = message_record(
        message_id,
        {
            "text": text,
            "entities": {
                "sender": {"entity": _user(sender), "entityType": "user"},
                "receiver": {"entity": as_receiver(_user(receiver)), "entityType": "user"},
            },
            "moderation": {"status": status, "rule": rule_record},
        },
        sender=sender,
        receiver=receiver,
        sent_at=created_at,
        updated_at=created_at,
    )
    return review_record(
        message,
        rule_record,
        condition_record(category, operator, value),
        action=[action],
        created_at=created_at,
        updated_at=updated_at,
    )


def _user(uid: str) -> UserRecord:
    return {"uid": uid, "name": uid.capitalize(), "status": "offline", "role": "default"}


def keyword_list(end: int, days: int) -> KeywordListRecord:
    """Make the list of the history."""
    record: KeywordListRecord = {
        "searchTerms": [term for terms in _TERMS.values() for term in terms],
        "createdAt": end - (days + 30) * DAY,
        "updatedAt": end - days * DAY,
        "revisionId": revision_id(LIST_ID, 7),
    }
    record.update(_WORDS["keyword_list"])
    return record


def make_history(days: int, per_day: int, end: int) -> tuple[list[ReviewedMessageRecord], History]:
    """Make the messages before the Unix time `end`, newest first, and the correct answers.

    The answers about terms come from the choices of the generator; it never searches a text.
    """
    count = days * per_day
    generator = _Generator(random.Random(1), end)  # noqa: S311 - the choices must repeat, and nothing here is secret
    records = []
    for number in range(count):
        created_at = end - 1 - number * days * DAY // count
        records.append(generator.record(f"h{count - number:07}", created_at))
    messages = [record["message"] for record in records]
    return records, History(
        keyword_list_id=LIST_ID,
        messages=count,
        by_rule=Counter(record["ruleName"] for record in records),
        by_sender=Counter(message["sender"] for message in messages),
        by_status=Counter(message["data"]["moderation"]["status"] for message in messages),
        by_day=Counter(_day(record["createdAt"]) for record in records),
        by_term=generator.terms,
        approved_by_term=generator.approved,
        false_positive_terms=tuple(_TERMS["ambiguous"]),
        unlisted_terms=tuple(_WORDS["unlisted"]),
        by_unlisted_term=generator.unlisted,
    )


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


@frozen
class _Generator:
    """Chooses the messages, and counts the terms that it puts into their texts."""

    _random: random.Random
    _end: int
    terms: Counter[str] = field(factory=Counter)
    approved: Counter[str] = field(factory=Counter)
    unlisted: Counter[str] = field(factory=Counter)

    def record(self, message_id: str, created_at: int) -> ReviewedMessageRecord:
        # The first senders write more than the last senders.
        weights = range(len(_SENDERS), 0, -1)
        sender, receiver = self._random.choices(_SENDERS, weights, k=2)
        if sender == receiver:
            receiver = _SENDERS[(_SENDERS.index(sender) + 1) % len(_SENDERS)]
        ((rule, condition, action),) = self._random.choices(_RULES, weights=(6, 3, 1))
        if rule == _COMMUNITY_RULE:
            text, status = self._community_text()
        elif rule == _TOXICITY_RULE:
            text, status = self._toxic_text()
        else:
            text = self._random.choice(_WORDS["patterns"])
            status = self._random.choice(("pending", "disapproved"))
        updated_at = created_at
        if status != "pending":
            updated_at += _review_seconds(message_id)
        return reviewed_message(
            message_id,
            text,
            sender=sender,
            receiver=receiver,
            rule=rule,
            condition=condition,
            status=status,
            action=action,
            created_at=created_at,
            updated_at=min(updated_at, self._end),
        )

    def _community_text(self) -> tuple[str, str]:
        (kind,) = self._random.choices(list(_TERMS), weights=(4, 3, 3))
        term = self._random.choice(_TERMS[kind])
        self.terms[term] += 1
        # Each ambiguous term has its own texts.
        group = term if kind == "ambiguous" else kind
        approval_rate = 0.9 if kind == "ambiguous" else 0.04
        if self._random.random() < approval_rate:
            self.approved[term] += 1
            return self._text(_WORDS["harmless"][group], term), "approved"
        return self._text(_WORDS["harmful"][group], term), "disapproved"

    def _toxic_text(self) -> tuple[str, str]:
        share = self._random.random()
        if share < 0.15:
            return self._random.choice(_WORDS["not_toxic"]), "approved"
        if share < 0.35:
            term = self._random.choice(_WORDS["unlisted"])
            self.unlisted[term] += 1
            return self._text(_WORDS["toxic_with_unlisted"], term), "disapproved"
        return self._random.choice(_WORDS["toxic"]), "disapproved"

    def _text(self, templates: list[str], term: str) -> str:
        return self._random.choice(templates).format(term=term)


def _review_seconds(message_id: str) -> int:
    """The time until a moderator decided: most decisions take less than an hour, and a few take
    days."""
    choices = random.Random(message_id)  # noqa: S311 - not a secret
    seconds = choices.expovariate(1 / 1_500)
    if choices.random() < 0.05:
        seconds *= 40
    return 20 + int(seconds)
