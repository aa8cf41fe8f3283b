"""An unofficial, typed client for CometChat's server-side REST API v3.

from cometchat_rest import Client

with Client(app_id="253179cf5f665257", region="eu", api_key=KEY) as chat:
    print(chat.keywords.plan("profanity-list", ["spam", "scam"]))
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cometchat_openapi.api.roles import AsyncRoles as AsyncRoles
    from cometchat_openapi.api.roles import Roles as Roles

    # The models: one edit of openapi.yaml adds a name here.
    from cometchat_openapi.models import *  # noqa: F403
    from cometchat_openapi.server import Region as Region
    from cometchat_runtime.hooks import AttemptRecord as AttemptRecord
    from cometchat_runtime.hooks import Drift as Drift
    from cometchat_runtime.model import File as File
    from cometchat_runtime.operation import Response as Response
    from cometchat_runtime.pages import AsyncPages as AsyncPages
    from cometchat_runtime.pages import Pages as Pages
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
# other public names are those of the two modules below.
_MODULE_OF = {
    "AsyncAuthTokens": ".auth_tokens",
    "AsyncClient": ".client",
    "AsyncKeywords": ".keywords",
    "AsyncPages": "cometchat_runtime.pages",
    "AsyncReviewedMessages": ".reviewed_messages",
    "AsyncRoles": "cometchat_openapi.api.roles",
    "AttemptRecord": "cometchat_runtime.hooks",
    "AuthTokens": ".auth_tokens",
    "Client": ".client",
    "Drift": "cometchat_runtime.hooks",
    "File": "cometchat_runtime.model",
    "KeywordListInput": ".keyword_input.inputs",
    "KeywordPlan": ".keywords.plan",
    "KeywordUpdate": ".keywords.plan",
    "Keywords": ".keywords",
    "Pages": "cometchat_runtime.pages",
    "PatternListInput": ".keyword_input.inputs",
    "Region": "cometchat_openapi.server",
    "Response": "cometchat_runtime.operation",
    "ReviewedMessages": ".reviewed_messages",
    "Revocation": ".auth_tokens",
    "Roles": "cometchat_openapi.api.roles",
    "Secret": "cometchat_runtime.secrets",
    "SentenceSimilarityListInput": ".keyword_input.inputs",
    "TokenRevocation": ".auth_tokens",
    "WordListInput": ".keyword_input.inputs",
    "__version__": ".version",
}
_MODULES = (".errors", "cometchat_openapi.models")


# Not for type checkers, which would accept every name of a module with this function.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "keyword_input":
            return import_module(".keyword_input", __name__)
        if name == "__all__":
            names = [name for module in _MODULES for name in _names_of(module)]
            return sorted([*_MODULE_OF, "keyword_input", *names])
        holder = _MODULE_OF.get(name) or _holder_of(name)
        if holder is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(holder, __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return __getattr__("__all__")


def _holder_of(name: str) -> str | None:
    return next((module for module in _MODULES if name in _names_of(module)), None)


def _names_of(module: str) -> list[str]:
    names: list[str] = import_module(module, __name__).__all__
    return names
