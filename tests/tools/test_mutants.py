"""The mutator: the same seed gives the same changes, and each change is one of meaning."""

import ast
import json

from tools.mutants import TESTS, of_the_description, sample
from tools.openapi_diff.document import ROOT, parse

KINDS = tuple(TESTS)


def test_same_seed_gives_the_same_changes() -> None:
    """A run can be repeated: the seed decides the changes, which are spread over the three parts."""
    first, second, other = (sample(seed, 30, KINDS) for seed in (1, 1, 2))
    assert [each.place for each in first] == [each.place for each in second] != [each.place for each in other]
    assert {each.kind for each in first} == set(KINDS)


def test_each_change_is_valid_and_changes_its_file() -> None:
    """A changed file can still be read, and differs from the file of the repository."""
    for mutant in sample(3, 60, KINDS):
        before = (ROOT / mutant.file).read_text("utf-8")
        if mutant.kind == "description":
            assert json.loads(mutant.make()) != parse(before), mutant.place
        else:
            assert ast.dump(ast.parse(mutant.make())) != ast.dump(ast.parse(before)), mutant.place


def test_known_gaps_are_tried() -> None:
    """The changes that once survived are among those of the description."""
    places = [each.place.partition(": ")[0] for each in of_the_description()]
    example = "/paths/~1roles/get/responses/200/content/application~1json/examples/one/value"
    schemas = "/components/schemas"
    for place in (
        f"{example}/meta/pagination/count",
        f"{example}/data/1/updatedAt",
        f"{schemas}/Moderation/properties/status/description",
    ):
        assert place in places
    assert len(set(places)) > 300
