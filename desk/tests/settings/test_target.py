"""The options that name an app."""

import os
from pathlib import Path

from cometchat_rest import Region

from ..conftest import Start


def test_completion(process: Start, env: dict[str, str], tmp_path: Path) -> None:
    """A shell completes commands, app names, regions and categories."""
    path = tmp_path / ".config/cometchat-desk/profiles.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[apps.shop]\napp_id = 'abc'\n[apps.forum]\napp_id = 'def'\n")
    path.chmod(0o600)

    def completed(words: str) -> set[str]:
        asked = {"_COMETCHAT_DESK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        running = process(env={**os.environ, **env, **asked})
        out, err = running.communicate(timeout=60)
        assert (running.returncode, err) == (0, "")
        return set(out.split())

    assert {"keywords", "reviewed", "auth-tokens", "apps", "check"} <= completed("cometchat-desk ")
    assert completed("cometchat-desk keywords ap") == {"apply"}
    assert completed("cometchat-desk reviewed list --app ") == {"shop", "forum"}
    assert completed("cometchat-desk reviewed list --region ") == set(Region)
    assert completed("cometchat-desk keywords plan list file --category ") == {"word", "pattern", "sentence-similarity"}
