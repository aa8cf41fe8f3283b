"""Compares two descriptions of the same operations: differences on the wire, and which of them
break users.

One rule decides. A narrower schema breaks the sender of a request. A wider schema breaks the reader
of a response. A new optional part breaks nobody. A removed part breaks senders and readers. No
existing tool is used: the tools for OpenAPI 3.1 that the registries have download a program at
installation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import Enum
from itertools import product
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from tools.description import Document, Operation, Place, escaped, mapping, operations, sequence

from .shapes import LOWER, UPPER, Shape, shapes

Side: TypeAlias = Literal["request", "response"]


class Effect(Enum):
    """How the set of valid values changes."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    OTHER = "other"

    def breaks(self, side: Side) -> bool:
        """Whether the change breaks the sender of such a request, or the reader of such a
        response."""
        return self is Effect.OTHER or self is (
            Effect.NARROWER if side == "request" else Effect.WIDER
        )


@frozen
class Difference:
    """One difference. `pointer` is a place of the newer description."""

    operation: str
    side: Side
    pointer: str
    subject: str
    old: str | None
    new: str | None
    breaking: bool


@frozen
class Pair:
    """One operation in both descriptions; `None` if a description lacks it."""

    old: Operation | None
    new: Operation | None

    @property
    def id(self) -> str:
        """The operationId in the newer description, else the one in the older description."""
        operation = self.new or self.old
        assert operation is not None
        return str(operation.node.get("operationId", f"{operation.method} {operation.path}"))


def pairs(old: Document, new: Document) -> list[Pair]:
    """Return each operation of the newer description with the older operation of the same method
    and path.

    Names of path parameters are ignored. A common prefix of all paths in the older description is
    ignored too. Operations that only the older description has come last.
    """
    theirs = {(each.method, template(each.path)): each for each in operations(old)}
    ours = {(each.method, template(each.path)): each for each in operations(new)}
    pairings = product({path for _, path in theirs}, {path for _, path in ours})
    prefixes = {path.removesuffix(own) for path, own in pairings if path.endswith(own)} | {""}
    prefix = max(
        sorted(prefixes, key=len),
        key=lambda prefix: sum((m, prefix + p) in theirs for m, p in ours),
    )
    matched = [
        Pair(theirs.pop((method, prefix + path), None), each)
        for (method, path), each in ours.items()
    ]
    return matched + [Pair(each, None) for each in theirs.values()]


def template(path: str) -> str:
    """Return a path without the names of its parameters and without a final slash."""
    return re.sub(r"\{[^}]*\}", "{}", path).rstrip("/")


def differences(pair: Pair) -> list[Difference]:
    """Return every difference between the two descriptions of one operation, each once."""
    if pair.old is None:
        assert pair.new is not None
        return [
            Difference(
                pair.id, "request", pair.new.pointer, "operation", None, "present", breaking=False
            )
        ]
    if pair.new is None:
        return [
            Difference(
                pair.id, "request", pair.old.pointer, "operation", "present", None, breaking=True
            )
        ]
    comparison = _Comparison(pair.id, pair.old, pair.new)
    return list(dict.fromkeys(comparison.all()))


@frozen
class _Comparison:
    """Walks through both descriptions of one operation."""

    id: str
    old: Operation
    new: Operation
    #: Pairs of schemas already compared; a recursive schema would never end.
    _entered: set[tuple[str, ...]] = field(factory=set, init=False)

    def all(self) -> Iterator[Difference]:
        yield from self._keywords(
            "request", self.new.pointer, self.old.node, self.new.node, ["deprecated"]
        )
        yield from self._addresses()
        yield from self._security()
        yield from self._parameters()
        yield from self._body()
        yield from self._responses()

    def _difference(
        self,
        side: Side,
        pointer: str,
        subject: str,
        old: str | None,
        new: str | None,
        effect: Effect,
    ) -> Difference:
        return Difference(self.id, side, pointer, subject, old, new, breaking=effect.breaks(side))

    def _presence(
        self, side: Side, pointer: str, subject: str, old: str | None, new: str | None
    ) -> Iterator[Difference]:
        """Compare the presence of a part: `None`, or a word such as `required`."""
        if old != new:
            yield self._difference(side, pointer, subject, old, new, _effect_of_presence(old, new))

    def _keywords(
        self, side: Side, pointer: str, old: Any, new: Any, names: Iterable[str], prefix: str = ""
    ) -> Iterator[Difference]:
        """Compare keywords of two nodes by their values. False equals an absent keyword, except
        for `explode`."""
        for name in names:
            one, other = (
                None if each.get(name) is False and name != "explode" else _text(each.get(name))
                for each in (old, new)
            )
            if one != other:
                yield self._difference(
                    side, pointer, prefix + name, one, other, _effect_of_limit(name, one, other)
                )

    def _missing_target(
        self, side: Side, pointer: str, old: str | None, new: str | None
    ) -> Difference:
        """The difference between two references, of which at least one has no target."""
        one, other = (f"{each} (target missing)" if each else None for each in (old, new))
        return self._difference(side, pointer, "reference", one, other, Effect.OTHER)

    # Requests.

    def _addresses(self) -> Iterator[Difference]:
        old, new = _addresses(self.old), _addresses(self.new)
        for each in dict.fromkeys([*old, *new]):
            subject = f"address {_quoted(each)}"
            yield from self._presence(
                "request", "/servers", subject, _present(each, old), _present(each, new)
            )

    def _security(self) -> Iterator[Difference]:
        old, new = _keys(self.old), _keys(self.new)
        if old != new:
            # Whoever sends the keys of an older choice must still send all that one of the newer
            # choices needs.
            accepted = all(any(choice <= sent for choice in new) for sent in old or {frozenset()})
            effect = Effect.WIDER if accepted or not new else Effect.NARROWER
            pointer = f"{self.new.pointer}/security"
            yield self._difference(
                "request", pointer, "security", _together(old), _together(new), effect
            )

    def _parameters(self) -> Iterator[Difference]:
        old, new = self._parameters_of(self.old), self._parameters_of(self.new)
        for key in dict.fromkeys([*old, *new]):
            one, other = old.get(key), new.get(key)
            named = other or one
            # Header names are compared without regard to case, but shown unchanged.
            is_header = named is not None and key.startswith("header ")
            subject = (
                f"header parameter {_quoted(named.node['name'])}" if named and is_header else key
            )
            yield from self._parameter(subject, one, other)

    def _parameters_of(self, operation: Operation) -> dict[str, Place]:
        """The parameters: path parameters by position, the others by name."""
        above = Place(
            f"/paths/{escaped(operation.path)}", operation.document["paths"][operation.path]
        )
        own = Place(operation.pointer, operation.node)
        order = re.findall(r"\{([^}]*)\}", operation.path)
        found = {}
        for holder in (above, own):
            for index, each in enumerate(sequence(holder.node, "parameters")):
                if not isinstance(each, Mapping):
                    continue
                place = holder.below("parameters", index).followed_object(operation.document)
                where, name = place.node.get("in"), str(place.node.get("name"))
                if "$ref" in place.node:
                    found[f"parameter {place.node['$ref']}"] = place
                elif where == "path":
                    found[f"path parameter {order.index(name) + 1 if name in order else name}"] = (
                        place
                    )
                else:
                    found[
                        f"{where} parameter {_quoted(name.lower() if where == 'header' else name)}"
                    ] = place
        return found

    def _parameter(
        self, subject: str, old: Place | None, new: Place | None
    ) -> Iterator[Difference]:
        pointer = new.pointer if new else self.new.pointer
        yield from self._presence("request", pointer, subject, _required(old), _required(new))
        if old and new:
            default = {"explode": True, "style": "form"} if new.node.get("in") == "query" else {}
            for name in ("style", "explode"):
                one, other = (_text({**default, **each.node}.get(name)) for each in (old, new))
                if one != other:
                    yield self._difference("request", pointer, name, one, other, Effect.OTHER)
            marks = ("deprecated", "allowReserved", "allowEmptyValue")
            yield from self._keywords("request", pointer, old.node, new.node, marks)
            yield from self._schema("request", _schema(old), _schema(new))

    def _body(self) -> Iterator[Difference]:
        old, new = self._body_of(self.old), self._body_of(self.new)
        pointer = f"{self.new.pointer}/requestBody"
        yield from self._presence("request", pointer, "body", _required(old), _required(new))
        if old and new:
            yield from self._media("request", old, new, "body")

    def _body_of(self, operation: Operation) -> Place | None:
        if "requestBody" not in operation.node:
            return None
        return (
            Place(operation.pointer, operation.node)
            .below("requestBody")
            .followed_object(operation.document)
        )

    # Responses.

    def _responses(self) -> Iterator[Difference]:
        old, new = self._responses_of(self.old), self._responses_of(self.new)
        for status in dict.fromkeys([*old, *new]):
            subject, pointer = f"response {status}", f"{self.new.pointer}/responses"
            one, other = _applying(status, old), _applying(status, new)
            if one and other:
                yield from self._headers(one, other, subject)
                yield from self._media("response", one, other, subject)
                continue
            before, after = _present(status, old), _present(status, new)
            effect = _effect_of_presence(before, after)
            if after and status.startswith("2"):
                # Readers raise an error for a success that they do not know.
                effect = Effect.WIDER
            elif status == "default" and any(name[0] in "45" for name in new):
                # Errors are still described, by their statuses.
                effect = Effect.SAME
            if before != after:
                yield self._difference("response", pointer, subject, before, after, effect)

    def _headers(self, old: Place, new: Place, subject: str) -> Iterator[Difference]:
        one, other = (
            {
                name.lower(): each.below("headers", name).followed_object(operation.document)
                for name in mapping(each.node, "headers")
            }
            for each, operation in ((old, self.old), (new, self.new))
        )
        names = {
            name.lower(): name for each in (old, new) for name in mapping(each.node, "headers")
        }
        for name in names:
            header = f"{subject} header {_quoted(names[name])}"
            before, after = (
                _required(each.get(name), otherwise="present") for each in (one, other)
            )
            yield from self._presence("response", new.pointer, header, before, after)
            if name in one and name in other:
                yield from self._schema("response", _schema(one[name]), _schema(other[name]))

    def _responses_of(self, operation: Operation) -> dict[str, Place]:
        own = Place(operation.pointer, operation.node)
        return {
            status: own.below("responses", status).followed_object(operation.document)
            for status in mapping(operation.node, "responses")
        }

    # Both.

    def _media(self, side: Side, old: Place, new: Place, subject: str) -> Iterator[Difference]:
        if "$ref" in old.node or "$ref" in new.node:
            yield self._missing_target(
                side, new.pointer, old.node.get("$ref"), new.node.get("$ref")
            )
            return
        one, other = (
            {
                _without_charset(kind): each.below("content", kind)
                for kind in mapping(each.node, "content")
            }
            for each in (old, new)
        )
        for kind in dict.fromkeys([*one, *other]):
            yield from self._presence(
                side,
                new.pointer,
                f"{subject} as {kind}",
                _present(kind, one),
                _present(kind, other),
            )
            if kind in one and kind in other:
                before, after = one[kind], other[kind]
                yield from self._encodings(side, before, after)
                yield from self._schema(side, _schema(before), _schema(after))

    def _encodings(self, side: Side, old: Place, new: Place) -> Iterator[Difference]:
        one, other = (mapping(each.node, "encoding") for each in (old, new))
        for name in dict.fromkeys([*one, *other]):
            before, after = mapping(one, name), mapping(other, name)
            prefix = f"encoding of {_quoted(name)}: "
            names = [each for each in dict.fromkeys([*before, *after]) if not each.startswith("x-")]
            yield from self._keywords(side, f"{new.pointer}/encoding", before, after, names, prefix)

    def _schema(
        self, side: Side, old: tuple[Place, ...], new: tuple[Place, ...]
    ) -> Iterator[Difference]:
        entered = (side, *(place.pointer for place in (*old, Place("", {}), *new)))
        if entered in self._entered:
            return
        self._entered.add(entered)
        before, after = shapes(self.old.document, old), shapes(self.new.document, new)
        dangling = [_dangling(shapes_of_side) for shapes_of_side in (before, after)]
        if any(dangling):
            pointer = after[0].pointer if len(after) == 1 else new[-1].pointer
            yield self._missing_target(side, pointer, *dangling)
            return
        place = new[-1].pointer if new else self.new.pointer
        for one, other in _matched(before, after):
            if one and other:
                yield from self._shapes(side, one, other)
            elif other:
                subject = f"alternative {_quoted(other.label)}"
                yield self._difference(side, other.pointer, subject, None, "present", Effect.WIDER)
            elif one:
                subject = f"alternative {_quoted(one.label)}"
                yield self._difference(side, place, subject, "present", None, Effect.NARROWER)

    def _shapes(self, side: Side, old: Shape, new: Shape) -> Iterator[Difference]:
        if old.dangling or new.dangling:
            yield self._missing_target(
                side, new.pointer, *("".join(each.dangling[:1]) for each in (old, new))
            )
            return
        for subject, one, other, effect in _own(old, new):
            yield self._difference(side, new.pointer, subject, one, other, effect)
        yield from self._properties(side, old, new)
        yield from self._elements(side, old, new)

    def _properties(self, side: Side, old: Shape, new: Shape) -> Iterator[Difference]:
        for name in dict.fromkeys([*old.properties, *new.properties]):
            yield from self._presence(
                side,
                new.pointer,
                f"property {_quoted(name)}",
                _property(name, old),
                _property(name, new),
            )
            if name in old.properties and name in new.properties:
                yield from self._schema(side, old.properties[name], new.properties[name])

    def _elements(self, side: Side, old: Shape, new: Shape) -> Iterator[Difference]:
        """Compare the items of arrays and the other properties of objects."""
        if "array" in old.types & new.types and (old.items or new.items):
            yield from self._schema(
                side, old.items, new.items or (Place(f"{new.pointer}/items", {}),)
            )
        if old.others is not None and new.others is not None and (old.others or new.others):
            # A recursive schema would make the pointer longer and longer.
            anything = Place(
                f"{new.pointer.removesuffix('/additionalProperties')}/additionalProperties", {}
            )
            yield from self._schema(side, old.others, new.others or (anything,))


def _own(old: Shape, new: Shape) -> Iterator[tuple[str, str | None, str | None, Effect]]:
    """The differences of two shapes, without their properties and items."""
    if old.types != new.types:
        yield "type", _types(old), _types(new), _effect(old.types or None, new.types or None)
    yield from _in_values(old, new)
    for name in sorted(old.limits.keys() | new.limits.keys()):
        one, other = old.limits.get(name), new.limits.get(name)
        if one != other:
            yield name, _text(one), _text(other), _effect_of_limit(name, one, other)
    if old.default != new.default:
        # A caller that omits the value now gets another one. A default that is new here was only
        # not documented.
        effect = Effect.SAME if old.default is None else Effect.NARROWER
        yield "default", _text(old.default), _text(new.default), effect
    before, after = ("refused" if shape.others is None else "allowed" for shape in (old, new))
    if before != after:
        yield (
            "other properties",
            before,
            after,
            Effect.NARROWER if after == "refused" else Effect.WIDER,
        )


def _in_values(old: Shape, new: Shape) -> Iterator[tuple[str, str | None, str | None, Effect]]:
    if old.values is not None and new.values is not None:
        for value in sorted(old.values - new.values):
            yield f"value {_quoted(value)}", "allowed", None, Effect.NARROWER
        for value in sorted(new.values - old.values):
            yield f"value {_quoted(value)}", None, "allowed", Effect.WIDER
    elif old.values != new.values:
        yield "values", _values(old), _values(new), _effect(old.values, new.values)


def _effect(old: frozenset[str] | None, new: frozenset[str] | None) -> Effect:
    """Compare two sets of valid values; `None` is the set of all values."""
    if new is None or (
        old is not None and old <= new | ({"integer"} if "number" in new else set())
    ):
        return Effect.WIDER
    if old is None or new <= old | ({"integer"} if "number" in old else set()):
        return Effect.NARROWER
    return Effect.OTHER


def _effect_of_limit(name: str, old: Any, new: Any) -> Effect:
    if name == "deprecated":
        return Effect.SAME
    if old is None or new is None:
        return Effect.NARROWER if old is None else Effect.WIDER
    if name not in (*LOWER, *UPPER) or not all(
        isinstance(each, int | float) for each in (old, new)
    ):
        return Effect.OTHER
    return Effect.NARROWER if (new > old) is (name in LOWER) else Effect.WIDER


def _effect_of_presence(old: str | None, new: str | None) -> Effect:
    if new is None:
        return Effect.OTHER
    if old == "required":
        return Effect.WIDER
    return Effect.NARROWER if new == "required" else Effect.SAME


def _matched(old: list[Shape], new: list[Shape]) -> list[tuple[Shape | None, Shape | None]]:
    """Pair the alternatives of both sides by label; pair the rest by their common properties if
    the counts match."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    labels = {shape.label for shape in old} & {shape.label for shape in new}
    matched: list[tuple[Shape | None, Shape | None]] = []
    for label in sorted(labels):
        matched += zip(_labelled(old, {label}), _labelled(new, {label}), strict=False)
    labels_left = {shape.label for shape in (*old, *new)} - labels
    old, new = _labelled(old, labels_left), _labelled(new, labels_left)
    if len(old) == len(new):
        return [*matched, *_alike(old, new)]
    return [*matched, *((shape, None) for shape in old), *((None, shape) for shape in new)]


def _labelled(alternatives: list[Shape], labels: set[str]) -> list[Shape]:
    return [shape for shape in alternatives if shape.label in labels]


def _dangling(alternatives: list[Shape]) -> str:
    """The reference without a target, if there is nothing else."""
    return "".join(alternatives[0].dangling[:1]) if len(alternatives) == 1 else ""


def _alike(old: list[Shape], new: list[Shape]) -> list[tuple[Shape, Shape]]:
    """Pair alternatives with the most common property names; keep the order otherwise."""
    found: list[tuple[Shape, Shape]] = []
    for one, other in sorted(
        product(old, new), key=lambda pair: -len(pair[0].properties.keys() & pair[1].properties)
    ):
        if not any(one is taken or other is another for taken, another in found):
            found.append((one, other))
    return found


def _schema(place: Place) -> tuple[Place, ...]:
    """The schema of a parameter, header or body. The description of a parameter also counts for
    its schema."""
    if not mapping(place.node, "schema"):
        return ()
    return (
        Place(place.pointer, {"description": place.node.get("description")}),
        place.below("schema"),
    )


def _required(place: Place | None, otherwise: str = "optional") -> str | None:
    if place is None:
        return None
    if "$ref" in place.node:
        return "a reference without a target"
    return "required" if place.node.get("required") is True else otherwise


def _applying(status: str, responses: Mapping[str, Place]) -> Place | None:
    """The response for a status, else the response for its range, else for an error the default
    response."""
    own = responses.get(status) or responses.get(f"{status[:1]}XX")
    return own if own or status.startswith("2") else responses.get("default")


def _property(name: str, shape: Shape) -> str | None:
    if name in shape.properties:
        return "required" if name in shape.required else "optional"
    return None


def _present(name: str, found: Container[str]) -> str | None:
    return "present" if name in found else None


def _addresses(operation: Operation) -> list[str]:
    """The addresses of an operation; a variable with a list of values gives one address for each
    value."""
    found = []
    for server in _servers(operation):
        lists = {name: each["enum"] for name, each in _variables(server)}
        for choice in product(*lists.values()):
            address = str(server.get("url"))
            for name, value in zip(lists, choice, strict=True):
                address = address.replace(f"{{{name}}}", str(value))
            found.append(address)
    return found


def _servers(operation: Operation) -> list[Mapping[str, Any]]:
    levels = (operation.node, operation.document["paths"][operation.path], operation.document)
    servers = next(filter(None, (sequence(each, "servers") for each in levels)), [])
    return [each for each in servers if isinstance(each, Mapping)]


def _variables(server: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the variables of an address that have a list of values. The defaults of the others
    are placeholders."""
    variables = mapping(server, "variables")
    for name in variables:
        if sequence(mapping(variables, name), "enum"):
            yield name, mapping(variables, name)


def _keys(operation: Operation) -> set[frozenset[str]]:
    """The choices of keys for an operation, with the place of each key; names of schemes are
    ignored."""
    schemes = mapping(operation.document.get("components"), "securitySchemes")
    holder = operation.node if "security" in operation.node else operation.document
    choices = [choice for choice in sequence(holder, "security") if isinstance(choice, Mapping)]
    return {
        frozenset(_key(name, mapping(schemes, name), sequence(choice, name)) for name in choice)
        for choice in choices
    }


def _key(name: str, scheme: Mapping[str, Any], scopes: list[Any]) -> str:
    if not scheme:
        return f"{name} without a scheme"
    return " ".join(
        [
            str(scheme.get("in", scheme.get("type"))),
            str(scheme.get("name", name)),
            *map(str, scopes),
        ]
    )


def _together(choices: set[frozenset[str]]) -> str | None:
    return " or ".join(sorted(" and ".join(sorted(keys)) or "no key" for keys in choices)) or None


def _without_charset(kind: str) -> str:
    """A media type without its character set: JSON has only one, and every reader of a text
    looks at it."""
    return re.sub(r"\s*;\s*charset=[^;]*", "", kind.lower(), flags=re.IGNORECASE)


def _types(shape: Shape) -> str:
    return " or ".join(sorted(shape.types)) or "anything"


def _values(shape: Shape) -> str:
    return "any" if shape.values is None else ", ".join(map(_quoted, sorted(shape.values)))


def _quoted(name: object) -> str:
    return json.dumps(name, ensure_ascii=False)


def _text(value: Any) -> str | None:
    return None if value is None else _quoted(value)
