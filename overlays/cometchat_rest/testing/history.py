"""Reviewed messages with a meaning: your own messages, and weeks of history with known answers.

The history follows rules that its `History` object describes, so that a test can compare the results of a program with
the correct answers. Texts are invented.
"""

import random
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

from attrs import frozen

from .data import APP_ID, revision_id
from .records import KeywordListRecord, ReviewedMessageRecord

DAY = 86_400
#: The keyword list of the history.
LIST_ID = "community-words"
#: Senders of the history. A few senders cause most of the work, as in a real community.
SENDERS = ("nova", "rex", "luna", "milo", "ivy", "oscar", "zoe", "finn", "ada", "hugo", "mia", "theo")

_INSULTS = ("idiot", "moron", "loser", "scumbag", "clown")
_FRAUD = ("free coins", "gift cards", "double your money", "crypto signals")
# These words have a harmless meaning in most messages, so a moderator approves most of the messages.
_FALSE_POSITIVES = ("shot", "crack", "strip")
# Words that the list does not contain. Messages with these words were found by another rule.
_UNLISTED = ("giveaway", "cash prize")

_HARMFUL = {
    "insult": (
        "You are such a {term}, leave this place.",
        "Nobody likes you, {term}!",
        "{term}. That is all I have to say to you.",
        "Only a {term} would write this.",
    ),
    "fraud": (
        "Want {term}? Write to me in private.",
        "I made a fortune with {term}, ask me how!",
        "{term} for everybody, today only.",
    ),
    "shot": ("I will have you shot.",),
    "crack": ("I sell crack, cheap, write to me.",),
    "strip": ("Strip for me on camera.",),
}
_HARMLESS = {
    "shot": ("What a shot in the last minute!", "I got my flu shot today.", "Nice shot of the harbour 📷"),
    "crack": ("There is a crack in my screen.", "We will crack this puzzle together.", "A crack of thunder woke me."),
    "strip": (
        "Which LED strip did you buy?",
        "I love this comic strip.",
        "The strip of beach is empty.",
    ),
    "insult": ("I felt like a {term} after that mistake 😅", 'He quoted the line "you {term}" from the film.'),
    "fraud": ("Careful, messages about {term} are a fraud.",),
}
_TOXIC = (
    "I hope you fail at everything.",
    "You disgust me, never come back.",
    "Everybody here hates you.",
    "Crawl back to your hole.",
)
_TOXIC_WITH_UNLISTED = (
    "Stupid people miss my {term}, and you are one of them.",
    "You fools deserve no {term}.",
)
_NOT_TOXIC = ("This boss fight is brutal, I love it.", "That joke killed me.", "We crushed them in the final!")


@frozen(kw_only=True)
class History:
    """The correct answers to questions about a generated history, without the other messages of the simulator.

    Terms count messages, not occurrences.

    Attributes:
        keyword_list_id: the list that the rule "Block community words" names; it is in the simulator.
        messages: the number of messages.
        by_rule: the number of messages for each name of a rule.
        by_sender: the number of messages for each sender.
        by_action: the number of messages for each action.
        by_status: the number of messages for each moderation status.
        by_day: the number of messages for each day in UTC, as `2026-11-22`.
        by_term: for each term of the list, the number of messages whose text contains it.
        approved_by_term: for each term of the list, the number of those messages that a moderator approved.
        false_positive_terms: the three terms that a moderator approves in most messages.
        unlisted_terms: terms that the list does not contain, but that messages contain.
        by_unlisted_term: for each of these terms, the number of messages that a list with the term would match too.
    """

    keyword_list_id: str
    messages: int
    by_rule: Mapping[str, int]
    by_sender: Mapping[str, int]
    by_action: Mapping[str, int]
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
    """Make a record of a text message.

    Args:
        message_id: the identifier of the message.
        text: its text.
        sender: the uid of its sender.
        receiver: the uid of its receiver.
        rule: the name of the rule.
        condition: the operator of the condition and its value; with the operator `contains` the value is the id of a
            keyword list.
        status: the moderation status.
        action: the action of the rule.
        created_at: the time of the record, as a Unix time.
        updated_at: the time of its last change, for example of a moderator's decision, as a Unix time.
    """
    operator, value = condition
    # The rules of the initial state have such ids and names, so that "Block word" is the same rule.
    rule_id = "rule-" + rule.removeprefix("Block ").lower().replace(" ", "-")
    record: ReviewedMessageRecord = {
        "ruleId": rule_id,
        "ruleName": rule,
        "revisionId": revision_id(rule_id, 1),
        "condition": {
            "id": 1,
            "isKeywordsReferencePresent": operator == "contains",
            "isMediaPresent": False,
            "entity": "message",
            "operand": "text",
            "category": "word" if operator == "contains" else value.partition("_")[0],
            "operator": operator,
            "value": [value],
            "message": f"The text {operator} {value}",
            "weight": 1,
        },
        "message": {
            "id": message_id,
            "conversationId": "_user_".join(sorted((sender, receiver))),
            "sender": sender,
            "receiverType": "user",
            "receiver": receiver,
            "category": "message",
            "type": "text",
            "data": {
                "text": text,
                "entities": {
                    "sender": {"entity": {"uid": sender, "name": sender.capitalize()}, "entityType": "user"},
                    "receiver": {"entity": {"uid": receiver, "name": receiver.capitalize()}, "entityType": "user"},
                },
                "moderation": {"status": status, "rule": {"id": rule_id, "name": rule}},
            },
            "sentAt": created_at,
            "updatedAt": created_at,
        },
        "action": [action],
        "createdAt": created_at,
        "updatedAt": updated_at,
        "appId": APP_ID,
    }
    if status == "disapproved":
        record["blockedAt"] = f"{created_at}.{message_id:0>15}"
    return record


def keyword_list(end: int, days: int) -> KeywordListRecord:
    """Make the list of the history."""
    return {
        "id": LIST_ID,
        "name": "Community words",
        "description": "Insults and fraud.",
        "category": "word",
        "isCSV": False,
        "searchTerms": [*_INSULTS, *_FRAUD, *_FALSE_POSITIVES],
        "createdAt": end - (days + 30) * DAY,
        "updatedAt": end - days * DAY,
        "revisionId": revision_id(LIST_ID, 7),
        "active": True,
    }


def make_history(days: int, per_day: int, end: int, seed: int) -> tuple[list[ReviewedMessageRecord], History]:
    """Make the messages, newest first, and the correct answers.

    Args:
        days: the number of days.
        per_day: the number of messages on each day.
        end: the time after the newest message, as a Unix time.
        seed: the start of the random choices.
    """
    # The choices must repeat, and nothing here is secret.
    choose = random.Random(seed)  # noqa: S311
    count = days * per_day
    answers = _Answers()
    records: list[ReviewedMessageRecord] = []
    for number in range(count):
        created_at = end - 1 - number * (days * DAY) // count
        records.append(_record(choose, f"h{count - number:07}", created_at, answers))
    return records, answers.history()


class _Answers:
    """Counts what the generator decides; it never reads a text."""

    def __init__(self) -> None:
        self.terms: Counter[str] = Counter()
        self.approved: Counter[str] = Counter()
        self.unlisted: Counter[str] = Counter()
        self.counts: dict[str, Counter[str]] = {
            name: Counter() for name in ("rule", "sender", "action", "status", "day")
        }

    def add(self, *, rule: str, sender: str, action: str, status: str, created_at: int) -> None:
        day = datetime.fromtimestamp(created_at, UTC).date().isoformat()
        for name, value in (("rule", rule), ("sender", sender), ("action", action), ("status", status), ("day", day)):
            self.counts[name][value] += 1

    def history(self) -> History:
        return History(
            keyword_list_id=LIST_ID,
            messages=self.counts["rule"].total(),
            by_rule=dict(self.counts["rule"]),
            by_sender=dict(self.counts["sender"]),
            by_action=dict(self.counts["action"]),
            by_status=dict(self.counts["status"]),
            by_day=dict(self.counts["day"]),
            by_term=dict(self.terms),
            approved_by_term=dict(self.approved),
            false_positive_terms=_FALSE_POSITIVES,
            unlisted_terms=_UNLISTED,
            by_unlisted_term=dict(self.unlisted),
        )


def _record(choose: random.Random, message_id: str, created_at: int, answers: _Answers) -> ReviewedMessageRecord:
    # The first senders write more than the last senders.
    sender, receiver = choose.choices(SENDERS, weights=range(len(SENDERS), 0, -1), k=2)
    if sender == receiver:
        receiver = SENDERS[(SENDERS.index(sender) + 1) % len(SENDERS)]
    rule, condition, action = choose.choices(_RULES, weights=(6, 3, 1))[0]
    if rule == _COMMUNITY_RULE:
        text, status = _community_text(choose, answers)
    elif rule == _TOXICITY_RULE:
        text, status = _toxic_text(choose, answers)
    else:
        text, status = choose.choice(_PATTERN_TEXTS), choose.choice(("pending", "disapproved"))
    answers.add(rule=rule, sender=sender, action=action, status=status, created_at=created_at)
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
        updated_at=created_at + (0 if status == "pending" else _review_seconds(message_id)),
    )


def _review_seconds(message_id: str) -> int:
    """The time until a moderator decided: most decisions take less than an hour, and a few take days."""
    own = random.Random(message_id)  # noqa: S311 - not a secret
    return 20 + int(own.expovariate(1 / 1_500) * (40 if own.random() < 0.05 else 1))


_COMMUNITY_RULE, _TOXICITY_RULE, _PATTERN_RULE = "Block community words", "Block toxicity", "Flag scam patterns"
_RULES = (
    (_COMMUNITY_RULE, ("contains", LIST_ID), "blockMessage"),
    (_TOXICITY_RULE, ("equals", "toxicity_greaterThan_70"), "flagMessage"),
    (_PATTERN_RULE, ("contains", "scam-patterns"), "flagMessage"),
)
_PATTERN_TEXTS = ("fr33 coins, ask me", "My card is 4111-1111-1111-1111.", "Join us: telegram.me/quickwins")


def _community_text(choose: random.Random, answers: _Answers) -> tuple[str, str]:
    kind, terms = choose.choices(
        (("insult", _INSULTS), ("fraud", _FRAUD), ("ambiguous", _FALSE_POSITIVES)), weights=(4, 3, 3)
    )[0]
    term = choose.choice(terms)
    group = term if kind == "ambiguous" else kind
    approved = choose.random() < (0.9 if kind == "ambiguous" else 0.04)
    text = choose.choice((_HARMLESS if approved else _HARMFUL)[group]).format(term=term)
    answers.terms[term] += 1
    if approved:
        answers.approved[term] += 1
        return text, "approved"
    return text, "disapproved"


def _toxic_text(choose: random.Random, answers: _Answers) -> tuple[str, str]:
    share = choose.random()
    if share < 0.15:
        return choose.choice(_NOT_TOXIC), "approved"
    if share < 0.35:
        term = choose.choice(_UNLISTED)
        answers.unlisted[term] += 1
        return choose.choice(_TOXIC_WITH_UNLISTED).format(term=term), "disapproved"
    return choose.choice(_TOXIC), "disapproved"
