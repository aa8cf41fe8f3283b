"""The options that name an app."""

from cometchat_rest import Region

from ..conftest import CommandLine


def test_completion(bare_cli: CommandLine) -> None:
    """A shell completes commands, app names, regions and categories."""
    bare_cli.profiles("[apps.shop]\napp_id = 'abc'\n[apps.forum]\napp_id = 'def'\n")
    bare_cli.env.setenv("_COMETCHAT_DESK_COMPLETE", "complete_bash")

    def completed(words: str) -> set[str]:
        bare_cli.env.setenv("COMP_WORDS", words)
        bare_cli.env.setenv("COMP_CWORD", str(words.count(" ")))
        done = bare_cli()
        assert (done.code, done.err) == (0, "")
        return set(done.out.split())

    assert {"keywords", "reviewed", "auth-tokens", "apps", "check"} <= completed("cometchat-desk ")
    assert completed("cometchat-desk keywords ap") == {"apply"}
    assert completed("cometchat-desk reviewed list --app ") == {"shop", "forum"}
    assert completed("cometchat-desk reviewed list --region ") == set(Region)
    assert completed("cometchat-desk keywords apply list file --category ") == {
        "word",
        "pattern",
        "sentence-similarity",
    }
