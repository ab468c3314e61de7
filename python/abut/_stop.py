"""Lets Ctrl-C, or another signal whose handler raises, end a long call of the library.

The library asks from time to time whether its caller wants the call to end. Python runs signal handlers in its main
thread only, so only calls of that thread are given a question."""

import ctypes
import os
import threading
from ctypes import byref
from threading import get_ident
from typing import Any, Callable, Generator

from . import _declarations as c

WANTED = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)

main = [threading.main_thread().ident]
"""The identity of the main thread."""


def _forked() -> None:
    main[0] = get_ident()


os.register_at_fork(after_in_child=_forked)


def in_main() -> bool:
    """Returns whether this is the main thread."""
    return get_ident() == main[0]


def answers(raised: list[BaseException], usual: bool, ask: Callable[[Any], bool]) -> Generator[bool, Any, None]:
    """Yields `ask` of what it is sent. After an exception of `ask` or of a signal handler, appends it to `raised` and
    yields the opposite of `usual`. A signal handler runs when the generator resumes, within its `try`; it would run
    before the first line of a function, where nothing can catch its exception."""
    answer = usual
    while True:
        try:
            while True:
                question = yield answer
                answer = ask(question)
        except GeneratorExit:
            raise
        except BaseException as problem:
            raised.append(problem)
            answer = not usual


class Listener:
    """The question for one kind of call. `stop` is an AbutStop."""

    def __init__(self) -> None:
        self._raised: list[BaseException] = []
        questions = answers(self._raised, False, lambda _: False)
        next(questions)
        self.wanted = WANTED(questions.send)
        self.stop = c.AbutStop(ctypes.cast(self.wanted, ctypes.c_void_p), None)

    def pointer(self) -> Any:
        """Returns the AbutStop for a call of this thread; NULL outside of the main thread."""
        return byref(self.stop) if in_main() else None

    def end(self, status: int) -> int:
        """Raises what a signal handler raised during the call. Returns the status of any other call."""
        if self._raised:
            raise self._raised.pop()
        return status
