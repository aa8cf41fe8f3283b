"""A stateful simulator of the chat service, for tests and for trying things out.

```python
from cometchat_rest.testing import Simulator

with Simulator() as simulator:
    print(simulator.base_url, simulator.api_key)
```

It is written from the service's description alone and shares no code with the client, so that a misreading on
one side shows as a failure instead of cancelling itself out.
"""

try:
    import python_multipart as _python_multipart  # noqa: F401  # asked for here, so that one message covers all three
    import starlette as _starlette  # noqa: F401
    import uvicorn as _uvicorn  # noqa: F401
except ModuleNotFoundError as error:
    # The name makes `python -m` report this as one line too, instead of as a traceback.
    raise ImportError(
        f"cometchat_rest.testing needs {error.name}: pip install 'cometchat-rest[testing]'", name=__name__
    ) from error

from .faults import ConnectionCutError
from .simulator import Simulator
from .state import ReceivedRequest

__all__ = ["ConnectionCutError", "ReceivedRequest", "Simulator"]
