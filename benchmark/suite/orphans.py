"""A worker that lost its controller ends at once: nobody hears what it finds, and the next command waits."""

import os
import threading
import time

_LOOK_SEC = 0.2


def end_with(parent: int) -> None:
    """End this process when its parent does. What it has started is ended by its janitor."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SEC)
        os._exit(1)

    threading.Thread(target=watch, name="end with the controller", daemon=True).start()
