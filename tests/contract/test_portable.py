"""`openapi.portable.yaml` is current and valid, and allows the same requests and responses as `openapi.yaml`."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from tools.generate import faults, replace
from tools.openapi_diff.difference import differences, pairs
from tools.openapi_diff.document import nodes, parse, sequence
from tools.portable import PORTABLE, outdated, portable, text

from .description import DOCUMENT, REPRODUCIBLE, SCHEMAS, values
from .house_rules import variants

FILE: dict[str, Any] = dict(parse(PORTABLE.read_text("utf-8")))
FORM = SCHEMAS["KeywordListForm"]


def form_validator(document: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({"$ref": "#/components/schemas/KeywordListForm", "components": document["components"]})


def test_portable_file_is_current(tmp_path: Path) -> None:
    """The portable file is what `make generate` makes of the description, and a file that is not is reported."""
    assert outdated() is None
    for content in (None, "", text().replace("explode: true", "explode: false")):
        path = tmp_path / PORTABLE.name
        if content is not None:
            path.write_text(content, "utf-8")
        assert outdated(path) == "openapi.portable.yaml does not match openapi.yaml. Run: make generate"
    assert [replace(path, text()) for _ in range(2)] == [f"{path.name}: changed", f"{path.name}: not changed"]
    assert outdated(path) is None


def test_portable_file_is_valid_openapi() -> None:
    """Any tool that reads OpenAPI 3.1 can read the portable file."""
    assert [error.message for error in OpenAPIV31SpecValidator(FILE).iter_errors()] == []


def test_portable_file_uses_common_features_only() -> None:
    """The portable file has no extensions, anchors, ranges of statuses, unions in an `allOf`, or unused components."""
    written = PORTABLE.read_text("utf-8")
    for pattern in (r"^ *x-\w", r": [&*]\w", r"\dXX", "contentMediaType"):
        assert re.search(pattern, written, re.MULTILINE) is None, pattern
    assert [each for _, node in nodes(FILE) for each in sequence(node, "allOf") if "oneOf" in each] == []
    for kind in ("schemas", "responses", "parameters", "headers"):
        for name in FILE["components"][kind]:
            assert f"#/components/{kind}/{name}'" in written, name
    names = [name for kind in ("schemas", "responses") for name in FILE["components"][kind]]
    assert len(names) == len(set(names))


def test_portable_file_describes_the_same_calls() -> None:
    """Except for the statuses and the variants of the form, each part of a call is described in the same way."""
    found = {each.subject for pair in pairs(DOCUMENT, FILE) for each in differences(pair)}
    assert found
    expected = re.compile(r'response ([45]XX|default)|alternative "[a-z-]+"|encoding of "\w+": allowReserved')
    assert {subject for subject in found if not expected.fullmatch(subject)} == set()


@pytest.mark.parametrize("name", variants(DOCUMENT, FORM))
def test_portable_file_allows_the_same_forms(name: str) -> None:
    """A form is valid in the portable file exactly if it is valid in the description."""
    fields = {each: values(schema) for each, schema in FORM["properties"].items()}
    fields |= {"colour": st.just("red"), "category": st.sampled_from(["word", "pattern", "sentence-similarity", "x"])}
    described, in_portable = form_validator(DOCUMENT), form_validator(FILE)
    seen = set()

    @settings(REPRODUCIBLE, max_examples=50)
    @given(
        values(variants(DOCUMENT, FORM)[name]),
        st.fixed_dictionaries({}, optional=fields),
        st.sampled_from(list(fields)),
    )
    def check(form: dict[str, Any], more: dict[str, Any], absent: str) -> None:
        for body in (form, {**form, **more}, {key: each for key, each in form.items() if key != absent}):
            assert described.is_valid(body) is in_portable.is_valid(body), body
            seen.add(described.is_valid(body))

    check()
    assert seen == {True, False}


def test_new_form_variants_stay_apart() -> None:
    """A form with three kinds of variants keeps its rules in the portable file."""
    document = yaml.safe_load(yaml.safe_dump(DOCUMENT))
    schemas = document["components"]["schemas"]
    schemas["KeywordCategory"]["enum"].append("link")
    schemas["KeywordListForm"]["properties"]["links"] = {"type": "string"}
    union = schemas["KeywordListForm"]["allOf"][0]
    union["oneOf"].append({"$ref": "#/components/schemas/LinkListForm"})
    union["discriminator"]["mapping"]["link"] = "#/components/schemas/LinkListForm"
    schemas["LinkListForm"] = {
        "type": "object",
        "required": ["category", "links"],
        "additionalProperties": False,
        "properties": {"category": {"const": "link"}, "links": {"type": "string"}},
    }
    validator = form_validator(dict(portable(document)))
    for form, valid in (
        ({"category": "link", "links": "x"}, True),
        ({"category": "link"}, False),
        ({"category": "link", "links": "x", "searchTerms": "x"}, False),
        ({"category": "word", "searchTerms": "x"}, True),
        ({"category": "word", "searchTerms": "x", "links": "x"}, False),
        ({"category": "sentence-similarity", "disallowedSentences": ["x"]}, True),
        ({"category": "sentence-similarity", "searchTerms": "x"}, False),
    ):
        assert validator.is_valid(form) is valid, form


CYCLE = "openapi: 3.1.0\npaths: &paths\n  /roles: *paths\n"
LARGE = "openapi: 3.1.0\npaths:\n" + "# one of a million lines\n" * 1_000_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("paths: [", "neither JSON nor YAML"),
        ("- 1", "not an OpenAPI document"),
        (CYCLE, "more than 100 nested levels"),
        (LARGE, "more than 500,000 lines"),
        ("paths: {/roles: {$ref: 'https://example.com/roles.yaml'}}", "which is not read; first merge"),
        ("paths: {/roles: {get: {$ref: 'file:///roles.yaml'}}}", "which is not read; first merge"),
        ("paths: {/roles: {get: {$ref: '#/components/roles'}}}", "has no target; add it"),
    ],
    ids=["syntax", "no description", "cycle", "a million lines", "URL", "file", "no target"],
)
def test_unusable_description_is_reported_in_one_line(tmp_path: Path, text: str, problem: str) -> None:
    """A description that cannot be used gives one line with the next step, and nothing is generated or fetched."""
    path = tmp_path / "openapi.yaml"
    path.write_text(text, "utf-8")
    (line,) = faults(path)
    assert line.startswith("openapi.yaml: ")
    assert problem in line
    assert "\n" not in line
