"""The calls whose outcomes are frozen, and the behaviours of the service. All names are public."""

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import field, frozen

from cometchat_rest import (
    KeywordListForm,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
)

from .service import CLOSED, GOOD, Script, response

LIST_ID = "profanity-list"
TOKEN = "alice_1757955951eeaa31e476082618053f2989c7258f"
TERMS = ["spam", "scam", "phishing"]
FILE = Path(__file__).with_name("terms.csv")
#: The name of the behaviour of a port where nobody accepts a connection.
REFUSED = "connection refused"

#: Takes a client and the result of the step before it; what it returns is awaited if it must be.
Step = Callable[[Any, Any], Any]


def _json(document: object) -> str:
    return json.dumps(document)


_JSON_TYPE = "Content-Type: application/json"
_ERROR = _json(
    {
        "error": {
            "code": "ERR_SOMETHING",
            "message": "Something is not as it should be.",
            "devMessage": "Look again.",
            "source": "request",
            "details": {"name": ["is too long", "is odd"]},
        }
    }
)
_GONE = _json({"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": "No such token."}})
_OTHER_LIST = _json({"data": {"id": "other", "success": False}})
_ODD_FIELDS = _json({"data": {"id": LIST_ID, "createdAt": "soon", "success": True}})
_HTML = "<html><title>Bad gateway</title></html>"
_LOCATION = "Location: https://elsewhere.example/v3"
_CUT = b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data": {'

_STATUSES = (400, 401, 403, 404, 408, 409, 418, 422, 425, 429, 500, 501, 502, 503, 504, 520)

BEHAVIOURS: Mapping[str, Script] = {
    "200 good": (GOOD,),
    "200 wrong shape": (response(200, _json({"data": 5}), _JSON_TYPE),),
    "200 no object": (response(200, "[]", _JSON_TYPE),),
    "200 not confirmed": (response(200, _OTHER_LIST, _JSON_TYPE),),
    "200 odd fields": (response(200, _ODD_FIELDS, _JSON_TYPE),),
    "200 empty": (response(200),),
    "200 HTML": (response(200, _HTML, "Content-Type: text/html"),),
    "201 no JSON type": (response(201, _json({"data": {}})),),
    "204": (response(204),),
    "302": (response(302, "", _LOCATION),),
    "304": (response(304),),
    **{f"{status} error object": (response(status, _ERROR, _JSON_TYPE),) for status in _STATUSES},
    "404 token gone": (response(404, _GONE, _JSON_TYPE),),
    "429 HTML, Retry-After: 0": (response(429, _HTML, "Retry-After: 0"),),
    "429 Retry-After: 100": (response(429, _ERROR, "Retry-After: 100"),),
    "429, then good": (response(429, _ERROR), GOOD),
    "503 Retry-After: 0": (response(503, _ERROR, "Retry-After: 0"),),
    "503 Retry-After: 100": (response(503, _ERROR, "Retry-After: 100"),),
    "503 HTML, then good": (response(503, _HTML), GOOD),
    "500, then 404": (response(500, _ERROR), response(404, _GONE)),
    "503, then 404": (response(503, _ERROR), response(404, _GONE)),
    "closed before a response": (CLOSED,),
    "closed, then good": (CLOSED, GOOD),
    "closed, then token gone": (CLOSED, response(404, _GONE)),
    "cut in the body": (_CUT,),
    "cut in the head": (b"HTTP/1.1 200 OK\r\nContent-",),
    "no HTTP": (b"220 mail.example ESMTP\r\n",),
    REFUSED: (CLOSED,),
}


@frozen(kw_only=True)
class Call:
    """A call, in steps.

    Attributes:
        struck: the requests that get the behaviour, as in `Run`.
        spared: how many of these requests get a good response first.
        carries_out: whether the service carries an update out.
        settings: further settings of the client.
    """

    steps: tuple[Step, ...]
    struck: str = "GET"
    spared: int = 0
    carries_out: bool = True
    settings: Mapping[str, Any] = field(factory=dict)


def _all_pages(pages: Any) -> Any:
    return _collected(pages) if hasattr(pages, "__aiter__") else list(pages)


async def _collected(pages: Any) -> list[Any]:
    return [each async for each in pages]


def _keep_closed(chat: Any) -> Any:
    return chat.aclose() if hasattr(chat, "aclose") else chat.close()


def _words() -> WordListInput:
    return WordListInput(search_terms=TERMS, name="Profanity", description="Rude words")


def _get(chat: Any, _: Any) -> Any:
    return chat.keywords.get(LIST_ID)


def _plan(chat: Any, _: Any) -> Any:
    return chat.keywords.plan(LIST_ID, TERMS)


def _apply(chat: Any, plan: Any) -> Any:
    return chat.keywords.apply(plan)


def _delete(chat: Any, _: Any) -> Any:
    return chat.auth_tokens.delete("alice", TOKEN)


def _update_words(chat: Any, _: Any) -> Any:
    return chat.keywords.update(LIST_ID, _words())


def _update_terms(chat: Any, _: Any) -> Any:
    return chat.keywords.update(LIST_ID, TERMS)


def _request(method: str, **arguments: Any) -> Step:
    path, values = "/users/{uid}/notes", {"uid": "alice"}
    return lambda chat, _: chat.request(method, path, path_values=values, **arguments)


#: The calls that meet every behaviour.
_THOROUGH: Mapping[str, Call] = {
    "keywords.get": Call(steps=(_get,)),
    "keywords.get strict": Call(steps=(_get,), settings={"strict": True}),
    "keywords.update input": Call(steps=(_update_words,), struck="PUT"),
    "keywords.update strict": Call(
        steps=(_update_words,),
        struck="PUT",
        settings={"strict": True},
    ),
    "keywords.update terms, GET fails": Call(steps=(_update_terms,)),
    "keywords.update terms, PUT fails": Call(steps=(_update_terms,), struck="PUT"),
    "keywords.plan": Call(steps=(_plan,)),
    "keywords.apply, PUT fails": Call(steps=(_plan, _apply), struck="PUT"),
    "keywords.apply, PUT fails, not carried out": Call(
        steps=(_plan, _apply),
        struck="PUT",
        carries_out=False,
    ),
    "keywords.apply, reading back fails": Call(steps=(_plan, _apply), struck="GET after PUT"),
    "reviewed_messages.list": Call(steps=(lambda chat, _: chat.reviewed_messages.list(),)),
    "roles.list one page": Call(steps=(lambda chat, _: chat.roles.list(page=1, per_page=2),)),
    "roles.list, page 2 fails": Call(
        steps=(lambda chat, _: _all_pages(chat.roles.list(per_page=2)),),
        spared=1,
    ),
    "auth_tokens.delete": Call(steps=(_delete,), struck="DELETE"),
    "auth_tokens.revoke": Call(
        steps=(lambda chat, _: chat.auth_tokens.revoke("alice", TOKEN),),
        struck="DELETE",
    ),
    "request GET": Call(steps=(_request("GET", query={"limit": "5"}),)),
    "request POST": Call(steps=(_request("POST", json={"text": "é"}),), struck="POST"),
}


def _update(new: Callable[[], Any], **arguments: Any) -> Call:
    def step(chat: Any, _: Any) -> Any:
        return chat.keywords.update(LIST_ID, new(), **arguments)

    return Call(steps=(step,))


def _form() -> KeywordListForm:
    return KeywordListForm(category="pattern", search_terms="")


#: Each kind of input of an update.
_UPDATES: Mapping[str, Call] = {
    "words": _update(_words),
    "words, one text": _update(lambda: WordListInput(search_terms="spam, scam\nmore")),
    "words, id": _update(lambda: WordListInput(search_terms=["é", "字"], id="new-id")),
    "words, bytes": _update(lambda: WordListInput(file=b"\xef\xbb\xbfspam\r\nscam\r\n")),
    "words, path": _update(lambda: WordListInput(file=FILE)),
    "words, text path": _update(lambda: WordListInput(file=str(FILE))),
    "words, open file": _update(lambda: WordListInput(file=BytesIO(b"spam\n"))),
    "patterns": _update(lambda: PatternListInput(search_terms=["[0-9]{3}", 'a"b'])),
    "patterns, bytes": _update(lambda: PatternListInput(file=b'"a{1,3}"\n', name='N"\r\nX')),
    "sentences": _update(
        lambda: SentenceSimilarityListInput(disallowed_sentences=["Hi, you", "One\nTwo", "é"]),
    ),
    "sentences, bytes": _update(
        lambda: SentenceSimilarityListInput(disallowed_sentences=["Hi"], file=b"Hi\n"),
    ),
    "mapping of words": _update(lambda: {"category": "word", "searchTerms": TERMS}),
    "mapping of sentences": _update(
        lambda: {"category": "sentence-similarity", "disallowedSentences": ["Hi"]},
    ),
    "terms": _update(lambda: TERMS),
    "terms with a comma": _update(lambda: ["a{1,3}", 'say "hi"'], max_removed=1.0),
    "terms, csv": _update(lambda: TERMS, quotes="csv"),
    "terms, literal": _update(lambda: iter(TERMS), quotes="literal"),
    "form": _update(_form),
}


def _one(act: Callable[[Any], Any], **settings: Any) -> Call:
    return Call(steps=(lambda chat, _: act(chat),), settings=settings)


def _with_headers(chat: Any) -> Any:
    derived = chat.with_options(headers={"X-Trace": "2", "X-More": "3"}, on_behalf_of="bob")
    return derived.keywords.get(LIST_ID)


_QUERY = {"a": [1, "2", True], "b": None, "c": "x y/é&=+", "d": False, "e": 1.5}

#: Other requests.
_REQUESTS: Mapping[str, Call] = {
    "odd identifier": _one(lambda chat: chat.keywords.get("a b~é+@:!$&'()*,=;x%?#")),
    "headers": _one(lambda chat: chat.keywords.get(LIST_ID), headers={"x-Trace": "1"}),
    "derived headers": _one(_with_headers, headers={"x-Trace": "1"}, on_behalf_of="alice"),
    "reviewed messages, limit": _one(lambda chat: chat.reviewed_messages.list(limit=5)),
    "roles, all": _one(lambda chat: _all_pages(chat.roles.list())),
    "roles, all in pages of 2": _one(lambda chat: _all_pages(chat.roles.list(per_page=2))),
    "roles, from page 2": _one(lambda chat: _all_pages(chat.roles.list(page=2, per_page=1))),
    "roles, next page": Call(
        steps=(
            lambda chat, _: chat.roles.list(per_page=2),
            lambda _, page: page.next_page(),
        ),
    ),
    "roles, after the last page": Call(
        steps=(
            lambda chat, _: chat.roles.list(),
            lambda _, page: page.next_page(),
        ),
    ),
    "odd token": _one(lambda chat: chat.auth_tokens.delete("a b", "t+é=")),
    "request, query": _one(lambda chat: chat.request("GET", "/a/b", query=_QUERY)),
    "request, no body": _one(lambda chat: chat.request("POST", "/a")),
    "request, PUT": _one(lambda chat: chat.request("PUT", "/a", json=[1, None, "é"])),
    "request, PATCH": _one(lambda chat: chat.request("PATCH", "/a", json="text")),
    "request, DELETE": _one(lambda chat: chat.request("DELETE", "/a")),
    "request, DELETE with a body": _one(lambda chat: chat.request("DELETE", "/a", json={})),
}

_PATH_VALUES = ("", " ", ".", "..", "a/b", "a\\b", ";x", "..;x", "%2e", "a\n", "\ud800", "a" * 1025)


def _values_refused(value: object) -> dict[str, Call]:
    name = repr(value) if len(repr(value)) < 20 else "long text"
    note = "/notes/{note}"
    return {
        f"keywords.get {name}": _one(lambda chat: chat.keywords.get(value)),
        f"keywords.update {name}": _one(lambda chat: chat.keywords.update(value, _words())),
        f"keywords.update terms {name}": _one(lambda chat: chat.keywords.update(value, TERMS)),
        f"keywords.plan {name}": _one(lambda chat: chat.keywords.plan(value, TERMS)),
        f"delete uid {name}": _one(lambda chat: chat.auth_tokens.delete(value, TOKEN)),
        f"delete token {name}": _one(lambda chat: chat.auth_tokens.delete("alice", value)),
        f"revoke uid {name}": _one(lambda chat: chat.auth_tokens.revoke(value, TOKEN)),
        f"revoke token {name}": _one(lambda chat: chat.auth_tokens.revoke("alice", value)),
        f"request {name}": _one(
            lambda chat: chat.request("GET", note, path_values={"note": value}),
        ),
    }


#: Values that cannot be one segment of a path.
_REFUSED_VALUES: dict[str, Call] = {}
for each in (*_PATH_VALUES, None, 5, b"a"):
    _REFUSED_VALUES |= _values_refused(each)


def _remove_all(chat: Any, _: Any) -> Any:
    return chat.keywords.plan(LIST_ID, ["other"])


_REFUSED_ARGUMENTS: Mapping[str, Call] = {
    "limit 0": _one(lambda chat: chat.reviewed_messages.list(limit=0)),
    "limit text": _one(lambda chat: chat.reviewed_messages.list(limit="5")),
    "limit true": _one(lambda chat: chat.reviewed_messages.list(limit=True)),
    "page 0": _one(lambda chat: chat.roles.list(page=0)),
    "per_page 1001": _one(lambda chat: chat.roles.list(per_page=1001)),
    "method": _one(lambda chat: chat.request("TRACE", "/a")),
    "method in small letters": _one(lambda chat: chat.request("get", "/a")),
    "path without a slash": _one(lambda chat: chat.request("GET", "a")),
    "path of another host": _one(lambda chat: chat.request("GET", "//evil.example/a")),
    "path with dots": _one(lambda chat: chat.request("GET", "/a/../b")),
    "path with a query": _one(lambda chat: chat.request("GET", "/a?b=c")),
    "path with the version": _one(lambda chat: chat.request("GET", "/v3/a")),
    "path without a value": _one(lambda chat: chat.request("GET", "/a/{b}")),
    "path values": _one(lambda chat: chat.request("GET", "/a", path_values=["b"])),
    "query": _one(lambda chat: chat.request("GET", "/a", query=[("b", "c")])),
    "query value": _one(lambda chat: chat.request("GET", "/a", query={"b": {}})),
    "json": _one(lambda chat: chat.request("POST", "/a", json={"b": {1}})),
    "json NaN": _one(lambda chat: chat.request("POST", "/a", json=float("nan"))),
    "update with one text": _update(lambda: "spam"),
    "update with a blank term": _update(lambda: ["spam", " "]),
    "update with a number": _update(lambda: 5),
    "update with a category": _update(lambda: {"category": "wrod", "searchTerms": "spam"}),
    "update with a field": _update(lambda: {"category": "word", "searchTerm": "spam"}),
    "update with a file name": _update(lambda: {"category": "word", "file": "terms.csv"}),
    "update with no terms": _update(list),
    "update with quotes": _update(lambda: TERMS, quotes="yes"),
    "input without terms": _update(lambda: WordListInput(search_terms=[])),
    "input with a comma": _update(lambda: PatternListInput(search_terms=["a{1,3}"])),
    "input with terms and file": _update(lambda: WordListInput(search_terms=["a"], file=b"a")),
    "input with an empty file": _update(lambda: WordListInput(file=b"")),
    "input with a large file": _update(lambda: WordListInput(file=b"a" * (2**20 + 1))),
    "input with a blank name": _update(lambda: WordListInput(search_terms=["a"], name="")),
    "input without sentences": _update(
        lambda: SentenceSimilarityListInput(disallowed_sentences=[]),
    ),
    "apply of no plan": _one(lambda chat: chat.keywords.apply("plan")),
    "apply, max_removed": Call(
        steps=(_plan, lambda chat, plan: chat.keywords.apply(plan, max_removed=2)),
    ),
    "apply, removes all": Call(steps=(_remove_all, _apply)),
    "apply, allowed to remove all": Call(
        steps=(_remove_all, lambda chat, plan: chat.keywords.apply(plan, max_removed=1)),
    ),
    "apply, twice": Call(
        steps=(
            _plan,
            lambda chat, plan: _and_then(chat.keywords.apply(plan), plan),
            _apply,
        ),
    ),
    "derived retries": _one(lambda chat: chat.with_options(max_retries=-1)),
    "derived deadline": _one(lambda chat: chat.with_options(deadline=0)),
    "derived timeout": _one(lambda chat: chat.with_options(timeout=-1)),
    "derived user": _one(lambda chat: chat.with_options(on_behalf_of="")),
    "derived header": _one(lambda chat: chat.with_options(headers={"APIKEY": "x"})),
    "derived header value": _one(lambda chat: chat.with_options(headers={"x": "a\r\nb: c"})),
    "closed": Call(steps=(lambda chat, _: _keep_closed(chat), _get)),
}


def _and_then(result: Any, value: Any) -> Any:
    """The value, after the result has been awaited if it must be."""
    return _after(result, value) if hasattr(result, "__await__") else value


async def _after(result: Any, value: Any) -> Any:
    await result
    return value


#: Settings that no client accepts; `base_url` is that of the service if there is none.
_REFUSED_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "app_id and base_url": {"app_id": "253179cf5f665257"},
    "app_id": {"base_url": None, "app_id": "a.evil.example"},
    "app_id is missing": {"base_url": None, "region": "eu"},
    "region": {"base_url": None, "app_id": "a", "region": "EU"},
    "api_key is missing": {"api_key": None},
    "api_key is blank": {"api_key": " "},
    "api_key with a line break": {"api_key": "a\r\nb"},
    "base_url, http": {"base_url": "http://chat.example/v3"},
    "base_url, test host": {"base_url": "http://chat.example/v3", "allow_http": True},
    "base_url without v3": {"base_url": "https://chat.example/"},
    "base_url with a user": {"base_url": "https://u:p@chat.example/v3"},
    "base_url with a query": {"base_url": "https://chat.example/v3?a=b"},
    "on_behalf_of": {"on_behalf_of": "a\nb"},
    "headers": {"headers": {"apikey": "x"}},
    "header name": {"headers": {"a b": "x"}},
    "header value": {"headers": {"a": " x"}},
    "timeout": {"timeout": 0},
    "max_retries": {"max_retries": -1},
    "max_retries true": {"max_retries": True},
    "deadline": {"deadline": "5"},
    "max_response_bytes": {"max_response_bytes": 0},
    "strict": {"strict": 1},
    "on_drift": {"on_drift": 5},
    "on_attempt": {"on_attempt": 5},
    "proxy": {"proxy": "ftp://proxy.example"},
    "allow_http": {"allow_http": "yes"},
}


def _with_settings(settings: Mapping[str, Any]) -> Call:
    return Call(steps=(_get,), settings=settings)


_SETTINGS = {case: _with_settings(each) for case, each in _REFUSED_SETTINGS.items()}


def _scenarios() -> dict[str, dict[str, tuple[Call, Script]]]:
    """All scenarios: for each group, each case with its call and the behaviour of the service."""
    found: dict[str, dict[str, tuple[Call, Script]]] = {}
    for name, call in _THOROUGH.items():
        spared = (GOOD,) * call.spared
        found[name] = {each: (call, spared + script) for each, script in BEHAVIOURS.items()}
    groups = {
        "kinds of input": _UPDATES,
        "other requests": _REQUESTS,
        "refused values": _REFUSED_VALUES,
        "refused arguments": _REFUSED_ARGUMENTS,
        "refused settings": _SETTINGS,
    }
    for name, calls in groups.items():
        found[name] = {case: (call, (GOOD,)) for case, call in calls.items()}
    return found


SCENARIOS = _scenarios()
