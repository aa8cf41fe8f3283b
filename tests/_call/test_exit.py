"""The end of a program: the threads of the caller that make clients cause no noise."""

from .wire_support import run_script


def test_threads_that_make_clients_at_exit_cause_no_noise() -> None:
    """A program that ends while its daemon threads make clients ends without an error message."""
    script = """
    import sys, threading
    from cometchat_rest import Client

    # Threads alternate as often as possible.
    sys.setswitchinterval(1e-6)
    busy = threading.Barrier(5)
    clients = []

    def work():
        for number in range(20_000):
            clients.append(Client(base_url="http://127.0.0.1:1/v3", api_key="a-key-of-some-length"))
            if number == 400:
                busy.wait(20)

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    busy.wait(20)
    """
    endings = [(done.returncode, done.stderr) for done in (run_script(script) for _ in range(4))]
    assert endings == [(0, "")] * 4
