"""A stateful simulator of the chat service, for tests and experiments.

```python
from cometchat_rest.testing import Simulator

with Simulator() as simulator:
    print(simulator.base_url, simulator.api_key)
```

It is written only from the service's description and shares no code with the client. A misunderstanding in one of them
makes a test fail; with shared code, both sides would make the same mistake and no test would notice.
"""

try:
    from .faults import ConnectionCutError
    from .history import History
    from .simulator import Simulator
    from .state import ReceivedRequest
except ModuleNotFoundError as _error:
    # With `name`, `python -m` prints the message as one line, without a traceback.
    raise ImportError(
        f"cometchat_rest.testing needs {str(_error.name).partition('.')[0]}: install the extra 'testing' "
        "(in a checkout: pip install '.[testing]')",
        name=__name__,
    ) from _error

__all__ = ["ConnectionCutError", "History", "ReceivedRequest", "Simulator"]
