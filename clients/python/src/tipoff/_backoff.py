from __future__ import annotations

import random

_FIRST = 1.0
_LONGEST = 30.0
# Each pause is shortened by up to this part at random, so that many clients do not return in the same moment.
_JITTER = 0.1


class Backoff:
    """Pauses of 1, 2, 4 … and at most 30 seconds; from 1 again after a success."""

    def __init__(self) -> None:
        self._next = _FIRST

    def next(self) -> float:
        seconds = self._next * (1 - _JITTER * random.random())
        self._next = min(self._next * 2, _LONGEST)
        return seconds

    def reset(self) -> None:
        self._next = _FIRST
