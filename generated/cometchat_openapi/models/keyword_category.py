from typing import Literal

KeywordCategory = Literal["pattern", "sentence-similarity", "word"]

KEYWORD_CATEGORY_VALUES: set[KeywordCategory] = {
    "pattern",
    "sentence-similarity",
    "word",
}


def check_keyword_category(value: str) -> KeywordCategory:
    if value in KEYWORD_CATEGORY_VALUES:
        return value
    raise TypeError(f"Unexpected value {value!r}. Expected one of {KEYWORD_CATEGORY_VALUES!r}")
