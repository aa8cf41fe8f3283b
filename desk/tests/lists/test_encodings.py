"""The encoding that a file without a mark probably has."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lists.encodings import likely_encoding
from cometchat_desk.lists.files import EncodingError
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout

TEXTS = [
    ("cp1251", "шпинат\nкапуста\nморковь\n"),
    ("cp1251", "їжак\nєнот\nспам\nfree coins\n"),
    ("cp1256", "سبانخ\nملفوف\nجزر\n"),
    ("cp1256", "اسفناج\nکلم\n"),
    ("cp874", "ผักโขม\nกะหล่ำปลี\nspam\n"),
    ("gbk", "菠菜\n卷心菜\n免费，胡萝卜\n"),
    ("gbk", "加微信\n加QQ群\n代开发票\n"),
    ("shift_jis", "ほうれん草\nキャベツ\nにんじん\n"),
    ("shift_jis", "人参\n大根\n白菜\n"),
    ("euc_kr", "시금치\n양배추\n당근\n"),
    ("cp1252", "Grünkohl\nMöhre, roh\nSpinat\nÖl\n"),
    ("cp1252", "épinard\nchou frisé\n«céleri»\n"),
    ("cp1252", "don’t\nit’s free – now\nGrüße\n"),
    ("cp1250", "szpinak\nkapusta włoska\npęd\nźdźbło\n"),
]


@pytest.mark.parametrize(("encoding", "text"), TEXTS, ids=[text[:9] for _, text in TEXTS])
def test_letters_of_one_script(encoding: str, text: str) -> None:
    """The encoding that gives usual letters of one script is the likely one, and the error about
    the file names it."""
    data = text.encode(encoding)
    assert likely_encoding(data).name == encoding
    with pytest.raises(EncodingError, match=f"probably --encoding {encoding} "):
        read_list(data, "words.txt")
    found = read_list(data, "words.txt", layout=Layout(encoding=encoding))
    assert list(found.entries) == text.splitlines()


def test_bytes_of_no_script() -> None:
    """For bytes that are not letters in any encoding, the one of Western Europe is offered."""
    assert likely_encoding(b"\x85 \x97").name == "cp1252"
