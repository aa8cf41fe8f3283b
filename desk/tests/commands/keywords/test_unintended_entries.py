"""`cometchat-desk keywords add` and `remove`: words that mean something else are not entries,
except after `--`."""

import shlex

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, terms, updates

_NO_PLACEHOLDERS = (
    "has a placeholder: name each word. For an entry with this text, write -- before it"
)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("app=forum", "forum is the name of an app: for several apps, use --app forum."),
        (
            "undo",
            "undo is the name of a command: to run it, write keywords undo in place of keywords COMMAND.",
        ),
        ("dry_run", "dry_run may be meant as --dry-run: write that."),
        ("preview", "preview may be meant as --dry-run: write that."),
        ("force", "force may be meant as --yes: write that."),
        (
            "wrods.txt",
            "wrods.txt does not exist: check the name and the folder. For an entry with this text, write",
        ),
        (
            "https://example.com/words.txt",
            "is an address: download the file, and use --from FILE. For an entry with",
        ),
        ("-", "- means standard input: write --from -"),
        ("nwn --yes", "nwn --yes holds an option: end the quotes before it"),
        ("", "TERM 1 is blank: write an entry"),
        ("file=words.csv", f"keywords COMMAND {LIST} --from words.csv"),
        ("0123456789abcdef" * 2 + "01234567", "[redacted] looks like an API key: leave it out."),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", ["add", "remove"])
def test_word_that_is_not_an_entry(
    two: CommandLine, simulator: Simulator, command: str, word: str, fault: str
) -> None:
    """A word that means something else is refused with what to do, before anything is sent."""
    two.write("words.csv", "spam\n")
    done = two("keywords", command, LIST, word, "--yes")
    assert (done.code, done.out, simulator.requests) == (2, "", [])
    assert fault.replace("COMMAND", command) in done.line


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        *(
            (word, f"{word} {_NO_PLACEHOLDERS}")
            for word in ("http*", "*ism", "*", "nws||nwt", "%nws%", "n?ws")
        ),
        ("[nwu", "[nwu has a bracket at one end: write words without brackets"),
        ("word=nwn", "word=nwn is a name with a value"),
        ("nwn/nwo", "nwn/nwo is several words: write a space between them"),
        ("nwn.", "nwn. ends in a mark: leave it out"),
        ("./lists/words", "./lists/words is a path"),
        ("/home/me/words", "/home/me/words is a path"),
        ("${WORDS}", "is a variable without its value: write the value"),
        ("ENTRY...", "stands for a text of yours"),
        ("n[vw]n", "'n[vw]n' looks like a pattern"),
        ("scam_patterns", "scam_patterns is the name of a list"),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", ["add", "remove"])
def test_unlikely_entry(
    cli: CommandLine, simulator: Simulator, command: str, word: str, fault: str
) -> None:
    """An entry that is rarely meant is refused with what to do, unless it stands after --, or
    the list has it."""
    done = cli("keywords", command, LIST, word, "--yes")
    assert (done.code, terms(simulator), updates(simulator)) == (2, BEFORE, 0)
    assert fault in done.line
    assert (
        cli(
            "keywords", command, LIST, "--yes", "--dry-run", "--accept", "only-signs", "--", word
        ).code
        == 0
    )
    simulator.keyword_lists[LIST]["searchTerms"] = [*BEFORE, word]
    assert cli("keywords", "remove", LIST, word, "--dry-run").code == 0


@pytest.mark.parametrize(
    "typed", [["free", "coins"], ["phishing", "please"], ["you", "are", "stupid"]], ids=" ".join
)
@pytest.mark.parametrize("command", ["add", "remove"])
def test_several_words(
    cli: CommandLine, simulator: Simulator, command: str, typed: list[str]
) -> None:
    """With --yes, several words are refused, because nobody sees that they are several entries;
    except after --."""
    done = cli("keywords", command, LIST, "--reason", "free", *typed, "--yes")
    phrase, number = " ".join(typed), len(typed)
    assert (done.code, terms(simulator), simulator.requests) == (2, BEFORE, [])
    assert (
        f"--yes asks nobody whether {phrase} is one entry or {number}: for one, write '{phrase}'."
        in done.line
    )
    again = f"cometchat-desk keywords {command} {LIST} --reason free --yes -- {phrase}"
    assert done.line.endswith(f"For separate entries, use: {again}")
    assert "each of the" in cli("keywords", command, LIST, *typed, "--yes", "--dry-run").err
    assert (
        ": for one, write 'a b'."
        in cli("keywords", command, LIST, "\u201ca", "b\u201d", "--yes").line
    )
    assert cli("keywords", command, LIST, phrase, "--yes").code == 0
    assert cli(*shlex.split(again)[1:]).code == 0


@pytest.mark.parametrize(
    "typed",
    [
        ["f*ck", "s**t", "$hit", "a$$", "100%", "wtf???", ":)", "1488", "#nwn", "@nwn", "K.K.K."],
        [
            "don't",
            "'til",
            "nothin'",
            "AT&T",
            "self-harm",
            "24/7",
            "spam.example/free",
            "https://spam.example/a?b=c",
        ],
        ["get rich quick", "nudes (free)"],
    ],
    ids=lambda typed: typed[0],
)
def test_ordinary_entries(cli: CommandLine, simulator: Simulator, typed: list[str]) -> None:
    """Words with signs, numbers, addresses and phrases are ordinary entries."""
    for word in typed:
        assert cli("keywords", "add", LIST, word, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, *typed]


def test_word_beside_a_file(cli: CommandLine, simulator: Simulator) -> None:
    """With --yes, a word beside a file is refused: it may be a part of an option's text without
    quotes."""
    cli.write("new.txt", "nwn\n")
    typed = ["keywords", "add", LIST, "--from", "new.txt", "--reason", "Tuesday", "report", "--yes"]
    done = cli(*typed)
    assert (done.code, terms(simulator)) == (2, BEFORE)
    assert done.line.endswith(
        f"{shlex.join(['cometchat-desk', *typed[:7], '--yes', '--', 'report'])}"
    )


@pytest.mark.parametrize("text", ["nwn | nwo", "nwn / nwo"])
def test_sentence_in_quotes(cli: CommandLine, simulator: Simulator, text: str) -> None:
    """With --yes, a text with a mark between words is refused, unless the rule is accepted."""
    done = cli("keywords", "add", LIST, text, "--yes")
    assert (done.code, "joined-words). Correct the entries." in done.err, terms(simulator)) == (
        2,
        True,
        BEFORE,
    )
    assert cli("keywords", "add", LIST, text, "--yes", "--accept", "joined-words").code == 0
    assert cli("keywords", "add", LIST, "nwn", "--yes", "--", f"{text} now").code == 0


@pytest.mark.parametrize(
    "word", ["http*", "nws|nwt", "forum:", "undo", "wrods.txt", "-x", "+x", "/x/i"]
)
def test_word_after_the_dashes(two: CommandLine, simulator: Simulator, word: str) -> None:
    """After --, an entry may look like something else."""
    assert two("keywords", "add", LIST, "--app", "shop", "--yes", "--", word).code == 0
    assert terms(simulator) == [*BEFORE, word]


@pytest.mark.parametrize("word", ["https?", "spam|scam", "a{1,3}"])
def test_pattern_with_such_characters(cli: CommandLine, simulator: Simulator, word: str) -> None:
    """In a list of patterns, these characters are a part of the pattern."""
    assert cli("keywords", "add", "scam-patterns", word, "--yes").code == 0
    assert terms(simulator, "scam-patterns")[-1].strip('"') == word


@pytest.mark.parametrize(
    "text",
    [
        "words.txt\nmore.txt\n",
        "| Word | Reason |\n| --- | --- |\n| nwn | spam |\n",
        "[09:41, 28.11.2026] Anna: please block nwn\n10:02 Bo: nwo\n<Bo> nwo\nBo: nwo\nnwp\nnwq\n",
        "-spam\n+nwn\n",
        "free\\s+money\nb[i1]tcoin\n",
    ],
    ids=["files", "rows", "chat", "difference", "patterns"],
)
def test_file_of_something_else(cli: CommandLine, simulator: Simulator, text: str) -> None:
    """With --yes, a file is refused if half of its entries look like something else, unless the
    rule is accepted."""
    cli.write("new.txt", text)
    done = cli("keywords", "add", LIST, "--from", "new.txt", "--yes")
    assert (done.code, "in the new entries (" in done.err, terms(simulator)) == (2, True, BEFORE)
    assert (
        "in the new"
        in cli("keywords", "apply", LIST, "new.txt", "--yes", "--max-removed", "100%").err
    )
    rule = done.err.rpartition("--accept ")[2].split(".")[0]
    assert cli("keywords", "add", LIST, "--from", "new.txt", "--accept", rule, "--yes").code == 0
    cli.write("new.txt", text + "".join(f"nw{number}\n" for number in range(9)))
    assert cli("keywords", "add", LIST, "--from", "new.txt", "--yes").code == 0


@pytest.mark.parametrize("suffix", [".txt", ".csv"])
@pytest.mark.parametrize(
    "command", [["apply", LIST], ["add", LIST, "--from"], ["add", LIST, "--from=new.txt", "--from"]]
)
def test_file_named_as_another_list(
    cli: CommandLine, simulator: Simulator, command: list[str], suffix: str
) -> None:
    """With --yes, a file with the name of another list is refused; without, a sentence before
    the question says it."""
    cli.write("new.txt", "nwo\n")
    file = str(cli.write(f"imported-phrases{suffix}", "\n".join([*BEFORE, "nwn"])).name)
    done = cli("keywords", *command, file, "--yes")
    fault = f"{file} has the name of the list imported-phrases, not of {LIST}"
    assert (done.code, f"{fault}; to be asked, leave out --yes." in done.err, terms(simulator)) == (
        2,
        True,
        BEFORE,
    )
    assert f"! {fault}." in cli("keywords", *command, file, "--dry-run").err
    assert f"! {fault}." in cli("keywords", "plan", LIST, file).err
    for name in ("list-words.txt", "profanity_list.txt"):
        cli.write(name, "\n".join([*BEFORE, "nwn"]))
        assert cli("keywords", *command, name, "--yes").code == 0
