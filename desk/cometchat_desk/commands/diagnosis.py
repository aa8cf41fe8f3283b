"""Check each thing that a call depends on, in order, and say what is wrong. The checks only
read."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal
from urllib.parse import urlsplit

from attrs import frozen

import cometchat_rest
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.messages import reason_for
from cometchat_desk.settings.profiles import App
from cometchat_desk.terminal.progress import ProgressNote

_CERTIFICATES = (
    "check this machine's clock, and whether a proxy or firewall intercepts connections;"
    " SSL_CERT_FILE can name the certificates to trust"
)


@frozen
class CheckResult:
    """The result of one check, with the exit code for it."""

    subject: str
    state: Literal["ok", "note", "wrong"]
    text: str
    code: Code = Code.DONE


def diagnose(find: Callable[[], App]) -> Iterator[CheckResult]:
    """Yield each finding as soon as it is made. The first that is wrong is the last."""
    subject = "Settings"
    base_url = ""
    try:
        app = find()
        drifts: list[cometchat_rest.Drift] = []
        with app.client(on_drift=drifts.append) as chat:
            base_url = chat.base_url
            yield CheckResult(subject, "ok", f"{base_url}, from {app.address_from}")
            yield CheckResult("Key", "ok", f"from {app.key_from}")
            subject = "Service"
            yield from _service(chat.with_options(max_retries=0, deadline=30.0))
            yield _responses(drifts)
    except cometchat_rest.CometChatError as error:
        yield CheckResult(subject, "wrong", _explained(error, base_url), code_for(error))
    except (StopError, OSError) as error:
        yield CheckResult(subject, "wrong", reason_for(error), code_for(error))


def _service(chat: cometchat_rest.Client) -> Iterator[CheckResult]:
    with ProgressNote("Calling the service"):
        chat.roles.list(per_page=1)
    yield CheckResult("Service", "ok", "it accepts the key and lists roles")
    with ProgressNote("Calling the service"):
        chat.reviewed_messages.list(limit=1)
    yield CheckResult("Moderation", "ok", "it lists reviewed messages")


def _responses(drifts: list[cometchat_rest.Drift]) -> CheckResult:
    if not drifts:
        return CheckResult("Responses", "ok", "as documented")
    places = ", ".join(dict.fromkeys(drift.pointer for drift in drifts))
    return CheckResult(
        "Responses",
        "note",
        f"these values differ from the documentation, and are used anyway: {places}",
    )


# Advice for an error of the service; the first match counts.
_ADVICE: Mapping[type[cometchat_rest.CometChatError], str] = {
    cometchat_rest.AuthenticationError: (
        "the service does not know the key: it may belong to another app or region, or "
        "it was deleted"
    ),
    cometchat_rest.PermissionDeniedError: (
        "the scope of the key is too narrow: use a REST API key with the scope fullAccess"
    ),
    cometchat_rest.NotFoundError: (
        "the service does not know this app or path: check the app ID, the region and the base URL"
    ),
    cometchat_rest.RateLimitError: "too many requests: wait a little and try again",
    cometchat_rest.ServerError: "the service has an internal problem: wait a little and try again",
    cometchat_rest.UnexpectedResponse: (
        "the response is not from the chat service, or not as documented: check the "
        "address, and whether a proxy or firewall responds instead"
    ),
}


def _explained(error: cometchat_rest.CometChatError, base_url: str) -> str:
    if isinstance(error, cometchat_rest.TransportError):
        return f"{_no_response(error, base_url)}. Error: {reason_for(error)}"
    advice = next((advice for kind, advice in _ADVICE.items() if isinstance(error, kind)), None)
    return (
        f"{advice} (the address is {base_url}). Error: {reason_for(error)}"
        if advice
        else reason_for(error)
    )


def _no_response(error: cometchat_rest.TransportError, base_url: str) -> str:
    """Advice for an error whose own text names the host and the proxy. It also holds OpenSSL's
    name of an error."""
    host = urlsplit(base_url).netloc
    if "CERTIFICATE_VERIFY_FAILED" in error.reason:
        return f"the certificate of {host} is not trusted: {_CERTIFICATES}"
    if "[SSL" in error.reason:
        return f"{host} does not speak TLS: check the scheme and the port of the address"
    if error.kind == "proxy":
        return "check the address, the user name and the password in HTTPS_PROXY or ALL_PROXY"
    if error.kind == "connect":
        return (
            "check the app ID, the region or the address. Check that this machine is online. If"
            " there is a proxy, check HTTPS_PROXY or ALL_PROXY"
        )
    return (
        f"{host} sent no complete response: wait a little and try again, or try from another"
        " machine or network"
    )
