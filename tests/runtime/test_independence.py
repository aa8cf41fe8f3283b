"""What the runtime does not know."""

import ast
from pathlib import Path

import pytest

import cometchat_runtime

(FOLDER,) = cometchat_runtime.__path__
#: Texts that only the description or an overlay may contain.
FACTS = ("apikey", "ERR_", "perPage", "onBehalfOf", "keyword", "moderation", "cometchat.io")


@pytest.mark.parametrize("module", sorted(Path(FOLDER).glob("*.py")), ids=lambda path: path.stem)
def test_runtime_knows_no_service(module: Path) -> None:
    """The runtime sends and reads the calls of any described service: no text in it names a header,
    a parameter, an error code, a resource or a host of CometChat."""
    nodes = ast.walk(ast.parse(module.read_text("utf-8")))
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    texts = [text for text in constants if isinstance(text, str)]
    assert [(fact, text) for fact in FACTS for text in texts if fact in text] == []
