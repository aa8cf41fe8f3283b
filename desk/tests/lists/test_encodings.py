"""The encoding that a file without a mark probably has."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lists.encodings import likely_encoding
from cometchat_desk.lists.files import EncodingError
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout

# The encoding in which a program wrote the words.
TEXTS = [
    ("cp1251", "шпинат капуста морковь свёкла редис лук чеснок укроп петрушка"),
    ("cp1251", "їжак єнот спам free scam coins"),
    ("koi8-r", "шпинат капуста морковь свёкла редис лук чеснок укроп петрушка"),
    ("cp1256", "سبانخ ملفوف جزر بصل ثوم خيار طماطم فجل"),
    ("cp1256", "اسفناج کلم نخود گردو برنج کدو گوجه تربچه"),
    ("cp874", "ผักโขม กะหล่ำปลี แครอท มะเขือเทศ แตงกวา ฟักทอง spam"),
    ("gbk", "菠菜 卷心菜 免费，胡萝卜 加微信 加QQ群 代开发票"),
    ("big5", "菠菜 高麗菜 胡蘿蔔 加微信 免費 代開發票 洋蔥 大蒜"),
    ("shift_jis", "ほうれん草 キャベツ にんじん"),
    ("shift_jis", "死ね 馬鹿 殺す うざい"),
    ("shift_jis", "ほうれん草 キャベツ にんじん 人参 大根 白菜 玉ねぎ 胡瓜 なす"),
    ("euc_kr", "시금치 양배추 당근 양파 마늘 오이 무료 광고"),
    ("cp1252", "Grünkohl Möhre Spinat Öl Kürbis Rübe Weißkohl Gemüse grün"),
    (
        "cp1252",
        "épinard carotte chou frisé navet poireau «céleri» oignon ail échalote gratuit argent facile",
    ),
    (
        "cp1252",
        "rábano patata cebolla piña judía tomate limón lechuga maíz gratis dinero montaña",
    ),
    ("cp1252", "don’t it’s free – now Grüße"),
    ("latin-1", "feijão maçã limão açúcar pêssego melão pão mamão você"),
    ("cp1250", "szpinak włoska pęd źdźbło rzeżucha cukinia sałata ogórek świeży"),
    ("cp1250", "špenát mrkev řepa česnek ředkvička květák hrášek žampion okurka"),
    ("cp1253", "σπανάκι λάχανο καρότο κρεμμύδι σκόρδο αγγούρι ντομάτα"),
    (
        "cp1254",
        "ıspanak şalgam buğday çöp lahana soğan sarımsak salatalık kabağı mısır yeşil ücretsiz",
    ),
    ("cp1255", "תרד כרוב גזר בצל שום מלפפון עגבנייה צנון"),
]


@pytest.mark.parametrize(
    ("encoding", "words"), TEXTS, ids=[f"{encoding}-{words[:6]}" for encoding, words in TEXTS]
)
def test_likely_encoding(encoding: str, words: str) -> None:
    """The likely encoding of a short list reads its words, and the error about the file names
    it once, before the others."""
    data = words.replace(" ", "\n").encode(encoding)
    likely = likely_encoding(data)
    advice = rf"probably --encoding {likely} \(.*\)\. Others: .*utf-16"
    with pytest.raises(EncodingError, match=advice) as raised:
        read_list(data, "words.txt")
    assert str(raised.value).count(likely) == 1
    content = read_list(data, "words.txt", layout=Layout(encoding=likely))
    assert list(content.entries) == words.split()


def test_bytes_that_are_no_text() -> None:
    """For bytes that are not a text in any encoding, the one of Western Europe is offered."""
    assert likely_encoding(b"\x00\x01\xff\x81") == "cp1252"
