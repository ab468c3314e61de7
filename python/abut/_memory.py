"""Memory shared by NumPy and the library: its owners, views that keep it alive, and arrays that the library reads."""

import ctypes
import operator
import sys
import weakref
from threading import get_ident
from types import FrameType
from typing import TYPE_CHECKING, Any, Callable, Iterator, NoReturn, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from ._arguments import kind_of, no_attribute
from ._library import call
from .errors import ArgumentError

Array = npt.NDArray[np.float64]
Self = TypeVar("Self", bound="Owner")


class _NotCopied:
    """An object that owns memory of the library: a copy would own it too, and another process does not have it."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be copied or pickled: it owns memory of the library; "
            "make another one from the same scene, shapes or arrays"
        )


class Handle(_NotCopied):
    """An object of the library, destroyed when nothing refers to it. `needs` must outlive it. The finalizer keeps
    `needs` alive, since Python destroys the objects of a cycle (of a caught exception, for example) in any order. At
    the interpreter's exit nothing is destroyed: a daemon thread may still be in a call of the library.

    A call that another thread may close or that takes long keeps the handle in a local variable until it returns."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> None:
        self.pointer = pointer
        weakref.finalize(self, _free, destroy, pointer, needs).atexit = False


def _free(destroy: Callable[[Any], None], pointer: Any, needs: Any) -> None:
    destroy(pointer)
    del needs  # not earlier


class _Address(int):
    """An address that keeps the memory there alive."""

    keeps: Any


def held(pointer: Any, keeps: Any) -> Any:
    """Returns the pointer, or the struct there, as an object that keeps `keeps` alive."""
    out = _Address(pointer) if isinstance(pointer, int) else ctypes.cast(pointer, type(pointer))
    out.keeps = keeps
    return out


class Strict:
    """An object that refuses new attributes, such as misspelt ones. Users' subclasses may add attributes, and so may
    Gymnasium."""

    if not TYPE_CHECKING:  # type checkers refuse unknown attributes themselves, but not of classes with __setattr__

        def __setattr__(self, name: str, value: Any) -> None:
            if (
                not (name.startswith("_") or name in self.__dict__ or hasattr(type(self), name))
                and type(self).__module__.partition(".")[0] == __package__
                and _package(sys._getframe(1)) not in (__package__, "gymnasium")
            ):
                raise no_attribute(f"an {kind_of(self)}", name, dir(self))
            super().__setattr__(name, value)


class Owner(Strict, _NotCopied):
    """A user's object that owns memory of the library. `close()`, the end of a `with` block, or the loss of the last
    reference releases the memory. It is freed as soon as no view, and no object made from it, uses it. A closed object
    cannot be used."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> None:
        self._handle: Optional[Handle] = Handle(pointer, destroy, *needs)

    @property
    def handle(self) -> Handle:
        """The handle that keeps the memory alive."""
        if self._handle is None:
            raise ArgumentError(f"this {type(self).__name__} is closed")
        return self._handle

    @property
    def pointer(self) -> Any:
        """The pointer for calls of the library. It keeps the memory alive: another thread may close the object during a
        call."""
        return held(self.handle.pointer, self.handle)

    def close(self) -> None:
        """Releases the memory now."""
        self._handle = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _package(frame: FrameType) -> str:
    """Returns the name of the outermost package whose function runs."""
    return str(frame.f_globals.get("__package__") or "").partition(".")[0]


def _is_ours(frame: FrameType) -> bool:
    return _package(frame) == __package__


def _frames(frame: Optional[FrameType]) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


class Seat:
    """Lets one thread at a time in and refuses others, whose calls would write to the same memory."""

    def __init__(self, name: str) -> None:
        self.free = [True]  # a list, since its pop is atomic
        self._name = name

    def __enter__(self) -> None:
        try:
            self.free.pop()
        except IndexError:
            self.demand()

    def __exit__(self, *_: object) -> None:
        self.free.append(True)

    def demand(self) -> None:
        """Raises if a call holds the seat. Otherwise a signal handler raised just as a call took or left it."""
        below = next((frame for frame in _frames(sys._getframe()) if not _is_ours(frame)), None)
        others = [frame for thread, frame in sys._current_frames().items() if thread != get_ident()]
        if any(_is_ours(frame) for stack in [below, *others] for frame in _frames(stack)):
            raise ArgumentError(
                f"another thread, or a call that this one interrupts, is using this {self._name}; only one may at "
                "a time"
            ) from None


class OneThread(Owner):
    """An owner that only one thread at a time may use: its calls of the library take its `seat`."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> None:
        super().__init__(pointer, destroy, *needs)
        self.seat = Seat(type(self).__name__)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function like `_library.call`, from one thread at a time."""
        with self.seat:
            handle = self.handle  # another thread may close the object meanwhile
            call(name, handle.pointer, *arguments)


class _Memory:
    """Memory of the library in the form that NumPy reads, with its owner."""

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def address_of(pointer: Any) -> int:
    """Returns the address in a pointer of any kind; 0 for NULL."""
    if isinstance(pointer, int):
        return pointer
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def view(
    owner: Any,
    pointer: Any,
    shape: tuple[int, ...],
    kind: str = "<f8",
    strides: Optional[tuple[int, ...]] = None,
) -> npt.NDArray[Any]:
    """Returns a read-only array of the memory of `owner`, which it keeps alive, without a copy."""
    address = address_of(pointer)
    if not address or 0 in shape:
        return np.ndarray((0,) if not address else shape, kind, b"")
    interface = {"version": 3, "data": (address, True), "shape": shape, "typestr": kind, "strides": strides}
    return np.asarray(_Memory(owner, interface))


def doubles(values: Any, shape: tuple[int, ...], name: str) -> Array:
    """Returns `values` as the library reads them: float64, row-major, with this shape. Copies them only if needed."""
    if values is None:  # which NumPy converts to NaN
        raise ArgumentError(f"{name} must be numbers of shape {shape}, is None")
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":  # no complex numbers, and no text that holds numbers
            raise TypeError(f"{given.dtype} is not a type of real numbers")
        array = np.asarray(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as problem:
        raise ArgumentError(f"{name} must be numbers of shape {shape}: {problem}") from None
    if array.shape != shape:
        raise ArgumentError(f"{name} must have the shape {shape}, has {array.shape}")
    return array


def snapshot_numbers(values: Any, name: str) -> Array:
    """Returns the numbers of a snapshot, of which there may be any number: it depends on the contacts."""
    try:
        return doubles(values, (np.size(values),), name)
    except ValueError:
        raise ArgumentError(f"{name} must be numbers from `Simulation.snapshot()`, is {values!r}") from None


INT_MAX = 2**31 - 1
THREADS_MAX = 1024  # of one simulation or batch


def whole(value: Any, least: int, most: int, name: str) -> int:
    """Returns `value` as an integer from `least` to `most`; ctypes would silently wrap 2**32 to 0."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise ArgumentError(f"{name} must be an integer from {least} to {most}, is {value!r}")
    return number


def output(
    out: Optional[npt.NDArray[Any]], shape: tuple[int, ...], name: str = "out", dtype: Any = np.float64
) -> npt.NDArray[Any]:
    """Returns a new array, or `out` if the library can write to it."""
    if out is None:
        return np.empty(shape, dtype)
    kind = "a float64" if dtype is np.float64 else "an abut.JOINT"
    if not isinstance(out, np.ndarray):
        raise ArgumentError(f"{name} must be {kind} array of shape {shape}, is {type(out).__name__}")
    if out.dtype != dtype or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise ArgumentError(
            f"{name} must be {kind} array of shape {shape}, row-major and writable, is {out.dtype} {out.shape}"
        )
    return out


def at(array: npt.NDArray[Any]) -> int:
    """Returns the address of an array's first element, for a pointer argument."""
    return array.ctypes.data
