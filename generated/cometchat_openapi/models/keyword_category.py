from typing import Literal

KeywordCategory = Literal["pattern", "sentence-similarity", "word"]

KEYWORD_CATEGORY_VALUES: set[KeywordCategory] = {"pattern", "sentence-similarity", "word"}
