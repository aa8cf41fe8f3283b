"""Edits YAML as text, so that comments, quotes and the order of keys stay as they are."""

from __future__ import annotations

import yaml

from .description import parts


def with_key(text: str, pointer: str, key: str, value: str) -> str:
    """Add a key to the end of the mapping at a JSON pointer; `value` is YAML in one line."""
    node = _mapping(text, pointer)
    if node.flow_style:
        end = _before(text, _end(node) - 1)
        return f"{text[:end]}, {key}: {value} {text[_end(node) - 1 :]}"
    end = _before(text, _last(node))
    return f"{text[:end]}\n{' ' * node.value[0][0].start_mark.column}{key}: {value}{text[end:]}"


def without_key(text: str, pointer: str, key: str) -> str:
    """Remove a key of the mapping at a JSON pointer."""
    node = _mapping(text, pointer)
    index = next(index for index, (name, _) in enumerate(node.value) if name.value == key)
    name, value = node.value[index]
    start, end = name.start_mark.index, _before(text, _last(value))
    if not node.flow_style:
        return text[: text.rindex("\n", 0, start)] + text[end:]
    if index + 1 < len(node.value):
        return text[:start] + text[node.value[index + 1][0].start_mark.index :]
    # The last key: the comma before it goes as well.
    return text[: text.rindex(",", 0, start)] + text[end:] if index else text[:start] + text[end:].lstrip()


def with_item(text: str, pointer: str, item: str) -> str:
    """Add an item to the end of the sequence at a JSON pointer; `item` is YAML in one line."""
    node = _node(text, pointer)
    assert isinstance(node, yaml.SequenceNode)
    if node.flow_style:
        return f"{text[: _end(node) - 1]}, {item}{text[_end(node) - 1 :]}"
    end = _before(text, _last(node))
    return f"{text[:end]}\n{' ' * node.start_mark.column}- {item}{text[end:]}"


def with_value(text: str, pointer: str, value: str) -> str:
    """Replace the node at a JSON pointer; `value` is YAML in one line."""
    node = _node(text, pointer)
    return text[: node.start_mark.index] + value + text[_before(text, _last(node)) :]


def flow(value: object) -> str:
    """A value as YAML in one line."""
    written = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6).strip()
    return written.removesuffix("...").rstrip()


def _node(text: str, pointer: str) -> yaml.Node:
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    for name in parts(pointer):
        if isinstance(node, yaml.SequenceNode):
            node = node.value[int(name)]
        else:
            node = next(value for key, value in _mapping_of(node).value if key.value == name)
    assert node is not None
    return node


def _mapping(text: str, pointer: str) -> yaml.MappingNode:
    return _mapping_of(_node(text, pointer))


def _mapping_of(node: yaml.Node | None) -> yaml.MappingNode:
    assert isinstance(node, yaml.MappingNode)
    return node


def _end(node: yaml.Node) -> int:
    return int(node.end_mark.index)


def _last(node: yaml.Node) -> int:
    """The end of the last value in a node: the mark of a block is behind the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last(last[1] if isinstance(node, yaml.MappingNode) else last)
    return _end(node)


def _before(text: str, end: int) -> int:
    """The end of the text before white space."""
    return len(text[:end].rstrip())
