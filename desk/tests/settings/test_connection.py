"""The app and the key of a command: options, profiles, the environment."""

import json
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine
from .test_profiles import app


def test_default_app(bare_cli: CommandLine, simulator: Simulator) -> None:
    """Without other settings, the default app of the profiles is used; its key file is beside
    the profiles."""
    bare_cli.profiles('default = "shop"\n' + app("shop", simulator, 'api_key_file = "shop.key"'))
    bare_cli.write("home/.config/cometchat-desk/shop.key", f"{simulator.api_key}\n")
    assert bare_cli("reviewed", "list").code == 0


def test_named_app_beats_the_environment(cli: CommandLine, simulator: Simulator) -> None:
    """With --app, the address and the key come from the profile, not from the environment."""
    cli.profiles(app("shop", simulator, f'api_key = "{simulator.api_key}"'))
    cli.env.setenv("COMETCHAT_BASE_URL", "http://127.0.0.1:1/v3")
    cli.env.setenv("COMETCHAT_API_KEY", "another")
    cli.env.setenv("COMETCHAT_REGION", "in")
    assert cli("reviewed", "list", "--app", "shop").code == 0
    assert simulator.requests[-1].header("apikey") == simulator.api_key


def test_default_app_is_not_mixed_with_the_environment(
    cli: CommandLine, simulator: Simulator
) -> None:
    """The key of the default app is never sent to an address from the environment."""
    cli.env.delenv("COMETCHAT_API_KEY")
    cli.profiles('default = "shop"\n[apps.shop]\napp_id = "abc"\napi_key = "4d1f0b7a92c8"\n')
    done = cli("reviewed", "list")
    assert done.code == 3
    assert simulator.requests == []


def test_region_without_an_app(cli: CommandLine, simulator: Simulator) -> None:
    """--region without an app is refused: it does not change the address from the environment."""
    done = cli("reviewed", "list", "--region", "eu")
    assert done.code == 3
    assert "--app-id (COMETCHAT_APP_ID) is missing" in done.line
    assert simulator.requests == []


def test_profile_ignores_the_region_of_the_environment(bare_cli: CommandLine) -> None:
    """A profile without a region means us: the region in the environment belongs to another app."""
    bare_cli.profiles('[apps.shop]\napp_id = "abc"\napi_key = "k"\n')
    bare_cli.env.setenv("COMETCHAT_REGION", "in")
    bare_cli.env.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    done = bare_cli("check", "--app", "shop", "--format", "json")
    found = {finding["subject"]: finding["finding"] for finding in json.loads(done.out)}
    assert found["Settings"].startswith("https://abc.api-us.cometchat.io/v3, ")


def test_key_from_a_file(cli: CommandLine, simulator: Simulator) -> None:
    """--api-key-file beats the environment; white space around the key is ignored."""
    cli.env.setenv("COMETCHAT_API_KEY", "another")
    cli.write("key", f"\ufeff {simulator.api_key}\r\n")
    assert cli("reviewed", "list", "--api-key-file", "key").code == 0


def test_key_file_beats_a_profile(cli: CommandLine, simulator: Simulator) -> None:
    """--api-key-file beats the key of a profile, also if that key cannot be read."""
    cli.write("key", simulator.api_key)
    cli.profiles(app("shop", simulator, 'api_key_file = "missing.key"'))
    assert cli("reviewed", "list", "--app", "shop").code == 3
    assert cli("reviewed", "list", "--app", "shop", "--api-key-file", "key").code == 0


def test_missing_settings(bare_cli: CommandLine) -> None:
    """Without any settings, the message names the options and variables to set."""
    done = bare_cli("reviewed", "list")
    assert done.code == 3
    ways = ("--app-id", "--app", "COMETCHAT_APP_ID", "COMETCHAT_BASE_URL", "profiles.toml")
    assert [way for way in ways if way not in done.line] == []
    done = bare_cli("reviewed", "list", "--app-id", "abc")
    assert done.code == 3
    assert "--api-key-file" in done.line
    assert "COMETCHAT_API_KEY" in done.line


@pytest.mark.parametrize(
    ("file", "requests"), [("keys/shop.key", 2), ("../my.key", 0), ("link.key", 0)]
)
def test_key_file_of_a_stranger(
    bare_cli: CommandLine, simulator: Simulator, file: str, requests: int
) -> None:
    """Profiles that --config names read no key outside of their folder, also not behind a link."""
    for name in ("theirs/keys/shop.key", "my.key"):
        bare_cli.write(name, simulator.api_key)
    Path("theirs/link.key").symlink_to("../my.key")
    bare_cli.write("theirs/profiles.toml", app("shop", simulator, f'api_key_file = "{file}"'))
    config = ("--config", "theirs/profiles.toml")
    done = [
        bare_cli("keywords", "get", "profanity-list", "--app", "shop", *config),
        bare_cli(
            "apps",
            "add",
            "new",
            *config,
            "--base-url",
            simulator.base_url,
            "--api-key-file",
            f"theirs/{file}",
        ),
    ]
    assert (len(simulator.requests) >= requests, bool(simulator.requests)) == (True, bool(requests))
    assert all((each.code == 0) == bool(requests) for each in done)
    assert all("this key is not read" in each.err for each in done if not requests)


def test_address_of_a_stranger(bare_cli: CommandLine, simulator: Simulator) -> None:
    """COMETCHAT_API_KEY goes to an address of --config only if the user has chosen the same
    address elsewhere."""
    bare_cli.write("theirs.toml", app("shop", simulator))
    bare_cli.env.setenv("COMETCHAT_API_KEY", simulator.api_key)
    theirs = ("keywords", "get", "profanity-list", "--app", "shop", "--config", "theirs.toml")
    done = bare_cli(*theirs)
    assert (done.code, simulator.requests) == (3, [])
    assert f"COMETCHAT_API_KEY is not sent to {simulator.base_url}" in done.line
    bare_cli.profiles(app("mine", simulator))
    assert bare_cli(*theirs).code == 0
    bare_cli.profiles("")
    bare_cli.env.setenv("COMETCHAT_BASE_URL", simulator.base_url)
    assert bare_cli(*theirs).code == 0
