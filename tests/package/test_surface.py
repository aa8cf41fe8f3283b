"""The public names and the dependencies of the package."""

import tomllib
from pathlib import Path

import cometchat_rest
from cometchat_openapi import models

ROOT = Path(__file__).parents[2]


#: The names that are written by hand. All other names follow from openapi.yaml.
OVERLAYS = [
    "ApiError",
    "AsyncAuthTokens",
    "AsyncClient",
    "AsyncKeywords",
    "AsyncPages",
    "AsyncReviewedMessages",
    "AsyncRoles",
    "AttemptRecord",
    "AuthTokens",
    "AuthenticationError",
    "BadRequestError",
    "Client",
    "CometChatError",
    "ConfigurationError",
    "ConflictError",
    "Drift",
    "InvalidRequestError",
    "KeywordListInput",
    "KeywordPlan",
    "KeywordUpdate",
    "Keywords",
    "NotFoundError",
    "Pages",
    "Parameter",
    "PatternListInput",
    "PermissionDeniedError",
    "PlanRefusedError",
    "RateLimit",
    "RateLimitError",
    "Region",
    "RequestTimeoutError",
    "ResponseTooLargeError",
    "ReviewedMessages",
    "RevisionConflictError",
    "Revocation",
    "Roles",
    "Secret",
    "SentenceSimilarityListInput",
    "ServerError",
    "TokenRevocation",
    "TransportError",
    "UnexpectedResponse",
    "UnprocessableEntityError",
    "WordListInput",
    "__version__",
    "keyword_input",
    "openapi",
]


def test_the_public_names() -> None:
    """The package exports the names of the overlays, and the models of the description; each exists."""
    assert dir(cometchat_rest) == sorted([*OVERLAYS, *models.__all__])
    assert all(hasattr(cometchat_rest, name) for name in dir(cometchat_rest))


def test_few_dependencies() -> None:
    """The package depends only on httpx, attrs, anyio, which httpx needs too, and sniffio, which saves time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {dependency.split(">")[0] for dependency in project["dependencies"]}
    assert names == {"anyio", "attrs", "httpx", "sniffio"}
