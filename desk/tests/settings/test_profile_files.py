"""Changes of the file with the profiles."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from cometchat_testing import Simulator

from ..commands.test_apps import FOLDER, add, content, mode, posix
from ..conftest import CommandLine, Result


@posix
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_existing_content_stays(bare_cli: CommandLine, simulator: Simulator, newline: str) -> None:
    """A new app is appended: comments, order and line ends of the file stay, and the file gets
    the mode 600."""
    before = newline.join(
        [
            "# my apps",
            'default = "forum" # the old one',
            "",
            "[apps.forum]",
            "app_id = 'a' # no end",
        ]
    )
    path = bare_cli.profiles("", mode=0o644)
    path.write_bytes(before.encode())
    assert add(bare_cli, simulator, "shop").code == 0
    after = path.read_bytes().decode()
    assert after.startswith(before + newline)
    assert after.count("\n") == after.count(newline)
    assert content(bare_cli)["default"] == "forum"
    assert list(content(bare_cli)["apps"]) == ["forum", "shop"]  # type: ignore[call-overload]  # a parsed file
    assert {mode(each) for each in path.parent.iterdir()} == {0o600}


@posix
@pytest.mark.parametrize("link", ["profiles.toml", "folder"])
def test_linked_profiles(bare_cli: CommandLine, simulator: Simulator, link: str) -> None:
    """Profiles may be a symbolic link, as programs that manage settings make them, or in a folder
    that is one: a change keeps the link."""
    real = bare_cli.write("mine/profiles.toml", "# mine\n")
    own = bare_cli.profiles("").parent
    (own / "profiles.toml").unlink()
    if link == "folder":
        own.rmdir()
        own.symlink_to(real.parent)
    else:
        (own / "profiles.toml").symlink_to(real)
    assert add(bare_cli, simulator, "shop").code == 0
    assert bare_cli("reviewed", "list", "--app", "shop").code == 0
    assert (own.is_symlink(), (own / "profiles.toml").is_symlink()) == (
        link == "folder",
        link == "profiles.toml",
    )
    assert real.read_text("utf-8").startswith("# mine\n")


@pytest.mark.parametrize(
    "text", ["apps = {forum = {app_id = 'a'}}\n", "apps.forum.app_id = 'a' # mine\n"]
)
def test_other_forms_of_toml(
    bare_cli: CommandLine, typed: Callable[..., Result], text: str
) -> None:
    """An app is added to profiles in any form of TOML."""
    path = bare_cli.profiles(text)
    assert typed("shop", "--no-check", texts="abc\neu\n", key="k").code == 0
    assert content(bare_cli)["apps"] == {
        "forum": {"app_id": "a"},
        "shop": {"app_id": "abc", "region": "eu", "api_key_file": "shop.key"},
    }
    assert text.partition("forum")[0] in path.read_text("utf-8")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_replaced_app(bare_cli: CommandLine, typed: Callable[..., Result], newline: str) -> None:
    """--replace writes only the table and the key file of one app; comments and other apps stay."""
    before = (
        '# mine\ndefault = "shop"\n[apps.shop]\napp_id = "old"\napi_key_file = "shop.key"\n'
        '# next\n\n[apps.forum]\napp_id = "b"'
    ).replace("\n", newline)
    path = bare_cli.profiles("")
    path.write_bytes(before.encode())
    key_file = bare_cli.write(f"{FOLDER}/shop.key", "old")
    done = typed("shop", "--no-check")
    assert (done.code, path.read_bytes().decode(), key_file.read_text("utf-8")) == (
        2,
        before,
        "old",
    )
    assert typed("shop", "--no-check", "--replace", texts="new\nEU\n", key="'k1'").code == 0
    assert key_file.read_text("utf-8") == "k1\n"
    after = '[apps.shop]\napp_id = "new"\napi_key_file = "shop.key"\n# next\nregion = "eu"\n'
    expected = f'# mine\ndefault = "shop"\n{after}\n[apps.forum]\napp_id = "b"'
    assert path.read_bytes().decode() == expected.replace("\n", newline)


@posix
def test_two_processes(bare_cli: CommandLine, simulator: Simulator) -> None:
    """Several processes that add apps at the same time lose no app."""
    bare_cli.write("my.key", simulator.api_key)
    names = [f"app-{number}" for number in range(3)]
    command = [
        sys.executable,
        "-c",
        "from cometchat_desk.__main__ import main; main()",
        "apps",
        "add",
    ]
    options = ["--app-id", "x", "--api-key-file", "my.key", "--no-check"]
    running = [subprocess.Popen([*command, name, *options], cwd=bare_cli.folder) for name in names]
    assert [each.wait(60) for each in running] == [0] * len(names)
    assert sorted(content(bare_cli)["apps"]) == names  # type: ignore[call-overload]  # a parsed file
