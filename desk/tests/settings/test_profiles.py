"""The sources of settings, their order, and invalid settings."""

import os
import re
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine

posix = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")


def app(name: str, simulator: Simulator, key: str = "") -> str:
    return f'[apps.{name}]\nbase_url = "{simulator.base_url}"\n{key}\n'


def test_path_of_the_profiles(bare_cli: CommandLine, simulator: Simulator) -> None:
    """--config beats XDG_CONFIG_HOME, which beats ~/.config. A relative XDG_CONFIG_HOME is
    ignored."""
    good = app("shop", simulator, f'api_key = "{simulator.api_key}"')
    bare_cli.profiles("[apps.home]\n" + good.partition("\n")[2])
    bare_cli.write("xdg/cometchat-desk/profiles.toml", "[apps.xdg]\n" + good.partition("\n")[2])
    bare_cli.write("elsewhere.toml", "[apps.elsewhere]\n" + good.partition("\n")[2])

    def works(name: str, *more: str) -> bool:
        return bare_cli("reviewed", "list", "--app", name, *more).code == 0

    assert works("home")
    assert not works("xdg")
    bare_cli.env.setenv("XDG_CONFIG_HOME", "xdg")
    assert works("home")
    bare_cli.env.setenv("XDG_CONFIG_HOME", str(bare_cli.folder / "xdg"))
    assert works("xdg")
    assert not works("home")
    assert works("elsewhere", "--config", "elsewhere.toml")


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_key_file_with_open_permissions(cli: CommandLine, simulator: Simulator, mode: int) -> None:
    """A key file that other users can read or write is refused, with the command that repairs
    it."""
    cli.write("key", simulator.api_key, mode=mode)
    done = cli("reviewed", "list", "--api-key-file", "key")
    assert done.code == 3
    assert done.line.endswith("run: chmod 600 key")
    path = cli.profiles(app("shop", simulator, f'api_key = "{simulator.api_key}"'), mode=mode)
    done = cli("reviewed", "list", "--app", "shop")
    assert done.code == 3
    assert done.line.endswith(f"run: chmod 600 {path}")
    assert simulator.requests == []


@posix
def test_key_file_is_a_regular_file(cli: CommandLine, simulator: Simulator) -> None:
    """A named pipe, which might wait for ever, is refused as the file of a key."""
    os.mkfifo(cli.folder / "pipe", 0o600)
    done = cli("reviewed", "list", "--api-key-file", "pipe")
    assert done.code == 3
    assert "pipe: the file with the API key cannot be read: it is not a regular file" in done.line
    assert simulator.requests == []


@posix
def test_profiles_without_a_key_may_be_readable(cli: CommandLine, simulator: Simulator) -> None:
    """Profiles that hold no key may be readable for other users."""
    cli.profiles(app("shop", simulator), mode=0o644)
    assert cli("reviewed", "list", "--app", "shop").code == 0


@posix
@pytest.mark.parametrize("mode", [0o664, 0o646, 0o620])
def test_profiles_that_others_can_write(cli: CommandLine, simulator: Simulator, mode: int) -> None:
    """Profiles that other users can write are refused, because they could send a key to another
    address."""
    path = cli.profiles(app("shop", simulator), mode=mode)
    done = cli("reviewed", "list", "--app", "shop")
    assert done.code == 3
    assert done.line.endswith(f"run: chmod go-w {path}")
    assert simulator.requests == []


def test_key_instead_of_a_file_name(cli: CommandLine, simulator: Simulator) -> None:
    """A key that is given instead of a file name is not shown."""
    done = cli("reviewed", "list", "--api-key-file", simulator.api_key)
    assert done.code == 3
    assert simulator.api_key[:8] not in done.line
    cli.profiles(app("shop", simulator, f'api_key_file = "{simulator.api_key}"'))
    assert simulator.api_key[:8] not in cli("reviewed", "list", "--app", "shop").line


PROFILES = {
    "not TOML": "[apps.shop\n",
    "nested too deeply": f"apps = {'[' * 100_000}\n",
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
def test_invalid_profiles(bare_cli: CommandLine, text: str) -> None:
    """Invalid profiles give one line that names the file or the setting, and exit code 3."""
    path = bare_cli.profiles("")
    path.write_bytes(text.encode("utf-8", "surrogateescape").replace(b"'\\u0000'", b'"\\u0000"'))
    done = bare_cli("reviewed", "list", "--app", "shop")
    assert done.code == 3
    assert (
        str(path) in done.line
        or "region" in done.line
        or "app_id" in done.line
        or "null" in done.line
    )


COMMAND_LINE = (Path(__file__).parents[3] / "docs" / "desk" / "commands.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "name"),
    [((), "shop"), (("--app", "shop"), "shop"), (("--app", "clinic"), "clinic")],
)
def test_the_profiles_in_the_documentation(
    bare_cli: CommandLine, options: tuple[str, ...], name: str
) -> None:
    """The profiles that the documentation shows are valid; only their key files are missing."""
    (shown,) = re.findall(
        r'^```toml title="profiles.toml"\n(.*?)^```$', COMMAND_LINE, re.MULTILINE | re.DOTALL
    )
    bare_cli.profiles(shown)
    done = bare_cli("reviewed", "list", *options)
    assert done.code == 3
    assert f"{name}.key: the file with the API key cannot be read" in done.line
