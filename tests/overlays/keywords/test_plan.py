"""Plans: the changes that an update would make, without sending anything."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input import (
    PatternListInput,
    Quotes,
    WordListInput,
    entries_of,
    fault_in_text,
    from_keyword_list,
    from_terms,
)
from cometchat_rest.keywords.plan import KeywordPlan

RULE = "a fifth of the entries, or up to five but not more than half"
derandomized = settings(derandomize=True, deadline=None, database=None)
texts = (st.text(st.characters(codec="utf-8")) | st.text("aA\"',{1}\r\n\x1b\u2028")).filter(
    lambda text: fault_in_text(text) is None
)


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str, quotes: Quotes | None = None) -> KeywordPlan:
    return KeywordPlan.compare("list", old, terms, quotes=quotes)


class TestComparison:
    def test_added_removed_and_unchanged(self) -> None:
        """Each entry is added, removed or unchanged, in the order of its list."""
        plan = planned(fetched("a", "b", "c"), "d", "c", "b", "e")
        assert (plan.added, plan.removed, plan.unchanged) == (("d", "e"), ("a",), ("c", "b"))
        assert (plan.revision_id, plan.category, plan.current) == ("r_1", "word", ("a", "b", "c"))
        assert plan.share_removed == 1 / 3
        assert plan.has_changes

    @derandomized
    @given(old=st.lists(texts, min_size=1), new=st.lists(texts, min_size=1), is_csv=st.booleans())
    def test_no_entry_is_lost(self, old: list[str], new: list[str], *, is_csv: bool) -> None:
        """The plan holds each current entry and each new entry exactly once, byte for byte;
        `isCSV` has no effect."""
        plan = planned(fetched(*old, isCSV=is_csv), *new, quotes="literal")
        assert plan.current == tuple(dict.fromkeys(old))
        assert {*plan.removed, *plan.unchanged} == set(old)
        assert {*plan.added, *plan.unchanged} == set(new) == {*entries_of(plan.new)}
        assert len(plan.removed) + len(plan.unchanged) == len(set(old))
        assert not {*plan.added} & {*plan.removed}

    @derandomized
    @given(terms=st.lists(texts, min_size=1), quotes=st.sampled_from(["csv", "literal"]))
    @example(terms=['"a"', "b"], quotes="csv")
    @example(terms=['"""a"""', "b"], quotes="csv")
    def test_fetched_list_has_no_changes(self, terms: list[str], quotes: Quotes) -> None:
        """A plan to send a fetched list back has no changes, with either answer about its
        quotes."""
        old = fetched(*terms, "x")
        plan = KeywordPlan.compare(
            "list", old, from_keyword_list(old, quotes=quotes), quotes=quotes
        )
        assert (plan.added, plan.removed, plan.has_changes) == ((), (), False)
        assert planned(old, *terms, "x", quotes=quotes).has_changes is False

    @pytest.mark.parametrize("new", [["[a-z]+"], ['"[a-z]+"']], ids=repr)
    def test_quotes_that_a_list_shows(self, new: list[str]) -> None:
        """If a list shows quotes, terms need an answer; a plan says which one, and how many
        entries lose quotes."""
        old = fetched('"[a-z]+"', "b", category="pattern", isCSV=True)
        with pytest.raises(
            InvalidRequestError,
            match=r'quotes must be "csv" or "literal", because .* \'"\[a-z\]\+"\'',
        ):
            planned(old, *new)
        plan = planned(old, *new, "b", quotes="csv")
        assert plan.new == PatternListInput(name="List", search_terms=["[a-z]+", "b"])
        text = "list: 0 added, 0 removed, 2 unchanged; "
        assert (
            str(plan)
            == f'{text}quotes="csv": 1 entry without the double quotes that the list shows'
        )
        plan = planned(old, *new, "b", quotes="literal")
        assert plan.entries == (*new, "b")
        assert 'quotes="literal"' not in str(plan)

    def test_entries_that_differ_only_in_quotes(self) -> None:
        """An input is compared as it is: the plan names each entry of which only the quotes
        change."""
        plan = KeywordPlan.compare(
            "list", fetched('"a"', "b", isCSV=True), WordListInput(search_terms=["a", "c"])
        )
        assert (plan.added, plan.removed, plan.changed_quotes) == (("a", "c"), ('"a"', "b"), ("a",))
        first, *others = str(plan).splitlines()
        assert first.endswith("; not sent: name; 1 entry changed only in double quotes")
        assert "~ a" in others

    @pytest.mark.parametrize("quotes", ["CSV", "", True, []], ids=repr)
    def test_unknown_answer_is_refused(self, quotes: Any) -> None:
        """`quotes` is one of two words."""
        with pytest.raises(InvalidRequestError, match=r'^quotes must be "csv" or "literal", not '):
            planned(fetched("a"), "a", quotes=quotes)

    def test_name_and_description_are_kept(self) -> None:
        """A plan of terms sends name and description as they were read; a plan of an input names
        what it lacks."""
        old = fetched("a", description="Bad words")
        new = planned(old, "b").new
        assert (new.name, new.description, new.id) == ("List", "Bad words", None)
        assert planned(fetched("a", name=" ", description=""), "b").new == WordListInput(
            search_terms=["b"]
        )
        plan = KeywordPlan.compare("list", old, WordListInput(search_terms=["a"]))
        assert plan.unsent_fields == ("name", "description")
        assert str(plan) == "list: 0 added, 0 removed, 1 unchanged; not sent: name, description"

    def test_terms_with_separator(self) -> None:
        """If a term holds a comma or a line break, all are sent as CSV."""
        plan = planned(fetched(category="pattern"), "a{1,3}", "b", "c\u2028d")
        assert plan.new.file is not None
        assert plan.entries == entries_of(plan.new) == ("a{1,3}", "b", "c\u2028d")
        assert planned(fetched(), "a", "b").new == WordListInput(
            search_terms=["a", "b"], name="List"
        )

    def test_changed_fields(self) -> None:
        """A new category, name or description is a change that the plan shows."""
        plan = KeywordPlan.compare(
            "list",
            fetched("a"),
            PatternListInput(search_terms=["a"], id="list", name="List", description="New"),
            change_category=True,
        )
        assert (plan.changed_fields, plan.has_changes) == (("category", "description"), True)
        assert str(plan) == "list: 0 added, 0 removed, 1 unchanged; changed: category, description"
        assert KeywordPlan.compare(
            "list", fetched("a"), WordListInput(search_terms=["a"], id="b")
        ).changed_fields == ("id",)

    def test_change_of_the_category(self) -> None:
        """A plan that changes the category is refused, unless the caller asked for it; a list that
        shows no category may have any."""
        new = PatternListInput(search_terms=["a"])
        with pytest.raises(
            InvalidRequestError, match="list: the plan would change the category from word to patt"
        ):
            KeywordPlan.compare("list", fetched("a"), new)
        assert KeywordPlan.compare("list", fetched("a", category="pattern"), new).removed == ()
        KeywordPlan.compare("list", fetched("a", category=None), new)

    @pytest.mark.parametrize("new", [["a"], WordListInput(search_terms=["a"])], ids=repr)
    def test_list_that_cannot_be_updated(self, new: Any) -> None:
        """A plan for a list of prompts names the list and its category, and no argument."""
        old = fetched(id="scam-prompt", category="open-ai", prompts=["Any fraud."])
        with pytest.raises(
            InvalidRequestError, match=r"^scam-prompt: the list has category 'open-ai'; only lists"
        ) as caught:
            KeywordPlan.compare("scam-prompt", old, new)
        assert caught.value.argument is None

    def test_empty_list(self) -> None:
        """If the service shows a list of words as empty, each word is added, and the plan says
        so."""
        plan = planned(fetched(), "a")
        assert (plan.current, plan.share_removed, plan.added) == ((), 0.0, ("a",))
        empty = "the service shows this list as empty"
        assert str(plan) == f"list: {empty}; 1 added, 0 removed, 0 unchanged\n+ a"
        plan.check_removed(0)

    def test_hidden_entries(self) -> None:
        """If the service does not show the entries, no entry is added or removed."""
        old = fetched(searchTerms=None)
        plan = planned(old, "a")
        assert (plan.current, plan.share_removed, plan.added, plan.has_changes) == (
            None,
            None,
            (),
            False,
        )
        assert "the service does not show the entries; 1 entry would be sent" in str(plan)

    def test_plan_is_a_value(self) -> None:
        """Plans of the same inputs are equal, also in a set; a `repr` does not show all entries."""
        terms = [str(number) for number in range(1000)]
        old = fetched("a")
        assert planned(old, *terms) == planned(old, *terms)
        assert len({planned(old, *terms), planned(old, *terms)}) == 1
        assert (
            repr(planned(old, *terms))
            == "<KeywordPlan list: 1,000 added, 1 removed (100.0% of 1), 0 unchanged>"
        )


class TestText:
    def test_plan_as_text(self) -> None:
        """A plan as text is one line with the numbers, and the first entries that are removed
        and added."""
        plan = planned(fetched("a", "b", "c", "d"), "b", "d", "B", "x\ny")
        assert (
            str(plan)
            == "list: 2 added, 2 removed (50.0% of 4), 2 unchanged\n- a\n- c\n+ B\n+ 'x\\ny'"
        )
        many = str(
            planned(fetched("new 0"), *(f"new {number}" for number in range(1285)))
        ).splitlines()
        assert (len(many), many[-2:]) == (7, ["+ new 5", "+ ... and 1,279 more"])
        refused = str(planned(fetched(*"abcdef"), "b")).splitlines()[-1]
        assert refused == f"! by default, max_removed allows 3: {RULE}"

    @derandomized
    @given(terms=st.lists(texts, min_size=1, max_size=5), name=texts, renamed=st.booleans())
    @example(
        terms=["\x1b[2J", "a\n+ b", "\u202eabc", "\x9b31m", "\x00"], name="\n- x", renamed=True
    )
    def test_entries_cannot_fake_lines(self, terms: list[str], name: str, *, renamed: bool) -> None:
        """No text of a list can begin a line, move the cursor or change the direction of
        writing."""
        new = (
            WordListInput(search_terms=["z"], name="z")
            if renamed
            else from_terms("word", terms, name=name)
        )
        first, *others = str(KeywordPlan.compare(name, fetched(*terms, name=name), new)).split("\n")
        assert all(line.isprintable() for line in (first, *others))
        assert " added, " in first
        assert all(line.startswith(("- ", "+ ", "! ")) for line in others)


class TestCheckRemoved:
    def test_removing_too_much_is_refused(self) -> None:
        """A plan that would remove more than the allowed share is refused; the error has the
        numbers."""
        plan = planned(fetched(*"abcde"), *"abc")
        with pytest.raises(
            PlanRefusedError,
            match=r"list: 2 of 5 entries \(40.0%\) would be removed; max_removed allows 20",
        ) as caught:
            plan.check_removed(0.2)
        error = caught.value
        assert (error.removed, error.share_removed, error.max_removed) == (2, 0.4, 0.2)
        assert isinstance(error, InvalidRequestError)
        plan.check_removed(0.4)
        planned(fetched(*"abcde"), *"abcd").check_removed(0.2)
        planned(fetched("a"), "a").check_removed(0)

    @pytest.mark.parametrize(
        "fields", [{"category": "pattern"}, {"searchTerms": [""]}, {"searchTerms": None}], ids=repr
    )
    @pytest.mark.parametrize("share", [None, 0.9])
    def test_list_that_does_not_show_its_entries(
        self, fields: dict[str, Any], share: float | None
    ) -> None:
        """If the service shows no entry, the removals are unknown. Only a share of 1 allows the
        update; the error says so, and what is then lost."""
        plan = planned(fetched(**fields), "a")
        assert (plan.current, plan.share_removed) == (None, None)
        way = r"only max_removed=1\.0 allows it, and then all entries that are not sent are lost"
        with pytest.raises(PlanRefusedError, match=f"does not show the entries, .*; {way}"):
            plan.check_removed(share)
        assert "! only max_removed=1.0" in str(plan)
        plan.check_removed(1)

    @pytest.mark.parametrize(
        ("size", "allowed"),
        [(1, 0), (2, 1), (3, 1), (6, 3), (9, 4), (10, 5), (29, 5), (30, 6), (100, 20), (104, 20)],
    )
    def test_rule_by_default(self, size: int, allowed: int) -> None:
        """By default, an update may remove a fifth of the entries, or up to five but not more than
        half; the error has the exact share."""
        old = [str(number) for number in range(size)]
        plan = planned(fetched(*old), *old[allowed:], "new")
        assert RULE not in str(plan)
        plan.check_removed()
        plan = planned(fetched(*old), *old[allowed + 1 :], "new")
        assert str(plan).endswith(RULE)
        with pytest.raises(
            PlanRefusedError, match=f"by default, max_removed allows {allowed}: {RULE}"
        ) as caught:
            plan.check_removed()
        assert caught.value.removed == allowed + 1
        assert caught.value.max_removed == allowed / size

    def test_exact_number_of_removals(self) -> None:
        """Whoever names exactly the entries that go can allow their share, and no more."""
        old = [str(number) for number in range(7)]
        plan = planned(fetched(*old), *old[5:])
        share = plan.share_removed
        plan.check_removed(share)
        with pytest.raises(PlanRefusedError, match=r"6 of 7 .*; max_removed allows 71\.4%"):
            planned(fetched(*old), *old[6:]).check_removed(share)

    @pytest.mark.parametrize(
        "share", [-0.1, 1.1, float("nan"), float("inf"), True, "0.2", 20], ids=repr
    )
    def test_invalid_share_is_refused(self, share: Any) -> None:
        """`max_removed` is a number from 0 to 1."""
        with pytest.raises(InvalidRequestError, match="max_removed must be a share"):
            planned(fetched("a"), "a").check_removed(share)


def test_plan_for_one_app() -> None:
    """A plan with the address of its app is refused for another app; one without an address fits
    any app."""
    old, new = fetched("a"), from_terms("word", ["b"])
    plan = KeywordPlan.compare("list", old, new, base_url="https://a.example")
    plan.check_app("https://a.example")
    with pytest.raises(
        InvalidRequestError,
        match=r"list: the plan was made for https://a\.example, not for https://b",
    ):
        plan.check_app("https://b.example")
    KeywordPlan.compare("list", old, new).check_app("https://b.example")
