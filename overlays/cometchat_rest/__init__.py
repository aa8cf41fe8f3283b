"""An unofficial, typed client for CometChat's server-side REST API v3.

from cometchat_rest import Client

with Client(app_id="253179cf5f665257", region="eu", api_key=KEY) as chat:
    print(chat.keywords.plan("profanity-list", ["spam", "scam"]))
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The models: one edit of openapi.yaml adds a name here.
    from cometchat_openapi import AsyncPages as AsyncPages
    from cometchat_openapi import Pages as Pages
    from cometchat_openapi import Parameter as Parameter
    from cometchat_openapi.api.roles import AsyncRoles as AsyncRoles
    from cometchat_openapi.api.roles import Roles as Roles
    from cometchat_openapi.client import Region as Region
    from cometchat_openapi.models import *  # noqa: F403
    from cometchat_runtime.drift import Drift as Drift
    from cometchat_runtime.observe import AttemptRecord as AttemptRecord
    from cometchat_runtime.secrets import Secret as Secret

    from . import keyword_input as keyword_input
    from .auth_tokens import AsyncAuthTokens as AsyncAuthTokens
    from .auth_tokens import AuthTokens as AuthTokens
    from .auth_tokens import Revocation as Revocation
    from .auth_tokens import TokenRevocation as TokenRevocation
    from .client import AsyncClient as AsyncClient
    from .client import Client as Client
    from .errors import *  # noqa: F403
    from .keyword_input.inputs import KeywordListInput as KeywordListInput
    from .keyword_input.inputs import PatternListInput as PatternListInput
    from .keyword_input.inputs import SentenceSimilarityListInput as SentenceSimilarityListInput
    from .keyword_input.inputs import WordListInput as WordListInput
    from .keywords import AsyncKeywords as AsyncKeywords
    from .keywords import Keywords as Keywords
    from .keywords.plan import KeywordPlan as KeywordPlan
    from .keywords.plan import KeywordUpdate as KeywordUpdate
    from .reviewed_messages import AsyncReviewedMessages as AsyncReviewedMessages
    from .reviewed_messages import ReviewedMessages as ReviewedMessages
    from .version import __version__ as __version__

# A name is loaded when it is first used, so that a program pays only for the names it uses. All
# other public names are those of the modules below.
_NAMES_OF = {
    "cometchat_runtime.drift": "Drift",
    "cometchat_runtime.observe": "AttemptRecord",
    ".auth_tokens": "AsyncAuthTokens AuthTokens Revocation TokenRevocation",
    ".client": "AsyncClient Client",
    ".keywords": "AsyncKeywords Keywords",
    ".keyword_input.inputs": (
        "KeywordListInput PatternListInput SentenceSimilarityListInput WordListInput"
    ),
    ".keywords.plan": "KeywordPlan KeywordUpdate",
    ".reviewed_messages": "AsyncReviewedMessages ReviewedMessages",
    "cometchat_openapi.api.roles": "AsyncRoles Roles",
    "cometchat_openapi.client": "AsyncPages Pages Parameter Region",
    "cometchat_runtime.secrets": "Secret",
    ".version": "__version__",
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}
_MODULES = (".errors", "cometchat_openapi.models")


# Not for type checkers, which would accept every name of a module with this function.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "keyword_input":
            return import_module(".keyword_input", __name__)
        if name == "__all__":
            others = [
                each for module in _MODULES for each in import_module(module, __name__).__all__
            ]
            return sorted([*_MODULE_OF, "keyword_input", *others])
        holders = (each for each in _MODULES if name in import_module(each, __name__).__all__)
        if (module := _MODULE_OF.get(name) or next(holders, None)) is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(import_module(module, __name__), name))

    def __dir__() -> list[str]:
        return __getattr__("__all__")
