from typing import Literal

KeywordCategory = Literal["pattern", "sentence-similarity", "word"]
