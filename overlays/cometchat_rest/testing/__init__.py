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
    import jsonschema as _jsonschema  # noqa: F401
    import python_multipart as _python_multipart  # noqa: F401  # imported here, so that one message covers all of them
    import starlette as _starlette  # noqa: F401
    import uvicorn as _uvicorn  # noqa: F401
    import yaml as _yaml  # noqa: F401
except ModuleNotFoundError as _error:
    # With `name`, `python -m` prints the message as one line, without a traceback.
    raise ImportError(
        f"cometchat_rest.testing needs {_error.name}: install the extra 'testing' "
        "(in a checkout: pip install '.[testing]')",
        name=__name__,
    ) from _error

from .faults import ConnectionCutError
from .history import History
from .simulator import Simulator
from .state import ReceivedRequest

__all__ = ["ConnectionCutError", "History", "ReceivedRequest", "Simulator"]
