"""Between NumPy and the library's memory: what owns it, views that keep it alive, and arrays that the library reads."""

import ctypes
import operator
import weakref
from typing import Any, Callable, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from .errors import ArgumentError

Array = npt.NDArray[np.float64]
Self = TypeVar("Self", bound="Owner")


class Handle:
    """Memory of the library's, freed when nothing refers to it any more; `needs` is what must outlive it. It is held by
    the finalizer, since Python finds no order among what is let go of in one cycle, as by a caught exception."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> None:
        self.pointer = pointer
        weakref.finalize(self, _free, destroy, pointer, needs)


def _free(destroy: Callable[[Any], None], pointer: Any, needs: Any) -> None:
    destroy(pointer)
    del needs  # not before


class Owner:
    """What users hold of the library's memory. `close()`, leaving `with`, or the last reference going away lets go of
    it; it is freed as soon as nothing else looks into it, such as a view or what was made from it. Closed, it refuses
    every use."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *needs: Any) -> None:
        self._handle: Optional[Handle] = Handle(pointer, destroy, *needs)

    @property
    def handle(self) -> Handle:
        """What keeps the memory alive."""
        if self._handle is None:
            raise ArgumentError(f"this {type(self).__name__} is closed")
        return self._handle

    @property
    def pointer(self) -> Any:
        """For calls of the library."""
        return self.handle.pointer

    def close(self) -> None:
        """Lets go of the memory now."""
        self._handle = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Memory:
    """Memory of the library's as NumPy asks for it, with what it belongs to."""

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def address_of(pointer: Any) -> int:
    """The address in a pointer of any kind; 0 for NULL."""
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
    """A read-only array of memory that belongs to `owner`, which it keeps alive. No copy."""
    address = address_of(pointer)
    if not address or 0 in shape:
        return np.ndarray((0,) if not address else shape, kind, b"")
    interface = {"version": 3, "data": (address, True), "shape": shape, "typestr": kind, "strides": strides}
    return np.asarray(_Memory(owner, interface))


def doubles(values: Any, shape: tuple[int, ...], name: str) -> Array:
    """`values` as the library reads them: float64, row-major, of this shape. Copied only if they are not."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ArgumentError(f"{name} must be numbers of shape {shape}: {problem}") from None
    if array.shape != shape:
        raise ArgumentError(f"{name} must have the shape {shape}, has {array.shape}")
    return array


INT_MAX = 2**31 - 1


def whole(value: Any, least: int, most: int, name: str) -> int:
    """`value` as an integer from `least` to `most`: ctypes would wrap 2**32 to 0 without a word."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise ArgumentError(f"{name} must be an integer from {least} to {most}, is {value!r}")
    return number


def output(out: Optional[Array], shape: tuple[int, ...], name: str = "out") -> Array:
    """A new array, or `out` when the library can write straight into it."""
    if out is None:
        return np.empty(shape)
    if out.dtype != np.float64 or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise ArgumentError(
            f"{name} must be a row-major, writable float64 array of shape {shape}, is {out.dtype} {out.shape}"
        )
    return out


def at(array: npt.NDArray[Any]) -> int:
    """The address of an array's first element, for a pointer argument."""
    return array.ctypes.data
