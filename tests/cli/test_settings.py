"""Where a command takes its settings from, and what it refuses."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from cometchat_rest.cli.exit_codes import MEANINGS
from cometchat_rest.testing import Simulator
from tools import docs_commands

from .conftest import Desk

posix = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")


def app(name: str, simulator: Simulator, key: str = "") -> str:
    return f'[apps.{name}]\nbase_url = "{simulator.base_url}"\n{key}\n'


def test_a_default_app(bare_desk: Desk, simulator: Simulator) -> None:
    """Without anything else, the profiles' default app is meant, its key in a file beside them."""
    bare_desk.profiles('default = "shop"\n' + app("shop", simulator, 'api_key_file = "shop.key"'))
    bare_desk.write("home/.config/cometchat-rest/shop.key", f"{simulator.api_key}\n")
    assert bare_desk("roles", "list").code == 0


def test_where_the_profiles_are(bare_desk: Desk, simulator: Simulator) -> None:
    """--config beats XDG_CONFIG_HOME, which beats ~/.config; a relative XDG_CONFIG_HOME counts for nothing."""
    good = app("shop", simulator, f'api_key = "{simulator.api_key}"')
    bare_desk.profiles("[apps.home]\n" + good.partition("\n")[2])
    bare_desk.write("xdg/cometchat-rest/profiles.toml", "[apps.xdg]\n" + good.partition("\n")[2])
    bare_desk.write("elsewhere.toml", "[apps.elsewhere]\n" + good.partition("\n")[2])

    def works(name: str, *more: str) -> bool:
        return bare_desk("roles", "list", "--app", name, *more).code == 0

    assert works("home")
    assert not works("xdg")
    bare_desk.env.setenv("XDG_CONFIG_HOME", "xdg")
    assert works("home")
    bare_desk.env.setenv("XDG_CONFIG_HOME", str(bare_desk.folder / "xdg"))
    assert works("xdg")
    assert not works("home")
    assert works("elsewhere", "--config", "elsewhere.toml")


def test_a_named_app_beats_the_environment(desk: Desk, simulator: Simulator) -> None:
    """With --app, address and key are the profile's, whatever the environment says."""
    desk.profiles(app("shop", simulator, f'api_key = "{simulator.api_key}"'))
    desk.env.setenv("COMETCHAT_BASE_URL", "http://127.0.0.1:1/v3")
    desk.env.setenv("COMETCHAT_API_KEY", "another")
    desk.env.setenv("COMETCHAT_REGION", "in")
    assert desk("roles", "list", "--app", "shop").code == 0
    assert simulator.requests[-1].header("apikey") == simulator.api_key


def test_the_default_app_is_not_mixed_with_the_environment(desk: Desk, simulator: Simulator) -> None:
    """The key of the default app does not go to an address that the environment names."""
    desk.env.delenv("COMETCHAT_API_KEY")
    desk.profiles('default = "shop"\n[apps.shop]\napp_id = "abc"\napi_key = "4d1f0b7a92c8"\n')
    done = desk("roles", "list")
    assert done.code == 3
    assert simulator.requests == []


def test_a_region_without_an_app(desk: Desk, simulator: Simulator) -> None:
    """A region is that of an app, not of the address that the environment names."""
    done = desk("roles", "list", "--region", "eu")
    assert done.code == 3
    assert "--region needs --app-id, or COMETCHAT_APP_ID" in done.line
    assert simulator.requests == []


def test_a_profile_has_its_own_region(bare_desk: Desk) -> None:
    """A profile without a region means us, not the region that the environment names for another app."""
    bare_desk.profiles('[apps.shop]\napp_id = "abc"\napi_key = "k"\n')
    bare_desk.env.setenv("COMETCHAT_REGION", "in")
    bare_desk.env.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    done = bare_desk("check", "--app", "shop", "-o", "json")
    found = {finding["subject"]: finding["finding"] for finding in json.loads(done.out)}
    assert found["Settings"].startswith("https://abc.api-us.cometchat.io/v3, ")


def test_a_key_from_a_file(desk: Desk, simulator: Simulator) -> None:
    """--api-key-file beats the environment; white space around the key counts for nothing."""
    desk.env.setenv("COMETCHAT_API_KEY", "another")
    desk.write("key", f"\ufeff {simulator.api_key}\r\n")
    assert desk("roles", "list", "--api-key-file", "key").code == 0


def test_a_key_from_a_file_in_place_of_a_profile_s(desk: Desk, simulator: Simulator) -> None:
    """--api-key-file beats what a profile says of its key, also where that cannot be read."""
    desk.write("key", simulator.api_key)
    desk.profiles(app("shop", simulator, 'api_key_file = "missing.key"'))
    assert desk("roles", "list", "--app", "shop").code == 3
    assert desk("roles", "list", "--app", "shop", "--api-key-file", "key").code == 0


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_key_that_others_can_read(desk: Desk, simulator: Simulator, mode: int) -> None:
    """A file with a key that others can read or write is refused, with the command that mends it."""
    desk.write("key", simulator.api_key, mode=mode)
    done = desk("roles", "list", "--api-key-file", "key")
    assert done.code == 3
    assert done.line.endswith("say: chmod 600 key")
    path = desk.profiles(app("shop", simulator, f'api_key = "{simulator.api_key}"'), mode=mode)
    done = desk("roles", "list", "--app", "shop")
    assert done.code == 3
    assert done.line.endswith(f"say: chmod 600 {path}")
    assert simulator.requests == []


@posix
def test_profiles_without_a_key_may_be_read(desk: Desk, simulator: Simulator) -> None:
    """Profiles that hold no key need not be private."""
    desk.profiles(app("shop", simulator), mode=0o644)
    assert desk("roles", "list", "--app", "shop").code == 0


@posix
@pytest.mark.parametrize("mode", [0o664, 0o646, 0o620])
def test_profiles_that_others_can_write(desk: Desk, simulator: Simulator, mode: int) -> None:
    """Profiles that others can write are refused, with a key or without: they could send it elsewhere."""
    path = desk.profiles(app("shop", simulator), mode=mode)
    done = desk("roles", "list", "--app", "shop")
    assert done.code == 3
    assert done.line.endswith(f"say: chmod go-w {path}")
    assert simulator.requests == []


def test_the_key_itself_where_a_file_belongs(desk: Desk, simulator: Simulator) -> None:
    """A key that is given in place of a file's name is not repeated."""
    done = desk("roles", "list", "--api-key-file", simulator.api_key)
    assert done.code == 3
    assert simulator.api_key[:8] not in done.line
    desk.profiles(app("shop", simulator, f'api_key_file = "{simulator.api_key}"'))
    assert simulator.api_key[:8] not in desk("roles", "list", "--app", "shop").line


PROFILES = {
    "not TOML": "[apps.shop\n",
    "not UTF-8": "[apps.shop]\napp_id = '\udcff'\n",
    "unknown at the top": "[app.shop]\napp_id = 'abc'\n",
    "unknown of an app": "[apps.shop]\napp_id = 'abc'\nkey = 'abc'\n",
    "not a text": "[apps.shop]\napp_id = 7\n",
    "no table": "apps = 3\n",
    "no table of an app": "[apps]\nshop = 'abc'\n",
    "two keys": "[apps.shop]\napp_id = 'abc'\napi_key = 'a'\napi_key_file = 'b'\n",
    "two addresses": "[apps.shop]\napp_id = 'abc'\nbase_url = 'https://chat.example.com/v3'\n",
    "no address": "[apps.shop]\nregion = 'eu'\n",
    "a default of another type": "default = ['shop']\n[apps.shop]\napp_id = 'abc'\n",
    "no such default": "default = 'forum'\n[apps.shop]\napp_id = 'abc'\n",
    "no such app": "[apps.forum]\napp_id = 'abc'\n",
    "wrong region": "[apps.shop]\napp_id = 'abc'\nregion = 'mars'\napi_key = 'k'\n",
    "wrong app id": "[apps.shop]\napp_id = 'a.b'\napi_key = 'k'\n",
    "wrong path of the key": "[apps.shop]\napp_id = 'abc'\napi_key_file = '\\u0000'\n",
    "too long": "#" * (1 << 20) + "\n\n",
}


@pytest.mark.parametrize("text", PROFILES.values(), ids=PROFILES.keys())
def test_profiles_that_are_not_as_they_should_be(bare_desk: Desk, text: str) -> None:
    """Whatever is wrong with the profiles is told in one line that names the file or the setting, with code 3."""
    path = bare_desk.profiles("")
    path.write_bytes(text.encode("utf-8", "surrogateescape").replace(b"'\\u0000'", b'"\\u0000"'))
    done = bare_desk("roles", "list", "--app", "shop")
    assert done.code == 3
    assert str(path) in done.line or "region" in done.line or "app_id" in done.line or "null" in done.line


def test_nothing_is_set_up(bare_desk: Desk) -> None:
    """Who has set up nothing is told what there is to set."""
    done = bare_desk("roles", "list")
    assert done.code == 3
    for way in ("--app-id", "--app", "COMETCHAT_APP_ID", "COMETCHAT_BASE_URL", "profiles.toml"):
        assert way in done.line
    done = bare_desk("roles", "list", "--app-id", "abc")
    assert done.code == 3
    assert "--api-key-file" in done.line
    assert "COMETCHAT_API_KEY" in done.line


def test_no_home(bare_desk: Desk) -> None:
    """Where nobody knows a home, that is told in one line."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    bare_desk.env.setattr(Path, "home", homeless)
    done = bare_desk("roles", "list")
    assert done.code == 3
    assert "no home directory" in done.line


COMMAND_LINE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")


def test_the_profiles_in_the_documentation(bare_desk: Desk) -> None:
    """The profiles that the documentation shows are valid; only their key files are missing."""
    (shown,) = re.findall(r'^```toml title="profiles.toml"\n(.*?)^```$', COMMAND_LINE, re.MULTILINE | re.DOTALL)
    bare_desk.profiles(shown)
    for name in ("shop", "clinic", None):
        done = bare_desk("roles", "list", *(["--app", name] if name else []))
        assert done.code == 3
        assert f"{name or 'shop'}.key: the file with the API key cannot be read" in done.line


def test_the_exit_codes_in_the_documentation() -> None:
    """The table of exit codes in the documentation has each code with the meaning that --help shows."""
    assert "\n<!-- the exit codes -->\n" in COMMAND_LINE
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", docs_commands.exit_codes(), re.MULTILINE)
    assert [(int(code), meaning) for code, meaning in rows] == list(MEANINGS.items())
