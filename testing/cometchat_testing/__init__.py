"""A stateful simulator of the chat service, for tests and experiments.

```python
from cometchat_testing import Simulator

with Simulator() as simulator:
    print(simulator.base_url, simulator.api_key)
```

It is written only from the service's description and shares no code with the client. A
misunderstanding in one of them makes a test fail; with shared code, both sides would make the same
mistake and no test would notice.

The description is `openapi.yaml`: in a wheel the file is in this package, as
`cometchat_testing/openapi.yaml`, and in a checkout it is at the top of the repository.
`cometchat_testing.conformance.openapi()` returns its path.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .faults import ConnectionCutError
    from .history import History
    from .simulator import Simulator
    from .state import ReceivedRequest

__all__ = ["ConnectionCutError", "History", "ReceivedRequest", "Simulator"]
_MODULES = {
    "ConnectionCutError": "faults",
    "History": "history",
    "ReceivedRequest": "state",
    "Simulator": "simulator",
}


def __getattr__(name: str) -> object:
    # pytest imports this package in every environment, because of its plugin. So a module waits
    # until it is needed.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f".{_MODULES[name]}", __name__), name)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        advice = "install the extra 'testing' (in a checkout: pip install '.[testing]')"
        raise ImportError(f"cometchat_testing needs {package}: {advice}") from error
